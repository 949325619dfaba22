"""Road Works, by Georgy Nuzhdin.

A city of m x n blocks (m columns, n rows) has (m+1) x (n+1) crossings, named by a column's letter from the
left and a row's number from the bottom; streets join neighbours in a row or a column. ``A`` is the crossing
at the bottom left and ``B`` the one at the top right. Players take turns; a move *closes* an open crossing,
but not A or B. Paths run along streets through open crossings. **Who leaves no path between A and B loses at
once.**

With *collapse*, after each closing every open crossing that lies on no simple path from A to B falls and is
out of play: crossings that are cut off, dead-end lanes, loops that hang on one crossing. Level 1 is the city
of 3x3 blocks without collapse; levels 2, 3 and 4 are 3x3, 4x4 and 5x5 with it.

The same is played here in any finite graph with two marked crossings that are connected and not adjacent.

Text: the city in blocks, columns x rows, then the closings in order of play: ``3x3/b2,a3``. A move is the
name of the crossing that it closes. What has fallen follows and is not written. On the board in characters
``x`` was closed by who began, ``o`` by the other; a plus sign is open, and what has fallen is left out.

**Theory.** A closing that cuts loses at once, so the game is normal play over the *safe* closings: who has
none loses, and positions have Grundy values. A crossing lies on a simple A-B path iff it is in the
biconnected component, of the graph with A and B joined, that holds that joint (two disjoint ways lead from
the crossing to the joint: Menger). What is left is a chain of biconnected blocks between A and B, whose cut
crossings can never be closed safely, so that the position is the sum of its blocks. Without collapse a
crossing that would have fallen can be closed at any time and does nothing else: it is a heap of one. If
moreover the graph is bipartite (every grid is), all games last equally long up to an even number, since the
last path left has a length of known parity: on m x n blocks the first player wins iff m*n is odd.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Self

from cgt_games.games.road_works.city import City, bits
from cgt_games.games.road_works.shapes import code, decode
from cgt_games.position import IllegalMove, ImpartialPosition, InvalidPosition, Player, Rule, Turn

if TYPE_CHECKING:
    from random import Random

    from cgt_games.symmetry import Symmetry

LEVELS = {1: ((3, 3), False), 2: ((3, 3), True), 3: ((4, 4), True), 4: ((5, 5), True)}
"""The levels of the original: size in blocks, and whether dead ends fall."""


@dataclass(frozen=True, slots=True)
class Block:
    """One block of the chain between A and B: its crossings, as bits, and its two ends in the chain."""

    mask: int
    a: int
    b: int


@lru_cache(maxsize=1 << 16)
def is_connected(city: City, crossings: int) -> bool:
    """Whether a path joins A and B within this set of crossings (A and B among them). One graph search."""
    import networkx as nx

    return bool(nx.has_path(city.graph.subgraph(bits(crossings)), *city.ends))


@lru_cache(maxsize=1 << 16)
def live_set(city: City, crossings: int) -> int:
    """Those of ``crossings`` that lie on a simple path from A to B within them; 0 if there is no path.

    >>> city = City.grid(3, 3)
    >>> city.name_set(city.everything & ~live_set(city, city.everything & ~(1 << city.numbers["a3"])))
    ('a3', 'a4')
    """
    import networkx as nx

    if not is_connected(city, crossings):
        return 0
    graph = nx.Graph(city.graph.subgraph(bits(crossings)))
    graph.add_edge(*city.ends)
    # Two components share one crossing at most, so just one holds both ends.
    component = next(c for c in nx.biconnected_components(graph) if c.issuperset(city.ends))
    return sum(1 << i for i in component)


def chain(city: City, live: int) -> tuple[Block, ...]:
    """The blocks of a live set in order from A to B; a single street is a block too."""
    import networkx as nx

    blocks = [set(c) for c in nx.biconnected_components(city.graph.subgraph(bits(live)))]
    here, goal = city.ends
    found = []
    while here != goal:
        block = next(c for c in blocks if here in c)
        blocks.remove(block)
        if goal in block:
            there = goal
        else:
            there = next(i for i in block if i != here and any(i in other for other in blocks))
        found.append(Block(sum(1 << i for i in block), here, there))
        here = there
    return tuple(found)


@dataclass(frozen=True, slots=True, repr=False)
class RoadWorks(ImpartialPosition):
    """Road Works: close crossings of a city; who cuts A from B loses.

    A position is the city, whether dead ends fall, and the closings in order of play.

    Equality is by the *set* of closings; their order is kept for drawing. Moves are crossings' names. The
    closings are replayed, so an impossible one raises :class:`InvalidPosition`.

    >>> position = RoadWorks.from_text("3x3/b2,a3", collapse=True)
    >>> position.fallen
    ('a2', 'a4')
    >>> position.falls_after("b1")
    ()
    >>> position.play("b1").winner
    Turn.FIRST
    """

    city: City
    collapse: bool = False
    closings: tuple[str, ...] = field(default=(), compare=False)
    """The closed crossings in order of play."""
    closed: int = field(init=False, default=0)
    """The set of closed crossings, as bits."""
    in_play: int = field(init=False, default=0, compare=False)
    """The set of crossings neither closed nor fallen, as bits; A and B are among them."""
    is_cut: bool = field(init=False, default=False, compare=False)
    """Whether the last closing left A and B without a path."""

    name: ClassVar[str] = "road-works"
    rule_options: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "collapse",
            bool,
            None,
            "whether crossings on no path from A to B fall (default: no, or as the level says)",
        ),
        Rule("level", int, None, "1 to 4: a level of the original, which must agree with the city"),
    )
    equals_nimber: ClassVar[bool] = True
    fast_engine: ClassVar[str | None] = "cgt_games.games.road_works.solver:solve"
    commands: ClassVar[Mapping[str, str]] = {
        "table": "cgt_games.games.road_works.table_command:main",
        "explain": "cgt_games.games.road_works.explain_command:main",
    }
    picture: ClassVar[str | None] = "cgt_games.games.road_works.picture:draw"
    showcase: ClassVar[str | None] = "cgt_games.games.road_works.showcase:scenes"

    def __post_init__(self) -> None:
        city, everything = self.city, self.city.everything
        position = self._after(0, live_set(city, everything) if self.collapse else everything, (), False)
        for number, name in enumerate(self.closings, 1):
            if (reason := position.why_illegal(name, Turn.FIRST)) is not None:
                raise InvalidPosition(f"closing {number}, {name!r}, is not possible: {reason}")
            position = position.apply(name, Turn.FIRST)
        for attribute in ("closed", "in_play", "is_cut"):
            object.__setattr__(self, attribute, getattr(position, attribute))

    def _after(self, closed: int, in_play: int, closings: tuple[str, ...], is_cut: bool) -> Self:
        """A position of the same city and rules whose parts are known to fit."""
        position = object.__new__(type(self))
        values = (self.city, self.collapse, closings, closed, in_play, is_cut)
        names = ("city", "collapse", "closings", "closed", "in_play", "is_cut")
        for attribute, value in zip(names, values, strict=True):
            object.__setattr__(position, attribute, value)
        return position

    # --- texts ----------------------------------------------------------------------------------------------

    @classmethod
    def from_text(  # type: ignore[override]
        cls, text: str, *, to_move: str | None = None, collapse: bool | None = None, level: int | None = None
    ) -> Self:
        """The position ``CITY`` or ``CITY/closing,closing,...``, such as ``3x3/a3,d2``.

        ``level`` stands for a size and a rule; a city or ``collapse`` that disagrees with it raises
        :class:`InvalidPosition`, as do all impossible closings. Without either, nothing falls.
        """
        if to_move is not None and to_move != Turn.FIRST:
            raise InvalidPosition(f"to_move {to_move!r}: in an impartial game the player to move is always 'first'")
        place, slash, rest = text.partition("/")
        city = City.from_text(place)
        if level is not None:
            if level not in LEVELS:
                raise InvalidPosition(f"level {level!r}: the levels are 1, 2, 3 and 4")
            size, falls = LEVELS[level]
            if city.size != size:
                raise InvalidPosition(f"level {level} is played on {size[0]}x{size[1]} blocks, not on {place!r}")
            if collapse not in (None, falls):
                raise InvalidPosition(f"level {level} is played {'with' if falls else 'without'} collapse")
            collapse = falls
        if slash and not rest:
            raise InvalidPosition(f"{text!r} ends with a slash but names no closing")
        return cls(city, bool(collapse), tuple(rest.split(",")) if rest else ())

    @classmethod
    def level(cls, number: int) -> Self:
        """The start of a level of the original, 1 to 4.

        >>> RoadWorks.level(4)
        RoadWorks.from_text('5x5', collapse=True)
        """
        if number not in LEVELS:
            raise InvalidPosition(f"level {number!r}: the levels are 1, 2, 3 and 4")
        size, falls = LEVELS[number]
        return cls(City.grid(*size), falls)

    @classmethod
    def new_game(cls, generator: Random, *, collapse: bool | None = None, level: int | None = None) -> Self:  # type: ignore[override]
        """The start of a level: by default level 2, and level 1 if nothing is to fall."""
        if level is None:
            level = 1 if collapse is False else 2
        if level not in LEVELS:
            raise InvalidPosition(f"level {level!r}: the levels are 1, 2, 3 and 4")
        columns, rows = LEVELS[level][0]
        return cls.from_text(f"{columns}x{rows}", collapse=collapse, level=level)

    def rules(self) -> dict[str, Any]:
        """Whether dead ends fall; a level says nothing more."""
        return {"collapse": self.collapse}

    def to_text(self) -> str:
        """The city, then the closings in order of play."""
        return "/".join([self.city.to_text(), *([",".join(self.closings)] if self.closings else [])])

    def __repr__(self) -> str:
        return f"RoadWorks.from_text({self.to_text()!r}, collapse={self.collapse})"

    def board(self) -> str:
        """The grid: ``A``, ``B``, ``+`` open, ``x`` closed by who began, ``o`` by the other, blank if fallen.

        Streets are drawn between crossings in play. Another graph is drawn as the list of its crossings in
        play with their neighbours.
        """
        city, closer = self.city, dict(zip(self.closings, "xo" * len(self.closings), strict=False))

        def sign(i: int) -> str:
            if i in city.ends:
                return "AB"[city.ends.index(i)]
            return closer.get(city.names[i], "+" if self.in_play >> i & 1 else " ")

        if city.size is None:
            return "\n".join(
                f"{city.names[i]}{f' ({sign(i)})' if sign(i) in 'AB' else ''}: "
                + " ".join(city.names[j] for j in city.around[i] if self.in_play >> j & 1)
                for i in bits(self.in_play)
            )

        width, height = city.size[0] + 1, city.size[1] + 1

        def street(i: int, j: int, drawn: str) -> str:
            return drawn if self.in_play >> i & 1 and self.in_play >> j & 1 else " " * len(drawn)

        margin = len(str(height))
        lines = []
        for row in reversed(range(height)):
            first = row * width
            line = f"{row + 1:>{margin}} {sign(first)}"
            line += "".join(street(i - 1, i, "---") + sign(i) for i in range(first + 1, first + width))
            lines.append(line.rstrip())
            if row:
                below = "   ".join(street(i, i - width, "|") for i in range(first, first + width))
                lines.append(f"{'':>{margin}} {below}".rstrip())
        lines.append(f"{'':>{margin}} " + "   ".join("abcdefghijklmnopqrstuvwxyz"[:width]))
        return "\n".join(lines)

    # --- play -----------------------------------------------------------------------------------------------

    @property
    def fallen(self) -> tuple[str, ...]:
        """The crossings that have fallen, in the city's order."""
        return self.city.name_set(self.city.everything & ~self.closed & ~self.in_play)

    @property
    def closable(self) -> int:
        """The set of crossings that may be closed, as bits; empty once the game is over."""
        return 0 if self.is_cut else self.in_play & ~self.city.both_ends

    def why_over(self) -> str:
        """Who cut A from B has lost; else who cannot move."""
        if self.is_cut and self.closings:
            return f"closing {self.closings[-1]} cut A from B, and who cuts loses"
        return ImpartialPosition.why_over(self)

    def generate_moves(self, player: Player) -> Iterator[str]:
        """The names of the crossings that may be closed, the losing ones among them, in the city's order."""
        return (self.city.names[i] for i in bits(self.closable))

    def count_moves(self, player: Player) -> int:
        """The number of crossings that may be closed; no walk is needed."""
        return self.closable.bit_count()

    def parse_move(self, text: str) -> str:
        """A crossing's name is the move that closes it."""
        if text not in self.city.numbers:
            raise IllegalMove(f"illegal move {text!r}: there is no such crossing in {self.city.to_text()!r}")
        return text

    def why_illegal(self, move: object, player: Player) -> str | None:
        """What keeps this crossing from being closed: unknown, an end, closed, fallen, the game over."""
        number = self.city.numbers.get(move) if isinstance(move, str) else None
        if number is None:
            return f"there is no such crossing in {self.city.to_text()!r}"
        if self.is_cut:
            return "the game is over, A and B have no path between them"
        if number in self.city.ends:
            return f"it is the end {'AB'[self.city.ends.index(number)]}, which stays open"
        if self.closed >> number & 1:
            return "it is already closed"
        if not self.in_play >> number & 1:
            return "it has fallen"
        return None

    def apply(self, move: str, player: Player) -> Self:
        """The position after closing a crossing; after a cut nothing falls."""
        bit = 1 << self.city.numbers[move]
        rest = self.in_play & ~bit
        is_cut = not is_connected(self.city, rest)
        if self.collapse and not is_cut:
            rest = live_set(self.city, rest)
        return self._after(self.closed | bit, rest, (*self.closings, move), is_cut)

    def falls_after(self, move: str) -> tuple[str, ...]:
        """The crossings that would fall if this one were closed. Raises :class:`IllegalMove`."""
        after = self.play(move)
        return self.city.name_set(self.in_play & ~after.in_play & ~after.closed)

    @property
    def is_terminal(self) -> bool:
        """Whether A and B are cut, or (in a block of a sum alone) nothing can be closed."""
        return not self.closable

    @property
    def winner(self) -> Player | None:
        """The player to move, if the other has cut A from B; who cannot move loses."""
        if not self.is_terminal:
            return None
        return Turn.FIRST if self.is_cut else Turn.SECOND

    def safe_moves(self, player: Player) -> Iterator[str]:
        """The closings that keep a path; a closing that cuts loses at once."""
        city = self.city
        return (city.names[i] for i in bits(self.closable) if is_connected(city, self.in_play & ~(1 << i)))

    @classmethod
    def warm_up(cls) -> None:
        """Compile the kernels by solving a small city, the smallest in which all of them are needed."""
        from cgt_games.engines import solve

        solve(cls(City.grid(2, 2), True))

    # --- theory ---------------------------------------------------------------------------------------------

    def blocks(self) -> tuple[Block, ...]:
        """The chain of blocks from A to B, streets among them; empty once A and B are cut."""
        if self.is_cut:
            return ()
        live = self.in_play if self.collapse else live_set(self.city, self.in_play)
        return chain(self.city, live)

    def components(self) -> tuple[RoadWorks, ...]:
        """The blocks of the chain in which something can be closed, and without collapse a heap of one per
        idle crossing.

        An idle crossing is on no path from A to B: it stands as an isolated crossing beside a street from end
        to end.
        """
        if self.is_cut:
            return (self,)
        blocks = self.blocks()
        idle = self.in_play.bit_count() - sum(block.mask.bit_count() - 1 for block in blocks) - 1
        if len(blocks) == 1 and not idle and not self.closed and self.city.is_block:
            return (self,)
        if len(self.city) == 3 and idle == 1 and self.city.is_block and not self.closed:
            return (self,)
        parts = [
            type(self)(self.city.part(block.mask, block.a, block.b), self.collapse)
            for block in blocks
            if block.mask.bit_count() > 2
        ]
        return (*parts, *[type(self)(_IDLE, self.collapse)] * idle)

    def canonical(self) -> RoadWorks:
        """What is left in play, as a block of its own; a single block is replaced by the one of its shape.

        What was closed and has fallen makes no difference to the play that is left.
        """
        if self.is_cut:
            return self
        left = self.city.part(self.in_play, *self.city.ends)
        blocks = self.blocks()
        if len(blocks) == 1 and blocks[0].mask == self.in_play:
            left = decode(code(left, self.collapse))
        return type(self)(left, self.collapse)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Of a grid: the half turn, and on a square the two diagonal flips; each keeps the pair of ends."""
        if self.city.size is None:
            return ()
        from cgt_games.symmetry import rectangle

        columns, rows = self.city.size
        names = ("identity", "half turn", "main diagonal flip", "other diagonal flip")
        every = rectangle(rows + 1, columns + 1)
        return tuple(every[name] for name in names if name in every)

    def transform(self, symmetry: Symmetry) -> RoadWorks:
        """The same closings on the moved crossings, in the same order."""
        return type(self)(
            self.city, self.collapse, tuple(self.transform_move(move, symmetry) for move in self.closings)
        )

    def transform_move(self, move: str, symmetry: Symmetry) -> str:
        """The name of the crossing to which this one moves."""
        return self.city.names[symmetry.images[self.city.numbers[move]]]

    def fixed_boards(self, symmetry: Symmetry) -> int:
        """The sets of crossings other than A and B that the symmetry maps to themselves."""
        a = self.city.ends[0]
        return 1 << len(symmetry.cycles) - (2 if symmetry.images[a] == a else 1)


_IDLE = City(names=("A", "B", "idle"), streets=((0, 1),), ends=(0, 1), is_block=True)
