"""Nimbler Otter: seven pieces against the app's half minute and a search without memory; and up to the empty board."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from random import Random

import numpy as np
from numba import njit

from cgt_games import Otter, solve
from cgt_games.games.otter.paths import evaluate
from cgt_games.games.otter.player import OtterPlayer
from cgt_games.games.otter.search import HIGH, LOW
from cgt_games.games.otter.solver import FULL, SIGN, Engine, Search, Window, encode
from rows import Row, seconds

APP = 30.0
"""Seconds that the app takes for seven pieces on a phone in the middle of the range, as its description says."""
COUNT = 50
"""Random positions of each size."""


def rows() -> Iterator[Row]:
    yield batches()
    rng = Random(20)
    sevens = [Otter.random(rng, empty=7) for _ in range(COUNT)]
    solve(sevens[0])  # compiles, or loads what is compiled
    naive = naive_seconds(sevens[0])
    yield Row("7 empty cells, naive exhaustive search", naive, "s")
    for name, window, target in (("winner", SIGN, 0.2e-3), ("exact margin", FULL, 0.2e-3)):
        yield Row(f"7 empty cells, {name}", median(sevens, window) * 1e3, "ms", target * 1e3)
    full = statistics.median(cpu(lambda p=p: solve(p)) for p in sevens)
    yield Row("7 empty cells, solve(): all winning and best moves", full * 1e3, "ms", 1.0, APP / full, "the app's 30 s")
    yield Row("7 empty cells, solve(), against naive search", full * 1e3, "ms", None, naive / full, "naive search")
    for empty, name, window, target in (
        (9, "exact margin", FULL, 3.0),
        (10, "exact margin", FULL, 12.0),
        (12, "winner", SIGN, 15.0),
        (12, "exact margin", FULL, 300.0),
    ):
        rng = Random(20)
        positions = [Otter.random(rng, empty=empty) for _ in range(COUNT)]
        yield Row(f"{empty} empty cells, {name}", median(positions, window) * 1e3, "ms", target)
    yield from empty_board()
    yield player()


def cpu(work: Callable[[], object], repeats: int = 3) -> float:
    """The least CPU time of some calls, in seconds."""
    times = []
    for _ in range(repeats):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times)


def median(positions: list[Otter], window: Window) -> float:
    """The median time to settle a margin within a window, memory for the search included."""
    repeats = 3 if positions[0].empties < 10 else 1
    return statistics.median(
        cpu(lambda p=p: Engine.of(p, Search()).ask([encode(p)], [window]), repeats) for p in positions
    )


def batches() -> Row:
    boards = np.random.default_rng(1).permuted(np.tile(np.arange(1, 17, dtype=np.uint8)[:, None], 1 << 16), axis=0)
    evaluate(boards)
    spent = seconds(lambda: [evaluate(boards) for _ in range(100)])
    return Row("batch evaluator, 4x4 boards", 100 * boards.shape[1] / spent, "boards/s", 200e6)


def empty_board() -> Iterator[Row]:
    start = Otter.empty()
    engine = Engine.of(start, Search())
    started = time.process_time()
    job = engine.ask([encode(start)], [SIGN])[0]
    spent = time.process_time() - started
    yield Row("empty board, winner", spent, "s", 30.0, APP / spent, "the app's 30 s for seven pieces")
    engine.ask([encode(start)], [FULL], 2, (int(job[LOW]), int(job[HIGH])))
    yield Row("empty board, exact margin, the winner's time included", time.process_time() - started, "s", 180.0)


def player() -> Row:
    """The slowest move of the perfect player in games against itself and against random moves."""
    rng, adviser, slowest = Random(20), OtterPlayer(), 0.0
    for game in range(6):
        position = Otter.empty()
        while not position.is_terminal:
            if game % 3 == 0 or position.to_move == "AB"[game % 2]:
                started = time.process_time()
                move = adviser.choose(position)
                slowest = max(slowest, time.process_time() - started)
            else:
                move = rng.choice(list(position.legal_moves))
            position = position.play(move)
    return Row("perfect player, slowest move in six games", slowest, "s", 1.0)


def naive_seconds(position: Otter) -> float:
    """One exhaustive search, every line of play to its end, nothing remembered: with seven empty cells 25,401,600."""
    empty = np.array([index for index, number in enumerate(position.cells) if number == 0])
    board, unused = np.array(position.cells), np.array(position.unused)
    a_first = position.to_move == "A"
    exhaustive(board.copy(), empty[:2], unused[:2], a_first)
    started = time.process_time()
    margin = exhaustive(board, empty, unused, a_first)
    spent = time.process_time() - started
    assert margin == solve(position).value
    return spent


@njit
def score(board, first, step):
    """The least value of a path, on a full 4x4 board: rows from ``first`` on, each ``step`` further."""
    ways = np.empty(4, np.int64)
    for row in range(4):
        at = first + row * step
        for column in range(4):
            before = 0
            if row and column:
                before = min(ways[column - 1], ways[column])
            elif column:
                before = ways[column - 1]
            elif row:
                before = ways[column]
            ways[column] = before + board[at + column]
    return ways[3]


@njit("int64(int64[:], int64[:], int64[:], boolean)")
def exhaustive(board, empty, unused, a_moves):
    """Minimax by recursion over all moves."""
    if len(empty) == 0:
        return score(board, 12, -4) - score(board, 0, 4)
    best = -1000 if a_moves else 1000
    rest_empty, rest_unused = empty[1:].copy(), unused[1:].copy()
    for i in range(len(empty)):
        for j in range(len(unused)):
            board[empty[i]] = unused[j]
            value = exhaustive(board, rest_empty, rest_unused, not a_moves)
            best = max(best, value) if a_moves else min(best, value)
            if j < len(rest_unused):
                rest_unused[j] = unused[j]
        rest_unused[:] = unused[1:]
        board[empty[i]] = 0
        if i < len(rest_empty):
            rest_empty[i] = empty[i]
    return best
