"""The command line: one line for each mistake, exact JSON, and no knowledge of any game."""

import io
import json
import os
import select
import signal
import subprocess
import sys
import termios
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import ClassVar

import pytest

import cgt_games.registry
from cgt_games import Nim, Record
from cgt_games.cli import COMMANDS, main
from cgt_games.cli.progress import Bar
from cgt_games.cli.solving import SOLVE_OPTIONS
from cgt_games.perft import perft
from cgt_games.position import ImpartialPosition, InvalidPosition, Rule
from cgt_games.registry import game, game_names
from cgt_games.solution import Progress


@dataclass(frozen=True)
class Toy(ImpartialPosition):
    """A heap with a rule of each kind.

    Its second paragraph.
    """

    size: int
    most: int = 2
    even: bool = False
    name = "toy"
    rule_options = (Rule("most", int, 2, "the most that a move takes, 100%"), Rule("even_only", bool, False, "even"))
    commands = MappingProxyType({"double": "test_cli:double", "table": "test_cli:table"})
    warmed: ClassVar[list[str]] = []

    def rules(self):
        return {"most": self.most, "even_only": self.even}

    def generate_moves(self, player):
        takes = range(1, min(self.size, self.most) + 1)
        return iter([take for take in takes if not (self.even and take % 2)])

    def apply(self, move, player):
        return Toy(self.size - move, self.most, self.even)

    def to_text(self):
        return str(self.size)

    @property
    def fallen(self):
        return ("a", "b") if self.size == 1 else ()

    @classmethod
    def from_text(cls, text, *, to_move=None, most=2, even_only=False):
        if not text.isdecimal():
            raise InvalidPosition(f"{text!r} is\nno number")
        return cls(int(text), most, even_only)

    @classmethod
    def warm_up(cls):
        cls.warmed.append("toy")


class OtherToy(Toy):
    """Another."""

    name = "other-toy"
    commands = MappingProxyType({"table": "test_cli:other_table"})


def double(words):
    print(" ".join(words * 2))
    return 7


def table(words):
    print("toy table", *words)
    return 0


def other_table(words):
    print("other table", *words)
    return 0


@pytest.fixture
def toys(monkeypatch):
    monkeypatch.setitem(cgt_games.registry.GAMES, "toy", "test_cli:Toy")
    monkeypatch.setitem(cgt_games.registry.GAMES, "other-toy", "test_cli:OtherToy")


@pytest.fixture
def run(capsys):
    """Run a command line: exit status, what it printed, what it said on stderr."""

    def call(*words):
        status = main(words)
        printed, said = capsys.readouterr()
        return status, printed, said

    return call


@pytest.fixture
def run_json(run):
    def call(*words):
        status, printed, said = run(*words, "--json")
        assert (status, said) == (0, "")
        assert printed.count("\n") == 1
        return json.loads(printed)

    return call


@pytest.fixture
def run_batch(run, monkeypatch):
    """Feed lines (texts, bytes or values) to a command: exit status and the replies as values."""

    def call(command, *lines, words=()):
        encoded = [
            line if isinstance(line, bytes) else (line if isinstance(line, str) else json.dumps(line)).encode()
            for line in lines
        ]
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\n".join(encoded))))
        status, printed, said = run(command, "--batch", *words)
        assert said == ""
        return status, [json.loads(line) for line in printed.splitlines()]

    return call


def assert_one_line(result, *parts):
    status, printed, said = result
    assert (status, printed) == (2, "")
    assert said.startswith("cgt-games: ")
    assert said.count("\n") == 1
    for part in parts:
        assert part in said


# --- solve ---


