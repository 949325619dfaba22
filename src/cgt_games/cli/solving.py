"""The commands ``solve`` and ``moves``, for one position or, with ``--batch``, for many."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from cgt_games.cli.arguments import parse_line, parse_words, read_request
from cgt_games.cli.progress import announce_compiling, progress_bar
from cgt_games.command import Parser, UsageError
from cgt_games.engines import ENGINES, solve
from cgt_games.position import CGTError, Rule
from cgt_games.solution import Limits, Solution

SOLVE_OPTIONS = (
    Rule("winner_only", bool, False, "find the winner alone, which can be far cheaper"),
    Rule("engine", str, None, "another engine than the game's own; reference: the plain rules", choices=ENGINES),
    Rule("seconds", float, None, "stop after this time, with what is proved by then"),
    Rule("nodes", int, None, "stop after expanding this many positions"),
    Rule("positions", int, None, "stop when the table holds this many positions"),
)

MOST_LISTED = 100_000
"""Of more moves than this, ``moves`` gives the number alone."""


def solve_command(words: Sequence[str]) -> int:
    """``cgt-games solve GAME POSITION`` and ``cgt-games solve --batch``."""
    arguments = parse_words("solve", "Solve a position exactly.", words, options=SOLVE_OPTIONS, extend=add_batch)
    if arguments.batch:
        return batch(solve_request, _for_all_lines(arguments.request, SOLVE_OPTIONS))
    fields, solution = solved(arguments.request)
    if arguments.json:
        print(json.dumps(fields))
    else:
        print(f"{solution.position}\n\n{solution}")
    return 130 if solution.stopped == "interrupt" else 0


def moves_command(words: Sequence[str]) -> int:
    """``cgt-games moves GAME POSITION`` and ``cgt-games moves --batch``."""
    arguments = parse_words("moves", "List the legal moves.", words, extend=add_batch)
    if arguments.batch:
        return batch(moves_request, _for_all_lines(arguments.request, ()))
    fields = moves_request(arguments.request)
    if arguments.json:
        print(json.dumps(fields))
        return 0
    for move in fields["moves"] or ():
        print(move)
    print(f"{fields['turns']} moves, {fields['results']} resulting positions")
    return 0


def add_batch(parser: Parser) -> None:
    """Give a command the flag ``--batch``."""
    parser.add_argument(
        "--batch",
        action="store_true",
        help="read requests from standard input, one JSON object a line with the options' long names as keys "
        "(winner_only), and print one line of JSON for each; blank lines are skipped, a bad line gives "
        '{"error": ...}',
    )


def solved(request: Mapping[str, Any]) -> tuple[dict[str, Any], Solution]:
    """The answer to a request to solve, as the fields of the JSON output and as it is."""
    position, options = read_request(request, SOLVE_OPTIONS)
    try:
        limits = Limits(options["nodes"], options["seconds"], options["positions"])
    except ValueError as error:
        raise UsageError(str(error)) from None
    engine = options["engine"]
    if engine is None:
        announce_compiling(type(position))
    with progress_bar() as bar:
        solution = solve(position, limits=limits, progress=bar, engine=engine, winner_only=options["winner_only"])
    answers = solution.to_dict()
    fields = {name: value for name, value in request.items() if name not in answers}
    fields |= {name: value for name, value in position.rules().items() if value is not None}
    fields |= {"position": position.to_text(), **answers}
    if position.is_terminal:
        fields["value"] = None
    return fields, solution


def solve_request(request: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to one line of ``solve --batch``; Ctrl-C ends the batch, for the next line would run as
    long."""
    fields, solution = solved(request)
    if solution.stopped == "interrupt":
        raise KeyboardInterrupt
    return fields


def moves_request(request: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to one line of ``moves --batch``."""
    position, _ = read_request(request)
    legal = position.legal_moves
    turns = legal.count
    return {
        "moves": [str(move) for move in legal] if turns <= MOST_LISTED else None,
        "turns": turns,
        "results": position.count_results(position.to_move),
    }


def batch(
    answer: Callable[[Mapping[str, Any]], Mapping[str, Any]],
    for_all: Mapping[str, Any],
    lines: Iterable[bytes] | None = None,
) -> int:
    """Answer each line of JSON by one line of JSON, in order; a line's own options go before those
    ``for_all``.

    Returns the exit status: 1 if a line was bad, which its answer then says.
    """
    if lines is None:
        if sys.stdin is None:
            raise UsageError("--batch reads standard input, but there is none")
        lines = sys.stdin.buffer
    status = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            request = parse_line(line)
            reply = answer(request | {name: value for name, value in for_all.items() if name not in request})
        except CGTError as error:
            reply = {"error": " ".join(str(error).split()), "line": number}
            status = 1
        print(json.dumps(reply), flush=True)
    return status


def _for_all_lines(request: Mapping[str, Any], options: Sequence[Rule]) -> dict[str, Any]:
    """The options on the command line of a batch; a game or position there would be ignored, and is
    refused."""
    names = {option.name for option in options}
    if extra := [name for name in request if name not in names]:
        raise UsageError(f"{extra[0]!r} belongs into the lines of a batch, not on its command line")
    return dict(request)
