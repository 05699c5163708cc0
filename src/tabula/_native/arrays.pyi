from typing import Self, final

import numpy as np
import numpy.typing as npt

@final
class PositionArray:
    def __new__(cls, array: npt.NDArray[np.int8]) -> Self: ...
    @property
    def rows(self) -> int: ...

@final
class RollArray:
    def __new__(cls, array: npt.NDArray[np.uint8]) -> Self: ...
    @property
    def rows(self) -> int: ...
    @property
    def dice(self) -> int: ...
