"""The command ``cgt-games explain road-works``: why a position is won or lost, or what a closing does."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import Any

from cgt_games.command import Parser
from cgt_games.games.road_works.explain import Explanation, MoveExplanation, explain, explain_move, hints
from cgt_games.games.road_works.rules import RoadWorks
from cgt_games.position import InvalidPosition


def main(words: list[str]) -> int:
    """Print the explanation; exit status 0."""
    parser = Parser(
        prog="cgt-games explain road-works", description="The blocks of a position, or what a closing does."
    )
    parser.add_argument("position", help="such as 3x3/a3,d2")
    parser.add_argument("move", nargs="?", help="a closing to explain")
    parser.add_argument("--collapse", action=argparse.BooleanOptionalAction, help="dead ends fall (default: no)")
    parser.add_argument("--level", type=int, help="1 to 4: a level of the original")
    parser.add_argument("--hints", action="store_true", help="for each closing whether it wins, and what falls")
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    wanted = parser.parse_args(words)
    position = RoadWorks.from_text(wanted.position, collapse=wanted.collapse, level=wanted.level)
    if wanted.hints:
        told = hints(position)
        if wanted.json:
            print(json.dumps([asdict(hint) for hint in told]))
            return 0
        for hint in told:
            verdict = "wins" if hint.wins else "loses at once" if hint.cuts else "does not win"
            print(f"{hint.move:<5}{verdict:<15}{'falls: ' if hint.falls else ''}{' '.join(hint.falls)}".rstrip())
        return 0
    if position.is_cut:
        raise InvalidPosition(f"{wanted.position!r} is over, so it is no sum of blocks")
    found = explain(position) if wanted.move is None else explain_move(position, wanted.move)
    print(json.dumps(as_data(found)) if wanted.json else found)
    return 0


def as_data(found: Explanation | MoveExplanation) -> dict[str, Any]:
    """The explanation as plain values."""
    if isinstance(found, MoveExplanation):
        after = None if found.after is None else as_data(found.after)
        return {"move": found.move, "wins": found.wins, "cuts": found.cuts, "falls": found.falls, "after": after}
    blocks = [
        {"crossings": b.crossings, "ends": b.ends, "value": b.value, "shape": b.shape.to_text()} for b in found.blocks
    ]
    return {"position": found.position.to_text(), "value": found.value, "blocks": blocks, "idle": found.idle}
