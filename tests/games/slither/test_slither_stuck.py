"""Positions without a turn, against the rules."""

from __future__ import annotations

from itertools import product

import pytest

from cgt_games import InvalidPosition, Slither
from cgt_games.games.slither.rules import PASS, Colour
from cgt_games.games.slither.stuck import count_stuck


def every_position(rows, columns):
    """All legal positions that nobody has won, with Black to move."""
    for colours in product(".BW", repeat=rows * columns):
        text = "/".join("".join(colours[r * columns : (r + 1) * columns]) for r in range(rows))
        try:
            position = Slither.from_text(text, to_move="black")
        except InvalidPosition:
            continue
        if position.winner is None and position.empties:
            yield position


@pytest.mark.kernel
@pytest.mark.parametrize("size", [(2, 3), (3, 2), (3, 3), (2, 4)], ids=str)
def test_blocked_positions_are_those_of_the_rules(size):
    def has_placement(position, colour):
        return any(not t.source for t in position.with_to_move(colour).legal_moves if t != PASS)

    blocked = blocked_both = 0
    for position in every_position(*size):
        if not has_placement(position, Colour.BLACK):
            blocked += 1
            blocked_both += not has_placement(position, Colour.WHITE)
    assert count_stuck(*size, both=False).blocked == blocked
    assert count_stuck(*size, both=True).blocked == blocked_both


@pytest.mark.parametrize("size", [(5, 4), (4, 5), (5, 5)], ids=str)
def test_a_player_without_a_turn_passes_to_one_who_has_one(size):
    stuck = count_stuck(*size, both=False, examples=20)
    assert stuck.classic >= len(stuck.examples) > 0
    for black, white in stuck.examples:
        position = Slither(*size, black=black, white=white, to_move=Colour.BLACK)
        assert list(position.legal_moves) == [PASS]
        assert list(position.play(PASS).legal_moves) != [PASS]


def test_the_forced_pass_of_the_rules_is_among_those_found():
    """White has no turn; with colours and goals exchanged Black has none."""
    position = Slither.from_text("WWBBB/WWWBB/WB..B/WBBWW/WBBBW", to_move="white")
    assert list(position.legal_moves) == [PASS]
    stuck = count_stuck(5, 5, both=False, examples=5000)
    assert len(stuck.examples) == stuck.classic
    images = [position.transform(symmetry) for symmetry in position.symmetries()]
    assert {(p.black, p.white) for p in images if p.to_move is Colour.BLACK} <= set(stuck.examples)


def test_nobody_is_stuck_with_the_other():
    """No draw by two players without a turn on boards up to 5 x 5."""
    for rows, columns in product(range(1, 6), repeat=2):
        stuck = count_stuck(rows, columns, both=True)
        assert (stuck.classic, stuck.advanced) == (0, 0)
