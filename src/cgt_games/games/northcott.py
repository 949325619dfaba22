"""Northcott's game.

A board of rows, each with one piece of each player on different squares: Left's piece is the left one, Right's the
right one. A move slides one of one's own pieces any number of squares (at least one) along its row, towards the other
piece or away from it, without jumping over it or landing on it. Who cannot move loses, also when the opponent could
still move. With `retreats` off, pieces move only towards each other; the same player wins.

The usual boards have rows and squares 6x6 (small), 8x8 (medium) and 10x10 (large); any list of row widths will do.
There is no misère form: from width 4 on every misère position with a legal move is a draw by infinite play.

Position text: rows separated by `/`, squares `L`, `R` and `.`: `L..R../.L...R`. A move is `row:from-to`, rows from the
top and squares from the left, both counted from 1: `2:2-5`.

Theory (Winning Ways, chapter 3): although the pieces differ and play can cycle, the gaps (the empty squares between
the two pieces of a row) are Nim heaps. The player to move wins iff their nim-sum is not 0. A retreat makes a gap
larger, but the opponent restores it by an advance of the same distance, and the retreats run out of squares.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from math import comb
from operator import xor
from typing import Any, NamedTuple, Self

from cgt_games.drawing import Box, Disc, Drawing, Lines, Mark, Place, Text, Tone, arrow, coordinates, find_place
from cgt_games.engines.negamax import line
from cgt_games.position import (
    IllegalMove,
    InvalidPosition,
    Outcome,
    PartizanPosition,
    Player,
    Rule,
    Side,
    Theory,
)
from cgt_games.showcase import Scene
from cgt_games.solution import Search, Solution
from cgt_games.symmetry import Symmetry

SIZES = {"small": (6,) * 6, "medium": (8,) * 8, "large": (10,) * 10}
"""The usual boards, as row widths."""

NO_MISERE = (
    "Northcott's game has no misère form: from width 4 on every misère position with a legal move is a draw by "
    "infinite play"
)


class Slide(NamedTuple):
    """A move: in row ``row``, the mover's piece goes from square ``start`` to square ``end``; all counted from 1."""

    row: int
    start: int
    end: int

    def __str__(self) -> str:
        return f"{self.row}:{self.start}-{self.end}"


class Row(NamedTuple):
    """A row: its width and the squares of the two pieces, counted from 0, with ``left < right < width``."""

    width: int
    left: int
    right: int

    @property
    def gap(self) -> int:
        """The empty squares between the pieces."""
        return self.right - self.left - 1

    def __str__(self) -> str:
        return "." * self.left + "L" + "." * self.gap + "R" + "." * (self.width - self.right - 1)


