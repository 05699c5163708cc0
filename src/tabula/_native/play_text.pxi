# A play as people write it, "24/18* 18/13" in backgammon and "bar/8* bar/5" in Tabula: its one writer, and a quick reader.
#
# Included by position.pyx.

cdef enum:
    LABEL_LENGTH = 8
    # a move is two labels, "/", "*" and "(4)", and a space comes before the next
    PLAY_TEXT_LENGTH = TABULA_MAX_MOVES * (2 * LABEL_LENGTH + 6)
    # where the search ends: two plays are enough to know that the text leaves a choice, and the careful reader looks closer
    MAX_FOUND = 2

# What people call each track index, by numbering, and how long that is.
cdef char LABEL[2][TABULA_TRACK][LABEL_LENGTH]
cdef int LABEL_SIZE[2][TABULA_TRACK]


cdef int fill_labels() except -1:
    cdef int down, index
    cdef bytes label
    for down in range(2):
        rules = Rules(numbering="down" if down else "up")
        for index in range(TABULA_TRACK):
            label = rules.label(index).encode("ascii")
            if len(label) > LABEL_LENGTH:
                raise ImportError(f"there is no room for the label {label!r}")
            LABEL_SIZE[down][index] = <int>len(label)
            memcpy(LABEL[down][index], <const char *>label, len(label))
    return 0


fill_labels()


cdef struct Chain:
    # one checker's moves, merged over the pauses at which it hit nothing
    int source
    int target
    bint hit
    int checkers            # how many checkers go the same way


cdef inline bint goes_before(const Chain *one, const Chain *two) noexcept:
    """Chains stand by source along the track, the larger target first."""
    return one.source < two.source or (one.source == two.source and one.target > two.target)


cdef int merge_moves(const tabula_move *moves, int n, Chain *chains) noexcept:
    """The chains of a play's moves in the order in which they are written; returns their number."""
    cdef Chain chain
    cdef int i, j, n_chains = 0, n_groups = 0
    for i in range(n):
        for j in range(n_chains):
            if chains[j].target == moves[i].source and not chains[j].hit:
                break
        else:
            j = n_chains
            chains[j].source = moves[i].source
            chains[j].checkers = 1
            n_chains += 1
        chains[j].target = moves[i].target
        chains[j].hit = moves[i].hit
    for i in range(1, n_chains):
        chain = chains[i]
        j = i
        while j and goes_before(&chain, &chains[j - 1]):
            chains[j] = chains[j - 1]
            j -= 1
        chains[j] = chain
    for i in range(n_chains):
        chain = chains[i]
        if n_groups and chains[n_groups - 1].source == chain.source and chains[n_groups - 1].target == chain.target:
            chains[n_groups - 1].checkers += 1
            chains[n_groups - 1].hit |= chain.hit
        else:
            chains[n_groups] = chain
            n_groups += 1
    return n_groups


cdef str write_moves(const tabula_move *moves, int n, bint down):
    """The text of a play of these moves."""
    cdef Chain chains[TABULA_MAX_MOVES]
    cdef char text[PLAY_TEXT_LENGTH]
    cdef char *end = text
    cdef int i
    if n == 0:
        return "pass"
    for i in range(merge_moves(moves, n, chains)):
        if i:
            end[0] = c" "
            end += 1
        end = write_label(end, down, chains[i].source)
        end[0] = c"/"
        end = write_label(end + 1, down, chains[i].target)
        if chains[i].hit:
            end[0] = c"*"
            end += 1
        if chains[i].checkers > 1:
            end[0] = c"("
            end[1] = <char>(c"0" + chains[i].checkers)
            end[2] = c")"
            end += 3
    return PyUnicode_DecodeASCII(text, end - text, NULL)


cdef inline char *write_label(char *end, bint down, int index) noexcept:
    memcpy(end, LABEL[down][index], LABEL_SIZE[down][index])
    return end + LABEL_SIZE[down][index]


def play_text(Play play not None):
    """The canonical text of a play, in the numbering of its rules: ``str(play)``.

    Moves are taken in the order shown; each joins the earliest chain that ends where it starts, unless that landing hit. Chains
    stand by source along the track, the larger target first; equal ones are grouped, and ``*`` marks a hit.

    >>> from tabula import BACKGAMMON, Position
    >>> sorted(map(play_text, Position(BACKGAMMON).plays("11")))[:2]
    ['24/20', '24/21 24/23']
    """
    cdef tabula_move moves[TABULA_MAX_MOVES]
    cdef int n = play._read_moves(moves)
    return write_moves(moves, n, play.start.compiled_rules.rules.numbering == "down")


# ------------------------------------------------------------------------------------------------------------------ reading

cdef struct Hops:
    # a checker's ways from one place that a text names to the next: one move each, or several merged
    int n
    int source[TABULA_MAX_MOVES]
    int target[TABULA_MAX_MOVES]


cdef struct HopSearch:
    Hops hops
    int left[7]                     # how many of each die are still to be played
    int n                           # moves made
    uint8_t moves[2 * TABULA_MAX_MOVES]  # source and die of each
    Py_ssize_t found[MAX_FOUND]     # the plays that make the hops, by index
    int n_found


