"""Whole games on the native generator: one after another with random plays, or side by side with plays that a policy chooses.

`tabula.playouts` is the public face. A game's random numbers are those of one stream, and each ply has a place of its own in it:
the dice of a ply depend on the stream and the ply alone, and not on how plays were chosen before.
"""

cimport cython
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree, PyMem_RawRealloc
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from tabula._core cimport (
    TABULA_ABI_VERSION, TABULA_BEAR_OFF_EXACT, TABULA_LAYOUT, TABULA_MAX_DICE, TABULA_MAX_MOVES, TABULA_MAX_PLAYS, TABULA_OFF,
    HIT_SHIFT, TABULA_PLY_SHIFT, TABULA_TRACK, CompiledRules, apply, borrow, generate, give_back, swap_sides, moves_of, extra_dice,
    outcome, stuck, pick, side_count, side_won, stream_below, stream_roll, stream_seed, tabula_move, tabula_play, tabula_position,
    tabula_rules, tabula_side, tabula_stream, times_played, unpack_plays,
)
from tabula._native.position cimport Position

import numpy as np

from tabula._core import same_build

__all__ = ["RECORD", "PolicyGames", "RandomGames", "choice_at", "roll_at"]

same_build(__name__, TABULA_ABI_VERSION, TABULA_LAYOUT)


cdef extern from "core/bits.h" nogil:
    uint64_t TABULA_SIDE_HI
    int tabula_nibble_sum(uint64_t lo, uint64_t hi)


ctypedef struct Record:
    uint64_t key            # of the game's stream; the public field is called `seed`
    int16_t winner
    int16_t points
    int32_t plies
    int64_t plays
    int32_t most_plays
    int32_t forced
    int32_t hits[2]
    int32_t passes[2]
    int32_t wasted
    int32_t lead_changes


RECORD = np.dtype(
    [
        ("seed", np.uint64),
        ("winner", np.int16),
        ("points", np.int16),
        ("plies", np.int32),
        ("plays", np.int64),
        ("most_plays", np.int32),
        ("forced", np.int32),
        ("hits", np.int32, 2),
        ("passes", np.int32, 2),
        ("wasted", np.int32),
        ("lead_changes", np.int32),
    ]
)

cdef Record LAID_OUT
if RECORD.itemsize != sizeof(Record) or RECORD.fields["lead_changes"][1] != <char *>&LAID_OUT.lead_changes - <char *>&LAID_OUT:
    raise ImportError("tabula._native.playouts was compiled for another layout of a record than NumPy uses")


cdef enum:
    MOST_PLIES = 1 << 24


ctypedef struct Game:
    tabula_position position
    tabula_stream stream
    Record *record
    int ply
    int travelled[2]        # each side's pips travelled: the sum of its checkers' indices
    int leader              # who was ahead last: 1 the first player, -1 the second, 0 nobody yet


# ------------------------------------------------------------------------------------------------------------------- one turn

cdef inline int weighted_sum(uint64_t word) noexcept nogil:
    """The sum of i times nibble i; all nibbles together are at most 15."""
    cdef uint64_t nibbles = 0x0F0F0F0F0F0F0F0F
    cdef uint64_t odd = word >> 4 & nibbles
    # The products' highest bytes: the sum of k times byte k, and the sum of the bytes; none of the lower sums carries.
    return <int>(
        2 * (((word & nibbles) + odd) * <uint64_t>0x0001020304050607 >> 56) + (odd * <uint64_t>0x0101010101010101 >> 56)
    )


cdef inline int travelled(uint64_t lo, uint64_t hi) noexcept nogil:
    """The pips that a side's checkers have travelled: the sum of their indices."""
    hi &= TABULA_SIDE_HI
    return weighted_sum(lo) + weighted_sum(hi) + 16 * tabula_nibble_sum(0, hi)


cdef void begin(const tabula_rules *rules, const tabula_position *start, uint64_t seed, uint64_t number, Game *game) noexcept nogil:
    """A game before its first turn, and its record; a position that is over is a game of no turns."""
    cdef Record *record = game.record
    cdef int points
    game.position = start[0]
    game.stream = stream_seed(seed, number)
    game.ply = 0
    game.travelled[0] = travelled(start.mover.lo, start.mover.hi)
    game.travelled[1] = travelled(start.other.lo, start.other.hi)
    game.leader = (game.travelled[0] > game.travelled[1]) - (game.travelled[0] < game.travelled[1])
    memset(record, 0, sizeof(Record))
    record.key = game.stream.key
    points = outcome(rules, start)
    record.winner = -1 if points == 0 else points < 0
    record.points = <int16_t>(points if points > 0 else -points)


