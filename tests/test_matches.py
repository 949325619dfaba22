"""The Monte-Carlo player, and matches with their confidence intervals."""

from __future__ import annotations

import random

import pytest

from cgt_games import CGTError, Nim, Slither, Turn, solve
from cgt_games.players import Match, MonteCarloPlayer, PerfectPlayer, RandomPlayer, play_match, wilson
from toys import Coins, Countdown


@pytest.mark.parametrize("position", [Nim(1, 2), Nim(2, 3), Nim(3, play="misere"), Countdown(5)], ids=repr)
def test_the_monte_carlo_player_finds_the_only_winning_move_of_a_small_game(position):
    winning = solve(position).winning_moves
    assert winning
    assert MonteCarloPlayer(seconds=0.2, seed=1).choose(position) in winning


def test_it_finds_a_connection():
    position = Slither.from_text("BW./BW./...")
    assert position.play(MonteCarloPlayer(seconds=0.5, seed=1).choose(position)).connected == "black"


def test_it_plays_where_time_is_short_and_says_when_there_is_no_move():
    assert MonteCarloPlayer(seconds=0, seed=1).choose(Nim(5)) in Nim(5).legal_moves
    with pytest.raises(CGTError, match="no legal move"):
        MonteCarloPlayer(seconds=0).choose(Nim(0))


@pytest.mark.parametrize("position", [Nim(1), Nim(1, 1), Nim(1, 1, 1), Nim(1, play="misere"), Coins((1, 2))], ids=repr)
def test_games_by_chance_that_can_end_in_one_way_only(position):
    """With heaps of one, or two coins to take, chance has no choice that matters."""
    expected = {Nim(1): 1, Nim(1, 1): -1, Nim(1, 1, 1): 1, Nim(1, play="misere"): -1}.get(position)
    results = {position.random_result(random.Random(seed)) for seed in range(20)}
    if expected is None:
        assert results <= {-1, 0, 1}
    else:
        assert results == {expected}


def test_the_players_take_turns_even_if_they_exchange_sides():
    # After the swap the first player, now White, is to move; 1 x 1 is Black's as soon as a stone stands.
    start = Slither.empty(1, 1, pie=True)
    assert start.random_result(random.Random(1)) == 1


def test_a_match_alternates_the_sides():
    # The one heap is taken by who begins, so each player wins when it begins.
    began = []
    match = play_match(Nim(1), RandomPlayer(1, name="a"), RandomPlayer(2, name="b"), 5, after_game=began.append)
    assert match == Match(games=5, wins=3, draws=0)
    assert [dict(record.names)[Turn.FIRST] for record in began] == ["a", "b", "a", "b", "a"]
    assert play_match(Nim(1, 2), PerfectPlayer(), RandomPlayer(1), 1).wins == 1


def test_the_interval():
    # Source of the numbers: the formula solved by hand, z * z = 3.8416.
    low, high = wilson(0, 10)
    assert low == pytest.approx(0)
    assert high == pytest.approx(3.8416 / 13.8416)
    low, high = wilson(10, 10)
    assert (low, high) == (pytest.approx(10 / 13.8416), pytest.approx(1))
    with pytest.raises(ValueError, match="no game"):
        wilson(0, 0)
    assert str(Match(10, 5, 2)) == "5 of 10 won, 2 drawn (95 % interval 31.3 to 83.2 %)"
