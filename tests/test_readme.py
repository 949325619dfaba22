"""What the README shows beyond its doctest: the game of one's own, as a module. (Its commands: ``test_docs.py``.)"""

import importlib
import re
from pathlib import Path

from cgt_games import grundy
from cgt_games.testing import check_game

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def test_a_game_of_ones_own_takes_15_lines(tmp_path, monkeypatch):
    # Kayles as in the README; a module, because a class of an interactive session cannot be pickled in a test.
    block = next(block for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "class Kayles" in block)
    lines = [line[4:] for line in block.splitlines() if line.startswith((">>> ", "... "))]
    lines = lines[: next(number for number, line in enumerate(lines) if line.startswith("["))]
    assert len(lines) <= 15
    (tmp_path / "kayles.py").write_text("\n".join(lines))
    monkeypatch.syspath_prepend(tmp_path)
    Kayles = importlib.import_module("kayles").Kayles
    # Winning Ways, chapter 4: 0.77 for the first dozen.
    assert [grundy(Kayles((pins,))) for pins in range(13)] == [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4]
    check_game(Kayles((4, 1)), Kayles((3,)))
