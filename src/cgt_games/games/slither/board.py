"""The geometry of a Slither board: points, edges, neighbours, and the 2x2 squares that the one condition is about.

Sets of points are Python integers, bit ``row * columns + column`` from the top left, so a board may have any size.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from cgt_games.position import InvalidPosition
from cgt_games.symmetry import Symmetry, rectangle

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def bits(mask: int) -> Iterator[int]:
    """The points of a set, in increasing order.

    >>> list(bits(0b1101))
    [0, 2, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class Square(NamedTuple):
    """Four points that touch: the whole set, and its two diagonals."""

    points: int
    falling: int
    rising: int

    def is_bare(self, own: int) -> bool:
        """Whether the stones ``own`` stand on one diagonal of this square and on nothing else of it.

        Two stones of a colour that touch diagonally share just the two other points of their square as orthogonal
        neighbours, so a position is legal iff no square is bare for either colour.
        """
        here = own & self.points
        return here == self.falling or here == self.rising


@dataclass(frozen=True)
class Board:
    """A board of ``rows`` x ``columns`` points. Make it by :func:`board_of`, which keeps what is computed here.

    Raises :class:`InvalidPosition` for a board without points or with more columns than there are letters.
    """

    rows: int
    columns: int

    def __post_init__(self) -> None:
        if self.rows < 1 or self.columns < 1:
            raise InvalidPosition(f"a board has at least one point, not {self.rows} x {self.columns}")
        if self.columns > len(LETTERS):
            raise InvalidPosition(f"{self.columns} columns: there are letters for {len(LETTERS)}")

    @cached_property
    def everything(self) -> int:
        """All points."""
        return (1 << self.rows * self.columns) - 1

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The points' names, a letter from the left and a number from the bottom, in the order of the bits."""
        return tuple(f"{LETTERS[c]}{self.rows - r}" for r in range(self.rows) for c in range(self.columns))

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The bit numbers by name."""
        return {name: number for number, name in enumerate(self.names)}

    def _points(self, cells: list[tuple[int, int]]) -> tuple[int, ...]:
        inside = [(r, c) for r, c in cells if 0 <= r < self.rows and 0 <= c < self.columns]
        return tuple(r * self.columns + c for r, c in inside)

    @cached_property
    def kings(self) -> tuple[tuple[int, ...], ...]:
        """For each point those that a king's step reaches."""
        steps = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if (a, b) != (0, 0)]
        cells = [(r, c) for r in range(self.rows) for c in range(self.columns)]
        return tuple(self._points([(r + a, c + b) for a, b in steps]) for r, c in cells)

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """For each point those beside it in its row or column."""
        cells = [(r, c) for r in range(self.rows) for c in range(self.columns)]
        return tuple(self._points([(r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)]) for r, c in cells)

    @cached_property
    def squares(self) -> tuple[Square, ...]:
        """All 2x2 squares."""
        found = []
        for r in range(self.rows - 1):
            for c in range(self.columns - 1):
                corner = 1 << r * self.columns + c
                falling = corner | corner << self.columns + 1
                rising = corner << 1 | corner << self.columns
                found.append(Square(falling | rising, falling, rising))
        return tuple(found)

    @cached_property
    def around(self) -> tuple[tuple[Square, ...], ...]:
        """For each point the squares that hold it."""
        return tuple(tuple(s for s in self.squares if s.points >> i & 1) for i in range(self.rows * self.columns))

    @cached_property
    def top_and_bottom(self) -> tuple[int, int]:
        """Black's edges."""
        row = (1 << self.columns) - 1
        return row, row << (self.rows - 1) * self.columns

    @cached_property
    def left_and_right(self) -> tuple[int, int]:
        """White's edges; a corner belongs to an edge of each player."""
        column = sum(1 << r * self.columns for r in range(self.rows))
        return column, column << self.columns - 1

    def reach(self, start: int, within: int) -> int:
        """The points of ``within`` that orthogonal steps in it join to ``start``, which is a part of it."""
        reached = frontier = start & within
        while frontier:
            steps = sum({1 << j for i in bits(frontier) for j in self.neighbours[i]})
            frontier = steps & within & ~reached
            reached |= frontier
        return reached

    def chain(self, own: int, edges: tuple[int, int]) -> tuple[int, ...]:
        """A shortest chain of ``own`` from one edge to the other, in order; empty if there is none."""
        first, last = edges
        came_from = dict.fromkeys(bits(own & first), -1)
        queue = list(came_from)
        for here in queue:
            if last >> here & 1:
                path = [here]
                while (here := came_from[here]) >= 0:
                    path.append(here)
                return tuple(reversed(path))
            for there in self.neighbours[here]:
                if own >> there & 1 and there not in came_from:
                    came_from[there] = here
                    queue.append(there)
        return ()

    def bare_square(self, own: int) -> Square | None:
        """The first square that is bare for these stones."""
        return next((square for square in self.squares if square.is_bare(own)), None)

    def placements(self, own: int, empty: int) -> Iterator[int]:
        """The points of ``empty`` on which one more stone of this colour leaves no bare square.

        Squares that are bare before must all get their third stone.
        """
        for square in self.squares:
            if square.is_bare(own):
                empty &= square.points
        for point in bits(empty):
            after = own | 1 << point
            if not any(square.is_bare(after) for square in self.around[point]):
                yield point

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """All symmetries of the board; quarter turns and diagonal flips turn each player's edges into the other's."""
        keep = ("identity", "half turn", "left-right flip", "top-bottom flip")
        return tuple(
            Symmetry(name, symmetry.images, name not in keep)
            for name, symmetry in rectangle(self.rows, self.columns).items()
        )


@lru_cache(maxsize=1 << 16)
def permuted(mask: int, images: tuple[int, ...]) -> int:
    """A set of points under a permutation.

    >>> permuted(0b011, (2, 1, 0)) == 0b110
    True
    """
    return sum(1 << images[i] for i in bits(mask))


@lru_cache(maxsize=64)
def board_of(rows: int, columns: int) -> Board:
    """The board of this size, made once."""
    return Board(rows, columns)