@dataclass(frozen=True, slots=True, repr=False)
class Northcott(PartizanPosition):
    """Northcott's game: slide pieces along their rows; who cannot move loses.

    >>> game = Northcott.from_text("L..R../.L...R")
    >>> game.gaps, game.nim_sum
    ((2, 3), 1)
    >>> game.play("2:2-3").to_text()
    'L..R../..L..R'
    """

    rows: tuple[Row, ...]
    """The rows from the top; at least one."""
    to_move: Side = Side.LEFT
    """Whose turn it is."""
    retreats: bool = True
    """Whether pieces may move away from each other."""

    name = "northcott"
    equals_nimber = True
    rule_options = (
        Rule("retreats", bool, True, "pieces may move away from each other"),
        Rule("play", str, "normal", "normal only: the game has no misère form", ("normal", "misere")),
    )
    fast_engine = "cgt_games.games.northcott:solve_northcott"
    picture = "cgt_games.games.northcott:draw"
    showcase = "cgt_games.games.northcott:scenes"

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", tuple(self.rows))
        if not self.rows:
            raise InvalidPosition("a board has at least one row")
        for number, row in enumerate(self.rows, 1):
            if not all(type(part) is int for part in row) or not 0 <= row.left < row.right < row.width:
                raise InvalidPosition(f"row {number}: {tuple(row)} does not hold Left's piece to the left of Right's")
        if not isinstance(self.to_move, Side):
            raise InvalidPosition(f"to_move {self.to_move!r} is neither Side.LEFT nor Side.RIGHT")

    @property
    def theory(self) -> Theory:  # type: ignore[override]
        """Loopy, unless retreats are off."""
        return Theory.LOOPY if self.retreats else Theory.PARTIZAN

    def rules(self) -> dict[str, Any]:
        """The rules ``retreats`` and ``play``, which is always normal."""
        return {"retreats": self.retreats, "play": "normal"}

    @classmethod
    def new_game(cls, generator: random.Random, **rules: Any) -> Self:
        """A random start on 8 x 8."""
        start = cls.random("medium", seed=generator)
        return cls.from_text(start.to_text(), **rules)

    @classmethod
    def random(
        cls,
        size: str | Sequence[int] = "medium",
        *,
        seed: int | random.Random,
        to_move: Side | str = Side.LEFT,
        retreats: bool = True,
    ) -> Self:
        """A random start: in each row two different squares, all pairs equally likely.

        ``size`` is ``"small"``, ``"medium"``, ``"large"`` or a list of row widths (each at least 2); ``seed`` is a
        number or a generator of the caller's. A record keeps the rows themselves, so it needs no seed to be replayed.

        >>> Northcott.random("small", seed=5) == Northcott.random([6] * 6, seed=5)
        True
        """
        generator = seed if isinstance(seed, random.Random) else random.Random(seed)
        if isinstance(size, str) and size not in SIZES:
            raise InvalidPosition(f"size {size!r} is none of {', '.join(SIZES)}")
        rows = []
        for number, width in enumerate(SIZES[size] if isinstance(size, str) else size, 1):
            if not isinstance(width, int) or width < 2:
                raise InvalidPosition(f"row {number} has width {width!r}; two pieces need at least 2 squares")
            left, right = sorted(generator.sample(range(width), 2))
            rows.append(Row(width, left, right))
        return cls(tuple(rows), Side(to_move), retreats)

    @classmethod
    def from_text(cls, text: str, *, to_move: str | None = None, **rules: Any) -> Self:
        """The rows of a text such as ``L..R../.L...R``; Left is to move unless ``to_move="right"``."""
        unknown = set(rules) - {"retreats", "play"}
        if unknown:
            raise InvalidPosition(f"northcott has no rule {min(unknown)!r}")
        if rules.get("play", "normal") == "misere":
            raise InvalidPosition(NO_MISERE)
        if rules.get("play", "normal") != "normal":
            raise InvalidPosition(f"play is normal, not {rules['play']!r}")
        retreats = rules.get("retreats", True)
        if not isinstance(retreats, bool):
            raise InvalidPosition(f"retreats is true or false, not {retreats!r}")
        if to_move not in (None, "left", "right"):
            raise InvalidPosition(f"to_move {to_move!r} is neither left nor right")
        if not text:
            raise InvalidPosition("the text is empty; a board has at least one row, such as L..R")
        rows = tuple(_read_row(number, row) for number, row in enumerate(text.split("/"), 1))
        return cls(rows, Side(to_move or "left"), retreats)

    def __repr__(self) -> str:
        retreats = "" if self.retreats else ", retreats=False"
        return f"{type(self).__name__}.from_text({self.to_text()!r}, to_move={str(self.to_move)!r}{retreats})"

    def to_text(self) -> str:
        """The rows, joined by ``/``."""
        return "/".join(map(str, self.rows))

    def board(self) -> str:
        """The rows with their numbers and gaps."""
        width = len(str(len(self.rows)))
        squares = max(row.width for row in self.rows)
        lines = [
            f"{number:>{width}}  {' '.join(str(row)):<{2 * squares}}  gap {row.gap}"
            for number, row in enumerate(self.rows, 1)
        ]
        return "\n".join([*lines, f"nim-sum of the gaps: {self.nim_sum}"])

    @property
    def gaps(self) -> tuple[int, ...]:
        """The empty squares between the pieces of each row."""
        return tuple(row.gap for row in self.rows)

    @property
    def nim_sum(self) -> int:
        """The XOR of the gaps; the Grundy value."""
        return reduce(xor, self.gaps)

    def generate_moves(self, player: Player) -> Iterator[Slide]:
        """Row by row, squares from the left."""
        for number, row in enumerate(self.rows, 1):
            here, squares = self._reach(row, player)
            for square in squares:
                if square != here:
                    yield Slide(number, here + 1, square + 1)

    def _reach(self, row: Row, player: Player) -> tuple[int, range]:
        """Where the player's piece stands in a row, and the squares within its reach (its own among them)."""
        if player is Side.LEFT:
            return row.left, range(0 if self.retreats else row.left, row.right)
        return row.right, range(row.left + 1, row.width if self.retreats else row.right + 1)

    def why_illegal(self, move: Any, player: Player) -> str | None:
        """Names the row or square at fault, and the rule."""
        if not (isinstance(move, Slide) and all(type(part) is int for part in move)):
            return f"{move!r} is no move of Northcott's game"
        if not 1 <= move.row <= len(self.rows):
            return f"there is no row {move.row}; there are {len(self.rows)}"
        row = self.rows[move.row - 1]
        here, squares = self._reach(row, player)
        for square in (move.start, move.end):
            if not 1 <= square <= row.width:
                return f"row {move.row} has no square {square}; it has {row.width}"
        if move.start - 1 != here:
            other = row.right if player is Side.LEFT else row.left
            whose = f"{player.opponent}'s piece" if move.start - 1 == other else "no piece"
            return f"square {move.start} of row {move.row} holds {whose}; {player}'s is on {here + 1}"
        if move.end == move.start:
            return f"a move goes at least one square, and {move.end} is where the piece stands"
        if move.end - 1 not in squares:
            forward = (move.end > move.start) is (player is Side.LEFT)
            if not forward:
                return "pieces may only move towards each other here (retreats are off)"
            other = row.right if player is Side.LEFT else row.left
            verb = "land on" if move.end - 1 == other else "jump over"
            return f"the piece may not {verb} {player.opponent}'s on square {other + 1}"
        return None

    def count_moves(self, player: Player) -> int:
        """All squares within reach but those where the pieces stand."""
        return sum(len(self._reach(row, player)[1]) - 1 for row in self.rows)

    def count_results(self, player: Player) -> int:
        """Each move leads to a position of its own."""
        return self.count_moves(player)

    def apply(self, move: Slide, player: Player) -> Self:
        """The board with one piece slid."""
        row = self.rows[move.row - 1]
        row = row._replace(left=move.end - 1) if player is Side.LEFT else row._replace(right=move.end - 1)
        rows = (*self.rows[: move.row - 1], row, *self.rows[move.row :])
        return type(self)(rows, player.opponent, self.retreats)  # type: ignore[arg-type]

    def parse_move(self, text: str) -> Slide:
        """A text such as ``2:2-5``: in row 2, from square 2 to square 5."""
        match = re.fullmatch(r"([0-9]{1,9}):([0-9]{1,9})-([0-9]{1,9})", text)
        if match is None:
            raise IllegalMove(f"{text!r} is no move of Northcott's game; write row:from-to, such as 2:2-5")
        return Slide(int(match[1]), int(match[2]), int(match[3]))

    def is_retreat(self, move: Slide) -> bool:
        """Whether a move of either player makes its row's gap larger."""
        moves_right = move.end > move.start
        return moves_right if move.start - 1 == self.rows[move.row - 1].right else not moves_right

    def restoring_move(self, retreat: Slide) -> Slide:
        """The reply that restores the gap: here, after the opponent's ``retreat``, an advance by the same distance.

        Raises IllegalMove if that move was no retreat that led here.
        """
        row = self.rows[retreat.row - 1] if 1 <= retreat.row <= len(self.rows) else None
        here = None if row is None else row.right if self.to_move is Side.LEFT else row.left
        by = (retreat.end - retreat.start) * (1 if self.to_move is Side.LEFT else -1)
        if row is None or here != retreat.end - 1 or by <= 0 or by > row.gap:
            raise IllegalMove(f"{retreat} is no retreat of {self.to_move.opponent} that led to {self.to_text()!r}")
        start = row.left if self.to_move is Side.LEFT else row.right
        end = start + by if self.to_move is Side.LEFT else start - by
        return Slide(retreat.row, start + 1, end + 1)

    def moves_to_grundy(self, value: int, player: Player) -> Iterator[Slide]:
        """In each row at most one move: to the gap that makes the nim-sum ``value``, if it is within reach."""
        others_wanted = self.nim_sum ^ value
        for number, row in enumerate(self.rows, 1):
            gap = row.gap ^ others_wanted
            here, squares = self._reach(row, player)
            square = row.right - 1 - gap if player is Side.LEFT else row.left + 1 + gap
            if square != here and square in squares:
                yield Slide(number, here + 1, square + 1)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Changes of neighbouring rows of equal width, and the mirror, which swaps the players."""
        cells = [*self._cells()]
        widths = [row.width for row in self.rows]
        starts = [cell for cell, (_, square) in enumerate(cells) if square == 0]
        mirror = [start + width - 1 - i for start, width in zip(starts, widths, strict=True) for i in range(width)]
        identity = Symmetry("identity", tuple(range(len(cells))))
        return (identity, *self._exchanges(widths), Symmetry("mirror", tuple(mirror), swaps_goals=True))

    def fixing_symmetries(self) -> tuple[Symmetry, ...]:
        """Changes of rows that are the same, pieces and all."""
        return tuple(self._exchanges(self.rows))

    def _exchanges(self, kinds: Sequence[object]) -> Iterator[Symmetry]:
        """For each row of a kind, its exchange with the row of this kind before; rows of a kind have the same width."""
        cells = [*self._cells()]
        starts = [cell for cell, (_, square) in enumerate(cells) if square == 0]
        last: dict[object, int] = {}
        for number, kind in enumerate(kinds):
            if (other := last.get(kind)) is not None:
                images = list(range(len(cells)))
                for square in range(self.rows[number].width):
                    one, two = starts[other] + square, starts[number] + square
                    images[one], images[two] = two, one
                yield Symmetry(f"rows {other + 1} and {number + 1} change places", tuple(images))
            last[kind] = number

    def _cells(self) -> Iterator[tuple[int, int]]:
        """Row and square of each cell, in the numbering of the symmetries."""
        for number, row in enumerate(self.rows):
            for square in range(row.width):
                yield number, square

    def transform(self, symmetry: Symmetry) -> Self:
        """The board with its rows moved; under the mirror Left and Right change places, the turn with them."""
        where = list(self._cells())
        pieces: list[list[int]] = [[] for _ in self.rows]
        for cell, (number, square) in enumerate(where):
            if square in (self.rows[number].left, self.rows[number].right):
                to_row, to_square = where[symmetry.images[cell]]
                pieces[to_row].append(to_square)
        rows = tuple(Row(row.width, min(two), max(two)) for row, two in zip(self.rows, pieces, strict=True))
        to_move = self.to_move.opponent if symmetry.swaps_goals else self.to_move
        return type(self)(rows, to_move, self.retreats)

    def transform_move(self, move: Slide, symmetry: Symmetry) -> Slide:
        """The same slide on the transformed board."""
        where = list(self._cells())
        cell = where.index((move.row - 1, 0))
        row, start = where[symmetry.images[cell + move.start - 1]]
        _, end = where[symmetry.images[cell + move.end - 1]]
        return Slide(row + 1, start + 1, end + 1)

    def fixed_boards(self, symmetry: Symmetry) -> int:
        """How many boards (two squares chosen in each row) stay as they are: by the cycles of rows.

        Rows that change places in a cycle have one free choice between them; if one round of the cycle mirrors the
        row, the choice must be its own mirror image.
        """
        where = list(self._cells())
        first = {number: cell for cell, (number, square) in enumerate(where) if square == 0}
        fixed, seen = 1, set[int]()
        for number, row in enumerate(self.rows):
            if number in seen:
                continue
            cell = first[number]
            while True:
                seen.add(where[cell][0])
                cell = symmetry.images[cell]
                if where[cell][0] == number:
                    break
            fixed *= comb(row.width, 2) if cell == first[number] else row.width // 2
        return fixed


def _read_row(number: int, text: str) -> Row:
    """A row from its characters; raises InvalidPosition that names the row and what is wrong in it."""
    for square, character in enumerate(text, 1):
        if character not in "LR.":
            raise InvalidPosition(f"row {number}, square {square}: {character!r} is none of L, R and .")
    for piece, owner in (("L", "Left"), ("R", "Right")):
        if text.count(piece) != 1:
            raise InvalidPosition(
                f"row {number} ({text or 'empty'}) has {text.count(piece)} pieces of {owner}, not one"
            )
    left, right = text.index("L"), text.index("R")
    if left > right:
        raise InvalidPosition(f"row {number} ({text}) has the pieces the wrong way round: Left's must be the left one")
    return Row(len(text), left, right)


def solve_northcott(position: Northcott, search: Search) -> Solution:
    """Solve by the nim-sum of the gaps: no search, boards of any size.

    The winning moves hold the winning retreats too; the best moves are the winning advances, of which there is always
    one, and which shrink the gaps until the game ends. In a lost position the best moves are those after which the
    opponent cannot end the game at once, retreats before all, for each costs the opponent a move to answer.
    """
    nim_sum, mover = position.nim_sum, position.to_move
    fields: dict[str, Any] = {}
    if not search.winner_only:
        fields = {
            "value": nim_sum,
            "value_kind": "grundy",
            "winning_moves": tuple(position.moves_to_grundy(0, mover)) if nim_sum else (),
            "best_moves": _best_moves(position),
            "principal_variation": line(position, lambda p: next(iter(_best_moves(p)), None), longest=100),
        }
    return Solution(
        position,
        mover if nim_sum else mover.opponent,
        outcome=Outcome.N if nim_sum else Outcome.P,
        seconds=search.seconds,
        engine="theory: nim-sum of the gaps",
        **fields,
    )


def _best_moves(position: Northcott) -> tuple[Slide, ...]:
    mover = position.to_move
    if position.nim_sum:
        return tuple(move for move in position.moves_to_grundy(0, mover) if not position.is_retreat(move))
    moves = list(position.legal_moves)
    if sum(len(position._reach(row, mover)[1]) > 1 for row in position.rows) > 2:
        lasting = moves  # a move and its answer leave a row to move in
    else:
        lasting = [move for move in moves if not _can_be_stopped_at_once(position.apply(move, mover))]
    retreats = [move for move in lasting if position.is_retreat(move)]
    return tuple(retreats or lasting or moves)


def _can_be_stopped_at_once(position: Northcott) -> bool:
    """Whether the player to move can, by one move, leave the other without any."""
    other = position.to_move.opponent
    can_move = [row for row in position.rows if len(position._reach(row, other)[1]) > 1]
    if len(can_move) != 1:
        return not can_move
    behind = can_move[0].left if other is Side.LEFT else can_move[0].width - 1 - can_move[0].right
    return behind == 0 or not position.retreats


def scenes(generator: random.Random) -> list[Scene]:
    """For the demo: a random start on the usual board."""
    start = Northcott.random("medium", seed=generator)
    return [
        Scene("Northcott's game: a random start on 8 x 8, Nim in disguise", start, remark=_disguise, plays=True),
    ]


def _disguise(solution: Solution) -> str:
    position = solution.position
    assert isinstance(position, Northcott)
    return (
        f"The gaps are heaps of Nim, {' xor '.join(map(str, position.gaps))} = {position.nim_sum}. "
        "Pieces may step back, but who wins steps after them, and so play ends."
    )


SQUARE = 38
"""The side of a square, in a picture."""


def draw(position: Northcott, last_move: Slide | None = None) -> Drawing:
    """The rows with both pieces and the gap between them; an arrow shows the last move.

    The place ``2:5`` is square 5 of row 2.
    """
    side, drop = 22.0, SQUARE + 6
    widest = max(row.width for row in position.rows)
    marks: list[Mark] = []
    places: dict[str, Place] = {}
    for number, row in enumerate(position.rows, 1):
        top = drop * (number - 1) + 2
        y = top + SQUARE / 2
        marks.append(Box(side, top, SQUARE * row.width, SQUARE, Tone.BOARD, Tone.SOFT, rounding=3))
        walls = [side + SQUARE * i for i in range(1, row.width)]
        marks.append(Lines(tuple([((x, top), (x, top + SQUARE)) for x in walls]), Tone.FAINT, 1))
        for square, letter, tone in ((row.left, "L", Tone.LEFT), (row.right, "R", Tone.RIGHT)):
            x = side + SQUARE * (square + 0.5)
            marks += [Disc(x, y, 14, tone), Text(x, y, letter, Tone.PAPER, 15, bold=True)]
        marks.append(Text(side + SQUARE * widest + 12, y, f"gap {row.gap}", Tone.INK, 14, anchor="start"))
        for square in range(row.width):
            places[f"{number}:{square + 1}"] = Place(side + SQUARE * (square + 0.5), y, SQUARE / 2 - 2, square=True)
    bottom = drop * len(position.rows)
    columns = {str(square): side + SQUARE * (square - 0.5) for square in range(1, widest + 1)}
    rows = {str(number): drop * (number - 0.5) - 1 for number in range(1, len(position.rows) + 1)}
    marks += coordinates(columns, rows, left=8, bottom=bottom + 6)

    def touch(move: Slide) -> tuple[str, ...]:
        return f"{move.row}:{move.start}", f"{move.row}:{move.end}"

    def spell(touched: tuple[str, ...]) -> str:
        (row, start), (last_row, end) = (name.split(":") for name in (touched[0], touched[-1]))
        if len(touched) == 1 or row != last_row:
            ahead = int(end) + (1 if position.to_move is Side.LEFT else -1)
            inside = 1 <= ahead <= position.rows[int(last_row) - 1].width
            row, start, end = last_row, end, str(ahead) if inside else end
        return f"{row}:{start}-{end}"

    if last_move is not None:
        start, end = (find_place(places, name) for name in touch(last_move))
        marks += [Disc(start.x, start.y, 5, Tone.LAST), arrow(start[:2], end[:2], short=16)]
        marks.append(Disc(end.x, end.y, 14, outline=Tone.LAST, width=3.5))
    width = side + SQUARE * widest + 70
    note = f"nim-sum of the gaps {position.nim_sum}"
    return Drawing(width, bottom + 14, tuple(marks), places, touch, note, spell=spell)
