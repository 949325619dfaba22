"""A game in progress: the record, who sits where, and what a person at the board may ask for.

The terminal and the notebook board both play through a :class:`Session`; they differ only in how they show it. The
person and the computer sit on two *seats*: seat 0 moves first from the record's start, seat 1 second, and they take
turns. The seats stay when a pie rule exchanges sides.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from inspect import cleandoc
from numbers import Real
from typing import Any, NamedTuple

from cgt_games.engines import solve
from cgt_games.players import Chooser, Interrupted, PerfectPlayer, RandomPlayer, TimedPlayer
from cgt_games.position import DRAW, CGTError, Move, Player, Position, Turn
from cgt_games.record import Record, RecordError
from cgt_games.registry import load
from cgt_games.solution import InvalidLimit, Limits, Progress, Solution

OPPONENTS = ("timed", "perfect", "random", "nobody")
YOU = "you"
"""How a record names the person who plays."""


def opponent(
    level: str, limits: Limits, seed: int | None = None, progress: Callable[[Progress], None] | None = None
) -> Chooser | None:
    """A player of one of the levels :data:`OPPONENTS`; None for ``"nobody"``, when people play both sides.

    A perfect one, which no limits bound, reports to ``progress`` while it thinks.

    Raises CGTError for another word.

    >>> opponent("perfect", Limits()).name
    'perfect'
    """
    if level not in OPPONENTS:
        raise CGTError(f"the opponent is one of {', '.join(OPPONENTS)}, not {level!r}")
    if level == "timed":
        return TimedPlayer(limits, seed)
    if level == "random":
        return RandomPlayer(seed)
    return PerfectPlayer(progress=progress) if level == "perfect" else None


def time_limit(seconds: object) -> Limits:
    """The limits of so many seconds. Raises InvalidLimit for what is no number of them, such as None or infinity.

    >>> time_limit(2).seconds
    2.0
    """
    try:
        if isinstance(seconds, Real) and math.isfinite(seconds):
            return Limits(seconds=float(seconds))
    except OverflowError:
        pass
    raise InvalidLimit(f"seconds is a number of seconds, at least 0, not {seconds!r}")


class Hint(NamedTuple):
    """What is known of a position: who wins, in words, and a move to play.

    That is a best move; where none was found in time, the one that the game's own player would play, if it has one for
    limited time; else None.
    """

    text: str
    move: Move | None


@dataclass
class Session:
    """A game in progress, and who plays it; ``computer`` is None where people play both sides."""

    record: Record
    computer: Chooser | None
    limits: Limits
    """Of each hint; the computer has its own."""
    mine: int = 0
    """The person's seat, against the computer."""
    is_warm: bool = False
    _solved: Solution | None = field(default=None, repr=False)
    _adviser: TimedPlayer | None = field(default=None, repr=False)

    # --- who sits where ---

    def known_seat(self) -> int | None:
        """The seat that the record's names give to the person; None if they do not say."""
        start, names = self.record.start_position, dict(self.record.names)
        seats = (start.to_move, start.to_move.opponent)
        known = [seat for seat in (0, 1) if names.get(seats[seat]) == YOU]
        return known[0] if len(known) == 1 else None

    def take_seat(self, mine: int) -> None:
        """Seat the person, against the computer, and name the players in the record."""
        self.mine = mine
        if self.computer is None:
            return
        start = self.record.start_position
        seats = (start.to_move, start.to_move.opponent)
        named = {str(seats[mine]): YOU, str(seats[1 - mine]): self.computer.name}
        self.record = replace(self.record, names=tuple((player, named[str(player)]) for player in start.players))

    @property
    def seat(self) -> int:
        """Who is to move."""
        return len(self.record.moves) % 2

    @property
    def is_my_turn(self) -> bool:
        """Whether the person is to move, or was when the game ended."""
        return self.computer is None or self.seat == self.mine

    def person(self, player: Player, position: Position) -> str:
        """Who plays a side of a position of the record, in words."""
        if self.computer is None:
            return str(player)
        start = self.record.start_position
        turn = position.player_of(player)
        seat = int(player != start.to_move) if turn is None else int(turn != start.player_of(start.to_move))
        return YOU if seat == self.mine else "the computer"

    # --- moves ---

    def play(self, move: Move) -> tuple[str, ...]:
        """Play a move (or its text) and tell what fell by it, in games in which something can fall.

        Raises IllegalMove, which says why, and RecordError after the end.
        """
        if self.record.result is not None:
            raise RecordError(f"the game is over: {self.announcement()}")
        before = self.record.position
        self.record = self.record.play(move)
        gone = set(getattr(before, "fallen", ()))
        return tuple(str(part) for part in getattr(self.record.position, "fallen", ()) if part not in gone)

    def choose_reply(self) -> Move:
        """The move that the computer chooses, which is not yet played. Raises CGTError, Interrupted after Ctrl-C."""
        if self.computer is None:
            raise CGTError("nobody sits at the other side")
        if not isinstance(self.computer, RandomPlayer):
            self.warm_up()
        return self.computer.choose(self.record.position)

    def warm_up(self) -> None:
        """Let the game's engine compile what it has to, before the first search: its time is not for that."""
        if not self.is_warm:
            type(self.record.position).warm_up()
            self.is_warm = True

    def undo(self) -> None:
        """Back to where it was last the person's turn. Raises CGTError if that was never."""
        record = self.record
        if record.resigned is not None:
            record = record.undo()
        else:
            while record.moves:
                record = record.undo()
                if self.computer is None or len(record.moves) % 2 == self.mine:
                    break
            if record is self.record or (self.computer is not None and len(record.moves) % 2 != self.mine):
                raise CGTError("There is no move of yours to take back.")
        self.record = record

    def resign(self) -> None:
        """Give up: the person, or where people play both sides, who is to move. RecordError when the game is over."""
        player = self.record.to_move if self.is_my_turn else self.record.to_move.opponent
        self.record = self.record.resign(str(player))

    # --- what is said about it ---

    def announcement(self) -> str:
        """Who has won and why, in words; empty while the game goes on.

        The computer never gives up. Where that seat did, people played then, and the sides are named instead.
        """
        result, resigned, position = self.record.result, self.record.resigned, self.record.position
        if result is None:
            return ""
        by_sides = resigned is not None and self.person(resigned, position) != YOU

        def named(player: Player) -> str:
            return str(player) if by_sides else self.person(player, position)

        if not isinstance(result, Player):
            said = "The game is drawn."
        else:
            who = named(result)
            said = f"{_capital(who)} {'win' if who == YOU else 'wins'}."
        if resigned is not None:
            who = named(resigned)
            why = f"{who} {'have' if who == YOU else 'has'} given up"
        else:
            why = position.why_over()
        return f"{said} {_capital(why)}." if why else said

    def solution(self, progress: Callable[[Progress], None] | None = None) -> Solution:
        """The solution of the position, as far as the limits allow; asked once more, a whole one is not sought anew."""
        position = self.record.position
        if self._solved is None or self._solved.position is not position:
            self.warm_up()
            solution = solve(position, limits=self.limits, progress=progress)
            if not solution.exact:
                return solution
            self._solved = solution
        return self._solved

    def verdict(self, solution: Solution) -> str:
        """Who can force a win, in words, with the Grundy value or the margin; only what is proved."""
        if solution.stopped == "interrupt":
            said = "Stopped"
        elif solution.winner == DRAW:
            said = "With best play it is a draw"
        elif isinstance(solution.winner, Player):
            said = f"{_capital(self._winning_person(solution.winner, solution.player))} can force a win"
        else:
            seconds = self.limits.seconds
            said = "Not solved within " + ("the limits" if seconds is None else f"{seconds:g} seconds")
        kind = "Grundy value" if solution.value_kind == "grundy" else solution.value_kind
        return said + ("" if solution.value is None else f", {kind} {solution.value}")

    def hint(self, progress: Callable[[Progress], None] | None = None) -> Hint:
        """Who can force a win, and a move to play.

        Cost: what :attr:`limits` allow; twice that where the game's own player is asked as well. Raises CGTError when
        the game is over, or the computer is to move.
        """
        if self.record.result is not None:
            raise CGTError("The game is over.")
        if not self.is_my_turn:
            raise CGTError("It is the computer's turn.")
        solution = self.solution(progress)
        said = self.verdict(solution)
        if best := (solution.best_moves or solution.winning_moves or ())[:1]:
            return Hint(f"{said}. {_advice(solution, best[0])}", best[0])
        if solution.stopped == "interrupt":
            return Hint(f"{said}.", None)
        try:
            move = self._guess()
        except (Interrupted, KeyboardInterrupt):
            return Hint("Stopped.", None)
        return Hint(f"{said}." if move is None else f"{said}; the computer would play {move}.", move)

    def _guess(self) -> Move | None:
        """The move of the game's own player, which knows more than what can be solved in time; None without one."""
        if self.record.position.own_player is None or self.limits.seconds is None:
            return None
        if isinstance(self.computer, TimedPlayer) and self.computer.limits == self.limits:
            return self.computer.choose(self.record.position)  # it may remember much, so there is one of it
        if self._adviser is None or self._adviser.limits != self.limits:
            self._adviser = TimedPlayer(self.limits)
        return self._adviser.choose(self.record.position)

    def _winning_person(self, winner: Player, player: Turn | None) -> str:
        if player is not None:
            # While sides may still change, the search tells which player of the game wins.
            if self.computer is None:
                return f"the {player} player"
            start = self.record.start_position
            return YOU if int(player != start.player_of(start.to_move)) == self.mine else "the computer"
        if isinstance(winner, Turn):
            # In an impartial game the solution speaks of who is to move now, and the record of who was at first.
            winner = winner if self.seat == 0 else winner.opponent
        return self.person(winner, self.record.position)


