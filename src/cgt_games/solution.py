"""What solving gives: a :class:`Solution`, and the :class:`Limits` and :class:`Progress` of the search for it."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from cgt_games.position import CGTError, Move, Outcome, Player, Position, Turn


class InvalidLimit(CGTError, ValueError):
    """A limit that is none, such as a negative time."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on a search; None is no bound.

    ``nodes``: positions expanded (one whose options are generated); ``seconds``: wall time; ``positions``: entries
    of the transposition table. With a bound reached the answer has ``exact=False`` and holds what was proved by then
    (a full table of an engine that can replace entries is no reason to stop).
    """

    nodes: int | None = None
    seconds: float | None = None
    positions: int | None = None

    def __post_init__(self) -> None:
        for name in ("nodes", "seconds", "positions"):
            value = getattr(self, name)
            if value is not None and not value >= 0:
                raise InvalidLimit(f"limit {name}={value!r} must be at least 0")


@dataclass(frozen=True, slots=True)
class Progress:
    """What a progress callback is told: nodes and seconds so far, a note for people, and the share done if known."""

    nodes: int
    seconds: float
    note: str = ""
    fraction: float | None = None


class OutOfBudget(Exception):
    """Raised by :meth:`Search.tick` inside an engine when a limit is reached; never leaves ``solve``."""


@dataclass(frozen=True, slots=True)
class Guard:
    """The context of :meth:`Search.guard`."""

    search: Search

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        if isinstance(error, KeyboardInterrupt):
            self.search.stopped = "interrupt"
        return isinstance(error, OutOfBudget | KeyboardInterrupt)


@dataclass(slots=True)
class Search:
    """One running search: what was asked, the limits, and what was spent so far. Engines receive it and report to it.

    An engine calls :meth:`tick` every few thousand nodes (at least every 0.1 s); it raises :class:`OutOfBudget` when a
    limit is reached, which :meth:`guard` catches. ``winner_only`` asks for the winner alone; ``executor`` may be used
    to share the work at the root.
    """

    limits: Limits = field(default_factory=Limits)
    progress: Callable[[Progress], None] | None = None
    winner_only: bool = False
    executor: Executor | None = None
    nodes: int = 0
    stopped: str | None = None
    """Why the search ended early: ``"nodes"``, ``"seconds"``, ``"positions"`` or ``"interrupt"``."""
    started: float = field(default_factory=time.perf_counter)
    interrupt: threading.Event = field(default_factory=threading.Event)
    """Set when Ctrl-C was pressed; the next :meth:`tick` ends the search."""
    _reported: float = field(default=0.0, init=False, repr=False)
    _paced: float = field(default_factory=time.perf_counter, init=False, repr=False)

    @property
    def seconds(self) -> float:
        """Wall time since the search began."""
        return time.perf_counter() - self.started

    def tick(self, nodes: int = 0, positions: int = 0, note: str = "", fraction: float | None = None) -> None:
        """Count ``nodes`` more, report progress at most ten times a second, raise :class:`OutOfBudget` at a limit.

        ``positions`` is the present size of the table.
        """
        self.nodes += nodes
        seconds = self.seconds
        if self.progress is not None and seconds - self._reported >= 0.1:
            self._reported = seconds
            self.progress(Progress(self.nodes, seconds, note, fraction))
        if self.interrupt.is_set():
            self.stop("interrupt")
        limits = self.limits
        if limits.nodes is not None and self.nodes >= limits.nodes:
            self.stop("nodes")
        if limits.seconds is not None and seconds >= limits.seconds:
            self.stop("seconds")
        if limits.positions is not None and positions >= limits.positions:
            self.stop("positions")

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Within it the first Ctrl-C sets :attr:`interrupt`, so that no engine is interrupted halfway through a step.

        A second one raises KeyboardInterrupt at once, as usual. Where Ctrl-C is handled by somebody else, or outside
        the main thread, nothing changes.
        """
        if (
            threading.current_thread() is not threading.main_thread()
            or signal.getsignal(signal.SIGINT) is not signal.default_int_handler
        ):
            yield
            return

        def note(number: int, frame: FrameType | None) -> None:
            if self.interrupt.is_set():
                raise KeyboardInterrupt
            self.interrupt.set()

        signal.signal(signal.SIGINT, note)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if self.interrupt.is_set() and self.stopped is None:
            # The search was over before it could take notice, but whoever pressed Ctrl-C wants all to stop.
            raise KeyboardInterrupt

    def guard(self) -> Guard:
        """Run the body of a ``with`` until it ends, a limit is reached, or Ctrl-C; :attr:`stopped` then says which.

        An engine does its work inside and answers, after it, with what the body had proved.
        """
        return Guard(self)

    def pace(self, options: int) -> int:
        """How many options to look at before the next :meth:`tick`, if it was ``options`` before the last.

        Fewer in a game whose moves are slow to make, so that a look at the clock comes about every 0.02 s.
        """
        now = time.perf_counter()
        slow, self._paced = now - self._paced > 0.02, now
        return max(1, options // 2) if slow else min(2048, 2 * options)

    def stop(self, reason: str) -> None:
        """End the search; the engine catches :class:`OutOfBudget` and answers with what it has."""
        self.stopped = reason
        raise OutOfBudget(reason)


@dataclass(frozen=True, slots=True)
class Solution:
    """An answer of :func:`cgt_games.solve`.

    With ``exact`` every field that is not None is proved and complete. Without it (a limit was reached, or Ctrl-C)
    ``winner`` and ``value`` are given only if they were proved all the same, ``winning_moves`` are those proved so far
    (there may be more), and ``best_moves`` is None.

    With ``winner_only=True`` the search stops at the winner: ``winning_moves`` and ``best_moves`` are None.
    """

    position: Position
    """The position that was solved."""
    winner: Player | str | None
    """The side that wins with perfect play; ``"draw"``; None if it was not found."""
    value: int | None = None
    """The Grundy value or the margin, as ``value_kind`` says; None where the game has none or it was not found."""
    value_kind: str | None = None
    """``"grundy"``, ``"margin"`` or None."""
    winning_moves: tuple[Move, ...] | None = None
    """Every move after which the mover still wins; empty in a lost or drawn position."""
    best_moves: tuple[Move, ...] | None = None
    """The moves to play: those of optimal margin; winning moves that make progress; in a lost position the engine's
    choice, never one that loses at once if another does not. Empty only if there is no legal move."""
    principal_variation: tuple[Move, ...] = ()
    """One line of best play from here; to the end of the game where the engine knows it."""
    outcome: Outcome | None = None
    """The outcome class, where solving found it; :func:`cgt_games.outcome` always does."""
    distance: int | None = None
    """Plies to the end under best play (the winner hurries, the loser delays), where the engine knows it."""
    exact: bool = True
    """Whether the search was complete."""
    nodes: int = 0
    """Positions expanded."""
    seconds: float = 0.0
    """Wall time."""
    engine: str = ""
    """How the answer was obtained."""
    stopped: str | None = None
    """Why the search ended early: a limit's name or ``"interrupt"``; None if it did not."""
    player: Turn | None = None
    """Which player of the game wins, the first or the second, where they may exchange sides (a pie rule); else None.
    ``winner`` is then the side that wins in the principal variation, whoever plays it by then."""

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain values: moves as texts, the value as ``{"grundy": 3}`` or ``{"margin": -2}``.

        The value is None where the game has none, where it was not found, and where the game is over.
        """

        def texts(moves: tuple[Move, ...] | None) -> list[str] | None:
            return None if moves is None else [str(move) for move in moves]

        has_value = self.value is not None and self.value_kind is not None and not self.position.is_terminal
        player = {} if self.player is None else {"player": str(self.player)}
        return {
            "to_move": str(self.position.to_move),
            "winner": None if self.winner is None else str(self.winner),
            **player,
            "value": {self.value_kind: self.value} if has_value else None,
            "winning_moves": texts(self.winning_moves),
            "best_moves": texts(self.best_moves),
            "exact": self.exact,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "engine": self.engine,
        }

    def __str__(self) -> str:
        def listed(moves: tuple[Move, ...] | None) -> str:
            if moves is None:
                return "not known"
            return " ".join(map(str, moves)) or ("none" if self.exact else "none proved yet")

        lines = [f"winner        {self.winner if self.winner is not None else 'not known'}"]
        if self.player is not None:
            lines.append(f"player        {self.player}")
        if self.value is not None:
            lines.append(f"{self.value_kind:<13} {self.value}")
        if self.distance is not None:
            lines.append(f"distance      {self.distance}")
        for name, moves in (("winning moves", self.winning_moves), ("best moves", self.best_moves)):
            if moves is not None or not self.exact:  # else they were not asked for
                lines.append(f"{name:<13} {listed(moves)}")
        if self.principal_variation:
            lines.append(f"best line     {listed(self.principal_variation)}")
        how = "" if self.exact else f", stopped early ({self.stopped}): only what was proved by then is said"
        lines.append(f"obtained by   {self.engine}, {self.nodes:,} nodes, {self.seconds:.3g} s{how}")
        return "\n".join(lines)