cdef inline void throw_dice(const tabula_rules *rules, Game *game, uint8_t *roll) noexcept nogil:
    game.stream.counter = <uint64_t>game.ply << TABULA_PLY_SHIFT
    stream_roll(&game.stream, rules.dice, roll)


cdef int wasted(
    const tabula_rules *rules, const tabula_position *position, const uint8_t *roll, const tabula_play *play, int moved
) noexcept nogil:
    """The pips of the dice that a play leaves, of which there are some; `moved` is the pips that its checkers moved."""
    cdef tabula_move moves[TABULA_MAX_MOVES]
    cdef tabula_side after
    cdef int thrown = 0, i
    for i in range(rules.dice):
        thrown += roll[i]
    thrown *= times_played(rules, roll)
    thrown += (rules.extra_dice & 7) + (rules.extra_dice >> 3)
    if rules.bear_off != TABULA_BEAR_OFF_EXACT:
        after.lo = play.lo
        after.hi = play.hi & TABULA_SIDE_HI
        if side_count(&after, TABULA_OFF) > side_count(&position.mover, TABULA_OFF):
            # A die may have been larger than the way of its checker, and only the moves tell which dice these were.
            moved = 0
            for i in range(moves_of(rules, position, roll, play, moves)):
                moved += moves[i].die
    return thrown - moved


cdef bint make_play(
    const tabula_rules *rules, Game *game, const uint8_t *roll, const tabula_play *play, int plays, int used, int max_plies
) noexcept nogil:
    """Makes a play, one of `plays` that use `used` dice each, and records it. Returns whether the game ends, or is given up."""
    cdef Record *record = game.record
    cdef int side = game.ply & 1, dice = rules.dice * times_played(rules, roll) + extra_dice(rules), moved, lead
    cdef uint64_t hits = play.hi >> HIT_SHIFT + 1
    moved = travelled(play.lo, play.hi) - game.travelled[side]
    game.travelled[side] += moved
    game.ply += 1
    record.plies = game.ply
    record.plays += plays
    if plays > record.most_plays:
        record.most_plays = plays
    record.forced += plays == 1
    if used < dice:
        record.passes[side] += used == 0
        record.wasted += wasted(rules, &game.position, roll, play, moved)
    apply(rules, &game.position, play, &game.position)
    if hits:
        game.travelled[1 - side] = travelled(game.position.other.lo, game.position.other.hi)
        while hits:
            hits &= hits - 1
            record.hits[side] += 1
    lead = game.travelled[0] - game.travelled[1]
    if lead:
        lead = 1 if lead > 0 else -1
        record.lead_changes += lead + game.leader == 0
        game.leader = lead
    if side_won(rules, &game.position.mover):
        record.winner = <int16_t>side
        record.points = <int16_t>outcome(rules, &game.position)
        return True
    swap_sides(&game.position)
    return game.ply == max_plies or (used == 0 and stuck(rules, &game.position))


# -------------------------------------------------------------------------------------------------------------------- classes

cdef class Games:
    """What both ways of playing share: the start, the records that are filled, and the sum of distinct plays by ply."""

    cdef CompiledRules compiled_rules
    cdef tabula_position start
    cdef uint8_t[::1] bytes         # owns the memory of the records
    cdef Record *records
    cdef Py_ssize_t n
    cdef uint64_t seed
    cdef uint64_t first
    cdef int max_plies
    cdef int64_t *sums              # by ply: the distinct plays of all games
    cdef Py_ssize_t plies           # how many of them there is room for

    def __cinit__(self, Position start not None, uint64_t seed, uint64_t first, records, int max_plies):
        """`records` is a contiguous array of RECORD, one for each game; they are those with the numbers from `first` on."""
        if not isinstance(records, np.ndarray) or records.dtype != RECORD or records.ndim != 1 or not len(records):
            raise ValueError("records must be an array of RECORD with one record or more")
        if not 1 <= max_plies <= MOST_PLIES:
            raise ValueError(f"max_plies must be 1..{MOST_PLIES}, not {max_plies}")
        self.compiled_rules = start.compiled_rules
        self.start = start.p
        self.bytes = records.view(np.uint8)
        self.records = <Record *>&self.bytes[0]
        self.n = len(records)
        self.seed = seed
        self.first = first
        self.max_plies = max_plies

    def __dealloc__(self):
        PyMem_RawFree(self.sums)

    def plays_by_ply(self):
        """A new int64 array: for each ply the sum of the numbers of distinct plays that the games had to choose from."""
        cdef Py_ssize_t last = self.plies, ply
        while last and not self.sums[last - 1]:
            last -= 1
        made = np.empty(last, np.int64)
        cdef int64_t[::1] view = made
        for ply in range(last):
            view[ply] = self.sums[ply]
        return made


