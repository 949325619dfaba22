"""Groups of symmetries against sympy, and counts against listing everything."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from cgt_games import Northcott, Otter
from cgt_games.symmetry import Symmetry, boards_up_to_symmetry, burnside, elements, group, move_orbits, rectangle


@pytest.mark.parametrize(
    ("rows", "columns", "order"), [(1, 1, 1), (2, 2, 8), (3, 3, 8), (2, 3, 4), (3, 2, 4), (4, 4, 8)]
)
def test_the_rectangle_has_its_dihedral_group(rows, columns, order):
    symmetries = list(rectangle(rows, columns).values())
    assert group(symmetries).order() == order
    assert {s.images for s in elements(symmetries)} == {s.images for s in symmetries}


@pytest.mark.parametrize(("rows", "columns"), [(2, 3), (3, 2)])
def test_symmetries_of_rectangles_keep_neighbours(rows, columns):
    def near(a, b):
        return abs(a // columns - b // columns) + abs(a % columns - b % columns) == 1

    for symmetry in rectangle(rows, columns).values():
        for a, b in combinations(range(rows * columns), 2):
            assert near(a, b) == near(symmetry.images[a], symmetry.images[b])


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3), (3, 2), (3, 3)])
@pytest.mark.parametrize("colours", [2, 3])
def test_burnside_counts_what_listing_counts(rows, columns, colours):
    symmetries = list(rectangle(rows, columns).values())
    classes = {
        min(tuple(s.permute(board)) for s in symmetries) for board in product(range(colours), repeat=rows * columns)
    }
    assert burnside(symmetries, lambda s: colours ** len(s.cycles)) == len(classes)


def test_burnside_refuses_what_is_no_group():
    turn = Symmetry("turn", (1, 2, 0))
    with pytest.raises(ValueError, match="no group"):
        burnside([Symmetry("identity", (0, 1, 2)), turn], lambda s: 2 ** len(s.cycles) + s.images[0])
    with pytest.raises(ValueError, match="twice"):
        burnside([turn, turn], lambda s: 1)


def test_inverse_undoes():
    for symmetry in rectangle(3, 3).values():
        assert symmetry.inverse.permute(symmetry.permute(range(9))) == list(range(9))


@pytest.mark.parametrize("widths", [(2,), (4,), (3, 3), (2, 3), (4, 4, 3), (3, 3, 3)])
def test_northcott_boards_up_to_symmetry(widths):
    start = Northcott.random(widths, seed=1)
    group = elements(start.symmetries())
    boards = [
        Northcott(
            tuple(start.rows[0]._replace(width=w, left=a, right=b) for w, (a, b) in zip(widths, pairs, strict=True))
        )
        for pairs in product(*(combinations(range(w), 2) for w in widths))
    ]
    classes = {min(board.transform(s).rows for s in group) for board in boards}
    assert boards_up_to_symmetry(start) == len(classes)


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 2)])
def test_otter_positions_up_to_symmetry(size):
    positions = {Otter.empty(*size)}
    ply = set(positions)
    while ply:
        ply = {after for position in ply for after in position.options(position.to_move)}
        positions |= ply
    start = Otter.empty(*size)
    classes = {min(position.transform(s).cells for s in start.symmetries()) for position in positions}
    assert boards_up_to_symmetry(start) == len(classes)


def test_orbits_on_a_large_board_exchange_equal_rows():
    position = Northcott.random("large", seed=1)
    orbits = move_orbits(position)
    assert sorted(move for orbit in orbits for move in orbit) == sorted(position.legal_moves)
    # One orbit for each move of each different row.
    assert len(orbits) == Northcott(tuple(dict.fromkeys(position.rows))).legal_moves.count
    assert len(orbits) < position.legal_moves.count


def test_orbits_of_first_moves():
    # 16 numbers, and six kinds of cells under the half turn and the two diagonal flips.
    orbits = move_orbits(Otter.empty())
    assert len(orbits) == 6 * 16
    assert sorted(move for orbit in orbits for move in orbit) == sorted(Otter.empty().legal_moves)
    assert len(move_orbits(Northcott.from_text("L..R/L..R"))) == Northcott.from_text("L..R").legal_moves.count
