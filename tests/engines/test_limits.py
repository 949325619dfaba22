"""What is said when a search may not finish: only what was proved, and never a value."""

from __future__ import annotations

import inspect
import signal
import threading
from dataclasses import dataclass
from itertools import pairwise

import pytest

from cgt_games import ImpartialPosition, Limits, Nim, Position, solve
from cgt_games.solution import Search
from toys import Kayles, domineering

LARGE: list[Position] = [Nim(30, 31, 32, 33), Nim(30, 31, 32, 33, play="misere"), domineering(7, 7)]


@pytest.mark.parametrize("position", LARGE, ids=repr)
@pytest.mark.parametrize("limits", [Limits(nodes=5000), Limits(seconds=0.2), Limits(positions=5000)])
def test_a_limit_gives_no_invented_value(position, limits):
    solution = solve(position, engine="reference", limits=limits)
    assert not solution.exact
    assert solution.value is None
    assert solution.best_moves is None
    assert solution.stopped == next(name for name in ("nodes", "seconds", "positions") if getattr(limits, name))
    assert solution.winner in (None, position.to_move)
    assert (solution.winner is None) == (not solution.winning_moves)
    assert "stopped early" in str(solution)


@dataclass(frozen=True)
class WithExit(ImpartialPosition):
    """A large game of Nim with one more move, the first in the list, that ends it."""

    nim: Nim

    def generate_moves(self, player):
        if not self.nim.is_terminal:
            yield "exit"
            yield from self.nim.generate_moves(player)

    def apply(self, move, player):
        return WithExit(Nim() if move == "exit" else self.nim.apply(move, player))

    def to_text(self):
        return self.nim.to_text()


def test_the_winner_is_said_if_it_was_proved_before_the_limit():
    solution = solve(WithExit(Nim(50, 51, 52, 53)), limits=Limits(nodes=3000))
    assert not solution.exact
    assert solution.winner == "first"
    assert solution.winning_moves == ("exit",)
    assert (solution.value, solution.best_moves) == (None, None)


def test_limits_are_checked():
    with pytest.raises(ValueError, match="nodes=-1"):
        Limits(nodes=-1)


def test_an_unknown_engine_is_named():
    with pytest.raises(ValueError, match="'fast'"):
        solve(Nim(1), engine="fast")


@pytest.mark.parametrize("position", LARGE, ids=repr)
def test_ctrl_c_ends_a_search_with_an_honest_answer(position):
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    solution = solve(position, engine="reference")
    assert solution.stopped == "interrupt"
    assert not solution.exact
    assert solution.value is None


def test_progress_is_reported_and_grows():
    seen = []
    solve(Kayles((9, 9, 9)), engine="reference", limits=Limits(seconds=0.6), progress=seen.append)
    assert len(seen) >= 2
    assert all(earlier.nodes <= later.nodes for earlier, later in pairwise(seen))


def test_ctrl_c_that_comes_too_late_for_the_search_is_not_lost():
    class Pressed(Nim):
        def generate_moves(self, player):
            signal.raise_signal(signal.SIGINT)
            return iter(())

    with pytest.raises(KeyboardInterrupt):
        solve(Pressed(1), engine="reference")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_small_limit_is_kept_about():
    solution = solve(Nim(200), engine="reference", limits=Limits(nodes=1))
    assert (solution.exact, solution.stopped) == (False, "nodes")
    assert solution.nodes < 40


def test_a_search_is_made_of_what_is_public():
    assert not [name for name in inspect.signature(Search).parameters if name.startswith("_")]
