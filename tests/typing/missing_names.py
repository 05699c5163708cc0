"""A name that `tabula` does not have is an error for a type checker. Files of this folder are checked, and never run."""

from tabula import NoSuchThing  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]

__all__ = ["NoSuchThing"]
