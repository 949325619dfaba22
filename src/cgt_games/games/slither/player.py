"""An opponent for boards of any size: exact where it can be, and otherwise by a look ahead.

It connects when it can in this turn, never lets the opponent connect in the next one if that can be helped, plays
perfectly what the proof-number search solves in a third of its time (up to eight rows and columns), and else takes the
turn that is best by ``look_ahead``, deepened until the time is over.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field, replace

import numpy as np

from cgt_games.games.slither import bits, cells, look_ahead
from cgt_games.games.slither.rules import PASS, SWAP, Colour, Slither, SlitherTurn
from cgt_games.games.slither.solver import Prover, fits, turns_to
from cgt_games.position import CGTError, Player, Position
from cgt_games.solution import Limits, Search

PROVING = 1 / 3
"""The share of the time in which an exact answer is looked for."""
SLICE_SECONDS = 0.02
"""About the time between two looks at the clock."""
AT_ROOT, INNER, LAST = (40, 128, 384), (10, 14, 24), (10, 6, 8)
"""How many turns are searched and how many placements and moving turns are compared for that: of the position itself,
of those further down, and of those before the last turn."""


@dataclass(slots=True)
class SlitherPlayer:
    """Plays Slither within ``seconds`` a turn (wall time, about); ``seed`` decides among equals.

    Memory: the prover's table, at most 128 MB for each size and variant played; and 2 MB a size, more for huge boards.
    """

    seconds: float = 2.0
    seed: int | str | None = None
    name: str = "slither"
    _random: random.Random = field(init=False, repr=False)
    _provers: dict[tuple[int, int, str], Prover] = field(init=False, repr=False, default_factory=dict)
    _boards: dict[tuple[int, int], LookAhead] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def choose(self, position: Position) -> SlitherTurn:
        """The turn to play. Raises CGTError for a position that is over, or of another game."""
        if not isinstance(position, Slither):
            raise CGTError(f"a player of Slither does not play {position.name or type(position).__name__}")
        if position.is_terminal:
            raise CGTError(f"there is no turn in {position.to_text()!r}")
        ends = time.perf_counter() + self.seconds
        if position.may_swap(position.to_move):
            return self._swap_or_not(position, ends)
        if position.sides_may_swap:
            # As far as it is known, no first placement is weaker; on 5 x 5 in the advanced game only these lose.
            return SlitherTurn(position.grid.names[0])
        if PASS in position.legal_moves:
            return PASS
        if (proved := self._proved(position)) is not None:
            return turns_to(position, [proved[0]])[0]
        return self._board(position).best(position, ends, self._random)

    def _swap_or_not(self, position: Slither, ends: float) -> SlitherTurn:
        """Swap unless White is proved to win, or, without a proof, is as near to connecting as Black.

        White is to move then, so with equal distances it is ahead. To look ahead does not help so early.
        """
        unswapped = replace(position, pie=False)
        if (proved := self._proved(unswapped)) is not None:
            return turns_to(unswapped, [proved[0]])[0] if proved[1] > 0 else SWAP
        board = self._board(position)
        if board.steps(position, Colour.WHITE) > board.steps(position, Colour.BLACK):
            return SWAP
        return board.best(unswapped, ends, self._random)

    def _board(self, position: Slither) -> LookAhead:
        size = (position.rows, position.columns)
        if size not in self._boards:
            self._boards[size] = LookAhead(*size)
        return self._boards[size]

    def _proved(self, position: Slither) -> tuple[Slither, int] | None:
        """The position to go to, and 1, 0 or -1 for a win, draw or loss, if that can be proved in the time for it."""
        if not fits(position.rows, position.columns):
            return None
        key = (position.rows, position.columns, position.variant)
        if key not in self._provers:
            self._provers[key] = Prover(*key, most_rows=1 << 22)
        prover, search = self._provers[key], Search(Limits(seconds=self.seconds * PROVING))
        with search.guard():
            value = prover.value(position, search)
            after = prover.choose(position, search)
            assert after is not None
            return after, value
        if search.stopped == "interrupt":
            raise KeyboardInterrupt
        return None


class LookAhead:
    """A look ahead on boards of one size; see ``look_ahead``. Memory: 2 MB for 13 x 13."""

    def __init__(self, rows: int, columns: int):
        self._grid = cells.make_grid(rows, columns)
        self._tables = look_ahead.make_tables(rows, columns)
        self._stack = look_ahead.make_stack()
        self._slice = 16
        self.depth = self.nodes = 0
        """Of the last search: how many turns ahead it looked, the last time not at all turns, and its positions."""

    def best(self, position: Slither, ends: float, chance: random.Random) -> SlitherTurn:
        """The turn to play, by a look ahead of two turns, then three and so on.

        It ends at the moment ``ends`` of ``time.perf_counter()``; ``chance`` decides among turns that seem equal.
        """
        player, advanced = number_of(position.to_move), position.variant == "advanced"
        stones = cells.cells_of(position.black, position.white, position.rows, position.columns)
        turns, scores = self._stack.turns[0], self._stack.scores[0]
        self.depth = self.nodes = 0
        count = look_ahead.list_best(stones, self._grid, player, advanced, AT_ROOT, self._tables, turns, scores)
        if count == look_ahead.CONNECTS:
            return self._named(position, turns[0])
        if not count:
            any_turn: SlitherTurn = next(iter(position.legal_moves))  # whatever it does, the opponent connects
            return any_turn
        order = [(int(scores[i]), turns[i].copy()) for i in range(count)]
        chance.shuffle(order)
        order.sort(key=lambda pair: -pair[0])
        for depth in range(2, look_ahead.DEEPEST + 1):
            turns[:count] = [turn for _, turn in order]
            done = self._search(stones.copy(), player, advanced, depth, count, ends)
            found = [(int(scores[i]), order[i][1]) for i in range(done)]
            # Turns that were not reached follow; the sort keeps the order of equals.
            order = sorted(found, key=lambda pair: -pair[0]) + order[done:]
            self.depth = depth
            if done < count or abs(order[0][0]) >= look_ahead.WIN - 100:
                break
        return self._named(position, order[0][1])

    def steps(self, position: Slither, player: Player) -> int:
        """How many empty points a chain of a player still needs, legal or not; ``cells.FAR`` if there can be none."""
        stones = cells.cells_of(position.black, position.white, position.rows, position.columns)
        room = self._tables.mine
        return int(cells.measure(stones, self._grid, number_of(player), room.ahead, room.back, room.queue))

    def _search(self, stones: np.ndarray, player: int, advanced: bool, depth: int, count: int, ends: float) -> int:
        """Search the ``count`` turns on the stack to a depth, until the end; returns how many of them were done."""
        stack = self._stack
        look_ahead.begin(stack, count)
        while True:
            before, started = int(stack.state[1]), time.perf_counter()
            status = look_ahead.run(
                stack, stones, self._grid, player, advanced, depth, INNER, LAST, self._tables, before + self._slice
            )
            now = time.perf_counter()
            self.nodes += int(stack.state[1]) - before
            if status == look_ahead.GOES_ON:
                pace = SLICE_SECONDS / max(now - started, 1e-6)
                self._slice = max(1, min(4 * self._slice, int(self._slice * pace)))
            if status == look_ahead.DONE or now > ends:
                return int(stack.scalars[look_ahead.NEXT, 0])

    def _named(self, position: Slither, turn: np.ndarray) -> SlitherTurn:
        """A turn of the kernels by the names of its points."""
        if not turn[2]:
            return PASS
        number = {int(cell): i for i, cell in enumerate(self._grid.points)}
        source, target, place = (position.grid.names[number[int(x)]] if x else "" for x in turn)
        return SlitherTurn(place, source, target)


def number_of(player: Player) -> int:
    """How the kernels call a player."""
    return cells.BLACK if player == Colour.BLACK else cells.WHITE


def roll_out(position: Slither, chance: random.Random) -> int:
    """+1, 0 or -1 for the player to move in a game by chance, by kernels; nobody has connected, no swap lies ahead."""
    mover, size, advanced = position.to_move, (position.rows, position.columns), position.variant == "advanced"
    seed, most = np.uint64(chance.getrandbits(64) | 1), bits.most_results(position.size)
    if fits(*size):
        own, other = (bits.spread(position.stones(player), *size) for player in (mover, mover.opponent))
        room = np.zeros(most, np.uint64)
        winner = bits.random_winner(own, other, mover is Colour.WHITE, bits.frame(*size), advanced, seed, room)
        return 0 if winner < 0 else 1 if list(Colour)[winner] is mover else -1
    winner = cells.random_winner(
        cells.cells_of(position.black, position.white, *size),
        cells.make_grid(*size),
        number_of(mover),
        advanced,
        cells.make_room(*size),
        np.array([seed]),
        np.zeros((most, 3), np.int64),
    )
    return 0 if winner == cells.EMPTY else 1 if winner == number_of(mover) else -1