cdef bint add_plays_of_ply(Games games, int ply, int64_t plays) noexcept nogil:
    """Adds a game's distinct plays at a ply to the sum of that ply; False if there is no memory."""
    cdef Py_ssize_t plies = max(256, 2 * games.plies)
    cdef void *block
    if ply >= games.plies:
        # No ply is left out, so that the next one is within twice the room.
        block = PyMem_RawRealloc(games.sums, plies * sizeof(int64_t))
        if block == NULL:
            return False
        games.sums = <int64_t *>block
        memset(games.sums + games.plies, 0, (plies - games.plies) * sizeof(int64_t))
        games.plies = plies
    games.sums[ply] += plays
    return True


@cython.final
cdef class RandomGames(Games):
    """Games one after another, each play as likely as any other of its turn."""

    cdef Game game
    cdef Py_ssize_t at              # the game under way
    cdef bint under_way

    def play(self, int plies):
        """Plays about `plies` plies more, with the GIL released, and returns whether all games are over."""
        cdef bint had_memory
        with nogil:
            had_memory = play_on(self, plies)
        if not had_memory:
            raise MemoryError
        return self.at == self.n


cdef bint play_on(RandomGames games, int plies) noexcept nogil:
    cdef const tabula_rules *rules = &games.compiled_rules.c_rules
    cdef Game *game = &games.game
    cdef uint8_t roll[TABULA_MAX_DICE]
    cdef tabula_play picked
    cdef int n, used
    cdef bint had_memory = True
    cdef tabula_play *plays = borrow()
    if plays == NULL:
        return False
    while plies > 0 and games.at < games.n:
        if not games.under_way:
            game.record = &games.records[games.at]
            begin(rules, &games.start, games.seed, games.first + <uint64_t>games.at, game)
            games.under_way = game.record.winner < 0
            plies -= 1
        while games.under_way and plies > 0:
            throw_dice(rules, game, roll)
            n = pick(rules, &game.position, roll, &game.stream, plays, &picked, &used)
            had_memory = add_plays_of_ply(games, game.ply, n)
            if not had_memory:
                give_back(plays)
                return False
            games.under_way = not make_play(rules, game, roll, &picked, n, used, games.max_plies)
            plies -= 1
        games.at += not games.under_way
    give_back(plays)
    return True


ctypedef struct RolledPlays:
    Py_ssize_t first        # of its plays, among those of all games
    int plays
    int used
    uint8_t roll[TABULA_MAX_DICE]


@cython.final
cdef class PolicyGames(Games):
    """Games side by side, ply by ply: `throw`, then `write_candidates`, then `choose` among them."""

    cdef Game *games
    cdef RolledPlays *rolled        # by running game: its roll, and where its plays stand
    cdef tabula_play *plays         # those of all running games
    cdef Py_ssize_t room
    cdef Py_ssize_t candidates
    cdef readonly Py_ssize_t running
    """How many games go on. They stand first in `games`, in the order of their numbers."""

    def __cinit__(self, Position start not None, uint64_t seed, uint64_t first, records, int max_plies):
        cdef Py_ssize_t i
        self.games = <Game *>PyMem_RawCalloc(self.n, sizeof(Game))
        self.rolled = <RolledPlays *>PyMem_RawCalloc(self.n, sizeof(RolledPlays))
        if self.games == NULL or self.rolled == NULL:
            raise MemoryError
        for i in range(self.n):
            self.games[self.running].record = &self.records[i]
            begin(&self.compiled_rules.c_rules, &self.start, self.seed, self.first + <uint64_t>i, &self.games[self.running])
            self.running += self.records[i].winner < 0

    def __dealloc__(self):
        PyMem_RawFree(self.games)
        PyMem_RawFree(self.rolled)
        PyMem_RawFree(self.plays)

    def throw(self):
        """Throws the dice of every running game, with the GIL released, and returns how many candidates there are in all."""
        cdef bint had_memory
        with nogil:
            had_memory = throw_all(self)
        if not had_memory:
            self.candidates = 0
            raise MemoryError
        return self.candidates

    def write_candidates(self, int8_t[:, :, ::1] out not None):
        """Fills an int8 array (m, 2, 26) with the candidates of all games, with sides swapped, with the GIL released."""
        cdef Py_ssize_t i
        self._check(out.shape[0])
        if out.shape[1] != 2 or out.shape[2] != TABULA_TRACK:
            raise ValueError(f"out must have the shape (m, 2, {TABULA_TRACK})")
        with nogil:
            for i in range(self.running):
                unpack_plays(
                    &self.compiled_rules.c_rules, &self.games[i].position, self.plays + self.rolled[i].first, self.rolled[i].plays,
                    1, &out[self.rolled[i].first, 0, 0],
                )

    def choose(self, const double[::1] scores not None):
        """Makes in every running game the play with the highest score, the first of equals, with the GIL released."""
        self._check(scores.shape[0])
        if self.candidates:
            with nogil:
                choose_all(self, &scores[0])

    cdef _check(self, Py_ssize_t m):
        if m != self.candidates:
            raise ValueError(f"there are {self.candidates} candidates, not {m}")


