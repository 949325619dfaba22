"""Positions in which a player has no turn, found by exhaustion (numba): is there one in which neither has?

A player without a turn has no plain placement, so each empty point would make a bare square with the eight points
around it. Boards are filled point by point, and a line ends as soon as a point whose neighbours are all known is empty
and open, so only a small part of all legal positions is ever made.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from cgt_games.games.slither.bits import (
    bare_squares,
    connects,
    count_turns,
    edges,
    frame,
    gather,
    legal_places,
)


@njit(cache=True)
def count(board, known, corner, order, both, found):
    """Count positions with an empty point, in which nobody has connected and Black (with ``both``, and White) has no
    plain placement: all of them, and those in which Black (and White) has no turn at all, classic and advanced.

    ``order``: uint64, the points in reading order; ``corner``: for each the top left point of the square that it
    completes, or none; ``known``: the points whose neighbours it completes. ``found``: uint64 (N, 2), for the stones of
    Black and White in the first positions without a turn in the classic game.
    """
    points = len(order)
    black, white = np.zeros(points + 1, np.uint64), np.zeros(points + 1, np.uint64)
    next_colour = np.zeros(points + 1, np.int64)
    blocked = stuck = stuck_advanced = 0
    d = 0
    while d >= 0:
        if d == points:
            d -= 1
            b, w = black[points], white[points]
            if b | w == board.board or connects(b, *edges(board, False)) or connects(w, *edges(board, True)):
                continue
            blocked += 1
            if not count_turns(b, w, board.board, False)[0] and not (both and count_turns(w, b, board.board, False)[0]):
                if stuck < len(found):
                    found[stuck, 0], found[stuck, 1] = b, w
                stuck += 1
            if not count_turns(b, w, board.board, True)[0] and not (both and count_turns(w, b, board.board, True)[0]):
                stuck_advanced += 1
            continue
        colour = next_colour[d]
        if colour == 3:
            next_colour[d] = 0
            d -= 1
            continue
        next_colour[d] += 1
        b, w = black[d], white[d]
        if colour == 1:
            b |= order[d]
        elif colour == 2:
            w |= order[d]
        if (bare_squares(b) | bare_squares(w)) & corner[d]:
            continue
        open_points = known[d] & ~(b | w)
        if open_points and (legal_places(b, open_points) or (both and legal_places(w, open_points))):
            continue
        d += 1
        black[d], white[d] = b, w
    return blocked, stuck, stuck_advanced


@dataclass(frozen=True, slots=True)
class Stuck:
    """``blocked``: positions with an empty point that leave no plain placement, with nobody connected; ``classic`` and
    ``advanced``: those of them that leave no turn at all; ``examples`` of the classic game, as (black, white)."""

    blocked: int
    classic: int
    advanced: int
    examples: tuple[tuple[int, int], ...]


def count_stuck(rows: int, columns: int, *, both: bool, examples: int = 0) -> Stuck:
    """The positions in which Black, or with ``both`` neither player, has a turn. Sides to move apart.

    Cost: some seconds on 5 x 5, and about 30 times as long for one row or column more.
    """
    points = [(r, c) for r in range(rows) for c in range(columns)]
    order = np.array([1 << (8 * r + c) for r, c in points], np.uint64)
    corner = np.array([1 << (8 * (r - 1) + c - 1) if r and c else 0 for r, c in points], np.uint64)
    known = np.zeros(len(points), np.uint64)
    for number, (r, c) in enumerate(points):
        known[min(r + 1, rows - 1) * columns + min(c + 1, columns - 1)] |= order[number]
    found = np.zeros((examples, 2), np.uint64)
    blocked, classic, advanced = map(int, count(frame(rows, columns), known, corner, order, both, found))
    shown = [(gather(int(b), rows, columns), gather(int(w), rows, columns)) for b, w in found[:classic]]
    return Stuck(blocked, classic, advanced, tuple(shown))
