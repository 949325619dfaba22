"""The commands about the games and the installation: ``rules``, ``list``, ``warm-up`` and ``bench``."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from inspect import cleandoc
from pathlib import Path

from cgt_games.cli.progress import announce_compiling
from cgt_games.command import Parser, UsageError
from cgt_games.position import Position, Rule
from cgt_games.registry import game, game_names
from cgt_games.session import plain_text, rules_text


def rules_command(words: Sequence[str]) -> int:
    """``cgt-games rules GAME``: the text that the game's module opens with."""
    parser = Parser(prog="cgt-games rules", description="Print the rules of a game.")
    parser.add_argument("game", help="name of a game, as in cgt-games list")
    state_type = game(parser.parse_args(words).game)
    print(rules_text(state_type))
    return 0


def list_command(words: Sequence[str]) -> int:
    """``cgt-games list``: each game with a line on what it is, and its options."""
    parser = Parser(prog="cgt-games list", description="List the games and their options.")
    parser.add_argument("--json", action="store_true", help="print one line of JSON for each game")
    arguments = parser.parse_args(words)
    for name in game_names():
        state_type = game(name)
        about = _about(state_type)
        if arguments.json:
            options = {rule.name: rule.default for rule in state_type.rule_options}
            print(json.dumps({"game": name, "about": about, "options": options}))
            continue
        print(f"{name:<12} {about}")
        for rule in state_type.rule_options:
            print(f"{'':<12} {_flag(rule)}: {rule.help}")
    return 0


def _about(state_type: type[Position]) -> str:
    return plain_text(cleandoc(state_type.__doc__ or "").partition("\n")[0])


def _flag(rule: Rule) -> str:
    name = rule.name.replace("_", "-")
    if rule.kind is bool:
        return f"--[no-]{name}"
    return f"--{name} {'|'.join(rule.choices) or rule.kind.__name__}"


def warm_up_command(words: Sequence[str]) -> int:
    """``cgt-games warm-up [GAME...]``: have each game compile its kernels."""
    parser = Parser(prog="cgt-games warm-up", description="Compile the kernels, so that later starts are quick.")
    parser.add_argument("games", nargs="*", metavar="GAME", help="names of games; default: all")
    for name in parser.parse_args(words).games or game_names():
        state_type = game(name)
        announce_compiling(state_type)
        started = time.perf_counter()
        state_type.warm_up()
        print(f"{name:<12} {time.perf_counter() - started:6.2f} s", flush=True)
    return 0


def bench_command(words: Sequence[str]) -> int:
    """``cgt-games bench [WORD...]``: run ``benchmarks/run.py`` of the repository that this package belongs
    to."""
    if {"-h", "--help"} & set(words):
        print("usage: cgt-games bench [WORD ...]\n\nRun benchmarks/run.py of the repository; the words are passed on.")
        return 0
    script = Path(__file__).resolve().parents[3] / "benchmarks" / "run.py"
    if not script.is_file():
        raise UsageError(
            "the benchmarks are in the repository, not in the installed package: clone it and call 'make bench' there"
        )
    return subprocess.run([sys.executable, str(script), *words], check=False).returncode
