"""The road of `afterstates` and `all_rolls`: from rows of positions and dice to one array of afterstates.

1. Each thread takes the next rows, and lists their plays in a block of its own, 16 bytes each.
2. In the order of the rows it takes a place in the result for them: behind the plays of all rows before.
3. If the result ends before that, it first makes more room, while nobody else writes.
4. It writes the block to its place: afterstates, offsets and dice used. Then it takes the next rows.
5. Few rows are one block. It is listed before the result is made, which then has just the size that is needed.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

import numpy as np

from tabula._native import batch as _native
from tabula.batch.call import positions_array
from tabula.batch.results import Ragged
from tabula.rules import TRACK
from tabula.work.threads import in_threads

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabula.batch.call import Array, Call
    from tabula.work.threads import Stop

BLOCK_ROWS: Final = 1024
"""Rows of a block at most."""

BLOCK_PLAYS: Final = 1 << 17
"""Plays of a block at most: 2 MiB."""

FEW_ROWS: Final = BLOCK_PLAYS // _native.MAX_PLAYS
"""Rows that are sure to fit into one block."""

PATIENCE: Final = 0.05
"""Seconds after which a thread that waits for its turn looks whether the call has been stopped."""


def listed(call: Call, out: Array | None) -> Ragged:
    """The afterstates of every row, in `out` or in memory of their own."""
    if out is not None:
        _check_out(out, call)
        out = out.view(np.ndarray)
    rows = call.input.rows
    if rows > FEW_ROWS:
        return _Listing(call, out).run()
    block = _native.Block(rows or 1, (rows or 1) * _native.MAX_PLAYS)
    reached = _native.list_plays(call.input, 0, rows, block)
    if reached < rows:
        raise call.refusal(reached)
    plays = block.plays
    positions = np.empty((plays, 2, TRACK), np.int8) if out is None else out[:plays]
    if len(positions) < plays:
        raise _too_small(positions, plays)
    offsets, dice_used = np.zeros(rows + 1, np.int64), np.empty(rows, np.uint8)
    _native.write(block, 0, positions, offsets, dice_used)
    return Ragged(positions, offsets, dice_used)


class _Listing:
    """One result on its way.

    `taken` is the first row that no thread has taken yet, `row` the first one that has no place yet, and `place` where its
    afterstates will begin; `writers` is the number of threads that write to `out` now. All four and `ended` change under `changed`
    only, and `out` is replaced only while there are no writers.
    """

    def __init__(self, call: Call, out: Array | None) -> None:
        self.call, self.given = call, out is not None
        self.rows = call.input.rows
        self.out = np.empty((0, 2, TRACK), np.int8) if out is None else out
        self.offsets, self.dice_used = np.zeros(self.rows + 1, np.int64), np.empty(self.rows, np.uint8)
        self.taken = self.row = self.place = self.writers = 0
        self.ended = False
        self.changed = threading.Condition()

    def run(self) -> Ragged:
        """The result; raises what is wrong with the first row that cannot be taken."""
        threads = min(self.call.threads, -(-self.rows // BLOCK_ROWS))
        # A unit of work is a whole thread: handing out each block would cost a tenth of the time that listing it takes.
        for _ in in_threads(lambda _, stop: self._list(stop), range(threads), threads):
            pass
        if self.given:
            return Ragged(self.out[: self.place], self.offsets, self.dice_used)
        self.out.resize((self.place, 2, TRACK), refcheck=False)
        return Ragged(self.out, self.offsets, self.dice_used)

    def _list(self, stop: Stop) -> None:
        """Lists and writes rows until none are left, or until another thread has failed."""
        block = _native.Block(BLOCK_ROWS, BLOCK_PLAYS)
        try:
            row, end = self._take_rows()
            while row < end:
                stop.check()
                reached = _native.list_plays(self.call.input, row, end, block)
                found = self._take_place(row, reached, block.plays, stop)
                if found is None:
                    return
                _native.write(block, found[1], found[0], self.offsets, self.dice_used)
                row, end = self._take_rows(reached, end)
        except BaseException:
            # The others would wait for the place of these rows.
            with self.changed:
                self.ended = True
                self.changed.notify_all()
            raise

    def _take_rows(self, row: int = 0, end: int = 0) -> tuple[int, int]:
        """The rows to list next, after those up to `row` have been written; the thread's own up to `end` come first."""
        with self.changed:
            if row:
                self.writers -= 1
                self.changed.notify_all()
            if row < end:
                return row, end
            row = self.taken
            self.taken = min(row + BLOCK_ROWS, self.rows)
            return row, self.taken

    def _take_place(self, row: int, reached: int, plays: int, stop: Stop) -> tuple[Array, int] | None:
        """Where the afterstates of these rows go; it waits until the rows before them have their place.

        None if another thread has failed meanwhile. Raises what is wrong with `row` if it is the first that cannot be taken.
        """
        with self.changed:
            self._wait(lambda: self.row == row or self.ended, stop)
            if reached == row and not self.ended:
                raise self.call.refusal(row)
            full = self.place + plays > len(self.out)
            if full:
                self._wait(lambda: not self.writers or self.ended, stop)
            if self.ended:
                return None
            if full:
                self._make_room(reached, self.place + plays, stop)
            place = self.place
            self.row, self.place = reached, place + plays
            self.writers += 1
            self.changed.notify_all()
            return self.out, place

    def _wait(self, until: Callable[[], bool], stop: Stop) -> None:
        while not self.changed.wait_for(until, PATIENCE):
            stop.check()

    def _make_room(self, reached: int, needed: int, stop: Stop) -> None:
        """Room for so many plays of the rows up to `reached`, and for those of the rest.

        At first the rest is expected to have a quarter more than the rows so far; memory that is never written to costs nothing.
        Where there is not so much memory, or the rest has more plays, they are counted.
        """
        rest = self.rows - reached
        if not len(self.out) and not self.given:
            try:
                self.out = np.empty((needed + rest * (needed // reached + 1) * 5 // 4, 2, TRACK), np.int8)
            except MemoryError:
                pass
            else:
                return
        needed += int(self.call.counts(reached, stop).sum())
        if self.given:
            raise _too_small(self.out, needed)
        if len(self.out):
            self.out.resize((needed, 2, TRACK), refcheck=False)
        else:
            self.out = np.empty((needed, 2, TRACK), np.int8)


def _check_out(out: Array, call: Call) -> None:
    positions_array("out", out, "capacity")
    if not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError("out must be C-contiguous and writable")
    if any(array is not None and np.may_share_memory(out, array) for array in (call.positions, call.rolls)):
        raise ValueError("out shares memory with an input")


def _too_small(out: Array, needed: int) -> ValueError:
    return ValueError(f"out has room for {len(out)} positions, and {needed} are needed")
