"""What a type checker must make of evaluators, search, rollouts and matches."""

from collections.abc import Callable
from typing import Any, Final, assert_type

import numpy as np
import numpy.typing as npt

from tabula import BACKGAMMON, Position, Rules, arena, batch, bots, evaluate, rollouts, search
from tabula.batch import Ragged
from tabula.bots import Bot
from tabula.evaluate import Evaluator, Player, Turns

Bytes = npt.NDArray[np.int8]
Index = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

rng = np.random.default_rng(1)
positions = batch.start(2, rules=BACKGAMMON)
rolls = batch.roll(2, rng=rng, rules=BACKGAMMON)
after = batch.afterstates(positions, rolls, rules=BACKGAMMON)


def pips(positions: Bytes) -> Floats:
    return (positions[:, 1] - positions[:, 0]) @ (25.0 - np.arange(26))


class Table:
    def covers(self, positions: Bytes) -> npt.NDArray[np.bool_]:
        return positions[:, 0, 0] > 0

    def __call__(self, positions: Bytes) -> Floats:
        return np.zeros(len(positions))


class First:
    def choose(self, turns: Turns) -> Index:
        return np.zeros(len(turns.rolls), np.int64)


assert_type(after.places([0, 0]), Index)
assert_type(after.at([0, 0]), Bytes)
assert_type(after.at([0, 0], empty=positions), Bytes)
assert_type(after.chosen(np.zeros(len(after.positions))), Bytes)
assert_type(after.best_scores(np.zeros(len(after.positions)), empty=0.5), Floats)

evaluator: Evaluator = pips
table: evaluate.Table = Table()
player: Player = First()
assert_type(evaluate.points(np.zeros((2, 5))), Floats)
assert_type(evaluate.swap_sides(np.zeros((2, 5))), Floats)
assert_type(evaluate.evaluated(pips, positions), Floats)
assert_type(evaluate.checked_evaluator(pips, BACKGAMMON), Evaluator)
assert_type(evaluate.settled(pips, BACKGAMMON), Evaluator)
assert_type(evaluate.with_table(pips, table), Evaluator)
assert_type(table.covers(positions), npt.NDArray[np.bool_])
assert_type(evaluate.as_policy(pips, BACKGAMMON), Callable[[Bytes], Floats])
assert_type(evaluate.as_bot(pips), Bot)
assert_type(evaluate.from_bot(bots.random_play), Player)
assert_type(evaluate.as_player(pips, BACKGAMMON), Player)
columns: tuple[int, ...] = (
    evaluate.WIN,
    evaluate.WIN_GAMMON,
    evaluate.WIN_BACKGAMMON,
    evaluate.LOSE_GAMMON,
    evaluate.LOSE_BACKGAMMON,
)

turns: Turns = Turns(BACKGAMMON, positions, rolls, after, np.zeros(2, np.uint64))
assert_type(turns.rules, Rules)
assert_type(turns.positions, Bytes)
assert_type(turns.rolls, npt.NDArray[np.uint8])
assert_type(turns.after, Ragged)
assert_type(turns.keys, npt.NDArray[np.uint64])
assert_type(turns.generator(0), np.random.Generator)
assert_type(player.choose(turns), Index)

found = search.search(positions, rolls, pips, rules=BACKGAMMON, plies=1, filters=search.TINY, merge=True, threads=2)
assert_type(search.search(positions, rolls, pips, rules=BACKGAMMON), search.Found)
assert_type(found.index, Index)
assert_type(found.offsets, Index)
assert_type(found.values, Floats)
assert_type(found.chances, Floats | None)
assert_type(found.plies, Index)
assert_type(found.outcomes, Bytes)
assert_type(found.best, Index)
assert_type(found.best_values, Floats)
assert_type(found[0], Index)
assert_type(search.player(pips, plies=1, filters=()), Player)
assert_type(search.value(positions, pips, rules=BACKGAMMON, batch=search.BATCH), Floats)
limits: tuple[int, int] = (search.MOST_PLIES, search.BATCH)
filters: tuple[search.Filters, ...] = (search.TINY, search.NARROW, search.NORMAL, search.LARGE, search.HUGE)
stage = search.Filter(keep=1)
assert_type(stage, search.Filter)
assert_type((stage.keep, stage.most, stage.within), tuple[int, int, float])

rolled = rollouts.rollout(Position(BACKGAMMON), pips, 36, rng=rng, horizon=2, stop=0.01)
assert_type(rollouts.rollout(Position(BACKGAMMON), pips, rng=rng), rollouts.Rollout)
assert_type(rolled.position, Position)
assert_type(rolled.seed, int)
assert_type(rolled.plain_results, Floats)
assert_type(rolled.reduced_results, Floats | None)
assert_type((rolled.plies, rolled.endings), tuple[Index, Index])
assert_type((rolled.games, rolled.cut, rolled.given_up), tuple[int, int, int])
assert_type((rolled.points, rolled.se, rolled.plain_points, rolled.plain_se), tuple[float, float, float, float])
assert_type((rolled.reduced_points, rolled.reduced_se), tuple[float | None, float | None])
assert_type((rolled.chances, rolled.chances_se), tuple[Floats | None, Floats | None])
assert_type(rolled.to_dict(), dict[str, Any])
compared = rollouts.compare(Position(BACKGAMMON), "31", pips, 36, rng=rng, plays=[0, 1], horizon=2)
assert_type(rollouts.compare(Position(BACKGAMMON), "31", pips, rng=rng), rollouts.Comparison)
assert_type(compared.plays, tuple[int, ...])
assert_type(compared.rollouts, tuple[rollouts.Rollout, ...])
assert_type(compared.best, int)
assert_type((compared.differences, compared.differences_se), tuple[Floats, Floats])

match = arena.play(pips, bots.random_play, 100, rng=rng, rules=BACKGAMMON, pairs=True)
assert_type(arena.play(player, pips, 2, rng=rng, position=Position(BACKGAMMON)), arena.MatchResult)
assert_type(match.rules, Rules)
assert_type(match.pairs, bool)
assert_type(match.seed, int)
assert_type(match.games, npt.NDArray[np.void])
assert_type((match.points, match.se, match.wins, match.plies), tuple[float, float, float, float])
assert_type((match.won, match.lost), tuple[tuple[int, int, int], tuple[int, int, int]])
assert_type(match.given_up, int)
assert_type(match.to_dict(), dict[str, Any])
most: tuple[int, int] = (arena.MOST_GAMES, rollouts.MOST_GAMES)
RECORD: Final[np.dtype[np.void]] = arena.RECORD

# What must be refused
evaluate.settled(pips)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
search.search(positions, rolls, pips)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
arena.play(pips, 5, 2, rng=rng, rules=BACKGAMMON)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
