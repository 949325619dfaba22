"""The kernels on words are equal to the rules in plain Python."""

from __future__ import annotations

import random
import subprocess
import sys

import numpy as np
import pytest
from slither_kernels import kernel_perft, words

from cgt_games import Slither
from cgt_games.games.slither import bits
from cgt_games.games.slither.rules import Colour
from cgt_games.perft import perft

VARIANTS = ["classic", "advanced"]
NO_TURN = "WWBBB/WWWBB/WB..B/WBBWW/WBBBW"


def random_positions(count, sizes, seed):
    """Positions on random lines of play."""
    chance = random.Random(seed)
    position = None
    for _ in range(count):
        if position is None or position.is_terminal:
            position = Slither.empty(*chance.choice(sizes), variant=chance.choice(VARIANTS))
        yield position
        position = chance.choice(list(position.results(position.to_move)))


def check_equal(position):
    frame, advanced = bits.frame(position.rows, position.columns), position.variant == "advanced"
    own, other = words(position)
    size = (position.rows, position.columns)
    turns, results = bits.count_turns(own, other, frame.board, advanced)
    player = position.to_move
    plain = {after for *_, after in position._ends(player)}
    assert turns == sum(1 for _ in position._ends(player))
    after = np.zeros(bits.most_results(position.size), np.uint64)
    end = bits.list_results(own, other, frame.board, advanced, after, 0)
    made = [bits.gather(word, *size) for word in after[:end]]
    assert len(made) == len(set(made)) == results
    assert set(made) == plain
    assert bits.gather(bits.movable(own, other, advanced), *size) == position.movable(player)
    for colour in Colour:
        joined = (frame.left, frame.right) if colour is Colour.WHITE else (frame.top, frame.bottom)
        connected = bits.connects(bits.spread(position.stones(colour), *size), *joined)
        assert connected == (position.connected is colour)


@pytest.mark.kernel
def test_results_equal_the_rules(seed):
    # 8 x 8 has bit 63; 8 columns have no spare bit between the rows.
    sizes = [(2, 3), (3, 2), (1, 4), (4, 1), (3, 3), (4, 4), (5, 3), (8, 8), (3, 8), (8, 3)]
    for position in random_positions(60, sizes, seed):
        check_equal(position)


def test_results_equal_the_rules_on_many_positions(seed):
    for position in random_positions(1500, [(4, 4), (4, 5), (5, 4), (5, 5), (6, 7), (2, 8), (8, 8)], seed):
        check_equal(position)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize(
    ("size", "depths"),
    [((3, 3), range(1, 11)), ((2, 3), range(1, 8)), ((3, 2), range(1, 8)), ((4, 4), [1, 2, 3, 4]), ((5, 5), [1, 2, 3])],
    ids=str,
)
def test_perft_equals_the_reference(variant, distinct, size, depths):
    position = Slither.empty(*size, variant=variant)
    for depth in depths:
        assert kernel_perft(position, depth, distinct=distinct) == perft(position, depth, distinct=distinct)


@pytest.mark.kernel
def test_perft_from_odd_positions():
    forced = Slither.from_text(NO_TURN, to_move="white")
    won = Slither.from_text("BB./B../B..", to_move="white")
    for position in (forced, won, won.with_to_move(Colour.BLACK), Slither.from_text("B.W/W.B/B.W", to_move="white")):
        for depth in (1, 2):
            for distinct in (True, False):
                assert kernel_perft(position, depth, distinct=distinct) == perft(position, depth, distinct=distinct)


@pytest.mark.kernel
@pytest.mark.parametrize("size", [(1, 1), (2, 3), (8, 8), (8, 1), (1, 8)], ids=str)
def test_words_and_sets(size):
    frame, everything = bits.frame(*size), (1 << size[0] * size[1]) - 1
    assert bits.spread(everything, *size) == frame.board
    assert bits.popcount(frame.board) == size[0] * size[1]
    for mask in (everything, 1, everything ^ 1, everything & 0x5A5A5A5A5A5A5A5A):
        assert bits.gather(bits.spread(mask, *size), *size) == mask


def test_kernels_run_from_the_cache(tmp_path):
    """A first process compiles, a second runs what the first has kept."""
    code = (
        "import numpy as np; from cgt_games.games.slither import bits;"
        "f = bits.frame(4, 4); a = np.zeros(4000, np.uint64); n, i, e = np.zeros((3, 4), np.int64);"
        "print(bits.perft(np.uint64(0), np.uint64(0), False, 3, False, False, f, a, n, i, e))"
    )
    environment = {"NUMBA_CACHE_DIR": str(tmp_path), "PATH": ""}
    for _ in range(2):
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        assert run.stdout == "13568\n"
    assert list(tmp_path.rglob("*.nbi"))
