"""What a move looks like at first sight: the static bounds of the search, as a plain function.

After a move each path comes to at least its sum and the smallest unused numbers for its empty cells, at most its sum
and the largest. The least of these over a player's paths bound the player's score, hence the margin. Moves are ranked
by the middle of the bounds on the margin; of equals the first in an order in which numbers alternate, the smallest, the
greatest, the second smallest and so on, and cells go from the top left.
"""

from __future__ import annotations

import numpy as np

from cgt_games.games.otter.rules import Otter, Placement, cell_names
from cgt_games.games.otter.search import CELLS, shape_tables
from cgt_games.position import CGTError


def ranking(position: Otter) -> list[tuple[Placement, float]]:
    """All moves, the most promising for the player to move first, each with the middle of its bounds on the margin.

    Raises CGTError for boards of more than 16 cells. Cost: about 20 microseconds a move.
    """
    if len(position.cells) > CELLS:
        raise CGTError(f"moves are ranked on boards of up to {CELLS} cells, not {len(position.cells)}")
    through = (shape_tables(position.rows, position.columns)[0].reshape(CELLS, -1) > 0).astype(np.int64)
    cells = np.zeros(CELLS, dtype=np.int64)
    cells[: len(position.cells)] = position.cells
    names = cell_names(position.rows, position.columns)
    empty = [index for index, number in enumerate(position.cells) if number == 0]
    unused = position.unused
    sums = cells @ through
    counts = through[empty].sum(axis=0)
    sign = 1 if position.to_move.is_left else -1
    ranked = []
    for number in alternating(unused):
        rest = [x for x in unused if x != number]
        least = np.concatenate([[0], np.cumsum(rest)]).astype(np.int64)
        greatest = np.concatenate([[0], np.cumsum(rest[::-1])]).astype(np.int64)
        for index in empty:
            fixed = sums + number * through[index]
            left = counts - through[index]
            low_a, low_b = (fixed + least[left]).reshape(2, -1).min(axis=1).tolist()
            high_a, high_b = (fixed + greatest[left]).reshape(2, -1).min(axis=1).tolist()
            ranked.append((Placement(number, names[index]), (low_b - high_a + high_b - low_a) / 2))
    return sorted(ranked, key=lambda entry: -sign * entry[1])  # a stable sort


def alternating(numbers: list[int]) -> list[int]:
    """The smallest, the greatest, the second smallest and so on.

    >>> alternating([1, 2, 3, 4, 5])
    [1, 5, 2, 4, 3]
    """
    count = len(numbers)
    return [numbers[turn // 2] if turn % 2 == 0 else numbers[count - 1 - turn // 2] for turn in range(count)]
