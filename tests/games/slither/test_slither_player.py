"""The opponent: it never misses what one turn decides, plays perfectly what it can solve, and beats chance."""

from __future__ import annotations

import random
import time

import numpy as np
import pytest

from cgt_games import CGTError, Limits, Slither, solve
from cgt_games.games.slither.player import SlitherPlayer
from cgt_games.players import RandomPlayer, TimedPlayer, play_match
from cgt_games.position import PartizanPosition

VARIANTS = ["classic", "advanced"]


def random_positions(count, sizes, seed):
    chance = random.Random(seed)
    while count:
        position = Slither.empty(*chance.choice(sizes), variant=chance.choice(VARIANTS))
        for _ in range(chance.randrange(position.size)):
            if not position.is_terminal:
                position = chance.choice(list(position.results(position.to_move)))
        if not position.is_terminal:
            count -= 1
            yield position


def connects_next(position):
    return any(result.connected == position.to_move for result in position.results(position.to_move))


def check_one_turn(position, player):
    mover = position.to_move
    after = position.play(player.choose(position))
    if connects_next(position):
        assert after.connected == mover
    elif any(not connects_next(result) for result in position.results(mover)):
        assert not connects_next(after)


def test_what_one_turn_decides_is_never_missed(seed):
    # With next to no time nothing is solved on the larger boards.
    player = SlitherPlayer(seconds=0.01, seed=seed)
    for position in random_positions(60, [(4, 4), (5, 5), (6, 5), (6, 6)], seed):
        check_one_turn(position, player)


@pytest.mark.parametrize("variant", VARIANTS)
def test_it_plays_perfectly_what_it_solves(variant):
    start = Slither.empty(3, 4, variant=variant)
    winner = solve(start, winner_only=True).winner
    player = SlitherPlayer(seconds=60, seed=1)
    assert winner == "black"  # by backward induction too, see the tests of the solver
    assert play_match(start, player, RandomPlayer(1), 1).wins == 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_it_beats_chance(variant):
    assert play_match(Slither.empty(6, variant=variant), SlitherPlayer(0.02, seed=1), RandomPlayer(1), 6).wins == 6


def test_the_timed_player_plays_slither_by_it():
    # So that `cgt-games play slither` on a board that is too large to be solved does not move at random.
    start, player = Slither.empty(8), TimedPlayer(Limits(seconds=0.01), seed=1)
    assert player.choose(start) in start.legal_moves
    assert [type(own) for own in player._own.values()] == [SlitherPlayer]


def test_passing_and_swapping():
    player = SlitherPlayer(seconds=60)
    forced = Slither.from_text("WWBBB/WWWBB/WB..B/WBBWW/WBBBW", to_move="white")
    assert str(player.choose(forced)) == "pass"
    # Black wins 3x3 with every first placement, and 4 x 2 is White's.
    assert str(player.choose(Slither.empty(3, pie=True).play("a1"))) == "swap"
    assert str(player.choose(Slither.empty(4, 2, pie=True).play("a1"))) != "swap"


def test_before_a_swap_it_begins_in_a_corner():
    # On 5 x 5 only a corner makes the swap a mistake, in the advanced game; see docs/results/slither.md.
    assert str(SlitherPlayer().choose(Slither.empty(5, variant="advanced", pie=True))) in ("a1", "a5", "e1", "e5")


def test_it_keeps_to_its_time():
    player = SlitherPlayer(seconds=0.3)
    player.choose(Slither.empty(8))  # compiles
    began = time.process_time()
    player.choose(Slither.empty(8))
    # One turn under search when the time is over is finished; process time, so that other work does not count.
    assert time.process_time() - began < 10 * 0.3


@pytest.mark.parametrize("position", [Slither.from_text("B", to_move="white")], ids=str)
def test_it_has_no_turn_in_a_game_that_is_over(position):
    with pytest.raises(CGTError, match="no turn"):
        SlitherPlayer().choose(position)


def test_games_by_chance_are_the_same_by_kernel_and_by_the_rules():
    """Won by each side about as often: 400 games each way, with room for chance of four standard deviations."""
    start, rates = Slither.empty(4, 3), []
    for roll in (Slither.random_result, PartizanPosition.random_result):
        chance = random.Random(3)
        rates.append(np.mean([roll(start, chance) > 0 for _ in range(400)]))
    assert abs(rates[0] - rates[1]) < 4 * (2 * 0.25 / 400) ** 0.5
