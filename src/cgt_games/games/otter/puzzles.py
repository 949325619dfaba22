"""Puzzles: positions in which exactly one move wins (or, where none does, exactly one draws).

How little a puzzle's move suggests itself is measured by its rank in the static order of moves
(:mod:`~cgt_games.games.otter.ranking`): 1 for the move that looks best, k * k for the one that looks worst with k
empty cells. The catalogue holds 50 puzzles of seven pieces in which B is to move, the least intuitive of a large
random sample.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from random import Random

from cgt_games.command import Parser
from cgt_games.engines import solve
from cgt_games.games.otter.ranking import ranking
from cgt_games.games.otter.rules import Otter, Placement
from cgt_games.position import DRAW


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, the one good move, what it attains (``"win"`` or ``"draw"``), and its rank by first sight."""

    position: Otter
    move: Placement
    goal: str
    rank: int

    def __str__(self) -> str:
        return f"{self.position.to_text()} {self.move} {self.goal} {self.rank}"

    @classmethod
    def from_text(cls, line: str) -> Puzzle:
        """A puzzle from its ``str``."""
        text, move, goal, rank = line.split()
        position = Otter.from_text(text)
        return cls(position, position.parse_move(move), goal, int(rank))


def puzzle_of(position: Otter) -> Puzzle | None:
    """The puzzle that a position is; None if not exactly one move wins, or, none winning, exactly one draws.

    Cost: that of solving it; about a millisecond with seven empty cells.
    """
    solution = solve(position)
    good = solution.winning_moves
    if not good and solution.winner == DRAW:
        good = solution.best_moves
    if good is None or len(good) != 1:
        return None
    goal = "draw" if solution.winner == DRAW else "win"
    rank = [move for move, _ in ranking(position)].index(good[0]) + 1
    return Puzzle(position, good[0], goal, rank)


def puzzles(rng: Random | int, *, empty: int = 7, rows: int = 4, columns: int = 4) -> Iterator[Puzzle]:
    """Puzzles among random positions with ``empty`` empty cells, without end; ``rng`` is a generator or a seed.

    >>> puzzle = next(puzzles(1))
    >>> puzzle.position.empties, puzzle.move in puzzle.position.legal_moves
    (7, True)
    """
    if isinstance(rng, int):
        rng = Random(rng)
    while True:
        puzzle = puzzle_of(Otter.random(rng, empty=empty, rows=rows, columns=columns))
        if puzzle is not None:
            yield puzzle


@lru_cache(maxsize=1)
def catalogue() -> tuple[Puzzle, ...]:
    """The 50 puzzles that come with the library, the least intuitive first."""
    text = files("cgt_games.games.otter").joinpath("puzzles.txt").read_text(encoding="ascii")
    return tuple(Puzzle.from_text(line) for line in text.splitlines() if not line.startswith("#"))


def main(words: list[str]) -> int:
    """The command ``otter-puzzles``."""
    parser = Parser(
        prog="cgt-games otter-puzzles",
        description="Puzzles: one move wins, or, where none does, one draws. Without --seed: the catalogue.",
    )
    parser.add_argument("--seed", type=int, help="make new ones from random positions")
    parser.add_argument("--count", type=int, default=50, help="how many (default 50)")
    parser.add_argument("--sample", type=int, help="the least intuitive of so many (default: as many as are shown)")
    parser.add_argument("--empty", type=int, default=7, help="empty cells (default 7)")
    parser.add_argument("--out", type=Path, help="write them to this file, as the catalogue is written")
    options = parser.parse_args(words)
    if options.count < 1 or not 1 <= options.empty <= 10:
        parser.error("--count is at least 1, --empty 1 to 10")
    if options.seed is None:
        chosen = list(catalogue())[: options.count]
    else:
        made = puzzles(options.seed, empty=options.empty)
        sample = [next(made) for _ in range(max(options.sample or 0, options.count))]
        chosen = sorted(sample, key=lambda puzzle: -puzzle.rank)[: options.count]
    if options.out is not None:
        comment = f"# cgt-games otter-puzzles --seed {options.seed} --sample {options.sample} --empty {options.empty}"
        options.out.write_text("\n".join([comment, *map(str, chosen)]) + "\n", encoding="ascii")
        return 0
    for number, puzzle in enumerate(chosen, start=1):
        print(f"puzzle {number}: {puzzle.position.to_move} is to move; one move {puzzle.goal}s")
        print(f"{puzzle.position.board()}\nthe move: {puzzle.move}, number {puzzle.rank} at first sight\n")
    return 0
