"""Play in the terminal, driven by text as a person would: moves, mistakes, undo, hints, saving, and leaving."""

from __future__ import annotations

import errno
import io
import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET

import pytest

from cgt_games import InvalidPosition, Nim, Northcott, Record, RoadWorks, Slither, solve
from cgt_games.cli import main
from cgt_games.registry import game, game_names, new_game


@pytest.fixture
def play(monkeypatch, capsys):
    """Plays the command with lines typed; gives the exit status and what was printed."""

    def run(words, *lines):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        status = main(["play", *words.split()])
        printed = capsys.readouterr()
        assert "Traceback" not in printed.err
        return status, printed.out + printed.err

    return run


def test_a_whole_game_is_won_by_the_hints(play, tmp_path):
    # Misère Nim 1, 3, 5, 7 is lost for who begins (Bouton), so the second player wins by any winning replies.
    path = tmp_path / "game.json"
    status, _ = play(f"nim --first computer --against random --seed 5 --save {path}", "quit")
    assert status == 0
    while (record := Record.load(path)).result is None:
        move = solve(record.position).winning_moves[0]
        status, printed = play(f"--resume {path} --against random --seed 5", "hint", str(move))
        assert status == 0
        assert "You can force a win. A good move: " in printed
    assert record.result == "second"
    assert dict(record.names) == {"first": "random", "second": "you"}
    assert "You win." in printed


def test_the_perfect_computer_wins_what_it_can(play):
    status, printed = play("nim 2,2 --first me --against perfect", "1:1", "2:1")
    assert (status, "The computer wins." in printed) == (0, True)
    assert "the computer (second): 2:1" in printed


def test_who_goes_first_is_asked_until_answered(play):
    _, printed = play("nim 1 --against perfect", "perhaps", "no")
    assert "Please answer yes or no." in printed
    assert "the computer (first): 1:1" in printed
    assert "The computer wins." in printed
    _, printed = play("nim 1 --against perfect", "", "1:1")
    assert "You win." in printed
    assert "You win." in play("nim 1 --against perfect", "me", "1:1")[1]
    assert "the computer (first): 1:1" in play("nim 1 --against perfect", "Computer")[1]


def test_in_a_finished_game_it_is_asked_who_goes_first_only_after_undo(play, tmp_path):
    status, printed = play("nim 0,0", "moves", "undo", "quit")
    assert (status, "go first" in printed) == (0, False)
    assert "Second wins. No move is left" in printed
    assert "There is no move of yours to take back." in printed
    Record.start(Nim(2, 1)).play("1:2").play("2:1").save(tmp_path / "over.json")
    words = f"--resume {tmp_path}/over.json --against perfect"
    _, printed = play(words, "undo", "no", "2:1", "quit")
    assert printed.index("Second wins.") < printed.index("Do you want to go first?") < printed.index("You win.")
    Record.start(Nim(2, 1)).play("1:2").play("2:1").save(tmp_path / "over.json")
    _, printed = play(words, "undo", "yes", "quit")
    assert "the computer (second): 2:1" in printed


def test_after_the_end_no_moves_are_listed(play):
    _, printed = play("nim 3 --first me --against perfect", "resign", "moves", "quit")
    assert printed.count("The game is over; you can undo") == 1
    assert "1:3" not in printed


def test_mistakes_are_explained_and_change_nothing(play):
    _, printed = play("nim 1,2 --against nobody", "3:1", "nonsense", "1:1", "", "hint me", "save", "quit")
    assert "there is no heap 3" in printed
    assert "'nonsense' is no move of Nim" in printed
    assert "'hint me' is no move" in printed
    assert "Say where: save FILE" in printed
    assert printed.rstrip().endswith("Not saved. Played: 1:1")


def test_undo_goes_back_to_ones_own_turn_and_never_before_the_start(play):
    _, printed = play("nim 3,3 --first me --against perfect", "undo", "1:1", "undo", "2:2", "quit")
    assert printed.count("There is no move of yours to take back.") == 1
    assert "Not saved. Played: 2:2 1:2" in printed
    _, printed = play("nim 3,3,1 --first computer --against perfect", "undo", "quit")
    assert "There is no move of yours to take back." in printed
    _, printed = play("nim 1,1 --against nobody", "1:1", "2:1", "undo", "undo", "undo", "2:1", "quit")
    assert "Second wins." in printed
    assert "Not saved. Played: 2:1" in printed


