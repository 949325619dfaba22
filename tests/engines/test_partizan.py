"""Win and loss of loop-free games: Domineering's outcomes are published, so they are the oracle here."""

from __future__ import annotations

import pytest

from cgt_games import LoopError, Side, outcome, solve
from toys import Domineering, ForgetfulToken, domineering

# Outcome classes of empty Domineering boards, rows x columns, Left vertical. Source: Winning Ways, chapter 5, and
# D. M. Breuker, J. W. H. M. Uiterwijk, H. J. van den Herik, "Solving 8x8 Domineering" (2000), table of small boards.
PUBLISHED = {
    (1, 1): "P", (2, 1): "L", (1, 2): "R", (2, 2): "N", (2, 3): "N", (3, 2): "N", (3, 3): "N",
    (1, 4): "R", (4, 1): "L", (2, 4): "R", (4, 2): "L", (3, 4): "R", (4, 3): "L", (4, 4): "N",
}  # fmt: skip


@pytest.mark.parametrize("size", PUBLISHED)
def test_domineering_has_the_published_outcomes(size):
    assert outcome(domineering(*size)) == PUBLISHED[size]


def test_every_winning_move_wins_and_no_other():
    position = domineering(3, 3)
    solution = solve(position)
    for move in position.legal_moves:
        won = solve(position.play(move)).winner == Side.LEFT
        assert won == (move in solution.winning_moves)


def test_an_undeclared_cycle_is_shown():
    arcs = ((0, 1, "left"), (1, 2, "right"), (2, 3, "left"), (3, 0, "right"))
    with pytest.raises(LoopError, match=r"0: .* \(left\).*-> .*1: .* \(right\).*Theory.LOOPY"):
        solve(ForgetfulToken(arcs, 0))


def test_a_lost_player_does_not_choose_to_lose_at_once():
    # Right to move and lost; all best moves are legal ones.
    lost = Domineering(("..", "..", ".."), Side.RIGHT)
    assert set(solve(lost).best_moves) <= set(lost.legal_moves)
