"""The engine of Slither: winner, all winning turns and a best line, by the proof-number search of ``search``."""

from __future__ import annotations

import time
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from cgt_games.games.slither import search as kernel
from cgt_games.games.slither.bits import Frame, frame, most_results, spread
from cgt_games.games.slither.rules import SWAP, Colour, Slither, SlitherTurn
from cgt_games.keep import read_arrays
from cgt_games.position import DRAW, Player, Position
from cgt_games.solution import Search, Solution

if TYPE_CHECKING:
    from cgt_games.games.slither.search import Table

ENGINE = "slither: proof-number search"
FIRST_ROWS, MOST_ROWS = 1 << 12, 1 << 24
"""Rows of the table at first and at most: 128 kB and 512 MB, and half as much again while it is made larger."""
LAYOUT = "slither proof numbers 1"
SLICE_SECONDS = 0.03
"""About the time between two looks at the clock."""


class Prover:
    """Decides positions of one board size and variant, and remembers what it found.

    ``most_rows`` (a power of two) bounds the table; a full table is swept of the positions with the least work in them.
    ``hash_bits`` is for tests. Raises ValueError for a board with more than eight rows or columns.
    """

    def __init__(
        self,
        rows: int,
        columns: int,
        variant: str = "classic",
        *,
        most_rows: int = MOST_ROWS,
        hash_bits: int = 64,
        draws_for_black: bool = False,
    ):
        if not fits(rows, columns):
            raise ValueError(f"a board of {rows} rows and {columns} columns does not fit: at most 8 of each")
        self.rows, self.columns, self.variant = rows, columns, variant
        self._most_rows, self._hash_bits, self._draws_for_black = most_rows, hash_bits, draws_for_black
        self._frame: Frame = frame(rows, columns)
        self._table: Table = kernel.make_table(min(FIRST_ROWS, most_rows), hash_bits)
        self._stack = kernel.make_stack(rows * columns)
        self._room = np.zeros(most_results(rows * columns), np.uint64)
        self._cells, self._sources = np.zeros((2, kernel.MOST_TURNS), np.uint64)
        self._slice = 16
        self._opposite: Prover | None = None

    def value(self, position: Slither, search: Search) -> int:
        """+1 if the player to move wins, 0 for a draw, -1 if the other wins. Raises OutOfBudget at a limit.

        What was found before a limit stays in the table: a second call goes on from there. The rules' pie is not
        looked at.
        """
        mover_is_black = position.to_move is Colour.BLACK
        black_wins = self._mover_wins(position, search) == mover_is_black
        if not black_wins and self._has_seen_draws and not self._draws_for_black:
            # Draws were counted as White's so far. Does Black win if they are Black's?
            if self._opposite is None:
                self._opposite = Prover(
                    self.rows,
                    self.columns,
                    self.variant,
                    most_rows=self._most_rows,
                    hash_bits=self._hash_bits,
                    draws_for_black=True,
                )
            if self._opposite.value(position, search) == (1 if mover_is_black else -1):
                return 0
        return 1 if black_wins == mover_is_black else -1

    @property
    def _has_seen_draws(self) -> bool:
        return bool(self._stack.scalars[kernel.DEADLOCK])

    def _mover_wins(self, position: Slither, search: Search) -> bool:
        if (connected := position.connected) is not None:
            return connected is position.to_move
        stack, scalars = self._stack, self._stack.scalars
        stack.own[0], stack.other[0] = self._words(position)
        stack.whites[0] = position.to_move is Colour.WHITE
        stack.proof[0] = stack.disproof[0] = kernel.INFINITE
        stack.end[0], stack.began[0] = -1, scalars[kernel.NODES]
        scalars[kernel.DEPTH] = 0
        while True:
            nodes, started = int(scalars[kernel.NODES]), time.perf_counter()
            status = kernel.run(
                stack,
                self._table,
                self._frame,
                self.rows,
                self.columns,
                self.variant == "advanced",
                self._draws_for_black,
                nodes + self._slice,
                self._room,
                self._cells,
                self._sources,
            )
            seconds = time.perf_counter() - started
            if status == kernel.GOES_ON:
                self._slice = max(1, min(4 * self._slice, int(self._slice * SLICE_SECONDS / max(seconds, 1e-6))))
            elif status == kernel.FULL:
                self._make_room()
            nodes = int(scalars[kernel.NODES]) - nodes
            if status == kernel.DONE:  # what is found is not thrown away for a limit reached at the same moment
                search.nodes += nodes
                return bool(stack.proof[0] == 0)
            search.tick(nodes, note=f"{int(self._table.used[0]):,} positions in the table")

    def _make_room(self) -> None:
        """A table four times as large; at the full size, drop at least half of the positions, those of least work."""
        size = len(self._table.rows)
        if size < self._most_rows:
            table = kernel.make_table(min(4 * size, self._most_rows), self._hash_bits)
            kernel.move_rows(self._table, table)
            self._table = table
        else:
            sample = self._table.rows[:: max(1, size >> 20), 3]
            least = int(np.median(sample[sample & kernel.OCCUPIED != 0] >> kernel.WORK_SHIFT)) + 1
            kernel.sweep(self._table, least)

    def save(self, file: BinaryIO) -> None:
        """Write all that was found so far, 32 bytes a position; :meth:`load` reads it."""
        rows = self._table.rows
        np.savez(file, rows=rows[rows[:, 3] & kernel.OCCUPIED != 0], **self._kept())

    def load(self, file: BinaryIO | str | PathLike[str]) -> int:
        """Take over a table that was saved for the same board and variant. Raises InvalidTable for another file.

        Returns how many positions of the file were left out, those with the least work, because this table is too
        small.
        """
        (rows,) = read_arrays(file, self._kept(), "rows")
        while len(self._table.rows) // 2 < len(rows) and len(self._table.rows) < self._most_rows:
            self._table = kernel.make_table(2 * len(self._table.rows), self._hash_bits)
        every = len(rows)
        if every > len(self._table.rows) // 2:  # no room to go on with: keep those with the most work
            rows = rows[np.argsort(rows[:, 3] >> kernel.WORK_SHIFT)[-(len(self._table.rows) // 2) :]]
        kernel.move_rows(kernel.Table(rows, self._table.used, self._table.hash_mask), self._table)
        return every - len(rows)

    def _kept(self) -> dict[str, Any]:
        """What a saved table must agree in."""
        board = f"{self.rows}x{self.columns} {self.variant}"
        return {"layout": LAYOUT, "board": board, "draws_for_black": self._draws_for_black}

    def _words(self, position: Slither) -> tuple[np.uint64, np.uint64]:
        """The stones of the player to move and of the other."""
        mover = position.to_move
        own, other = (spread(position.stones(player), self.rows, self.columns) for player in (mover, mover.opponent))
        return own, other

    @property
    def positions(self) -> int:
        """How many positions the table holds."""
        return int(self._table.used[0])

    def known(self, position: Slither) -> tuple[int, int, int]:
        """What the table says of a position: proof and disproof number, 0 for what is shown, and the work spent."""
        own, other = self._words(position)
        proof, disproof, work = kernel.look_up(
            self._table, own, other, position.to_move is Colour.WHITE, self.rows, self.columns
        )
        return int(proof), int(disproof), int(work)

    def can_connect(self, position: Slither) -> bool:
        """Whether the player to move can connect in this turn."""
        own, other = self._words(position)
        first, last = (spread(edge, self.rows, self.columns) for edge in position.edges(position.to_move))
        return bool(
            kernel.winning_turns(
                own,
                other,
                self._frame.board,
                first,
                last,
                self.variant == "advanced",
                1,
                self._cells,
                self._sources,
            )
        )

    def choose(self, position: Slither, search: Search) -> Slither | None:
        """The next position of a line of best play; None at the end. Cost: little where the table knows the way.

        Who wins connects as soon as possible; who loses avoids to lose at once, and then sets the hardest task.
        """
        if position.is_terminal:
            return None
        results = list(position.results(position.to_move))
        value = self.value(position, search)
        if value > 0:
            shown = [after for after in results if after.connected is not None]
            shown = shown or [after for after in results if self.known(after)[1] == 0]
            return next(iter(shown), None) or next(after for after in results if self.value(after, search) < 0)
        if value == 0:
            return next(after for after in results if self.value(after, search) == 0)
        return max(results, key=lambda after: (not self.can_connect(after), self.known(after)[2]))


def fits(rows: int, columns: int) -> bool:
    """Whether a board is small enough for the kernels."""
    return max(rows, columns) <= 8


def prover_for(position: Slither, search: Search) -> Prover:
    """A prover for this board and variant; the limit ``positions``, if there is one, bounds its table."""
    most = MOST_ROWS
    if search.limits.positions is not None:
        while most > 1 << 10 and most // 4 * 3 > search.limits.positions:
            most //= 2
    return Prover(position.rows, position.columns, position.variant, most_rows=most)


def solve_slither(position: Position, search: Search) -> Solution:
    """Solve a position; see :func:`cgt_games.solve`. Boards with over eight rows or columns go to the general engine.

    Memory: the table, at most 512 MB (768 MB for moments), or what the limit ``positions`` allows; when it is full,
    the positions with the least work in them are forgotten.
    """
    assert isinstance(position, Slither)
    if not fits(position.rows, position.columns):
        from cgt_games.engines import general

        return general(position, search)
    prover = prover_for(position, search)
    if position.sides_may_swap:
        return solve_with_swap(position, prover, search)
    return solve_plain(position, prover, search)


def solve_plain(position: Slither, prover: Prover, search: Search) -> Solution:
    """Solve a position in which no swap lies ahead."""
    mover = position.to_move
    winner: Player | str | None = None
    winning: list[Slither] = []
    is_complete = False
    variation: tuple[SlitherTurn, ...] = ()
    best: tuple[SlitherTurn, ...] = ()
    with search.guard():
        value = prover.value(position, search)
        winner = mover if value > 0 else mover.opponent if value < 0 else DRAW
        if search.winner_only or position.is_terminal:
            is_complete = True
        else:
            results = list(position.results(mover))
            if value > 0:
                for number, after in enumerate(results):
                    search.tick(note="which turns win", fraction=number / len(results))
                    if prover.value(after, search) < 0:
                        winning.append(after)
            best = recommended(position, results, winning, value, prover, search)
            variation = line(position, prover, search)
            is_complete = True

    def answer(**fields: Any) -> Solution:
        holder = position.player_of(winner) if isinstance(winner, Player) else None
        return Solution(
            position,
            winner=winner,
            player=holder,
            nodes=search.nodes,
            seconds=search.seconds,
            engine=ENGINE,
            stopped=search.stopped,
            **fields,
        )

    if search.winner_only:
        return answer(exact=is_complete)
    moves = turns_to(position, winning)
    if not is_complete:
        return answer(exact=False, winning_moves=moves)
    return answer(winning_moves=moves, best_moves=best, principal_variation=variation)


def turns_to(position: Slither, results: list[Slither]) -> tuple[SlitherTurn, ...]:
    """All turns that lead to one of these positions."""
    wanted, player = set(results), position.to_move
    return tuple(turn for turn in position.legal_moves if position.apply(turn, player) in wanted) if wanted else ()


def recommended(
    position: Slither, results: list[Slither], winning: list[Slither], value: int, prover: Prover, search: Search
) -> tuple[SlitherTurn, ...]:
    """The turns to play: those that connect, else those that win; drawing ones; else those that do not lose at once."""
    if value > 0:
        chosen = [after for after in winning if after.connected is not None] or winning
    elif value == 0:
        chosen = [after for after in results if prover.value(after, search) == 0]
    else:
        chosen = [after for after in results if not prover.can_connect(after)] or results
    return turns_to(position, chosen)


def line(position: Slither, prover: Prover, search: Search) -> tuple[SlitherTurn, ...]:
    """A line of best play from here to the end; no swap lies ahead."""
    turns = []
    while (after := prover.choose(position, search)) is not None:
        turns.append(turns_to(position, [after])[0])
        position = after
    return tuple(turns)


def solve_with_swap(position: Slither, prover: Prover, search: Search) -> Solution:
    """Solve a position before the swap: the first turn of the game, or the second, which may be the swap.

    The second player takes the colour that wins, so only positions without a swap ahead are searched.
    """
    if position.is_start:
        # Whatever the first player places, the second wins; the line takes the first placement.
        turn = next(iter(position.legal_moves))
        after = solve_with_swap(position.apply(turn, position.to_move), prover, search)
        best, winning = tuple(position.legal_moves), ()
        variation = (turn, *after.principal_variation)
    else:
        turn = SWAP
        after = solve_plain(replace(position, pie=False), prover, search)
        swapped = after.winner == Colour.BLACK
        winning = (SWAP,) if swapped else after.winning_moves or ()
        best = (SWAP,) if swapped else after.best_moves or ()
        variation = after.principal_variation
        if swapped:
            variation = (SWAP, *variation)
    if after.winner == DRAW:
        best, winning = tuple(position.legal_moves), ()
    decided = after.winner is not None and after.winner != DRAW
    holder = position.player_of(Colour.WHITE) if decided else None
    fields: dict[str, Any] = {"player": holder, "position": position}
    if not search.winner_only:
        fields |= {"winning_moves": winning, "best_moves": best if after.exact else None}
        fields |= {"principal_variation": variation if after.exact else ()}
    return replace(after, seconds=search.seconds, **fields)
