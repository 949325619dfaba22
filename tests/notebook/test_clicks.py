"""Touching places makes moves: each legal move can be made so, and a touch that means nothing is explained."""

from __future__ import annotations

import time
from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cgt_games import CGTError, ImpartialPosition, Nim, Northcott, Otter, RoadWorks, Slither
from cgt_games.drawing import Disc, Drawing, Place, draw
from cgt_games.notebook.clicks import Clicks
from toys import Kayles

STARTS = [
    Nim(3, 5, 7),
    Northcott.from_text("L..R../.L...R"),
    Northcott.from_text("L.R/LR/.L....R", to_move="right"),
    Otter.from_text("1,.,3/.,2,."),
    RoadWorks.from_text("3x2/b2", collapse=True),
    Slither.empty(3, 4),
    Slither.from_text("B.W/W.B/B.W", variant="advanced"),
    Nim(2, 1) + Northcott.from_text("L..R/LR"),
]


def clicks(position):
    return Clicks(position, draw(position))


def made_by(game, *places):
    """What a row of touches comes to."""
    touched = ()
    for number, place in enumerate(places, 1):
        result = game.touch(touched, place)
        if result.move is not None:
            return result.move, number
        touched = result.places
    return touched, len(places)


@settings(max_examples=60)
@given(st.data())
def test_every_legal_move_with_places_can_be_made_by_touching_them(data):
    position = data.draw(st.sampled_from(STARTS))
    for _ in range(data.draw(st.integers(0, 6))):
        if not (moves := list(position.legal_moves)):
            break
        position = position.play(data.draw(st.sampled_from(moves)))
    game = clicks(position)
    for move in position.legal_moves:
        names = [name for name in game.drawing.touch(move) if name in game.drawing.places]
        if not names:
            assert move in list(game.without_place)
            continue
        for order in (names, names[::-1]) if game.drawing.any_order else (names,):
            made, used = made_by(game, *order)
            assert position.play(made) == position.play(move), f"{order} makes {made}"
            # What is played early was singled out: no other move of another result begins so.
            begun = [m for names, m in game.begin_with(tuple(order[:used]))]
            assert len({position.play(m) for m in begun}) == 1 or used == len(order)


def test_an_object_of_a_heap_takes_all_to_its_right():
    # Of seven objects the fifth from the left is the first to stay when two are taken, so it makes "take three".
    game = clicks(Nim(3, 7))
    places = sorted((place.x, name) for name, place in game.drawing.places.items() if name.startswith("2:"))
    assert str(game.touch((), places[4][1]).move) == "2:3"


def test_a_slide_is_two_touches_even_where_only_one_is_possible():
    game = clicks(Northcott.from_text("L.R"))
    assert game.next_places(()) == {"1:1"}
    assert game.touch((), "1:1").places == ("1:1",)
    assert game.next_places(("1:1",)) == {"1:2"}
    assert str(game.touch(("1:1",), "1:2").move) == "1:1-2"


def test_an_otter_cell_waits_for_its_number_and_a_number_for_its_cell():
    game = clicks(Otter.from_text("1,.,3/.,2,."))
    assert game.next_places(()) == {"b2", "a1", "c1", "4", "5", "6"}
    assert game.touch((), "b2").places == ("b2",)
    assert game.next_places(("b2",)) == {"4", "5", "6"}
    assert str(game.touch(("b2",), "5").move) == str(game.touch(("5",), "b2").move) == "5@b2"
    assert game.touch(("5",), "6").places == ("6",)
    assert game.touch(("5",), "5").places == ()
    # The last cell leaves no choice.
    assert str(clicks(Otter.from_text("1,2/3,.")).touch((), "b1").move) == "4@b1"


def test_a_slither_point_is_placed_on_and_a_stone_taken_up():
    start = Slither.from_text("B../.W./...")
    game = clicks(start)
    assert str(game.touch((), "c3").move) == "c3"
    assert game.touch((), "a3").places == ("a3",)
    assert game.next_places(("a3",)) == {"b3", "a2"}
    assert game.touch(("a3",), "a3").places == ()
    step = game.touch(("a3",), "a2").places
    assert step == ("a3", "a2")
    assert {name for names, _ in game.begin_with(step) for name in names[2:]} == game.next_places(step)
    assert "a3" in game.next_places(step)
    assert str(game.touch(step, "a3").move) == "a3-a2/a3"
    other = clicks(Slither.from_text("B../.W./..B", to_move="black"))
    assert other.touch(("a3",), "c1").places == ("c1",)


