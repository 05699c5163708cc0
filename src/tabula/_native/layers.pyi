from typing import Self, final

from tabula._native.position import Position

@final
class PlyPositions:
    """Distinct positions, all the same number of plies from the start, and in how many ways each is reached.

    Positions are added by `expand` and `expand_group` of the ply before it alone, by one thread at a time. Once all are there,
    any number of threads may read. `len` is the number of distinct positions.
    """

    def __new__(cls, start: Position, empty: bool = False) -> Self: ...
    def __len__(self) -> int: ...
    def expand(self, first: int, stop: int, next_ply: PlyPositions) -> int:
        """Adds to the next ply what follows the positions of a range, once for each roll and distinct afterstate.

        Returns how many positions that added to it.
        """
    def group(self, first: int, stop: int) -> int:
        """Puts a range of positions into groups. Those that share the track of the side not on move share a group.

        The ranges follow each other from 0 on, and no more positions are added. Returns the number of groups; some may be empty.
        """
    def head(self, group: int) -> int:
        """The place where a group begins, for `expand_group`; 0 for an empty one."""
    def expand_group(self, place: int, most: int, next_ply: PlyPositions) -> int:
        """As `expand`, for at most `most` positions of a group, from a place on. Returns the place after them, 0 at the end."""
    def count(self, first: int, stop: int) -> int:
        """How many leaves the ways to a range of positions have one ply on; an exact int, whatever its size."""
