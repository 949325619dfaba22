"""The demo: it shows what games declare, and what it shows is true."""

import random
import re
import sys
from dataclasses import dataclass

import pytest

import cgt_games.registry
from cgt_games import Nim, Otter, RoadWorks, Slither, grundy, solve
from cgt_games.cli import demo, main
from cgt_games.games.otter.showcase import scenes as otter_scenes
from cgt_games.games.road_works.showcase import in_blocks
from cgt_games.games.slither.showcase import won_by_moving
from cgt_games.players import PerfectPlayer
from cgt_games.position import ImpartialPosition
from cgt_games.registry import game, game_names, load
from cgt_games.showcase import Scene

OURS = ["nim", "northcott", "otter", "road-works", "slither"]


@dataclass(frozen=True)
class Subtract(ImpartialPosition):
    """Take one or two; a game from elsewhere."""

    left: int
    name = "subtract"
    showcase = "test_demo:some_scenes"

    def generate_moves(self, player):
        return iter(range(1, min(self.left, 2) + 1))

    def apply(self, move, player):
        return Subtract(self.left - move)

    def to_text(self):
        return str(self.left)


def some_scenes(generator):
    return [
        Scene("Take one or two", Subtract(40), plays=True, remark=lambda solution: f"{solution.value} it is."),
        Scene("Nothing to take", Subtract(0), winner_only=True),
    ]


@pytest.fixture
def subtract(monkeypatch):
    monkeypatch.setitem(cgt_games.registry.GAMES, "subtract", "test_demo:Subtract")


def shown(capsys, *words):
    assert main(["demo", *words]) == 0
    return capsys.readouterr().out


def test_all_five_games_are_shown_and_a_seed_repeats_them(capsys):
    printed, again = (shown(capsys, "--seed", "7") for _ in range(2))
    texts = re.findall(r"^text: (.*)$", printed, re.MULTILINE)
    assert [name for name in game_names() if game(name).showcase] == OURS
    assert len(texts) >= len(OURS)
    assert not re.search(r"stopped early", printed)

    # Each time taken is of the machine; all else is of the seed.
    def timeless(text):
        return re.sub(r"[0-9.e-]+ s\b|[0-9,]+ times", "", text)

    assert timeless(printed) == timeless(again)
    assert timeless(printed) != timeless(shown(capsys, "--seed", "8"))
    assert "Where to go next" in printed


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", OURS)
def test_scenes_are_of_the_game_and_not_over(name, seed):
    for scene in load(game(name).showcase)(random.Random(seed)):
        assert isinstance(scene.position, game(name))
        assert not scene.position.is_terminal
        assert len(scene.title) <= demo.WIDTH


@pytest.mark.parametrize("seed", range(5))
def test_corners_first_keeps_what_the_theorem_promises(seed):
    last_seven, corners = (scene.position for scene in otter_scenes(random.Random(seed)))
    assert last_seven.empties == 7
    assert isinstance(corners, Otter)
    assert all(corners.cells[corner] for corner in (0, 3, 12, 15))
    assert corners.empties <= 10
    # docs/results/otter-strategy-4x4.md: a margin of at least 2 against every reply.
    assert solve(corners).value >= 2


@pytest.mark.parametrize("seed", range(5))
def test_the_city_falls_apart_into_blocks_whose_values_add_up(seed):
    position = in_blocks(random.Random(seed))
    parts = position.components()
    assert len(parts) >= 2
    total = 0
    for part in parts:
        total ^= grundy(part)
    assert total == solve(position).value != 0
    assert RoadWorks.from_text(position.to_text(), level=4) == position


@pytest.mark.parametrize("seed", range(5))
def test_only_a_moved_stone_connects(seed):
    position = won_by_moving(random.Random(seed))
    turns = [turn for turn in position.legal_moves if position.play(turn).winner == position.to_move]
    assert turns
    assert all(turn.source for turn in turns)
    assert isinstance(position, Slither)


def test_a_game_from_elsewhere_is_shown_too(subtract, capsys):
    printed = shown(capsys, "subtract", "--seed", "1")
    # Multiples of three are lost: 40 is won, with the value 40 mod 3.
    assert "Take one or two\n===============\n" in printed
    assert re.search(r"^winner +first\ngrundy +1\nwinning moves 1$", printed, re.MULTILINE)
    assert "1 it is." in printed
    assert "After " in printed
    assert "first has won." in printed
    assert re.search(r"best line +(\d ){16}\.\.\. \(\d+ moves\)", printed)
    assert "winner        second\nobtained by" in printed  # where the winner alone is asked for
    assert "play subtract" in printed


def test_the_winning_side_is_played_perfectly_from_either_seat(capsys):
    for start in (Nim(4, 5), Nim(5, 5)):
        demo.play(solve(start), PerfectPlayer())
        printed = capsys.readouterr().out
        assert f"{solve(start).winner} has won" in printed


def test_what_is_not_proved_in_time_is_not_said(subtract, monkeypatch, capsys):
    monkeypatch.setattr(demo, "SCENE_SECONDS", 0.0)
    printed = shown(capsys, "subtract")
    assert "winner        not known" in printed
    assert "has won" not in printed


def test_a_game_without_a_showcase_is_refused(capsys):
    assert main(["demo", "sum"]) == 2
    assert capsys.readouterr().err == (
        "cgt-games: sum has nothing to show in a demo; there are nim, northcott, otter, road-works, slither\n"
    )
    assert main(["demo", "chess"]) == 2
    assert "no game is called 'chess'" in capsys.readouterr().err


def test_the_command_to_go_on_with_can_be_typed(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python9"))
    assert demo._command() == "python9 -m cgt_games"
    (tmp_path / "cgt-games").touch()
    monkeypatch.chdir(tmp_path)
    assert demo._command() == "cgt-games"
    (tmp_path / "cgt-games").chmod(0o755)
    monkeypatch.chdir("/")
    assert demo._command() == "cgt-games"