@pytest.mark.parametrize(
    ("position", "touches", "reason"),
    [
        (Northcott.from_text("L..R"), ["1:4"], "holds right's piece; left's is on 1"),
        (Northcott.from_text("L..R"), ["1:2"], "holds no piece; left's is on 1"),
        (Northcott.from_text("L..R"), ["1:1", "1:4"], "may not land on right's on square 4"),
        (Northcott.from_text("L..R/LR"), ["1:1", "2:2"], "square 2 of row 2 holds right's piece"),
        (Northcott.from_text("LR/L.R"), ["1:1"], "may not land on right's on square 2"),
        (Otter.from_text("1,.,3/.,2,."), ["a2"], "the cell a2 is occupied by 1"),
        (Otter.from_text("1,.,3/.,2,."), ["5", "a2"], "the cell a2 is occupied by 1"),
        (RoadWorks.from_text("2x2", collapse=True), ["a1"], "a1: it is the end A, which stays open"),
        (RoadWorks.from_text("3x3/b2,a3", collapse=True), ["a2"], "a2: it has fallen"),
        (RoadWorks.from_text("3x3/b2", collapse=True), ["b2"], "b2: it is already closed"),
        (Slither.from_text("B../.W./..."), ["b2"], "b2 is occupied"),
        (Slither.from_text("B../.../..W"), ["b2"], "it leaves a3 and b2 diagonal without a common neighbour"),
        (Slither.from_text("B../.../..W"), ["a3", "c3"], "no king's step"),
        (Slither.from_text("B../.../..W", variant="advanced"), ["a3"], "the group of a3 has no stone of white"),
        (Nim(1) + Northcott.from_text("L..R"), ["2>1:4"], "holds right's piece"),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_touch_that_means_nothing_is_explained_in_the_games_words(position, touches, reason):
    game = clicks(position)
    touched = ()
    for place in touches[:-1]:
        touched = game.touch(touched, place).places
    result = game.touch(touched, touches[-1])
    assert result.move is None
    assert result.places == touched
    assert reason in result.reason
    assert "\n" not in result.reason


def test_every_pair_of_touches_makes_a_move_goes_on_or_is_explained():
    for position in STARTS:
        game = clicks(position)
        for first in game.drawing.places:
            one = game.touch((), first)
            assert (one.move is not None) + bool(one.places) + bool(one.reason) == 1
            for second in game.drawing.places if one.places else ():
                two = game.touch(one.places, second)
                taken_back = second == first
                assert (two.move is not None) or two.places or two.reason or taken_back


def test_a_game_of_ones_own_needs_nothing_for_buttons_and_a_drawing_for_clicks():
    bare = clicks(Kayles((3,)))
    assert list(bare.without_place) == list(Kayles((3,)).legal_moves)
    with pytest.raises(CGTError, match="there is no place 'b2'"):
        bare.touch((), "b2")


@dataclass(frozen=True)
class Twins(ImpartialPosition):
    """Two moves with one name on the board and one result, and a third with another."""

    over: int = 0

    def generate_moves(self, player):
        return iter(() if self.over else ("left", "right", "other"))

    def apply(self, move, player):
        return Twins(2 if move == "other" else 1)

    def to_text(self):
        return str(self.over)


def test_moves_of_one_result_are_one_move_and_others_are_a_choice():
    spots = {"spot": Place(0, 0, 5), "else": Place(20, 0, 5)}
    same = Drawing(9, 9, (Disc(0, 0, 5),), spots, touch=lambda move: ("else",) if move == "other" else ("spot",))
    assert Clicks(Twins(), same).touch((), "spot").move == "left"
    unlike = Drawing(9, 9, (), spots, touch=lambda move: ("spot",))
    assert Clicks(Twins(), unlike).touch((), "spot").places == ("spot",)
    assert [move for _, move in Clicks(Twins(), unlike).begin_with(("spot",))] == ["left", "right", "other"]
    assert Clicks(Twins(), same).touch((), "else").move == "other"


def test_a_move_beyond_the_first_thousands_is_found_by_its_spelling():
    game = clicks(Nim(10**30, 3))
    assert str(game.touch((), "2:2").move) == "2:2"
    assert game.touch((), "2:2").reason == ""


def test_a_touch_is_quick_on_a_full_board_of_slither():
    position, chance = Slither.empty(8), Random(3)
    while (position.black | position.white).bit_count() < 20:
        position = chance.choice(list(position.results(position.to_move)))
    stone = position.grid.names[
        (position.stones(position.to_move) & -position.stones(position.to_move)).bit_length() - 1
    ]
    started = time.perf_counter()
    game = clicks(position)
    step = game.touch((), stone).places
    for target in game.next_places(step):
        game.touch(step, target)
    assert step == (stone,)
    assert time.perf_counter() - started < 0.3 * (1 + len(game.next_places(step)))
