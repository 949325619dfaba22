"""An opening book for level 4, where the first answers would take seconds.

It holds the Grundy value and the winning closings of the start and of every position after one closing, found by the
same search that answers everything else (``python -m cgt_games.games.road_works.book`` writes it anew). Positions that
symmetry makes alike share an entry.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from cgt_games.games.road_works.city import City
from cgt_games.games.road_works.rules import RoadWorks
from cgt_games.games.road_works.solver import Blocks, Options
from cgt_games.solution import Search

FILE = "book.json"
SIZE = (5, 5)


@cache
def entries() -> dict[str, tuple[int, tuple[str, ...]]]:
    """The book: the text of a position to its Grundy value and winning closings."""
    text = files("cgt_games.games.road_works").joinpath(FILE).read_text("utf-8")
    return {name: (value, tuple(moves)) for name, (value, moves) in json.loads(text).items()}


def look_up(position: RoadWorks) -> tuple[int, tuple[str, ...]] | None:
    """The Grundy value and the winning closings of a position in the book; None for any other."""
    if position.city.size != SIZE or not position.collapse or len(position.closings) > 1:
        return None
    for symmetry in position.symmetries():
        image = position.transform(symmetry)
        if (entry := entries().get(image.to_text())) is not None:
            back = symmetry.inverse
            moves = {position.transform_move(move, back) for move in entry[1]}
            return entry[0], tuple(move for move in position.legal_moves if move in moves)
    return None


def find(position: RoadWorks, blocks: Blocks) -> tuple[int, tuple[str, ...]]:
    """The entry of a position by search."""
    options = Options(position, blocks)
    value = options.mex(Search())
    assert value is not None
    return value, tuple(move for move in position.legal_moves if options.is_zero.get(move))


def make() -> dict[str, tuple[int, tuple[str, ...]]]:
    """All entries by search: the start and one of each kind of first closing. About half a minute."""
    from cgt_games.symmetry import move_orbits

    start = RoadWorks(City.grid(*SIZE), True)
    positions = [start, *(start.play(orbit[0]) for orbit in move_orbits(start))]
    blocks = Blocks(start.city, True)
    return {position.to_text(): find(position, blocks) for position in positions}


if __name__ == "__main__":
    from pathlib import Path

    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(entry)}" for name, entry in make().items())
    Path(__file__).with_name(FILE).write_text(f"{{\n{lines}\n}}\n", "utf-8")
