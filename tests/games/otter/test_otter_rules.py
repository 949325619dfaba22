"""Otter's rules against a second, naive statement of them."""

from random import Random

import pytest
from otter_paths_by_hand import naive_paths

from cgt_games import CGTError, IllegalMove, InvalidPosition, Otter
from cgt_games.games.otter.rules import AB, Placement, board_symmetries, cell_names

SHAPES = [(4, 4), (2, 2), (2, 3), (3, 2), (3, 4), (4, 3), (2, 5), (5, 3)]


def naive_value(position: Otter, path: tuple[int, ...]) -> int:
    empty = sum(not position.cells[cell] for cell in path)
    return sum(position.cells[cell] for cell in path) + sum(position.unused[:empty])


@pytest.mark.parametrize(("rows", "columns"), SHAPES)
def test_best_paths_are_those_of_least_sum_among_all_paths(rows, columns, seed):
    rng = Random(seed)
    names = cell_names(rows, columns)
    for _ in range(20):
        position = Otter.random(rng, empty=rng.randrange(rows * columns + 1), rows=rows, columns=columns)
        for player in "AB":
            values = {path: naive_value(position, path) for path in naive_paths(rows, columns, player)}
            least = min(values.values())
            best = sorted(path for path, value in values.items() if value == least)
            assert position.best_paths(player) == (least, [tuple(names[c] for c in path) for path in best])
            assert position.score(player) == least
            assert position.best_path(player) == (least, tuple(names[c] for c in best[0]))


@pytest.mark.parametrize(("rows", "columns"), SHAPES)
def test_symmetries_keep_or_negate_the_margin_of_full_boards(rows, columns, seed):
    position = Otter.random(seed, rows=rows, columns=columns)
    swaps = [s.swaps_goals for s in board_symmetries(rows, columns)]
    assert len(swaps) == (8 if rows == columns else 4)
    assert sum(swaps) == len(swaps) // 2
    for symmetry in board_symmetries(rows, columns):
        sign = -1 if symmetry.swaps_goals else 1
        assert position.transform(symmetry).margin == sign * position.margin


def test_goal_swapping_symmetries_do_not_apply_while_the_game_goes_on():
    position = Otter.empty()
    flip = next(s for s in board_symmetries(4, 4) if s.name == "left-right flip")
    with pytest.raises(CGTError, match="it is A's turn"):
        position.transform(flip)
    assert all(not s.swaps_goals for s in position.symmetries())


def test_an_empty_board_is_square_unless_it_is_said_otherwise():
    shapes = [(board.rows, board.columns) for board in (Otter.empty(), Otter.empty(5), Otter.empty(2, 3))]
    assert shapes == [(4, 4), (5, 5), (2, 3)]


def test_whose_turn_it_is_follows_from_the_filled_cells():
    position = Otter.empty(3, 3)
    for count in range(9):
        assert position.to_move == "AB"[count % 2]
        assert position.legal_moves.count == len(list(position.legal_moves)) == (9 - count) ** 2
        assert position.moves(position.to_move.opponent).count == 0
        assert position.winner is None
        position = position.play(next(iter(position.legal_moves)))
    assert position.is_terminal
    assert position.legal_moves.count == 0
    assert position.winner in ("A", "B", "draw")


def test_a_full_board_is_won_by_the_smaller_score():
    position = Otter.from_text("1,4,7/5,2,8/6,9,3")
    # A-paths: 1+4+7+8+3=23, 1+4+2+8+3=18, 1+4+2+9+3=19, 1+5+2+8+3=19, 1+5+2+9+3=20, 1+5+6+9+3=24
    # B-paths: 6+5+1+4+7=23, 6+5+2+4+7=24, 6+5+2+8+7=28, 6+9+2+4+7=28, 6+9+2+8+7=32, 6+9+3+8+7=33
    assert (position.score("A"), position.score("B"), position.margin, position.winner) == (18, 23, 5, "A")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("16,.,.,2/.,.,.,./.,.,.,./1,.,.,16", "16 is twice"),
        ("17,.,.,2/.,.,.,./.,.,.,./1,.,.,15", "17 at a4"),
        ("16,.,.,2/.,.,.,./.,.,-1,./1,.,.,15", "-1 at c2"),
        ("16,.,.,2/.,.,./.,.,.,./1,.,.,15", "row 2 has 3"),
        ("1,2,3,4", "single row"),
        ("1/2/3/4", "4 x 1"),
        ("", "single row"),
        ("16,.,.,2/.,?,.,./.,.,.,./1,.,.,15", r"'\?' at b3"),
        ("16,.,.,2/.,,.,./.,.,.,./1,.,.,15", "'' at b3"),
        ("0,./.,.", "0 at a2"),
        ("1 ,./.,.", "'1 ' at a2"),
        ("٣,./.,.", "at a2"),
        ("9" * 5000 + ",./.,.", "at a2"),
    ],
)
def test_a_bad_text_is_refused_by_name(text, fault):
    with pytest.raises(InvalidPosition, match=fault):
        Otter.from_text(text)


def test_the_wrong_side_to_move_is_refused_and_the_right_one_accepted():
    text = "16,.,.,2/.,.,.,./.,.,.,./1,.,.,15"
    assert Otter.from_text(text, to_move="A") == Otter.from_text(text)
    for wrong in ("B", "left"):
        with pytest.raises(InvalidPosition, match="A's turn"):
            Otter.from_text(text, to_move=wrong)


@pytest.mark.parametrize(
    ("move", "fault"),
    [
        ("7@a4", "a4 is occupied by 16"),
        ("2@b3", "2 is used already, at d4"),
        ("17@b3", "17 is not among 1 to 16"),
        ("0@b3", "0 is not among"),
        ("7@e3", "no cell e3"),
        ("7@b5", "no cell b5"),
        ("b3", "is no move"),
        ("-7@b3", "is no move"),
        (Placement(7, "b9"), "no cell b9"),
        ((7, "b3"), "number@cell"),
    ],
)
def test_an_illegal_move_is_refused_with_its_reason(move, fault):
    position = Otter.from_text("16,.,.,2/.,.,.,./.,.,.,./1,.,.,15")
    before = position.to_text()
    assert move not in position.legal_moves
    with pytest.raises(IllegalMove, match=fault):
        position.play(move)
    assert position.to_text() == before


def test_a_full_board_alone_has_a_margin():
    with pytest.raises(CGTError, match="4 cells are empty"):
        _ = Otter.empty(2, 2).margin


def test_random_boards_come_from_the_generator_given():
    assert Otter.random(7, empty=3) == Otter.random(Random(7), empty=3)
    assert Otter.random(7, empty=3, rows=2, columns=5).empties == 3
    assert AB.A.is_left
    with pytest.raises(InvalidPosition, match="17 empty cells"):
        Otter.random(1, empty=17)


def test_cells_are_named_from_the_bottom_left():
    assert cell_names(4, 4)[0] == "a4"
    assert cell_names(2, 3) == ("a2", "b2", "c2", "a1", "b1", "c1")
    assert cell_names(2, 703)[25:28] == ("z2", "aa2", "ab2")
    assert cell_names(2, 703)[701:703] == ("zz2", "aaa2")
    assert len(set(cell_names(2, 703))) == 1406
