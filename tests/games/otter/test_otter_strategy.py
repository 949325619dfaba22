"""Corners first: the rule, and its check against a plain minimax that lets A follow the rule."""

import pytest

from cgt_games import CGTError, Otter, Search
from cgt_games.games.otter.strategy import Check, corner_moves, least_image, main


def value_with_rule(position, known):
    """The margin if A follows the rule while it says something, and all else is best play; plain minimax."""
    if position.is_terminal:
        return position.margin
    if position not in known:
        by_rule = corner_moves(position) if position.to_move == "A" else []
        values = [value_with_rule(position.play(move), known) for move in by_rule or position.legal_moves]
        # What the rule leaves open A chooses in the worst way.
        known[position] = max(values) if position.to_move == "A" and not by_rule else min(values)
    return known[position]


@pytest.mark.parametrize("board", [(2, 2), (2, 3), (3, 2)])
def test_the_check_says_what_plain_minimax_says(board):
    start = Otter.empty(*board)
    value = value_with_rule(start, {})
    for margin in range(value - 2, value + 3):
        check = Check(margin, Search())
        assert check.run(start) == (margin <= value)
        assert (not check.refutations) == (margin <= value)


def test_the_rule_takes_corners_and_nothing_else():
    position = Otter.empty()
    replies = ["1@b4", "2@b3", "14@c2", "5@c1"]
    played = []
    for reply in replies:
        played.append([str(move) for move in corner_moves(position)])
        position = position.play(corner_moves(position)[0]).play(reply)
    assert played == [["16@d4", "16@a1"], ["15@a1"], ["3@a4", "3@d1"], ["4@d1"]]
    assert corner_moves(position) == []


@pytest.mark.slow
def test_on_3_x_4_the_rule_attains_a_margin_of_two():
    assert Check(2, Search()).run(Otter.empty(3, 4))


def test_images_under_symmetry_have_one_representative(seed):
    position = Otter.random(seed, empty=9)
    images = {least_image(position.transform(symmetry)) for symmetry in position.symmetries()}
    assert len(images) == 1


def test_the_command_reports_and_fails_if_the_margin_is_not_attained(tmp_path, capsys):
    assert main(["--board", "3x3", "--margin", "2", "--out", str(tmp_path)]) == 1
    assert "**not** attain" in capsys.readouterr().out
    assert main(["--board", "2x3", "--margin", "-9"]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {"otter-strategy-3x3.md", "otter-strategy-3x3.json"}
    with pytest.raises(CGTError, match="up to 16"):
        Check(2, Search()).run(Otter.empty(5, 5))


@pytest.mark.slow
def test_on_4_x_4_the_rule_attains_a_margin_of_two():
    check = Check(2, Search())
    assert check.run(Otter.empty())
    assert max(check.searched) == 12
