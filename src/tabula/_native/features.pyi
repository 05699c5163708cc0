import numpy as np
import numpy.typing as npt

from tabula.rules import Rules

def width(encoder: str, rules: Rules) -> int:
    """How many columns an encoder has under these rules."""

def first_wrong(rules: Rules, array: npt.NDArray[np.int8], first: int, stop: int) -> int:
    """The first row of a range with what is no legal position, or -1."""

def encode(encoder: str, rules: Rules, array: npt.NDArray[np.int8], first: int, stop: int, out: npt.NDArray[np.float32]) -> None:
    """Writes the features of the positions of a range into the same rows of `out`. Nothing that they hold is checked."""