def test_solve_prints_the_fields_in_order(run_json):
    fields = run_json("solve", "nim", "3,5,7")
    limited = run_json("solve", "nim", "3,5,7", "--seconds", "9", "--to-move", "first", "--engine", "general")
    assert list(fields) == list(limited) == [
        "game", "position", "play", "to_move", "winner", "value", "winning_moves", "best_moves", "exact", "nodes",
        "seconds", "engine",
    ]  # fmt: skip
    # 3 xor 5 xor 7 is 1, and one object from any odd heap makes it 0.
    assert fields["value"] == {"grundy": 1}
    assert fields["winning_moves"] == ["1:1", "2:1", "3:1"]
    assert (fields["to_move"], fields["winner"], fields["exact"]) == ("first", "first", True)


def test_solve_says_which_rules_and_echoes_what_was_asked(run_json):
    fields = run_json("solve", "--winner-only", "nim", "1,3,5,7", "--play", "misere")
    assert fields["winner_only"] is True
    assert fields["play"] == "misere"
    assert (fields["winner"], fields["value"]) == ("second", None)
    assert fields["winning_moves"] is fields["best_moves"] is None


def test_the_value_of_a_game_that_is_over_is_null(run_json):
    assert run_json("solve", "nim", "0")["value"] is None
    assert run_json("solve", "northcott", "LR")["value"] is None


def test_the_side_to_move_is_an_option(run_json):
    fields = [run_json("solve", "northcott", "L..R.", *words) for words in ((), ("--to-move", "right"))]
    assert [(one["to_move"], one["winner"]) for one in fields] == [("left", "left"), ("right", "right")]
    assert fields[1]["winning_moves"] == ["1:4-2"]


def test_solve_for_people_shows_board_and_answer(run):
    status, printed, said = run("solve", "nim", "3,5,7")
    assert (status, said) == (0, "")
    assert "first to move" in printed
    assert "winning moves 1:1 2:1 3:1" in printed


def test_the_reference_engine_agrees(run_json):
    plain, fast = (run_json("solve", "nim", "2,3,4", *words) for words in (("--engine", "reference"), ()))
    assert plain["engine"] != fast["engine"]
    for field in ("winner", "value", "winning_moves"):
        assert plain[field] == fast[field]


def test_limits_give_a_partial_answer(run_json):
    fields = run_json("solve", "nim", "30,31,32,33", "--engine", "reference", "--nodes", "10")
    assert fields["exact"] is False
    assert fields["winner"] is fields["value"] is None


def test_integers_are_written_in_full(run_json, run_batch, monkeypatch):
    heap = "9" * 5000  # more digits than Python reads by default
    before = sys.get_int_max_str_digits()
    monkeypatch.setattr(json, "loads", partial(json.loads, parse_int=str))
    fields = run_json("solve", "nim", heap)
    assert fields["value"] == {"grundy": heap}
    assert fields["winning_moves"] == [f"1:{heap}"]
    assert run_json("moves", "nim", heap) == {"moves": None, "turns": heap, "results": heap}
    assert run_batch("solve", {"game": "nim", "position": heap})[1][0]["value"] == {"grundy": heap}
    assert sys.get_int_max_str_digits() == before


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["nim", "-1"], "-1"),
        (["nim", "-1,2"], "-1"),
        (["nim", "1,,2"], "heap 2"),
        (["nim", ""], ""),
        (["nim", "1,x"], "'x'"),
        (["nim", "3", "--play", "fast"], "'fast'"),
        (["nim", "3", "--to-move", "left"], "left"),
        (["northcott", "R..L"], "row 1"),
        (["northcott", "L.L"], "row 1"),
        (["northcott", "L.R", "--to-move", "up"], "'up'"),
        (["northcott", "L.R", "--play", "misere"], "draw"),
        (["chess", "e4", "--play", "x"], "no game is called 'chess'"),
        (["nim"], "position"),
        ([], "game"),
        (["nim", "3", "4"], "4"),
        (["nim", "3", "--bogus"], "--bogus"),
        (["nim", "3", "--nodes", "many"], "'many'"),
        (["nim", "3", "--nodes", "-5"], "-5"),
        (["nim", "3", "--seconds", "nan"], "nan"),
        (["nim", "3", "--engine", "warp"], "'warp'"),
        (["nim", "3", "--play"], "--play"),
        (["--batch", "nim", "3"], "'game'"),
    ],
)
def test_each_mistake_is_one_line_that_names_it(run, words, part):
    assert_one_line(run("solve", *words), part)
    assert_one_line(run("solve", *words, "--json"), part)


