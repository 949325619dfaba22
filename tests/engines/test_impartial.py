"""Grundy values against published tables and against the definition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgt_games import CannotSum, Nim, Outcome, grundy, outcome, solve
from cgt_games.engines.impartial import mex
from toys import Coins, Countdown, Kayles, Subtraction

# Winning Ways, chapter 4, table of octal games: Kayles (0.77), which has period 12 from 71 on.
KAYLES = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7]


@pytest.mark.parametrize("pins", range(len(KAYLES)))
def test_kayles_has_the_published_values(pins):
    assert grundy(Kayles((pins,))) == KAYLES[pins]


@pytest.mark.parametrize("rows", [(1,), (5,), (8,), (3, 4), (2, 2, 3)])
def test_components_and_canonical_forms_change_no_value(rows):
    fast, plain = solve(Kayles(rows)), solve(Kayles(rows), engine="reference")
    assert (fast.value, set(fast.winning_moves)) == (plain.value, set(plain.winning_moves))
    assert fast.nodes <= plain.nodes


def test_components_save_positions():
    assert solve(Kayles((12,))).nodes * 4 < solve(Kayles((12,)), engine="reference").nodes


def test_the_subtraction_game_has_its_period_of_seven():
    # Winning Ways, chapter 4: subtracting 1, 3 or 4 has nim-sequence 0101232 repeated.
    assert [grundy(Subtraction(n)) for n in range(28)] == [0, 1, 0, 1, 2, 3, 2] * 4


def test_mex_is_the_least_absent_value():
    assert mex(set()) == 0
    assert mex({1, 2}) == 0
    assert mex({0, 1, 2, 4}) == 3


@given(st.lists(st.integers(0, 4), min_size=1, max_size=3))
def test_general_engine_and_bouton_agree_in_normal_and_misere_play(heaps):
    for play in ("normal", "misere"):
        position = Nim(*heaps, play=play)
        for engine in ("general", "reference"):
            theory, search = solve(position), solve(position, engine=engine)
            assert search.winner == theory.winner
            assert set(search.winning_moves) == set(theory.winning_moves)
            assert outcome(position, engine=engine) == outcome(position)


def test_a_heap_of_2000_solves_by_the_general_engine_alone():
    solution = solve(Nim(2000), engine="reference")
    assert solution.value == 2000
    assert [str(move) for move in solution.winning_moves] == ["1:2000"]
    assert solution.nodes == 2001


@pytest.mark.parametrize("engine", ["general", "reference"])
def test_a_chain_of_20000_moves_needs_no_recursion(engine):
    assert solve(Countdown(20_000), engine=engine).value == 0
    assert solve(Countdown(20_001), engine=engine).winner == "first"


def test_the_winner_alone_needs_no_more_than_the_first_winning_move():
    full, quick = (
        solve(Subtraction(5000), engine="general"),
        solve(Subtraction(5000), engine="general", winner_only=True),
    )
    assert quick.winner == full.winner
    assert quick.winning_moves is None
    assert quick.nodes <= full.nodes


def test_what_has_no_grundy_value_says_why():
    with pytest.raises(CannotSum, match="misère"):
        grundy(Nim(1, 2, play="misere"))
    with pytest.raises(CannotSum, match="score"):
        grundy(Coins((1, 2)))


def test_a_game_that_is_over_is_lost_in_normal_and_won_in_misere_play():
    assert solve(Nim(0), engine="reference").winner == solve(Nim(0)).winner == "second"
    assert outcome(Nim(0)) is Outcome.P
    for engine in (None, "reference"):
        assert solve(Nim(0, play="misere"), engine=engine).winner == "first"
        assert solve(Nim(0, play="misere"), engine=engine).best_moves == ()
