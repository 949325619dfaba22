"""Otter is held to what the library promises of all games."""

from cgt_games import Otter
from cgt_games.testing import check_game


def test_otter_passes_the_conformance_suite():
    check_game(
        Otter.empty(),
        Otter.empty(2, 3),
        Otter.random(1, empty=4),
        Otter.random(2, empty=6, rows=3, columns=4),
        Otter.random(3, empty=3, rows=5, columns=4),
        walks=5,
        reference_nodes=500,
        most_solved=40,
    )
