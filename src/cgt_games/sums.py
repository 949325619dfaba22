"""Disjunctive sums: a player moves in one component, and who cannot move in any loses.

Only normal-play positions have a place in a sum: the theory of sums is theirs. A sum whose components all equal nimbers
is solved by the XOR of their Grundy values (Sprague-Grundy); any other by search on the sum itself. A sum has a side to
move of its own and ignores that of its components.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from cgt_games.drawing import Drawing, Group, Mark, Place, Text, Tone, draw
from cgt_games.engines import is_nimber, why_no_sum
from cgt_games.position import (
    CannotSum,
    IllegalMove,
    InvalidPosition,
    Player,
    Position,
    Side,
    Theory,
    Turn,
)
from cgt_games.registry import game


class SumMove(NamedTuple):
    """A move in one component of a sum; its text is ``component>move``, components counted from 1."""

    component: int
    move: Any

    def __str__(self) -> str:
        return f"{self.component}>{self.move}"


@dataclass(frozen=True, repr=False)
class Sum(Position):
    """A disjunctive sum of normal-play positions, made by ``g + h`` or :meth:`of`: move in one of them.

    >>> from cgt_games import Nim, Northcott, solve
    >>> g = Nim(1, 2) + Northcott.from_text("L...R")
    >>> g.to_text()
    'nim 1,2 + northcott L...R'
    >>> solution = solve(g)
    >>> solution.value, solution.winning_moves  # 1 xor 2 equals the gap of 3
    (0, ())
    """

    parts: tuple[Position, ...]

    name = "sum"
    fast_engine = "cgt_games.engines.nimbers:solve_sum"
    picture = "cgt_games.sums:draw_sum"

    @classmethod
    def of(cls, *positions: Position, to_move: Player | str = Side.LEFT) -> Sum:
        """The sum of the positions; sums among them are taken apart.

        ``to_move`` counts if one of them is partizan. Raises CannotSum, naming the position and the reason.
        """
        parts: list[Position] = []
        for position in positions:
            if isinstance(position, Sum):
                parts += position.parts
                continue
            if (reason := why_no_sum(position)) is not None:
                raise CannotSum(f"{position.to_text()!r} has no place in a sum: {reason}")
            parts.append(_side_forgotten(position))
        if all(part.theory is Theory.IMPARTIAL for part in parts):
            return ImpartialSum(tuple(parts))
        return PartizanSum(tuple(parts), Side(to_move))

    def generate_moves(self, player: Player) -> Iterator[SumMove]:
        """Component by component; a move by which the mover loses at once is none in a sum."""
        for number, part in enumerate(self.parts, 1):
            for move in part.safe_moves(role_in(part, player)):
                yield SumMove(number, move)

    def why_illegal(self, move: Any, player: Player) -> str | None:
        """The component's reason, or that there is no such component."""
        if not isinstance(move, SumMove):
            return f"{move!r} is no move in a sum"
        if not 1 <= move.component <= len(self.parts):
            return f"there is no component {move.component}; there are {len(self.parts)}"
        part = self.parts[move.component - 1]
        role = role_in(part, player)
        if (reason := part.why_illegal(move.move, role)) is not None:
            return f"in component {move.component}, {reason}"
        after = part.apply(move.move, role)
        if after.is_terminal and after.winner == after.to_move:
            return f"in component {move.component}, it loses at once and so is no option in a sum"
        return None

    def parse_move(self, text: str) -> SumMove:
        """A text such as ``2>3:1``: in component 2, the move 3:1."""
        number, arrow, rest = text.partition(">")
        if not (arrow and number.isascii() and number.isdigit()):
            raise IllegalMove(f"{text!r} is no move in a sum; write component>move, such as 2>3:1")
        if not 1 <= int(number) <= len(self.parts):
            raise IllegalMove(f"{text!r} names component {number}; there are {len(self.parts)}")
        return SumMove(int(number), self.parts[int(number) - 1].parse_move(rest))

    def apply(self, move: SumMove, player: Player) -> Self:
        """The sum with one component moved in."""
        part = self.parts[move.component - 1]
        moved = _side_forgotten(part.apply(move.move, role_in(part, player)))
        return self._with_parts((*self.parts[: move.component - 1], moved, *self.parts[move.component :]))

    def _with_parts(self, parts: tuple[Position, ...]) -> Self:
        raise CannotSum("a sum is made by Sum.of")

    def to_text(self) -> str:
        """The components as ``game text``, joined by plus signs; rules that are not the default in brackets."""
        return " + ".join(_part_text(part) for part in self.parts) or "0"

    @classmethod
    def from_text(cls, text: str, *, to_move: str | None = None, **rules: Any) -> Sum:
        """The sum of components of registered games, such as ``nim 1,2 + northcott L..R``."""
        for rule in rules:
            raise InvalidPosition(f"a sum has no rule {rule!r}; write it with its component, as game[{rule}=...]")
        parts = [_part_from_text(part) for part in text.split(" + ")] if text.strip() != "0" else []
        made = cls.of(*parts)
        if to_move is None:
            return made
        if to_move not in list(made.players):
            raise InvalidPosition(f"to_move {to_move!r} is neither of {', '.join(made.players)}")
        return made.with_to_move(made.players(to_move))

    def __repr__(self) -> str:
        parts = ", ".join(map(repr, self.parts))
        return f"Sum.of({parts})" if self.players is Turn else f"Sum.of({parts}, to_move={str(self.to_move)!r})"

    def board(self) -> str:
        """The components' boards, one below the other."""
        return "\n+\n".join(part.board() for part in self.parts) or "0"


