"""Road Works: Grundy tables and winners of the levels, live sets against networkx, and the perfect opponent."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import numpy as np

from cgt_games.games.road_works import City, RoadWorks
from cgt_games.games.road_works.live import live_sets, room, streets
from cgt_games.games.road_works.rules import live_set
from cgt_games.games.road_works.solver import Blocks, Options, take_blocks
from cgt_games.players import PerfectPlayer
from cgt_games.solution import Search
from rows import Row, seconds


def full_table(columns: int, rows: int) -> int:
    """Find every Grundy value of a city with collapse, from nothing; the number of shapes."""
    city = City.grid(columns, rows)
    blocks = Blocks(city, True)
    blocks.find_all(city.everything, Search())
    return blocks.shapes


def first_moves(columns: int, rows: int) -> Options:
    """Find which first moves win, from nothing and without the book."""
    position = RoadWorks(City.grid(columns, rows), True)
    options = Options(position, Blocks(position.city, True))
    options.look_for_zeros(Search())
    return options


def winner(columns: int, rows: int) -> bool:
    """Find whether the first player wins, from nothing and without the book."""
    position = RoadWorks(City.grid(columns, rows), True)
    return Options(position, Blocks(position.city, True)).mex(Search(winner_only=True)) != 0


def live_set_rates() -> tuple[float, float]:
    """Live sets found a second, by the kernel and by networkx, in random positions of level 4."""
    city = City.grid(5, 5)
    rng = np.random.default_rng(1)
    inner = [i for i in range(len(city)) if i not in city.ends]
    sets = [city.everything & ~sum(1 << int(i) for i in rng.choice(inner, 5, replace=False)) for _ in range(50_000)]
    masks, graph = np.array(sets, np.uint64), streets(city.around)
    found = np.zeros_like(masks)
    a, b = city.ends
    kernel = len(masks) / seconds(lambda: live_sets(graph.near, masks, a, b, room(), found))
    plain = 300 / seconds(lambda: [live_set.__wrapped__(city, one) for one in sets[:300]], repeats=1)
    return kernel, plain


def slowest_reply(games: int) -> float:
    """The longest CPU time of a reply on level 4, in games of random opponents with either side first."""
    longest = 0.0
    for seed in range(games):
        chooser, lots = PerfectPlayer(), random.Random(seed)
        position, perfect = RoadWorks.level(4), seed % 2 == 0
        take_blocks(position.city, True)  # every game begins with no table kept
        while not position.is_terminal:
            if perfect:
                started = time.process_time()
                position = position.play(chooser.choose(position))
                longest = max(longest, time.process_time() - started)
            else:
                position = position.play(lots.choice(list(position.safe_moves("first")) or list(position.legal_moves)))
            perfect = not perfect
    return longest


def rows() -> Iterator[Row]:
    """The targets of the levels; CPU times on one core, kernels compiled."""
    full_table(1, 1)
    yield Row("level 2, all Grundy values", 1000 * seconds(lambda: full_table(3, 3)), "ms", target=10)
    yield Row("level 3, all Grundy values", seconds(lambda: full_table(4, 4)), "s", target=0.15)
    yield Row("level 4, all winning first moves", seconds(lambda: first_moves(5, 5), 1), "s", target=10)
    yield Row("level 4, all Grundy values", seconds(lambda: full_table(5, 5), 1), "s", target=30)
    yield Row("5x6, winner", seconds(lambda: winner(5, 6), 1), "s", target=300)
    kernel, plain = live_set_rates()
    yield Row("live sets on 36 crossings", kernel, "positions/s", ratio=kernel / plain, against="networkx")
    yield Row("level 4, slowest reply in 4 games", slowest_reply(4), "s", target=2)