def _advice(solution: Solution, best: Move) -> str:
    """What a best move is good for."""
    if not solution.exact or solution.winning_moves or solution.winner == DRAW:
        return f"A good move: {best}"
    why = "loses by the least" if solution.value_kind == "margin" else "is worth a try"
    return f"Every move loses; {best} {why}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def rules_text(state_type: type[Position]) -> str:
    """The rules of a game in prose, as its module opens with; of one typed into a notebook, those of its class.

    Raises CGTError where there is no such text.
    """
    text = sys.modules[state_type.__module__].__doc__
    if state_type.__module__ == "__main__":
        own = state_type.__doc__ or ""
        text = None if own.startswith(f"{state_type.__name__}(") else own or None  # the signature of a dataclass
    if text is None:
        raise CGTError(f"{state_type.name or state_type.__name__} comes without a text of its rules")
    return plain_text(cleandoc(text))


def plain_text(text: str) -> str:
    """A docstring without its markup: ``:class:`~a.B``` is B, and literals lose their quotes.

    A literal of signs alone keeps one on each side: who reads "an empty cell is ." takes it for the end.
    """

    def unquoted(literal: re.Match[str]) -> str:
        return literal[1] if re.search(r"\w", literal[1]) else f"`{literal[1]}`"

    text = re.sub(r"``(.+?)``", unquoted, text, flags=re.DOTALL)
    return re.sub(r"(?::[a-z]+)?:?`~?(?:[\w.]*\.)?(\w+)`", r"\1", text)


@contextmanager
def told_of_compiling(state_type: type[Position], say: Callable[[], None]) -> Iterator[None]:
    """Within it ``say`` is called once if a kernel has to be compiled, rather than taken from numba's cache.

    Loads the module of the game's engine, which takes a second or more where it has kernels.
    """
    if isinstance(state_type.fast_engine, str):
        load(state_type.fast_engine)
    if "numba" not in sys.modules:
        yield
        return
    from numba.core import event

    class Listener(event.Listener):
        said = False

        def on_start(self, event: object) -> None:
            """Say it, the first time."""
            if not self.said:
                self.said = True
                say()

        def on_end(self, event: object) -> None:
            """Nothing; numba wants to call it."""

    install: Any = event.install_listener
    with install("numba:compile", Listener()):
        yield
