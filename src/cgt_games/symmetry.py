"""Symmetries of boards as permutation groups.

A :class:`Symmetry` is a permutation of a board's cells, with a word on whether it swaps the players' goals. The groups
are those of sympy; kernels take the plain index arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cgt_games.position import Move, Position

if TYPE_CHECKING:
    from sympy.combinatorics import PermutationGroup


@dataclass(frozen=True, slots=True)
class Symmetry:
    """A permutation of a board's cells: what is on cell ``i`` goes to cell ``images[i]``.

    ``swaps_goals`` says whether Left's goal becomes Right's and Right's Left's; the players then change places with
    their goals.
    """

    name: str
    images: tuple[int, ...]
    swaps_goals: bool = False

    @property
    def inverse(self) -> Symmetry:
        """The permutation that undoes this one."""
        back = [0] * len(self.images)
        for cell, image in enumerate(self.images):
            back[image] = cell
        return Symmetry(f"inverse of {self.name}", tuple(back), self.swaps_goals)

    def permute(self, board: Sequence[Any]) -> list[Any]:
        """The board's contents, moved.

        >>> Symmetry("shift", (1, 2, 0)).permute("abc")
        ['c', 'a', 'b']
        """
        moved: list[Any] = [None] * len(self.images)
        for cell, image in enumerate(self.images):
            moved[image] = board[cell]
        return moved

    @property
    def cycles(self) -> list[int]:
        """The lengths of the cycles, fixed cells included, in increasing order."""
        lengths, seen = [], [False] * len(self.images)
        for start in range(len(self.images)):
            length, cell = 0, start
            while not seen[cell]:
                seen[cell] = True
                cell = self.images[cell]
                length += 1
            if length:
                lengths.append(length)
        return sorted(lengths)


def rectangle(rows: int, columns: int) -> dict[str, Symmetry]:
    """The symmetries of a board of ``rows`` x ``columns`` cells, numbered row by row from the top left.

    Four, and on a square eight. No goals are known here: a game sets ``swaps_goals`` with ``dataclasses.replace``.

    >>> list(rectangle(2, 3))
    ['identity', 'half turn', 'left-right flip', 'top-bottom flip']
    >>> rectangle(2, 3)["left-right flip"].images
    (2, 1, 0, 5, 4, 3)
    """
    last_row, last_column = rows - 1, columns - 1
    maps: dict[str, Callable[[int, int], tuple[int, int]]] = {
        "identity": lambda r, c: (r, c),
        "half turn": lambda r, c: (last_row - r, last_column - c),
        "left-right flip": lambda r, c: (r, last_column - c),
        "top-bottom flip": lambda r, c: (last_row - r, c),
    }
    if rows == columns:
        maps |= {
            "main diagonal flip": lambda r, c: (c, r),
            "other diagonal flip": lambda r, c: (last_row - c, last_row - r),
            "clockwise turn": lambda r, c: (c, last_row - r),
            "counterclockwise turn": lambda r, c: (last_row - c, r),
        }
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    return {
        name: Symmetry(name, tuple(row * columns + column for row, column in (where(r, c) for r, c in cells)))
        for name, where in maps.items()
    }


def group(symmetries: Iterable[Symmetry]) -> PermutationGroup:
    """The permutation group that the symmetries generate, as sympy knows it (of degree = number of cells)."""
    from sympy.combinatorics import Permutation, PermutationGroup

    return PermutationGroup([Permutation(list(symmetry.images)) for symmetry in symmetries])


def burnside(symmetries: Sequence[Symmetry], fixed: Callable[[Symmetry], int]) -> int:
    """The number of orbits of a set of boards: the mean, over the group, of how many boards each element fixes.

    ``symmetries`` must be all elements of a group, once each; ``fixed`` gives an exact count. Raises ValueError if the
    mean is not whole, which no group and no true count can give. Source: Burnside's (Cauchy-Frobenius) lemma.

    Two-colourings of a 2x2 board up to its eight symmetries:

    >>> burnside(list(rectangle(2, 2).values()), lambda s: 2 ** len(s.cycles))
    6
    """
    if len({symmetry.images for symmetry in symmetries}) != len(symmetries):
        raise ValueError("a symmetry is listed twice")
    orbits, rest = divmod(sum(map(fixed, symmetries)), len(symmetries))
    if rest:
        raise ValueError("these symmetries are no group, or the counts of fixed boards are wrong")
    return orbits


def elements(symmetries: Sequence[Symmetry]) -> list[Symmetry]:
    """All elements of the group that the symmetries generate; each says whether it swaps the goals.

    Cost: the order of the group times the number of cells, so mind the rows of a large Northcott board.
    """
    if not symmetries:
        return []
    cells = len(symmetries[0].images)
    found: dict[tuple[int, ...], Symmetry] = {}
    queue = [Symmetry("identity", tuple(range(cells)))]
    found[queue[0].images] = queue[0]
    for here in queue:
        for step in symmetries:
            images = tuple(step.images[image] for image in here.images)
            if images not in found:
                name = step.name if here is queue[0] else f"{here.name}, {step.name}"
                found[images] = Symmetry(name, images, here.swaps_goals != step.swaps_goals)
                queue.append(found[images])
    return queue


def boards_up_to_symmetry(position: Position) -> int:
    """The number of boards of this position's size and rules, counting those alike under its symmetries once.

    By Burnside's lemma from :meth:`~cgt_games.Position.fixed_boards`. Raises CGTError for a game without a board.

    >>> from cgt_games import Northcott
    >>> boards_up_to_symmetry(Northcott.from_text("L..R/L..R"))  # 36 boards; rows change places, left and right too
    13
    """
    group = elements(position.symmetries())
    if not group:
        return position.fixed_boards(Symmetry("identity", ()))
    return burnside(group, position.fixed_boards)


def move_orbits(position: Position) -> list[tuple[Move, ...]]:
    """The legal moves, grouped by the symmetries that leave the position as it is.

    The first of each group in the order of ``legal_moves`` stands for it: solving it solves all. Symmetries that swap
    the players' goals are left out: they exchange the movers.

    >>> from cgt_games import Otter
    >>> len(move_orbits(Otter.empty()))
    96
    """
    keeping = position.fixing_symmetries()
    if keeping is None:
        group = elements(position.symmetries())
        keeping = tuple(s for s in group if not s.swaps_goals and position.transform(s) == position)
    orbits: list[tuple[Move, ...]] = []
    seen: set[Move] = set()
    for move in position.legal_moves:
        if move not in seen:
            orbit = [move]
            seen.add(move)
            for here in orbit:  # it grows while we walk along it
                for image in (position.transform_move(here, s) for s in keeping):
                    if image not in seen:
                        seen.add(image)
                        orbit.append(image)
            orbits.append(tuple(orbit))
    return orbits