# --- a game the command line has never heard of ---


def test_options_come_from_the_rules_of_the_game(toys, run_json, run_batch):
    # Taking 1 to 4, a heap of 6 has value 6 mod 5; taking 2 or 4 objects is taking 1 or 2 pairs of 3: value 3 mod 3.
    assert run_json("solve", "toy", "6", "--most", "4")["value"] == {"grundy": 1}
    even = run_json("solve", "--even-only", "toy", "6", "--most", "4")
    assert even["value"] == {"grundy": 0}
    assert (even["most"], even["even_only"]) == (4, True)
    assert run_json("solve", "toy", "6", "--no-even-only")["even_only"] is False
    _, replies = run_batch("solve", {"game": "toy", "position": "6", "most": 4, "even_only": True})
    assert {**replies[0], "seconds": 0} == {**even, "seconds": 0}


def test_an_error_of_several_lines_is_joined(toys, run):
    assert_one_line(run("solve", "toy", "x"), "'x' is no number")


def test_games_bring_their_own_commands(toys, run):
    assert run("double", "a", "--b") == (7, "a --b a --b\n", "")
    assert run("table", "toy", "4") == (0, "toy table 4\n", "")
    assert run("table", "other-toy", "4") == (0, "other table 4\n", "")
    assert "of toy: double, table" in run("--help")[1]


def test_what_fell_is_told(toys, run_json):
    assert run_json("after", "toy", "3", "2") == {
        "position": "1",
        "to_move": "first",
        "winner": None,
        "fallen": ["a", "b"],
    }


def test_warm_up_asks_the_games(toys, run):
    Toy.warmed.clear()
    status, printed, _ = run("warm-up", "toy", "nim")
    assert status == 0
    assert Toy.warmed == ["toy"]
    assert [line.split()[0] for line in printed.splitlines()] == ["toy", "nim"]
    assert_one_line(run("warm-up", "chess"), "'chess'")


def test_list_and_rules(toys, run, run_json):
    status, printed, _ = run("list")
    assert status == 0
    for name in game_names():
        assert f"\n{name} " in f"\n{printed}"
    assert "--most int" in printed
    assert "A heap with a rule of each kind." in printed
    assert run("rules", "toy")[1].startswith("The command line: one line for each mistake")
    assert "Who cannot move" in run("rules", "northcott")[1] or "cannot move" in run("rules", "northcott")[1]
    assert_one_line(run("rules", "chess"), "'chess'")
    assert json.loads(run("list", "--json")[1].splitlines()[0])["game"] == "nim"


@pytest.mark.parametrize("name", game_names())
def test_every_game_fits_the_command_line(name):
    state_type = game(name)
    reserved = {"game", "position", "to_move", "json", "batch", "moves", "depth", "distinct", "help"}
    options = [rule.name for rule in state_type.rule_options]
    assert not {*reserved, *(option.name for option in SOLVE_OPTIONS)} & set(options)
    assert all(option.isidentifier() and option.islower() for option in options)
    assert not set(COMMANDS) & set(state_type.commands)
    assert state_type.name == name
    for command in state_type.commands.values():
        assert callable(cgt_games.registry.load(command))


# --- batch ---


