"""Retrograde analysis against rounds of the definition, on random graphs with cycles."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cgt_games import (
    CannotSum,
    ImpartialPosition,
    Limits,
    Nim,
    Northcott,
    Outcome,
    Side,
    Theory,
    grundy,
    outcome,
    solve,
)
from cgt_games.engines.loopy import analyse
from cgt_games.testing import check_game
from toys import Token

arcs = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from(["left", "right"])), max_size=14, unique=True
)


def by_rounds(position: Token) -> dict[tuple[int, str], tuple[int, int]]:
    """Result for the mover and plies to the end: what is decided within 0, 1, 2, ... plies, from the definition."""
    states = [(place, side) for place in range(6) for side in ("left", "right")]
    to = {
        (place, side): [
            (end, "right" if side == "left" else "left") for s, end, o in position.arcs if (s, o) == (place, side)
        ]
        for place, side in states
    }
    known: dict[tuple[int, str], tuple[int, int]] = {}
    for plies in range(len(states) + 1):
        new = {}
        for state in states:
            if state in known:
                continue
            results = [known.get(after) for after in to[state]]
            if any(result is not None and result[0] == -1 for result in results):
                new[state] = (1, plies)
            elif all(result is not None and result[0] == 1 for result in results):
                new[state] = (-1, plies)
        known |= new
    return known


@settings(max_examples=300)
@given(arcs, st.integers(0, 5), st.sampled_from(Side))
def test_results_and_distances_follow_the_definition(arcs, place, to_move):
    position = Token(tuple(arcs), place, to_move)
    oracle = by_rounds(position)
    analysis = analyse([position])
    for reached in analysis.positions:
        expected = oracle.get((reached.place, str(reached.to_move)))
        if expected is None:
            assert analysis.result(reached) == 0
            assert analysis.distance(reached) is None
        else:
            assert (analysis.result(reached), analysis.distance(reached)) == expected
    solution = solve(position)
    assert bool(solution.best_moves) == bool(position.legal_moves)


def test_best_play_ends_the_game_in_the_announced_number_of_plies():
    # By 1, 2 and 3 Right is stuck; by way of 4 Left could go round for ever, and so makes no progress.
    position = Token(((0, 4, "left"), (4, 0, "right"), (0, 1, "left"), (1, 2, "right"), (2, 3, "left")), 0)
    solution = solve(position)
    assert solution.winning_moves == (1, 4)
    assert solution.best_moves == (1,)
    assert solution.distance == 3
    assert len(solution.principal_variation) == solution.distance


def test_who_can_keep_away_from_losing_draws():
    # Left can always answer 1 by going back to 0; nobody can force an end.
    cycle = Token(((0, 1, "left"), (1, 0, "right"), (0, 1, "right"), (1, 0, "left")), 0)
    solution = solve(cycle)
    assert solution.winner == "draw"
    assert solution.best_moves == (1,)
    assert solution.winning_moves == ()
    assert outcome(cycle) is Outcome.D


def test_mixed_outcomes_have_their_own_classes():
    # Left can move to 1, where Right is stuck; if Right begins, both go round for ever.
    position = Token(((0, 1, "left"), (0, 2, "right"), (2, 0, "left"), (2, 2, "left"), (2, 2, "right")), 0)
    assert outcome(position) is Outcome.N_HAT


def test_a_loop_of_one_position_is_a_draw():
    assert solve(Token(((0, 0, "left"), (0, 0, "right")), 0)).winner == "draw"


def test_limits_leave_the_winner_open():
    long = Token(tuple((i, i + 1, "left") for i in range(9000)) + tuple((i, i + 1, "right") for i in range(9000)), 0)
    solution = solve(long, limits=Limits(positions=100))
    assert (solution.exact, solution.winner, solution.best_moves, solution.stopped) == (False, None, None, "positions")


@dataclass(frozen=True)
class Step(ImpartialPosition):
    """Go from a place to one of those that ``ways`` names; who cannot loses."""

    place: int

    theory = Theory.LOOPY
    ways = {0: (), 1: (0,), 2: (1,), 3: (3,), 4: (3, 2)}  # noqa: RUF012

    def generate_moves(self, player):
        return iter(self.ways[self.place])

    def apply(self, move, player):
        return Step(move)

    def to_text(self):
        return str(self.place)


def test_impartial_games_may_be_loopy_too():
    # 3 leads to itself alone: a draw; from 4 the mover wins by way of 2, which is lost.
    assert [outcome(Step(place)) for place in range(5)] == list("PNPDN")
    check_game(Step(4), walks=5, longest=8)
    total = Step(1) + Nim(1)
    assert outcome(total) is Outcome.P
    with pytest.raises(CannotSum, match="loopy"):
        grundy(Step(3))


def test_the_winner_alone_brings_no_moves():
    solution = solve(Northcott.from_text("L..R"), engine="reference", winner_only=True)
    assert (solution.winner, solution.winning_moves, solution.best_moves) == ("left", None, None)
