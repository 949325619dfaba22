"""What `make bench` writes: the page of figures says when and on what they were measured, and nothing else of it."""

import importlib
import json
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture
def run(monkeypatch, tmp_path):
    """The module that runs the benchmarks, with one fake module to measure."""
    monkeypatch.syspath_prepend(FOLDER)
    for name in ("run", "rows"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    run, rows = importlib.import_module("run"), importlib.import_module("rows")
    made = [
        rows.Row("a search", 0.25, "s", 2.0, 4.5, "the rules"),
        rows.Row("a slow search", 3.0, "s", 2.0),
        rows.Row("a rate", 2_500_000.0, "moves/s", 1e6),
        rows.Row("a number", 7.0, "nodes"),
    ]
    (tmp_path / "toy_game.py").touch()
    monkeypatch.setattr(run, "HERE", tmp_path)
    monkeypatch.setattr(run, "rows_of", lambda name: iter(made))
    yield run
    for name in ("run", "rows"):
        sys.modules.pop(name, None)


def test_the_page_has_a_line_for_each_figure(run, tmp_path, capsys):
    assert run.main(["--page", str(tmp_path / "page.md")]) == 0
    page = (tmp_path / "page.md").read_text()
    assert "## toy game" in page
    assert "| a search | 0.25 | s | 2 | yes | 4.5 times as fast as the rules |" in page
    assert "| a slow search | 3 | s | 2 | no |  |" in page
    assert "| a rate | 2,500,000 | moves/s | 1,000,000 | yes |  |" in page
    assert "| a number | 7 | nodes |  |  |  |" in page
    assert "python benchmarks/run.py --page docs/results/benchmarks.md" in page
    assert str(tmp_path) not in page
    assert "targets missed: 1" in capsys.readouterr().out
    (kept,) = (tmp_path / "results").glob("*.json")
    assert len(json.loads(kept.read_text())["rows"]["toy_game"]) == 4


def test_a_module_that_does_not_exist_is_refused(run, capsys):
    assert run.main(["chess"]) == 2
    assert capsys.readouterr().err == "benchmarks: there is no 'chess'; there are toy_game\n"


def test_there_is_a_module_for_each_game_with_an_engine(run):
    assert {"otter", "road_works", "slither", "general"} <= {path.stem for path in FOLDER.glob("*.py")}
