"""The package itself: what importing it costs, and the general engines on games of a user's own."""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from cgt_games.engines import solve
from cgt_games.position import ImpartialPosition
from rows import Row, seconds


@dataclass(frozen=True)
class Subtraction(ImpartialPosition):
    """Heaps of which a move takes 1 to 5; as a user would write it, with nothing made fast."""

    heaps: tuple[int, ...]

    def generate_moves(self, player):
        """A heap and how much to take."""
        return ((index, take) for index, heap in enumerate(self.heaps) for take in range(1, min(5, heap) + 1))

    def apply(self, move, player):
        """The heaps after it."""
        index, take = move
        return Subtraction((*self.heaps[:index], self.heaps[index] - take, *self.heaps[index + 1 :]))

    def to_text(self):
        """The heaps."""
        return ",".join(map(str, self.heaps))


def cpu_ms(code: str, repeats: int = 15) -> float:
    """The median CPU time that some code takes at the start of a fresh interpreter, in ms."""
    timed = f"import time; started = time.process_time_ns()\n{code}\nprint(time.process_time_ns() - started)"
    times = []
    for _ in range(repeats):
        run = subprocess.run([sys.executable, "-c", timed], check=True, capture_output=True, text=True)
        times.append(int(run.stdout.split()[-1]))
    return statistics.median(times) / 1e6


def rows() -> Iterator[Row]:
    """Import times over a bare interpreter; options a second of the general impartial engine."""
    numba = cpu_ms("import numba", repeats=3)
    for name, code, target in (
        ("import cgt_games: CPU over a bare interpreter", "import cgt_games", 30),
        ("the same, and solve a position of Nim", "from cgt_games import Nim, solve; solve(Nim(3, 5, 7))", None),
        (
            "the same on the command line",
            "from cgt_games.cli import main; main(['solve', 'nim', '3,5,7', '--json'])",
            None,
        ),
    ):
        cost = cpu_ms(code)
        yield Row(name, cost, "ms", target, numba / cost, "import numba")

    position = Subtraction((40, 40, 40))
    # Each of the 41^3 positions is expanded once, so the number of options that are looked at is known.
    options = sum(min(5, heap) for heap in range(41)) * 3 * 41 * 41
    time = seconds(lambda: solve(position), repeats=3)
    yield Row("general impartial engine, own game in plain Python", options / time, "options/s", 250_000)
