"""What a type checker must make of rolls, whole games, perft and the reference."""

from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any, assert_type

import numpy as np
import numpy.typing as npt

from tabula import (
    BACKGAMMON,
    TABULA,
    AmbiguousPlayError,
    IllegalPlayError,
    InvalidPositionError,
    InvalidTextError,
    Play,
    Plays,
    Position,
    Rules,
    cli,
    dice,
    divide,
    perft,
    reference,
)
from tabula import games as game_table
from tabula import playouts as games
from tabula.counting import published
from tabula.game import Game, Turn
from tabula.games import GameEntry, PerftValue
from tabula.playouts import Playouts, Summary, playouts
from tabula.rules import PRESETS
from tabula.work import (
    Checkpoint,
    InvalidCheckpointError,
    Progress,
    Stop,
    StoppedError,
    Unit,
    UnitFailedError,
    give_up,
    in_threads,
    results,
)

rng = np.random.default_rng(1)
position = Position()

# dice
assert_type(dice.all_rolls(3), tuple[dice.Roll, ...])
assert_type(dice.chances(3), Mapping[dice.Roll, Fraction])
assert_type(dice.parse("6-5-2", 3), tuple[int, ...])
assert_type(dice.to_text((6, 5, 2)), str)
assert_type(dice.throw(rng, 3), tuple[int, ...])
assert_type(dice.opening(rng, BACKGAMMON), dice.Opening)
assert_type(dice.opening(rng, BACKGAMMON).turn, int)
assert_type(dice.opening(rng, BACKGAMMON).roll, tuple[int, ...])
like: dice.RollLike = np.array([6, 5, 2])

# errors
assert_type(InvalidTextError("a"), InvalidTextError)
assert_type(IllegalPlayError("b"), IllegalPlayError)
assert_type(AmbiguousPlayError("c"), AmbiguousPlayError)
for error in (InvalidTextError("a"), IllegalPlayError("b"), AmbiguousPlayError("c")):
    assert_type(error.position, int | None)
    assert_type(error.file, str | None)
    assert_type(error.line, int | None)
    assert_type(error.text, str | None)
value_error: ValueError = InvalidPositionError("d")

# games
game = Game(BACKGAMMON, rng)
assert_type(Game(start=position), Game)
assert_type(game.rules, Rules)
assert_type(game.start, Position)
assert_type(game.position, Position)
assert_type(game.turns, tuple[Turn, ...])
assert_type(game.rolled, dice.Roll | None)
assert_type(game.open(), int)
assert_type(game.roll("31"), tuple[int, ...])
assert_type(game.plays, Plays)
assert_type(game.push(game.plays[0]), Position)
assert_type(game.pop(), Turn)
assert_type(game.turns[0].before, Position)
assert_type(game.turns[0].roll, tuple[int, ...])
assert_type(game.turns[0].play, Play)
assert_type(game.turns[0].after, Position)
if game.outcome is not None:
    assert_type(game.outcome.points, int)

# playouts
played = playouts(position, 10, rng=rng, threads=2, policy=lambda after: after.sum(axis=(1, 2)), progress=print)
assert_type(playouts(position, 10, rng=rng), Playouts)
limits: tuple[int, ...] = (games.MAX_PLIES, games.MOST_GAMES, games.MOST_PLIES)
assert_type(games.RECORD, np.dtype[np.void])
assert_type(played.position, Position)
assert_type(played.seed, int)
assert_type(played.max_plies, int)
assert_type(played.games, npt.NDArray[np.void])
assert_type(played.plays_by_ply, npt.NDArray[np.int64])
assert_type(played.turns_by_ply, npt.NDArray[np.int64])
assert_type(played.summary(0.9), Summary)
assert_type(played.summary().to_dict(), dict[str, Any])
assert_type(games.wilson(5, 10), tuple[float, float])
assert_type(games.replay(position, 1), Game)
games.plot(played, "games.png")
games.plot(played, axes=[1, 2])
assert_type(games.drawing("games.png"), Any)
summary = played.summary()
assert_type(summary.games, int)
assert_type(summary.unfinished, int)
assert_type(summary.max_plies, int)
assert_type(summary.first_wins, int)
assert_type(summary.second_wins, int)
assert_type(summary.confidence, float)
assert_type(summary.interval, tuple[float, float])
assert_type(summary.first_points, float)
assert_type(summary.wins_by_points, tuple[int, ...])
assert_type(summary.plies, float)
assert_type(summary.plies_deviation, float)
assert_type(summary.plies_quantiles, dict[float, int])
assert_type(summary.shortest, int)
assert_type(summary.longest, int)
assert_type(summary.plays_a_turn, float)
assert_type(summary.most_plays, int)
assert_type(summary.forced_share, float)
assert_type(summary.passed_share, float)
assert_type(summary.hits, tuple[float, float])
assert_type(summary.passes, tuple[float, float])
assert_type(summary.wasted, float)
assert_type(summary.lead_changes, float)

