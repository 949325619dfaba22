"""Pictures: 1,000 boards of each game as SVG, drawn one after the other."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

from cgt_games import show
from cgt_games.position import Move, Position
from cgt_games.registry import game, read_position
from rows import Row, seconds

TARGET = 1.0
"""Seconds for 1,000 boards of 8 x 8."""


def rows() -> Iterator[Row]:
    chance = random.Random(1)
    for name, text in (
        ("otter", "/".join([",".join(["."] * 8)] * 8)),
        ("road-works", "8x8"),
        ("slither", "/".join(["." * 8] * 8)),
        ("northcott", "/".join(["L......R"] * 8)),
        ("nim", ",".join(["8"] * 8)),
    ):
        boards = along_games(read_position(game(name), text, None, {}), 1000, chance)
        time = seconds(lambda boards=boards: [str(show.svg(board)) for board in boards], repeats=3)
        yield Row(f"{name} 8x8, 1,000 boards as SVG", time, "s", TARGET)


def along_games(start: Position, count: int, chance: random.Random) -> list[Position]:
    """Positions of games by chance, half as many moves long at most as the board has points."""
    positions: list[Position] = []
    while len(positions) < count:
        position, length = start, chance.randrange(1, 33)
        while length and not position.is_terminal:
            position, length = position.play(some_move(position, chance)), length - 1
        positions.append(position)
    return positions


def some_move(position: Position, chance: random.Random) -> Move:
    """One of the first moves in order; a list of all is long on some boards."""
    return chance.choice(list(islice(position.legal_moves, 200)))
