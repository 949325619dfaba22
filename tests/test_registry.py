"""The games by name: ours, and those that other packages bring by an entry point."""

import pytest

from cgt_games.cli import main
from cgt_games.position import CGTError, InvalidPosition
from cgt_games.registry import GAMES, UnknownGame, game, game_names, read_position

PLUGIN = """
from dataclasses import dataclass
from cgt_games import ImpartialPosition

@dataclass(frozen=True)
class Plugged(ImpartialPosition):
    '''A heap from elsewhere.'''
    heap: int
    name = "plugged"
    def generate_moves(self, player):
        return iter(range(1, self.heap + 1))
    def apply(self, move, player):
        return Plugged(self.heap - move)
    def to_text(self):
        return str(self.heap)
    @classmethod
    def from_text(cls, text, *, to_move=None):
        return cls(int(text))

nothing = 5
"""


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """A package that is installed as far as Python can tell."""
    (tmp_path / "plugin_of_a_third_party.py").write_text(PLUGIN)
    information = tmp_path / "plugin_of_a_third_party-1.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Name: plugin-of-a-third-party\nVersion: 1\n")
    (information / "entry_points.txt").write_text(
        "[cgt_games]\n"
        "plugged = plugin_of_a_third_party:Plugged\n"
        "broken = plugin_of_a_third_party:nothing\n"
        "nim = plugin_of_a_third_party:Plugged\n"
    )
    monkeypatch.syspath_prepend(tmp_path)


def test_the_names_of_games_are_those_of_their_types():
    for name in GAMES:
        assert game(name).name == name


def test_an_unknown_game_is_refused_with_those_there_are():
    with pytest.raises(UnknownGame, match=r"no game is called 'chess'; there are nim, ") as caught:
        game("chess")
    assert isinstance(caught.value, CGTError)
    assert isinstance(caught.value, KeyError)


def test_a_third_party_brings_a_game(plugin, capsys):
    assert game_names() == [*GAMES, "broken", "plugged"]
    assert game("plugged").__name__ == "Plugged"
    assert main(["moves", "plugged", "2", "--json"]) == 0
    assert capsys.readouterr().out == '{"moves": ["1", "2"], "turns": 2, "results": 2}\n'


def test_our_games_cannot_be_replaced(plugin):
    assert game("nim").__module__ == "cgt_games.games.nim"


def test_what_is_no_game_is_refused(plugin):
    with pytest.raises(CGTError, match="'broken' is no state type: 5"):
        game("broken")


def test_rules_are_checked_before_the_game_sees_them():
    nim = game("nim")
    assert read_position(nim, "1,2", None, {"play": None}) == nim.from_text("1,2")
    for rules, message in (
        ({"plya": "misere"}, "nim has no option 'plya'"),
        ({"play": "fast"}, "'play' must be normal or misere, not 'fast'"),
        ({"play": 1}, "not 1"),
    ):
        with pytest.raises(InvalidPosition, match=message):
            read_position(nim, "1,2", None, rules)
