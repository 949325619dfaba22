"""The notebook board from its Python side: what the page is told, and what comes of what it asks."""

from __future__ import annotations

import json
import re
import threading
import time
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from random import Random

import pytest

from cgt_games import (
    CGTError,
    IllegalMove,
    ImpartialPosition,
    Limits,
    Nim,
    Northcott,
    Otter,
    Record,
    RecordError,
    RoadWorks,
    Slither,
    solve,
)
from cgt_games.drawing import draw
from cgt_games.players import PerfectPlayer, TimedPlayer
from toys import Kayles, domineering

pytest.importorskip("anywidget", reason="the notebook board needs anywidget: pip install '.[notebook]'")

FIVE = [
    Nim(3, 5, 7),
    Northcott.from_text("L..R../.L...R"),
    Otter.from_text("16,.,7,2/3,.,12,./.,8,5,11/1,14,.,15"),
    RoadWorks.level(2),
    Slither.empty(3),
]


class Page:
    """Does what the page does: asks, and sees that work gets done."""

    def __init__(self, board):
        self.board, self.sent = board, []
        board.send = self.sent.append

    @property
    def view(self):
        return self.board.view

    def ask(self, what, **more):
        """Ask, and see the view before any long work is done."""
        self.board._handle_custom_msg({"do": what, **more}, [])
        return self.view

    def work(self):
        while self.view["todo"] is not None:
            self.ask("work", step=self.view["step"])
        return self.view

    def click(self, *places):
        for place in places:
            self.ask("touch", place=place)
        return self.view

    def make(self, move):
        """Make a move by touching its places, or by its button."""
        drawing = draw(self.board.position)
        names = [name for name in drawing.touch(move) if name in drawing.places]
        if not names:
            assert str(move) in self.view["choices"]
            return self.ask("move", move=str(move))
        moves = len(self.board.record.moves)
        for name in names:
            if len(self.board.record.moves) == moves:
                self.click(name)
        assert len(self.board.record.moves) == moves + 1
        assert self.board.record.moves[-1] == move or self.board.position == self.board.record.positions()[-2].play(
            move
        )
        return self.view


def page(game, **options):
    return Page(game.play_widget(**{"against": "random", "seed": 1, "seconds": 60.0, **options}))


@pytest.mark.parametrize("start", FIVE, ids=lambda start: start.name)
def test_a_game_is_won_by_clicks_from_the_winning_seat(start):
    winner = solve(start, engine="reference").winner
    game = page(start, first="me" if winner == start.to_move else "computer")
    game.work()
    while not game.view["over"]:
        assert (game.view["active"], game.view["todo"]) == (True, None)
        best = solve(game.board.position, engine="reference").best_moves
        view = game.make(best[0])
        assert view["over"] or view["todo"] == "reply"
        game.work()
    assert game.view["status"].startswith("You win. ")
    assert game.view["status"].count(".") == 2
    record = Record.from_json(game.view["saved"]["text"])
    assert record == game.board.record
    assert dict(record.names)[record.result] == "you"


def test_the_page_is_told_of_places_where_they_are_drawn():
    for start in FIVE:
        view = page(start).view
        root = ET.fromstring(view["svg"])
        width, height = view["size"]
        assert root.get("viewBox") == f"0 0 {width:.7g} {height:.7g}"
        assert {name for name, *_ in view["places"]} == set(draw(start).places)
        assert all(r <= x <= width - r and r <= y <= height - r for _, x, y, r, _ in view["places"])
        assert set(view["next"]) <= set(draw(start).places)
    # A stone is a disc at its place, which ties the places to the picture.
    view = page(Slither.from_text("B../.W./...")).view
    discs = {(float(c.get("cx")), float(c.get("cy"))) for c in ET.fromstring(view["svg"]).iter() if c.get("r") == "15"}
    group = next(e for e in ET.fromstring(view["svg"]).iter() if e.get("transform"))
    x, y = map(float, re.findall(r"[\d.]+", group.get("transform")))
    at = {name: (u - x, v - y) for name, u, v, *_ in view["places"]}
    assert discs == {at["a3"], at["b2"]}


