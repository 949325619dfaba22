"""The command ``cgt-games table road-works``."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from cgt_games.command import Parser
from cgt_games.games.road_works.city import MAX_COLUMNS
from cgt_games.games.road_works.ladders import ladder_values, second_player_wins
from cgt_games.games.road_works.live import MAX_CROSSINGS
from cgt_games.games.road_works.table import Start, sizes_up_to, solve_kept, table
from cgt_games.solution import Limits, Progress, Search


def main(words: list[str]) -> int:
    """``cgt-games table road-works``: print the table; exit status 0, or 1 if a limit left an entry open."""
    parser = Parser(
        prog="cgt-games table road-works", description="Grundy values, winners and winning first moves of all starts."
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--max", type=_size, metavar="MxN", help="all cities of at most M columns and N rows of blocks")
    what.add_argument("--only", type=_size, metavar="MxN", help="this city alone")
    what.add_argument("--ladders", type=_count, metavar="N", help="1x1 to 1xN with collapse, by the octal game 0.37")
    parser.add_argument("--collapse", action=argparse.BooleanOptionalAction, help="one rule alone (default: both)")
    parser.add_argument("--crossings", type=_count, default=MAX_CROSSINGS, help="leave out larger cities (at most 64)")
    parser.add_argument("--winner-only", action="store_true", help="the winner, and one winning move")
    parser.add_argument("--seconds", type=float, help="time for each city")
    parser.add_argument(
        "--keep", type=Path, metavar="FILE", help="with --only: keep the search in this file, and go on from it"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    wanted = parser.parse_args(words)
    if wanted.keep and not (wanted.only and wanted.collapse):
        parser.error("--keep needs --only and --collapse")
    if wanted.ladders:
        return _print_ladders(wanted.ladders, wanted.json)
    if wanted.only and (wanted.only[0] + 1) * (wanted.only[1] + 1) > MAX_CROSSINGS:
        parser.error(f"{wanted.only[0]}x{wanted.only[1]} has more than {MAX_CROSSINGS} crossings")
    columns, rows = wanted.only or wanted.max
    limits = Limits(seconds=wanted.seconds)
    rules = (False, True) if wanted.collapse is None else (wanted.collapse,)
    with _Bar() as bar:
        if wanted.keep:
            search = Search(limits, bar.show, wanted.winner_only)
            starts: Iterator[Start] = iter([solve_kept(columns, rows, True, search, wanted.keep)])
        else:
            sizes = (
                [(columns, rows)] if wanted.only else sizes_up_to(columns, rows, min(wanted.crossings, MAX_CROSSINGS))
            )
            starts = table(sizes, rules, limits=limits, winner_only=wanted.winner_only, progress=bar.show)
        complete = True
        if not wanted.json:
            print(f"{'city':<7}{'collapse':<10}{'grundy':<8}{'winner':<8}{'seconds':>9}  how; winning first moves")
        for start in starts:
            complete &= "stopped" not in start.how
            print(json.dumps(asdict(start)) if wanted.json else _line(start), flush=True)
            if start.how.endswith("(interrupt)"):
                return 130
    return 0 if complete else 1


class _Bar:
    """A progress bar on stderr, where that is a terminal."""

    def __enter__(self) -> _Bar:
        from tqdm import tqdm

        self._bar = tqdm(unit=" positions", disable=None, leave=False, mininterval=0.5)
        return self

    def show(self, progress: Progress) -> None:
        self._bar.set_postfix_str(progress.note, refresh=False)
        self._bar.update(max(0, progress.nodes - self._bar.n))

    def __exit__(self, *_: object) -> None:
        self._bar.close()


def _line(start: Start) -> str:
    def shown(value: object) -> str:
        return "?" if value is None else str(value)

    moves = "?" if start.winning_moves is None else " ".join(start.winning_moves) or "none"
    rule = "yes" if start.collapse else "no"
    return (
        f"{start.size:<7}{rule:<10}{shown(start.grundy):<8}{shown(start.winner):<8}{start.seconds:>9.3f}  "
        f"{start.how}; {moves}"
    )


def _print_ladders(most: int, as_json: bool) -> int:
    values, zeros = ladder_values(most), second_player_wins(most)
    if as_json:
        print(
            json.dumps({"ladders": most, "collapse": True, "how": "octal game 0.37", "zeros": zeros, "values": values})
        )
        return 0
    print(f"1x1 to 1x{most} with collapse, by the octal game 0.37; largest value {max(values)}")
    print(f"the second player wins (Grundy value 0) for n = {' '.join(map(str, zeros)) or 'none'}")
    print(f"the values from n = 0 on: {' '.join(map(str, values[:100]))}{' ...' if most >= 100 else ''}")
    return 0


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,3})x([0-9]{1,3})", text)
    if match is None or not 1 <= int(match[1]) < MAX_COLUMNS or int(match[2]) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write columns x rows of blocks, such as 4x4")
    return int(match[1]), int(match[2])


def _count(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", text) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no count from 1 on")
    return int(text)
