"""Path sums of many boards at once.

``evaluate`` takes N boards side by side: an array of shape (cells, N) in which column k is a board, its cells
row by row from the top left. So the same cell of neighbouring boards is neighbouring memory, and the compiler
turns each step of the sum into vector instructions over whole runs of boards.
"""

from __future__ import annotations

import numpy as np
from numba import njit

BLOCK = 1024
"""Boards treated together: their sums under way stay in the first cache."""


def sum_dtype(rows: int, columns: int) -> type[np.unsignedinteger]:
    """The smallest unsigned type that holds every path sum of full boards of this size.

    >>> sum_dtype(4, 4).__name__, sum_dtype(5, 5).__name__
    ('uint8', 'uint8')
    >>> sum_dtype(6, 6).__name__
    'uint16'
    """
    length, size = rows + columns - 1, rows * columns
    largest = sum(range(size - length + 1, size + 1))
    return np.uint8 if largest < 2**8 else np.uint16 if largest < 2**16 else np.uint32


def evaluate(boards: np.ndarray, columns: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """Both players' best (smallest) path values on each of N boards: two arrays of length N.

    ``boards``: shape (cells, N), unsigned, values 0 to the number of cells; a 0 (an empty cell) adds nothing.
    Best speed with the dtype of :func:`sum_dtype`, C-contiguous; others are copied into that. Raises
    ValueError for another shape. Cost: about 2 operations a cell and player, vectorised over boards.

    >>> a, b = evaluate(np.array([[1], [2], [3], [4]], dtype=np.uint8), columns=2)
    >>> int(a[0]), int(b[0])
    (7, 6)
    """
    if boards.ndim != 2 or columns < 2 or boards.shape[0] % columns or boards.shape[0] < 2 * columns:
        raise ValueError(f"boards of shape {boards.shape} are not (cells, N) with rows of {columns}")
    rows = boards.shape[0] // columns
    boards = np.ascontiguousarray(boards, dtype=sum_dtype(rows, columns))
    a = np.empty(boards.shape[1], dtype=boards.dtype)
    b = np.empty(boards.shape[1], dtype=boards.dtype)
    _evaluate(boards.reshape(-1), boards.shape[0], columns, a, b)
    return a, b


@njit(cache=True, nogil=True)
def _evaluate(flat, size, columns, a, b):
    """For each block and player: the least sum of a way to each cell of a row, row after row.

    Indices are unsigned and arrays are not sliced: with a test for negative indices, or a reference count, in
    the inner loops they would not become vector instructions.
    """
    one, block, columns = np.uint64(1), np.uint64(BLOCK), np.uint64(columns)
    n, rows = np.uint64(a.size), np.uint64(size) // columns
    ways = np.empty(columns * block, dtype=flat.dtype)
    for start in range(np.uint64(0), n, block):
        count = min(block, n - start)
        for player in range(2):
            for step in range(rows):
                row = step if player == 0 else rows - one - step
                for column in range(columns):
                    cell, here = (row * columns + column) * n + start, column * block
                    left = here - block if column else here
                    if step == 0 and column == 0:
                        for k in range(count):
                            ways[here + k] = flat[cell + k]
                    elif step == 0:
                        for k in range(count):
                            ways[here + k] = ways[left + k] + flat[cell + k]
                    elif column == 0:
                        for k in range(count):
                            ways[here + k] += flat[cell + k]
                    else:
                        for k in range(count):
                            across, down = ways[left + k], ways[here + k]
                            ways[here + k] = (across if across < down else down) + flat[cell + k]
            end = (columns - one) * block
            if player == 0:
                for k in range(count):
                    a[start + k] = ways[end + k]
            else:
                for k in range(count):
                    b[start + k] = ways[end + k]
