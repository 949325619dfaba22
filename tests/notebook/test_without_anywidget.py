"""Without the optional extra all else works, and the board says what to install."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cgt_games import CGTError, Nim, Record

BLOCKED = ("anywidget", "ipywidgets", "traitlets", "IPython")


@pytest.mark.parametrize("game", [Nim(1), Record.start(Nim(1))], ids=["position", "record"])
def test_the_board_says_what_to_install(monkeypatch, game):
    monkeypatch.delitem(sys.modules, "cgt_games.notebook.board", raising=False)
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(CGTError) as caught:
        game.play_widget()
    assert str(caught.value) == (
        "the notebook board needs anywidget, which is not installed: pip install '.[notebook]' in a clone of cgt_games"
    )


def test_a_fault_of_our_own_is_not_hidden(monkeypatch):
    monkeypatch.delitem(sys.modules, "cgt_games.notebook.board", raising=False)
    monkeypatch.setitem(sys.modules, "cgt_games.notebook.clicks", None)
    pytest.importorskip("anywidget")
    with pytest.raises(ModuleNotFoundError, match="cgt_games"):
        Nim(1).play_widget()


def test_all_else_works_without_it():
    code = f"""
import sys
for name in {BLOCKED}:
    sys.modules[name] = None
from cgt_games import Nim, Northcott, Record, show, solve
from cgt_games.cli import main
import cgt_games.notebook, cgt_games.session, cgt_games.notebook.clicks
assert solve(Nim(3, 5)).winner == "first"
assert str(show.svg(Northcott.from_text("L.R"))).startswith("<svg")
assert Record.start(Nim(1)).play("1:1").result == "first"
assert main(["solve", "nim", "1"]) == 0
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, capture_output=True)
    alone = (
        "import sys, cgt_games; cgt_games.Nim(1)._repr_svg_(); assert not {'anywidget', 'traitlets'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", alone], check=True)
