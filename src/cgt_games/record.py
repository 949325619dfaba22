"""A played game: where it started, the moves, how it ended; saved as JSON, and replayed when loaded.

A record keeps its start **in full** (the board, the side to move and the rules; not a seed), so that it
replays on any machine and under any version. In a file it is one JSON object:

======================= ===============================================================================
``game``                the game's name, as on the command line
``rules``               the choices of the game's rule options; what is missing has its default
``start``, ``to_move``  the position that play started from, as text, and who was to move
``moves``               the moves' texts, in the order of play
``result``              who won: a player's name or ``"draw"``; null while the game goes on
``resigned``            the player who gave up, or null
``names``               optional: the players' names, by player
``date``                optional: any text
``comments``            optional: texts by the number of moves played before them (``"0"``: at the start)
======================= ===============================================================================

Fields that are not in this list are kept as they are. In an impartial game, ``first`` is throughout the
record the player who moves first *from its start*, and ``second`` the other.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cgt_games.position import CGTError, Move, Player, Position, Turn
from cgt_games.registry import UnknownGame, game, read_position

if TYPE_CHECKING:
    from cgt_games.notebook.board import PlayBoard


class RecordError(CGTError, ValueError):
    """A record that is malformed, does not replay, or cannot be continued; the message names the place.

    ``move_number`` is the number of the move that could not be played, counted from 1, or None.
    """

    def __init__(self, message: str, move_number: int | None = None):
        super().__init__(message)
        self.move_number = move_number


@dataclass(frozen=True)
class Record:
    """A game from a start position to where it stands; immutable: each method that changes it gives a new
    record.

    >>> from cgt_games import Nim
    >>> record = Record.start(Nim(1, 2), names={"first": "teacher", "second": "class"})
    >>> record = record.play("2:1").play("1:1")
    >>> record.position.to_text(), record.to_move, record.result
    ('0,1', Turn.FIRST, None)
    >>> record.undo().position.to_text()
    '1,1'
    >>> record.resign().result
    Turn.SECOND
    >>> Record.from_json(record.to_json()) == record
    True
    """

    start_position: Position
    """Where play started."""
    moves: tuple[Move, ...] = ()
    """The moves played, in order."""
    resigned: Player | None = None
    """Who gave up, or None."""
    names: tuple[tuple[Player, str], ...] = ()
    """The players' names."""
    date: str | None = None
    """When it was played, as any text."""
    comments: tuple[tuple[int, str], ...] = ()
    """Each with the number of moves played before it, in that order."""
    other_fields: str = "{}"
    """The fields of a loaded record that this library does not know, as the text of a JSON object."""
    _positions: tuple[Position, ...] = field(default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self._positions) != len(self.moves) + 1:
            moves, positions = _replay(self.start_position, self.moves)
            object.__setattr__(self, "moves", moves)
            object.__setattr__(self, "_positions", positions)

    @classmethod
    def start(cls, position: Position, *, names: Mapping[str, str] | None = None, date: str | None = None) -> Record:
        """A game in which no move was played yet. ``names`` are by player; raises :class:`RecordError` for
        no player."""
        for what, text in (*(("name", name) for name in (names or {}).values()), ("date", date)):
            if text is not None and not isinstance(text, str):
                raise RecordError(f"a {what} is a text, not {text!r}")
        return cls(position, names=_names(position, names or {}), date=date)

    def play(self, move: Move, comment: str | None = None) -> Record:
        """The record with one move more (a move or its text). Cost: a copy of the list of positions.

        Raises :class:`RecordError` after a resignation, and :class:`~cgt_games.IllegalMove` for an illegal
        move.
        """
        if self.resigned is not None:
            raise RecordError(f"the game is over: {self.resigned} has resigned")
        before = self.position
        if isinstance(move, str):
            move = before.parse_move(move)
        after = before.play(move)
        played = replace(self, moves=(*self.moves, move), _positions=(*self._positions, after))
        return played if comment is None else played.comment(comment)

    def undo(self) -> Record:
        """The record before its last event, which is a resignation or a move; comments on that move go with
        it.

        Raises :class:`RecordError` at the start.
        """
        if self.resigned is not None:
            return replace(self, resigned=None)
        if not self.moves:
            raise RecordError("nothing to undo: no move has been played")
        kept = tuple((number, text) for number, text in self.comments if number < len(self.moves))
        return replace(self, moves=self.moves[:-1], _positions=self._positions[:-1], comments=kept)

    def resign(self, player: str | None = None) -> Record:
        """The record in which a player (named as in the record; default: the player to move) gives up.

        Raises :class:`RecordError` when the game is over already.
        """
        if self.result is not None:
            raise RecordError(f"the game is over already, with the result {str(self.result)!r}")
        return replace(self, resigned=self.to_move if player is None else _player(self.start_position, player))

    def comment(self, text: str) -> Record:
        """The record with one comment more, on the position where it stands."""
        return replace(self, comments=(*self.comments, (len(self.moves), text)))

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self._positions[-1]

    def positions(self) -> tuple[Position, ...]:
        """All positions in order, the start first; one more than there are moves."""
        return self._positions

    @property
    def to_move(self) -> Player:
        """Whose turn it is, named as in the record: in an impartial game as seen from the start."""
        return self.mover(len(self.moves) + 1)

    def mover(self, number: int) -> Player:
        """Who plays move ``number`` (from 1 to one more than were played), named as in the record."""
        return self._named(self._positions[number - 1].to_move, number - 1)

    @cached_property
    def result(self) -> Player | str | None:
        """Who won, named as in the record; ``"draw"``; None while the game goes on."""
        if self.resigned is not None:
            return self.resigned.opponent
        winner = self.position.winner
        return self._named(winner, len(self.moves)) if isinstance(winner, Player) else winner

    def _repr_svg_(self) -> str:
        from cgt_games.show import strip
        from cgt_games.show.pictures import MOST_BOARDS

        return str(strip(self, start=max(0, len(self.moves) + 1 - MOST_BOARDS)))

    def play_widget(self, **options: Any) -> PlayBoard:
        """A board to play on from where the game stands; see :meth:`cgt_games.Position.play_widget`."""
        from cgt_games.notebook import play_widget

        return play_widget(self, **options)

    def _named(self, player: Player, played: int) -> Player:
        """A player of the position after some moves as the record names it: in an impartial game, ``first`` and
        ``second`` change places with every move.
        """
        return player.opponent if isinstance(player, Turn) and played % 2 else player

    # --- text ---

    def to_json(self) -> str:
        """The record as JSON (see the module's text). Raises :class:`RecordError` for a game that has no
        name."""
        start = self.start_position
        if not start.name:
            raise RecordError(
                f"{type(start).__name__} has no name by which a record could be read back: set its 'name'"
            )
        known: dict[str, Any] = {
            "game": start.name,
            "rules": start.rules(),
            "start": start.to_text(),
            "to_move": str(start.to_move),
            "moves": [str(move) for move in self.moves],
            "result": None if self.result is None else str(self.result),
            "resigned": None if self.resigned is None else str(self.resigned),
        }
        if self.names:
            known["names"] = {str(player): name for player, name in self.names}
        if self.date is not None:
            known["date"] = self.date
        if self.comments:
            texts: dict[str, list[str]] = {}
            for number, text in self.comments:
                texts.setdefault(str(number), []).append(text)
            known["comments"] = {number: text[0] if len(text) == 1 else text for number, text in texts.items()}
        return json.dumps(known | json.loads(self.other_fields), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str, state_type: type[Position] | None = None) -> Record:
        """The record in a JSON text, replayed and checked.

        ``state_type`` is needed for a game that is not in the registry. Raises :class:`RecordError` if the
        text is no record, a move cannot be played (the message says which and why), or what it says of the
        end is not so.
        """
        try:
            fields = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise RecordError(f"not a record: no valid JSON ({error})") from None
        if not isinstance(fields, dict):
            raise RecordError(f"not a record: a JSON object is needed, not {type(fields).__name__}")
        record = _read(cls, fields, state_type)
        return replace(record, other_fields=json.dumps(fields, ensure_ascii=False))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the record to a file, in UTF-8; RecordError for what is no text, before the file is touched."""
        try:
            encoded = self.to_json().encode()
        except UnicodeEncodeError as error:
            raise RecordError(f"the record has a character that is no text: {error.object[error.start]!r}") from None
        Path(path).write_bytes(encoded)

    @classmethod
    def load(cls, path: str | PathLike[str], state_type: type[Position] | None = None) -> Record:
        """The record in a file, replayed and checked as by :meth:`from_json`; the errors name the file."""
        try:
            return cls.from_json(Path(path).read_text(encoding="utf-8"), state_type)
        except UnicodeDecodeError:
            raise RecordError(f"{path}: not a record: no UTF-8 text") from None
        except RecordError as error:
            raise RecordError(f"{path}: {error}", error.move_number) from None


def _replay(start: Position, moves: Iterable[Move]) -> tuple[tuple[Move, ...], tuple[Position, ...]]:
    """Moves (or their texts) as moves, and all positions; :class:`RecordError` with the number of a move
    that fails."""
    moves, played, positions = list(moves), [], [start]
    for number, move in enumerate(moves, 1):
        try:
            played.append(positions[-1].parse_move(move) if isinstance(move, str) else move)
            positions.append(positions[-1].play(played[-1]))
        except CGTError as error:
            raise RecordError(f"move {number} of {len(moves)} cannot be played: {error}", number) from None
    return tuple(played), tuple(positions)


def _player(start: Position, name: str) -> Player:
    """The player of this name; raises :class:`RecordError` for a name that is none."""
    try:
        return start.players(name)
    except ValueError:
        raise RecordError(f"{name!r} is no player of this game; there are {' and '.join(start.players)}") from None


def _names(start: Position, names: Mapping[str, str]) -> tuple[tuple[Player, str], ...]:
    given = {_player(start, player): name for player, name in names.items()}
    return tuple((player, given[player]) for player in start.players if player in given)


def _read(cls: type[Record], fields: dict[str, Any], state_type: type[Position] | None) -> Record:
    """The record of the known fields, which are taken out of ``fields``."""

    def take(name: str, kind: type, default: Any = None) -> Any:
        value = fields.pop(name, default)
        if value is not default and not isinstance(value, kind):
            raise RecordError(f"field {name!r}: {_KINDS[kind]} is needed, not {value!r}")
        return value

    name, text = take("game", str), take("start", str)
    if name is None or text is None:
        raise RecordError(f"not a record: field {'game' if name is None else 'start'!r} is missing")
    try:
        state_type = state_type or game(name)
    except UnknownGame as error:
        raise RecordError(f"field 'game': {error}") from None
    if name != state_type.name:
        raise RecordError(f"field 'game': this is a record of {name}, not of {state_type.name}")
    try:
        start = read_position(state_type, text, take("to_move", str), take("rules", dict, {}))
    except CGTError as error:
        raise RecordError(f"the start cannot be set up: {error}") from None
    moves = take("moves", list, [])
    for number, move in enumerate(moves, 1):
        if not isinstance(move, str):
            raise RecordError(f"move {number} of {len(moves)} is no text: {move!r}", number)
    names, comments = take("names", dict, {}), take("comments", dict, {})
    if not all(isinstance(value, str) for value in names.values()):
        raise RecordError("field 'names': each name must be a text")
    record = cls(
        start,
        tuple(moves),
        names=_names(start, names),
        date=take("date", str),
        comments=_comments(comments, len(moves)),
    )
    resigned, stated = take("resigned", str), take("result", str)
    if resigned is not None:
        record = record.resign(resigned)
    if stated is not None and stated != record.result:
        found = "is not over" if record.result is None else f"has the result {str(record.result)!r}"
        raise RecordError(f"field 'result' says {stated!r}, but the game as replayed {found}")
    return record


_KINDS: dict[type, str] = {str: "a text", dict: "an object", list: "a list"}


def _comments(comments: dict[str, Any], played: int) -> tuple[tuple[int, str], ...]:
    """Comments as read from JSON: by number of moves a text, or a list of several."""
    read: list[tuple[int, str]] = []
    for key, value in comments.items():
        if not (key.isdecimal() and key.isascii() and len(key) < 20 and int(key) <= played):
            raise RecordError(f"field 'comments': {key!r} is no number of moves from 0 to {played}")
        texts = value if isinstance(value, list) else [value]
        if not all(isinstance(text, str) for text in texts):
            raise RecordError(f"field 'comments': what stands at {key!r} is no text")
        read.extend((int(key), text) for text in texts)
    return tuple(sorted(read, key=lambda comment: comment[0]))
