import numpy as np
import numpy.typing as npt

from tabula.rules import Rules

def width(encoder: str, rules: Rules) -> int: ...
def first_wrong(rules: Rules, array: npt.NDArray[np.int8], first: int, stop: int) -> int: ...
def encode(
    encoder: str, rules: Rules, array: npt.NDArray[np.int8], first: int, stop: int, out: npt.NDArray[np.float32]
) -> None: ...
