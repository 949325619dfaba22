"""The notebook board in JupyterLab: a won game of each kind, by clicks."""

from __future__ import annotations

import base64
import json
import re

import pytest
from browser_boards import COUNT, Board, browse

from cgt_games import Nim, Northcott, Otter, Record, RoadWorks, Slither, solve
from cgt_games.drawing import draw

nbconvert = pytest.importorskip("nbconvert", reason="JupyterLab is missing: make test-browser")
nbformat = pytest.importorskip("nbformat")
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


TABLE = """
from cgt_games import show, solve
show.table([solve(Nim(1, 2, n)) for n in range(3)], ["position", "winner", "value", "winning_moves"], title="Nim")
"""
SESSION = "window.jupyterapp.shell.currentWidget.sessionContext"


def notebook(cells):
    v4 = nbformat.v4
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}  # or it is asked for
    return nbformat.writes(v4.new_notebook(cells=[v4.new_code_cell(cell) for cell in cells], metadata=kernel))


@pytest.fixture(scope="module")
def page(browser, jupyter):
    """A notebook with the five games, run."""
    address, folder = jupyter
    cells = ["from cgt_games import Nim, Northcott, Otter, RoadWorks, Slither"]
    for start, code in GAMES.values():
        first = "me" if solve(start).winner == start.to_move else "computer"
        cells.append(f'{code}.play_widget(against="random", seed=7, first="{first}", seconds=30)')
    cells.append(TABLE)
    (folder / "games.ipynb").write_text(notebook(cells))
    with browse(browser) as shown:
        shown.goto(f"{address}/tree/games.ipynb?reset")
        shown.wait_for_function("window.jupyterapp !== undefined")
        shown.locator(".jp-Notebook .jp-CodeCell").nth(len(cells) - 1).wait_for()
        shown.wait_for_function(f"{SESSION}.session?.kernel?.status === 'idle' && {SESSION}.isReady")
        shown.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
        shown.locator(".cgt-play").nth(len(GAMES) - 1).wait_for()
        yield shown


def themed(page, name):
    """Change JupyterLab's theme, and wait until the splash that it shows meanwhile has faded."""
    page.evaluate(f"window.jupyterapp.commands.execute('apputils:change-theme', {{theme: 'JupyterLab {name}'}})")
    page.wait_for_function(f"document.body.dataset.jpThemeLight === '{'true' if name == 'Light' else 'false'}'")
    page.wait_for_function(
        f"[...document.querySelectorAll('.cgt-play')].every(board => board.dataset.theme === '{name.lower()}')"
    )
    page.wait_for_function("document.getElementById('jupyterlab-splash') === null")


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


def test_the_keys_alone_play_a_game(page, take):
    themed(page, "Light")
    board = Board(page, list(GAMES).index("road-works"), GAMES["road-works"][0])
    board.press("New game")
    page.wait_for_function(f"board => {COUNT} === 0", arg=board.at.element_handle())
    board.at.locator('[data-place="b2"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.place") == "c3"
    take(board.at, "road-works-keys-light")
    page.keyboard.press("Enter")
    board.has_moved(2)
    assert str(board.record.moves[0]) == "c3"
    # The same place has the focus, though the board was drawn anew; and one Tab leaves the board.
    assert page.evaluate("document.activeElement.dataset.place") == "c3"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.place ?? null") is None
    board.at.locator('[data-place="c3"]').focus()
    page.keyboard.press(" ")
    board.said.filter(has_text="c3: it is already closed").wait_for()


def test_who_wins_is_shown_when_asked_for_and_rules_can_be_changed(page, take):
    board = Board(page, list(GAMES).index("nim"), GAMES["nim"][0])
    board.at.locator("select[name=play]").select_option("normal")
    board.press("New game")
    board.at.locator(".cgt-force").filter(has_text="play normal").wait_for()
    board.at.get_by_label("Opponent").select_option("nobody")
    board.at.get_by_label("Show who wins").check()
    shown = board.at.locator(".cgt-evaluation")
    shown.filter(has_text="can force a win, Grundy value").wait_for()
    board.at.get_by_text("Rules", exact=True).click()
    board.at.locator(".cgt-rules").filter(has_text="nim-sum").wait_for()
    take(board.at, "nim-rules-light")
    themed(page, "Dark")
    take(board.at, "nim-rules-dark")
    themed(page, "Light")
    board.at.get_by_label("Show who wins").uncheck()
    page.wait_for_function("shown => shown.textContent === ''", arg=shown.element_handle())


def test_where_no_widget_can_be_shown_there_is_the_picture(page, jupyter, take):
    _, folder = jupyter
    page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
    outputs = [cell.outputs[0].data for cell in nbformat.read(folder / "games.ipynb", 4).cells[1:][: len(GAMES)]]
    assert len(outputs) == len(GAMES)
    for data, (start, _) in zip(outputs, GAMES.values(), strict=True):
        assert "application/vnd.jupyter.widget-view+json" in data
        assert start.to_text() in data["image/svg+xml"]
    # A reader that knows no widgets, as on a forge.
    written, _ = nbconvert.HTMLExporter().from_filename(str(folder / "games.ipynb"))
    pictures = re.findall(r"data:image/svg\+xml;base64,([\w+/=]+)", written)
    assert sum(b'class="cgt-board"' in base64.b64decode(picture) for picture in pictures) == len(GAMES)


def test_a_table_is_readable_in_both_themes(page, take):
    shown = page.locator(".jp-OutputArea-output table")
    for theme in ("Light", "Dark"):
        themed(page, theme)
        shown.scroll_into_view_if_needed()
        take(shown, f"table-{theme.lower()}")
    themed(page, "Light")
    assert shown.locator("svg").count() == 3


def test_the_record_is_saved_as_a_file(page, tmp_path):
    board = Board(page, 0, GAMES["nim"][0])
    with page.expect_download() as caught:
        board.press("Save")
    caught.value.save_as(tmp_path / "game.json")
    record = Record.load(tmp_path / "game.json")
    assert record.moves == board.record.moves
    assert caught.value.suggested_filename == f"nim-{len(record.moves)}.json"
    assert json.loads(record.to_json())["names"]["first"] in ("you", "random")


def test_thinking_for_long_is_shown_and_can_be_stopped(page, take):
    page.evaluate(
        "code => {const model = window.jupyterapp.shell.currentWidget.content.model;"
        " model.sharedModel.insertCell(model.cells.length, {cell_type: 'code', source: code})}",
        "from cgt_games import Slither; Slither.empty(7).play_widget(against='perfect')",
    )
    page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex = 7")
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-cell')")
    page.locator(".cgt-play").nth(len(GAMES)).wait_for()
    board = Board(page, len(GAMES), Slither.empty(7))
    board.click("d4")
    board.at.locator(".cgt-status").filter(has_text="The computer is thinking … 3 s,").wait_for()
    assert "nodes" in board.status
    take(board.at, "slither-thinking-light")
    board.press("Stop")
    board.said.filter(has_text="Stopped.").wait_for()
    take(board.at, "slither-stopped-light")
    board.press("Undo")
    page.wait_for_function(f"board => {COUNT} === 0", arg=board.at.element_handle())
