"""Exact margins of loop-free scoring games by plain minimax over all positions; no bounds, nothing cut."""

from __future__ import annotations

from cgt_games.engines.negamax import Values, engine_name, solve, symmetric_key
from cgt_games.position import CannotSum, Position, ScoringPosition
from cgt_games.solution import Search, Solution


def margin_of_end(position: Position) -> int:
    """The margin at the end of the game for the player to move."""
    assert isinstance(position, ScoringPosition)
    return position.margin if position.to_move.is_left else -position.margin


def solve_scoring(position: Position, search: Search, *, plain: bool) -> Solution:
    """Margin, winner, all winning moves and all moves of optimal margin.

    ``plain`` looks positions up as they are, without the game's canonical form. Cost: every position that can be
    reached, once.
    """
    if not isinstance(position, ScoringPosition):
        raise CannotSum(f"{type(position).__name__} has no margin, so the scoring engine cannot solve it")
    values = Values(search, margin_of_end, None if plain else symmetric_key(position), highest=None)
    return solve(position, search, values, engine_name("minimax", plain), margins=True)
