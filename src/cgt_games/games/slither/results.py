"""Results of Slither that take a while: the winner of every first placement, and exhaustive facts of the rules.

``cgt-games slither-results`` and ``cgt-games slither-facts`` print them, one line of JSON each, and with ``--out FILE``
write them to a file as well. A board that the file has already is left out, so an interrupted run goes on where it was.
"""

from __future__ import annotations

import json
import math
import random
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cgt_games.command import Parser
from cgt_games.games.slither.board import board_of
from cgt_games.games.slither.census import count_legal
from cgt_games.games.slither.rules import Colour, Slither, SlitherTurn
from cgt_games.keep import Keeper
from cgt_games.position import CGTError
from cgt_games.solution import Limits, Progress, Search
from cgt_games.symmetry import move_orbits

if TYPE_CHECKING:
    from cgt_games.games.slither.solver import Prover

VARIANTS = ("classic", "advanced")


def results_command(words: Sequence[str]) -> int:
    """``cgt-games slither-results``: who wins after each first placement."""
    from cgt_games.games.slither.solver import Prover

    parser = Parser(prog="cgt-games slither-results", description="Winners of all first placements.")
    parser.add_argument("--points", type=int, default=16, help="boards of at most so many points, 2 to 8 each side")
    parser.add_argument("--sizes", nargs="*", metavar="NxM", help="these boards instead, such as 4x5 (rows x columns)")
    parser.add_argument("--variant", choices=VARIANTS, help="one variant alone")
    parser.add_argument("--seconds", type=float, help="give up a placement after this time, and say so")
    parser.add_argument("--memory", type=float, default=1, help="GB for the table of a board (default 1)")
    parser.add_argument(
        "--keep", type=Path, metavar="FILE", help="with one board and variant: keep the search here, and go on from it"
    )
    parser.add_argument("--games", type=int, default=0, help="play so many games on each board to check the winners")
    parser.add_argument("--out", type=Path, help="append to this file")
    arguments = parser.parse_args(words)
    if arguments.games < 0:
        parser.error(f"--games {arguments.games} is not 0 or more")
    if not 0.001 <= arguments.memory <= 1000:
        parser.error(f"--memory {arguments.memory} is not from 0.001 to 1000 GB")
    every = [(n, m) for n in range(2, 9) for m in range(2, 9) if n * m <= arguments.points]
    sizes = [_size(parser, text) for text in arguments.sizes] if arguments.sizes else every
    variants = (arguments.variant,) if arguments.variant else VARIANTS
    todo = [
        (rows, columns, variant) for rows, columns in sorted(sizes, key=lambda s: s[0] * s[1]) for variant in variants
    ]
    if arguments.keep and len(todo) != 1:
        parser.error("--keep needs one board, by --sizes, and one --variant")
    known = _lines(arguments.out, rows=int, columns=int, variant=str, first=list)
    # A placement that was given up is no result: such a board is taken up again.
    done = {(line["rows"], line["columns"], line["variant"]) for line in known if "?" not in "".join(line["first"])}
    for rows, columns, variant in todo:
        if (rows, columns, variant) not in done:
            prover = Prover(rows, columns, variant, most_rows=rows_in(arguments.memory))
            line = first_placements(prover, seconds=arguments.seconds, keep=arguments.keep, say=_say)
            if arguments.games and line["winner"]:
                line |= checked(prover, line["first"], arguments.games)
            _report(line, arguments.out)
    return 0


def facts_command(words: Sequence[str]) -> int:
    """``cgt-games slither-facts``: exhaustive facts, and the whole of 4 x 4 judged backwards."""
    parser = Parser(prog="cgt-games slither-facts", description="Exhaustive facts of the rules.")
    parser.add_argument("--side", type=int, default=4, choices=(2, 3, 4, 5), help="square boards up to this side")
    parser.add_argument("--out", type=Path, help="append to this file")
    arguments = parser.parse_args(words)
    done = {(line["fact"], line["side"], line.get("variant")) for line in _lines(arguments.out, fact=str, side=int)}
    for fact in facts(arguments.side, done):
        _report(fact, arguments.out)
    return 0


def _size(parser: Parser, text: str) -> tuple[int, int]:
    if (match := re.fullmatch("([1-8])x([1-8])", text)) is None:
        parser.error(f"{text!r} is no board of at most 8x8, rows x columns")
    return int(match[1]), int(match[2])


def _lines(path: Path | None, **keys: type) -> list[dict[str, Any]]:
    """What a file of results holds, one object a line with values of these kinds; it is made if there is none.

    Raises CGTError for a line that is no result, OSError for a file that cannot be written.
    """
    if path is None:
        return []
    with path.open("ab+") as file:
        file.seek(0)
        text = file.read()
        if text and not text.endswith(b"\n"):
            file.write(b"\n")  # or the next result would be glued to the last line
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            result = json.loads(line)
            is_result = isinstance(result, dict) and all(
                isinstance(result.get(key), kind) for key, kind in keys.items()
            )
            is_result = is_result and all(isinstance(row, str) for row in result.get("first", ()))
        except ValueError:
            is_result = False
        if is_result:
            found.append(result)
        else:
            raise CGTError(f"{path}: line {number} is no result of this command; mend or remove it")
    return found


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _report(line: dict[str, Any], path: Path | None) -> None:
    text = json.dumps(line)
    print(text, flush=True)
    if path is not None:
        with path.open("a") as file:
            print(text, file=file)


def rows_in(gigabytes: float) -> int:
    """How many rows of 32 bytes a table may have, a power of two; while it grows it needs a quarter more."""
    return 1 << int(math.log2(gigabytes * 1e9 / 32 / 1.25))


