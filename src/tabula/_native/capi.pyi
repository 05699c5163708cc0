__all__ = ["C_API"]

C_API: object
