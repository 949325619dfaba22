"""The command ``cgt-games``.

:func:`main` finds the command and turns every foreseen failure into one line on stderr and an exit status:
2 for bad arguments, 1 if lines of a batch were bad, 130 after Ctrl-C. ``cgt-games --help`` lists the
commands.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from cgt_games.command import UsageError
from cgt_games.position import CGTError
from cgt_games.registry import game, game_names, load

COMMANDS = {
    "solve": ("cgt_games.cli.solving:solve_command", "solve a position, or many with --batch"),
    "moves": ("cgt_games.cli.solving:moves_command", "list or count the legal moves"),
    "after": ("cgt_games.cli.playing:after_command", "play moves and print the position"),
    "perft": ("cgt_games.cli.playing:perft_command", "count the sequences of a number of turns"),
    "show": ("cgt_games.cli.playing:show_command", "draw a position in characters, or as SVG"),
    "play": ("cgt_games.cli.play:play_command", "play against the computer, or by two"),
    "match": ("cgt_games.cli.match:match_command", "let two players play a number of games"),
    "replay": ("cgt_games.cli.playing:replay_command", "check a saved game and print it move by move"),
    "rules": ("cgt_games.cli.house:rules_command", "print the rules of a game"),
    "list": ("cgt_games.cli.house:list_command", "list the games and their options"),
    "warm-up": ("cgt_games.cli.house:warm_up_command", "compile the kernels, once per installation"),
    "bench": ("cgt_games.cli.house:bench_command", "run the benchmarks of the repository"),
    "demo": ("cgt_games.cli.demo:demo_command", "see real positions solved"),
}
"""The built-in commands: name to ``"module:function"`` and a summary; the function takes the words that
follow."""


def main(words: Sequence[str] | None = None) -> int:
    """Run a command line (default: the process's own) and return the exit status."""
    words = list(sys.argv[1:] if words is None else words)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # an old terminal is no reason to fail
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)  # a Nim heap may be longer than the 4,300 digits that Python reads by default
    try:
        status = run(words)
        if sys.stdout is not None:  # None where the process was started with it closed
            sys.stdout.flush()
        return status
    except CGTError as error:
        return fail(str(error))
    except BrokenPipeError:
        # The reader has gone. Python would complain again when it flushes stdout at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        return fail(f"{error.filename or 'input or output'}: {error.strerror or error}")
    except KeyboardInterrupt:
        return fail("interrupted", 130)
    finally:
        sys.set_int_max_str_digits(digits)


def run(words: list[str]) -> int:
    """Find the command and call it."""
    if not words:
        raise UsageError("a command is needed (see cgt-games --help)")
    name, *rest = words
    if name in ("-h", "--help", "help"):
        print(overview())
        return 0
    if name == "--version":
        from cgt_games import __version__

        print(f"cgt-games {__version__}")
        return 0
    if name in COMMANDS:
        return int(load(COMMANDS[name][0])(rest))
    return run_games_command(name, rest)


def run_games_command(name: str, words: list[str]) -> int:
    """A command that games declare, with the next word choosing the game if several do."""
    names = game_names()
    if words and words[0] in names and name in (commands := game(words[0]).commands):
        return int(load(commands[name])(words[1:]))
    for candidate in names:
        if name in (commands := game(candidate).commands):
            return int(load(commands[name])(words))
    raise UsageError(f"there is no command {name!r} (see cgt-games --help)")


def overview() -> str:
    """The text of ``--help``."""
    lines = ["usage: cgt-games COMMAND ...", "", "Combinatorial games, solved exactly.", ""]
    lines += [f"  {name:<10} {summary}" for name, (_, summary) in COMMANDS.items()]
    for name in game_names():
        if commands := game(name).commands:
            lines.append(f"  of {name}: {', '.join(commands)}")
    return "\n".join([*lines, "", "cgt-games COMMAND --help says more of each."])


def fail(message: str, status: int = 2) -> int:
    """Say what is wrong in one line on stderr."""
    if sys.stderr is not None:
        print(f"cgt-games: {' '.join(message.split())}", file=sys.stderr)
    return status
