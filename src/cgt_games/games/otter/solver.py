"""Otter's own engine: exact answers from the kernels of :mod:`~cgt_games.games.otter.search`.

Up to five empty cells all positions to come are valued; beyond, the search answers questions of the kind "is the
margin at least t?", first about the position, then about each of its moves. Boards of more than 16 cells go to the
general engine.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from cgt_games.games.otter.exhaustive import values
from cgt_games.games.otter.rules import Otter, Placement, cell_index, cell_names
from cgt_games.games.otter.search import (
    ALPHA,
    BEST,
    BETA,
    CELLS,
    HIGH,
    JOB,
    LEVEL,
    LOW,
    NODES,
    STEP,
    UNBOUNDED,
    pool,
    run,
    shape_tables,
)
from cgt_games.position import DRAW, Player
from cgt_games.solution import Search, Solution
from cgt_games.symmetry import move_orbits

ENGINE = "otter: alpha-beta, null windows"
FEW = 5
"""Up to so many empty cells everything is valued in full."""
SYMMETRIC_MOVES = 12
"""From so many empty cells on, moves that are alike by a symmetry of the position are looked at once."""
SLICE = 20_000
"""Nodes between two looks at the clock: a few milliseconds."""
TABLE_BYTES = 1 << 28
"""The most memory that the table of one search takes: 256 MB."""
_SIZES = {**dict.fromkeys(range(FEW + 1, 8), 6), 8: 8, 9: 10, 10: 13, 11: 15, 12: 17, 13: 20}
"""The table's entries by the number of empty cells, as a power of 2; as many as fit beyond."""

Window = tuple[int, int]
"""(a, b): the margin is wanted exactly where it is between a and b, and otherwise only whether it is <= a or >= b."""
FULL: Window = (-UNBOUNDED, UNBOUNDED)
SIGN: Window = (-1, 1)


