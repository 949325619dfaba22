"""Why a position of Road Works is won or lost: its blocks, their values and shapes, and what a move changes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import xor

from cgt_games.engines import grundy, solve
from cgt_games.games.road_works.city import City
from cgt_games.games.road_works.live import MAX_CROSSINGS
from cgt_games.games.road_works.rules import RoadWorks
from cgt_games.games.road_works.shapes import code, decode
from cgt_games.games.road_works.solver import blocks_for, keep_blocks, parity
from cgt_games.position import CGTError, Turn
from cgt_games.solution import Search


@dataclass(frozen=True, slots=True)
class BlockValue:
    """A block of the chain from A to B: its crossings and two ends by name, Grundy value, and shape.

    ``shape`` is the block that stands for all of the same shape: with collapse every lane in it is one crossing long.
    """

    crossings: tuple[str, ...]
    ends: tuple[str, str]
    value: int
    shape: City

    def __str__(self) -> str:
        junctions = len(self.shape) - self.lanes
        inside = " ".join(name for name in self.crossings if name not in self.ends)
        return (
            f"{self.ends[0]} to {self.ends[1]}: value {self.value}; {junctions} junctions, {len(self.shape.streets)} "
            f"streets, shape {self.shape.to_text().removeprefix('block ')}; holds {inside}"
        )

    @property
    def lanes(self) -> int:
        """The crossings of the shape that have two neighbours and are no ends."""
        return sum(len(near) == 2 and i not in self.shape.ends for i, near in enumerate(self.shape.around))


@dataclass(frozen=True, slots=True)
class Explanation:
    """A position as the sum of its blocks, in order from A to B; single streets, of value 0, are left out.

    ``idle`` are the crossings on no path from A to B that can still be closed (only without collapse), each of value 1;
    ``value`` is the XOR of all.
    """

    position: RoadWorks
    blocks: tuple[BlockValue, ...]
    idle: tuple[str, ...]
    value: int

    def __str__(self) -> str:
        lines = [str(block) for block in self.blocks]
        if self.idle:
            lines.append(f"on no path, value 1 each: {' '.join(self.idle)}")
        winner = "the player to move wins" if self.value else "the player to move loses"
        return "\n".join([*lines, f"together {self.sum_text()}: {winner}"])

    def sum_text(self) -> str:
        """The sum of the values, such as ``3 xor 1 = 2``."""
        values = [str(block.value) for block in self.blocks] + ["1"] * len(self.idle)
        if len(values) < 2:
            return str(self.value)
        return f"{' xor '.join(values)} = {self.value}"


@dataclass(frozen=True, slots=True)
class MoveExplanation:
    """What a closing does: whether it cuts A from B, what falls, and the sum it leaves (None after a cut)."""

    move: str
    cuts: bool
    falls: tuple[str, ...]
    after: Explanation | None

    @property
    def wins(self) -> bool:
        """Whether the closing leaves a sum of value 0."""
        return self.after is not None and self.after.value == 0

    def __str__(self) -> str:
        if self.after is None:
            return f"{self.move} loses at once: it leaves no path between A and B"
        falls = f", {' '.join(self.falls)} fall{'s' if len(self.falls) == 1 else ''}" if self.falls else ""
        verdict = "wins" if self.wins else "does not win"
        return f"{self.move} {verdict}: it leaves {self.after.sum_text()}{falls}"


@dataclass(frozen=True, slots=True)
class Hint:
    """For a legal closing: whether it wins, whether it loses at once, and what would fall."""

    move: str
    wins: bool
    cuts: bool
    falls: tuple[str, ...]


def explain(position: RoadWorks) -> Explanation:
    """The position as a sum. Cost: that of finding the values of its blocks. Raises ValueError once the game is over.

    >>> print(explain(RoadWorks.from_text("3x3/b2,c4,c1", collapse=True)))
    a3 to b3: value 1; 2 junctions, 3 streets, shape 0>1:0-1,0-2,1-2; holds a4 b4
    c3 to d3: value 1; 2 junctions, 3 streets, shape 0>1:0-1,0-2,1-2; holds c2 d2
    together 1 xor 1 = 0: the player to move loses
    """
    if position.is_cut:
        raise ValueError(f"{position.to_text()!r} is over, so it is no sum of blocks")
    city = position.city
    table = blocks_for(position) if position.in_play.bit_count() <= MAX_CROSSINGS else None
    on_paths = 0
    found = []
    for block in position.blocks():
        on_paths |= block.mask
        if block.mask.bit_count() == 2:
            continue
        part = city.part(block.mask, block.a, block.b)
        names = city.name_set(block.mask)
        ends = (city.names[block.a], city.names[block.b])
        alone = RoadWorks(part, position.collapse)
        if (by_parity := parity(alone)) is not None:
            value = by_parity
        elif table is None:
            value = grundy(alone)
        else:
            number = table.city.numbers
            mask = sum(1 << number[name] for name in names)
            value = table.value(mask, Search(), (number[ends[0]], number[ends[1]]))
        found.append(BlockValue(names, ends, value, decode(code(part, position.collapse))))
    if table is not None:
        keep_blocks(table)
    idle = city.name_set(position.in_play & ~on_paths)
    return Explanation(position, tuple(found), idle, reduce(xor, (b.value for b in found), len(idle) & 1))


def explain_move(position: RoadWorks, move: str) -> MoveExplanation:
    """What a closing does. Raises IllegalMove.

    >>> print(explain_move(RoadWorks.from_text("3x3/b2,c4", collapse=True), "c1"))
    c1 wins: it leaves 1 xor 1 = 0, b1 d1 fall
    """
    after = position.play(move)
    if after.is_cut:
        return MoveExplanation(move, True, (), None)
    return MoveExplanation(move, False, position.falls_after(move), explain(after))


def hints(position: RoadWorks) -> list[Hint]:
    """For each legal closing whether it wins, and what would fall. Cost: that of :func:`cgt_games.solve`.

    Raises CGTError if solving was interrupted, for then the moves not yet looked at would seem to lose.
    """
    solution = solve(position)
    if not solution.exact:
        raise CGTError(f"solving {position.to_text()!r} was interrupted, so not all hints are known")
    winning = set(solution.winning_moves or ())
    found = []
    for move in position.legal_moves:
        after = position.apply(move, Turn.FIRST)
        found.append(Hint(move, move in winning, after.is_cut, () if after.is_cut else position.falls_after(move)))
    return found