def test_an_illegal_click_is_explained_and_changes_nothing():
    game = page(RoadWorks.from_text("3x3/b2", collapse=True), against="nobody")
    before = game.board.record
    view = game.click("b2")
    assert (view["said"], view["mistake"]) == ("b2: it is already closed", True)
    assert game.board.record == before
    assert game.click("nowhere")["said"] == "there is no place 'nowhere' on this board to mark"
    view = game.click("a3")
    assert (view["said"], view["mistake"], view["moves"]) == ("Falls: a2 a4.", False, ["a3"])


def test_typed_moves_are_played_or_explained():
    game = page(Nim(3, 5), against="nobody")
    assert game.ask("move", move="2:9")["said"] == "2:9: heap 2 has 5, so 9 cannot be taken from it"
    assert "'x' is no move of Nim" in game.ask("move", move="x")["said"]
    assert game.ask("move", move=" 2:4 ")["moves"] == ["2:4"]


def test_touches_are_shown_with_how_they_go_on_and_can_be_taken_back():
    game = page(Northcott.from_text("L..R/LR"), against="nobody")
    view = game.click("1:1")
    assert (view["touched"], view["next"], view["choices"]) == (["1:1"], ["1:2", "1:3"], ["1:1-2", "1:1-3"])
    assert game.ask("clear")["touched"] == []
    view = game.click("1:1", "1:4")
    assert (view["touched"], view["mistake"]) == (["1:1"], True)
    assert game.click("1:1")["touched"] == []


def test_moves_without_a_place_are_buttons():
    game = page(Slither.empty(3, pie=True), against="nobody")
    assert game.view["choices"] == []
    assert game.click("b2")["choices"] == ["swap"]
    assert game.ask("move", move="swap")["moves"] == ["b2", "swap"]
    kayles = page(Kayles((60,)), against="nobody").view
    assert (len(kayles["choices"]), kayles["more_choices"], kayles["places"]) == (36, True, [])


def test_the_reply_comes_in_a_second_step_and_once_for_two_views():
    game = page(Nim(3, 5), against="perfect")
    view = game.click("1:1")
    assert (view["todo"], view["active"], len(view["moves"])) == ("reply", False, 1)
    assert game.click("2:1")["said"] == "It is the computer's turn."
    step = game.view["step"]
    game.ask("work", step=step - 1)
    assert len(game.view["moves"]) == 1
    step = game.view["step"]
    game.ask("work", step=step)
    game.ask("work", step=step)
    assert len(game.view["moves"]) == 2
    assert game.view["said"] == f"The computer (second) plays {game.view['moves'][1]}."


def test_what_falls_is_said_for_both_players():
    game = page(RoadWorks.from_text("3x3/b2", collapse=True), against="nobody")
    assert game.click("a3")["said"] == "Falls: a2 a4."
    reply = page(RoadWorks.from_text("3x3/b2", collapse=True), first="computer", against="random", seed=5)
    replied = []
    for seed in range(20):
        reply = page(RoadWorks.from_text("3x3/b2", collapse=True), first="computer", seed=seed)
        fallen = RoadWorks.from_text("3x3/b2", collapse=True).play(reply.work()["moves"][0]).fallen
        assert ("Falls: " + " ".join(fallen) in reply.view["said"]) == bool(fallen)
        replied.append(bool(fallen))
    assert any(replied)


def test_undo_takes_back_the_reply_too_and_says_when_there_is_nothing():
    game = page(Nim(3, 5), against="perfect")
    assert game.ask("undo")["said"] == "There is no move of yours to take back."
    game.click("1:1")
    game.work()
    assert game.ask("undo")["moves"] == []
    game.ask("resign")
    assert game.view["status"] == "The computer wins. You have given up."
    assert game.click("1:1")["said"].startswith("The game is over.")
    assert game.ask("undo")["status"] == "Your turn (first)."