@dataclass(frozen=True, repr=False)
class ImpartialSum(Sum):
    """A sum of impartial positions: impartial itself."""

    theory = Theory.IMPARTIAL
    equals_nimber = True
    players = Turn

    @property
    def to_move(self) -> Player:
        """Always ``first``, as in any impartial game."""
        return Turn.FIRST

    def components(self) -> tuple[Position, ...]:
        """The components, for the general engine."""
        return self.parts

    def with_to_move(self, player: Player) -> Self:
        """This position itself."""
        return self

    def _with_parts(self, parts: tuple[Position, ...]) -> Self:
        return type(self)(parts)


@dataclass(frozen=True, repr=False)
class PartizanSum(Sum):
    """A sum in which at least one component is partizan; it has a side to move."""

    to_move: Player = Side.LEFT

    players = Side
    to_move_is_free = True

    @property
    def theory(self) -> Theory:  # type: ignore[override]
        """Loopy if a component is."""
        return Theory.LOOPY if any(part.theory is Theory.LOOPY for part in self.parts) else Theory.PARTIZAN

    @property
    def equals_nimber(self) -> bool:  # type: ignore[override]
        """Whether every component equals a nimber."""
        return all(is_nimber(part) for part in self.parts)

    def _with_parts(self, parts: tuple[Position, ...]) -> Self:
        return type(self)(parts, self.to_move.opponent)


def role_in(part: Position, player: Player) -> Player:
    """The player of the component who has the part of ``player`` in the sum."""
    left, right = part.players
    return left if player.is_left else right


def _side_forgotten(part: Position) -> Position:
    """The component with Left to move: sums that differ in their components' sides alone are equal."""
    return part.with_to_move(next(iter(part.players)))


def _part_text(part: Position) -> str:
    default = {rule.name: rule.default for rule in part.rule_options}
    chosen = ",".join(f"{name}={value}" for name, value in part.rules().items() if value != default[name])
    return f"{part.name or type(part).__name__}{f'[{chosen}]' if chosen else ''} {part.to_text()}"


def _part_from_text(text: str) -> Position:
    match = re.fullmatch(r"\s*([\w-]+)(?:\[([^\]]*)\])? +(\S+)\s*", text)
    if match is None:
        raise InvalidPosition(f"{text!r} is no component; write a game's name and a position, such as nim 1,2")
    name, chosen, board = match.groups()
    kind = game(name)
    rules: dict[str, Any] = {}
    for choice in chosen.split(",") if chosen else []:
        key, _, value = choice.partition("=")
        rule = next((rule for rule in kind.rule_options if rule.name == key), None)
        if rule is None:
            raise InvalidPosition(f"{name} has no rule {key!r}")
        rules[key] = rule.read(value)
    return kind.from_text(board, **rules)


def draw_sum(position: Sum, last_move: SumMove | None = None) -> Drawing:
    """The components' drawings, one below the other; their places have the component's number before their names."""
    marks: list[Mark] = []
    places: dict[str, Place] = {}
    drawings = []
    width, y = 24.0, 0.0
    for number, part in enumerate(position.parts, 1):
        inside = last_move.move if last_move is not None and last_move.component == number else None
        drawing = draw(part, inside)
        if number > 1:
            marks.append(Text(14, y + 8, "+", Tone.INK, 22, bold=True))
            y += 22
        marks.append(Group(24, y, drawing.marks))
        for name, place in drawing.places.items():
            places[f"{number}>{name}"] = place._replace(x=place.x + 24, y=place.y + y)
        drawings.append(drawing)
        width, y = max(width, 24 + drawing.width), y + drawing.height

    def touch(move: SumMove) -> tuple[str, ...]:
        return tuple(f"{move.component}>{name}" for name in drawings[move.component - 1].touch(move.move))

    def spell(touched: tuple[str, ...]) -> str:
        number = touched[-1].partition(">")[0]
        inside = tuple(name for part, _, name in (full.partition(">") for full in touched) if part == number)
        return f"{number}>{drawings[int(number) - 1].spell(inside)}"

    if not position.parts:
        marks, y = [Text(12, 12, "0", size=22, bold=True)], 24
    any_order = bool(drawings) and all(drawing.any_order for drawing in drawings)
    return Drawing(width, y, tuple(marks), places, touch, any_order=any_order, spell=spell)
