"""The notebook board in JupyterLab: a won game of each kind, by clicks."""

from __future__ import annotations

import json

import pytest
from browser_boards import COUNT, Board, browse

from cgt_games import Nim, Northcott, Otter, Record, RoadWorks, Slither, solve
from cgt_games.drawing import draw

pytestmark = pytest.mark.browser

GAMES = {
    "nim": (Nim.standard(), "Nim.standard()"),
    "northcott": (
        Northcott.from_text(".L..R../L.....R/L.R..../...L..R"),
        'Northcott.from_text(".L..R../L.....R/L.R..../...L..R")',
    ),
    "otter": (
        Otter.from_text("16,.,7,2/3,.,12,./.,8,5,11/1,14,.,15"),
        'Otter.from_text("16,.,7,2/3,.,12,./.,8,5,11/1,14,.,15")',
    ),
    "road-works": (RoadWorks.level(2), "RoadWorks.level(2)"),
    "slither": (Slither.empty(4), "Slither.empty(4)"),
}


SESSION = "window.jupyterapp.shell.currentWidget.sessionContext"


def notebook(cells):
    from nbformat import v4, writes

    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}  # or it is asked for
    return writes(v4.new_notebook(cells=[v4.new_code_cell(cell) for cell in cells], metadata=kernel))


@pytest.fixture(scope="module")
def page(browser, jupyter):
    """A notebook with the five games, run."""
    address, folder = jupyter
    cells = ["from cgt_games import Nim, Northcott, Otter, RoadWorks, Slither"]
    for start, code in GAMES.values():
        first = "me" if solve(start).winner == start.to_move else "computer"
        cells.append(f'{code}.play_widget(against="random", seed=7, first="{first}", seconds=30)')
    (folder / "games.ipynb").write_text(notebook(cells))
    with browse(browser) as shown:
        shown.goto(f"{address}/tree/games.ipynb?reset")
        shown.wait_for_function("window.jupyterapp !== undefined")
        shown.locator(".jp-Notebook .jp-CodeCell").nth(len(GAMES)).wait_for()
        shown.wait_for_function(f"{SESSION}.session?.kernel?.status === 'idle' && {SESSION}.isReady")
        shown.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
        shown.locator(".cgt-play").nth(len(GAMES) - 1).wait_for()
        yield shown


def themed(page, name):
    page.evaluate(f"window.jupyterapp.commands.execute('apputils:change-theme', {{theme: 'JupyterLab {name}'}})")
    page.wait_for_function(f"document.body.dataset.jpThemeLight === '{'true' if name == 'Light' else 'false'}'")
    page.wait_for_timeout(500)


@pytest.fixture(params=list(GAMES))
def board(request, page):
    number = list(GAMES).index(request.param)
    themed(page, "Light")
    return Board(page, number, GAMES[request.param][0])


ILLEGAL = {
    "northcott": ("1:7", "holds no piece"),
    "otter": ("a4", "the cell a4 is occupied by 16"),
    "road-works": ("a1", "which stays open"),
}


def test_a_won_game_is_clicked_through(board, take):
    name = board.start.name
    board.settle()
    take(board.at, f"{name}-start-light")
    if name in ILLEGAL:
        place, reason = ILLEGAL[name]
        before = board.record
        board.click(place)
        board.said.filter(has_text=reason).wait_for()
        assert board.record == before
        take(board.at, f"{name}-illegal-light")
    # A hint, a move, and both taken back.
    before = board.record
    board.press("Hint")
    board.said.filter(has_text="You can force a win").wait_for()
    assert board.at.locator(".cgt-hinted").count() >= 1
    themed(board.page, "Dark")
    take(board.at, f"{name}-hint-dark")
    themed(board.page, "Light")
    board.make(solve(before.position).best_moves[0])
    if board.record.result is None:
        board.has_moved(len(before.moves) + 2)
    board.press("Undo")
    arguments = [board.at.element_handle(), len(before.moves)]
    board.page.wait_for_function(f"([board, count]) => {COUNT} === count", arg=arguments)
    assert board.record == before
    while (record := board.record).result is None:
        drawing = draw(record.position)
        move = solve(record.position).best_moves[0]
        names = [name for name in drawing.touch(move) if name in drawing.places]
        if len(names) > 1 and len(record.moves) in (2, 3, 4) and record.position.legal_moves.count > 4:
            board.click(names[0])
            board.at.locator(".cgt-touched").wait_for()
            take(board.at, f"{name}-touched-light")
            board.click(names[0])
            board.at.locator(".cgt-touched").wait_for(state="detached")
        board.make(move)
        if board.record.result is None:
            board.has_moved(len(record.moves) + 2)
    assert record is not None
    assert board.status.startswith("You win. ")
    take(board.at, f"{name}-won-light")
    themed(board.page, "Dark")
    take(board.at, f"{name}-won-dark")


def test_the_record_is_saved_as_a_file(page, tmp_path):
    board = Board(page, 0, GAMES["nim"][0])
    with page.expect_download() as caught:
        board.press("Save")
    caught.value.save_as(tmp_path / "game.json")
    record = Record.load(tmp_path / "game.json")
    assert record.moves == board.record.moves
    assert caught.value.suggested_filename == f"nim-{len(record.moves)}.json"
    assert json.loads(record.to_json())["names"]["first"] in ("you", "random")
