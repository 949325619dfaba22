"""Tables of starts: of each city the Grundy value, the winner and the winning first moves, and how they were obtained.

``cgt-games table road-works --max MxN`` prints them (:mod:`~cgt_games.games.road_works.table_command`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cgt_games.games.road_works.city import City
from cgt_games.games.road_works.live import MAX_CROSSINGS
from cgt_games.games.road_works.rules import RoadWorks
from cgt_games.games.road_works.solver import Blocks, Options, parity
from cgt_games.keep import Keeper
from cgt_games.position import Turn
from cgt_games.solution import Limits, Progress, Search


@dataclass(frozen=True, slots=True)
class Start:
    """What is known of a start. None stands for what was not asked for, or not found within the limits."""

    columns: int
    rows: int
    collapse: bool
    grundy: int | None
    winner: str | None
    winning_moves: tuple[str, ...] | None
    """All of them; with ``winner_only`` one."""
    how: str
    """How the entry was obtained: by search, by parity, or as the mirror image of another."""
    nodes: int = 0
    shapes: int = 0
    seconds: float = 0.0

    @property
    def size(self) -> str:
        """Columns x rows of blocks."""
        return f"{self.columns}x{self.rows}"


def sizes_up_to(columns: int, rows: int, crossings: int = MAX_CROSSINGS) -> list[tuple[int, int]]:
    """The sizes of at most so many columns, rows and crossings, the smallest first, each with its mirror image."""
    every = [(m, n) for m in range(1, columns + 1) for n in range(1, rows + 1) if (m + 1) * (n + 1) <= crossings]
    return sorted(every, key=lambda size: ((size[0] + 1) * (size[1] + 1), min(size), size))


def table(
    sizes: list[tuple[int, int]],
    rules: tuple[bool, ...] = (False, True),
    *,
    limits: Limits | None = None,
    winner_only: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Iterator[Start]:
    """The starts of these sizes under these rules (collapse or not), one by one; ``limits`` hold for each.

    A city and its mirror image, with columns and rows exchanged, are searched once.

    >>> [(start.size, start.grundy) for start in table([(1, 2), (2, 2), (3, 2)], (True,))]
    [('1x2', 2), ('2x2', 0), ('3x2', 2)]
    """
    found: dict[tuple[int, int, bool], Start] = {}
    for columns, rows in sizes:
        for collapse in rules:
            if (mirrored := found.get((rows, columns, collapse))) is not None and columns != rows:
                start = mirror(mirrored)
            else:
                search = Search(limits or Limits(), progress, winner_only)
                start = solve_start(columns, rows, collapse, search)
            found[columns, rows, collapse] = start
            yield start


def mirror(start: Start) -> Start:
    """The same start with columns and rows exchanged, by the reflection that keeps A and B apart as they are."""
    one, other = City.grid(start.columns, start.rows), City.grid(start.rows, start.columns)

    def moved(name: str) -> str:
        row, column = divmod(one.numbers[name], start.columns + 1)
        return other.names[column * (start.rows + 1) + row]

    moves = start.winning_moves
    return Start(
        start.rows, start.columns, start.collapse, start.grundy, start.winner,
        None if moves is None else tuple(sorted(map(moved, moves), key=other.numbers.__getitem__)),
        f"mirror image of {start.size}",
    )  # fmt: skip


def solve_start(columns: int, rows: int, collapse: bool, search: Search, blocks: Blocks | None = None) -> Start:
    """One start, searched with the table ``blocks`` of its city if one is given."""
    position = RoadWorks(City.grid(columns, rows), collapse)
    if (value := parity(position)) is not None:
        moves = tuple(position.safe_moves(Turn.FIRST)) if value else ()
        by_parity = Turn.FIRST if value else Turn.SECOND
        return Start(columns, rows, collapse, value, by_parity, moves, "parity", seconds=_seconds(search))
    blocks = blocks or Blocks(position.city, collapse)
    options = Options(position, blocks)
    with search.guard():
        value = options.mex(search)
    winning: tuple[str, ...] | None = tuple(move for move in position.legal_moves if options.is_zero.get(move))
    winner = Turn.FIRST if winning else Turn.SECOND if value == 0 else None
    if search.stopped and not search.winner_only and not options.all_looked_at:
        winning = None
    how = "search, winner only" if search.winner_only else "search"
    if search.stopped:
        how += f", stopped ({search.stopped})"
    return Start(
        columns, rows, collapse, value, winner, winning, how, search.nodes, blocks.shapes, _seconds(search)
    )  # fmt: skip


def _seconds(search: Search) -> float:
    return round(search.seconds, 3)


def solve_kept(columns: int, rows: int, collapse: bool, search: Search, file: Path) -> Start:
    """One start, with a table that is read from ``file`` if there is one, and written there every ten minutes and at
    the end.

    So a search that was killed goes on from where it was last saved. Raises ValueError if the file holds something
    else.
    """
    blocks = Blocks(City.grid(columns, rows), collapse)
    if file.exists():
        blocks.load(file)
    search.progress = keeper = Keeper(file, blocks.save, search.progress)
    start = solve_start(columns, rows, collapse, search, blocks)
    keeper.save()
    return start
