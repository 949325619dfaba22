"""Players that choose moves: perfect, limited in time, and random; and a game between any two of them.

A player is anything with a ``name`` and a method ``choose(position)`` that gives a legal move of the player
to move.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol

from cgt_games.engines import solve
from cgt_games.position import CGTError, Move, Position
from cgt_games.record import Record
from cgt_games.registry import load
from cgt_games.solution import Limits


class Chooser(Protocol):
    """What a player must have."""

    @property
    def name(self) -> str:
        """How records name the player."""

    def choose(self, position: Position) -> Move:
        """A legal move of the player to move; asked only while the game goes on."""


class Interrupted(CGTError):
    """Ctrl-C ended a player's search for a move."""


@dataclass(slots=True)
class RandomPlayer:
    """Plays each legal move with equal chance.

    ``seed`` is anything that :class:`random.Random` takes; the same seed gives the same choices. Cost: a
    walk over the moves up to the one chosen.
    """

    seed: int | str | None = None
    name: str = "random"
    _random: random.Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def choose(self, position: Position) -> Move:
        """A legal move by lot. Raises CGTError if there is none."""
        number = position.legal_moves.count
        if number == 0:
            raise CGTError(f"there is no legal move in {position.to_text()!r}")
        return next(islice(position.legal_moves, self._random.randrange(number), None))


@dataclass(frozen=True, slots=True)
class PerfectPlayer:
    """Plays the first of the best moves: wins what can be won, and makes progress while winning.

    Cost: that of :func:`cgt_games.solve` for each move.
    """

    engine: str | None = None
    name: str = "perfect"

    def choose(self, position: Position) -> Move:
        """The first of the best moves. Raises CGTError if there is no move, Interrupted after Ctrl-C."""
        best = solve(position, engine=self.engine).best_moves
        if best is None:
            raise Interrupted(f"solving was interrupted in {position.to_text()!r}")
        if not best:
            raise CGTError(f"there is no legal move in {position.to_text()!r}")
        return best[0]


@dataclass(slots=True)
class TimedPlayer:
    """Plays perfectly what it can solve within its limits, and otherwise as well as it knows.

    If the search does not end in time, it plays a move that was proved to win; else a random move, but none
    by which it would lose at once if there is another. A game that has a player of its own for limited time
    is played by that, if ``limits`` gives seconds.
    """

    limits: Limits
    seed: int | str | None = None
    name: str = "timed"
    _random: random.Random = field(init=False, repr=False)
    _own: dict[type[Position], Chooser] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def choose(self, position: Position) -> Move:
        """The move. Raises CGTError if there is none, Interrupted after Ctrl-C."""
        if (own := self._own_player(type(position))) is not None:
            return own.choose(position)
        solution = solve(position, limits=self.limits)
        if solution.stopped == "interrupt":
            raise Interrupted(f"solving was interrupted in {position.to_text()!r}")
        if known := solution.best_moves or solution.winning_moves:
            return known[0]
        moves = list(position.legal_moves)
        if not moves:
            raise CGTError(f"there is no legal move in {position.to_text()!r}")
        self._random.shuffle(moves)
        return next((move for move in moves if not _loses_at_once(position, move)), moves[0])

    def _own_player(self, state_type: type[Position]) -> Chooser | None:
        """The game's own player, which is kept: it may remember much."""
        if state_type.own_player is None or self.limits.seconds is None:
            return None
        if state_type not in self._own:
            self._own[state_type] = load(state_type.own_player)(seconds=self.limits.seconds)
        return self._own[state_type]


def _loses_at_once(position: Position, move: Move) -> bool:
    after = position.play(move)
    return after.winner is not None and after.winner == after.to_move


def play_out(position: Position, mover: Chooser, other: Chooser, *, most_moves: int | None = None) -> Record:
    """A game between two players, from a position to its end; ``mover`` begins.

    The record names them. After ``most_moves`` moves the game is left unfinished (some games can go on for
    ever).

    >>> from cgt_games import Nim
    >>> record = play_out(Nim(1, 3, 5), PerfectPlayer(), RandomPlayer(seed=1))
    >>> record.result
    Turn.FIRST
    """
    sides = (position.to_move, position.to_move.opponent)
    record = Record.start(position, names={sides[0]: mover.name, sides[1]: other.name})
    choosers = (mover, other)
    while record.result is None and (most_moves is None or len(record.moves) < most_moves):
        chooser = choosers[len(record.moves) % 2]
        record = record.play(chooser.choose(record.position))
    return record
