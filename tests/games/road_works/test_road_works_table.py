"""Tables of starts, ladders, the opening book, the explanation and the perfect opponent."""

import json
import random
from dataclasses import replace

import pytest

from cgt_games import CGTError, City, IllegalMove, RoadWorks, solve
from cgt_games.cli import main
from cgt_games.games.road_works import book
from cgt_games.games.road_works import explain as explaining
from cgt_games.games.road_works.explain import explain, explain_move, hints
from cgt_games.games.road_works.ladders import ladder_values, second_player_wins
from cgt_games.games.road_works.solver import Blocks, Options
from cgt_games.games.road_works.table import mirror, sizes_up_to, solve_kept, solve_start, table
from cgt_games.players import PerfectPlayer, RandomPlayer, play_out
from cgt_games.solution import Limits, Search


def test_ladders_are_the_octal_game():
    values = ladder_values(24)
    for n in range(1, 25):
        position = RoadWorks(City.grid(1, n), True)
        assert Blocks(position.city, True).value(position.in_play, Search()) == values[n]


def test_ladder_values_by_the_octal_code():
    # Taking one from a heap may leave no heap or one (code 3), taking two also two heaps (code 7).
    values = [0]
    for n in range(1, 60):
        options = {values[n - 1]}
        if n >= 2:
            options |= {values[i] ^ values[n - 2 - i] for i in range(n - 1)}
        values.append(next(v for v in range(n + 1) if v not in options))
    assert ladder_values(59) == values
    assert second_player_wins(59) == [n for n in range(1, 60) if values[n] == 0]


def test_the_reach_of_the_ladders():
    values = ladder_values(10_000)
    assert len(values) == 10_001
    # Each value is the least that no option has, checked at random places in plain Python.
    for n in random.Random(0).sample(range(2, 10_001), 20):
        options = {values[n - 1]} | {values[i] ^ values[n - 2 - i] for i in range(n - 1)}
        assert values[n] not in options
        assert all(value in options for value in range(values[n]))


def test_mirror_images_are_what_a_search_of_their_own_finds():
    for columns, rows in [(1, 3), (2, 3), (4, 2), (3, 4)]:
        for collapse in (True, False):
            found = solve_start(columns, rows, collapse, Search())
            other = solve_start(rows, columns, collapse, Search())
            image = mirror(found)
            assert (image.grundy, image.winner, image.winning_moves) == (
                other.grundy,
                other.winner,
                other.winning_moves,
            )


def test_table_agrees_with_the_general_engine():
    for start in table(sizes_up_to(3, 3, crossings=12)):
        solution = solve(RoadWorks(City.grid(start.columns, start.rows), start.collapse), engine="general")
        assert (start.grundy, start.winner, start.winning_moves) == (
            solution.value,
            solution.winner,
            solution.winning_moves,
        )


def test_table_says_how_and_what_is_missing():
    assert {start.how for start in table([(2, 2), (1, 2), (2, 1)])} == {"parity", "search", "mirror image of 1x2"}
    (start,) = table([(4, 5)], (True,), limits=Limits(nodes=500))
    assert (start.grundy, start.winner, start.winning_moves) == (None, None, None)
    assert start.how == "search, stopped (nodes)"


def test_a_search_is_taken_up_where_it_was_saved(tmp_path):
    file = tmp_path / "table.npz"
    first = solve_kept(4, 4, True, Search(Limits(nodes=300)), file)
    assert (first.winner, first.how) == (None, "search, stopped (nodes)")
    second = solve_kept(4, 4, True, Search(), file)
    whole = solve_start(4, 4, True, Search())
    assert (second.grundy, second.winning_moves) == (whole.grundy, whole.winning_moves)
    assert second.nodes < whole.nodes


