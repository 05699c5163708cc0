from typing import Self, final

import numpy as np
import numpy.typing as npt

@final
class PositionArray:
    """An array of positions, held for as long as this object lives."""

    def __new__(cls, array: npt.NDArray[np.int8]) -> Self: ...
    @property
    def rows(self) -> int: ...

@final
class RollArray:
    """An array of rolls, uint8 of shape (n, dice) with any strides, held for as long as this object lives."""

    def __new__(cls, array: npt.NDArray[np.uint8]) -> Self: ...
    @property
    def rows(self) -> int: ...
    @property
    def dice(self) -> int: ...
