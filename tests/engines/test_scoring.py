"""Margins against an independent recursion for a game of coins."""

from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from cgt_games import Side, solve
from toys import Coins


@cache
def best_lead(coins: tuple[int, ...]) -> int:
    """What the player to move gains on the other, from the definition."""
    if not coins:
        return 0
    return max(coins[0] - best_lead(coins[1:]), coins[-1] - best_lead(coins[:-1]))


@given(st.lists(st.integers(0, 9), max_size=8), st.integers(-3, 3), st.sampled_from(Side))
def test_margin_winner_and_moves(coins, lead, to_move):
    position = Coins(tuple(coins), lead, to_move)
    sign = 1 if to_move is Side.LEFT else -1
    margin = lead + sign * best_lead(tuple(coins))
    solution = solve(position)
    assert solution.value == margin
    assert solution.winner == ("left" if margin > 0 else "right" if margin < 0 else "draw")
    after = {move: solve(position.play(move)).value * sign for move in position.legal_moves}
    assert set(solution.best_moves) == {move for move in after if after[move] == margin * sign}
    assert set(solution.winning_moves) == {move for move in after if after[move] > 0}
    line = position
    for move in solution.principal_variation:
        line = line.play(move)
    assert line.is_terminal
    assert line.margin == margin
