"""Slither on one machine word a colour (numba): boards of at most 8 rows and 8 columns.

Point (row, column) from the top left is bit ``8 * row + column`` whatever the size of the board, so that a step is a
shift by a constant. Which points may be taken is computed for all points at once, and the distinct results of a turn
are made without a table: a turn that moves a stone from s leaves {x, y} new and s empty, where x or y is a king's step
from s; each such pair is made once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

MOST_SIDE = 8
"""The longest side of a board that fits."""
ONE = np.uint64(1)
NONE = np.uint64(0)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
ROW = np.uint64(8)
NOT_FIRST = np.uint64(0xFEFEFEFEFEFEFEFE)
NOT_LAST = np.uint64(0x7F7F7F7F7F7F7F7F)
TWO, FOUR = np.uint64(2), np.uint64(4)
EIGHT, SIXTEEN, HALF = np.uint64(8), np.uint64(16), np.uint64(32)
PAIRS, NIBBLES, BYTES = (np.uint64(k) for k in (0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F))
SEVEN_BITS = np.uint64(0x7F)


class Frame(NamedTuple):
    """A board: its points and its edges, uint64 each, for ``bits`` and ``search``."""

    board: np.uint64
    top: np.uint64
    bottom: np.uint64
    left: np.uint64
    right: np.uint64


def frame(rows: int, columns: int) -> Frame:
    """The board of this size, at most 8 x 8."""
    row = (1 << columns) - 1
    board = sum(row << 8 * r for r in range(rows))
    left = sum(1 << 8 * r for r in range(rows))
    masks = (board, row, row << 8 * (rows - 1), left, left << (columns - 1))
    return Frame(*(np.uint64(mask) for mask in masks))


def spread(mask: int, rows: int, columns: int) -> np.uint64:
    """A set of points of a board (bit ``row * columns + column``) as a word here."""
    line = (1 << columns) - 1
    return np.uint64(sum((mask >> r * columns & line) << 8 * r for r in range(rows)))


def gather(word: int, rows: int, columns: int) -> int:
    """The inverse of :func:`spread`."""
    line = (1 << columns) - 1
    return sum((int(word) >> 8 * r & line) << r * columns for r in range(rows))


@njit(cache=True)
def popcount(x):
    """The number of points in a set."""
    x = x - ((x >> ONE) & PAIRS)
    x = (x & NIBBLES) + ((x >> TWO) & NIBBLES)
    x = (x + (x >> FOUR)) & BYTES
    x = x + (x >> EIGHT)
    x = x + (x >> SIXTEEN)
    return np.int64((x + (x >> HALF)) & SEVEN_BITS)


@njit(cache=True)
def lowest(x):
    """The lowest point of a set, as a set; the set must not be empty."""
    return x & (~x + ONE)


@njit(cache=True)
def sideways(x):
    """The neighbours of a set to the left and right."""
    return ((x & NOT_FIRST) >> ONE) | ((x & NOT_LAST) << ONE)


@njit(cache=True)
def grow(x):
    """A set with its orthogonal neighbours, some of them perhaps off the board."""
    return x | sideways(x) | (x << ROW) | (x >> ROW)


@njit(cache=True)
def king(x):
    """The points that a king's step from a set reaches, and the set, some of them perhaps off the board."""
    x = x | sideways(x)
    return x | (x << ROW) | (x >> ROW)


@njit(cache=True)
def flood(start, within):
    """The points of ``within`` joined to ``start``, a part of it, by orthogonal steps in it."""
    reached = start
    while True:
        grown = grow(reached) & within
        if grown == reached:
            return reached
        reached = grown


@njit(cache=True)
def connects(own, first, last):
    """Whether stones join two edges."""
    start = own & first
    if start == NONE or own & last == NONE:
        return False
    return flood(start, own) & last != NONE


@njit(cache=True)
def edges(frame, whites):
    """The two edges that a player connects."""
    return (frame.left, frame.right) if whites else (frame.top, frame.bottom)


@njit(cache=True)
def legal_places(own, empty):
    """The empty points where one more stone leaves no bare square, if there was none before."""
    north, south = own << ROW, own >> ROW  # the points with an own stone to their north, south ...
    west, east = (own & NOT_LAST) << ONE, (own & NOT_FIRST) >> ONE
    bare = ((north & NOT_LAST) << ONE) & ~(north | west)
    bare |= ((north & NOT_FIRST) >> ONE) & ~(north | east)
    bare |= ((south & NOT_LAST) << ONE) & ~(south | west)
    bare |= ((south & NOT_FIRST) >> ONE) & ~(south | east)
    return empty & ~bare


@njit(cache=True)
def bare_squares(own):
    """The top left points of the squares that are bare for these stones."""
    south, east = own >> ROW, (own & NOT_FIRST) >> ONE
    both = (south & NOT_FIRST) >> ONE
    return (own & both & ~(south | east)) | (south & east & ~(own | both))