def test_undo_after_the_end_and_after_resigning(play):
    _, printed = play("nim 2,1 --first me --against perfect", "2:1", "undo", "resign", "1:1", "undo", "1:1", "quit")
    assert printed.count("The computer wins.") == 2
    assert "The game is over; you can undo" in printed
    assert "Not saved. Played: 1:1 " in printed


def test_a_swap_keeps_the_seats(play):
    # The second player takes over Black's stone by swapping, and White, now the first player, goes on.
    _, printed = play(
        "slither .../.../... --pie --against nobody --seconds 60", "b2", "hint", "swap", "undo", "swap", "quit"
    )
    assert "The second player can force a win" in printed
    assert "Not saved. Played: b2 swap" in printed
    start = Slither.empty(3, pie=True)
    for first, winner in (("me", "the computer"), ("computer", "you")):
        from cgt_games.cli.play import Table
        from cgt_games.players import RandomPlayer
        from cgt_games.solution import Limits

        table = Table(Record.start(start).play("b2").play("swap"), RandomPlayer(1), Limits(seconds=1))
        table.seat_people(first)
        black = start.to_move
        assert table.person(black, table.record.position) == winner


def test_what_falls_is_said(play):
    _, printed = play("road-works 3x3 --collapse --against nobody", "b2", "a3", "b1", "moves", "undo", "quit")
    assert "falls: a2 a4" in printed
    assert "Second wins." in printed


def test_a_game_is_saved_and_resumed_where_it_stood(play, tmp_path):
    path = tmp_path / "saved.json"
    _, printed = play("northcott L..R/L...R --first me --against perfect", "2:1-2", f"save {path}", "quit")
    assert f"cgt-games play --resume {path} goes on" in printed
    saved = Record.load(path)
    assert (len(saved.moves), dict(saved.names)) == (2, {"left": "you", "right": "perfect"})
    _, printed = play(f"--resume {path} --against perfect", "board", "quit")
    assert Record.load(path) == saved
    assert saved.position.board() in printed
    assert "the computer (" not in printed.partition("you (left)>")[0]


def test_no_file_is_overwritten(play, tmp_path):
    path = tmp_path / "precious.txt"
    path.write_text("precious")
    status, printed = play(f"nim --save {path}")
    assert (status, "exists already" in printed) == (2, True)
    _, printed = play("nim 2 --against nobody", "1:1", f"save {path}", f"save {tmp_path}/no/where.json")
    assert "exists already" in printed
    assert "No such file" in printed
    assert path.read_text() == "precious"


def test_a_file_that_cannot_be_written_is_refused_before_the_game(play, tmp_path):
    for path, reason in ((tmp_path / "nope" / "x", "No such file or directory"), (tmp_path, "exists already")):
        status, printed = play(f"nim 3 --first me --save {path}", "1:1")
        assert (status, len(printed.splitlines())) == (2, 1)
        assert str(path) in printed
        assert reason in printed
    play(f"nim 3 --first me --save {tmp_path}/new.json", "quit")
    assert list(tmp_path.iterdir()) == []


def test_a_game_goes_on_where_it_can_no_longer_be_saved(play, tmp_path, monkeypatch):
    def full(record, path):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(Record, "save", full)
    status, printed = play(f"nim 2,2 --first me --against perfect --save {tmp_path}/game.json", "1:1", "2:1")
    assert status == 0
    assert printed.count("game.json: No space left on device. The game is not saved") == 4
    assert "The computer wins." in printed
    assert "Not saved. Played: 1:1 2:1 2:1 1:1" in printed


def test_the_lists_are_bounded(play):
    _, printed = play("nim 999 --against nobody", "moves", "help", "?", "rules", "quit")
    assert "999 in all" in printed
    assert "1:201" not in printed
    assert printed.count("take back your last move") == 3
    assert "nim-sum" in printed


