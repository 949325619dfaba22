"""The winner of every legal position of a small board, by plain backward induction (numba).

No search, no symmetry, no pruning: positions are taken by falling number of stones, and each turn but a pass adds one,
so what a turn leads to is known. An independent check of ``search``, for boards of at most 16 points.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from cgt_games.games.slither.bits import (
    NONE,
    bare_squares,
    connects,
    edges,
    frame,
    list_results,
    most_results,
    popcount,
    spread,
)

MOST_POINTS = 16
"""A board of 4 x 4 has 3 ** 16 colourings, one byte each."""
LEGAL, BLACK_WINS, WHITE_BEGINS_BLACK_WINS, DRAWN = 1, 2, 4, 8


@njit(cache=True)
def gathered(word, rows, columns):
    """A set of points with bit ``row * columns + column``, from a word with eight bits a row."""
    line = np.uint64((1 << columns) - 1)
    mask = np.int64(0)
    for r in range(rows):
        mask |= np.int64(word >> np.uint64(8 * r) & line) << r * columns
    return mask


@njit(cache=True)
def analyse(words, code, board, rows, columns, advanced, room):
    """What is known of every colouring of a board, at index ``code[black] + 2 * code[white]``; uint8.

    LEGAL; BLACK_WINS: with Black to move Black wins; WHITE_BEGINS_BLACK_WINS: with White to move Black wins; DRAWN:
    neither player has a turn, and nobody has connected. ``words``: the word of each set of points; ``code``: its number
    in base three; ``room``: for the results of a turn.
    """
    points = rows * columns
    value = np.zeros(3**points, np.uint8)
    legal = np.array([mask for mask in range(1 << points) if bare_squares(words[mask]) == NONE])
    # All legal positions, by number of stones.
    starts = np.zeros(points + 2, np.int64)
    for black in legal:
        for white in legal:
            if not black & white:
                starts[popcount(words[black | white]) + 1] += 1
    starts = np.cumsum(starts)
    blacks, whites = np.zeros(starts[-1], np.int64), np.zeros(starts[-1], np.int64)
    place = starts[:-1].copy()
    for black in legal:
        for white in legal:
            if not black & white:
                stones = popcount(words[black | white])
                blacks[place[stones]], whites[place[stones]] = black, white
                place[stones] += 1
    for stones in range(points, -1, -1):
        for i in range(starts[stones], starts[stones + 1]):
            value[code[blacks[i]] + 2 * code[whites[i]]] = judge(
                blacks[i], whites[i], words, code, board, rows, columns, advanced, room, value
            )
    return value


@njit(cache=True)
def judge(black, white, words, code, board, rows, columns, advanced, room, value):
    """The entry of a legal position, from those of positions with one stone more."""
    if connects(words[black], *edges(board, False)):
        return np.uint8(LEGAL | BLACK_WINS | WHITE_BEGINS_BLACK_WINS)
    if connects(words[white], *edges(board, True)):
        return np.uint8(LEGAL)
    # Does Black win when Black begins, and when White does? -1: who begins has no turn.
    begins_black = begins_white = -1
    for i in range(list_results(words[black], words[white], board.board, advanced, room, 0)):
        begins_black = max(begins_black, 0)
        if value[code[gathered(room[i], rows, columns)] + 2 * code[white]] & WHITE_BEGINS_BLACK_WINS:
            begins_black = 1
            break
    for i in range(list_results(words[white], words[black], board.board, advanced, room, 0)):
        begins_white = 1 if begins_white < 0 else begins_white
        if not value[code[black] + 2 * code[gathered(room[i], rows, columns)]] & BLACK_WINS:
            begins_white = 0
            break
    if begins_black < 0 and begins_white < 0:
        return np.uint8(LEGAL | DRAWN)
    # A forced pass leaves the position to the other player.
    begins_black = begins_white if begins_black < 0 else begins_black
    begins_white = begins_black if begins_white < 0 else begins_white
    return np.uint8(LEGAL | BLACK_WINS * begins_black | WHITE_BEGINS_BLACK_WINS * begins_white)


@njit(cache=True)
def count_full(rows, columns, board):
    """The full legal boards, and those of them with exactly one winner."""
    count = one_winner = 0
    for black in range(1 << rows * columns):
        stones = NONE
        for r in range(rows):
            stones |= (np.uint64(black) >> np.uint64(r * columns) & board.top) << np.uint64(8 * r)
        # On a full board a square is bare for both colours or for none.
        if bare_squares(stones) == NONE:
            count += 1
            rest = board.board & ~stones
            one_winner += connects(stones, *edges(board, False)) != connects(rest, *edges(board, True))
    return count, one_winner


def full_boards(side: int) -> tuple[int, int]:
    """How many full boards of this side are legal, and how many of those have exactly one winner. 5: a second."""
    count, one_winner = count_full(side, side, frame(side, side))
    return int(count), int(one_winner)


class Retrograde:
    """The winner of every legal position of one board and variant. Raises ValueError for more than 16 points.

    Cost: 4 x 4 takes 43 MB, 160 MB on the way, and some seconds; smaller boards next to nothing.
    """

    def __init__(self, rows: int, columns: int, *, advanced: bool):
        points = rows * columns
        if points > MOST_POINTS:
            raise ValueError(f"{rows} x {columns} is too large a board: at most {MOST_POINTS} points")
        words = np.array([spread(mask, rows, columns) for mask in range(1 << points)], np.uint64)
        code = np.zeros(1 << points, np.int64)
        for i in range(points):
            code[1 << i : 2 << i] = code[: 1 << i] + 3**i
        self.code = code
        room = np.zeros(most_results(points), np.uint64)
        self.value = analyse(words, code, frame(rows, columns), rows, columns, advanced, room)

    def black_wins(self, black: int, white: int, *, whites_turn: bool) -> bool:
        """Whether Black wins; stones as bits ``row * columns + column``. Raises ValueError for no legal position."""
        entry = self.value[self.code[black] + 2 * self.code[white]]
        if not entry & LEGAL:
            raise ValueError("no legal position")
        return bool(entry & (WHITE_BEGINS_BLACK_WINS if whites_turn else BLACK_WINS))

    def counts(self) -> dict[str, int]:
        """The numbers of legal positions: all, those that Black wins by who begins, and those without any turn."""
        return {
            "legal": int(np.count_nonzero(self.value & LEGAL)),
            "black_wins_if_black_begins": int(np.count_nonzero(self.value & BLACK_WINS)),
            "black_wins_if_white_begins": int(np.count_nonzero(self.value & WHITE_BEGINS_BLACK_WINS)),
            "without_turns": int(np.count_nonzero(self.value & DRAWN)),
        }
