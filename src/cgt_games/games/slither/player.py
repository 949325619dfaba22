"""An opponent for boards of any size: exact where it can be, and otherwise by a look ahead.

It connects when it can in this turn, never lets the opponent connect in the next one if that can be helped, plays
perfectly what the proof-number search solves in a third of its time, and else takes the turn that is best by
``beam.look_ahead``, deepened until the time is over. Boards with over eight rows or columns are never solved; they have
a look ahead of their own, ``large_search``.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field, replace

import numpy as np

from cgt_games.games.slither import beam, large_player
from cgt_games.games.slither import search as kernel
from cgt_games.games.slither.bits import frame, gather, most_results, spread
from cgt_games.games.slither.rules import PASS, SWAP, Colour, Slither, SlitherTurn
from cgt_games.games.slither.solver import Prover, fits, turns_to
from cgt_games.position import CGTError, Position
from cgt_games.solution import Limits, Search

PROVING = 1 / 3
"""The share of the time in which an exact answer is looked for."""
WIDTH, DEPTH_WIDTH = 48, 8
"""How many turns are compared, and how many of each position further down."""


@dataclass(slots=True)
class SlitherPlayer:
    """Plays Slither within ``seconds`` a turn (wall time, about); ``seed`` decides among equals.

    Memory: the prover's table, at most 128 MB for each size and variant played; 2 MB for a board that is too large.
    """

    seconds: float = 2.0
    seed: int | str | None = None
    name: str = "slither"
    _random: random.Random = field(init=False, repr=False)
    _provers: dict[tuple[int, int, str], Prover] = field(init=False, repr=False, default_factory=dict)
    _boards: dict[tuple[int, int], large_player.LargeBoard] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def choose(self, position: Position) -> SlitherTurn:
        """The turn to play. Raises CGTError for a position that is over, or of another game."""
        if not isinstance(position, Slither):
            raise CGTError(f"a player of Slither does not play {position.name or type(position).__name__}")
        if position.is_terminal:
            raise CGTError(f"there is no turn in {position.to_text()!r}")
        if position.may_swap(position.to_move):
            return self._swap_or_not(position)
        if PASS in position.legal_moves:
            return PASS
        return self._best(position)[0]

    def _swap_or_not(self, position: Slither) -> SlitherTurn:
        """Swap if White's best turn seems worse than nothing."""
        turn, value = self._best(replace(position, pie=False))
        return SWAP if value <= 0 else turn

    def _best(self, position: Slither) -> tuple[SlitherTurn, int]:
        """The turn to play, and what it seems to be worth."""
        ends = time.perf_counter() + self.seconds
        if not fits(position.rows, position.columns):
            size = (position.rows, position.columns)
            if size not in self._boards:
                self._boards[size] = large_player.LargeBoard(*size)
            return self._boards[size].best(position, ends, self._random)
        after, value = self._best_result(position, ends)
        return turns_to(position, [after])[0], value

    def _best_result(self, position: Slither, ends: float) -> tuple[Slither, int]:
        """The position to go to on a board that fits one word, and what it seems to be worth."""
        key = (position.rows, position.columns, position.variant)
        if key not in self._provers:
            self._provers[key] = Prover(*key, most_rows=1 << 22)
        prover = self._provers[key]
        if prover.can_connect(position):
            mover = position.to_move
            return next(after for after in position.results(mover) if after.connected is mover), beam.WIN
        search = Search(Limits(seconds=self.seconds * PROVING))
        with search.guard():
            value = prover.value(position, search)
            after = prover.choose(position, search)
            assert after is not None
            return after, value * beam.WIN
        if search.stopped == "interrupt":
            raise KeyboardInterrupt
        return ahead(position, ends, self._random)


def ahead(position: Slither, ends: float, chance: random.Random) -> tuple[Slither, int]:
    """The best position to go to by a look ahead of two turns, then three and so on, until a moment on the clock.

    The player to move is taken not to connect at once; if every turn lets the opponent connect, any is taken.
    """
    rows, columns, whites = position.rows, position.columns, position.to_move is Colour.WHITE
    board, advanced = frame(rows, columns), position.variant == "advanced"
    mover = position.to_move
    own, other = (spread(position.stones(player), rows, columns) for player in (mover, mover.opponent))
    results = np.zeros(most_results(position.size), np.uint64)
    cells, sources = np.zeros((2, kernel.MOST_TURNS), np.uint64)
    room = (results, cells, sources)
    chosen, scores = np.zeros(WIDTH, np.uint64), np.zeros(WIDTH, np.int64)
    count = beam.list_best(own, other, whites, board, advanced, WIDTH, chosen, scores, *room)
    if not count:
        return next(position.results(mover)), -beam.WIN
    order = [(int(scores[i]), chosen[i]) for i in range(count)]
    chance.shuffle(order)
    order.sort(key=lambda pair: -pair[0])
    for depth in range(1, beam.DEEPEST):
        found: list[tuple[int, np.uint64]] = []
        best = -beam.WIN
        for _, after in order:
            # A turn that is no better than the best so far needs no exact value.
            value = -int(
                beam.look_ahead(
                    other, after, not whites, depth, -beam.WIN, -best + 1, board, advanced, DEPTH_WIDTH, *room
                )
            )
            found.append((value, after))
            best = max(best, value)
            if time.perf_counter() > ends:
                break
        # Turns that were not reached follow; the sort keeps the order of equals.
        order = sorted(found, key=lambda pair: -pair[0]) + order[len(found) :]
        if time.perf_counter() > ends or abs(order[0][0]) >= beam.WIN - 100:
            break
    return position._with_stones(gather(int(order[0][1]), rows, columns), mover), order[0][0]


def roll_out(position: Slither, chance: random.Random) -> int:
    """+1, 0 or -1 for the player to move in a game by chance, by kernels; nobody has connected, no swap lies ahead."""
    if not fits(position.rows, position.columns):
        return large_player.roll_out(position, chance)
    mover, rows, columns = position.to_move, position.rows, position.columns
    own, other = (spread(position.stones(player), rows, columns) for player in (mover, mover.opponent))
    winner = beam.random_winner(
        own,
        other,
        mover is Colour.WHITE,
        frame(rows, columns),
        position.variant == "advanced",
        np.uint64(chance.getrandbits(64) | 1),
        np.zeros(most_results(position.size), np.uint64),
    )
    return 0 if winner < 0 else 1 if list(Colour)[winner] is mover else -1