def test_a_bad_line_is_answered_in_its_place_and_the_rest_goes_on(run_batch):
    good = {"game": "nim", "position": "3,5,7"}
    status, replies = run_batch(
        "solve",
        good,
        "{not json",
        "[1]",
        "",
        b"\xff\xfe",
        {"position": "1"},
        {"game": "nim"},
        {"game": "nim", "position": 3},
        {"game": "chess", "position": "e4"},
        {**good, "plya": "misere"},
        {**good, "play": 3},
        {**good, "winner_only": "yes"},
        {**good, "nodes": True},
        {**good, "nodes": -1},
        {**good, "to_move": 1},
        {**good, "position": "1,,2"},
        "[" * 100_000,
        good,
    )
    assert status == 1
    assert [reply.get("line") for reply in replies] == [None, 2, 3, *range(5, 18), None]
    assert all(list(reply) == ["error", "line"] for reply in replies[1:-1])
    for reply, part in zip(
        replies[1:-1],
        [
            "JSON", "object", "UTF-8", "'game' is missing", "'position' is missing", "'position' must be a text",
            "'chess'", "'plya'", "play", "winner_only", "nodes", "-1", "to_move", "heap 2", "JSON",
        ],
        strict=True,
    ):  # fmt: skip
        assert part in reply["error"]
    assert {**replies[0], "seconds": 0} == {**replies[-1], "seconds": 0}


def test_a_good_batch_exits_with_0_and_keeps_the_order(run_batch):
    status, replies = run_batch("solve", *({"game": "nim", "position": f"{n},1"} for n in range(5)))
    assert status == 0
    assert [reply["value"]["grundy"] for reply in replies] == [1, 0, 3, 2, 5]


def test_options_of_the_command_hold_for_lines_that_say_nothing_else(run_batch):
    line = {"game": "nim", "position": "1,2"}
    _, replies = run_batch("solve", line, {**line, "winner_only": False}, words=["--winner-only"])
    assert [reply["winning_moves"] for reply in replies] == [None, ["2:1"]]


def test_an_empty_batch_is_fine(run_batch):
    assert run_batch("solve") == (0, [])


def test_moves_in_a_batch(run_batch):
    status, replies = run_batch("moves", {"game": "nim", "position": "2,1"}, {"game": "nim", "position": "x"})
    assert status == 1
    assert replies[0] == {"moves": ["1:1", "1:2", "2:1"], "turns": 3, "results": 3}
    assert replies[1]["line"] == 2


# --- the other commands ---


def test_moves_are_listed_and_counted(run, run_json):
    assert run("moves", "nim", "2,1")[1].splitlines()[:3] == ["1:1", "1:2", "2:1"]
    assert run_json("moves", "nim", "0") == {"moves": [], "turns": 0, "results": 0}
    assert len(run_json("moves", "nim", "100000")["moves"]) == 100_000
    assert run_json("moves", "nim", "100001") == {"moves": None, "turns": 100_001, "results": 100_001}


def test_after_plays_moves(run, run_json):
    assert run_json("after", "nim", "3,1", "1:2", "2:1") == {
        "position": "1,0", "to_move": "first", "winner": None, "fallen": [],
    }  # fmt: skip
    assert run_json("after", "nim", "1", "--play", "misere", "1:1")["winner"] == "first"
    status, printed, _ = run("after", "northcott", "L..R", "1:1-2")
    assert status == 0
    assert "right to move" in printed
    assert ".L.R" in printed


def test_an_illegal_move_is_an_error(run):
    assert_one_line(run("after", "nim", "3", "1:4"), "1:4")
    assert_one_line(run("after", "nim", "3", "1:1", "1:-1"), "1:-1")
    assert_one_line(run("after", "nim", "3"), "MOVE")
    status, printed, said = run("after", "nim", "3", "1:4", "--json")
    assert (status, said) == (2, "")
    assert "1:4" in json.loads(printed)["error"]


def test_perft_counts_sequences(run, run_json):
    # From heaps 2,1: three moves; then 1,1 has two replies, 0,1 has one, 2,0 has two; and so on.
    assert [run("perft", "nim", "2,1", str(depth))[1] for depth in range(5)] == ["1\n", "3\n", "5\n", "3\n", "0\n"]
    assert run_json("perft", "nim", "1,1", "2", "--distinct") == {"count": 2}
    assert_one_line(run("perft", "nim", "2,1", "-1"), "-1")
    assert_one_line(run("perft", "nim", "2,1", "two"), "'two'")


