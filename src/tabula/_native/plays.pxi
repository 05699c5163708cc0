# One play, and the view of all plays of a roll.
#
# Included by position.pyx.

@cython.final
@cython.freelist(256)
@cython.no_gc
cdef class Play:
    """A whole turn: one way to play a roll from a position. Immutable and hashable.

    Plays that end in the same position are one play, so equality looks at origin, roll and afterstate. Of the sets of moves that
    come to it, the one shown is the smallest as a sorted list of (source, die), in its smallest order that can be made.

    Examples
    --------
    >>> from tabula import BACKGAMMON, Position
    >>> play = Position(BACKGAMMON).plays("31")[0]
    >>> play.position.turn, len(play.moves), play.roll
    (1, 2, (3, 1))
    """

    cdef Position start
    cdef uint8_t dice[TABULA_MAX_DICE]
    cdef tabula_play play
    # A weak reference to the Plays that own the list, and the index there: while they live, they know the moves of every play.
    cdef object owner
    cdef Py_ssize_t at

    def __init__(self, *args, **kwargs):
        raise TypeError("a Play comes from Position.plays(roll)")

    @property
    def origin(self):
        """The position that the play starts from."""
        return self.start

    @property
    def roll(self):
        """The roll played, the largest die first."""
        return _roll(self.start.compiled_rules, self.dice)

    @property
    def position(self):
        """The afterstate: the position after the play, the other side to move."""
        return _afterstate(self.start, &self.play)

    @property
    def moves(self):
        """The moves, a tuple of `Move` in an order that can be made; empty for a pass."""
        cdef tabula_move moves[TABULA_MAX_MOVES]
        cdef int i, n = self._read_moves(moves)
        cdef list made = []
        for i in range(n):
            made.append(Move(moves[i].source, moves[i].target, moves[i].die, bool(moves[i].hit)))
        return tuple(made)

    def __eq__(self, other):
        cdef Play that
        if not isinstance(other, Play):
            return NotImplemented
        that = <Play>other
        return (
            self.play.lo == that.play.lo and self.play.hi == that.play.hi
            and self.start == that.start and self.roll == that.roll
        )

    def __hash__(self):
        return hash((self.start, self.roll, self.play.lo, self.play.hi))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        cdef list moves = []
        for move in self.moves:
            moves.append((move.source, move.die))
        return _play_from_moves, (self.start, self.roll, tuple(moves))

    def __repr__(self):
        return f"<Play {self} with {_dice.to_text(self.roll, self.start.compiled_rules.rules.extra_dice)}>"

    def __str__(self):
        return play_text(self)

    def _repr_svg_(self):
        """The board that the play starts from with its moves as arrows, which is how a notebook shows a play."""
        return picture(self.start, self)

    cdef int _read_moves(self, tabula_move *moves) except -1:
        """Fills the moves of the play and returns their number."""
        cdef Plays owner = self.owner()
        if owner is not None:
            return owner._read_moves(self.at, moves)
        return moves_of(&self.start.compiled_rules.c_rules, &self.start.p, self.dice, &self.play, moves)


def _play_from_moves(origin, roll, moves):
    cdef Position start = <Position?>origin
    cdef Plays plays = start.plays(roll)
    return plays[plays.index(plays._end_of(moves))]


cdef Position _afterstate(Position start, const tabula_play *play):
    cdef tabula_position after
    read_afterstate(start, play, &after)
    return _position(start.compiled_rules, &after, 1 - start.side)


cdef inline int read_afterstate(Position start, const tabula_play *play, tabula_position *after) except -1:
    apply_play(&start.compiled_rules.c_rules, &start.p, play, after)
    swap_sides(after)
    return 0


cdef tuple _roll(CompiledRules compiled_rules, const uint8_t *dice):
    cdef list roll = []
    cdef int i
    for i in range(compiled_rules.c_rules.dice):
        roll.append(dice[i])
    return tuple(roll)


