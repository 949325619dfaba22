"""What the app has buttons for, as commands: the best paths on the board, random boards, and the computer's move.

(``new``, ``back`` and playing against the computer are in ``cgt-games play otter``, the rules in ``cgt-games rules
otter``, and the "test" is :mod:`~cgt_games.games.otter.puzzles`.)
"""

from __future__ import annotations

import random
import re

from cgt_games.command import Parser
from cgt_games.games.otter.rules import AB, Otter
from cgt_games.position import CGTError


def paths(words: list[str]) -> int:
    """The command ``otter-paths``: the best A-path and the best B-path, with their values."""
    parser = Parser(
        prog="cgt-games otter-paths",
        description="Draw each player's best path. An empty cell counts as the smallest numbers that are left.",
    )
    parser.add_argument("position")
    parser.add_argument("--player", choices=["A", "B"], help="this player's alone")
    parser.add_argument("--all", action="store_true", help="all paths of the same value")
    options = parser.parse_args(words)
    position = Otter.from_text(options.position)
    for player in AB:
        if options.player in (None, player):
            value, ties = position.best_paths(player)
            for path in ties if options.all else ties[:1]:
                print(f"{player}-path of value {value}: {' '.join(path)}\n{position.board(path)}\n")
    return 0


def shuffled(words: list[str]) -> int:
    """The command ``otter-random``: the text of a random board."""
    parser = Parser(prog="cgt-games otter-random", description="Print a random board.")
    parser.add_argument("--empty", type=int, default=0, help="how many cells stay empty (default 0)")
    parser.add_argument("--board", default="4x4", help="rows x columns (default 4x4)")
    parser.add_argument("--seed", type=int, help="for the same board again")
    options = parser.parse_args(words)
    size = re.fullmatch("([0-9]{1,3})x([0-9]{1,3})", options.board)
    if size is None:
        parser.error(f"--board is rows x columns, such as 4x4, not {options.board!r}")
    rng = random.Random(options.seed)
    print(Otter.random(rng, empty=options.empty, rows=int(size[1]), columns=int(size[2])).to_text())
    return 0


def move(words: list[str]) -> int:
    """The command ``otter-move``: the computer moves for whoever is to move."""
    from cgt_games.games.otter.player import OtterPlayer

    parser = Parser(prog="cgt-games otter-move", description="Play the computer's move and print the board after it.")
    parser.add_argument("position")
    parser.add_argument("--seconds", type=float, default=0.8, help="time for the search (default 0.8)")
    options = parser.parse_args(words)
    position = Otter.from_text(options.position)
    if position.is_terminal:
        raise CGTError(f"the game is over in {position.to_text()!r}")
    choice = OtterPlayer(options.seconds).explain(position)
    after = position.play(choice.move)
    print(f"{choice.move} ({choice.source})\n{after}\n{after.to_text()}")
    return 0