cdef bint throw_all(PolicyGames all_games) noexcept nogil:
    cdef const tabula_rules *rules = &all_games.compiled_rules.c_rules
    cdef Game *game
    cdef RolledPlays *rolled
    cdef void *block
    cdef Py_ssize_t i, room
    all_games.candidates = 0
    for i in range(all_games.running):
        game = &all_games.games[i]
        rolled = &all_games.rolled[i]
        if all_games.room - all_games.candidates < TABULA_MAX_PLAYS:
            room = 2 * all_games.room + TABULA_MAX_PLAYS
            block = PyMem_RawRealloc(all_games.plays, room * sizeof(tabula_play))
            if block == NULL:
                return False
            all_games.plays = <tabula_play *>block
            all_games.room = room
        throw_dice(rules, game, rolled.roll)
        rolled.first = all_games.candidates
        rolled.plays = generate(rules, &game.position, rolled.roll, all_games.plays + rolled.first, &rolled.used)
        all_games.candidates += rolled.plays
        if not add_plays_of_ply(all_games, game.ply, rolled.plays):
            return False
    return True


cdef void choose_all(PolicyGames all_games, const double *scores) noexcept nogil:
    cdef const tabula_rules *rules = &all_games.compiled_rules.c_rules
    cdef RolledPlays *rolled
    cdef Py_ssize_t i, j, best, running = 0
    for i in range(all_games.running):
        rolled = &all_games.rolled[i]
        best = rolled.first
        for j in range(rolled.first + 1, rolled.first + rolled.plays):
            if scores[j] > scores[best]:
                best = j
        if not make_play(
            rules, &all_games.games[i], rolled.roll, &all_games.plays[best], rolled.plays, rolled.used, all_games.max_plies
        ):
            all_games.games[running] = all_games.games[i]
            running += 1
    all_games.running = running
    all_games.candidates = 0


# ------------------------------------------------------------------------------------------------------------- a game by hand

def roll_at(uint64_t key, int ply, int dice):
    """The roll of a ply in the game of a stream's key: dice in descending order."""
    cdef tabula_stream stream
    cdef uint8_t roll[TABULA_MAX_DICE]
    open_at(key, ply, dice, &stream, roll)
    cdef list thrown = []
    cdef int i
    for i in range(dice):
        thrown.append(roll[i])
    return tuple(thrown)


def choice_at(uint64_t key, int ply, int dice, int plays):
    """The index, 0..plays - 1, of the play that a random game makes at a ply."""
    cdef tabula_stream stream
    cdef uint8_t roll[TABULA_MAX_DICE]
    if plays < 1:
        raise ValueError(f"plays must be 1 or more, not {plays}")
    open_at(key, ply, dice, &stream, roll)
    return stream_below(&stream, plays)


cdef int open_at(uint64_t key, int ply, int dice, tabula_stream *stream, uint8_t *roll) except -1:
    """The stream as it is once the dice of a ply are thrown."""
    if not 1 <= dice <= TABULA_MAX_DICE:
        raise ValueError(f"dice must be 1..{TABULA_MAX_DICE}, not {dice}")
    if not 0 <= ply < MOST_PLIES:
        raise ValueError(f"ply must be 0..{MOST_PLIES - 1}, not {ply}")
    stream.key = key
    stream.counter = <uint64_t>ply << TABULA_PLY_SHIFT
    stream_roll(stream, dice, roll)
    return 0
