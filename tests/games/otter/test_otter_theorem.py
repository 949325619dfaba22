"""The command otter-theorem on boards that are small enough to check."""

import json

import pytest

from cgt_games import CGTError, Limits, Otter, Search, solve
from cgt_games.command import UsageError
from cgt_games.games.otter.theorem import Theorem, main, markdown

BOARDS = [(3, 3), (2, 4), (4, 2)]


def proved(start, checkpoint=None, **options):
    theorem = Theorem(start, Search(), checkpoint)
    theorem.prove(**options)
    return theorem


@pytest.mark.parametrize("board", BOARDS)
def test_every_first_move_has_the_margin_that_solving_the_position_after_it_gives(board):
    start = Otter.empty(*board)
    theorem = proved(start, all_margins=True)
    for entry in theorem.entries:
        margin = solve(start.play(entry.orbit[0])).value
        assert entry.low == entry.high == margin
        for alike in entry.orbit[1:]:
            assert solve(start.play(alike)).value == margin
    whole = solve(start)
    assert theorem.margin == whole.value
    assert sorted(theorem.report()["best_first_moves"]) == sorted(map(str, whole.best_moves))


def test_an_interrupted_proof_continues_and_ends_with_the_same_report(tmp_path):
    start = Otter.empty(3, 3)
    whole = proved(start).report()
    checkpoint = tmp_path / "proof.npz"
    spent, interruptions = 0, 0
    while True:
        search = Search(Limits(nodes=4000))
        theorem = Theorem(start, search, checkpoint)
        with search.guard():
            theorem.prove()
        if search.stopped is None:
            break
        interruptions += 1
        assert theorem.nodes > spent  # it went on from where it was
        spent = theorem.nodes
    assert interruptions >= 3
    report = theorem.report()
    assert report["interruptions"] == interruptions
    assert report["nodes"] > spent
    for name in ("winner", "margin", "first_moves_by_result", "best_first_moves"):
        assert report[name] == whole[name]
    for again, once in zip(report["moves"], whole["moves"], strict=True):
        assert (again["move"], again["winner"]) == (once["move"], once["winner"])


def test_the_checkpoint_of_another_board_is_refused(tmp_path):
    proved(Otter.empty(2, 4), tmp_path / "proof.npz")
    with pytest.raises(CGTError, match="another board"):
        Theorem(Otter.empty(4, 2), Search(), tmp_path / "proof.npz").prove()


def test_the_command_writes_its_report(tmp_path, capsys):
    assert main(["--board", "2x4", "--out", str(tmp_path), "--nodes", "500"]) == 1
    assert "continues from" in capsys.readouterr().out
    assert main(["--board", "2x4", "--out", str(tmp_path)]) == 0
    report = json.loads((tmp_path / "otter-2x4.json").read_text())
    assert report["margin"] == solve(Otter.empty(2, 4)).value
    assert (tmp_path / "otter-2x4.md").read_text() == markdown(report, "cgt-games otter-theorem --board 2x4")
    assert report["first_moves"] == sum(report["first_moves_by_result"].values()) == 64


@pytest.mark.parametrize("board", ["4", "1x4", "5x5", "axb"])
def test_a_bad_board_is_refused(board, tmp_path):
    with pytest.raises(UsageError, match=board):
        main(["--board", board, "--out", str(tmp_path)])
