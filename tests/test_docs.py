"""The documentation: its commands can be called, and its reference leaves nothing out."""

import argparse
import io
import json
import re
import shlex
from pathlib import Path

import pytest

import cgt_games
from cgt_games.cli import COMMANDS, main
from cgt_games.registry import GAMES, game

ROOT = Path(__file__).parents[1]
PAGES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if "_build" not in path.parts and path.name not in ("CHANGELOG.md", "CONTRIBUTING.md")
}
RUN = {
    name: found
    for name, text in PAGES.items()
    if "results" not in name and (found := re.findall(r"^    cgt-games (.*)$", text, re.MULTILINE))
}
"""The commands that a page tells its reader to type; those of the results take hours."""
NAMED = [
    (name, command)
    for name, text in PAGES.items()
    for command in re.findall(r"(?:^    |`)cgt-games ([^`\n]+?)(?:`|$|   +\()", text, re.MULTILINE)
    if not re.search(r"\b[A-Z]{2,}\b|\.\.\.", command.split("#")[0])
]
"""All commands that are written out in full, on any page."""
POSITIONS = re.search(
    r"```json\n(\{\"game\": \"nim\", \"position\": \"3,5,7\"\}\n.*?)```", PAGES["docs/how-to/command-line.md"], re.S
)
LAST_LINE_IS_BAD = 1
TYPED = "no\nmoves\nhint\n1:1\nquit\n"
"""What somebody says in a game: that the computer may begin, if asked; and a move, if it is Nim."""


class Parsed(Exception):
    """The words of a command were understood."""


def words_of(command):
    """The words of a command, and the file that it reads from standard input, if any."""
    words = shlex.split(command, comments=True)
    if "<" in words:
        at = words.index("<")
        return words[:at], words[at + 1]
    return words, None


@pytest.mark.parametrize("name", RUN)
def test_the_commands_of_a_page_work_one_after_the_other(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "positions.jsonl").write_text(POSITIONS[1])
    for command in RUN[name]:
        words, file = words_of(command)
        if words[0] == "match":
            words += ["--games", "2", "--seconds", "0.02"]  # the last word counts
        typed = TYPED if file is None else (tmp_path / file).read_text()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
        files = set(tmp_path.iterdir())
        status = main(words)
        shown = capsys.readouterr()
        assert status == (LAST_LINE_IS_BAD if file else 0), f"{command}: {shown.err}"
        assert shown.out or set(tmp_path.iterdir()) > files, f"{command} neither says nor writes anything"


@pytest.mark.parametrize(("name", "command"), NAMED)
def test_every_command_named_anywhere_is_one(name, command, monkeypatch):
    # Parsed by the real parser and then left, for some of them take hours.
    def leave(parse):
        def parsed(self, *args, **kwargs):
            parse(self, *args, **kwargs)
            raise Parsed

        return parsed

    for method in ("parse_args", "parse_intermixed_args"):
        monkeypatch.setattr(argparse.ArgumentParser, method, leave(getattr(argparse.ArgumentParser, method)))
    monkeypatch.setitem(GAMES, "dawson", GAMES["nim"])  # the reader's own game
    words, _ = words_of(command)
    if len(words) == 1 and not words[0].startswith("-"):
        assert words[0] in COMMANDS or any(words[0] in game(other).commands for other in GAMES)
    elif words == ["--help"]:
        assert main(words) == 0
    else:
        with pytest.raises((Parsed, SystemExit)) as left:
            main(words)
        assert left.type is Parsed or left.value.code == 0  # --help of a command


def test_the_answer_shown_is_the_answer_given(capsys):
    shown = json.loads(re.search(r"```json\n(\{\n.*?\n\})\n```", PAGES["docs/how-to/command-line.md"], re.DOTALL)[1])
    assert main(["solve", "nim", "3,5,7", "--json"]) == 0
    given = json.loads(capsys.readouterr().out)
    assert shown | {"seconds": 0} == given | {"seconds": 0}


def test_there_are_commands():
    assert sum(map(len, RUN.values())) >= 50
    assert len(NAMED) > sum(map(len, RUN.values()))
    assert POSITIONS[1].count("\n") == 5


def test_the_reference_has_all_public_rooms():
    documented = set(re.findall(r"automodule:: cgt_games\.(\S+)", "".join(PAGES.values())))
    rooms = {path.stem for path in Path(cgt_games.__file__).parent.iterdir() if path.suffix == ".py" or path.is_dir()}
    rooms -= {"__init__", "__main__", "__pycache__", "py"}
    without = {"cli", "command", "games", "show"}  # the command line itself, and rooms whose modules are listed
    assert rooms - without <= documented
    assert {"show.pictures", "show.tables"} <= documented
    assert {home for home in cgt_games._HOME.values() if not home.startswith("games.")} <= documented


@pytest.mark.parametrize("name", [name for name in PAGES if name.startswith("docs/games/")])
def test_each_game_has_a_page_with_everything(name):
    headings = re.findall(r"^## (.*)$", PAGES[name], re.MULTILINE)
    for heading in ("Theory", "Results", "Complexity", "Commands", "Reference"):
        assert heading in headings
    assert "![" in PAGES[name]


def test_each_game_has_a_page():
    pages = {Path(name).stem for name in PAGES if name.startswith("docs/games/")}
    assert pages == {name for name in GAMES if name != "sum"}
