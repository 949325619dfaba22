"""The commands for what the app has buttons for."""

import pytest

from cgt_games import CGTError, InvalidPosition, Otter, solve
from cgt_games.command import UsageError
from cgt_games.games.otter.buttons import move, paths, shuffled
from cgt_games.registry import load

FULL = "1,4,7/5,2,8/6,9,3"  # the least A-path is 1, 4, 2, 8, 3 and the least B-path 6, 5, 1, 4, 7


def test_best_paths_are_drawn(capsys):
    assert paths([FULL]) == 0
    a, b = capsys.readouterr().out.strip().split("\n\n")
    assert a.splitlines() == [
        "A-path of value 18: a3 b3 b2 c2 c1",
        "3 [1][4] 7",
        "2  5 [2][8]",
        "1  6  9 [3]",
        "   a  b  c",
    ]
    assert b.splitlines()[0] == "B-path of value 23: a1 a2 a3 b3 c3"
    assert paths([FULL, "--player", "B"]) == 0
    assert capsys.readouterr().out.strip() == b


def test_all_ties_are_drawn_on_request(capsys):
    assert paths([".,./.,.", "--player", "A", "--all"]) == 0
    assert capsys.readouterr().out.count("A-path of value 6") == 2


def test_random_boards_have_the_empty_cells_asked_for(capsys):
    assert shuffled(["--empty", "7", "--seed", "4"]) == 0
    text = capsys.readouterr().out.strip()
    assert Otter.from_text(text).empties == 7
    assert shuffled(["--empty", "7", "--seed", "4"]) == 0
    assert capsys.readouterr().out.strip() == text
    assert shuffled(["--board", "2x5"]) == 0
    assert Otter.from_text(capsys.readouterr().out.strip()).is_terminal
    with pytest.raises(UsageError, match="'4'"):
        shuffled(["--board", "4"])
    with pytest.raises(InvalidPosition, match="17 empty"):
        shuffled(["--empty", "17"])


def test_the_computer_moves_for_either_side(capsys, seed):
    capsys.readouterr()
    for empty in (6, 7):
        position = Otter.random(seed, empty=empty)
        assert move([position.to_text()]) == 0
        lines = capsys.readouterr().out.splitlines()
        played = position.parse_move(lines[0].split()[0])
        assert played in solve(position).best_moves
        assert lines[-1] == position.play(played).to_text()
    with pytest.raises(CGTError, match="over"):
        move([FULL])


def test_every_command_exists():
    assert {name for name in Otter.commands if callable(load(Otter.commands[name]))} == set(Otter.commands)
    assert len(Otter.commands) == 7