def first_placements(
    prover: Prover,
    *,
    seconds: float | None = None,
    keep: Path | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> dict[str, Any]:
    """Who wins after each first placement, as rows of ``B`` and ``W`` from the top (``?``: given up).

    One placement of those alike under symmetry is searched; the table serves them all. ``winner`` is that of the empty
    board. ``seconds`` bounds each search. The table is read from the file ``keep`` if there is one, and written there
    every ten minutes and at the end, so that what was killed goes on from there; ``say`` is told of each placement, and
    once a minute how far the search is. Raises KeyboardInterrupt after Ctrl-C, with all saved, InvalidTable for another
    file and CGTError for one that is too large for the prover's table.
    """
    rows, columns, variant = prover.rows, prover.columns, prover.variant
    start, signs = Slither.empty(rows, columns, variant=variant), ["?"] * (rows * columns)
    keeper, spoken = None, time.perf_counter()
    if keep is not None:
        if keep.exists():
            if left_out := prover.load(keep):
                raise CGTError(f"{keep} holds {left_out:,} positions too many for this --memory; give more")
            say(f"{keep}: {prover.positions:,} positions")
        keeper = Keeper(keep, prover.save)

    def from_the_centre(orbit: Sequence[SlitherTurn]) -> int:
        row, column = divmod(start.grid.numbers[orbit[0].place], columns)
        return (2 * row - rows + 1) ** 2 + (2 * column - columns + 1) ** 2

    def progress(now: Progress) -> None:
        nonlocal spoken
        if time.perf_counter() - spoken > 60:
            say(f"{orbit[0]}: {nodes + now.nodes:,} nodes, {now.seconds:.0f} s, {now.note}")
            spoken = time.perf_counter()
        if keeper is not None:
            keeper(now)

    began, nodes = time.perf_counter(), 0
    try:
        for orbit in sorted(move_orbits(start), key=from_the_centre):  # the middle is decided soonest, corners last
            search = Search(Limits(seconds=seconds), progress)
            with search.guard(), search.listening():
                value = prover.value(start.play(orbit[0]), search)
                for turn in orbit:
                    signs[start.grid.numbers[turn.place]] = "W" if value > 0 else "B"
            nodes += search.nodes
            if search.stopped == "interrupt":
                raise KeyboardInterrupt
            sign = signs[start.grid.numbers[orbit[0].place]]
            say(f"{orbit[0]}: {sign}, {search.nodes:,} nodes, {search.seconds:.1f} s")
    finally:
        if keeper is not None:
            keeper.save()
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


def checked(prover: Prover, first: Sequence[str], games: int, seed: int = 1) -> dict[str, int]:
    """Play games that begin with a first placement by chance, and see whether the winner found for it connects.

    The winner's turns are the search's. The loser's are by chance among those that do not lose at once, or, one in
    five, those the search had to work most for. In half of the games a position with at most nine empty points is
    given to plain search. Returns the numbers of games and of such endings, and of those that turned out otherwise.
    """
    from cgt_games.engines import solve

    start, chance, search = (
        Slither.empty(prover.rows, prover.columns, variant=prover.variant),
        random.Random(seed),
        Search(),
    )
    endings = otherwise = 0
    for number in range(games):
        place = chance.choice([p for p in range(start.size) if first[p // prover.columns][p % prover.columns] != "?"])
        winner = Colour.BLACK if first[place // prover.columns][place % prover.columns] == "B" else Colour.WHITE
        position, is_compared = start.play(start.grid.names[place]), number % 2 == 0
        while not position.is_terminal:
            if position.to_move is winner:
                after = prover.choose(position, search)
                assert after is not None
            else:
                results = list(position.results(position.to_move))
                lasting = [result for result in results if not prover.can_connect(result)] or results
                hardest = chance.randrange(5) == 0
                after = max(lasting, key=lambda p: prover.known(p)[2]) if hardest else chance.choice(lasting)
            position = after
            if not is_compared and not position.is_terminal and position.empties.bit_count() <= 9:
                plain = solve(position, engine="reference", winner_only=True)
                if plain.stopped:
                    raise KeyboardInterrupt
                is_compared, endings = True, endings + 1
                otherwise += plain.winner != winner
        otherwise += position.connected is not winner
    return {"games": games, "endings": endings, "otherwise": otherwise}


def facts(side: int, done: set[tuple[str, int, str | None]]) -> Iterator[dict[str, Any]]:
    """Facts of the square boards from 2 x 2 to ``side`` x ``side``, but those done already."""
    from cgt_games.games.slither.retrograde import full_boards
    from cgt_games.games.slither.stuck import count_stuck

    for n in range(2, side + 1):
        if ("legal positions", n, None) not in done:
            yield {"fact": "legal positions", "side": n, "count": count_legal(board_of(n, n))}
        if ("full legal boards", n, None) not in done:
            count, one_winner = full_boards(n)
            assert count == count_legal(board_of(n, n), full=True)
            yield {"fact": "full legal boards", "side": n, "count": count, "with_exactly_one_winner": one_winner}
        if ("no turn", n, None) not in done:
            black, neither = count_stuck(n, n, both=False), count_stuck(n, n, both=True)
            yield {
                "fact": "no turn",
                "side": n,
                "neither_has_a_plain_placement": neither.blocked,
                **{f"{variant}_black": getattr(black, variant) for variant in VARIANTS},
                **{f"{variant}_neither": getattr(neither, variant) for variant in VARIANTS},
            }
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