def test_the_command(capsys):
    assert main(["table", "road-works", "--max", "2x2", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["columns"], line["rows"], line["collapse"]) for line in lines] == [
        (m, n, c) for m, n in [(1, 1), (1, 2), (2, 1), (2, 2)] for c in (False, True)
    ]
    assert main(["table", "road-works", "--ladders", "30"]) == 0
    assert "n = 3 11 19 29" in capsys.readouterr().out
    assert main(["table", "road-works", "--only", "3x2", "--collapse"]) == 0
    assert "a2 b2 c2 d2" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [["--max", "0x3"], ["--max", "4"], [], ["--only", "9x9"], ["--ladders", "0"], ["--only", "2x2", "--keep", "f"]],
)
def test_bad_arguments_take_one_line(words, capsys):
    assert main(["table", "road-works", *words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.splitlines()) == 1


def test_the_book_covers_the_first_two_closings():
    start = RoadWorks.level(4)
    assert book.look_up(start) is not None
    for move in start.legal_moves:
        after = start.play(move)
        assert book.look_up(after) is not None
        assert all(book.look_up(after.play(other)) is not None for other in list(after.safe_moves("first"))[::7])
    assert book.look_up(start.play("c3").play("d4").play("b2")) is None
    assert book.look_up(RoadWorks.from_text("5x5", collapse=False)) is None


@pytest.mark.parametrize("closings", ["b1,c3", "d3,b5", "a3,b1"])
def test_the_book_says_what_a_search_finds(closings):
    position = RoadWorks.from_text(f"5x5/{closings}", collapse=True)
    options = Options(position, Blocks(position.city, True))
    value = options.mex(Search())
    assert book.look_up(position) == (value, tuple(m for m in position.legal_moves if options.is_zero.get(m)))


@pytest.mark.slow
def test_the_whole_book_is_what_the_search_finds():
    assert book.entries() == book.make()


def test_book_moves_are_mapped_back_from_mirror_images():
    for name in ("b1", "f5", "e6", "a2"):
        position = RoadWorks.from_text(f"5x5/{name}", collapse=True)
        value, moves = book.look_up(position)
        assert value == 3
        (winning,) = moves
        assert Blocks(position.city, True).is_value(position.play(winning).in_play, 0, Search())


@pytest.mark.parametrize(("size", "collapse"), [((4, 3), True), ((2, 3), False)])
def test_explanation_adds_up(size, collapse):
    lots = random.Random(1)
    for _ in range(5):
        position = RoadWorks(City.grid(*size), collapse)
        for _ in range(lots.randrange(2, 7)):
            position = position.play(lots.choice(list(position.safe_moves("first")) or list(position.legal_moves)))
        if position.is_cut:
            continue
        found = explain(position)
        solution = solve(position)
        assert found.value == solution.value
        for block in found.blocks:
            alone = RoadWorks(block.shape, collapse)
            assert solve(alone, engine="general").value == block.value
        for move in position.legal_moves:
            told = explain_move(position, move)
            assert told.wins == (move in solution.winning_moves)
            assert told.cuts == position.play(move).is_cut
            assert move in str(told)


def test_explanation_of_a_game_that_is_over_and_of_an_illegal_move():
    over = RoadWorks.from_text("1x1/a2,b1", collapse=True)
    with pytest.raises(ValueError, match="over"):
        explain(over)
    with pytest.raises(IllegalMove, match="end A"):
        explain_move(RoadWorks.level(2), "a1")


def test_explanations_from_the_command_line(capsys):
    assert main(["explain", "road-works", "3x3/b2,c4", "c1", "--collapse"]) == 0
    assert capsys.readouterr().out == "c1 wins: it leaves 1 xor 1 = 0, b1 d1 fall\n"
    assert main(["explain", "road-works", "3x3/b2,c4", "--level", "2", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["value"] == solve(RoadWorks.from_text("3x3/b2,c4", collapse=True)).value
    assert main(["explain", "road-works", "1x1/a2", "--collapse", "--hints"]) == 0
    assert capsys.readouterr().out == "b1   loses at once\n"
    assert main(["explain", "road-works", "3x3/b2", "b2"]) == 2
    assert "already closed" in capsys.readouterr().err
    assert main(["explain", "road-works", "1x1/a2,b1"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_hints():
    position = RoadWorks.from_text("3x3/b2", collapse=True)
    told = {hint.move: hint for hint in hints(position)}
    assert set(told) == set(position.legal_moves)
    assert told["a3"].falls == ("a2", "a4")
    assert {move for move, hint in told.items() if hint.wins} == set(solve(position).winning_moves)
    last = RoadWorks.from_text("1x1/a2", collapse=True)
    assert [(hint.move, hint.cuts) for hint in hints(last)] == [("b1", True)]


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_the_perfect_player_wins_every_won_game(level):
    start = RoadWorks.level(level)
    begins = solve(start).winner == "first"
    for seed in range(1 if level == 4 else 3):
        players = (PerfectPlayer(), RandomPlayer(seed))
        record = play_out(start, *(players if begins else players[::-1]))
        assert record.result == ("first" if begins else "second")


@pytest.mark.parametrize("size", [(2, 2), (3, 1)])
def test_the_perfect_player_wins_as_second_where_the_first_loses(size):
    start = RoadWorks(City.grid(*size), True)
    assert solve(start).winner == "second"
    for seed in range(5):
        assert play_out(start, RandomPlayer(seed), PerfectPlayer()).result == "second"


def test_winner_only_finds_the_winner():
    for text in ("3x3", "3x4/b2", "4x4/c3", "2x5"):
        position = RoadWorks.from_text(text, collapse=True)
        solution = solve(position, winner_only=True)
        assert solution.winner == solve(position).winner
        assert solution.winning_moves is None
        assert Options(position, Blocks(position.city, True)).mex(Search()) == solve(position).value


@pytest.mark.parametrize("content", [b"", b"no table", b"PK\x03\x04 cut off"])
def test_a_kept_file_that_is_no_table_is_refused_and_left_alone(content, tmp_path, capsys):
    file = tmp_path / "kept.npz"
    file.write_bytes(content)
    status = main(["table", "road-works", "--only", "2x2", "--collapse", "--keep", str(file)])
    assert status == 2
    assert "no table of this kind (layout road-works" in capsys.readouterr().err
    assert file.read_bytes() == content


def test_a_limit_that_is_none_takes_one_line(capsys):
    assert main(["table", "road-works", "--only", "2x2", "--collapse", "--seconds", "-1"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_hints_are_not_given_when_solving_was_interrupted(monkeypatch):
    position = RoadWorks.level(2)
    partial = replace(solve(position), exact=False, winning_moves=())
    monkeypatch.setattr(explaining, "solve", lambda position: partial)
    with pytest.raises(CGTError, match="interrupted"):
        hints(position)
