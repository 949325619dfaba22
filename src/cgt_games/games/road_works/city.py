"""A city for Road Works: crossings, streets, and the two ends A and B.

Sets of crossings are plain integers, bit ``i`` for crossing ``i``, so that any size works; the kernels in
:mod:`~cgt_games.games.road_works.live` take those of at most 64 crossings as they are.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from cgt_games.position import InvalidPosition

if TYPE_CHECKING:
    import networkx as nx

_GRID = re.compile(r"(\d+)x(\d+)")
_GRAPH = re.compile(r"(?P<block>block )?(?P<a>[^\s,:/>-]+)>(?P<b>[^\s,:/>-]+):(?P<parts>\S+)")
_NAME = re.compile(r"[^\s,:/>-]+")
MAX_COLUMNS = 26
"""Columns of crossings that have a letter."""


def bits(mask: int) -> Iterator[int]:
    """The numbers of the crossings in a set, in increasing order.

    >>> list(bits(0b10110))
    [1, 2, 4]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@dataclass(frozen=True, repr=False)
class City:
    """A finite graph with two marked crossings; make one with :meth:`grid`, :meth:`from_graph` or
    :meth:`from_text`.

    Crossings are numbered; ``streets`` are pairs of numbers, smaller first, sorted. Equality is that of
    names, streets and ends (and of being a grid or a block, which the text shows).
    """

    names: tuple[str, ...]
    streets: tuple[tuple[int, int], ...]
    ends: tuple[int, int]
    size: tuple[int, int] | None = None
    """Columns and rows of blocks, for a grid."""
    is_block: bool = False
    """A part of a sum: its ends may be adjacent, and then nobody can ever cut."""
    around: tuple[tuple[int, ...], ...] = field(default=(), compare=False)
    """The neighbours of each crossing in the order of a plane drawing, where one is known; it only helps to
    recognise blocks of the same shape."""
    places: tuple[tuple[float, float], ...] | None = field(default=None, compare=False)
    """Where to draw the crossings (x to the right, y upwards); None if nobody said."""

    def __post_init__(self) -> None:
        if not self.around:
            lists: list[list[int]] = [[] for _ in self.names]
            for i, j in self.streets:
                lists[i].append(j)
                lists[j].append(i)
            object.__setattr__(self, "around", tuple(map(tuple, lists)))

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.names, self.streets, self.ends, self.size, self.is_block))

    def __reduce__(self) -> tuple[Any, ...]:
        # Without what is cached: hashes of strings differ from process to process.
        return City, (
            self.names, self.streets, self.ends, self.size, self.is_block, self.around, self.places
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"City.from_text({self.to_text()!r})"

    # --- making one -----------------------------------------------------------------------------------------

    @staticmethod
    @lru_cache(maxsize=64)
    def grid(columns: int, rows: int) -> City:
        """The city of ``columns`` x ``rows`` blocks: A at the bottom left, B at the top right.

        Crossing ``i`` is in column ``i % (columns + 1)`` and row ``i // (columns + 1)``, both from 0 at the
        bottom left. Raises :class:`InvalidPosition` for a side of 0 or more than 26 columns of crossings.

        >>> City.grid(3, 2).names[:5]
        ('a1', 'b1', 'c1', 'd1', 'a2')
        """
        if columns < 1 or rows < 1:
            raise InvalidPosition(f"a city of {columns}x{rows} blocks: both sides must be at least 1")
        if columns >= MAX_COLUMNS:
            raise InvalidPosition(
                f"a city of {columns}x{rows} blocks has {columns + 1} columns of crossings; "
                f"there are letters for {MAX_COLUMNS}"
            )
        width, height = columns + 1, rows + 1
        around: list[tuple[int, ...]] = []
        streets: list[tuple[int, int]] = []
        for row in range(height):
            for column in range(width):
                beside = [(column + 1, row), (column, row + 1), (column - 1, row), (column, row - 1)]
                near = tuple(y * width + x for x, y in beside if 0 <= x < width and 0 <= y < height)
                around.append(near)
                streets.extend((row * width + column, other) for other in near if other > row * width + column)
        return City(
            names=tuple(f"{'abcdefghijklmnopqrstuvwxyz'[c]}{r + 1}" for r in range(height) for c in range(width)),
            streets=tuple(sorted(streets)),
            ends=(0, width * height - 1),
            size=(columns, rows),
            around=tuple(around),
            places=tuple((float(c), float(r)) for r in range(height) for c in range(width)),
        )

    @classmethod
    def from_graph(
        cls,
        graph: nx.Graph,
        a: Hashable,
        b: Hashable,
        places: Mapping[Any, tuple[float, float]] | None = None,
    ) -> City:
        """The city of any finite undirected graph with the ends ``a`` and ``b``.

        Crossings are called by the ``str`` of their nodes (a tuple's items are joined with dots), which must
        differ and hold none of ``, - : / >`` and no space. ``places`` maps nodes to (x, y), for drawing.
        Loops and parallel streets change nothing and are dropped. Raises :class:`InvalidPosition` if the ends
        are not in the graph, the same, adjacent or not connected.

        >>> import networkx as nx
        >>> City.from_graph(nx.cycle_graph(4), 0, 2)
        City.from_text('0>2:0-1,0-3,1-2,2-3')
        """
        if graph.is_directed():
            raise InvalidPosition("the streets of a city have no direction, but this graph is directed")
        for end in (a, b):
            if end not in graph:
                raise InvalidPosition(f"the end {end!r} is no crossing of the graph")
        nodes = list(graph)
        names = [".".join(map(str, node)) if isinstance(node, tuple) else str(node) for node in nodes]
        at = {node: i for i, node in enumerate(nodes)}
        if places is not None and (missing := [node for node in nodes if node not in places]):
            raise InvalidPosition(f"no place to draw the crossing {missing[0]!r} was given")
        spots = None if places is None else tuple((float(places[n][0]), float(places[n][1])) for n in nodes)
        return cls._checked(names, [(at[u], at[v]) for u, v in graph.edges()], at[a], at[b], places=spots)

    @classmethod
    def from_text(cls, text: str) -> City:
        """The city with this text: ``3x3`` for a grid (columns x rows of blocks), or ``A>B:A-x,x-B`` for a
        graph.

        A graph's text names the ends, then the streets (and crossings without any). Raises
        :class:`InvalidPosition`.
        """
        if grid := _GRID.fullmatch(text):
            return cls.grid(int(grid[1]), int(grid[2]))
        graph = _GRAPH.fullmatch(text)
        if graph is None:
            raise InvalidPosition(f"{text!r} is no city: a grid is written like '3x3', a graph like 'A>B:A-x,x-B'")
        at: dict[str, int] = {}
        streets = []
        for part in graph["parts"].split(","):
            crossings = part.split("-")
            if len(crossings) > 2 or not all(map(_NAME.fullmatch, crossings)):
                raise InvalidPosition(f"{part!r} is no street of a city; a street is written like 'x-y'")
            numbers = [at.setdefault(name, len(at)) for name in crossings]
            if len(numbers) == 2:
                streets.append((numbers[0], numbers[1]))
        for end in (graph["a"], graph["b"]):
            if end not in at:
                raise InvalidPosition(f"the end {end!r} is on no street of the city {text!r}")
        return cls._checked(list(at), streets, at[graph["a"]], at[graph["b"]], is_block=graph["block"] is not None)

    @classmethod
    def _checked(
        cls,
        names: list[str],
        streets: Iterable[tuple[int, int]],
        a: int,
        b: int,
        is_block: bool = False,
        places: tuple[tuple[float, float], ...] | None = None,
    ) -> City:
        """A city that meets all conditions, crossings sorted by name, with a plane drawing if there is one."""
        for name in names:
            if not _NAME.fullmatch(name):
                raise InvalidPosition(f"{name!r} cannot be a crossing's name: none of , - : / > and no spaces, please")
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InvalidPosition(f"two crossings are called {twice!r}")
        if a == b:
            raise InvalidPosition(f"the ends A and B are the same crossing {names[a]!r}")
        order = sorted(range(len(names)), key=lambda i: (len(names[i]), names[i]))
        new = {old: i for i, old in enumerate(order)}
        pairs = sorted({tuple(sorted((new[i], new[j]))) for i, j in streets if i != j})
        ends = (new[a], new[b])
        if not is_block and tuple(sorted(ends)) in pairs:
            raise InvalidPosition(f"the ends {names[a]!r} and {names[b]!r} are adjacent, so nobody could ever cut")
        city = cls(
            names=tuple(names[i] for i in order),
            streets=tuple((i, j) for i, j in pairs),
            ends=ends,
            is_block=is_block,
            places=None if places is None else tuple(places[i] for i in order),
        )
        import networkx as nx

        closed = city.graph.copy()
        closed.add_edge(*ends)
        if nx.number_connected_components(closed) == nx.number_connected_components(city.graph) - 1:
            raise InvalidPosition(f"there is no path between the ends {names[a]!r} and {names[b]!r}")
        # Drawn together with a street from A to B, both ends lie on the outer face.
        planar, drawing = nx.check_planarity(closed)
        if planar:
            linked = tuple(sorted(ends)) in pairs
            lists = [list(drawing.neighbors_cw_order(i)) for i in range(len(names))]
            for end, other in (ends, ends[::-1]):
                # Seen from an end, the rest of the world lies where the street to the other end would be.
                gap = lists[end].index(other)
                lists[end] = ([other] if linked else []) + lists[end][gap + 1 :] + lists[end][:gap]
            object.__setattr__(city, "around", tuple(map(tuple, lists)))
        return city

    def part(self, mask: int, a: int, b: int) -> City:
        """The crossings in ``mask`` and their streets as a block with the ends ``a`` and ``b``."""
        order = list(bits(mask))
        new = {old: i for i, old in enumerate(order)}
        return City(
            names=tuple(self.names[i] for i in order),
            streets=tuple((new[i], new[j]) for i, j in self.streets if i in new and j in new),
            ends=(new[a], new[b]),
            is_block=True,
            around=tuple(tuple(new[j] for j in self.around[i] if j in new) for i in order),
            places=None if self.places is None else tuple(self.places[i] for i in order),
        )

    # --- what it is made of ---------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.names)

    @property
    def everything(self) -> int:
        """The set of all crossings."""
        return (1 << len(self.names)) - 1

    @property
    def both_ends(self) -> int:
        """The set of A and B."""
        return 1 << self.ends[0] | 1 << self.ends[1]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each crossing by its name."""
        return {name: i for i, name in enumerate(self.names)}

    @cached_property
    def graph(self) -> nx.Graph:
        """The city as a networkx graph on the crossings' numbers. Do not change it."""
        import networkx as nx

        graph = nx.Graph()
        graph.add_nodes_from(range(len(self.names)))
        graph.add_edges_from(self.streets)
        return graph

    def to_text(self) -> str:
        """One line that :meth:`from_text` reads."""
        if self.size is not None:
            return f"{self.size[0]}x{self.size[1]}"
        parts = [f"{self.names[i]}-{self.names[j]}" for i, j in self.streets]
        parts += [name for name, near in zip(self.names, self.around, strict=True) if not near]
        a, b = (self.names[end] for end in self.ends)
        return f"{'block ' if self.is_block else ''}{a}>{b}:{','.join(parts)}"

    def name_set(self, mask: int) -> tuple[str, ...]:
        """The names of the crossings in a set, in the city's order."""
        return tuple(self.names[i] for i in bits(mask))
