"""Players that choose moves: perfect, limited in time, and random; and a game between any two of them.

A player is anything with a ``name`` and a method ``choose(position)`` that gives a legal move of the player
to move.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Protocol

from cgt_games.engines import solve
from cgt_games.position import DRAW, CGTError, Move, Position
from cgt_games.record import Record
from cgt_games.registry import load
from cgt_games.solution import Limits, Progress


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

    ``engine`` and ``progress`` are those of :func:`cgt_games.solve`, whose cost each move has.
    """

    engine: str | None = None
    name: str = "perfect"
    progress: Callable[[Progress], None] | None = field(default=None, repr=False, compare=False)

    def choose(self, position: Position) -> Move:
        """The first of the best moves. Raises CGTError if there is no move, Interrupted after Ctrl-C."""
        best = solve(position, engine=self.engine, progress=self.progress).best_moves
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


@dataclass(slots=True)
class _Branch:
    """A position in the tree of a :class:`MonteCarloPlayer`: how often it was tried, and what came of it.

    ``points`` are those of the player who moves to this position.
    """

    position: Position
    visits: int = 0
    points: float = 0.0
    untried: list[Position] | None = None
    children: list[_Branch] = field(default_factory=list)


@dataclass(slots=True)
class MonteCarloPlayer:
    """Plain Monte-Carlo tree search: UCT with uniformly random games, for any game; a baseline for better players.

    It tries every result of a turn once, then those of the highest upper confidence bound (Kocsis and Szepesvari,
    *Bandit based Monte-Carlo planning*, 2006), and plays the one tried most often. It knows nothing of the game.
    ``seconds``: time a move; ``exploration``: the weight of the bound's second term.
    """

    seconds: float = 1.0
    exploration: float = 1.0
    seed: int | str | None = None
    name: str = "Monte-Carlo"
    _random: random.Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def choose(self, position: Position) -> Move:
        """The move tried most often. Raises CGTError if there is none."""
        ends = time.perf_counter() + self.seconds
        root = _Branch(position)
        while not root.children or time.perf_counter() < ends:
            if not self._try(root):
                raise CGTError(f"there is no legal move in {position.to_text()!r}")
        best = max(root.children, key=lambda branch: (branch.visits, branch.points)).position
        return next(move for move in position.legal_moves if position.apply(move, position.to_move) == best)

    def _try(self, root: _Branch) -> bool:
        """One random game from a leaf of the tree, added up along the way; False if the root has no moves."""
        line = [root]
        while True:
            here = line[-1]
            if here.untried is None:
                here.untried = list(here.position.results(here.position.to_move))
                self._random.shuffle(here.untried)
            if here.untried:
                here.children.append(_Branch(here.untried.pop()))
                line.append(here.children[-1])
                break
            if not here.children:
                break
            line.append(max(here.children, key=self._bound(here.visits)))
        result = line[-1].position.random_result(self._random)
        for branch in reversed(line):
            result = -result  # now for the player who moved there
            branch.visits += 1
            branch.points += (1 + result) / 2
        return bool(root.children)

    def _bound(self, visits: int) -> Callable[[_Branch], float]:
        weight = self.exploration * math.sqrt(math.log(visits))
        return lambda branch: branch.points / branch.visits + weight / math.sqrt(branch.visits)


def wilson(wins: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """The interval in which the chance to win lies with a confidence of 95 % (``z`` = 1.96), by Wilson's score.

    ``wins`` may count draws by half. Raises ValueError without games.

    >>> low, high = wilson(70, 100)
    >>> round(low, 3), round(high, 3)
    (0.604, 0.781)
    """
    if games < 1:
        raise ValueError("no game was played")
    rate, share = wins / games, z * z / games
    centre = (rate + share / 2) / (1 + share)
    half = z * math.sqrt(rate * (1 - rate) / games + share / (4 * games)) / (1 + share)
    return centre - half, centre + half


@dataclass(frozen=True, slots=True)
class Match:
    """The result of a match, for its first player; a draw is half a win."""

    games: int
    wins: int
    draws: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the chance to win."""
        return wilson(self.wins + self.draws / 2, self.games)

    def __str__(self) -> str:
        low, high = self.interval
        drawn = f", {self.draws} drawn" if self.draws else ""
        return f"{self.wins} of {self.games} won{drawn} (95 % interval {100 * low:.1f} to {100 * high:.1f} %)"


def play_match(
    start: Position,
    player: Chooser,
    other: Chooser,
    games: int,
    *,
    after_game: Callable[[Record], None] | None = None,
) -> Match:
    """Play games from ``start`` with the sides alternating; ``player`` begins the first.

    Players may not exchange sides on the way (a pie rule). ``after_game`` is called with each record.
    """
    wins = draws = 0
    for number in range(games):
        begins = number % 2 == 0
        record = play_out(start, player, other) if begins else play_out(start, other, player)
        side = start.to_move if begins else start.to_move.opponent
        wins += record.result == side
        draws += record.result == DRAW
        if after_game is not None:
            after_game(record)
    return Match(games, wins, draws)


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
