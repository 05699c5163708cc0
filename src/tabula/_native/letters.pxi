# The 26-letter text of a position: what `repr` shows and files keep. One writer, one reader.
#
# Letter i is point i in *white's* numbering: "-" empty, "A".."O" 1..15 white checkers, "a".."o" 1..15 black ones. White's waiting
# checkers stand at the end where white enters (letter 0 where numbering is up, 25 where it is down), black's at the other. Then
# ":w" or ":b", the side to move. Checkers off are what is missing. A backgammon board is letter for letter that of an XGID.
#
# Included by position.pyx.

cdef enum:
    TEXT_LENGTH = TABULA_TRACK + 2

# By direction and numbering, and by side, white first: the letter of each track index 0..24, and the index of each letter, -1 for
# the letter where only the other side's waiting checkers stand.
cdef uint8_t LETTER[6][2][TABULA_OFF]
cdef int8_t INDEX[6][2][TABULA_TRACK]


cdef int letter_order(CompiledRules compiled_rules) except -1:
    """Which of the six orders of letters these rules have."""
    return 2 * compiled_rules.c_rules.direction + (compiled_rules.rules.numbering == "down")


cdef int fill_letters() except -1:
    cdef CompiledRules compiled_rules
    cdef int order, index, letter
    memset(INDEX, -1, sizeof(INDEX))
    for direction in ("same", "opposed", "parallel"):
        for numbering in ("up", "down"):
            rules = Rules(direction=direction, numbering=numbering)
            compiled_rules = compiled(rules)
            order = letter_order(compiled_rules)
            for index in range(TABULA_OFF):
                letter = rules.number(index)
                LETTER[order][0][index] = letter
                INDEX[order][0][letter] = index
                letter = rules.number(rules.facing(index)) if index else OFF - rules.number(0)
                LETTER[order][1][index] = letter
                INDEX[order][1][letter] = index
    return 0


fill_letters()


cdef str write_letters(CompiledRules compiled_rules, const tabula_position *p, int turn):
    """The text of a legal position; `turn` is 0 when white is to move and 1 when black is."""
    cdef char text[TEXT_LENGTH]
    cdef int side, index, slot, checkers, order = letter_order(compiled_rules)
    memset(text, c"-", TABULA_TRACK)
    for side in range(2):
        for index in range(TABULA_OFF):
            checkers = side_count(&p.mover if side == turn else &p.other, index)
            if checkers:
                slot = LETTER[order][side][index]
                text[slot] = <char>((c"a" if side else c"A") + checkers - 1)
    text[TABULA_TRACK] = c":"
    text[TABULA_TRACK + 1] = c"b" if turn else c"w"
    return PyUnicode_DecodeASCII(text, TEXT_LENGTH, NULL)


cdef str with_name(rules, str text):
    """The text with the name of its rules in front."""
    game = games.find(rules.name)
    if game is not None and game.rules != rules:
        raise ValueError(f"these rules are called {rules.name!r} and are not those: give Rules(name=...) a name of their own")
    return f"{rules.name}:{text}"


cdef tuple without_name(str text, rules):
    """The letters and the turn of a text, and its rules: those given, or those of the name in front."""
    head, colon, turn = text.rpartition(":")
    name, named, letters = head.rpartition(":")
    if not named or ":" in name or len(letters) != TRACK:
        if rules is None:
            raise InvalidTextError(f"{quoted(text)} names no game, so that its rules must be given")
        return text, rules
    game = games.find(name)
    if rules is None and game is None:
        try:
            games.get(name)
        except ValueError as error:
            raise InvalidTextError(f"{error}: {quoted(text)}") from None
    if rules is not None and not (isinstance(rules, Rules) and (rules.name == name if game is None else rules == game.rules)):
        asked = short_repr(getattr(rules, "name", rules))
        raise InvalidTextError(f"the text says {quoted(name)}, and other rules were asked for: {asked}")
    return f"{letters}{colon}{turn}", game.rules if rules is None else rules


