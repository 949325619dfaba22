"""Results of Slither that take a while: the winner of every first placement, and exhaustive facts of the rules.

``cgt-games slither-results`` and ``cgt-games slither-facts`` print them, one line of JSON each, and with ``--out FILE``
write them to a file as well. A board that the file has already is left out, so an interrupted run goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cgt_games.games.slither.board import board_of
from cgt_games.games.slither.census import count_legal
from cgt_games.games.slither.rules import Colour, Slither
from cgt_games.solution import Limits, Search
from cgt_games.symmetry import move_orbits

VARIANTS = ("classic", "advanced")


def results_command(words: Sequence[str]) -> int:
    """``cgt-games slither-results``: who wins after each first placement."""
    parser = argparse.ArgumentParser(prog="cgt-games slither-results", description="Winners of all first placements.")
    parser.add_argument("--points", type=int, default=16, help="boards of at most so many points, 2 to 8 each side")
    parser.add_argument("--sizes", nargs="*", metavar="NxM", help="these boards instead, such as 4x5 (rows x columns)")
    parser.add_argument("--variant", choices=VARIANTS, help="one variant alone")
    parser.add_argument("--seconds", type=float, help="give up a placement after this time, and say so")
    parser.add_argument("--out", type=Path, help="append to this file")
    arguments = parser.parse_args(words)
    every = [(n, m) for n in range(2, 9) for m in range(2, 9) if n * m <= arguments.points]
    sizes = [_size(parser, text) for text in arguments.sizes] if arguments.sizes else every
    variants = (arguments.variant,) if arguments.variant else VARIANTS
    todo = [
        (rows, columns, variant) for rows, columns in sorted(sizes, key=lambda s: s[0] * s[1]) for variant in variants
    ]
    done = {(line["rows"], line["columns"], line["variant"]) for line in _lines(arguments.out)}
    for size in todo:
        if size not in done:
            _report(first_placements(*size, seconds=arguments.seconds), arguments.out)
    return 0


def facts_command(words: Sequence[str]) -> int:
    """``cgt-games slither-facts``: exhaustive facts, and the whole of 4 x 4 judged backwards."""
    parser = argparse.ArgumentParser(prog="cgt-games slither-facts", description="Exhaustive facts of the rules.")
    parser.add_argument("--side", type=int, default=4, choices=(2, 3, 4, 5), help="square boards up to this side")
    parser.add_argument("--out", type=Path, help="append to this file")
    arguments = parser.parse_args(words)
    done = {(line["fact"], line["side"], line.get("variant")) for line in _lines(arguments.out)}
    for fact in facts(arguments.side, done):
        _report(fact, arguments.out)
    return 0


def _size(parser: argparse.ArgumentParser, text: str) -> tuple[int, int]:
    rows, times, columns = text.partition("x")
    if not (times and rows in "12345678" and columns in "12345678"):
        parser.error(f"{text!r} is no board of at most 8x8, rows x columns")
    return int(rows), int(columns)


def _lines(path: Path | None) -> list[dict[str, Any]]:
    if path is None or not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines()]


def _report(line: dict[str, Any], path: Path | None) -> None:
    text = json.dumps(line)
    print(text, flush=True)
    if path is not None:
        with path.open("a") as file:
            print(text, file=file)


def first_placements(rows: int, columns: int, variant: str, *, seconds: float | None = None) -> dict[str, Any]:
    """Who wins after each first placement, as rows of ``B`` and ``W`` from the top (``?``: given up).

    One placement of those alike under symmetry is searched; the table serves them all. ``winner`` is that of the empty
    board.
    """
    from cgt_games.games.slither.solver import Prover

    start, prover = Slither.empty(rows, columns, variant=variant), Prover(rows, columns, variant)
    signs = ["?"] * start.size
    began, nodes = time.perf_counter(), 0
    for orbit in move_orbits(start):
        search = Search(Limits(seconds=seconds))
        with search.guard():
            value = prover.value(start.play(orbit[0]), search)
            for turn in orbit:
                signs[start.grid.numbers[turn.place]] = "W" if value > 0 else "B"
        nodes += search.nodes
        if search.stopped == "interrupt":
            raise KeyboardInterrupt
    winner = "black" if "B" in signs else None if "?" in signs else "white"
    return {
        "rows": rows,
        "columns": columns,
        "variant": variant,
        "winner": winner,
        "first": ["".join(signs[r * columns : (r + 1) * columns]) for r in range(rows)],
        "nodes": nodes,
        "seconds": round(time.perf_counter() - began, 1),
    }


def facts(side: int, done: set[tuple[str, int, str | None]]) -> Iterator[dict[str, Any]]:
    """Facts of the square boards from 2 x 2 to ``side`` x ``side``, but those done already."""
    from cgt_games.games.slither.retrograde import full_boards

    for n in range(2, side + 1):
        if ("legal positions", n, None) not in done:
            yield {"fact": "legal positions", "side": n, "count": count_legal(board_of(n, n))}
        if ("full legal boards", n, None) not in done:
            count, one_winner = full_boards(n)
            assert count == count_legal(board_of(n, n), full=True)
            yield {"fact": "full legal boards", "side": n, "count": count, "with_exactly_one_winner": one_winner}
        for variant in VARIANTS:
            if n <= 4 and ("backward induction", n, variant) not in done:
                yield {"fact": "backward induction", "side": n, "variant": variant, **judged(n, variant)}


def judged(side: int, variant: str) -> dict[str, Any]:
    """All legal positions judged backwards, and the search held against it: first placements and random positions."""
    from cgt_games.games.slither.retrograde import Retrograde
    from cgt_games.games.slither.solver import Prover

    retrograde, prover, search = (
        Retrograde(side, side, advanced=variant == "advanced"),
        Prover(side, side, variant),
        Search(),
    )
    start, chance = Slither.empty(side, variant=variant), random.Random(side)
    positions = list(start.results(Colour.BLACK))
    first = [retrograde.black_wins(p.black, p.white, whites_turn=True) for p in positions]
    while len(positions) < 2000:
        position = start
        for _ in range(chance.randrange(side * side)):
            if not position.is_terminal:
                position = chance.choice(list(position.results(position.to_move)))
        if not position.is_terminal:
            positions.append(position)
    differ = 0
    for position in positions:
        wins = retrograde.black_wins(position.black, position.white, whites_turn=position.to_move is Colour.WHITE)
        differ += (prover.value(position, search) > 0) != (wins == (position.to_move is Colour.BLACK))
    return {
        **retrograde.counts(),
        "first_placements_black_wins": sum(first),
        "compared_with_search": len(positions),
        "differing": differ,
    }
