"""Every position that can arise, valued without cuts, bounds or closed forms: for few empty cells, and as a check.

With k empty cells there are C(k, j)^2 j! positions with j more numbers placed, 1546 in all for k = 5, 130,922 for 7
and 1,441,729 for 8. Each has a code in base k + 1: for each empty cell a digit, 0 while it is empty and r for the
r-th unused number. A move makes a digit greater, so in decreasing order of the codes each position comes after those
it leads to.
"""

from __future__ import annotations

import numpy as np
from numba import njit

MOST = 8
"""Empty cells for which the table of codes (int16, 86 MB at eight) is still reasonable."""


def values(cells: tuple[int, ...], columns: int) -> np.ndarray:
    """The margins of all positions after this one, by code; that of the position itself at 0.

    ``cells`` has 0 for an empty cell, at most :data:`MOST` of them. Codes of no position (a number twice) hold
    nothing of meaning. Cost: (k + 1)^k codes, about 10 ns each.
    """
    empty = [index for index, number in enumerate(cells) if number == 0]
    unused = sorted(set(range(1, len(cells) + 1)).difference(cells))
    k = len(empty)
    if k > MOST:
        raise ValueError(f"{k} empty cells are more than the {MOST} that can be gone through in full")
    margins = np.zeros((k + 1) ** k, dtype=np.int16)
    board = np.array(cells, dtype=np.int64)
    a_first = (len(cells) - k) % 2 == 0
    _values(margins, board, columns, np.array(empty, dtype=np.int64), np.array(unused, dtype=np.int64), a_first)
    return margins


@njit(cache=True)
def _best_value(board, columns, upwards, ways):
    """The least value of a path on a full board: from the top left down, or from the bottom left upwards."""
    rows = len(board) // columns
    for step in range(rows):
        row = rows - 1 - step if upwards else step
        for column in range(columns):
            before = 0
            if step and column:
                before = min(ways[column - 1], ways[column])
            elif column:
                before = ways[column - 1]
            elif step:
                before = ways[column]
            ways[column] = before + board[row * columns + column]
    return ways[columns - 1]


@njit(cache=True, nogil=True)
def _values(margins, board, columns, empty, unused, a_first):
    k = len(empty)
    ways = np.zeros(columns, dtype=np.int64)
    digits = np.full(k, k)
    weights = np.ones(k, dtype=np.int64)
    for cell in range(1, k):
        weights[cell] = weights[cell - 1] * (k + 1)
    for code in range(len(margins) - 1, -1, -1):
        used = placed = 0
        legal = True
        for cell in range(k):
            digit = digits[cell]
            if digit:
                legal = legal and used >> digit & 1 == 0
                used |= 1 << digit
                placed += 1
        if legal and placed == k:
            for cell in range(k):
                board[empty[cell]] = unused[digits[cell] - 1]
            margins[code] = _best_value(board, columns, True, ways) - _best_value(board, columns, False, ways)
        elif legal:
            a_moves = a_first == (placed & 1 == 0)
            best = -32768 if a_moves else 32767
            for cell in range(k):
                if digits[cell] == 0:
                    for number in range(1, k + 1):
                        if used >> number & 1 == 0:
                            value = margins[code + number * weights[cell]]
                            best = max(best, value) if a_moves else min(best, value)
            margins[code] = best
        for cell in range(k):  # the next code
            digits[cell] -= 1
            if digits[cell] >= 0:
                break
            digits[cell] = k