cdef Plays _plays(Position start, const uint8_t *dice):
    """The root view: the only one that owns plays."""
    cdef Plays made
    cdef int n, used
    cdef tabula_play *found = borrow()
    if found == NULL:
        raise MemoryError
    n = generate(&start.compiled_rules.c_rules, &start.p, dice, found, &used)
    made = Plays.__new__(Plays)
    made.stored = <tabula_play *>PyMem_RawMalloc(n * sizeof(tabula_play))
    if made.stored == NULL:
        give_back(found)
        raise MemoryError
    memcpy(made.stored, found, n * sizeof(tabula_play))
    give_back(found)
    made.all = made.stored
    made.first = 0
    made.stride = 1
    made.n = n
    made.used = used
    made.start = start
    memcpy(made.dice, dice, TABULA_MAX_DICE)
    return made


@cython.final
@cython.freelist(64)
@cython.no_gc
cdef class Plays:
    """All distinct legal plays of a roll: a read-only sequence that is a view of the native list.

    ``len``, truth, ``in``, slices and `positions` make no Python object per play; ``plays[i]`` makes one `Play`. The order depends
    on rules, position and roll alone. A roll with nothing playable has one play of no moves; only a finished game has no plays.

    Examples
    --------
    >>> from tabula import Position
    >>> plays = Position().plays("652")
    >>> len(plays), plays.dice_used, plays.positions.shape
    (4, 3, (4, 2, 26))
    >>> [(0, 2), (0, 5), (0, 6)] in plays
    True
    """

    cdef Position start
    cdef uint8_t dice[TABULA_MAX_DICE]
    cdef int used
    cdef tabula_play *stored
    cdef Plays owner
    cdef const tabula_play *all
    cdef Py_ssize_t first
    cdef Py_ssize_t stride
    cdef Py_ssize_t n
    # The moves of each of the stored plays in 16 bits each, as `moves_of_all` fills them; NULL until a play is asked for them.
    cdef uint64_t *lines
    cdef object __weakref__

    def __init__(self, *args, **kwargs):
        raise TypeError("Plays come from Position.plays(roll)")

    def __dealloc__(self):
        PyMem_RawFree(self.stored)
        PyMem_RawFree(self.lines)

    @property
    def position(self):
        """The position that the plays start from: the `origin` of each of them."""
        return self.start

    @property
    def roll(self):
        """The roll, the largest die first."""
        return _roll(self.start.compiled_rules, self.dice)

    @property
    def dice_used(self):
        """How many dice each of the plays uses: as many as can be played, 0..4."""
        return self.used

    @property
    def positions(self):
        """The afterstates as a new int8 array of shape (n, 2, 26), with sides swapped: row 0 is the next player."""
        a = _empty((self.n, 2, TRACK), _INT8)
        cdef Py_buffer view
        if self.n:
            PyObject_GetBuffer(a, &view, PyBUF_WRITABLE)
            unpack_plays(&self.start.compiled_rules.c_rules, &self.start.p, self._at(0), self.n, self.stride, <int8_t *>view.buf)
            PyBuffer_Release(&view)
        return a

    def after(self, *moves):
        """How a turn can go on after these moves, each a `Move` or (source, die), so that it still becomes a legal play.

        Returns a pair: `moves`, the single moves that can come next as a tuple of `Move`, and `may_end`, whether the moves made
        are a whole legal play. Slices of plays answer as the whole does.

        Raises IllegalPlayError if no legal play starts with these moves.

        >>> from tabula import BACKGAMMON, Position
        >>> plays = Position(BACKGAMMON).plays("61")
        >>> plays.after((12, 6)).moves[0], plays.after((12, 6), (17, 1)).may_end
        (Move(source=1, target=2, die=1, hit=False), True)
        """
        cdef uint32_t sources[7]
        cdef tabula_play reached
        cdef tabula_position now
        cdef GivenMoves given
        cdef int most, die, source
        cdef list coming = []
        items = read_moves(moves, &given)
        most = self._follow(items, &given, &reached, sources)
        if most < 0:
            refuse_moves(self, &given, False)
        apply_play(&self.start.compiled_rules.c_rules, &self.start.p, &reached, &now)
        for die in range(1, 7):
            for source in range(TABULA_OFF):
                if sources[die] >> source & 1:
                    coming.append(made_move(self.start.compiled_rules, &now, source, die))
        return Next(tuple(sorted(coming)), given.n == most)

    def __len__(self):
        return self.n

    def __getitem__(self, index):
        cdef Py_ssize_t i
        cdef Plays view
        if isinstance(index, slice):
            within = range(self.n)[index]
            view = Plays.__new__(Plays)
            view.owner = self if self.owner is None else self.owner
            view.all = self.all
            view.n = len(within)
            view.first = self.first + self.stride * <Py_ssize_t>within.start
            view.stride = self.stride * <Py_ssize_t>within.step if view.n > 1 else 1
            view.start = self.start
            view.used = self.used
            memcpy(view.dice, self.dice, TABULA_MAX_DICE)
            return view
        i = PyNumber_AsSsize_t(index, IndexError)
        if i < 0:
            i += self.n
        if not 0 <= i < self.n:
            raise IndexError(f"index {short_repr(index)} is out of range for {self.n} plays")
        return self._play(i)

    def __iter__(self):
        cdef Py_ssize_t i
        for i in range(self.n):
            yield self._play(i)

    def __reversed__(self):
        return iter(self[::-1])

    def __contains__(self, item):
        try:
            return self._find(item) >= 0
        except (TypeError, ValueError):
            return False

    def index(self, item, start=0, stop=None):
        """The index of a play, of an afterstate or of a play's moves.

        Raises ValueError if it is not there, or not within ``[start:stop]``, and TypeError for what is none of the three.

        >>> from tabula import Position
        >>> plays = Position().plays("652")
        >>> plays.index([(0, 6), (0, 5), (0, 2)]), plays.index(plays[1].position)
        (0, 1)
        """
        cdef Py_ssize_t found = self._find(item)
        if found < 0 or found not in range(self.n)[slice(start, stop)]:
            raise ValueError(f"{short_repr(item)} is not among the plays")
        return found

    def count(self, item):
        """1 if the item is among the plays, else 0: they are distinct.

        >>> from tabula import Position
        >>> plays = Position().plays("652")
        >>> plays.count(plays[0]), plays.count([(0, 6), (0, 5)])
        (1, 0)
        """
        return int(item in self)

    def __eq__(self, other):
        cdef Plays that
        cdef Py_ssize_t i
        if not isinstance(other, Plays):
            return NotImplemented
        that = <Plays>other
        if self.n != that.n or self.start != that.start or self.roll != that.roll:
            return False
        for i in range(self.n):
            if not same_play(self._at(i), that._at(i)):
                return False
        return True

    def __hash__(self):
        return hash((self.start, self.roll, self.n, tuple(self[:1])))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return _plays_from_slice, (self.start, self.roll, self.first, self.stride, self.n)

    def __repr__(self):
        roll = _dice.to_text(self.roll, self.start.compiled_rules.rules.extra_dice)
        return f"<{self.n} play{'' if self.n == 1 else 's'} of {roll} from {self.start.to_text()}>"

    def _repr_html_(self):
        """A table of small boards, which is how a notebook shows plays."""
        return table_of_pictures(self)

    cdef const tabula_play *_at(self, Py_ssize_t i):
        return self.all + (self.first + i * self.stride)

    cdef Play _play(self, Py_ssize_t i):
        cdef Plays owner = self if self.owner is None else self.owner
        cdef Play made = Play.__new__(Play)
        made.start = self.start
        made.play = self._at(i)[0]
        made.owner = PyWeakref_NewRef(owner, NULL)
        made.at = self.first + i * self.stride
        memcpy(made.dice, self.dice, TABULA_MAX_DICE)
        return made

    cdef int _read_moves(self, Py_ssize_t at, tabula_move *moves) except -1:
        """Fills the moves of the stored play at an index and returns their number. Only the owner of the list has them."""
        cdef uint64_t line
        cdef uint32_t hits = 0
        cdef int i
        # Two threads may ask at once; the moves of all plays are found by one of them.
        with cython.critical_section(self):
            if self.lines == NULL:
                self._find_moves()
        line = self.lines[at]
        for i in range(self.used):
            moves[i].source = <uint8_t>(line >> 16 * (self.used - 1 - i) >> 3 & 31)
            moves[i].die = <uint8_t>(line >> 16 * (self.used - 1 - i) & 7)
            moves[i].target = <uint8_t>target_of(moves[i].source, moves[i].die)
            moves[i].hit = (
                lands_on_blot(self.start.compiled_rules, &self.start.p.other, moves[i].target) and not hits >> moves[i].target & 1
            )
            hits |= <uint32_t>moves[i].hit << moves[i].target
        return self.used

    cdef int _find_moves(self) except -1:
        cdef uint64_t *lines = <uint64_t *>PyMem_RawMalloc(self.n * sizeof(uint64_t))
        cdef uint64_t *sorted_lines = <uint64_t *>PyMem_RawMalloc(self.n * sizeof(uint64_t))
        if lines == NULL or sorted_lines == NULL:
            PyMem_RawFree(lines)
            PyMem_RawFree(sorted_lines)
            raise MemoryError
        moves_of_all(&self.start.compiled_rules.c_rules, &self.start.p, self.dice, self.stored, <int>self.n, sorted_lines, lines)
        PyMem_RawFree(sorted_lines)
        self.lines = lines
        return 0

    cdef Py_ssize_t _find(self, item) except -2:
        """The index of a play, an afterstate or moves; -1 if it is not there; TypeError if it is none of these."""
        cdef tabula_play reached
        cdef uint32_t sources[7]
        cdef GivenMoves given
        if isinstance(item, Play):
            if (<Play>item).start != self.start or item.roll != self.roll:
                return -1
            return self._index_of(&(<Play>item).play)
        if isinstance(item, Position):
            return self._index_of_position(<Position>item)
        items = read_moves(item, &given)
        try:
            if self._follow(items, &given, &reached, sources) != given.n:
                return -1
        except IllegalPlayError:  # a Move with another target or hit than it has
            return -1
        return self._index_of(&reached)

    cdef Py_ssize_t _index_of(self, const tabula_play *play) noexcept:
        cdef Py_ssize_t i
        for i in range(self.n):
            if same_play(self._at(i), play):
                return i
        return -1

    cdef Py_ssize_t _index_of_position(self, Position position) except -2:
        cdef tabula_position after
        cdef Py_ssize_t i
        if position.side == self.start.side or not same_rules(position, self.start):
            return -1
        for i in range(self.n):
            read_afterstate(self.start, self._at(i), &after)
            if same_board(&after, &position.p):
                return i
        return -1

    cdef int _follow(self, tuple items, const GivenMoves *given, tabula_play *reached, uint32_t *sources) except -2:
        """The number of dice that a play uses which starts with these moves, or -1; IllegalPlayError for a Move that is another."""
        cdef int most
        if given.n > TABULA_MAX_MOVES or game_over(&self.start.compiled_rules.c_rules, &self.start.p):
            return -1
        most = follow(&self.start.compiled_rules.c_rules, &self.start.p, self.dice, given.moves, given.n, reached, sources)
        if most >= 0:
            check_moves(self, items, given)
        return most

    cdef Position _end_of(self, moves):
        """The position after moves that are a whole legal play; IllegalPlayError with the reason if they are not."""
        cdef tabula_play reached
        cdef uint32_t sources[7]
        cdef GivenMoves given
        items = read_moves(moves, &given)
        if self._follow(items, &given, &reached, sources) != given.n:
            refuse_moves(self, &given, True)
        return _afterstate(self.start, &reached)


collections.abc.Sequence.register(Plays)


def _plays_from_slice(origin, roll, first, stride, n):
    cdef Position position = <Position?>origin
    plays = position.plays(roll)
    if n == 0:
        return plays[:0]
    stop = first + n * stride
    return plays[first:stop if stop >= 0 else None:stride]


cdef inline bint same_play(const tabula_play *one, const tabula_play *two) noexcept:
    return one.lo == two.lo and one.hi == two.hi
