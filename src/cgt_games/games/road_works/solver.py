"""The game's own engine: values of positions from the kernels' table of shapes.

:class:`Blocks` answers questions about one city; :func:`solve` is what :func:`cgt_games.solve` calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from os import PathLike
from typing import Any, BinaryIO

import networkx as nx
import numpy as np

from cgt_games.engines import general
from cgt_games.engines.negamax import line, not_lost_at_once
from cgt_games.games.road_works import search as kernel
from cgt_games.games.road_works.city import City, bits
from cgt_games.games.road_works.live import MAX_CROSSINGS, live_of, room, streets
from cgt_games.games.road_works.rules import RoadWorks
from cgt_games.keep import read_arrays
from cgt_games.position import Move, Outcome, Position, Turn
from cgt_games.solution import Limits, Search, Solution

SLICE = 1000
"""Positions expanded between two looks at the clock: about 20 milliseconds."""
MOST_BYTES = 8 << 30
"""A table that would take more ends the search, as a limit of positions does."""
KEPT_BYTES = 64 << 20
"""A table of at most this size is kept for the next question about the same city."""


QUESTIONS = 2
"""After so many questions whether the value is 0, 1, ... the values of all that can be reached are found: one visit to
each shape, where every further question might come back to those that the last ones left open."""


class Blocks:
    """Grundy values in one city under one rule, by a table of shapes that grows with the questions.

    ``hash_bits`` is for tests: with few bits all hashes collide, and the answers must not change.
    """

    def __init__(self, city: City, collapse: bool, *, hash_bits: int = 64):
        self.city, self.collapse = city, collapse
        self._graph, self._room = streets(city.around), room()
        self._stack = kernel.stack()
        self._table = kernel.table(cache=1 << min(20, max(8, 2 * len(city) - 50)), hash_bits=hash_bits)

    @property
    def shapes(self) -> int:
        """The number of shapes in the table."""
        return int(self._table.used[1])

    @property
    def bytes(self) -> int:
        """The memory that the table takes."""
        return sum(array.nbytes for array in self._table)

    def is_value(self, crossings: int, value: int, search: Search, ends: tuple[int, int] | None = None) -> bool:
        """Whether the position with these crossings in play has this Grundy value.

        ``ends`` are A and B, if not those of the city; they are connected among the crossings. Raises OutOfBudget at
        the limits of ``search``.
        """
        return self._ask(crossings, value, search, ends)

    def value(self, crossings: int, search: Search, ends: tuple[int, int] | None = None) -> int:
        """The Grundy value of the position with these crossings in play. Raises OutOfBudget."""
        value = 0
        while not self._ask(crossings, value, search, ends):
            value += 1
            if value == QUESTIONS:
                self._ask(crossings, -1, search, ends)
        return value

    def find_all(self, crossings: int, search: Search) -> None:
        """Find the value of every shape that play from here can reach. Raises OutOfBudget."""
        self._ask(crossings, -1, search, None)

    def crossings(self, position: RoadWorks) -> int:
        """What is in play in a position, as crossings of this table's city.

        ``position`` is one that :func:`blocks_for` gave this table for, or one that play from there leads to.
        """
        if position.city is self.city or position.city == self.city:
            return position.in_play
        return sum(1 << self.city.numbers[position.city.names[i]] for i in bits(position.in_play))

    def after(self, in_play: int, crossing: int) -> int:
        """What is left in play after a closing (crossings of this table's city); 0 if it cuts."""
        rest = in_play & ~(1 << crossing)
        live = int(live_of(self._graph["near"], np.uint64(rest), *self.city.ends, self._room))
        return live if self.collapse or not live else rest

    def _ask(self, crossings: int, target: int, search: Search, ends: tuple[int, int] | None) -> bool:
        stack, row = self._stack, kernel.QUESTION
        stack["depth"] = 0
        packed = kernel.pack_ends(*(ends or self.city.ends), 0, 0)
        self._make_room(search)
        kernel.split(
            self._graph, np.uint64(crossings), packed, self.collapse, self._table, stack, row, 0, 0, self._room
        )
        while (answer := kernel.look_at(self._table, stack, row, 0, target)) < 0:
            self._reach(search)
        return bool(answer)

    def _reach(self, search: Search) -> None:
        """Reach all goals on the stack, in slices."""
        state = kernel.GOES_ON
        while state != kernel.DONE:
            before = int(self._stack["nodes"])
            state = kernel.run(self._graph, self.collapse, self._table, self._stack, self._room, SLICE)
            search.tick(int(self._stack["nodes"]) - before, self.shapes, f"{self.shapes:,} shapes")
            if state == kernel.FULL:
                self._make_room(search)

    def _make_room(self, search: Search) -> None:
        """Make the table larger, if the next position might not fit."""
        table = self._table
        words, shapes = int(table.used[0]), self.shapes
        if words + kernel.ROOM_WORDS > len(table.pool):
            self._check_memory(table.pool.nbytes, search)
            pool = np.zeros(2 * len(table.pool), np.uint64)
            pool[:words] = table.pool[:words]
            table = table._replace(pool=pool)
        if (shapes + kernel.ROOM_SHAPES) * 3 > len(table.slots) * 2:
            self._check_memory(table.slots.nbytes, search)
            table = table._replace(slots=np.zeros(2 * len(table.slots), np.uint64))
            kernel.enter_all(table)
        self._table = table

    def _check_memory(self, more: int, search: Search) -> None:
        if self.bytes + more > MOST_BYTES:
            search.stop("positions")

    # --- on disk ----------------------------------------------------------------------------------------------------

    def save(self, file: BinaryIO) -> None:
        """Write what was found so far; :meth:`load` reads it, in this version or a later one with the same layout."""
        np.savez(
            file,
            layout=np.array(LAYOUT),
            collapse=np.array(self.collapse),
            shapes=np.array(self.shapes),
            pool=self._table.pool[: int(self._table.used[0])],
        )

    def load(self, file: BinaryIO | str | PathLike[str]) -> None:
        """Take over a table that was saved under the same rule, of any city. Raises InvalidTable for another file."""
        kept = {"layout": LAYOUT, "collapse": self.collapse}
        pool, count = read_arrays(file, kept, "pool", "shapes")
        shapes = int(count)
        slots = len(self._table.slots)
        while (shapes + kernel.ROOM_SHAPES) * 3 > slots * 2:
            slots *= 2
        # A power of two, as if it had grown to this size; doubling an odd size would soon pass the bound on memory.
        size = max(len(self._table.pool), 1 << (len(pool) + kernel.ROOM_WORDS).bit_length())
        table = kernel.table(slots, size, len(self._table.seen))
        table.pool[: len(pool)] = pool
        table.used[:] = len(pool), shapes, self._table.used[2]
        kernel.enter_all(table)
        self._table = table


LAYOUT = "road-works shapes 1"

_kept: dict[tuple[City, bool], Blocks] = {}


def blocks_for(position: RoadWorks) -> Blocks:
    """A table for the city of a position, or if that is too large for the kernels, for what is left of it in play."""
    city = position.city
    return take_blocks(
        city if len(city) <= MAX_CROSSINGS else city.part(position.in_play, *city.ends), position.collapse
    )


def take_blocks(city: City, collapse: bool) -> Blocks:
    """The table kept for this city, or a new one. It is the caller's alone until :func:`keep_blocks` gives it back."""
    return _kept.pop((city, collapse), None) or Blocks(city, collapse)


def keep_blocks(blocks: Blocks) -> None:
    """Keep a table for the next question about its city, if it is not large; only one is kept."""
    _kept.clear()
    if blocks.bytes <= KEPT_BYTES:
        _kept[blocks.city, blocks.collapse] = blocks


def parity(position: RoadWorks) -> int | None:
    """The Grundy value without collapse where parity gives it: where the crossings A is joined to are bipartite.

    Then every path from A to B has the same parity, and play ends when what is open is a path: all games from here have
    lengths of that parity. None with collapse, after a cut, or in another city.
    """
    if position.collapse or position.is_cut:
        return None
    city = position.city
    graph = city.graph.subgraph(bits(position.in_play))
    part = graph.subgraph(nx.node_connected_component(graph, city.ends[0]))
    if not nx.is_bipartite(part):
        return None
    streets_of_a_path = nx.shortest_path_length(part, *city.ends)
    return int(position.in_play.bit_count() - streets_of_a_path - 1) % 2


def solve(position: Position, search: Search) -> Solution:
    """Winner, Grundy value and all winning moves, of a position of Road Works.

    Without collapse in a bipartite city parity answers at once, and the opening book at the beginning of level 4.
    Otherwise the table of shapes does, for up to 64 crossings in play; beyond, and once the game is over, the general
    engine.
    """
    from cgt_games.games.road_works.book import look_up

    assert isinstance(position, RoadWorks)
    if position.is_terminal:
        return general(position, search)
    if (value := parity(position)) is not None:
        safe = tuple(position.safe_moves(Turn.FIRST))
        return _answer(position, search, "parity of a bipartite city", value, safe if value else ())
    if position.in_play.bit_count() > MAX_CROSSINGS:
        return general(position, search)
    if (entry := look_up(position)) is not None:
        return _answer(position, search, "opening book", *entry)
    engine = "table of shapes"
    blocks = blocks_for(position)
    options = Options(position, blocks)
    value = None
    try:
        with search.guard():
            value = options.mex(search)
        winning = tuple(move for move in position.legal_moves if options.is_zero.get(move))
        if value is None and not (search.winner_only and winning):
            winner = Turn.FIRST if winning else None
            return Solution(
                position, winner, winning_moves=winning, outcome=Outcome.N if winning else None, exact=False,
                nodes=search.nodes, seconds=search.seconds, engine=engine, stopped=search.stopped,
            )  # fmt: skip
        variation: tuple[Move, ...] = ()
        if not search.winner_only:
            with search.guard():
                variation = line(position, lambda p: _choose(p, blocks, search))
    finally:
        keep_blocks(blocks)
    return _answer(position, search, engine, value, winning, variation)


def _answer(
    position: RoadWorks,
    search: Search,
    engine: str,
    value: int | None,
    winning: tuple[Move, ...],
    variation: tuple[Move, ...] = (),
) -> Solution:
    """An exact solution; ``value`` may be unknown if only the winner was asked for, who then moves to zero."""
    winner = Turn.SECOND if value == 0 else Turn.FIRST
    rest: dict[str, Any] = {}
    if not search.winner_only:
        rest = {"winning_moves": winning, "best_moves": winning or not_lost_at_once(position)}
        rest["principal_variation"] = variation or rest["best_moves"][:1]
    return Solution(
        position, winner, value, None if value is None else "grundy", outcome=Outcome.P if value == 0 else Outcome.N,
        nodes=search.nodes, seconds=search.seconds, engine=engine, **rest,
    )  # fmt: skip


class Options:
    """The safe closings of a position, those that symmetry makes alike together, and what each leaves in play."""

    def __init__(self, position: RoadWorks, blocks: Blocks):
        self._blocks = blocks
        self._in_play = blocks.crossings(position)
        self.is_zero: dict[str, bool] = {}
        """Moves whose option is known to have the value 0, or known not to."""
        names, number = position.city.names, blocks.city.numbers
        fixing = [
            symmetry.images
            for symmetry in position.symmetries()
            if position.closed == sum(1 << symmetry.images[i] for i in bits(position.closed))
        ] or [tuple(range(len(names)))]
        groups: dict[int, tuple[tuple[int, int, int], list[str], int]] = {}
        for i in bits(position.closable):
            images = [images[i] for images in fixing]
            first = min(images)
            if first < i:
                groups[first][1].append(names[i])
                continue
            after = blocks.after(self._in_play, number[names[i]])
            # The smallest first; among equals those that keep most of the symmetry, which win more often.
            groups[i] = ((after.bit_count(), -images.count(i), i), [names[i]], after)
        self._groups = [(moves, after) for _, moves, after in sorted(groups.values()) if after]

    @property
    def all_looked_at(self) -> bool:
        """Whether it is known of every option whether its value is 0."""
        return len(self.is_zero) == sum(len(moves) for moves, _ in self._groups)

    def mex(self, search: Search) -> int | None:
        """The least value that no option has: the position's. None if only the winner is asked for, and it is not 0."""
        target = 0
        while self._has(target, search):
            if search.winner_only:
                return None
            target += 1
            if target == QUESTIONS and search.executor is None:
                return self._blocks.value(self._in_play, search)
        return target

    def look_for_zeros(self, search: Search) -> bool:
        """Find which options have the value 0 (with ``winner_only``, until one is found); return whether any has."""
        return self._has(0, search)

    def _has(self, target: int, search: Search) -> bool:
        """Whether some option has this value; if it is 0 and not only the winner is asked for, all are looked at."""
        found = False
        for moves, answer in self._answers(target, search):
            if target == 0:
                self.is_zero |= dict.fromkeys(moves, answer)
            found |= answer
            if found and (target or search.winner_only):
                break
        return found

    def _answers(self, target: int, search: Search) -> Iterator[tuple[list[str], bool]]:
        if search.executor is not None:
            yield from self._shared(target, search, search.executor)
            return
        for moves, after in self._groups:
            yield moves, self._blocks.is_value(after, target, search)

    def _shared(self, target: int, search: Search, executor: Executor) -> Iterator[tuple[list[str], bool]]:
        """The same by workers, in the order in which they finish."""
        limits = search.limits
        left = Limits(
            nodes=None if limits.nodes is None else max(0, limits.nodes - search.nodes),
            seconds=None if limits.seconds is None else max(0.0, limits.seconds - search.seconds),
            positions=limits.positions,
        )
        city, collapse = self._blocks.city, self._blocks.collapse
        waiting: dict[Future[tuple[bool | None, int, str | None]], list[str]] = {
            executor.submit(_is_value, city, collapse, after, target, left): moves for moves, after in self._groups
        }
        try:
            while waiting:
                done, _ = wait(waiting, timeout=0.05, return_when=FIRST_COMPLETED)
                search.tick()
                for future in done:
                    answer, nodes, stopped = future.result()
                    search.tick(nodes)
                    if answer is None:
                        search.stop(stopped or "interrupt")
                    yield waiting.pop(future), bool(answer)
        finally:
            for future in waiting:
                future.cancel()


def _is_value(
    city: City, collapse: bool, crossings: int, value: int, limits: Limits
) -> tuple[bool | None, int, str | None]:
    """A worker's task: the answer (None if it was stopped), the nodes it took, and why it was stopped."""
    search = Search(limits)
    answer = None
    blocks = take_blocks(city, collapse)
    with search.guard():
        answer = blocks.is_value(crossings, value, search)
    keep_blocks(blocks)
    return answer, search.nodes, search.stopped


def _choose(position: RoadWorks, blocks: Blocks, search: Search) -> Move | None:
    """A winning move if there is one, else one that does not lose at once if there is one."""
    in_play, number = blocks.crossings(position), blocks.city.numbers
    safe = []
    for move in position.legal_moves:
        if after := blocks.after(in_play, number[move]):
            if blocks.is_value(after, 0, search):
                return move
            safe.append(move)
    return next(iter(safe or position.legal_moves), None)
