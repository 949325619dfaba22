"""Sums: XOR against search on the sum itself, and what cannot be summed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cgt_games import CannotSum, IllegalMove, InvalidPosition, Nim, Northcott, Outcome, Sum, grundy, outcome, solve
from cgt_games.testing import check_game
from toys import Coins, Countdown, Kayles, domineering


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=2), st.integers(0, 6), st.integers(0, 4))
def test_impartial_sums_solve_by_xor_as_by_search(heaps, pins, length):
    total = Nim(*heaps) + Kayles((pins,)) + Countdown(length)
    xor, plain = solve(total), solve(total, engine="reference")
    assert xor.value == grundy(Nim(*heaps)) ^ grundy(Kayles((pins,))) ^ length % 2 == plain.value
    assert set(xor.winning_moves) == set(plain.winning_moves)


def test_heaps_of_any_size_are_summed():
    solution = solve(Nim(10**40) + Nim(10**40 + 7))
    assert solution.value == 10**40 ^ (10**40 + 7)
    assert len(solution.winning_moves) == 1


@pytest.mark.parametrize("rows", ["L.R", "L..R", ".L.R.", "L.R/.LR"])
@pytest.mark.parametrize("heap", range(4))
@pytest.mark.parametrize("to_move", ["left", "right"])
def test_northcott_is_a_nim_heap_in_sums_too(rows, heap, to_move):
    position = Northcott.from_text(rows)
    total = (position + Nim(heap)).with_to_move(Northcott.from_text(rows, to_move=to_move).to_move)
    xor, plain = solve(total), solve(total, engine="reference")
    assert plain.engine == "retrograde analysis"
    assert xor.value == position.nim_sum ^ heap
    assert (xor.winner, set(xor.winning_moves)) == (plain.winner, set(plain.winning_moves))


def test_partizan_sums_are_searched():
    # Domineering 2x1 is the number 1 and 1x2 is -1 (Winning Ways, chapter 5), so their sum is zero: class P.
    assert outcome(domineering(2, 1) + domineering(1, 2)) is Outcome.P
    assert outcome(domineering(2, 1) + domineering(2, 1) + domineering(1, 2)) is Outcome.L
    # 2x2 is the switch +-1, and a switch added to itself is zero.
    assert outcome(domineering(2, 2) + domineering(2, 2)) is Outcome.P
    assert outcome(domineering(2, 1) + Nim(3)) is Outcome.L


def test_a_sum_has_a_side_of_its_own():
    left, right = (Northcott.from_text("L..R", to_move=side) for side in ("left", "right"))
    assert left + Nim(1) == right + Nim(1)
    assert (left + Nim(1)).play("1>1:1-2").to_move == "right"


@pytest.mark.parametrize(
    ("position", "reason"), [(Nim(1, play="misere"), "misère"), (Coins((1,)), "score")], ids=["misere", "scoring"]
)
def test_what_cannot_be_summed_says_why(position, reason):
    with pytest.raises(CannotSum, match=reason):
        position + Nim(1)
    with pytest.raises(CannotSum, match=reason):
        Nim(1) + position


def test_text_round_trips_and_errors():
    total = Nim(1, 2) + Northcott.from_text("L..R", retreats=False)
    assert total.to_text() == "nim 1,2 + northcott[retreats=False] L..R"
    assert Sum.from_text(total.to_text(), to_move="left") == total
    for text, fault in {
        "nim": "component",
        "chess e4": "chess",
        "nim 1,,2": "heap 2",
        "nim[size=3] 1": "size",
        "nim[play=misere] 1": "misère",
        "": "component",
    }.items():
        with pytest.raises((InvalidPosition, CannotSum, KeyError), match=fault):
            Sum.from_text(text)


@pytest.mark.parametrize(("move", "fault"), [("3>1:1", "component 3"), ("1:1", "component>move"), ("1>1:9", "heap 1")])
def test_illegal_moves_name_the_fault(move, fault):
    with pytest.raises(IllegalMove, match=fault):
        (Nim(1) + Nim(2)).play(move)


def test_sums_conform():
    check_game(
        Nim(1, 2) + Nim(3),
        Nim(2) + Northcott.from_text("L.R."),
        Northcott.from_text("L..R", retreats=False) + Nim(1),
        walks=30,
    )
