"""Rules as sentences that a player can read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabula.rules import HALF, POINTS, may_wait

if TYPE_CHECKING:
    from tabula.rules import Rules

__all__ = ["rule_sentences", "waiting_place"]


def rule_sentences(rules: Rules) -> list[str]:
    """Rules as sentences that a player can read."""
    checkers = _count(rules.checkers, "checker")
    dice = ("one die", "two dice", "three dice")[rules.dice - 1]
    doubles = "equal dice are each played twice" if rules.doubles == "twice" else "equal dice have no extra meaning"
    first, last = rules.number(1), rules.number(POINTS)
    way = {
        "same": "Both travel the same way round",
        "opposed": "Both travel in opposite directions round",
        "parallel": "Both travel the same way round, from opposite corners of",
    }[rules.direction]
    sentences = [f"Each side has {checkers} and throws {dice} in its turn; {doubles}."]
    if rules.extra_dice:
        sentences.append(f"Besides the dice thrown each turn plays {_join([f'a {number}' for number in rules.extra_dice])}.")
    if rules.setup_other is None:
        sentences.append(f"A side starts with {_standing(rules, rules.setup)}.")
    else:
        sentences.append(
            f"The side that begins starts with {_standing(rules, rules.setup)}, "
            f"the other with {_standing(rules, rules.setup_other)}."
        )
    sentences.append(f"{way} the 24 points, from {first} to {last} in each side's own numbering.")
    when = "as the turn starts" if rules.gates == "turn" else "before each move"
    sentences += _on_moves(rules, when)
    if rules.home_start:
        home = f"on {rules.number(rules.home_start)}" + ("" if rules.home_start == POINTS else f" to {last}")
        sentences.append(f"Checkers are borne off once all that are left stand {home}, looked at {when}.")
    else:
        sentences.append("Checkers are borne off at any time.")
    sentences.append(
        {
            "exact": "Only the exact number bears a checker off.",
            "rearmost": "The exact number bears a checker off, and so does a larger one if no own checker is behind it.",
            "any": "The exact number or a larger one bears a checker off.",
        }[rules.bear_off]
    )
    sentences.append("As many dice as possible are played.")
    if rules.larger_die:
        sentences.append("If only one can be, it is the largest that can.")
    sentences.append("The first side to bear all its checkers off wins.")
    if rules.highest_win == 2:
        sentences.append("The win counts two points if the loser has borne none off.")
    elif rules.highest_win == 3:
        sentences.append(
            "The win counts two points if the loser has borne none off, and three if one of his checkers moreover is "
            f"{waiting_place(rules)} or in the winner's last six points."
        )
    throws = "plays those two dice" if rules.opening == "split" else "throws all dice for the first turn"
    sentences.append(f"To open, each side throws one die, ties again; the higher starts and {throws}.")
    return sentences


def _standing(rules: Rules, setup: tuple[int, ...]) -> str:
    """Where the checkers of a starting track stand, by the numbers of the points."""
    return _join(
        [
            f"{_count(count, 'checker')} {waiting_place(rules) if index == 0 else f'on {rules.number(index)}'}"
            for index, count in sorted(enumerate(setup), key=lambda item: rules.number(item[0]))
            if count
        ]
    )


def _on_moves(rules: Rules, when: str) -> list[str]:
    """The sentences on what a move may not do, bearing off aside."""
    waiting, head = waiting_place(rules), rules.number(rules.start_point)
    sentences = [
        "A point with an opposing checker is blocked: none is hit."
        if rules.blots == "block"
        else f"A point with two or more opposing checkers is blocked; landing on a lone one hits it, and it is then {waiting}."
    ]
    if rules.stack_limit is not None:
        sentences.append(
            f"A point holds at most {_count(rules.stack_limit, 'checker')} of a side: a full one is passed over, not landed on."
        )
    if rules.pile_from > 1:
        sentences.append(f"Before {rules.number(rules.pile_from)} no checker lands on a point that has one of its own side.")
    if rules.primes == "ahead":
        sentences.append(
            "No checker lands where it completes six points of its side in a row that all opposing checkers on the board still "
            "have to pass."
        )
    if rules.head_limit is not None:
        more = [f"{number}-{number}" for number in rules.head_doubles]
        sentences.append(
            f"At most {_count(rules.head_limit, 'checker')} may leave {head} in a turn"
            + (f", and one more by {_join(more)} if all stand there as the turn starts." if more else ".")
        )
    if rules.runner is not None:
        sentences.append(f"No second checker leaves {head} until one has come to {rules.number(rules.runner)} or beyond.")
    if may_wait(rules):
        sentences.append(
            f"Checkers {waiting} enter before any other moves."
            if rules.enter_first
            else f"Checkers {waiting} need not enter before others move."
        )
        if rules.half_gate:
            closed = f"{rules.number(HALF)} to {rules.number(POINTS)}"
            sentences.append(f"No move goes onto or within points {closed} unless no own checker is {waiting} {when}.")
    return sentences


def waiting_place(rules: Rules) -> str:
    """Where people say that a checker at index 0 is: ``"in hand"`` or ``"on the bar"``.

    >>> from tabula import BACKGAMMON, TABULA
    >>> waiting_place(TABULA), waiting_place(BACKGAMMON)
    ('in hand', 'on the bar')
    """
    return "on the bar" if rules.waiting_label == "bar" else rules.waiting_label


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _join(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
