"""The command ``match``: games between two of the library's players, and how sure the result is."""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cgt_games.cli.arguments import parse_words, read_start, whole_number
from cgt_games.cli.progress import announce_compiling
from cgt_games.command import Parser, UsageError
from cgt_games.players import (
    Chooser,
    Interrupted,
    Match,
    MonteCarloPlayer,
    PerfectPlayer,
    RandomPlayer,
    TimedPlayer,
    play_match,
)
from cgt_games.position import Player, Position
from cgt_games.record import Record
from cgt_games.solution import Limits

PLAYERS: dict[str, Callable[[float, int, str], Chooser]] = {
    "timed": lambda seconds, seed, name: TimedPlayer(Limits(seconds=seconds), seed, name),
    "monte-carlo": lambda seconds, seed, name: MonteCarloPlayer(seconds, seed=seed, name=name),
    "random": lambda seconds, seed, name: RandomPlayer(seed, name),
    "perfect": lambda seconds, seed, name: PerfectPlayer(name=name),
}
"""The players by name; each is made from its time for a move, a seed, and the name that records give it."""

SUMMARY = """Play a match between two players, who begin in turn, and say how often the first of them won, with the
interval in which its chance to win lies with a confidence of 95 % (Wilson's score). Without a position the game's usual
start is taken. Players: timed, the game's own player for limited time, or, in a game without one, perfect where it can
be solved in time; monte-carlo, tree search that knows nothing of the game; random; perfect, however long it takes."""


def match_command(words: Sequence[str]) -> int:
    """``cgt-games match GAME [POSITION] --players A B``."""

    def extend(parser: Parser) -> None:
        parser.add_argument(
            "--players",
            nargs=2,
            choices=PLAYERS,
            metavar=("A", "B"),
            required=True,
            help=f"each one of {', '.join(PLAYERS)}; A begins the first game",
        )
        parser.add_argument("--games", type=whole_number, default=10, help="number of games (default 10)")
        parser.add_argument("--seconds", type=float, default=1.0, help="each player's time for a move (default 1)")
        parser.add_argument("--seed", type=whole_number, help="decides what is left to chance, the start included")
        parser.add_argument("--record", metavar="DIR", help="save each game there, as game-1.json and so on")

    arguments = parse_words("match", SUMMARY, words, extend=extend, position_needed=False)
    if arguments.games < 1:
        raise UsageError(f"--games {arguments.games} must be at least 1")
    if not 0 <= arguments.seconds < math.inf:
        raise UsageError(f"--seconds {arguments.seconds} must be at least 0, and finite")
    seed = random.SystemRandom().randrange(10**6) if arguments.seed is None else arguments.seed
    start = read_start("match", arguments.request, seed)
    if start.winner is not None:
        raise UsageError(f"there is nothing to play: the game is over in {start.to_text()!r}")
    if start.sides_may_swap:
        raise UsageError("in a match the players keep their sides: play without the pie rule, or from after the swap")
    paths = _paths(arguments.record, arguments.games)
    kinds = arguments.players
    # Two of a kind must not draw the same numbers, and their records should tell them apart.
    names = kinds if kinds[0] != kinds[1] else [f"{kinds[0]} {number}" for number in (1, 2)]
    first, second = (PLAYERS[kinds[i]](arguments.seconds, seed + i, names[i]) for i in (0, 1))
    announce_compiling(type(start))
    type(start).warm_up()  # compiling is not to be in the first player's time
    games, wins, began = 0, 0, time.perf_counter()

    def after_game(record: Record) -> None:
        nonlocal games, wins
        winner = dict(record.names).get(record.result) if isinstance(record.result, Player) else None
        games, wins = games + 1, wins + (winner == names[0])
        if paths:
            record.save(paths[games - 1])
        if not arguments.json:
            how = "a draw" if winner is None else f"won by {winner}"
            print(f"game {games}: {how} in {len(record.moves)} moves; {names[0]} {wins}", flush=True)

    try:
        match = play_match(start, first, second, arguments.games, after_game=after_game)
    except Interrupted:
        raise KeyboardInterrupt from None
    took = time.perf_counter() - began
    if arguments.json:
        print(json.dumps(_described(start, kinds, match, arguments.seconds, seed)))
    else:
        print(f"{names[0]} against {names[1]}: {match}, {took:.0f} s, seed {seed}")
    return 0


def _paths(directory: str | None, games: int) -> list[Path]:
    """Where the records go; no file is written over."""
    if directory is None:
        return []
    paths = [Path(directory) / f"game-{number}.json" for number in range(1, games + 1)]
    for path in paths:
        if path.exists():
            raise UsageError(f"{path} exists already; choose another directory for --record")
    paths[0].parent.mkdir(parents=True, exist_ok=True)
    return paths


def _described(start: Position, kinds: Sequence[str], match: Match, seconds: float, seed: int) -> dict[str, Any]:
    """The result as the fields of JSON output."""
    low, high = match.interval
    return {
        "game": start.name,
        "position": start.to_text(),
        "to_move": str(start.to_move),
        **start.rules(),
        "players": list(kinds),
        "seconds": seconds,
        "seed": seed,
        "games": match.games,
        "wins": match.wins,
        "draws": match.draws,
        "interval": [round(low, 4), round(high, 4)],
    }
