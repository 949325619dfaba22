"""An opening book for level 4, where the first answers would take seconds.

It holds the Grundy value and the winning closings of every position after at most two closings, found by the same
search that answers everything else (``python -m cgt_games.games.road_works.book`` writes it anew). Positions that
symmetry makes alike share an entry.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from cgt_games.games.road_works.city import City
from cgt_games.games.road_works.rules import RoadWorks
from cgt_games.games.road_works.solver import Blocks, Options
from cgt_games.position import Turn
from cgt_games.solution import Search
from cgt_games.symmetry import Symmetry

FILE = "book.json"
SIZE = (5, 5)


DEPTH = 2
"""Closings after which the book ends."""

Entry = tuple[int, tuple[str, ...]]


@cache
def entries() -> dict[str, Entry]:
    """The book: closings, in the city's order, to the Grundy value and the winning closings after them."""
    text = files("cgt_games.games.road_works").joinpath(FILE).read_text("utf-8")
    return {name: (value, tuple(moves.split())) for name, (value, moves) in json.loads(text).items()}


def look_up(position: RoadWorks) -> Entry | None:
    """The Grundy value and the winning closings of a position in the book; None for any other."""
    if position.city.size != SIZE or not position.collapse or len(position.closings) > DEPTH:
        return None
    name, symmetry = _name(position)
    if (entry := entries().get(name)) is None:
        return None
    back = symmetry.inverse
    moves = {position.transform_move(move, back) for move in entry[1]}
    return entry[0], tuple(move for move in position.legal_moves if move in moves)


def _name(position: RoadWorks) -> tuple[str, Symmetry]:
    """What all positions that symmetry makes alike are called in the book, and the symmetry to the one meant."""
    city = position.city
    numbers = [city.numbers[move] for move in position.closings]
    images = [(sorted(symmetry.images[i] for i in numbers), symmetry) for symmetry in position.symmetries()]
    least, symmetry = min(images, key=lambda image: image[0])
    return " ".join(city.names[i] for i in least), symmetry


def make() -> dict[str, Entry]:
    """All entries by search. About half a minute."""
    start = RoadWorks(City.grid(*SIZE), True)
    blocks = Blocks(start.city, True)
    blocks.find_all(start.in_play, Search())
    found: dict[str, Entry] = {}
    ahead = [start]
    for position in ahead:  # grows as positions are found
        name, symmetry = _name(position)
        if name in found:
            continue
        value = blocks.value(position.in_play, Search())
        options = Options(position, blocks)
        options.look_for_zeros(Search())
        moves = [position.transform_move(move, symmetry) for move, zero in options.is_zero.items() if zero]
        found[name] = value, tuple(sorted(moves, key=start.city.numbers.__getitem__))
        if len(position.closings) < DEPTH:
            ahead += position.options(Turn.FIRST)
    return found


if __name__ == "__main__":
    from pathlib import Path

    lines = [f"{json.dumps(name)}: {json.dumps([value, ' '.join(moves)])}" for name, (value, moves) in make().items()]
    Path(__file__).with_name(FILE).write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