def find_play(Plays plays not None, text):
    """The one of the plays that a text in plain form names, or None, where `parse_play` must look closer.

    It reads numbers, ``bar`` and ``off`` in lower case, ``*`` and ``(2)``. It answers only where the hops fit one play alone.

    >>> find_play(Position().plays("652"), "bar/6 bar/5 bar/2")
    <Play bar/6 bar/5 bar/2 with 6-5-2>
    >>> find_play(Position().plays("652"), "bar/6") is None
    True
    """
    cdef HopSearch search
    cdef int i
    if type(text) is not str or not plays.n:
        return None
    if not read_hops(<str>text, plays.start.compiled_rules.rules.numbering == "down", &search.hops):
        return None
    memset(search.left, 0, sizeof(search.left))
    for i in range(plays.start.compiled_rules.c_rules.dice):
        search.left[plays.dice[i]] += times_played(&plays.start.compiled_rules.c_rules, plays.dice)
    for number in plays.start.compiled_rules.rules.extra_dice:
        search.left[<int>number] += 1
    search.n = search.n_found = 0
    try_hops(plays, &search, 0, search.hops.source[0])
    return plays._play(search.found[0]) if search.n_found == 1 else None


cdef inline Py_UCS4 letter_at(str text, Py_ssize_t at):
    """The letter at an index of the text, 0 behind its end."""
    return text[at] if at < len(text) else 0


cdef int read_place(str text, Py_ssize_t *at, bint down):
    """The track index of the place named at `at`, which moves behind it; -1 if it is not in plain form."""
    cdef Py_UCS4 letter = letter_at(text, at[0])
    cdef int number
    if letter == u"b" and letter_at(text, at[0] + 1) == u"a" and letter_at(text, at[0] + 2) == u"r":
        at[0] += 3
        return 0
    if letter == u"o" and letter_at(text, at[0] + 1) == u"f" and letter_at(text, at[0] + 2) == u"f":
        at[0] += 3
        return TABULA_OFF
    if not u"1" <= letter <= u"9":
        return -1
    number = <int>letter - c"0"
    at[0] += 1
    letter = letter_at(text, at[0])
    if u"0" <= letter <= u"9":
        number = 10 * number + <int>letter - c"0"
        at[0] += 1
    if number > TABULA_POINTS:
        return -1
    return TABULA_OFF - number if down else number


cdef bint read_hops(str text, bint down, Hops *hops):
    """Fills the hops of a text in plain form; False for any other text."""
    cdef Py_ssize_t at = 0
    cdef int source, target, first, times, i
    cdef Py_UCS4 letter
    hops.n = 0
    while at < len(text):
        first = hops.n
        source = read_place(text, &at, down)
        if letter_at(text, at) != u"/":
            return False
        while letter_at(text, at) == u"/":
            at += 1
            target = read_place(text, &at, down)
            if source < 0 or target <= source or hops.n == TABULA_MAX_MOVES:
                return False
            hops.source[hops.n] = source
            hops.target[hops.n] = target
            hops.n += 1
            source = target
            if letter_at(text, at) == u"*":
                at += 1
        if letter_at(text, at) == u"(":
            times = <int>letter_at(text, at + 1) - c"0"
            if not 1 <= times <= TABULA_MAX_MOVES or letter_at(text, at + 2) != u")":
                return False
            times *= hops.n - first
            if first + times > TABULA_MAX_MOVES:
                return False
            for i in range(hops.n, first + times):
                hops.source[i] = hops.source[i - (hops.n - first)]
                hops.target[i] = hops.target[i - (hops.n - first)]
            hops.n = first + times
            at += 3
            if letter_at(text, at) == u"*":
                at += 1
        letter = letter_at(text, at)
        while letter == u" " or letter == u",":
            at += 1
            letter = letter_at(text, at)
        if at < len(text) and text[at - 1] != u" " and text[at - 1] != u",":
            return False
    return hops.n > 0


cdef void try_hops(Plays plays, HopSearch *search, int hop, int here):
    """Tries every way to make the hops from this one on, with a checker now at `here`, and adds the plays that do."""
    cdef int die, next_place
    if here == search.hops.target[hop]:
        if hop + 1 < search.hops.n:
            try_hops(plays, search, hop + 1, search.hops.source[hop + 1])
        elif search.n == plays.used:
            try_orders(plays, search, 0)
        return
    if search.n >= min(plays.used, <int>TABULA_MAX_MOVES):
        return
    for die in range(1, 7):
        next_place = min(here + die, <int>TABULA_OFF)
        if not search.left[die] or next_place > search.hops.target[hop]:
            continue
        search.left[die] -= 1
        search.moves[2 * search.n] = <uint8_t>here
        search.moves[2 * search.n + 1] = <uint8_t>die
        search.n += 1
        try_hops(plays, search, hop, next_place)
        search.n -= 1
        search.left[die] += 1


cdef bint try_orders(Plays plays, HopSearch *search, int first):
    """Tries every order of the moves from `first` on, and adds the play of the first order that is legal; False if none is."""
    cdef tabula_play reached
    cdef uint32_t sources[7]
    cdef Py_ssize_t index
    cdef int i, n = min(search.n, <int>TABULA_MAX_MOVES)
    if first + 1 >= n:
        if follow(&plays.start.compiled_rules.c_rules, &plays.start.p, plays.dice, search.moves, n, &reached, sources) != n:
            return False
        index = plays._index_of(&reached)
        if index >= 0 and (search.n_found == 0 or (search.n_found < MAX_FOUND and search.found[0] != index)):
            search.found[search.n_found] = index
            search.n_found += 1
        return True
    for i in range(first, n):
        swap_moves(search, first, i)
        if try_orders(plays, search, first + 1):
            swap_moves(search, first, i)
            return True
        swap_moves(search, first, i)
    return False


cdef inline void swap_moves(HopSearch *search, int i, int j) noexcept:
    cdef uint8_t source = search.moves[2 * i], die = search.moves[2 * i + 1]
    search.moves[2 * i] = search.moves[2 * j]
    search.moves[2 * i + 1] = search.moves[2 * j + 1]
    search.moves[2 * j] = source
    search.moves[2 * j + 1] = die
