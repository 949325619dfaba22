"""A look ahead for positions of Slither that are too large to solve: alpha-beta over the turns that look best (numba).

A player's *potential* is how far it is from connecting: the fewest empty points a chain still needs, and, at equal
numbers, how narrow the narrowest step of all such chains is. Turns are ranked by the difference of both potentials, and
the best few of them are looked at further. What a single turn decides is never left to that: who can connect does, and
of turns that let the opponent connect none is looked at (see ``search.winning_turns``).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from cgt_games.games.slither.bits import connects, edges, flood, grow, list_results, movable, popcount
from cgt_games.games.slither.search import MOST_THREATS, winning_turns

WIN = 1 << 20
"""The value of a won position, less the turns to the end."""
BLOCKED = 1 << 12
"""The potential of a player for whom no chain is left without moving stones."""
TO_MOVE = 12
"""What the right to move is worth, in units of potential (16 a point)."""
DEEPEST = 8


@njit(cache=True)
def potential(own, empty, first, last):
    """16 for each empty point that a shortest chain needs, less up to 12 for how wide its narrowest step is; 0: joined.

    A step's width is the number of points that can be the chain's k-th new one.
    """
    ahead = np.empty(64, np.uint64)
    reached = flood(own & first, own)
    steps = 0
    while not reached & last:
        step = (grow(reached) | first) & empty & ~reached
        if not step:
            return BLOCKED
        ahead[steps] = step
        reached |= step
        reached |= flood(grow(step) & own, own)
        steps += 1
    reached = flood(own & last, own)
    width = 64
    for k in range(steps - 1, -1, -1):
        step = (grow(reached) | last) & empty & ~reached
        width = min(width, popcount(step & ahead[k]))
        reached |= step
        reached |= flood(grow(step) & own, own)
    return 16 * steps - 4 * min(width, 3) if steps else 0


@njit(cache=True)
def list_best(own, other, whites, frame, advanced, width, chosen, scores, results, cells, sources):
    """The ``width`` best results of a turn that do not let the opponent connect; returns how many, best first.

    The player to move must not be able to connect. ``chosen`` (uint64) and ``scores`` (int64) receive the stones after
    the turn and their worth for the player.
    """
    board = frame.board
    first, last = edges(frame, whites)
    first_other, last_other = edges(frame, not whites)
    threats = winning_turns(other, own, board, first_other, last_other, advanced, MOST_THREATS, cells, sources)
    one_cell, one_source = cells[MOST_THREATS:], sources[MOST_THREATS:]
    count = 0
    for i in range(list_results(own, other, board, advanced, results, 0)):
        after = results[i]
        if threats:
            new, mobile, is_open = after & ~own, movable(other, after, advanced), False
            for k in range(threats):
                if not cells[k] & new and (not sources[k] or sources[k] & mobile):
                    is_open = True
                    break
            if is_open:
                continue
        empty = board & ~(after | other)
        score = potential(other, empty, first_other, last_other) - potential(after, empty, first, last)
        if count == width and score <= scores[count - 1]:
            continue
        if winning_turns(other, after, board, first_other, last_other, advanced, 1, one_cell, one_source):
            continue
        count = min(count + 1, width)
        at = count - 1
        while at > 0 and scores[at - 1] < score:
            chosen[at], scores[at] = chosen[at - 1], scores[at - 1]
            at -= 1
        chosen[at], scores[at] = after, score
    return count


@njit(cache=True)
def look_ahead(own, other, whites, depth, alpha, beta, frame, advanced, width, results, cells, sources):
    """The worth of a position for the player to move, by ``depth`` <= DEEPEST turns of the best ``width`` each.

    Fail-soft alpha-beta with an explicit stack. A value of WIN - 100 or more is a forced connection (every reply that
    does not lose at once was looked at only if there were at most ``width``, so it is no proof).
    """
    owns, others = np.zeros(DEEPEST + 1, np.uint64), np.zeros(DEEPEST + 1, np.uint64)
    lows, highs = np.zeros(DEEPEST + 1, np.int64), np.zeros(DEEPEST + 1, np.int64)
    bests, counts, at = (
        np.zeros(DEEPEST + 1, np.int64),
        np.zeros(DEEPEST + 1, np.int64),
        np.zeros(DEEPEST + 1, np.int64),
    )
    chosen, scores = np.zeros((DEEPEST + 1, width), np.uint64), np.zeros((DEEPEST + 1, width), np.int64)
    owns[0], others[0], lows[0], highs[0], at[0] = own, other, alpha, beta, -1
    level = 0
    value = np.int64(0)
    while True:
        is_done = False
        if at[level] < 0:
            own, other, turn = owns[level], others[level], whites ^ (level % 2 == 1)
            first, last = edges(frame, turn)
            if winning_turns(own, other, frame.board, first, last, advanced, 1, cells, sources):
                value, is_done = np.int64(WIN - level), True
            elif level == depth:
                first_other, last_other = edges(frame, not turn)
                empty = frame.board & ~(own | other)
                value = potential(other, empty, first_other, last_other) - potential(own, empty, first, last) + TO_MOVE
                is_done = True
            else:
                counts[level] = list_best(
                    own, other, turn, frame, advanced, width, chosen[level], scores[level], results, cells, sources
                )
                at[level], bests[level] = 0, np.int64(-(WIN - level - 1))  # all turns let the opponent connect
        if not is_done and (at[level] >= counts[level] or lows[level] >= highs[level]):
            value, is_done = bests[level], True
        if is_done:
            if level == 0:
                return value
            level -= 1
            bests[level] = max(bests[level], -value)
            lows[level] = max(lows[level], bests[level])
            continue
        after = chosen[level, at[level]]
        at[level] += 1
        owns[level + 1], others[level + 1] = others[level], after
        lows[level + 1], highs[level + 1], at[level + 1] = -highs[level], -lows[level], -1
        level += 1


@njit(cache=True)
def random_winner(own, other, whites, frame, advanced, seed, results):
    """Play from a position to the end, each distinct result of a turn with equal chance: 0 Black, 1 White, -1 a draw.

    ``seed`` is not zero; the numbers are those of a 64-bit xorshift (Marsaglia 2003), whose bias is far below any use
    here.
    """
    passes = 0
    while passes < 2:
        if connects(other, *edges(frame, not whites)):
            return 0 if whites else 1
        count = list_results(own, other, frame.board, advanced, results, 0)
        passes = 0 if count else passes + 1
        if count:
            seed ^= seed << np.uint64(13)
            seed ^= seed >> np.uint64(7)
            seed ^= seed << np.uint64(17)
            own = results[np.int64(seed % np.uint64(count))]
        own, other, whites = other, own, not whites
    return -1
