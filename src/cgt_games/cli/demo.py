"""The command ``demo``: real positions, solved while you look. What there is to see, each game declares."""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import fill

from cgt_games.cli.arguments import whole_number
from cgt_games.cli.progress import announce_compiling, progress_bar
from cgt_games.command import Parser, UsageError
from cgt_games.engines import solve
from cgt_games.players import Chooser, PerfectPlayer, RandomPlayer, play_out
from cgt_games.position import Move, Position
from cgt_games.registry import game, game_names, load
from cgt_games.showcase import Scene
from cgt_games.solution import Limits, Solution

WIDTH = 100
MOST_LISTED = 16
"""Of more moves than this the demo shows the first ones, and how many there are."""
MOST_MOVES = 300
"""A game of players that goes on for longer is left unfinished."""
SCENE_SECONDS = 20.0
"""No scene may keep the others waiting for longer; what is not proved by then is not said."""


def demo_command(words: Sequence[str]) -> int:
    """``cgt-games demo [GAME...] [--seed NUMBER]``."""
    parser = Parser(prog="cgt-games demo", description="See real positions solved.")
    parser.add_argument("games", nargs="*", metavar="GAME", help="these games alone")
    parser.add_argument("--seed", type=whole_number, help="repeat the demo that printed this seed")
    arguments = parser.parse_args(words)
    seed = random.SystemRandom().randrange(10**6) if arguments.seed is None else arguments.seed
    shown = {name: state_type for name in arguments.games or game_names() if (state_type := game(name)).showcase}
    if missing := [name for name in arguments.games if name not in shown]:
        raise UsageError(f"{missing[0]} has nothing to show in a demo; there are {', '.join(_with_showcase())}")
    print(" ".join(["cgt-games demo", *arguments.games, f"--seed {seed}"]) + " repeats this.")
    for name, state_type in shown.items():
        show_game(state_type, random.Random(f"{name} {seed}"))
    print(where_next(list(shown)))
    return 0


def _with_showcase() -> list[str]:
    return [name for name in game_names() if game(name).showcase]


def show_game(state_type: type[Position], generator: random.Random) -> None:
    """The scenes of one game. Its kernels are compiled before, so that the seconds shown are those of the search."""
    announce_compiling(state_type)
    state_type.warm_up()
    assert state_type.showcase is not None
    for scene in load(state_type.showcase)(generator):
        show_scene(scene, generator)
        sys.stdout.flush()


def show_scene(scene: Scene, generator: random.Random) -> None:
    """Solve the position of a scene and print it with the answer, and what follows from it."""
    print(f"\n{scene.title}\n{'=' * len(scene.title)}\n\n{scene.position}", flush=True)
    with progress_bar() as bar:
        solution = solve(
            scene.position, limits=Limits(seconds=SCENE_SECONDS), progress=bar, winner_only=scene.winner_only
        )
    if solution.stopped == "interrupt":
        raise KeyboardInterrupt
    print(f"text: {scene.position.to_text()}\n\n{shortened(solution)}")
    if scene.remark is not None and (remark := scene.remark(solution)):
        print("\n" + "\n".join(fill(line, WIDTH, break_on_hyphens=False) for line in remark.split("\n")))
    if scene.plays and solution.winner in tuple(scene.position.players):
        play(solution, RandomPlayer(generator.randrange(10**6)))


def shortened(solution: Solution) -> Solution:
    """The answer with long lists of moves cut short, for printing."""

    def cut(moves: tuple[Move, ...]) -> tuple[Move, ...]:
        return moves if len(moves) <= MOST_LISTED else (*moves[:MOST_LISTED], f"... ({len(moves)} moves)")

    return replace(
        solution,
        winning_moves=None if solution.winning_moves is None else cut(solution.winning_moves),
        best_moves=None if solution.best_moves is None else cut(solution.best_moves),
        principal_variation=cut(solution.principal_variation),
    )


def play(solution: Solution, weak: Chooser) -> None:
    """The perfect player, on the winning side, against another."""
    start, perfect = solution.position, PerfectPlayer()
    order: tuple[Chooser, Chooser] = (perfect, weak) if solution.winner == start.to_move else (weak, perfect)
    record = play_out(start, *order, most_moves=MOST_MOVES)
    print(f"\nNow a perfect player plays the winning side, {solution.winner}, and a random one the other:")
    print(fill(" ".join(map(str, record.moves)), WIDTH, initial_indent="  ", subsequent_indent="  "))
    print(f"\n{record.position.board()}\n")
    won = "it goes on" if record.result is None else f"{record.result} has won"
    print(f"After {len(record.moves)} moves {won}.")


def where_next(shown: Sequence[str]) -> str:
    """The end of the demo: what to try, with a command for each."""
    command, one, others = _command(), shown[-1], ", ".join(shown[:-1])
    lines = {
        f"play {one}": "play against the computer" + (f"; or {others}" if others else ""),
        f"rules {one}": "the rules in prose",
        "solve GAME POSITION": "who wins and how; the texts above are positions",
        "show GAME POSITION": "draw a position; --svg FILE makes a picture",
        "--help": "all commands",
    }
    width = max(map(len, lines))
    tried = [f"  {command} {words:<{width}}  {about}" for words, about in lines.items()]
    title = "Where to go next"
    text = "In Python: from cgt_games import solve"
    if (Path(__file__).resolve().parents[3] / "docs" / "tutorial.md").is_file():
        text += "; docs/tutorial.md begins there, and make docs builds the documentation"
    return "\n".join(["", title, "=" * len(title), "", *tried, "", f"{text}."])


def _command() -> str:
    """How to call this command here: by its name, or by its path where the shell would not find it."""
    if shutil.which("cgt-games"):
        return "cgt-games"
    beside = Path(sys.executable).with_name("cgt-games")
    return os.path.relpath(beside) if beside.exists() else f"{Path(sys.executable).name} -m cgt_games"
