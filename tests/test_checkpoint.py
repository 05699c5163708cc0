"""The file of finished units: what it holds, what it survives, and what it refuses."""

import base64
import errno
import json
import os
import re
import signal
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

from tabula import Position, perft
from tabula.playouts import playouts
from tabula.work import checkpoint as module
from tabula.work.checkpoint import Checkpoint, InvalidCheckpointError

QUESTION = {"kind": "squares", "rules": {"least": 1, "most": None}}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A checkpoint with three of four squares."""
    path = tmp_path / "squares.checkpoint"
    with Checkpoint(path, QUESTION, 4) as kept:
        for unit in (2, 0, 3):
            kept.add(unit, [unit**2])
    return path


def head_of(path: Path) -> int:
    """What the checksums of a file begin with."""
    return zlib.crc32(path.read_bytes().splitlines(keepends=True)[0])


def done(path: Path) -> list[tuple[int, object]]:
    with Checkpoint(path, QUESTION, 4) as kept:
        return list(kept.done())


def test_what_is_added_is_there_again_in_the_same_order(file: Path) -> None:
    assert done(file) == [(2, [4]), (0, [0]), (3, [9])]


def test_every_line_is_json_with_a_checksum_over_it_and_the_first_line(file: Path) -> None:
    head, *lines = file.read_bytes().splitlines(keepends=True)
    told = json.loads(head)
    assert told.pop("crc32") == checksum(head)
    assert (told["kind"], told["units"], told["rules"]) == ("squares", 4, {"least": 1, "most": None})
    assert {"version", "format"} < set(told)
    for line in lines:
        told = json.loads(line)
        assert set(told) == {"unit", "result", "crc32"}
        assert told["crc32"] == checksum(line, zlib.crc32(head))


def checksum(line: bytes, start: int = 0) -> str:
    return f"{zlib.crc32(line[: line.rindex(b',')], start):08x}"


def test_a_file_that_was_cut_off_anywhere_has_the_whole_lines_before(file: Path) -> None:
    text = file.read_bytes()
    whole = done(file)
    for length in range(len(text)):
        file.write_bytes(text[:length])
        lines = text[:length].count(b"\n")
        assert done(file) == whole[: max(lines - 1, 0)]
        assert file.read_bytes() == text[: max(text.rfind(b"\n", 0, length), text.index(b"\n")) + 1]


def test_what_is_added_after_a_torn_line_stands_on_a_line_of_its_own(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-5])
    with Checkpoint(file, QUESTION, 4) as kept:
        assert [unit for unit, _ in kept.done()] == [2, 0]
        kept.add(1, [1])
    assert done(file) == [(2, [4]), (0, [0]), (1, [1])]


@pytest.mark.parametrize("line", [1, 2, 3, 4])
def test_a_line_with_any_byte_changed_is_refused_by_its_number(file: Path, line: int) -> None:
    text = file.read_bytes()
    lines = text.splitlines(keepends=True)
    start = sum(map(len, lines[: line - 1]))
    for at in range(start, start + len(lines[line - 1]) - 1):
        file.write_bytes(text[:at] + bytes([text[at] ^ 1]) + text[at + 1 :])
        with pytest.raises(
            InvalidCheckpointError, match=re.escape(f"{file}:{line}: the line is not as" if line > 1 else f"{file} is")
        ):
            done(file)


def test_a_line_of_another_file_is_refused(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    with Checkpoint(other, {"kind": "cubes"}, 4) as kept:
        kept.add(1, [1])
    file.write_bytes(file.read_bytes() + other.read_bytes().splitlines(keepends=True)[1])
    with pytest.raises(InvalidCheckpointError, match=r":5: the line is not as it was written; take it out"):
        done(file)


@pytest.mark.parametrize("result", [b"", bytes(range(256))])
def test_bytes_stand_in_base64_and_come_back_as_bytes(file: Path, result: bytes) -> None:
    with Checkpoint(file, QUESTION, 4) as kept:
        kept.add(1, result)
    last = json.loads(file.read_text(encoding="ascii").splitlines()[-1])
    assert sorted(last) == ["base64", "crc32", "unit"]
    assert base64.b64decode(last["base64"]) == result
    assert done(file)[-1] == (1, result)


@pytest.mark.parametrize("text", ["A", "====", "AA=A", "\u00e9", 7, None])
def test_what_is_no_base64_is_refused_by_its_number(file: Path, text: object) -> None:
    body = json.dumps({"unit": 1, "base64": text}, separators=(",", ":"))[:-1].encode()
    with file.open("ab") as added:
        added.write(body + b',"crc32":"%08x"}\n' % zlib.crc32(body, head_of(file)))
    with pytest.raises(InvalidCheckpointError, match=r":5: the line is not as it was written"):
        done(file)


def test_files_of_the_same_question_can_be_put_together(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    with Checkpoint(other, QUESTION, 4) as kept:
        kept.add(1, [1])
    file.write_bytes(file.read_bytes() + other.read_bytes())
    assert dict(done(file)) == {unit: [unit**2] for unit in range(4)}


@pytest.mark.parametrize(
    ("question", "units", "said"),
    [
        ({**QUESTION, "kind": "cubes"}, 4, "another question: its kind is 'squares', and here it is 'cubes'"),
        (QUESTION, 5, "another question: its units is 4, and here it is 5"),
        ({**QUESTION, "rules": {"least": 2, "most": None}}, 4, "another question: its rules.least is 1, and here it is 2"),
        ({**QUESTION, "roll": [6, 5]}, 4, r"another question: its roll is not given, and here it is \[6, 5\]"),
        ({"kind": "squares"}, 4, "another question: its rules.least is 1, and here it is not given"),
        ({**QUESTION, "version": "0.0"}, 4, "of another version: its version is '.*', and here it is '0.0'"),
    ],
)
def test_another_question_is_refused_with_what_sets_it_apart(file: Path, question: dict, units: int, said: str) -> None:
    before = file.read_bytes()
    with pytest.raises(InvalidCheckpointError, match=said):
        Checkpoint(file, question, units)
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("old", "sentences"),
    [
        ({"exact_bear_off": True}, "exact_bear_off is now bear_off: 'exact' for True, 'rearmost' for False"),
        ({"gammons": False}, "gammons is now highest_win: 3 for True, 1 for False"),
        (
            {"exact_bear_off": True, "gammons": False},
            (
                "exact_bear_off is now bear_off: 'exact' for True, 'rearmost' for False; "
                "gammons is now highest_win: 3 for True, 1 for False"
            ),
        ),
    ],
)
def test_a_checkpoint_whose_rules_have_old_fields_is_refused_with_the_new_names(
    tmp_path: Path, old: dict[str, bool], sentences: str
) -> None:
    path = tmp_path / "two"
    rules = {"dice": 3, "stack_limit": 5, **old}
    Checkpoint(path, {"kind": "perft", "position": Position().to_text(), "depth": 2, "rules": rules}, 122).close()
    before = path.read_bytes()
    with pytest.raises(InvalidCheckpointError) as refused:
        perft(Position(), 2, checkpoint=path)
    assert str(refused.value) == f"{path} is of an earlier version, whose rules had other fields: {sentences}"
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [b"garbage", b"garbage\n", b"\n", b"{}\n", b"\0" * 100, b'{"format":1}\n', b',"crc32":"00000000"}\n', b"x" * 100_000],
    ids=["no end", "a line", "an empty line", "an object", "zeros", "no checksum", "a checksum", "long"],
)
def test_what_is_no_checkpoint_is_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(InvalidCheckpointError, match=r"notes\.txt is no checkpoint: its first line is") as refused:
        Checkpoint(path, QUESTION, 4)
    assert len(str(refused.value)) < len(str(path)) + 300
    assert path.read_bytes() == content


def test_a_unit_that_there_is_not_is_refused(file: Path) -> None:
    body = b'{"unit":4,"result":[16]'
    with file.open("ab") as added:
        added.write(body + b',"crc32":"%08x"}\n' % zlib.crc32(body, head_of(file)))
    with pytest.raises(InvalidCheckpointError, match=r":5: there is no unit 4 among 4$"):
        done(file)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidCheckpointError, match="is no file that a checkpoint could be stored in"):
        Checkpoint(tmp_path, QUESTION, 4)
    with pytest.raises(FileNotFoundError):
        Checkpoint(tmp_path / "no" / "such", QUESTION, 4)


@pytest.mark.parametrize("path", [1, b"bytes", True, ["x"]])
def test_a_checkpoint_is_a_path(path: object) -> None:
    with pytest.raises(TypeError, match="checkpoint must be the path of a file, not "):
        perft(Position(), 2, checkpoint=path)  # type: ignore[arg-type]


def test_one_call_at_a_time_has_the_file(file: Path) -> None:
    with Checkpoint(file, QUESTION, 4) as kept:
        with pytest.raises(BlockingIOError, match="the checkpoint is in use by another run"):
            Checkpoint(file, QUESTION, 4)
        # and the attempt has not let go of it
        assert other_process(file) == "BlockingIOError"
        assert len(list(kept.done())) == 3
    assert other_process(file) == "opened"


def other_process(file: Path) -> str:
    code = (
        f"from tabula.work.checkpoint import Checkpoint\ntry:\n    Checkpoint({str(file)!r}, {QUESTION!r}, 4).close()\n"
        "except OSError as error:\n    print(type(error).__name__)\nelse:\n    print('opened')"
    )
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_a_process_that_is_killed_lets_go_of_the_file(file: Path) -> None:
    code = (
        f"from tabula.work.checkpoint import Checkpoint\nkept = Checkpoint({str(file)!r}, {QUESTION!r}, 4)\n"
        "kept.add(1, [1])\nprint('there', flush=True)\nimport signal\nsignal.pause()"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(BlockingIOError):
            done(file)
        holder.send_signal(signal.SIGKILL)
    assert done(file) == [(2, [4]), (0, [0]), (3, [9]), (1, [1])]


def test_a_line_that_there_is_no_room_for_leaves_the_file_as_it_was(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = file.read_bytes()
    write = os.write
    with Checkpoint(file, QUESTION, 4) as kept:
        list(kept.done())
        monkeypatch.setattr(module.os, "write", lambda fd, line: write(fd, line[:7]))
        with pytest.raises(OSError, match="No space left on device"):
            kept.add(1, [1])
        monkeypatch.undo()
        assert file.read_bytes() == before
        kept.add(1, [1])
    assert done(file)[-1] == (1, [1])


@pytest.mark.parametrize("long", [10, 70_000, 1_000_000])
def test_a_question_may_be_as_long_as_it_likes(tmp_path: Path, long: int) -> None:
    """A first line beyond what was read at once was taken for one that was not finished, and the file was emptied."""
    path, question = tmp_path / "long.checkpoint", {"kind": "long", "what": "a" * long}
    with Checkpoint(path, question, 3) as kept:
        kept.add(0, 1)
    text = path.read_bytes()
    with Checkpoint(path, question, 3) as kept:
        assert list(kept.done()) == [(0, 1)]
    for cut in (1, long // 2, text.index(b"\n")):  # a first line that was not finished
        path.write_bytes(text[:cut])
        with Checkpoint(path, question, 3) as kept:
            assert not list(kept.done())
    path.write_bytes(text)
    with pytest.raises(InvalidCheckpointError, match=r"another question: its what is 'a+"):
        Checkpoint(path, {**question, "what": "b"}, 3)
    assert path.read_bytes() == text


def test_a_unit_that_there_is_not_is_not_added(file: Path) -> None:
    before = file.read_bytes()
    with Checkpoint(file, QUESTION, 4) as kept:
        for unit in (-1, 4):
            with pytest.raises(ValueError, match=rf"^unit must be 0\.\.3, not {unit}$"):
                kept.add(unit, 1)
    assert file.read_bytes() == before


def test_true_is_no_number_of_a_unit(file: Path) -> None:
    body = b'{"unit":true,"result":1'
    with file.open("ab") as added:
        added.write(body + b',"crc32":"%08x"}\n' % zlib.crc32(body, head_of(file)))
    with pytest.raises(InvalidCheckpointError, match="the line is not as it was written"):
        done(file)


def test_an_error_of_the_system_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidCheckpointError, match=r"^checkpoint must be the path of a file, not ''$"):
        Checkpoint("", QUESTION, 4)

    def fails(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    for name in ("ftruncate", "fsync"):
        with monkeypatch.context() as changed:
            changed.setattr(os, name, fails)
            with pytest.raises(OSError, match="made") as refused:
                Checkpoint(tmp_path / "made", QUESTION, 4)
        assert refused.value.filename == str(tmp_path / "made")
    assert not done(tmp_path / "made")


@pytest.mark.parametrize(
    "result", ["x", None, 1.5, True, -1, [], {"plays_by_ply": "x", "records": 3}, {"records": "AAAA", "plays_by_ply": []}]
)
def test_a_result_of_another_kind_is_refused_and_named(tmp_path: Path, result: object) -> None:
    """Somebody may write lines with the right checksums."""
    path = tmp_path / "changed.checkpoint"
    for call in (
        lambda: perft(Position(), 2, checkpoint=path),
        lambda: playouts(Position(), 100, rng=np.random.default_rng(1), checkpoint=path),
    ):
        path.unlink(missing_ok=True)
        call()
        lines = path.read_bytes().splitlines(keepends=True)
        body = json.dumps({"unit": 0, "result": result}, separators=(",", ":"))[:-1].encode()
        changed = body + b',"crc32":"%08x"}\n' % zlib.crc32(body, zlib.crc32(lines[0]))
        path.write_bytes(lines[0] + changed)
        with pytest.raises(InvalidCheckpointError, match=r"^unit 0 came with .*, which is no "):
            call()
