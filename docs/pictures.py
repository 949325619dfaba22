"""Draws the pictures of the README, one of each game and a strip, into ``docs/pictures``: ``make pictures``.

What is highlighted are the winning moves, or in Otter the best one, as the library finds them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cgt_games import Nim, Northcott, Otter, Position, Record, RoadWorks, Slither, show, solve

FOLDER = Path(__file__).parent / "pictures"


def pictures() -> Iterator[tuple[str, show.Picture]]:
    """Each picture with the name of its file."""

    def with_winning_moves(position: Position, last_move: str | None = None) -> show.Picture:
        return show.svg(position, last_move=last_move, highlight=solve(position).winning_moves or ())

    yield "nim", with_winning_moves(Nim(3, 5, 4), "3:3")
    yield "northcott", with_winning_moves(Northcott.from_text(".L..R../L.....R/L.R..../...L..R"))
    otter = Otter.from_text("16,.,7,2/3,.,12,./.,8,5,11/1,14,.,15")
    yield "otter", show.svg(otter, last_move="8@b2", highlight=solve(otter).best_moves or ())
    yield "road-works", with_winning_moves(RoadWorks.from_text("4x4/d2,d4,a5,b2,a3", collapse=True), "a3")
    won = Slither.from_text("WB...B/WWW.WB/WB.BBB/WBBBBW/BB...W/BWWW.W", to_move="white")
    yield "slither", show.svg(won, last_move="d2-c3/f6")
    start = RoadWorks.from_text("3x3", collapse=True)
    yield "strip", show.strip(Record(start, ("b2", "a3", "b1")))


def main() -> None:
    """Write all of them."""
    FOLDER.mkdir(exist_ok=True)
    for name, picture in pictures():
        picture.save(FOLDER / f"{name}.svg")
        print(f"docs/pictures/{name}.svg  {picture.title}")


if __name__ == "__main__":
    main()
