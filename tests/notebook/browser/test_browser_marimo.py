"""The notebook board in marimo: the same widget, a won game of Northcott's by clicks."""

from __future__ import annotations

import sys

import pytest
from browser_boards import Board, browse

from cgt_games import Northcott, solve
from conftest import free_port, served

pytestmark = pytest.mark.browser

APP = """
import marimo

app = marimo.App()


@app.cell
def _():
    from cgt_games import Northcott

    Northcott.from_text("L..R/L.R").play_widget(against="perfect", seconds=30)
    return


if __name__ == "__main__":
    app.run()
"""


def test_a_won_game_is_clicked_through(browser, take, tmp_path):
    pytest.importorskip("marimo", reason="marimo is missing: make test-browser")
    (tmp_path / "app.py").write_text(APP)
    port = free_port()
    command = [sys.executable, "-m", "marimo", "run", "app.py", "--headless", "--no-token"]
    command += [f"--port={port}", "--host=127.0.0.1"]
    start = Northcott.from_text("L..R/L.R")
    with served(command, f"http://127.0.0.1:{port}", tmp_path) as address, browse(browser) as page:
        page.goto(address)
        board = Board(page, 0, start)
        board.settle()
        take(board.at, "marimo-northcott-start")
        board.click("1:4")
        board.said.filter(has_text="holds right's piece").wait_for()
        board.press("Hint")
        board.said.filter(has_text="You can force a win").wait_for()
        while (record := board.record).result is None:
            board.make(solve(record.position, engine="reference").best_moves[0])
            if board.record.result is None:
                board.has_moved(len(record.moves) + 2)
        assert board.status.startswith("You win. ")
        take(page, "marimo-northcott-won")
        assert board.at.get_attribute("data-theme") == "light"