def table_words(empties: int, table_bytes: int = TABLE_BYTES) -> int:
    """The length of the table for a search from so many empty cells: whole buckets of 64 bytes, two words an entry."""
    entries = 1 << _SIZES.get(empties, 40)
    return 8 * max(1, min(entries * 16, table_bytes) // 64)


_shape = lru_cache(maxsize=16)(shape_tables)


class Memory:
    """What a search works in: its stack, its table, and where it stands. Not shared between threads."""

    def __init__(self, rows: int, columns: int, words: int):
        self.rows, self.columns = rows, columns
        self.through, self.images = _shape(rows, columns)
        self.table = aligned_table(words)
        self.control = np.zeros(6, dtype=np.int64)
        self.sums = np.zeros(17 * 128, dtype=np.uint8)
        self.boards = np.zeros((17, 8), dtype=np.uint64)
        self.kids = np.zeros((17, 257), dtype=np.int32)
        self.killers = np.zeros((17, 8), dtype=np.int64)
        self.small = np.zeros(67, dtype=np.int64)
        self.pool = pool()

    def restart(self) -> None:
        """Forget the test under way; what the table knows stays true."""
        self.control[LEVEL] = self.control[JOB] = self.control[NODES] = self.control[STEP] = 0

    def run(self, positions: np.ndarray, jobs: np.ndarray, budget: int) -> bool:
        """Go on for about ``budget`` nodes; whether all jobs are done."""
        done: bool = run(
            positions, jobs, self.rows, self.columns, self.through, self.images, self.table, self.control, self.sums,
            self.boards, self.kids, self.killers, self.small, self.pool, budget,
        )  # fmt: skip
        return done


def aligned_table(words: int) -> np.ndarray:
    """An empty table whose buckets are lines of the cache. Its pages cost nothing until they are used."""
    table = np.zeros(words + 8, dtype=np.uint64)
    start = -table.ctypes.data // 8 % 8
    return table[start : start + words]


def encode(position: Otter, move: Placement | None = None) -> tuple[int, int, int, int]:
    """The position as a row of the search's positions; with a move, the position after it."""
    board = mask = 0
    for number in reversed(position.cells):
        board, mask = board << 4 | (number - 1 if number else 0), mask << 1 | (number == 0)
    return board, mask, mask.bit_count(), 0 if move is None else code_of(position, move)


def code_of(position: Otter, move: Placement) -> int:
    """A move in the search's coding: 32 times the cell, plus the number."""
    return cell_index(position.rows, position.columns)[move.cell] * 32 + move.number


def decode(position: Otter, code: int) -> Placement:
    """The move with this code."""
    return Placement(code & 31, cell_names(position.rows, position.columns)[code >> 5])


@dataclass(slots=True)
class Engine:
    """Answers questions about margins of positions of one shape, within the limits of one search."""

    search: Search
    memory: Memory
    executor: Executor | None = None
    progress_note: str = ""
    on_slice: Callable[[Engine], None] | None = None
    """Called after each slice, for a caller that saves the state now and then."""
    jobs: np.ndarray = field(default_factory=lambda: np.zeros((0, 6), dtype=np.int64))
    """The jobs under way, with what is proved."""

    @classmethod
    def of(cls, position: Otter, search: Search, table_bytes: int = TABLE_BYTES) -> Engine:
        """An engine with a table fit for this position."""
        if search.limits.positions is not None:
            table_bytes = min(table_bytes, 16 * search.limits.positions)
        workers = getattr(search.executor, "_max_workers", 1)
        words = table_words(position.empties, 4 * table_bytes // max(4, workers))
        return cls(search, Memory(position.rows, position.columns, words), search.executor)

    def ask(
        self,
        rows: Sequence[tuple[int, int, int, int]],
        windows: Iterable[Window],
        guess: int = 0,
        known: Window = FULL,
    ) -> np.ndarray:
        """Settle the margins of positions, each within its window; the jobs, with columns LOW, HIGH and BEST.

        ``known`` bounds all the margins beforehand. Raises OutOfBudget; :attr:`jobs` then holds what is proved.
        """
        positions = np.array(rows, dtype=np.uint64).reshape(-1, 4)
        self.jobs = np.array([(*known, a, b, guess, 0) for a, b in windows], dtype=np.int64).reshape(-1, 6)
        if self.executor is not None and len(rows) > 1 and rows[0][2] > 8:
            self._ask_together(positions)
        else:
            self.go_on(positions)
        return self.jobs

    def go_on(self, positions: np.ndarray, *, resumed: bool = False) -> None:
        """Work on :attr:`jobs` until all are done."""
        memory, search = self.memory, self.search
        if not resumed:
            memory.restart()
        counted = int(memory.control[NODES])
        limit = search.limits.nodes
        done = False
        while not done:
            budget = SLICE if limit is None else max(1, min(SLICE, limit - search.nodes))
            done = memory.run(positions, self.jobs, budget)
            nodes, counted = int(memory.control[NODES]) - counted, int(memory.control[NODES])
            if done:  # an answer that is there is not thrown away for a limit reached by its last step
                search.nodes += nodes
            else:
                if self.on_slice is not None:
                    self.on_slice(self)
                at = int(memory.control[JOB])
                search.tick(nodes, note=self._note(at), fraction=at / len(self.jobs) if len(self.jobs) > 1 else None)

    def _note(self, at: int) -> str:
        job = self.jobs[min(at, len(self.jobs) - 1)]
        low, high = max(int(job[LOW]), int(job[ALPHA])), min(int(job[HIGH]), int(job[BETA]))
        which = f"move {at + 1} of {len(self.jobs)}, " if len(self.jobs) > 1 else ""
        bounds = f"{'-inf' if low == -UNBOUNDED else low} to {'inf' if high == UNBOUNDED else high}"
        return f"{self.progress_note}{which}margin within {bounds}"

    def _ask_together(self, positions: np.ndarray) -> None:
        """Each job is a task of its own, in slices, for whichever worker is free."""
        assert self.executor is not None
        memory = self.memory
        shape = (memory.rows, memory.columns, len(memory.table))
        stacks: list[tuple[np.ndarray, ...] | None] = [None] * len(positions)

        def submit(k: int) -> Future[_Slice]:
            assert self.executor is not None
            return self.executor.submit(_slice, shape, positions[k : k + 1], self.jobs[k : k + 1], stacks[k])

        waiting = {submit(k): k for k in range(len(positions))}
        count = len(waiting)
        try:
            while waiting:
                ready, _ = wait(waiting, timeout=0.1, return_when=FIRST_COMPLETED)
                nodes = 0
                for future in ready:
                    k = waiting.pop(future)
                    done, self.jobs[k], spent, stacks[k] = future.result()
                    nodes += spent
                    if not done:
                        waiting[submit(k)] = k
                if waiting:
                    finished = count - len(waiting)
                    self.search.tick(nodes, note=f"{finished} of {count} moves known", fraction=finished / count)
                else:
                    self.search.nodes += nodes
        finally:
            for future in waiting:
                future.cancel()


_Slice = tuple[bool, np.ndarray, int, tuple[np.ndarray, ...]]
_own = threading.local()


def _slice(
    shape: tuple[int, int, int], positions: np.ndarray, job: np.ndarray, stack: tuple[np.ndarray, ...] | None
) -> _Slice:
    """A part of the work on one job, in a worker with a table of its own: about a third of a second."""
    if getattr(_own, "shape", None) != shape:
        _own.shape, _own.memory = shape, Memory(*shape)
    memory: Memory = _own.memory
    job = job.copy()
    parts: tuple[np.ndarray, ...] = (memory.control, memory.sums, memory.boards, memory.kids)
    if stack is None:
        memory.restart()
    else:
        for part, saved in zip(parts, stack, strict=True):
            part[...] = saved
    before = int(memory.control[NODES])
    done = memory.run(positions, job, 1_000_000)
    return done, job[0], int(memory.control[NODES]) - before, tuple(part.copy() for part in parts)


def solve_otter(position: Otter, search: Search) -> Solution:
    """Winner, exact margin, all winning moves and all moves of optimal margin; see :func:`cgt_games.solve`.

    ``search.limits.positions`` bounds the table's entries; a full table replaces entries and stops nothing. Memory: at
    most :data:`TABLE_BYTES`, for each worker if there is an executor.
    """
    if len(position.cells) > CELLS:
        from cgt_games.engines import general

        return general(position, search)
    if position.empties <= FEW:
        return _few(position, search)
    return _many(position, search)


def _winner(position: Otter, low: int, high: int) -> Player | str | None:
    """What bounds on the margin say about the winner."""
    a, b = position.players
    return a if low > 0 else b if high < 0 else DRAW if low == high == 0 else None


def _few(position: Otter, search: Search) -> Solution:
    """All positions to come are valued; also the end of the game."""
    margins = values(position.cells, position.columns)
    search.nodes += len(margins)
    base = position.empties + 1
    empty = [index for index, number in enumerate(position.cells) if number == 0]
    sign = 1 if position.to_move.is_left else -1
    value = int(margins[0])
    names = cell_names(position.rows, position.columns)
    after = {
        Placement(number, names[index]): sign * int(margins[rank * base**c])
        for rank, number in enumerate(position.unused, start=1)
        for c, index in enumerate(empty)
    }
    listed = not search.winner_only
    return Solution(
        position,
        _winner(position, value, value),
        value=value if listed else None,
        value_kind="margin",
        winning_moves=tuple(move for move, margin in after.items() if margin > 0) if listed else None,
        best_moves=tuple(move for move, margin in after.items() if margin == sign * value) if listed else None,
        principal_variation=tuple(_best_line(position, margins)) if listed else (),
        nodes=search.nodes,
        seconds=search.seconds,
        engine="otter: all positions",
    )


def _best_line(position: Otter, margins: np.ndarray) -> list[Placement]:
    """A line of best play, by the values of all positions to come."""
    base = position.empties + 1
    names = cell_names(position.rows, position.columns)
    cells = {c: names[index] for c, index in enumerate(i for i, number in enumerate(position.cells) if number == 0)}
    numbers = dict(enumerate(position.unused, start=1))
    code, line = 0, []
    while cells:
        c, rank = next((c, r) for c in cells for r in numbers if margins[code + r * base**c] == margins[0])
        code += rank * base**c
        line.append(Placement(numbers.pop(rank), cells.pop(c)))
    return line


def _many(position: Otter, search: Search) -> Solution:
    engine = Engine.of(position, search)
    proof = Proof(position, engine)
    with search.guard():
        proof.find_winner()
        if not search.winner_only:
            proof.find_margin()
            proof.find_moves()
            proof.find_line()
    exact = search.stopped is None
    known = proof.low == proof.high
    listed = None if search.winner_only else proof.listed(proof.wins)
    return Solution(
        position,
        _winner(position, proof.low, proof.high),
        value=proof.low if known and not search.winner_only else None,
        value_kind="margin",
        winning_moves=listed,
        best_moves=proof.listed(proof.best) if exact and not search.winner_only else None,
        principal_variation=tuple(proof.line),
        exact=exact,
        nodes=search.nodes,
        seconds=search.seconds,
        engine=ENGINE,
        stopped=search.stopped,
    )


class Proof:
    """What is proved so far about a position with more than :data:`FEW` empty cells, step by step.

    ``low`` and ``high`` bound the margin at any time.
    """

    def __init__(self, position: Otter, engine: Engine):
        self.position, self.engine = position, engine
        self.low, self.high = FULL
        self.first = 0
        self.wins: set[int] = set()
        self.best: set[int] = set()
        self.line: list[Placement] = []

    def find_winner(self) -> None:
        """Settle the sign of the margin."""
        self._narrow(SIGN)

    def find_margin(self) -> None:
        """Settle the margin."""
        if self.low < self.high:
            self._narrow((self.low, self.high))

    def _narrow(self, window: Window) -> None:
        guess = min(max(0, self.low + 1), self.high)
        try:
            self.engine.ask([encode(self.position)], [window], guess, known=(self.low, self.high))
        finally:
            job = self.engine.jobs[0]
            self.low, self.high = int(job[LOW]), int(job[HIGH])
            self.first = int(job[BEST]) or self.first

    def find_moves(self) -> None:
        """Find out which moves win and which attain the margin, one for all that are alike by symmetry."""
        position, value = self.position, self.low
        orbits: list[tuple[int, ...]]
        if position.empties >= SYMMETRIC_MOVES:
            orbits = [tuple(code_of(position, move) for move in orbit) for orbit in move_orbits(position)]
        else:
            empty = [index for index, number in enumerate(position.cells) if number == 0]
            orbits = [(32 * index + number,) for number in position.unused for index in empty]
        sign = 1 if position.to_move.is_left else -1
        if sign * value > 0:
            self._select(orbits, sign, self.wins)
            orbits = [orbit for orbit in orbits if orbit[0] in self.wins]
        if sign * value == 1:
            self.best = self.wins
        else:
            self._select(orbits, value, self.best)

    def _select(self, orbits: list[tuple[int, ...]], goal: int, selected: set[int]) -> None:
        """Add to ``selected`` the moves by which the player to move attains the margin ``goal`` or better."""
        a_moves = self.position.to_move.is_left
        board, mask, level, _ = encode(self.position)
        window = (goal - 1, goal) if a_moves else (goal, goal + 1)
        try:
            self.engine.ask([(board, mask, level, orbit[0]) for orbit in orbits], [window] * len(orbits), goal)
        finally:
            jobs = self.engine.jobs
            attained = jobs[:, LOW] >= goal if a_moves else jobs[:, HIGH] <= goal
            for orbit, yes in zip(orbits, attained.tolist(), strict=True):
                if yes:
                    selected.update(orbit)

    def listed(self, codes: set[int]) -> tuple[Placement, ...]:
        """The moves with these codes, in the order of ``legal_moves``."""
        return tuple(decode(self.position, code) for code in sorted(codes, key=lambda code: (code & 31, code)))

    def find_line(self) -> None:
        """A line of best play."""
        position, value, code = self.position, self.low, self.first
        while True:
            move = decode(position, code)
            self.line.append(move)
            position = position.apply(move, position.to_move)
            if position.empties <= FEW:
                break
            window = (value - 1, value) if position.to_move.is_left else (value, value + 1)
            code = int(self.engine.ask([encode(position)], [window], value)[0][BEST])
        self.line.extend(_best_line(position, values(position.cells, position.columns)))
