"""The pictures: of a position, of its options, and of a game as a strip of boards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from os import PathLike
from pathlib import Path

from cgt_games.drawing import Box, Disc, Drawing, Group, Mark, Text, Tone, draw
from cgt_games.position import CGTError, Move, Position, status
from cgt_games.record import Record
from cgt_games.show.markup import document

MARGIN = 14
"""Around a board, in pixels at scale 1."""
CAPTION = 24
"""The height of a line of text below it."""
MOST_SCALE = 10_000
"""A picture that is larger by this is none that a program shows."""
MOST_NAMED = 8
"""Of the moves that have no place on the board so many are named in the caption, of the others the number."""
MOST_BOARDS = 200
"""A strip of more boards than this is refused unless it is asked for in parts: a page could not hold it."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as SVG: ``str`` of it is the text, notebooks show it, and :meth:`save` writes it."""

    width: float
    """In pixels at scale 1."""
    height: float
    """In pixels at scale 1."""
    marks: tuple[Mark, ...]
    title: str
    """What it shows, for those who cannot see it."""
    scale: float = 1
    """Above 0; raises CGTError for any other."""

    def __post_init__(self) -> None:
        scale: object = self.scale
        if not isinstance(scale, int | float) or isinstance(scale, bool) or not 0 < scale < MOST_SCALE:
            raise CGTError(f"scale={scale!r}: the scale of a picture is a number above 0 and below {MOST_SCALE:,}")

    def __str__(self) -> str:
        return document(self.width, self.height, self.scale, self.title, self.marks)

    def __repr__(self) -> str:
        return f"<Picture: {self.title}>"

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the picture to a file, in UTF-8."""
        Path(path).write_text(f"{self}\n", encoding="utf-8")


def svg(
    position: Position | Record,
    *,
    last_move: Move | None = None,
    highlight: Iterable[Move | str] = (),
    labels: Mapping[Move | str, object] | None = None,
    caption: str | None = None,
    scale: float = 1,
) -> Picture:
    """The picture of a position; of a record, that of its last position with the move that led there.

    ``last_move`` is the move that led here (or its text), ``highlight`` are moves, their texts or names of places to
    point at, and ``labels`` are texts to write on moves or places (their values, say). ``caption`` is the line below
    the board: by default whose turn it is, or how the game ended; ``""`` for none. A legal move that has no place on
    the board, such as a pass, is named in that line.

    Raises CGTError for a mark that is neither a place on the board nor a legal move, and for what is no position, move,
    mapping of labels, caption or scale. Cost: linear in the board, less
    than a millisecond for 8 x 8.

    >>> from cgt_games import Nim, grundy, show
    >>> game = Nim(2, 1)
    >>> picture = show.svg(game, labels={move: grundy(game.play(move)) for move in game.legal_moves})
    >>> str(picture)[:4]
    '<svg'
    """
    _check_moves("highlight", highlight)
    if not isinstance(labels, Mapping | None):
        raise CGTError(f"labels={labels!r}: labels are a mapping from moves or places to what is written on them")
    if not isinstance(caption, str | None):
        raise CGTError(f"caption={caption!r}: a caption is a text")
    resigned = None
    if isinstance(position, Record):
        record, position = position, position.position
        resigned = record.resigned
        if last_move is None:
            last_move = next(reversed(record.moves), None)
    _check_position(position)
    drawing = draw(position, last_move)
    whose_turn = status(position) if resigned is None else f"{resigned} has resigned, {resigned.opponent} wins"
    if caption is None:
        caption = " · ".join([whose_turn, *([drawing.note] if drawing.note else [])])
    labels = labels or {}
    pointed = [(str(target), _places(position, drawing, target)) for target in highlight]
    labelled = [(f"{target} ({label})", _places(position, drawing, target)) for target, label in labels.items()]
    elsewhere = [*_named("marked", pointed), *_named("labelled", labelled)]
    caption = " · ".join([*([caption] if caption else []), *elsewhere])
    texts = [(str(label), names) for label, (_, names) in zip(labels.values(), labelled, strict=True)]
    over = _pointers(drawing, [names for _, names in pointed], texts)
    width, height, marks = framed(drawing, caption, tuple(over))
    marks = (Box(0, 0, width, height, Tone.PAPER, rounding=8), *marks)
    title = f"{position.name or type(position).__name__} {_short(position.to_text())}: {whose_turn}"
    return Picture(width, height, marks, title, scale)


def _check_position(position: object) -> None:
    if not isinstance(position, Position):
        raise CGTError(f"{position!r} is no position to draw")


def _check_moves(name: str, moves: object) -> None:
    if isinstance(moves, str) or not isinstance(moves, Iterable):
        raise CGTError(f"{name}={moves!r}: {name} is a collection of moves, such as [{str(moves)!r}]")


def _check_whole(name: str, number: object, least: int | None = None) -> None:
    if not isinstance(number, int) or isinstance(number, bool) or (least is not None and number < least):
        raise CGTError(f"{name}={number!r} is no whole number" + (f" from {least} on" if least is not None else ""))


def framed(drawing: Drawing, caption: str, over: tuple[Mark, ...] = ()) -> tuple[float, float, tuple[Mark, ...]]:
    """A drawing with a margin around it and a line below, and marks ``over`` it: width, height and all marks."""
    inner = max(drawing.width, 0.6 * 13 * len(caption))
    marks: list[Mark] = [Group(MARGIN + (inner - drawing.width) / 2, MARGIN, (*drawing.marks, *over))]
    height = drawing.height + 2 * MARGIN
    if caption:
        marks.append(Text(MARGIN + inner / 2, height + CAPTION / 2 - 8, caption, Tone.SOFT, 13))
        height += CAPTION - 4
    return inner + 2 * MARGIN, height, tuple(marks)


def _short(text: str, longest: int = 200) -> str:
    return text if len(text) <= longest else text[:longest] + " ..."


def _named(how: str, targets: Iterable[tuple[str, list[str]]]) -> Iterator[str]:
    """The words for moves that are marked or labelled but have no place on the board; each comes with its places."""
    if without := [target for target, names in targets if not names]:
        more = f" and {len(without) - MOST_NAMED} more" if len(without) > MOST_NAMED else ""
        yield f"{how}: {_short(', '.join(without[:MOST_NAMED]))}{more}"


def _pointers(
    drawing: Drawing, pointed: Iterable[list[str]], labelled: Iterable[tuple[str, list[str]]]
) -> Iterator[Mark]:
    """The marks for what is pointed at, and for labels, which stand on the last of their places."""
    for place in map(drawing.place, dict.fromkeys(name for names in pointed for name in names)):
        if place.square:
            x, y, side = place.x - place.reach, place.y - place.reach, 2 * place.reach
            yield Box(x, y, side, side, outline=Tone.HIGHLIGHT, width=3.5, rounding=5)
        else:
            yield Disc(place.x, place.y, place.reach, outline=Tone.HIGHLIGHT, width=3.5)
    texts: dict[str, list[str]] = {}
    for label, places in labelled:
        for name in places[-1:]:
            texts.setdefault(name, []).append(label)
    for name, labels in texts.items():
        place, text = drawing.place(name), ", ".join(dict.fromkeys(labels))
        across = max(7.5 * len(text) + 5, 17)
        yield Box(place.x - across / 2, place.y - 8.5, across, 17, Tone.HIGHLIGHT, rounding=8.5)
        yield Text(place.x, place.y, text, Tone.PAPER, 12, bold=True)


def _places(position: Position, drawing: Drawing, target: Move | str) -> list[str]:
    """The names of the places of a move, or of a place itself; none for a legal move without.

    Raises CGTError for what is neither a place on the board nor a legal move.
    """
    if isinstance(target, str) and target in drawing.places:
        return [target]
    move = position.parse_move(target) if isinstance(target, str) else target
    try:
        names = [name for name in drawing.touch(move) if name in drawing.places]
    except (AttributeError, TypeError) as error:
        # Only a move of the game has the places that the game asks it for.
        raise CGTError(f"{target!r} is neither a move nor a place of this board, {position.to_text()!r}") from error
    if not names and (reason := position.why_illegal(move, position.to_move)) is not None:
        raise CGTError(f"{target} names no place on this board to mark: {reason}, in {position.to_text()!r}")
    return names


def strip(
    game: Record | Position,
    moves: Iterable[Move] = (),
    *,
    columns: int = 4,
    start: int = 0,
    stop: int | None = None,
    scale: float = 1,
) -> Picture:
    """A game as a strip of boards: a record, or moves (a line of best play, say) from a position.

    Board 0 is the start and board n shows move n; ``start`` and ``stop`` cut out a part, as in a slice. There are
    ``columns`` boards in a row.

    Raises CGTError for more than 200 boards at once, for a part without boards, for moves that cannot be played, and
    for ``columns``, ``start`` or ``stop`` that are no such numbers.
    """
    _check_moves("moves", moves)
    for name, number in (("start", start), ("stop", stop)):
        if number is not None:
            _check_whole(name, number)
    if not isinstance(game, Record):
        _check_position(game)
        record = Record.start(game)
        for move in moves:
            record = record.play(move)
    else:
        record = game
        if next(iter(moves), None) is not None:
            raise CGTError("a record has moves of its own; give moves with a position only")
    positions = record.positions()
    shown = range(len(positions))[start:stop]
    if len(shown) > MOST_BOARDS:
        raise CGTError(f"{len(shown)} boards are too many for one strip; take at most {MOST_BOARDS} by start and stop")
    if not shown:
        raise CGTError(f"no boards from {start} to {stop}: the game has those from 0 to {len(positions) - 1}")
    frames = []
    for number in shown:
        move = record.moves[number - 1] if number else None
        text = "start" if move is None else f"{number}. {record.mover(number)} {_short(str(move), 40)}"
        if number == len(positions) - 1 and record.result is not None:
            drawn = record.result == "draw"
            text += ", a draw" if drawn else f", {record.result} wins"
        frames.append(framed(draw(positions[number], move), text))
    played = f"{len(record.moves)} move{'' if len(record.moves) == 1 else 's'}"
    title = f"{record.start_position.name or type(record.start_position).__name__}: {played}"
    return _arranged(frames, columns, title, scale)


def options(position: Position, *, most: int = 24, columns: int = 4, scale: float = 1) -> Picture:
    """The positions that the legal moves lead to, each below its move; at most ``most`` of them.

    Raises CGTError if there is no move, and for ``most`` or ``columns`` below 1.
    """
    _check_position(position)
    _check_whole("most", most, 1)
    frames = [
        framed(draw(position.play(move), move), _short(str(move), 40)) for move in islice(position.legal_moves, most)
    ]
    if not frames:
        raise CGTError(f"there is no legal move in {position.to_text()!r}")
    return _arranged(frames, columns, f"options of {_short(position.to_text())}", scale)


def _arranged(frames: list[tuple[float, float, tuple[Mark, ...]]], columns: int, title: str, scale: float) -> Picture:
    """Framed boards in rows, in cells of equal size."""
    _check_whole("columns", columns, 1)
    columns = min(columns, len(frames))
    across, down = max(width for width, _, _ in frames), max(height for _, height, _ in frames)
    rows = -(-len(frames) // columns)
    marks: list[Mark] = [Box(0, 0, columns * across, rows * down, Tone.PAPER, rounding=8)]
    for number, (width, _, inside) in enumerate(frames):
        row, column = divmod(number, columns)
        marks.append(Group(column * across + (across - width) / 2, row * down, inside))
    return Picture(columns * across, rows * down, tuple(marks), title, scale)