def test_perft_counts_turns_with_one_result_once_if_asked():
    class Twice(Toy):
        """Each move has a twin with the same result."""

        def generate_moves(self, player):
            return iter([(k, twin) for k in range(1, min(self.size, 2) + 1) for twin in "ab"])

        def apply(self, move, player):
            return Twice(self.size - move[0])

    # A heap of n is emptied in Fibonacci(n + 1) ways by ones and twos; exactly d turns: binomial(d, n - d) of them end.
    def plain(position, depth, distinct):
        if depth == 0:
            return 1
        nexts = [position.apply(move, None) for move in position.generate_moves(None)]
        return sum(plain(after, depth - 1, distinct) for after in (set(nexts) if distinct else nexts))

    for size in range(7):
        for depth in range(6):
            for distinct in (False, True):
                expected = plain(Twice(size), depth, distinct)
                assert perft(Twice(size), depth, distinct=distinct) == expected
    assert perft(Twice(5), 3) == 8 * perft(Twice(5), 3, distinct=True)
    with pytest.raises(ValueError, match="-1"):
        perft(Toy(3), -1)


def test_show_draws_the_board(run):
    status, printed, _ = run("show", "northcott", "L..R")
    assert status == 0
    assert "L . . R" in printed
    assert printed.endswith("L..R\n")


def test_replay_prints_the_game(run, run_json, tmp_path, monkeypatch):
    record = Record.start(Nim(2, 1), names={"first": "teacher"}, date="2001").play("1:1", comment="hm").resign()
    record.save(tmp_path / "game.json")
    status, printed, _ = run("replay", str(tmp_path / "game.json"))
    assert status == 0
    for part in ("first: teacher", "2001", "1 first  1:1  1,1", "hm", "second resigned", "result: first"):
        assert part in printed
    fields = run_json("replay", str(tmp_path / "game.json"))
    assert fields["positions"] == ["2,1", "1,1"]
    assert (fields["result"], fields["resigned"], fields["to_move"]) == ("first", "second", "second")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(record.to_json().encode())))
    assert run("replay", "-")[1] == printed


def test_a_record_that_does_not_replay_is_one_line(run, tmp_path):
    path = tmp_path / "game.json"
    assert_one_line(run("replay", str(path)), "game.json", "No such file")
    assert_one_line(run("replay", str(tmp_path)), "directory")
    path.write_text(Record.start(Nim(2)).to_json().replace('"moves": []', '"moves": ["1:3"]'))
    assert_one_line(run("replay", str(path)), "game.json", "move 1 of 1", "1:3")
    path.write_bytes(b"\xff")
    assert_one_line(run("replay", str(path)), "UTF-8")


def test_commands_that_do_not_exist(run):
    assert_one_line(run("dance"), "'dance'")
    assert_one_line(run(), "command")


def test_help_and_version(run, capsys):
    status, printed, _ = run("--help")
    assert status == 0
    for name in COMMANDS:
        assert f"\n  {name}" in printed
    assert run("--version")[1].startswith("cgt-games ")
    for name in COMMANDS:
        if name == "bench":
            continue
        with pytest.raises(SystemExit) as left:
            main([name, "--help"])
        assert left.value.code == 0
        assert f"usage: cgt-games {name}" in capsys.readouterr().out


# --- as a process ---


