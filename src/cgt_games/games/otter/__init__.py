"""Nimbler Otter: rules, path sums, exact search, the theorem on the full game, a perfect player, puzzles.

Only the rules load with the package; what needs numpy or numba loads on first use.
"""

from cgt_games.games.otter.rules import AB, Otter, Placement

__all__ = ["AB", "Otter", "Placement"]