# rules
assert_type(PRESETS, Mapping[str, Rules])

# perft
assert_type(published(position), Mapping[int, PerftValue])
assert_type(published(position)[2].leaves, int)
assert_type(published(position)[2].source, str)

# reference
track = TABULA.setup
step = reference.Step(0, 6)
assert_type(step.source, int)
assert_type(step.die, int)
assert_type(reference.gates(TABULA, track), reference.Gates)
assert_type(reference.gates(TABULA, track).half_open, bool)
assert_type(reference.gates(TABULA, track).off_open, bool)
assert_type(reference.gates(TABULA, track, (6, 5, 2)).start_count, int)
assert_type(reference.gates(TABULA, track).may_leave, int | None)
assert_type(reference.refusal(TABULA, track, track, step, reference.gates(TABULA, track)), str | None)
assert_type(reference.make(TABULA, track, track, step), tuple[tuple[int, ...], tuple[int, ...], bool])
assert_type(reference.generate(TABULA, track, track, (6, 5, 2)), reference.LegalPlays)
assert_type(reference.generate(TABULA, track, track, (6, 5, 2)).dice_used, int)
assert_type(
    reference.generate(TABULA, track, track, (6, 5, 2)).afterstates,
    dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[reference.Step, ...]],
)
assert_type(reference.explain(TABULA, track, track, (6, 5, 2), [step], whole=False), str | None)
assert_type(reference.won(track), bool)
assert_type(reference.points_won(TABULA, track), int)
assert_type(reference.perft(TABULA, track, track, 1), int)

# the command line, called from Python
assert_type(cli.main(["perft", "2"]), int)


# long work in units
class Square:
    def run(self, stop: Stop) -> int:
        stop.check()
        return 4


unit: Unit = Square()
executor: Executor = ThreadPoolExecutor(1)


def done(some: Unit) -> None:
    assert_type(some.run(Stop()), Any)


assert_type(results([unit], 1, {"kind": "squares"}, executor=executor), Generator[tuple[int, Any], None, None])
assert_type(UnitFailedError("a"), UnitFailedError)
runtime_error: RuntimeError = UnitFailedError("b")
give_up()
assert_type(perft(position, 2, executor=executor, checkpoint=Path("two")), int)
assert_type(divide(position, 2, executor=executor, checkpoint="two"), dict[tuple[int, ...], int])
assert_type(divide(position, 2, "652", executor=executor, checkpoint="two"), dict[Play, int])
assert_type(playouts(position, 2, rng=rng, executor=executor, checkpoint=Path("games")), Playouts)


# long work in threads
def squared(n: int, stop: Stop) -> int:
    stop.check()
    return n**2


assert_type(in_threads(squared, [1, 2], threads=2), Generator[int, None, None])
Stop().set()
assert_type(StoppedError(), StoppedError)
report: Progress = print

# a checkpoint
kept = Checkpoint(Path("squares"), {"kind": "squares"}, 1)
assert_type(kept, Checkpoint)
assert_type(kept.path, str)
assert_type(kept.units, int)
assert_type(kept.done(), Iterator[tuple[int, Any]])
kept.add(0, 4)
kept.close()
another_value_error: ValueError = InvalidCheckpointError("c")

perft(position, 2, executor=2)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
playouts(position, 2, rng=rng, checkpoint=2)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

# the table of games
entry = game_table.entry("narde")
found: GameEntry | None = game_table.find("chess")
alike: GameEntry | None = game_table.with_rules(entry.rules)
assert_type(entry, GameEntry)
assert_type(game_table.get("narde"), Rules)
assert_type(game_table.names(), tuple[str, ...])
assert_type(entry.rules, Rules)
assert_type([entry.name, entry.about, entry.sure], list[str])
assert_type([entry.other_names, entry.readings, entry.sources], list[tuple[str, ...]])
assert_type(entry.perft, Mapping[int, PerftValue])
assert_type(entry.perft[1].leaves, int)
assert_type(entry.perft[1].source, str)
