"""The command ``demo``: real positions, solved while you look."""

from __future__ import annotations

import random
from collections.abc import Sequence
from textwrap import fill

from cgt_games.cli.arguments import Parser, whole_number
from cgt_games.cli.progress import announce_compiling, progress_bar
from cgt_games.engines import solve
from cgt_games.games.nim import Nim
from cgt_games.games.northcott import Northcott
from cgt_games.games.otter import Otter
from cgt_games.players import Chooser, PerfectPlayer, RandomPlayer, play_out
from cgt_games.position import Position
from cgt_games.solution import Solution

APP_SECONDS = 30
"""About how long the original Otter app takes on a phone for the last seven numbers."""


def demo_command(words: Sequence[str]) -> int:
    """``cgt-games demo [--seed NUMBER]``."""
    parser = Parser(prog="cgt-games demo", description="See real positions solved.")
    parser.add_argument("--seed", type=whole_number, help="repeat the demo that printed this seed")
    seed = parser.parse_args(words).seed
    if seed is None:
        seed = random.SystemRandom().randrange(10**6)
    generator = random.Random(seed)
    print(f"cgt-games demo --seed {seed} repeats this.")
    otter(generator)
    northcott(generator)
    nim()
    print("\nMore: cgt-games list, cgt-games rules otter, cgt-games --help")
    return 0


def title(text: str) -> None:
    """A headline."""
    print(f"\n{text}\n{'=' * len(text)}\n")


def solved(position: Position) -> Solution:
    """Solve a position and print it with the answer."""
    announce_compiling(type(position))
    type(position).warm_up()
    with progress_bar() as bar:
        solution = solve(position, progress=bar)
    print(f"{position}\ntext: {position.to_text()}\n\n{solution}")
    return solution


def otter(generator: random.Random) -> None:
    """A random board of Nimbler Otter with seven empty cells."""
    title("Nimbler Otter: a random board with seven numbers left to place")
    solution = solved(Otter.random(generator, empty=7))
    ratio = APP_SECONDS / solution.seconds
    print(f"\nEvery best move and the exact margin, {ratio:,.0f} times as fast as half a minute.")


def northcott(generator: random.Random) -> None:
    """A random game of Northcott, played by the perfect player from the winning side against a random one."""
    title("Northcott's game: a random start on 8 x 8")
    start = Northcott.random("medium", seed=generator)
    solution = solved(start)
    perfect, weak = PerfectPlayer(), RandomPlayer(generator.randrange(10**6))
    begins = solution.winner == start.to_move
    order: tuple[Chooser, Chooser] = (perfect, weak) if begins else (weak, perfect)
    record = play_out(start, *order)
    print(f"\nThe perfect player has the winning side, {solution.winner}, and a random player the other.")
    print(fill(" ".join(map(str, record.moves)), 100, initial_indent="  ", subsequent_indent="  "))
    print(f"After {len(record.moves)} moves {record.result} has won:\n\n{record.position}")


def nim() -> None:
    """The table game both ways."""
    for position, play in ((Nim(1, 3, 5, 7), "normal"), (Nim.standard(), "misère, as the table game is played")):
        title(f"Nim 1, 3, 5, 7: {play}")
        solved(position)