def process(*words, **settings):
    return subprocess.Popen(
        [sys.executable, "-m", "cgt_games", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        **{"stderr": subprocess.PIPE} | settings,
    )


def test_a_reader_that_goes_away_is_no_accident():
    with process("moves", "nim", "100000") as child:
        child.stdout.readline()
        child.stdout.close()
        said = child.stderr.read()
    assert said == b""
    assert child.returncode == 141


def test_a_batch_answers_line_by_line():
    with process("solve", "--batch") as child:
        for heap in (b"1", b"2"):
            child.stdin.write(b'{"game": "nim", "position": "%s"}\n' % heap)
            child.stdin.flush()
            assert json.loads(child.stdout.readline())["position"] == heap.decode()
        child.stdin.close()
    assert child.returncode == 0


def test_ctrl_c_gives_what_is_known_and_status_130():
    heaps = ",".join(["60"] * 6)
    ours, theirs = os.openpty()
    termios.tcsetwinsize(theirs, (24, 80))
    with process("solve", "nim", heaps, "--engine", "reference", "--json", stderr=theirs) as child:
        os.close(theirs)
        # The bar, which is drawn on a terminal once the search has run for a while.
        said = b""
        while b" nodes, " not in said and select.select([ours], [], [], 60)[0]:
            said += os.read(ours, 1000)
        child.send_signal(signal.SIGINT)
        printed, _ = child.communicate()
    os.close(ours)
    assert b" nodes, " in said
    assert child.returncode == 130
    fields = json.loads(printed)
    assert (fields["exact"], fields["winner"]) == (False, None)


def test_ctrl_c_between_lines_of_a_batch():
    with process("solve", "--batch") as child:
        child.stdin.write(b'{"game": "nim", "position": "1"}\n')
        child.stdin.flush()
        child.stdout.readline()
        child.send_signal(signal.SIGINT)
        _, said = child.communicate()
    assert (child.returncode, said) == (130, b"cgt-games: interrupted\n")


def test_closed_streams_are_no_accident(run, monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    assert run("solve", "nim", "x")[:2] == (2, "")
    assert run("solve", "nim", "3")[0] == 0
    monkeypatch.setattr(sys, "stdout", None)
    assert run("solve", "nim", "3")[0] == 0


def test_output_that_the_terminal_cannot_spell_is_no_accident():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    with process("rules", "nim", env=environment) as child:
        _, said = child.communicate()
    assert (child.returncode, said) == (0, b"")


# --- what is said meanwhile ---


COMPILED = """
import sys
from dataclasses import dataclass
from numba import njit
from cgt_games import ImpartialPosition, Solution
import cgt_games.registry, cgt_games.cli

@njit(cache=True)
def one(n):
    return n % 3

@njit(cache=True)
def two(n):
    return n % 3 + 0.5

def fast(position, search):
    return Solution(position, "first", value=one(position.heap), value_kind="grundy", engine=str(two(2)))

@dataclass(frozen=True)
class Compiled(ImpartialPosition):
    heap: int
    name = "compiled"
    fast_engine = "compiled:fast"
    generate_moves = apply = to_text = lambda self, *arguments: "7"
    @classmethod
    def from_text(cls, text, *, to_move=None):
        return cls(int(text))
"""


def test_compiling_is_announced_once_per_installation(tmp_path):
    (tmp_path / "compiled.py").write_text(COMPILED)
    code = (
        "import compiled, cgt_games.registry as registry, cgt_games.cli as cli\n"
        "registry.GAMES['compiled'] = 'compiled:Compiled'\n"
        "cli.main(['solve', 'compiled', '7', '--json'])\n"
        "cli.main(['solve', 'compiled', '8', '--json'])\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    for said in ("compiling kernels, once per installation ...\n", ""):
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
        assert done.stderr == said
        assert [json.loads(line)["value"] for line in done.stdout.splitlines()] == [{"grundy": 1}, {"grundy": 2}]


def test_the_bar_waits_until_work_is_long(monkeypatch):
    drawn = io.StringIO()
    monkeypatch.setattr(sys, "stderr", drawn)
    bar = Bar()
    bar(Progress(10, 0.5))
    assert drawn.getvalue() == ""
    bar(Progress(123_456, 2.5, "move 3 of 9", 0.25))
    bar(Progress(234_567, 3.5, "", None))
    bar.close()
    text = drawn.getvalue()
    assert "123,456 nodes, 2 s, move 3 of 9" in text
    assert " 25%" in text
    assert "234,567 nodes, 4 s" in text
