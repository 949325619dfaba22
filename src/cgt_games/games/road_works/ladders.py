"""Cities of one row of blocks, with collapse: the octal game 0.37.

Such a city is a ladder of n blocks. Its end columns have one crossing each that may be closed, and that takes the end
block away. Closing a crossing of another column makes the other one of the column a cut crossing, beside which both
neighbouring blocks fall: a ladder of i - 1 blocks and one of n - i - 1 are left. So the ladder is a heap of n of which
a move takes one, leaving one heap or none, or two, leaving two heaps, one or none: in octal notation 3 for taking one
and 7 for taking two (*Winning Ways*, chapter 4).
"""

from __future__ import annotations

import numpy as np


def ladder_values(most: int) -> list[int]:
    """The Grundy values of ladders of 0, 1, ..., ``most`` blocks. Cost: about ``most`` squared / 2 steps.

    >>> ladder_values(9)
    [0, 1, 2, 0, 1, 2, 3, 1, 2, 3]
    """
    if most < 0:
        raise ValueError(f"a ladder of {most} blocks: there are none of less than 0")
    values = np.zeros(most + 1, np.int64)
    for n in range(1, most + 1):
        # Two heaps of i - 1 and n - i - 1; half of the splits are enough, the others are their mirror images.
        split = values[: n // 2] ^ values[n - 1 - n // 2 : n - 1][::-1]
        seen = np.zeros(max(split.max(initial=0), values[n - 1]) + 2, bool)
        seen[split] = True
        seen[values[n - 1]] = True
        values[n] = np.argmin(seen)  # its last entry is never seen
    return [int(value) for value in values]


def second_player_wins(most: int) -> list[int]:
    """The numbers of blocks, from 1 to ``most``, of ladders that the player to move loses: Grundy value 0."""
    return [n for n, value in enumerate(ladder_values(most)) if n and not value]
