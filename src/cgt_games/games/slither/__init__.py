"""Slither and Advanced Slither: connect your edges; move a stone and place a stone, and leave no bare diagonal.

Only the rules load with the package; what needs numpy or numba loads on first use.
"""

from cgt_games.games.slither.board import Board
from cgt_games.games.slither.rules import Colour, Slither, SlitherTurn

__all__ = ["Board", "Colour", "Slither", "SlitherTurn"]
