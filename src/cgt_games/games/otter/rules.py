"""Nimbler Otter: the rules.

The board has 4 x 4 cells and there are the numbers 1 to 16, each to be used once. Players A and B alternate
and A begins. A move puts any unused number into any empty cell. When the board is full the game is over.

An A-path is a chain of seven cells, each adjacent by a side to the next, from the top left cell to the bottom
right cell; a B-path goes from the bottom left to the top right. There are 20 of each. The value of a path is
the sum of its numbers, the score of a player the smallest value among that player's paths, and the player
with the *smaller* score wins; equal scores are a draw. The *margin* is B's score less A's: A, who wins if it
is positive, maximises it.

The board may have any number n >= 2 of rows and m >= 2 of columns, with the numbers 1 to nm and paths of n +
m - 1 cells. Whose turn it is follows from the number of filled cells: A's if it is even. (On 4 x 4 B makes
the last move, on a board with an odd number of cells A does.)

Text: rows from the top separated by ``/``, cells by ``,``, an empty cell is ``.``. Cells are named as on a
chess board, a letter for the column from the left and a number for the row from the bottom; a move is
``number@cell``.

>>> start = Otter.from_text("16,.,.,2/.,.,.,./.,.,.,./1,.,.,15")
>>> print(start.play("7@b3"))
4  16   .   .   2
3   .   7   .   .
2   .   .   .   .
1   1   .   .  15
    a   b   c   d
B to move
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from math import comb, perm
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Self

from cgt_games.position import CGTError, IllegalMove, InvalidPosition, Player, ScoringPosition
from cgt_games.symmetry import Symmetry, rectangle

Path = tuple[str, ...]
"""The names of a path's cells, from the player's own corner on the left to the opposite corner."""


class AB(Player):
    """The players of Otter."""

    A = "A"
    B = "B"


class Placement(NamedTuple):
    """A move: ``number`` into the cell with the name ``cell``.

    >>> str(Placement(7, "b3"))
    '7@b3'
    """

    number: int
    cell: str

    def __str__(self) -> str:
        return f"{self.number}@{self.cell}"


@lru_cache(maxsize=64)
def cell_names(rows: int, columns: int) -> tuple[str, ...]:
    """The names of the cells, row by row from the top left; columns after z are aa, ab and so on.

    >>> cell_names(2, 3)
    ('a2', 'b2', 'c2', 'a1', 'b1', 'c1')
    """
    letters = []
    for column in range(columns):
        letter, rest = "", column + 1
        while rest:
            rest, last = divmod(rest - 1, 26)
            letter = chr(97 + last) + letter
        letters.append(letter)
    return tuple(f"{letter}{rows - row}" for row in range(rows) for letter in letters)


@lru_cache(maxsize=64)
def cell_index(rows: int, columns: int) -> dict[str, int]:
    """The inverse of :func:`cell_names`; not to be changed."""
    return {name: index for index, name in enumerate(cell_names(rows, columns))}


@lru_cache(maxsize=64)
def board_symmetries(rows: int, columns: int) -> tuple[Symmetry, ...]:
    """All symmetries of the board, each with a word on whether it turns A-paths into B-paths.

    Four on a rectangle (the half turn keeps the goals, the two flips swap them), eight on a square (the
    diagonal flips keep the goals, the quarter turns swap them).

    >>> [s.name for s in board_symmetries(3, 3) if not s.swaps_goals]
    ['identity', 'half turn', 'main diagonal flip', 'other diagonal flip']
    """
    ends = {0, rows * columns - 1}
    return tuple(
        replace(symmetry, swaps_goals=symmetry.images[0] not in ends) for symmetry in rectangle(rows, columns).values()
    )


@dataclass(frozen=True, slots=True, repr=False)
class Otter(ScoringPosition):
    """Nimbler Otter: put numbers into cells; the player with the lighter path wins. On any board.

    ``cells`` holds the numbers row by row from the top left, 0 for an empty cell; ``columns`` says how many
    make a row. Raises :class:`InvalidPosition` for what is no board.
    """

    columns: int
    cells: tuple[int, ...]

    name: ClassVar[str] = "otter"
    players: ClassVar[type[Player]] = AB
    fast_engine: ClassVar[str | None] = "cgt_games.games.otter.solver:solve_otter"
    own_player: ClassVar[str | None] = "cgt_games.games.otter.player:OtterPlayer"
    commands: ClassVar[Mapping[str, str]] = MappingProxyType(
        {
            f"otter-{word}": f"cgt_games.games.otter.{function}"
            for word, function in {
                "paths": "buttons:paths",
                "random": "buttons:shuffled",
                "move": "buttons:move",
                "puzzles": "puzzles:main",
                "theorem": "theorem:main",
                "strategy": "strategy:main",
                "book": "book:main",
            }.items()
        }
    )
    picture: ClassVar[str | None] = "cgt_games.games.otter.picture:draw"
    showcase: ClassVar[str | None] = "cgt_games.games.otter.showcase:scenes"
    usual_start: ClassVar[str] = ".,.,.,./.,.,.,./.,.,.,./.,.,.,."

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", tuple(self.cells))
        if self.columns < 2 or len(self.cells) < 2 * self.columns:
            raise InvalidPosition(f"a board has at least 2 rows and 2 columns, not {self._size()}")
        if len(self.cells) % self.columns:
            raise InvalidPosition(f"{len(self.cells)} cells do not make rows of {self.columns}")
        at: dict[int, str] = {}
        for number, cell in zip(self.cells, cell_names(self.rows, self.columns), strict=True):
            if type(number) is not int or not 0 <= number <= len(self.cells):
                raise InvalidPosition(f"number {number} at {cell} is not among 1 to {len(self.cells)}")
            if number in at:
                raise InvalidPosition(f"number {number} is twice on the board, at {at[number]} and {cell}")
            if number:
                at[number] = cell

    # --- making one -----------------------------------------------------------------------------------------

    @classmethod
    def empty(cls, rows: int = 4, columns: int | None = None) -> Self:
        """The start of the game; on a square board, unless ``columns`` are given.

        >>> Otter.empty().legal_moves.count, Otter.empty(2, 3).legal_moves.count
        (256, 36)
        """
        columns = rows if columns is None else columns
        return cls(columns, (0,) * (rows * columns))

    @classmethod
    def random(cls, rng: Random | int, *, empty: int = 0, rows: int = 4, columns: int = 4) -> Self:
        """A board with ``empty`` empty cells, all such boards alike in probability.

        ``rng`` is a generator or a seed. Raises InvalidPosition if ``empty`` is not within 0 to the number of
        cells.

        >>> Otter.random(5, empty=14).to_text()
        '.,.,.,./15,.,.,./.,.,.,./.,.,.,3'
        """
        size = rows * columns
        if not 0 <= empty <= size:
            raise InvalidPosition(f"{empty} empty cells on a board of {size}")
        if isinstance(rng, int):
            rng = Random(rng)
        cells = rng.sample(range(1, size + 1), size)
        for index in rng.sample(range(size), empty):
            cells[index] = 0
        return cls(columns, tuple(cells))

    @classmethod
    def from_text(cls, text: str, *, to_move: str | None = None, **rules: Any) -> Self:
        """The position with this board; ``to_move``, if given, must be the player whose turn it is."""
        if rules:
            raise InvalidPosition(f"Otter has no rule {next(iter(rules))!r}")
        rows = [row.split(",") for row in text.split("/")]
        if len(rows) < 2:
            raise InvalidPosition(f"a single row in {text!r}: a board has at least 2, separated by '/'")
        for count, row in enumerate(rows, start=1):
            if len(row) != len(rows[0]):
                raise InvalidPosition(
                    f"ragged rows in {text!r}: row 1 has {len(rows[0])} cells, row {count} has {len(row)}"
                )
        columns = len(rows[0])
        cells = []
        for entry, cell in zip((e for row in rows for e in row), cell_names(len(rows), columns), strict=True):
            if entry == ".":
                cells.append(0)
            elif not re.fullmatch("-?[0-9]{1,9}", entry):
                raise InvalidPosition(f"{entry!r} at {cell} in {text!r} is neither a number nor '.'")
            elif int(entry) == 0:
                raise InvalidPosition(f"number 0 at {cell} is not among 1 to {len(rows) * columns}; empty is '.'")
            else:
                cells.append(int(entry))
        position = cls(columns, tuple(cells))
        if to_move is not None and to_move != position.to_move:
            raise InvalidPosition(
                f"{to_move} cannot be to move: {len(cells) - position.empties} cells are filled, so it is "
                f"{position.to_move}'s turn"
            )
        return position

    @classmethod
    def warm_up(cls) -> None:
        """Compile the kernels of the search and of the path sums."""
        import numpy as np

        from cgt_games.games.otter.paths import evaluate
        from cgt_games.games.otter.solver import solve_otter
        from cgt_games.solution import Search

        solve_otter(cls.random(1, empty=7), Search())
        evaluate(np.zeros((16, 1), dtype=np.uint8))

    # --- what the game is -----------------------------------------------------------------------------------

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.cells) // self.columns

    @property
    def empties(self) -> int:
        """How many cells are empty: the number of moves to come."""
        return self.cells.count(0)

    @property
    def unused(self) -> list[int]:
        """The numbers not yet on the board, in increasing order."""
        return sorted(set(range(1, len(self.cells) + 1)).difference(self.cells))

    @property
    def to_move(self) -> AB:
        """A after an even number of moves, B after an odd one."""
        return AB.B if (len(self.cells) - self.empties) % 2 else AB.A

    def with_to_move(self, player: Player) -> Self:
        """This position, if it is the player's turn; the board fixes whose turn it is."""
        if player != self.to_move:
            raise InvalidPosition(f"{player} cannot be to move in {self.to_text()!r}: it is {self.to_move}'s turn")
        return self

    def generate_moves(self, player: Player) -> Iterator[Placement]:
        """By number, then by cell from the top left. It is not the other player's turn, who has no moves."""
        if player == self.to_move:
            names = cell_names(self.rows, self.columns)
            empty = [name for name, number in zip(names, self.cells, strict=True) if not number]
            for number in self.unused:
                for name in empty:
                    yield Placement(number, name)

    def count_moves(self, player: Player) -> int:
        """The square of the number of empty cells."""
        return self.empties**2 if player == self.to_move else 0

    def apply(self, move: Placement, player: Player) -> Self:
        """The board with the number in the cell."""
        cells = list(self.cells)
        cells[cell_index(self.rows, self.columns)[move.cell]] = move.number
        after = object.__new__(type(self))  # a legal move leads to a legal board: no second check
        object.__setattr__(after, "columns", self.columns)
        object.__setattr__(after, "cells", tuple(cells))
        return after

    def why_illegal(self, move: Any, player: Player) -> str | None:
        """The number must be unused and the cell empty, and the turn the player's."""
        if not (isinstance(move, Placement) and type(move.number) is int and isinstance(move.cell, str)):
            return "a move is number@cell, such as 7@b3"
        index = cell_index(self.rows, self.columns).get(move.cell)
        if index is None:
            return f"a board of {self._size()} has no cell {move.cell}"
        if not isinstance(move.number, int) or not 1 <= move.number <= len(self.cells):
            return f"the number {move.number} is not among 1 to {len(self.cells)}"
        if self.cells[index]:
            return f"the cell {move.cell} is occupied by {self.cells[index]}"
        if move.number in self.cells:
            place = cell_names(self.rows, self.columns)[self.cells.index(move.number)]
            return f"the number {move.number} is used already, at {place}"
        return None if player == self.to_move else f"it is {self.to_move}'s turn"

    def parse_move(self, text: str) -> Placement:
        """``number@cell``; whether it is legal is not asked."""
        match = re.fullmatch("([0-9]{1,9})@([a-z]+[0-9]+)", text)
        if match is None:
            raise IllegalMove(f"{text!r} is no move: a move is number@cell, such as 7@b3")
        return Placement(int(match[1]), match[2])

    @property
    def is_terminal(self) -> bool:
        """Whether the board is full."""
        return 0 not in self.cells

    @property
    def margin(self) -> int:
        """B's score less A's, on a full board; positive if A has won."""
        if not self.is_terminal:
            raise CGTError(f"no margin yet: {self.empties} cells are empty in {self.to_text()!r}")
        return self.score(AB.B) - self.score(AB.A)

    def why_over(self) -> str:
        """Both scores, on a full board."""
        if not self.is_terminal:
            return ""
        return f"A's best path has the sum {self.score(AB.A)} and B's {self.score(AB.B)}; the smaller sum wins"

    # --- paths ----------------------------------------------------------------------------------------------

    def score(self, player: Player | str) -> int:
        """The smallest value of a path of ``player``; see :meth:`best_paths` for boards that are not full."""
        return self._best(AB(player))[0]

    def best_path(self, player: Player | str) -> tuple[int, Path]:
        """The score of ``player`` and a path that has it, the first in reading order of :meth:`best_paths`.

        >>> Otter.from_text("1,2/3,4").best_path("A")
        (7, ('a2', 'b2', 'b1'))
        """
        value, paths = self.best_paths(player)
        return value, paths[0]

    def best_paths(self, player: Player | str) -> tuple[int, list[Path]]:
        """The score of ``player`` and all paths that have it, as cell names from the left end to the right.

        On a board that is not full an empty cell counts as if it got a number of the player's wish: a path
        with k empty cells has the sum of its numbers and of the k smallest unused ones, the least that it can
        still come to. Cost: rows x columns steps and the paths listed (there can be many).
        """
        player = AB(player)
        value, ends = self._best(player)
        tables = self._path_tables(player)
        names = cell_names(self.rows, self.columns)
        paths = []
        end = (self.rows - 1, self.columns - 1)
        last: Path = (names[self._cell(player, *end)],)
        stack = [(end, empties, fixed, last) for empties, fixed in ends]
        while stack:
            (row, column), empties, fixed, tail = stack.pop()
            if row == column == 0:
                paths.append(tail)
                continue
            number = self.cells[self._cell(player, row, column)]
            for before in ((row - 1, column), (row, column - 1)):
                if min(before) < 0:
                    continue
                rest = (empties - (not number), fixed - number)
                if tables[before].get(rest[0]) == rest[1]:
                    stack.append((before, *rest, (names[self._cell(player, *before)], *tail)))
        order = cell_index(self.rows, self.columns)
        return value, sorted(paths, key=lambda path: [order[cell] for cell in path])

    def _cell(self, player: AB, row: int, column: int) -> int:
        """The index of a cell, with rows counted from the side of the board where ``player`` starts."""
        return (row if player is AB.A else self.rows - 1 - row) * self.columns + column

    def _path_tables(self, player: AB) -> dict[tuple[int, int], dict[int, int]]:
        """For each cell: the least sum of numbers on a way to it, by the number of empty cells on the way."""
        tables: dict[tuple[int, int], dict[int, int]] = {}
        for row in range(self.rows):
            for column in range(self.columns):
                number = self.cells[self._cell(player, row, column)]
                before = [tables[b] for b in ((row - 1, column), (row, column - 1)) if b in tables] or [{0: 0}]
                here: dict[int, int] = {}
                for table in before:
                    for empties, fixed in table.items():
                        empties, fixed = empties + (not number), fixed + number
                        here[empties] = min(here.get(empties, fixed), fixed)
                tables[row, column] = here
        return tables

    def _best(self, player: AB) -> tuple[int, list[tuple[int, int]]]:
        """The score, and the pairs (empty cells, sum of numbers) of the paths that have it."""
        smallest = list(accumulate(self.unused, initial=0))
        ends = self._path_tables(player)[self.rows - 1, self.columns - 1]
        value = min(fixed + smallest[empties] for empties, fixed in ends.items())
        return value, [(k, fixed) for k, fixed in ends.items() if fixed + smallest[k] == value]

    # --- symmetries -----------------------------------------------------------------------------------------

    def symmetries(self) -> tuple[Symmetry, ...]:
        """The symmetries that keep each player's paths: four on a square board, else two.

        Those that swap the paths would make the player to move the other one, and the board fixes whose turn
        it is; so they lead to a position of this game only when it is over (see :meth:`transform`).
        """
        return tuple(s for s in board_symmetries(self.rows, self.columns) if not s.swaps_goals)

    def transform(self, symmetry: Symmetry) -> Self:
        """The board under a symmetry of :func:`board_symmetries`.

        One that swaps the goals applies to a full board, whose margin it negates. Raises CGTError on others.
        """
        if symmetry.swaps_goals and not self.is_terminal:
            raise CGTError(
                f"the {symmetry.name} gives {self.to_move}'s goal and turn to {self.to_move.opponent}, "
                f"but with {self.empties} empty cells it is {self.to_move}'s turn"
            )
        return type(self)(self.columns, tuple(symmetry.permute(self.cells)))

    def fixed_boards(self, symmetry: Symmetry) -> int:
        """How many positions of this size stay as they are: no number is on a cell that moves, for it is unique.

        With k numbers on the f cells that stay and n numbers in all there are C(f, k) n! / (n - k)! of them.
        """
        staying = sum(cell == image for cell, image in enumerate(symmetry.images))
        return sum(comb(staying, k) * perm(len(self.cells), k) for k in range(staying + 1))

    def transform_move(self, move: Placement, symmetry: Symmetry) -> Placement:
        """The same number, in the image of the cell."""
        index = cell_index(self.rows, self.columns)[move.cell]
        return Placement(move.number, cell_names(self.rows, self.columns)[symmetry.images[index]])

    # --- texts ----------------------------------------------------------------------------------------------

    def to_text(self) -> str:
        """The board in one line."""
        entries = [str(number or ".") for number in self.cells]
        return "/".join(",".join(entries[i : i + self.columns]) for i in range(0, len(entries), self.columns))

    def __repr__(self) -> str:
        return f"Otter.from_text({self.to_text()!r})"

    def board(self, path: Iterable[str] = ()) -> str:
        """The board in characters, with the cells of ``path`` in brackets.

        >>> full = Otter.from_text("1,2/3,4")
        >>> print(full.board(full.best_path("B")[1]))
        2 [1][2]
        1 [3] 4
           a  b
        """
        names, marked = cell_names(self.rows, self.columns), set(path)
        width = len(str(len(self.cells)))
        side = len(str(self.rows))
        lines = []
        for row in range(self.rows):
            line = f"{self.rows - row:>{side}} "
            for index in range(row * self.columns, (row + 1) * self.columns):
                shown = f"{self.cells[index] or '.':>{width}}"
                line += f"[{shown}]" if names[index] in marked else f" {shown} "
            lines.append(line.rstrip())
        letters = [name.rstrip("0123456789") for name in names[: self.columns]]
        lines.append((" " * (side + 1) + "".join(f" {letter:>{width}} " for letter in letters)).rstrip())
        return "\n".join(lines)

    def _size(self) -> str:
        rows, rest = divmod(len(self.cells), self.columns) if self.columns else (0, 0)
        return f"{rows} x {self.columns}" if not rest else f"{len(self.cells)} cells in rows of {self.columns}"