def test_a_hint_is_shown_on_the_board_and_says_who_wins():
    game = page(Nim(3, 5, 7))
    assert game.ask("hint")["todo"] == "hint"
    view = game.work()
    # 3 ^ 5 ^ 7 = 1: one object of any heap, 3:1 among them, leaves nim-sum 0.
    assert view["said"] == "You can force a win, Grundy value 1. A good move: 1:1"
    assert view["hinted"] == ["1:1"]
    assert game.click("1:1")["hinted"] == []
    slow = page(domineering(8, 8), seconds=0.0)
    slow.ask("hint")
    assert (slow.work()["said"], slow.view["hinted"]) == ("Not solved within 0 seconds.", [])


def test_a_hint_of_what_is_not_solved_in_time_is_shown_on_the_board_too():
    game = page(Otter.empty(), seconds=0.1)
    hint = game.board.hint()
    known = TimedPlayer(Limits(seconds=0.1)).choose(Otter.empty())  # by its book
    assert hint == (f"Not solved within 0.1 seconds; the computer would play {known}.", known)
    assert game.view["said"] == hint.text
    assert game.view["hinted"] == [str(known.number), known.cell]


def test_the_evaluation_is_shown_or_hidden():
    game = page(Otter.from_text("16,.,7,2/3,.,12,./.,8,5,11/1,14,.,15"), against="nobody")
    assert (game.view["evaluation"], game.view["todo"], game.view["note"]) == ("", None, "")
    assert game.ask("evaluation", shown=True)["todo"] == "evaluate"
    assert game.work()["evaluation"] == "B can force a win, margin -26"
    assert "A " in game.view["note"]
    view = game.ask("evaluation", shown=False)
    assert (view["evaluation"], view["todo"], view["note"]) == ("", None, "")
    shown = page(Nim(3, 5), evaluation=True)
    assert shown.work()["evaluation"] == "You can force a win, Grundy value 6"
    shown.click("1:1")
    assert (shown.view["evaluation"], shown.view["todo"]) == ("", "reply")
    assert shown.work()["evaluation"] == f"{_who(shown)} can force a win, Grundy value {shown.board.position.nim_sum}"


def _who(game):
    return "You" if game.board.position.nim_sum else "The computer"


def test_the_opponent_can_be_changed_and_the_game_goes_on():
    game = page(Nim(3, 5), against="nobody")
    game.click("1:1")
    assert game.ask("opponent", against="perfect")["todo"] == "reply"
    view = game.work()
    assert (len(view["moves"]), view["status"]) == (2, "Your turn (first).")
    assert dict(game.board.record.names) == {"first": "you", "second": "perfect"}
    assert game.ask("opponent", first="computer")["said"] == "The computer begins in the next game."
    assert game.view["active"]
    game.ask("new")
    assert (game.view["moves"], game.view["todo"]) == ([], "reply")
    # Nothing of mine was played, so the other order is taken at once.
    game.work()
    view = game.ask("opponent", first="me")
    assert (view["moves"], view["status"]) == ([], "Your turn (first).")
    assert game.ask("opponent", against="strong")["said"].startswith("the opponent is one of")
    assert "at least 0" in game.ask("opponent", seconds=-1)["said"]
    assert "first is me or computer" in game.ask("opponent", first="nobody")["said"]
    assert game.view["settings"] == {"against": "perfect", "first": "me", "seconds": 60.0, "evaluation": False}


def test_a_new_game_may_have_other_rules_as_far_as_the_start_allows():
    assert [(rule["name"], rule["values"]) for rule in page(Nim(3, 5)).view["rules"]] == [
        ("play", ["normal", "misere"])
    ]
    # Northcott's game has no misère form, and there is nothing yet to be swapped in Slither.
    assert [rule["name"] for rule in page(Northcott.from_text("L.R")).view["rules"]] == ["retreats"]
    assert [rule["name"] for rule in page(Slither.empty(3)).view["rules"]] == ["variant", "pie"]
    assert page(Slither.empty(3)).view["in_force"] == "variant classic, pie off"  # a swap means nothing then
    assert [rule["name"] for rule in page(RoadWorks.level(2)).view["rules"]] == ["collapse"]
    game = page(Nim(3, 5), against="nobody")
    game.click("1:1")
    view = game.ask("new", rules={"play": "misere"})
    assert (view["moves"], view["in_force"]) == ([], "play misere")
    assert game.board.position == Nim(3, 5, play="misere")
    assert "has no option 'colour'" in game.ask("new", rules={"colour": "red"})["said"]
    assert "must be normal or misere" in game.ask("new", rules={"play": "x"})["said"]
    assert game.board.position == Nim(3, 5, play="misere")


