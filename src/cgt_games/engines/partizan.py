"""Who wins a loop-free game of any kind: normal, misère, or with an end of its own (a connection, a cut)."""

from __future__ import annotations

from cgt_games.engines.negamax import Values, engine_name, solve, symmetric_key
from cgt_games.position import DRAW, Position
from cgt_games.solution import Search, Solution


def result_of_end(position: Position) -> int:
    """+1, 0 or -1 for the player to move at a position without moves, by its ``winner``."""
    winner = position.winner
    return 0 if winner == DRAW else 1 if winner == position.to_move else -1


def solve_partizan(position: Position, search: Search, *, plain: bool) -> Solution:
    """Winner, all winning moves and a best line, by negamax that stops at a winning move.

    ``plain`` looks positions up as they are, without the game's canonical form. Raises LoopError if play returns to a
    position on the way. Cost: at worst every position that can be reached, once.
    """
    values = Values(search, result_of_end, None if plain else symmetric_key(position), highest=1)
    return solve(position, search, values, engine_name("win/loss search", plain), margins=False)
