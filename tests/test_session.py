"""A game in progress, as the terminal and the notebook board share it."""

from __future__ import annotations

import time
from dataclasses import dataclass

import pytest

from cgt_games import (
    CGTError,
    Limits,
    Nim,
    Northcott,
    Otter,
    Record,
    RoadWorks,
    ScoringPosition,
    Side,
    Slither,
    solve,
)
from cgt_games.players import TimedPlayer
from cgt_games.session import OPPONENTS, Session, opponent, rules_text, told_of_compiling
from toys import domineering


@dataclass(frozen=True)
class Score(ScoringPosition):
    """A scoring game that is over."""

    lead: int
    to_move = Side.LEFT

    def generate_moves(self, player):
        return iter(())

    def apply(self, move, player):
        raise NotImplementedError

    def to_text(self):
        return str(self.lead)

    @property
    def margin(self):
        return self.lead


def session(position, level="nobody", seat=0, seconds=60.0):
    limits = Limits(seconds=seconds)
    made = Session(Record.start(position), opponent(level, limits, 1), limits)
    made.take_seat(seat)
    return made


@pytest.mark.parametrize(
    ("position", "moves", "why"),
    [
        (Nim(1), ["1:1"], "no move is left, and who cannot move loses"),
        (Nim(1, play="misere"), ["1:1"], "no move is left, and who cannot move wins"),
        (Northcott.from_text("LR/L.R", retreats=False), ["2:1-2"], "no move is left, and who cannot move loses"),
        (Otter.from_text("1,2/3,."), ["4@b1"], "A's best path has the sum 7 and B's 6; the smaller sum wins"),
        (RoadWorks.from_text("3x3", collapse=True), ["b2", "a3", "b1"], "closing b1 cut A from B, and who cuts loses"),
        (Slither.from_text("B./..", to_move="black"), ["a1"], "the chain a2-a1 joins the two edges of black"),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_why_a_game_is_over_is_said_once_it_is(position, moves, why):
    # On 1,2/3,4 A's paths go from 1 to 4 by 2 or 3, with sums 7 and 8; B's from 3 to 2 by 1 or 4, with 6 and 9.
    game = session(position)
    for move in moves:
        assert game.record.position.why_over() == game.announcement() == ""
        game.play(move)
    assert game.record.position.why_over() == why
    said, _, reason = game.announcement().partition(". ")
    assert (said.endswith(" wins"), reason) == (True, f"{why[0].upper()}{why[1:]}.")


def test_a_drawn_score_and_a_resignation_have_reasons_too():
    assert [Score(lead).why_over() for lead in (0, 3, -2)] == [
        "the scores are equal",
        "left is ahead by 3",
        "right is ahead by 2",
    ]
    game = session(Nim(3), "random", seat=0)
    game.resign()
    assert game.announcement() == "The computer wins. You have given up."
    with pytest.raises(CGTError, match=r"The game is over\."):
        game.hint()


def test_who_gives_up_while_the_computer_is_to_move_loses_all_the_same():
    game = session(Nim(3, 5), "perfect", seat=1)
    game.resign()
    assert (game.record.result, game.announcement()) == ("first", "The computer wins. You have given up.")


def test_it_is_never_said_that_the_computer_gave_up():
    swapped = Record.start(Slither.empty(3, pie=True)).play("b2").play("swap")  # now the first player has White
    for record, seat, said in [
        (Record.start(Nim(3, 5)).play("1:1").resign(), 0, "First wins. Second has given up."),
        (Record.start(Nim(3, 5)).play("1:1").resign(), 1, "The computer wins. You have given up."),
        (swapped.resign(), 0, "The computer wins. You have given up."),
        (swapped.resign(), 1, "Black wins. White has given up."),
    ]:
        game = Session(record, None, Limits())
        game.computer = opponent("perfect", Limits())  # two people played until here
        game.take_seat(seat)
        assert game.announcement() == said


def test_each_level_is_a_player_and_other_words_are_none():
    assert [getattr(opponent(level, Limits(seconds=1)), "name", None) for level in OPPONENTS] == [
        "timed",
        "perfect",
        "random",
        None,
    ]
    with pytest.raises(CGTError, match="the opponent is one of timed, perfect, random, nobody, not 'strong'"):
        opponent("strong", Limits())


def test_a_hint_names_a_winning_move_and_who_wins():
    # 1 ^ 2 ^ 4 = 7, and only in the heap of 4 is a move to nim-sum 0: to 3.
    hint = session(Nim(1, 2, 4), "perfect").hint()
    assert (hint.text, str(hint.move)) == ("You can force a win, Grundy value 7. A good move: 3:1", "3:1")
    lost = session(Nim(2, 2), "perfect").hint()
    assert lost.text.startswith("The computer can force a win, Grundy value 0.")
    assert "A good move" not in lost.text
    open_end = session(domineering(8, 8), seconds=0.0).hint()  # which has no player of its own
    assert (open_end.text, open_end.move) == ("Not solved within 0 seconds.", None)


def test_a_hint_of_what_is_not_solved_in_time_is_the_move_of_the_games_own_player():
    for start in (Otter.empty(), Slither.empty(9), Slither.empty(13)):
        for level in ("nobody", "timed", "perfect"):
            game = session(start, level, seconds=0.2)
            game.warm_up()
            began = time.perf_counter()
            hint = game.hint()
            assert time.perf_counter() - began < 2.0
            assert hint.text == f"Not solved within 0.2 seconds; the computer would play {hint.move}."
            assert start.why_illegal(hint.move, start.to_move) is None
            if start == Otter.empty():  # here its book decides, so that the player plays no other
                assert hint.move == TimedPlayer(Limits(seconds=0.2)).choose(start)


def test_ctrl_c_while_the_own_player_thinks_ends_the_hint_alone(monkeypatch):
    def interrupted(self, position):
        raise KeyboardInterrupt

    monkeypatch.setattr(TimedPlayer, "choose", interrupted)
    assert session(Otter.empty(), seconds=0.0).hint() == ("Stopped.", None)


def test_a_hint_in_a_lost_position_calls_no_move_good():
    # 2 ^ 2 = 0: who is to move loses.
    lost = session(Nim(2, 2)).hint()
    assert lost.text == f"Second can force a win, Grundy value 0. Every move loses; {lost.move} is worth a try."
    # A loses by 26 after B's 13@c1; every other move of B's is worse for B.
    board = Otter.from_text("16,.,7,2/3,.,12,./.,8,5,11/1,14,.,15").play("13@c1")
    hint = session(board).hint()
    assert hint.text == f"B can force a win, margin -26. Every move loses; {hint.move} loses by the least."
    assert solve(board.play(hint.move), engine="reference").value == -26


def test_there_is_no_hint_while_the_computer_is_to_move():
    game = session(Nim(3, 5), "perfect", seat=1)
    with pytest.raises(CGTError, match=r"It is the computer's turn\."):
        game.hint()


def test_what_was_solved_is_not_solved_again_until_the_position_changes(monkeypatch):
    import cgt_games.session as module

    asked, solve = [], module.solve
    monkeypatch.setattr(module, "solve", lambda position, **more: asked.append(position) or solve(position, **more))
    game = session(Nim(3, 5))
    assert game.solution() is game.solution()
    game.hint()
    game.play("1:1")
    game.hint()
    assert asked == [Nim(3, 5), Nim(2, 5)]


def test_seats_are_read_from_the_names_of_a_record():
    game = session(Nim(3, 5), "perfect", seat=1)
    assert dict(game.record.names) == {"first": "perfect", "second": "you"}
    assert Session(game.record, None, Limits()).known_seat() == 1
    assert session(Nim(3, 5)).known_seat() is None
    with pytest.raises(CGTError, match="nobody sits at the other side"):
        session(Nim(1)).choose_reply()


def test_the_rules_are_the_text_of_the_games_module():
    assert "nim-sum" in rules_text(Nim)
    assert "`" not in rules_text(RoadWorks).replace("``", "")
    # What is written is told from the sentence around it.
    assert "separated by `/`, cells by `,`, an empty cell is `.`." in rules_text(Otter)
    assert "a move is\nnumber@cell." in rules_text(Otter)
    made = type("Bare", (Nim,), {"__module__": "cgt_games.games", "name": "bare"})
    import cgt_games.games

    text, cgt_games.games.__doc__ = cgt_games.games.__doc__, None
    try:
        with pytest.raises(CGTError, match="bare comes without a text of its rules"):
            rules_text(made)
    finally:
        cgt_games.games.__doc__ = text


def test_the_rules_of_a_game_typed_in_are_those_of_its_class():
    typed = {"__module__": "__main__", "__doc__": "Take one or two; who cannot loses."}
    assert rules_text(type("Typed", (Nim,), typed)) == "Take one or two; who cannot loses."
    for text in (None, "Typed(heap: int)"):
        with pytest.raises(CGTError, match="Typed comes without a text of its rules"):
            rules_text(type("Typed", (Nim,), {**typed, "__doc__": text, "name": ""}))


def test_compiling_is_noticed_where_it_happens_and_not_elsewhere():
    import numba

    said = []
    with told_of_compiling(Otter, lambda: said.append("compiles")):
        numba.njit(lambda x: x + 1)(1)
        numba.njit(lambda x: x + 2)(1)
    expected = [] if numba.config.DISABLE_JIT else ["compiles"]
    assert said == expected
    numba.njit(lambda x: x + 3)(1)
    assert said == expected