def test_nonsense_from_the_page_is_no_matter():
    game = page(Nim(3, 5), against="nobody")
    before = game.view
    for content in (None, [], "touch", {}, {"do": None}, {"do": "seen"}, {"do": "_look"}, {"do": ["touch"]}):
        game.board._on_message(game.board, content, [])
    assert game.view == before
    for what, more in [
        ("touch", {}),
        ("touch", {"place": None}),
        ("move", {}),
        ("opponent", {"seconds": "x"}),
        ("opponent", {"seconds": None}),
    ]:
        view = game.ask(what, **more)
        assert view["mistake"], (what, more)
        assert "\n" not in view["said"]
    assert view["said"] == "seconds is a number of seconds, at least 0, not None"
    game.ask("work")
    assert game.board.record.moves == ()


def test_a_fault_of_a_players_game_in_a_move_is_said(monkeypatch):
    game = page(Nim(3, 5), against="nobody")
    monkeypatch.setattr(Nim, "parse_move", lambda self, text: {}[text])
    assert game.ask("move", move="1:1")["said"] == "KeyError: '1:1'"
    assert game.view["moves"] == []


def test_an_interrupted_reply_is_said_and_can_be_asked_for_again(monkeypatch):
    game = page(Nim(3, 5), against="perfect")
    monkeypatch.setattr(PerfectPlayer, "choose", _interrupted)
    game.click("1:1")
    view = game.work()
    assert (view["said"], view["stopped"], view["todo"]) == ("Stopped.", True, None)
    monkeypatch.undo()
    assert game.ask("go_on")["todo"] == "reply"
    assert len(game.work()["moves"]) == 2


def in_a_thread(game, what, **more):
    """Ask as JupyterLab does, from a thread that is not the main one."""
    thread = threading.Thread(target=game.ask, args=(what,), kwargs=more)
    thread.start()
    thread.join()


def until(condition):
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come about in half a minute")


def test_the_page_can_stop_a_perfect_opponent_that_thinks_for_long():
    game = page(Slither.empty(6), against="perfect")
    game.click("c3")
    in_a_thread(game, "work", step=game.view["step"])
    assert game.sent[0] == {"stoppable": True}
    assert game.view["todo"] == "reply"
    in_a_thread(game, "touch", place="a1")
    in_a_thread(game, "work", step=game.view["step"])
    until(lambda: any("progress" in message for message in game.sent))
    in_a_thread(game, "stop")
    assert (game.view["said"], game.view["stopped"], game.view["todo"]) == ("Stopped.", True, None)
    assert game.view["moves"] == ["c3"]
    # Once more, and it makes way when the move is taken back.
    game.ask("go_on")
    in_a_thread(game, "work", step=game.view["step"])
    in_a_thread(game, "undo")
    assert (game.view["moves"], game.view["said"], game.view["active"]) == ([], "", True)
    in_a_thread(game, "stop")
    assert game.view["moves"] == []


def test_what_is_worked_out_in_a_thread_arrives():
    game = page(Nim(3, 5), against="perfect", evaluation=True)
    game.click("1:1")
    for todo in ("reply", "evaluate"):
        assert game.view["todo"] == todo
        in_a_thread(game, "work", step=game.view["step"])
        until(lambda: game.board._worker is None and game.view["todo"] != todo)  # noqa: B023
    assert (len(game.view["moves"]), game.view["todo"]) == (2, None)
    assert "can force a win" in game.view["evaluation"]


