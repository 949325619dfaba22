"""What a position looks like, said without saying how it is shown: marks on a plane, and named places for the moves.

A game declares ``picture = "module:function"`` on its state type. The function takes a position and the move that led
to it (or None) and returns a :class:`Drawing`. Whoever shows it (:mod:`cgt_games.show` as SVG) turns the marks into
pictures, and the tones into colours for light and dark pages; no game does that, and nothing that shows knows a game.

Coordinates are in pixels at scale 1, x to the right and y downwards, from the top left corner of the drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import hypot
from types import MappingProxyType
from typing import NamedTuple

from cgt_games.position import CGTError, Move, Position
from cgt_games.registry import load

Point = tuple[float, float]


class Tone(StrEnum):
    """What a colour means; each is readable on light and on dark pages."""

    PAPER = "paper"
    """The background; also for text on a filled piece."""
    BOARD = "board"
    """Squares and points of a board."""
    FAINT = "faint"
    """What is out of play."""
    SOFT = "soft"
    """Grid lines, coordinates, notes."""
    INK = "ink"
    """Text and all that belongs to neither player."""
    LEFT = "left"
    """The player with Left's part, or who moves first."""
    RIGHT = "right"
    """The other player."""
    BLACK = "black"
    """Black stones, black on dark pages too."""
    WHITE = "white"
    """White stones, white on light pages too."""
    LAST = "last"
    """The last move."""
    HIGHLIGHT = "highlight"
    """What is pointed at."""

    __hash__ = str.__hash__  # that of an enumeration is written in Python, and pictures look up tones all the time


class Lines(NamedTuple):
    """Lines through points; several of the same kind are one mark."""

    paths: tuple[tuple[Point, ...], ...]
    tone: Tone = Tone.INK
    width: float = 2
    dashed: bool = False
    opacity: float = 1


class Disc(NamedTuple):
    """A disc, filled, outlined or both."""

    x: float
    y: float
    radius: float
    fill: Tone | None = None
    outline: Tone | None = None
    width: float = 1.5


class Box(NamedTuple):
    """A rectangle from its top left corner, filled, outlined or both."""

    x: float
    y: float
    across: float
    down: float
    fill: Tone | None = None
    outline: Tone | None = None
    width: float = 1.5
    rounding: float = 0


class Text(NamedTuple):
    """A line of text; (x, y) is the middle of its height and, as ``anchor`` says, its start, middle or end."""

    x: float
    y: float
    text: str
    tone: Tone = Tone.INK
    size: float = 14
    anchor: str = "middle"
    bold: bool = False
    mono: bool = False


class Group(NamedTuple):
    """Marks moved to another place."""

    x: float
    y: float
    marks: tuple[Mark, ...]


Mark = Lines | Disc | Box | Text | Group


class Place(NamedTuple):
    """A place that moves name, such as a cell: its middle, and how far a mark around it reaches."""

    x: float
    y: float
    reach: float
    square: bool = False


def _own_text(move: Move) -> tuple[str, ...]:
    return (str(move),)


def _last_name(names: tuple[str, ...]) -> str:
    return names[-1]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A position as marks, drawn in their order, and its named places.

    ``touch`` tells for a move the places one would touch to make it, in order; places that the drawing does not have
    are no mistake. With ``any_order`` they may be touched in any order. ``spell`` is the way back, for touches that
    make no legal move: the text of the move that they seem to mean, whole or begun, so that the game can say why it
    is illegal. ``note`` is a word on the position for the line below the board.
    """

    width: float
    height: float
    marks: tuple[Mark, ...]
    places: Mapping[str, Place] = field(default_factory=lambda: MappingProxyType({}))
    touch: Callable[[Move], tuple[str, ...]] = _own_text
    note: str = ""
    any_order: bool = False
    spell: Callable[[tuple[str, ...]], str] = _last_name

    def place(self, name: str) -> Place:
        """The place with this name. Raises :class:`~cgt_games.CGTError` if there is none."""
        return find_place(self.places, name)


def find_place(places: Mapping[str, Place], name: str) -> Place:
    """The place with this name. Raises :class:`~cgt_games.CGTError` if there is none."""
    if name not in places:
        raise CGTError(f"there is no place {name!r} on this board to mark")
    return places[name]


def draw(position: Position, last_move: Move | None = None) -> Drawing:
    """The drawing of a position: the one its game declares, or else its text board.

    ``last_move`` is the move that led here, or its text. Raises CGTError for what is no move of the game.
    """
    if position.picture is None:
        return text_drawing(position.board())
    if isinstance(last_move, str):
        last_move = position.parse_move(last_move)
    try:
        drawing: Drawing = load(position.picture)(position, last_move)
    except (AttributeError, TypeError) as error:
        # The move was legal elsewhere, so what it is can only be told by drawing it.
        if last_move is None:
            raise
        raise CGTError(f"last_move={last_move!r} cannot be drawn: {error}") from error
    return drawing


LONGEST_LINE, MOST_LINES = 200, 200
"""A text board is cut off here."""


def text_drawing(text: str) -> Drawing:
    """Characters as they stand, in a font of fixed width."""
    lines = text.expandtabs().splitlines() or [""]
    if len(lines) > MOST_LINES:
        lines = [*lines[:MOST_LINES], "..."]
    lines = [line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + "..." for line in lines]
    marks = tuple(
        Text(0, 18 * row + 9, line, anchor="start", mono=True) for row, line in enumerate(lines) if line.strip()
    )
    return Drawing(8.6 * max(map(len, lines)), 18 * len(lines), marks)


def arrow(start: Point, end: Point, tone: Tone = Tone.LAST, width: float = 3, short: float = 0) -> Lines:
    """An arrow from one point to another, that ends ``short`` of it.

    >>> arrow((0, 0), (10, 0)).paths[0]
    ((0, 0), (10.0, 0.0))
    """
    length = hypot(end[0] - start[0], end[1] - start[1])
    if length <= short:
        return Lines((), tone, width)
    x, y = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    tip = (end[0] - x * short, end[1] - y * short)
    barbs = [(tip[0] - 9 * x - side * 6 * y, tip[1] - 9 * y + side * 6 * x) for side in (1, -1)]
    return Lines(((start, tip), (barbs[0], tip, barbs[1])), tone, width)


def coordinates(
    columns: Mapping[str, float], rows: Mapping[str, float], *, left: float, bottom: float
) -> Iterator[Text]:
    """The names of columns, by their x, below a board, and of rows, by their y, at its left."""
    for name, x in columns.items():
        yield Text(x, bottom, name, Tone.SOFT, 12)
    for name, y in rows.items():
        yield Text(left, y, name, Tone.SOFT, 12)
