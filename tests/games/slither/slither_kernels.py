"""Positions as the kernels take them."""

from __future__ import annotations

import numpy as np

from cgt_games.games.slither import bits
from cgt_games.games.slither.rules import Colour


def words(position):
    """The stones of the player to move and of the other, as words."""
    black, white = (bits.spread(own, position.rows, position.columns) for own in (position.black, position.white))
    return (white, black) if position.to_move is Colour.WHITE else (black, white)


def kernel_perft(position, depth, *, distinct):
    number, index, end = np.zeros((3, depth), np.int64)
    after = np.zeros(depth * bits.most_results(position.size), np.uint64)
    black, white = (bits.spread(own, position.rows, position.columns) for own in (position.black, position.white))
    whites, advanced = position.to_move is Colour.WHITE, position.variant == "advanced"
    frame = bits.frame(position.rows, position.columns)
    return bits.perft(black, white, whites, depth, not distinct, advanced, frame, after, number, index, end)