def test_an_evaluation_makes_way_for_a_touch_and_comes_back():
    game = page(Slither.empty(6), against="nobody", evaluation=True)
    in_a_thread(game, "work", step=game.view["step"])
    in_a_thread(game, "touch", place="c3")
    assert (game.view["moves"], game.view["todo"], game.view["said"]) == (["c3"], "evaluate", "")
    game.click("e4", "b2")
    in_a_thread(game, "work", step=game.view["step"])
    in_a_thread(game, "touch", place="c3")
    assert (game.view["touched"], game.view["todo"], game.view["said"]) == (["c3"], "evaluate", "")
    game.ask("hint")
    in_a_thread(game, "work", step=game.view["step"])
    in_a_thread(game, "touch", place="c3")
    assert (game.view["touched"], game.view["hinted"], game.view["said"]) == ([], [], "")
    in_a_thread(game, "work", step=game.view["step"])
    in_a_thread(game, "stop")
    assert (game.view["evaluation"], game.view["todo"]) == ("not known", None)


def _interrupted(self, position):
    raise KeyboardInterrupt


def test_a_fault_in_a_players_game_is_said_and_not_asked_for_again(monkeypatch):
    game = page(Nim(3, 5), against="perfect")
    monkeypatch.setattr(PerfectPlayer, "choose", lambda self, position: 1 // 0)
    game.click("1:1")
    view = game.work()
    assert view["said"].startswith("ZeroDivisionError: ")
    assert (view["stopped"], view["todo"], len(view["moves"])) == (True, None, 1)
    monkeypatch.setattr("cgt_games.session.solve", lambda *_, **__: 1 // 0)
    assert game.ask("evaluation", shown=True)["todo"] == "evaluate"
    assert (game.work()["evaluation"], game.view["todo"]) == ("not known", None)


@dataclass(frozen=True)
class Faulty(ImpartialPosition):
    """Take one; of two the moves cannot be listed."""

    heap: int

    def generate_moves(self, player):
        return iter(range(0 // (self.heap - 2), min(self.heap, 1)))

    def apply(self, move, player):
        return Faulty(self.heap - 1)

    def to_text(self):
        return str(self.heap)


def test_a_fault_in_listing_the_moves_is_said_on_the_board_and_can_be_undone():
    error = "ZeroDivisionError: integer division or modulo by zero"
    view = page(Faulty(2)).view
    assert (view["said"], view["mistake"], view["todo"], view["active"]) == (error, True, None, False)
    assert "image/svg+xml" not in Faulty(2).play_widget()._repr_mimebundle_()[0]
    game = page(Faulty(3), against="nobody")
    whole = game.view
    assert set(view) == set(whole)
    json.dumps(view)
    assert game.ask("move", move="0")["said"] == error
    assert game.view["moves"] == ["0"]
    assert game.ask("undo")["active"]
    assert game.view["moves"] == []


def test_compiling_is_told_to_the_page_while_it_happens(monkeypatch):
    import numba

    if numba.config.DISABLE_JIT:
        pytest.skip("nothing is compiled here")
    monkeypatch.setattr(Nim, "warm_up", classmethod(lambda cls: numba.njit(lambda x: x + 1)(1) and None))
    game = page(Nim(3, 5), against="perfect")
    game.click("1:1")
    assert game.sent == []
    game.work()
    assert game.sent == [{"note": "compiling kernels, once per installation …"}]


def test_a_board_is_played_from_python_too():
    board = Nim(3, 5).play_widget(against="perfect")
    board.play("1:1")
    assert len(board.record.moves) == 2
    assert board.view["moves"] == [str(move) for move in board.record.moves]
    with pytest.raises(IllegalMove, match="there is no heap 3"):
        board.play("3:1")
    assert board.hint().text.startswith("The computer can force a win" if not board.position.nim_sum else "You")
    board.undo()
    assert board.record.moves == ()
    assert board.position == Nim(3, 5)
    second = Nim(3, 5).play_widget(against="perfect", first="computer")
    assert second.record.moves == ()  # nothing is thought about before the board is shown
    with pytest.raises(IllegalMove):
        second.play("1:9")
    assert len(second.record.moves) == 1
    second.play(str(next(iter(second.position.legal_moves))))
    second.new_game()
    assert len(second.record.moves) == 1
    while second.record.result is None:
        second.play(str(next(iter(second.position.legal_moves))))
    with pytest.raises(RecordError, match=r"the game is over: .* No move is left"):
        second.play("1:1")


def test_a_hint_asked_from_python_is_refused_while_the_computer_is_to_move():
    board = Nim(3, 5).play_widget(against="perfect", first="computer")
    with pytest.raises(CGTError, match="It is the computer's turn"):
        board.hint()
    assert board.view["hinted"] == []


def test_a_move_from_python_is_not_played_for_a_computer_that_found_none(monkeypatch):
    board = Nim(3, 5).play_widget(against="perfect", first="computer")
    monkeypatch.setattr(PerfectPlayer, "choose", lambda self, position: 1 // 0)
    with pytest.raises(CGTError, match="the computer has not moved: ZeroDivisionError"):
        board.play("1:1")
    assert board.record.moves == ()
    monkeypatch.undo()
    with pytest.raises(IllegalMove):  # now it has moved
        board.play("9:1")
    assert len(board.record.moves) == 1


def test_a_record_is_gone_on_with_by_the_one_who_sat_there():
    record = Record.start(Nim(3, 5), names={"first": "perfect", "second": "you"}).play("1:1")
    board = record.play_widget(against="perfect")
    assert board.view["status"] == "Your turn (second)."
    assert board.view["settings"]["first"] == "computer"
    assert board.record.moves == record.moves
    over = record.resign().play_widget(against="perfect")
    assert over.view["status"] == "The computer wins. You have given up."
    with pytest.raises(RecordError):
        over.play("1:1")


def test_bad_arguments_are_named():
    from cgt_games.notebook.board import PlayBoard

    with pytest.raises(CGTError, match="first is me or computer, not 'you'"):
        Nim(1).play_widget(first="you")
    with pytest.raises(CGTError, match="the opponent is one of timed, perfect, random, nobody, not 'hal'"):
        Nim(1).play_widget(against="hal")
    with pytest.raises(CGTError, match="seconds=-1"):
        Nim(1).play_widget(seconds=-1)
    for seconds in (None, "x", "2", float("inf"), float("nan"), 10**400):
        with pytest.raises(CGTError) as caught:
            Nim(1).play_widget(seconds=seconds)
        assert str(caught.value) == f"seconds is a number of seconds, at least 0, not {seconds!r}"
    for what in ("nim", None, Nim):
        with pytest.raises(CGTError, match="a board is of a position or a record, not of "):
            PlayBoard(what)


def test_a_game_that_cannot_be_saved_says_so():
    saved = Kayles((2,)).play_widget().view["saved"]
    assert ("name" not in saved) == ("error" in saved)
    named = json.loads(Nim(3).play_widget().view["saved"]["text"])
    assert (named["game"], named["names"]["first"]) == ("nim", "you")


def test_a_place_without_widgets_shows_the_picture():
    board = Nim(3, 5).play_widget(against="nobody")
    board.play("1:1")
    data, metadata = board._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    title = ET.fromstring(data["image/svg+xml"]).find("{http://www.w3.org/2000/svg}title").text
    assert title == "nim 2,5: first to move"
    assert "s-last" in data["image/svg+xml"]
    assert metadata == {} or isinstance(metadata, dict)


def test_a_touch_answers_at_once_on_a_large_board():
    position, chance = Slither.empty(8), Random(3)
    while (position.black | position.white).bit_count() < 20:
        position = chance.choice(list(position.results(position.to_move)))
    game = page(position, against="nobody")
    stone = min(turn.source for turn in position.legal_moves if turn.source)
    started = time.perf_counter()
    view = game.click(stone)
    seconds = time.perf_counter() - started
    assert (view["touched"], bool(view["next"])) == ([stone], True)
    assert seconds < 0.3


def test_both_themes_have_all_tones_and_the_page_ends_no_style():
    from cgt_games.drawing import Tone
    from cgt_games.notebook.board import PlayBoard

    for theme in ("light", "dark"):
        for tone in Tone:
            assert f".cgt-play[data-theme={theme}] .cgt-board .f-{tone}{{fill:#" in str(PlayBoard._css)
            assert f"--cgt-{tone}:#" in str(PlayBoard._css)
    assert "export default" in str(PlayBoard._esm)
    assert str(PlayBoard._css).count("{") == str(PlayBoard._css).count("}")
