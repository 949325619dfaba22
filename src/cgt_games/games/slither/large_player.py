"""The opponent's choice on boards that do not fit one word, and games by chance there; see ``large_search``."""

from __future__ import annotations

import random
import time

import numpy as np

from cgt_games.games.slither import large, large_search
from cgt_games.games.slither.bits import most_results
from cgt_games.games.slither.rules import PASS, Colour, Slither, SlitherTurn
from cgt_games.position import Player

SLICE_SECONDS = 0.02
"""About the time between two looks at the clock."""
AT_ROOT, INNER, LAST = (40, 128, 384), (10, 14, 24), (10, 6, 8)
"""How many turns are searched and how many placements and moving turns are compared for that: of the position itself,
of those further down, and of those before the last turn."""


class LargeBoard:
    """A look ahead on boards of one size. Memory: 2 MB for 13 x 13."""

    def __init__(self, rows: int, columns: int):
        self._grid = large.make_grid(rows, columns)
        self._tables = large_search.make_tables(rows, columns)
        self._stack = large_search.make_stack()
        self._slice = 16
        self.depth = self.nodes = 0
        """Of the last search: how many turns ahead it looked, the last time not at all turns, and its positions."""

    def best(self, position: Slither, ends: float, chance: random.Random) -> tuple[SlitherTurn, int]:
        """The turn to play, and what it seems to be worth, by a look ahead of two turns, then three and so on.

        It ends at the moment ``ends`` of ``time.perf_counter()``; ``chance`` decides among turns that seem equal.
        """
        player, advanced = number_of(position.to_move), position.variant == "advanced"
        cells = large.cells_of(position.black, position.white, position.rows, position.columns)
        turns, scores = self._stack.turns[0], self._stack.scores[0]
        self.depth = self.nodes = 0
        count = large_search.list_best(cells, self._grid, player, advanced, AT_ROOT, self._tables, turns, scores)
        if count == large_search.CONNECTS:
            return self._named(position, turns[0]), large_search.WIN
        if not count:
            return next(iter(position.legal_moves)), -large_search.WIN
        order = [(int(scores[i]), turns[i].copy()) for i in range(count)]
        chance.shuffle(order)
        order.sort(key=lambda pair: -pair[0])
        for depth in range(2, large_search.DEEPEST + 1):
            turns[:count] = [turn for _, turn in order]
            done = self._search(cells.copy(), player, advanced, depth, count, ends)
            found = [(int(scores[i]), order[i][1]) for i in range(done)]
            # Turns that were not reached follow; the sort keeps the order of equals.
            order = sorted(found, key=lambda pair: -pair[0]) + order[done:]
            self.depth = depth
            if done < count or abs(order[0][0]) >= large_search.WIN - 100:
                break
        return self._named(position, order[0][1]), order[0][0]

    def _search(self, cells: np.ndarray, player: int, advanced: bool, depth: int, count: int, ends: float) -> int:
        """Search the ``count`` turns on the stack to a depth, until the end; returns how many of them were done."""
        stack = self._stack
        large_search.begin(stack, count)
        while True:
            before, started = int(stack.state[1]), time.perf_counter()
            status = large_search.run(
                stack, cells, self._grid, player, advanced, depth, INNER, LAST, self._tables, before + self._slice
            )
            now = time.perf_counter()
            self.nodes += int(stack.state[1]) - before
            if status == large_search.GOES_ON:
                pace = SLICE_SECONDS / max(now - started, 1e-6)
                self._slice = max(1, min(4 * self._slice, int(self._slice * pace)))
            if status == large_search.DONE or now > ends:
                return int(stack.scalars[large_search.NEXT, 0])

    def _named(self, position: Slither, turn: np.ndarray) -> SlitherTurn:
        """A turn of the kernels by the names of its points."""
        if not turn[2]:
            return PASS
        number = {int(cell): i for i, cell in enumerate(self._grid.points)}
        source, target, place = (position.grid.names[number[int(x)]] if x else "" for x in turn)
        return SlitherTurn(place, source, target)


def number_of(player: Player) -> int:
    """How the kernels call a player."""
    return large.BLACK if player == Colour.BLACK else large.WHITE


def roll_out(position: Slither, chance: random.Random) -> int:
    """+1, 0 or -1 for the player to move in a game by chance; nobody has connected, no swap lies ahead."""
    rows, columns, player = position.rows, position.columns, number_of(position.to_move)
    winner = large.random_winner(
        large.cells_of(position.black, position.white, rows, columns),
        large.make_grid(rows, columns),
        player,
        position.variant == "advanced",
        large.make_room(rows, columns),
        np.array([chance.getrandbits(64) | 1], np.uint64),
        np.zeros((most_results(rows * columns), 3), np.int64),
    )
    return 0 if winner == large.EMPTY else 1 if winner == player else -1
