"""Slither: results a second of the kernel against the rules in plain Python, and the winners of whole boards."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from cgt_games import Limits, Search, Slither
from cgt_games.games.slither import bits
from cgt_games.games.slither.solver import Prover
from rows import Row

TARGETS = {(4, 4): 2.0, (4, 5): 5.0, (5, 4): 20.0}
"""Seconds of one core for the winner of the empty board, warm."""


def rows() -> Iterator[Row]:
    for variant in ("classic", "advanced"):
        yield results_per_second(variant)
    for variant in ("classic", "advanced"):
        prover = Prover(3, 3, variant)
        prover.value(Slither.empty(3, variant=variant), Search())  # compiles
        for size, target in TARGETS.items():
            yield winner(size, variant, target)


def results_per_second(variant: str) -> Row:
    """The distinct results of all positions after two turns on 5x5, made one by one, by the kernel and by the rules."""
    start = Slither.empty(5, variant=variant)
    positions = [q for p in start.results(start.to_move) for q in p.results(p.to_move)]
    board, advanced = bits.frame(5, 5), variant == "advanced"
    stones = np.array([[bits.spread(own, 5, 5) for own in (p.black, p.white)] for p in positions], np.uint64)
    after = np.zeros(bits.most_results(25), np.uint64)
    bits.list_all(stones, board.board, advanced, after)  # compiles
    rounds = 20
    began = time.process_time()
    for _ in range(rounds):
        made = bits.list_all(stones, board.board, advanced, after)
    kernel = rounds * made / (time.process_time() - began)
    some = positions[::10]
    began = time.process_time()
    plain = sum(1 for p in some for _ in p.results(p.to_move)) / (time.process_time() - began)
    name = f"5x5 {variant}, distinct results made one by one"
    return Row(name, kernel, "results/s", target=200 * plain, ratio=kernel / plain, against="the rules in Python")


def winner(size: tuple[int, int], variant: str, target: float) -> Row:
    """The winner of an empty board, from an empty table."""
    search = Search(Limits(seconds=600))
    began = time.process_time()
    Prover(*size, variant).value(Slither.empty(*size, variant=variant), search)
    seconds = time.process_time() - began
    name = f"{size[0]}x{size[1]} {variant}, winner, {search.nodes:,} nodes"
    return Row(name, seconds, "s", target)
