"""How many legal positions a board has, and how many of them a symmetry keeps: exact counts without listing them.

A position is legal iff no 2x2 square is bare (see :class:`Square`), so legality is a set of conditions on four points
each, and the count is found by eliminating one point after the other: only the points of squares that are still open
have to be remembered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from cgt_games.games.slither.board import Board, bits
from cgt_games.symmetry import Symmetry

EMPTY, BLACK, WHITE = 0, 1, 2
SWAPPED = (EMPTY, WHITE, BLACK)


def count_legal(board: Board, symmetry: Symmetry | None = None, *, full: bool = False) -> int:
    """The number of legal positions, side to move apart, that the symmetry maps to themselves (default: of all).

    With ``full`` only boards without an empty point count. Cost: at worst 3 to the power of the points that are
    remembered at once, about the shorter side of the board plus one for all positions, and up to twice that for those
    of a symmetry.

    >>> [count_legal(Board(n, n)) for n in range(1, 6)]
    [3, 67, 10053, 9921237, 64897726923]
    >>> [count_legal(Board(n, n), full=True) for n in range(1, 6)]
    [2, 14, 322, 23858, 5735478]
    """
    size = board.rows * board.columns
    if symmetry is None:
        symmetry = Symmetry("identity", tuple(range(size)))
    # Point i has the colour of its cycle's first point, or that colour exchanged.
    leader, exchanged, odd = [-1] * size, [False] * size, [False] * size
    for start in range(size):
        point, turns = start, False
        while leader[point] < 0:
            leader[point], exchanged[point] = start, turns
            point, turns = symmetry.images[point], turns != symmetry.swaps_goals
        # Back at the start with colours exchanged: a fixed position has no stone there.
        odd[start] = odd[leader[start]] or (leader[start] == start and turns)
    order = range(size) if board.columns <= board.rows else sorted(range(size), key=lambda i: i % board.columns)
    squares = [tuple(bits(square.points)) for square in board.squares]

    # Each square is looked at when the last of its cycles gets its colour; a cycle is forgotten after its last square.
    cycles = list(dict.fromkeys(leader[point] for point in order))
    when = {cycle: number for number, cycle in enumerate(cycles)}
    closing: list[list[tuple[int, ...]]] = [[] for _ in cycles]
    last = dict(when)
    for square in squares:
        moment = max(when[leader[point]] for point in square)
        closing[moment].append(square)
        for point in square:
            last[leader[point]] = max(last[leader[point]], moment)

    kept: list[int] = []
    ways: Counter[tuple[int, ...]] = Counter({(): 1})
    for number, cycle in enumerate(cycles):
        colours = [EMPTY] if odd[cycle] else [EMPTY, BLACK, WHITE]
        if full:
            colours.remove(EMPTY)
        kept.append(cycle)
        index = {c: place for place, c in enumerate(kept)}
        tests = [_bare_test([(index[leader[p]], exchanged[p]) for p in square]) for square in closing[number]]
        stays = [place for place, c in enumerate(kept) if last[c] > number]
        after: Counter[tuple[int, ...]] = Counter()
        for before, count in ways.items():
            for colour in colours:
                state = (*before, colour)
                if not any(test(state) for test in tests):
                    after[tuple([state[place] for place in stays])] += count
        ways, kept = after, [kept[place] for place in stays]
    return ways.total()


def _bare_test(places: list[tuple[int, bool]]) -> Callable[[tuple[int, ...]], bool]:
    """Whether a square is bare for some colour, from the colours remembered; its points are given row by row."""
    (a, p), (b, q), (c, r), (d, s) = places

    def is_bare(state: tuple[int, ...]) -> bool:
        w, x, y, z = state[a], state[b], state[c], state[d]
        w, x, y, z = (
            SWAPPED[w] if p else w,
            SWAPPED[x] if q else x,
            SWAPPED[y] if r else y,
            SWAPPED[z] if s else z,
        )
        return (w == z != EMPTY and w not in (x, y)) or (x == y != EMPTY and x not in (w, z))

    return is_bare