def test_the_end_of_input_is_no_error(play):
    status, printed = play("nim 3,4", "yes", "1:1")
    assert (status, "Not saved. Played: 1:1" in printed) == (0, True)
    assert play("nim 3,4")[0] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "a game is needed"),
        ("chess", "no game is called 'chess'"),
        ("sum", "sum has no usual start"),
        ("nim 1,x", "heap 2 is 'x'"),
        ("road-works --level 7", "level 7"),
        ("slither --to-move green", "to_move 'green'"),
        ("nim --to-move second", "always 'first'"),
        ("nim --seconds -1", "--seconds -1.0"),
        ("nim --resume game.json", "game cannot be given too"),
        ("--resume no-such-file.json", "no-such-file.json"),
        ("nim --first nobody", "--first"),
        ("nim 3 --first me --json", "--json"),
    ],
)
def test_bad_arguments_are_named_in_one_line(play, words, message):
    status, printed = play(words)
    assert (status, len(printed.splitlines())) == (2, 1)
    assert message in printed


def test_every_game_of_ours_but_a_sum_has_a_usual_start():
    from random import Random

    for name in game_names():
        if game(name).__module__.startswith("cgt_games.") and name != "sum":
            position = new_game(game(name), Random(1), None, {})
            assert position.legal_moves
            assert position == new_game(game(name), Random(1), str(position.to_move), {})
    assert new_game(Nim, Random(1), None, {}) == Nim.standard()
    assert new_game(Nim, Random(1), None, {"play": "normal"}) == Nim(1, 3, 5, 7)
    assert new_game(RoadWorks, Random(1), None, {}) == RoadWorks.level(2)
    assert new_game(RoadWorks, Random(1), None, {"collapse": False}) == RoadWorks.level(1)
    assert new_game(RoadWorks, Random(1), None, {"level": 4}) == RoadWorks.level(4)
    start = new_game(Northcott, Random(1), "right", {"retreats": False})
    assert ([row.width for row in start.rows], start.to_move, start.retreats) == ([8] * 8, "right", False)
    with pytest.raises(InvalidPosition, match="no option 'colour'"):
        new_game(Nim, Random(1), None, {"colour": 1})


def test_ctrl_c_leaves_cleanly_and_says_what_was_played():
    command = [sys.executable, "-m", "cgt_games", "play", "nim", "3,4", "--against", "nobody"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        process.stdin.write("1:1\n")
        process.stdin.flush()
        seen = ""
        while "2: oooo     4\n\n" not in seen or seen.count("1: oo ") != 1:
            letter = process.stdout.read(1)
            assert letter, f"the process ended after {seen!r}"
            seen += letter
        time.sleep(0.2)  # until it waits for the next line; if it does not yet, Ctrl-C comes between two lines
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert process.returncode == 130
    assert out.rstrip().endswith("Not saved. Played: 1:1")
    assert err == ""


def test_ctrl_c_while_the_computer_thinks_leaves_too(play, monkeypatch):
    import cgt_games.players
    from cgt_games.solution import Solution

    def interrupted(position, **options):
        return Solution(position, None, exact=False, stopped="interrupt")

    monkeypatch.setattr(cgt_games.players, "solve", interrupted)
    for against in ("perfect", "timed"):
        status, printed = play(f"nim 3,4 --first me --against {against}", "1:1")
        assert (status, "Not saved. Played: 1:1" in printed) == (130, True)


def test_show_writes_a_picture(tmp_path, capsys):
    path = tmp_path / "board.svg"
    assert main(["show", "nim", "3,5", "--svg", str(path), "--last-move", "2:2", "--highlight", "1:1", "1:3"]) == 0
    text = path.read_text(encoding="utf-8")
    assert ET.fromstring(text).find("{http://www.w3.org/2000/svg}title").text == "nim 3,5: first to move"
    assert len(re.findall('class="s-highlight"', text)) == 2
    assert main(["show", "nim", "3,5", "--svg", "-"]) == 0
    assert capsys.readouterr().out.startswith("<svg")
    assert main(["show", "nim", "3,5", "--highlight", "1:1"]) == 2
    assert main(["show", "nim", "3,5", "--svg", "-", "--highlight", "4:1"]) == 2
    assert "4:1 names no place" in capsys.readouterr().err


def test_replay_writes_a_strip(tmp_path, capsys):
    record = Record.start(Nim(2, 1)).play("1:1").resign()
    record.save(tmp_path / "game.json")
    assert main(["replay", str(tmp_path / "game.json"), "--svg", str(tmp_path / "strip.svg")]) == 0
    assert "1. first 1:1, first wins" in (tmp_path / "strip.svg").read_text(encoding="utf-8")
    assert capsys.readouterr().out == ""
