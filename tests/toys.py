"""Small games of the literature, written as a user would write them, for testing what knows no game by name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cgt_games import (
    ImpartialPosition,
    InvalidPosition,
    PartizanPosition,
    Player,
    ScoringPosition,
    Side,
    Theory,
)


@dataclass(frozen=True, slots=True)
class Subtraction(ImpartialPosition):
    """Take 1, 3 or 4 from one heap."""

    heap: int

    def generate_moves(self, player: Player) -> Iterator[int]:
        return (taken for taken in (1, 3, 4) if taken <= self.heap)

    def apply(self, move: int, player: Player) -> Subtraction:
        return Subtraction(self.heap - move)

    def to_text(self) -> str:
        return str(self.heap)

    @classmethod
    def from_text(cls, text, *, to_move=None, **rules):
        return cls(int(text))


@dataclass(frozen=True)
class Kayles(ImpartialPosition):
    """Rows of pins; knock down one pin or two neighbours; the rows are independent."""

    rows: tuple[int, ...]

    def generate_moves(self, player: Player) -> Iterator[tuple[int, int, int]]:
        for number, row in enumerate(self.rows):
            for pins in (1, 2):
                for first in range(row - pins + 1):
                    yield number, first, pins

    def apply(self, move: tuple[int, int, int], player: Player) -> Kayles:
        number, first, pins = move
        row = self.rows[number]
        rest = [part for part in (first, row - first - pins) if part]
        return Kayles((*self.rows[:number], *rest, *self.rows[number + 1 :]))

    def components(self):
        return tuple(Kayles((row,)) for row in self.rows)

    def canonical(self):
        return Kayles(tuple(sorted(self.rows)))

    def to_text(self) -> str:
        return ",".join(map(str, self.rows)) or "0"

    @classmethod
    def from_text(cls, text, *, to_move=None, **rules):
        return cls(tuple(int(row) for row in text.split(",") if row != "0"))


@dataclass(frozen=True)
class Domineering(PartizanPosition):
    """Left places vertical dominoes on the free squares, Right horizontal ones; who cannot loses."""

    rows: tuple[str, ...]
    to_move: Side = Side.LEFT

    def generate_moves(self, player: Player) -> Iterator[tuple[int, int]]:
        down, right = (1, 0) if player is Side.LEFT else (0, 1)
        for r in range(len(self.rows) - down):
            for c in range(len(self.rows[0]) - right):
                if self.rows[r][c] == self.rows[r + down][c + right] == ".":
                    yield r, c

    def apply(self, move: tuple[int, int], player: Player) -> Domineering:
        down, right = (1, 0) if player is Side.LEFT else (0, 1)
        covered = {move, (move[0] + down, move[1] + right)}
        rows = tuple(
            "".join("#" if (r, c) in covered else square for c, square in enumerate(row))
            for r, row in enumerate(self.rows)
        )
        return Domineering(rows, player.opponent)

    def to_text(self) -> str:
        return "/".join(self.rows)

    @classmethod
    def from_text(cls, text, *, to_move=None, **rules):
        return cls(tuple(text.split("/")), Side(to_move or "left"))


def domineering(rows: int, columns: int) -> Domineering:
    return Domineering(("." * columns,) * rows)


@dataclass(frozen=True)
class Token(PartizanPosition):
    """A token on a directed graph whose arcs each belong to Left or Right; who cannot move loses. Play may cycle."""

    arcs: tuple[tuple[int, int, str], ...]
    """(from, to, owner) with owner ``"left"`` or ``"right"``."""
    place: int
    to_move: Side = Side.LEFT

    theory = Theory.LOOPY

    def generate_moves(self, player: Player) -> Iterator[int]:
        return iter(sorted({end for start, end, owner in self.arcs if start == self.place and owner == player}))

    def apply(self, move: int, player: Player) -> Token:
        return Token(self.arcs, move, player.opponent)

    def to_text(self) -> str:
        arcs = " ".join(f"{start}-{end}{owner[0]}" for start, end, owner in self.arcs)
        return f"{self.place}: {arcs}"

    @classmethod
    def from_text(cls, text, *, to_move=None, **rules):
        place, _, arcs = text.partition(": ")
        read = []
        for arc in arcs.split():
            start, _, end = arc[:-1].partition("-")
            read.append((int(start), int(end), {"l": "left", "r": "right"}[arc[-1]]))
        return cls(tuple(read), int(place), Side(to_move or "left"))


@dataclass(frozen=True)
class ForgetfulToken(Token):
    """The same, but it does not say that play may cycle."""

    theory = Theory.PARTIZAN

    def apply(self, move: int, player: Player) -> ForgetfulToken:
        return ForgetfulToken(self.arcs, move, player.opponent)


@dataclass(frozen=True)
class Countdown(ImpartialPosition):
    """One move at a time down to 0: a game of ``length`` plies."""

    length: int

    def generate_moves(self, player: Player) -> Iterator[int]:
        return iter((1,) if self.length else ())

    def apply(self, move: int, player: Player) -> Countdown:
        return Countdown(self.length - 1)

    def to_text(self) -> str:
        return str(self.length)

    @classmethod
    def from_text(cls, text, *, to_move=None, **rules):
        return cls(int(text))


@dataclass(frozen=True)
class Coins(ScoringPosition):
    """A row of coins; a player takes one from either end; the margin is Left's coins less Right's."""

    coins: tuple[int, ...]
    lead: int = 0
    to_move: Side = Side.LEFT

    def generate_moves(self, player: Player) -> Iterator[str]:
        if self.coins:
            yield "first"
        if len(self.coins) > 1:
            yield "last"

    def apply(self, move: str, player: Player) -> Coins:
        taken, rest = (self.coins[0], self.coins[1:]) if move == "first" else (self.coins[-1], self.coins[:-1])
        return Coins(rest, self.lead + taken * (1 if player.is_left else -1), player.opponent)

    @property
    def margin(self) -> int:
        return self.lead

    def to_text(self) -> str:
        return f"{','.join(map(str, self.coins))};{self.lead}"

    @classmethod
    def from_text(cls, text, *, to_move=None, **rules):
        coins, _, lead = text.partition(";")
        if not lead:
            raise InvalidPosition("the lead is missing")
        return cls(tuple(map(int, coins.split(","))) if coins else (), int(lead), Side(to_move or "left"))
