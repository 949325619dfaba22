"""The command ``match``: who wins how often, what is kept of the games, and one line for each mistake."""

from __future__ import annotations

import json

import pytest

from cgt_games import Record
from cgt_games.cli import main
from cgt_games.players import wilson


@pytest.fixture
def match(capsys):
    """Runs the command: exit status, what it printed, what it said on stderr."""

    def run(*words):
        status = main(["match", *words])
        return status, *capsys.readouterr()

    return run


def test_a_match_says_who_won_how_often_and_how_sure_that_is(match):
    status, printed, _ = match("nim", "1", "--players", "perfect", "random", "--games", "4", "--json")
    fields = json.loads(printed)
    assert status == 0
    # Who begins takes the one object and wins, so each player wins two of four games.
    assert (fields["games"], fields["wins"], fields["draws"]) == (4, 2, 0)
    assert fields["interval"] == [round(bound, 4) for bound in wilson(2, 4)]
    assert (fields["game"], fields["position"], fields["play"]) == ("nim", "1", "normal")
    assert fields["players"] == ["perfect", "random"]


def test_each_game_has_a_line(match):
    _, printed, _ = match("nim", "1", "--players", "random", "perfect", "--games", "3", "--seed", "7")
    lines = printed.splitlines()
    assert lines[:3] == [
        "game 1: won by random in 1 moves; random 1",
        "game 2: won by perfect in 1 moves; random 1",
        "game 3: won by random in 1 moves; random 2",
    ]
    assert lines[3].startswith("random against perfect: 2 of 3 won (95 % interval 20.8 to 93.9 %), ")
    assert lines[3].endswith(", seed 7")


def test_the_games_are_kept_and_replay(match, tmp_path):
    words = ("nim", "3,4", "--players", "random", "random", "--games", "2", "--seed", "3", "--record")
    for directory in ("once", "again"):
        assert match(*words, str(tmp_path / directory))[0] == 0
    first, second = (Record.load(tmp_path / "once" / f"game-{number}.json") for number in (1, 2))
    assert dict(first.names) == {"first": "random 1", "second": "random 2"}
    assert dict(second.names) == {"first": "random 2", "second": "random 1"}
    assert first.result is not None
    # The same seed gives the same games.
    assert first == Record.load(tmp_path / "again" / "game-1.json")
    status, _, said = match(*words, str(tmp_path / "once"))
    assert (status, "game-1.json exists already" in said) == (2, True)


@pytest.mark.parametrize("kind", ["timed", "monte-carlo"])
def test_players_with_a_time_keep_what_they_can_win(match, kind):
    _, printed, _ = match("nim", "2,2", "--players", kind, "perfect", "--games", "2", "--seconds", "0.3", "--json")
    # Two equal heaps are lost for who begins.
    assert json.loads(printed)["wins"] == 1


def test_without_a_position_the_usual_start_is_played(match):
    words = ("northcott", "--players", "perfect", "random", "--games", "1", "--seed", "1", "--json")
    fields = json.loads(match(*words)[1])
    assert fields["games"] == 1
    assert fields["position"] == json.loads(match(*words)[1])["position"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("nim 1", "--players"),
        ("nim 1 --players random", "expected 2 arguments"),
        ("nim 1 --players random somebody", "invalid choice: 'somebody'"),
        ("nim 1 --players random random --games 0", "--games 0 must be at least 1"),
        ("nim 1 --players random random --seconds -1", "--seconds -1.0 must be at least 0"),
        ("nim 1 --players random random --seconds nan", "--seconds nan must be at least 0"),
        ("nim 0 --players random random", "nothing to play"),
        ("slither .../.../... --pie --players random random", "without the pie rule"),
        ("--players random random", "a game is needed, such as cgt-games match nim"),
    ],
)
def test_each_mistake_is_one_line(match, words, message):
    status, printed, said = match(*words.split())
    assert (status, printed, said.count("\n")) == (2, "", 1)
    assert message in said


def test_ctrl_c_ends_a_match(match, monkeypatch):
    def interrupt(*arguments, **named):
        raise KeyboardInterrupt

    monkeypatch.setattr("cgt_games.players.RandomPlayer.choose", interrupt)
    assert match("nim", "1", "--players", "random", "random")[0] == 130
