"""The batch evaluator against the plain rules."""

from random import Random

import numpy as np
import pytest

from cgt_games import Otter
from cgt_games.games.otter.paths import BLOCK, evaluate, sum_dtype


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("rows", "columns"), [(4, 4), (2, 2), (2, 3), (3, 2), (4, 3), (3, 4), (6, 6), (2, 9), (12, 11)]
)
def test_batches_have_the_scores_of_the_rules(rows, columns, seed):
    rng = Random(seed)
    boards = [Otter.random(rng, rows=rows, columns=columns) for _ in range(50)]
    a, b = evaluate(np.array([board.cells for board in boards]).T, columns)
    assert a.tolist() == [board.score("A") for board in boards]
    assert b.tolist() == [board.score("B") for board in boards]


@pytest.mark.kernel
@pytest.mark.parametrize("count", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 77])
def test_every_board_of_a_batch_is_evaluated_alone(count, seed):
    rng = np.random.default_rng(seed)
    boards = rng.permuted(np.tile(np.arange(1, 17, dtype=np.uint8)[:, None], count), axis=0)
    a, b = evaluate(boards)
    assert a.shape == b.shape == (count,)
    for k in {0, count // 2, count - 1, BLOCK - 1, BLOCK} & set(range(count)):
        board = Otter(4, tuple(boards[:, k].tolist()))
        assert (a[k], b[k]) == (board.score("A"), board.score("B"))


def test_empty_cells_add_nothing():
    a, b = evaluate(np.zeros((16, 3), dtype=np.uint8))
    assert a.tolist() == b.tolist() == [0, 0, 0]


@pytest.mark.parametrize(("rows", "columns"), [(4, 4), (5, 5), (6, 6), (30, 30)])
def test_the_largest_path_sum_fits_its_type(rows, columns):
    size, length = rows * columns, rows + columns - 1
    assert sum(range(size - length + 1, size + 1)) <= np.iinfo(sum_dtype(rows, columns)).max


@pytest.mark.parametrize("shape", [(16,), (15, 2), (4, 2), (16, 2, 2)])
def test_a_batch_of_another_shape_is_refused(shape):
    with pytest.raises(ValueError, match=r"not \(cells, N\)"):
        evaluate(np.zeros(shape, dtype=np.uint8), 4)
