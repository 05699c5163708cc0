"""The example notebook runs, and shows what is kept in it: by itself, and in a kernel of Jupyter's where there is one."""

import copy
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.notebook import NOTEBOOK, code, load, outputs, run

JUPYTER = all(importlib.util.find_spec(package) for package in ("nbclient", "ipykernel"))

EXECUTE = """
import sys, nbformat, nbclient
notebook = nbformat.read(sys.argv[1], as_version=4)
nbformat.validate(notebook)
nbclient.NotebookClient(notebook, kernel_name="python3", timeout=None).execute()
nbformat.write(notebook, sys.argv[2])
"""


def test_every_cell_runs_and_shows_what_is_kept() -> None:
    kept = load()
    again = copy.deepcopy(kept)
    run(again)
    for cell, expected in zip(code(again), code(kept), strict=True):
        assert outputs(cell) == outputs(expected)


def test_it_shows_a_board_a_play_plays_a_batch_and_playouts() -> None:
    shown = [output for cell in code(load()) for output in outputs(cell)]
    pictures = [data["text/plain"] for _, data in shown if "image/svg+xml" in data]
    assert [picture.split(maxsplit=1)[0] for picture in pictures] == ["Position.from_text('----BaA-bE--B-acCb-dB-b---:w',", "<Play"]
    assert any("text/html" in data for _, data in shown)
    assert any("Ragged" in data.get("text/plain", "") for _, data in shown)
    assert any("first player wins" in data.get("stdout", "") for _, data in shown)


@pytest.mark.skipif(not JUPYTER, reason="nbclient and ipykernel are not installed: python -m pip install --group notebook")
def test_a_jupyter_kernel_shows_the_same(tmp_path: Path) -> None:
    made = tmp_path / "made.ipynb"
    environ = os.environ | {"IPYTHONDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", EXECUTE, str(NOTEBOOK), str(made)], check=True, env=environ)
    for cell, expected in zip(code(load(made)), code(load()), strict=True):
        assert outputs(cell) == outputs(expected)