cdef int read_letters(CompiledRules compiled_rules, str text, int8_t *counts) except -2:
    """Fills 2 x 26 counts, the mover's first, with what a text says and returns the side to move; -1 if it is no position text."""
    cdef int turn, side, slot, index, checkers, order = letter_order(compiled_rules)
    cdef int8_t left[2]
    cdef Py_UCS4 letter
    if len(text) != TEXT_LENGTH or text[TABULA_TRACK] != u":" or text[TABULA_TRACK + 1] not in u"wb":
        return -1
    turn = text[TABULA_TRACK + 1] == u"b"
    left[0] = left[1] = <int8_t>compiled_rules.c_rules.checkers
    memset(counts, 0, 2 * TABULA_TRACK)
    for slot in range(TABULA_TRACK):
        letter = text[slot]
        if letter == u"-":
            continue
        side = letter >= u"a"
        checkers = <int>letter - (c"a" if side else c"A") + 1
        index = INDEX[order][side][slot]
        if not 1 <= checkers <= left[side] or index < 0:
            return -1
        counts[TABULA_TRACK * (side ^ turn) + index] = <int8_t>checkers
        left[side] -= <int8_t>checkers
    counts[TABULA_TRACK * turn + TABULA_OFF] = left[0]
    counts[TABULA_TRACK * (1 - turn) + TABULA_OFF] = left[1]
    return turn


cdef object refusal_of_letters(CompiledRules compiled_rules, str text):
    """The error that says why `read_letters` does not take a text."""
    cdef int side, slot, order = letter_order(compiled_rules)
    letters, colon, turn = text.partition(":")
    if not colon:
        return InvalidTextError(f"a position text ends with ':w' or ':b': {quoted(text)}")
    if turn not in ("w", "b"):
        return InvalidTextError(f"the side to move is 'w' or 'b', not {quoted(turn)}")
    if len(letters) != TRACK:
        return InvalidTextError(f"a position text has {TRACK} letters before the ':', not {len(letters)}: {quoted(text)}")
    on_board = [0, 0]
    for slot, letter in enumerate(letters):
        if letter == "-":
            continue
        side = 1 if "a" <= letter <= "o" else 0
        if not side and not "A" <= letter <= "O":
            return InvalidTextError(f"letter {slot} is {letter!r}, and must be '-', 'A'..'O' or 'a'..'o': {quoted(text)}")
        if INDEX[order][side][slot] < 0:
            owner = "white's" if side else "black's"
            return InvalidTextError(f"letter {slot} is {letter!r}, where only {owner} waiting checkers are told: {quoted(text)}")
        on_board[side] += ord(letter) - ord("a" if side else "A") + 1
    for name, count in zip(("white", "black"), on_board, strict=True):
        if count > compiled_rules.rules.checkers:
            return InvalidPositionError(
                f"{name} has {count} checkers, and these rules give a side {compiled_rules.rules.checkers}"
            )
    return AssertionError(f"nothing is wrong with {quoted(text)}")


def position_from_runs(rules, bytes data not None, turn):
    """The position that the bits of `data` say, from the lowest bit of the first byte on; None if they say none.

    For each point from index 24 down to 0 they have as many ones as checkers stand there, and a zero: first of the other side, then
    of the side on roll. All bits after these are zero. That is the body of a GNU Backgammon Position ID.

    >>> from tabula import BACKGAMMON
    >>> position_from_runs(BACKGAMMON, bytes.fromhex("e073f00130e073f00130"), 0) == Position(BACKGAMMON)
    True
    >>> position_from_runs(BACKGAMMON, bytes([255] * 10), 0) is None
    True
    """
    cdef CompiledRules compiled_rules = _compiled(rules)
    cdef const uint8_t *at = <const uint8_t *>PyBytes_AS_STRING(data)
    cdef int8_t counts[2 * TABULA_TRACK]
    cdef int bit, run = 0, point = 0, checkers = 0
    for bit in range(8 * PyBytes_GET_SIZE(data)):
        if at[bit >> 3] >> (bit & 7) & 1:
            run += 1
            if point == 2 * TABULA_OFF or run > <int>compiled_rules.c_rules.checkers:
                return None
            continue
        if point < 2 * TABULA_OFF:
            counts[(TABULA_TRACK if point < TABULA_OFF else 0) + TABULA_POINTS - point % TABULA_OFF] = <int8_t>run
            checkers += run
            point += 1
            if point % TABULA_OFF == 0:
                if checkers > <int>compiled_rules.c_rules.checkers:
                    return None
                counts[(TABULA_TRACK if point == TABULA_OFF else 0) + TABULA_OFF] = <int8_t>(
                    <int>compiled_rules.c_rules.checkers - checkers
                )
                checkers = 0
        run = 0
    if point < 2 * TABULA_OFF:
        return None
    return _legal(compiled_rules, counts, _turn(turn))
