"""What Otter shows in the demo: the end game that the app thinks long about, and the strategy in action."""

from __future__ import annotations

from random import Random

from cgt_games.games.otter.rules import Otter
from cgt_games.games.otter.strategy import corner_moves
from cgt_games.showcase import Scene
from cgt_games.solution import Solution

APP_SECONDS = 30
"""About how long the original app takes on a phone for the last seven numbers."""


def scenes(generator: Random) -> list[Scene]:
    """Seven empty cells, and a game in which A has played "corners first" against random replies."""
    return [
        Scene(
            "Nimbler Otter: a random board with seven numbers left to place",
            Otter.random(generator, empty=7),
            remark=_faster,
        ),
        Scene(
            'Nimbler Otter: A has played "corners first" against random replies',
            after_corners(generator),
            remark=_strategy,
            plays=True,
        ),
    ]


MOST_EMPTY = 10
"""With more empty cells, all moves of some positions would take a quarter of a minute."""


def after_corners(generator: Random) -> Otter:
    """A position with all corners filled, A having played by the rule and B by chance.

    Games in which B has filled two corners, and so left more than ten cells, are few and passed over.
    """
    while True:
        position = Otter.empty()
        while moves := corner_moves(position):
            position = position.play(generator.choice(moves))
            position = position.play(generator.choice(list(position.legal_moves)))
        if position.empties <= MOST_EMPTY:
            return position


def _faster(solution: Solution) -> str:
    if not solution.exact:
        return ""
    times = APP_SECONDS / solution.seconds
    return (
        f"Every best move and the exact margin, {times:,.0f} times as fast as the app from which the game "
        "comes: with seven numbers left it thinks for about half a minute on a phone."
    )


def _strategy(solution: Solution) -> str:
    return (
        "From the empty board A wins by exactly 2, and this rule keeps it against every reply: A fills a corner as "
        "long as one is empty, B's with the greatest numbers, then its own with the smallest. cgt-games otter-theorem "
        "proves the one, cgt-games otter-strategy the other, in some minutes each."
    )