@njit(cache=True)
def places(own, empty):
    """The empty points where one more stone leaves no bare square, whatever there is before."""
    allowed = legal_places(own, empty)
    bare = bare_squares(own)
    while bare and allowed:
        corner = lowest(bare)
        bare ^= corner
        pair = corner | corner << ONE
        allowed &= pair | pair << ROW
    return allowed


@njit(cache=True)
def movable(own, other, advanced):
    """The stones that may be moved: in the advanced game, those of groups with stones of both colours."""
    if not advanced:
        return own
    return flood(own & grow(other), own | other) & own if own & grow(other) else NONE


@njit(cache=True)
def count_turns(own, other, board, advanced):
    """The number of turns, and of their distinct results, as a pair."""
    empty = board & ~(own | other)
    turns = results = popcount(legal_places(own, empty))
    sources = movable(own, other, advanced)
    while sources:
        source = lowest(sources)
        sources ^= source
        targets = king(source) & empty
        seen = source  # placing on the source gives what a placement alone gives
        while targets:
            target = lowest(targets)
            targets ^= target
            allowed = places(own ^ source | target, empty ^ target | source)
            turns += popcount(allowed)
            results += popcount(allowed & ~seen)
            seen |= target
    return turns, results


@njit(cache=True)
def list_results(own, other, board, advanced, after, start):
    """Write the mover's stones after each distinct result to ``after`` from index ``start``; return the end."""
    empty = board & ~(own | other)
    plain = legal_places(own, empty)
    while plain:
        place = lowest(plain)
        plain ^= place
        after[start] = own | place
        start += 1
    sources = movable(own, other, advanced)
    while sources:
        source = lowest(sources)
        sources ^= source
        targets = king(source) & empty
        seen = source
        while targets:
            target = lowest(targets)
            targets ^= target
            moved = own ^ source | target
            allowed = places(moved, empty ^ target) & ~seen
            while allowed:
                place = lowest(allowed)
                allowed ^= place
                after[start] = moved | place
                start += 1
            seen |= target
    return start


@njit(cache=True)
def list_all(stones, board, advanced, after):
    """List the results of many positions one after the other, each over the last, and return how many in all.

    ``stones``: uint64 (N, 2), of the player to move and the other; for measuring.
    """
    total = 0
    for i in range(len(stones)):
        total += list_results(stones[i, 0], stones[i, 1], board, advanced, after, 0)
    return total


@njit(cache=True)
def ways(own, after, sources):
    """How many turns lead from the stones ``own`` to ``after``, one of the results; ``sources`` may be moved."""
    left, new = own & ~after, after & ~own
    if left:
        return popcount(king(left) & new)
    return 1 + popcount(king(new) & sources)


def most_results(points: int) -> int:
    """A bound on the distinct results of one turn on a board: points, and own stones x 8 steps x empty points."""
    return points + 8 * (points // 2) * (points - points // 2)


@njit(cache=True)
def perft(black, white, whites_turn, depth, turns, advanced, frame, after, number, index, end):
    """The number of sequences of ``depth`` >= 1 turns (with ``turns``), or of distinct results.

    Room to work in: ``after`` (uint64) for the results of ``depth`` positions, one after the other; ``number`` of ways
    to the position of a level, the ``index`` of its next result and the ``end`` of them, int64 (``depth``,) each.
    """
    owns, others = np.zeros(depth, np.uint64), np.zeros(depth, np.uint64)
    owns[0], others[0] = (white, black) if whites_turn else (black, white)
    number[0], index[0], total, level = 1, -1, 0, 0
    if connects(owns[0], *edges(frame, whites_turn)):
        return 0
    while level >= 0:
        own, other = owns[level], others[level]
        if index[level] < 0:  # the results are not listed yet
            if connects(other, *edges(frame, whites_turn ^ (level % 2 == 0))):
                level -= 1
                continue
            if level == depth - 1:
                counts = count_turns(own, other, frame.board, advanced)
                count = counts[0] if turns else counts[1]
                if count == 0 and count_turns(other, own, frame.board, advanced)[0]:
                    count = 1  # a forced pass
                total += number[level] * count
                level -= 1
                continue
            index[level] = end[level - 1] if level else 0
            end[level] = list_results(own, other, frame.board, advanced, after, index[level])
            if end[level] == index[level] and count_turns(other, own, frame.board, advanced)[0]:
                after[end[level]] = own
                end[level] += 1
        if index[level] == end[level]:
            level -= 1
            continue
        result = after[index[level]]
        index[level] += 1
        way = ways(own, result, movable(own, other, advanced)) if turns and result != own else 1
        level += 1
        owns[level], others[level] = other, result
        number[level], index[level] = number[level - 1] * way, -1
    return total


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
