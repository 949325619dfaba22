"""The engine of Slither against plain backward induction, and under limits, sweeps and colliding hashes."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import numpy as np
import pytest
from slither_kernels import words

from cgt_games import CGTError, Limits, Search, Slither, Solution, solve
from cgt_games.command import UsageError
from cgt_games.games.slither import search as kernel
from cgt_games.games.slither.bits import frame, spread
from cgt_games.games.slither.results import checked, first_placements, results_command
from cgt_games.games.slither.retrograde import Retrograde
from cgt_games.games.slither.rules import Colour
from cgt_games.games.slither.solver import Prover, line
from cgt_games.keep import InvalidTable

VARIANTS = ["classic", "advanced"]


def backward_induction(start):
    """Who wins each position that can be reached, by the rules alone: the longest lines are judged first."""
    after, queue = {start: []}, [start]
    for position in queue:
        after[position] = list(position.results(position.to_move))
        for result in after[position]:
            if result not in after:
                after[result] = []
                queue.append(result)

    def passes(position):
        return any(result.empties == position.empties for result in after[position])

    winner = {}
    for position in sorted(after, key=lambda p: (p.empties.bit_count(), passes(p))):
        results = {winner[result] for result in after[position]}
        mover = position.to_move
        winner[position] = position.winner or (mover if mover in results else mover.opponent)
    return winner


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("size", [(1, 2), (2, 1), (2, 3), (3, 2), (3, 3), (2, 4), (4, 2)], ids=str)
def test_every_reachable_position_equals_backward_induction(variant, size):
    prover, search = Prover(*size, variant), Search()
    retrograde = Retrograde(*size, advanced=variant == "advanced")
    for position, winner in backward_induction(Slither.empty(*size, variant=variant)).items():
        assert prover.value(position, search) == (1 if winner == position.to_move else -1)
        whites = position.to_move is Colour.WHITE
        assert retrograde.black_wins(position.black, position.white, whites_turn=whites) == (winner == Colour.BLACK)


def random_positions(count, size, variant, seed):
    chance = random.Random(seed)
    while count:
        position = Slither.empty(*size, variant=variant)
        for _ in range(chance.randrange(2 * size[0])):
            if not position.is_terminal:
                position = chance.choice(list(position.results(position.to_move)))
        if not position.is_terminal:
            count -= 1
            yield position


@pytest.mark.parametrize("variant", VARIANTS)
def test_solutions_of_4x3_equal_backward_induction(variant, seed):
    """Winner, every winning turn, and a best line that the winner wins."""
    retrograde = Retrograde(4, 3, advanced=variant == "advanced")

    def winner(position):
        whites = position.to_move is Colour.WHITE
        return (
            Colour.BLACK if retrograde.black_wins(position.black, position.white, whites_turn=whites) else Colour.WHITE
        )

    for position in random_positions(40, (4, 3), variant, seed):
        solution = solve(position)
        mover = position.to_move
        assert solution.winner == winner(position)
        wins = {turn for turn in position.legal_moves if winner(position.play(turn)) == mover}
        assert set(solution.winning_moves) == wins
        assert solve(position, winner_only=True).winner == solution.winner
        end = position
        for turn in solution.principal_variation:
            end = end.play(turn)
            assert winner(end) == solution.winner
        assert end.winner == solution.winner
        connecting = {turn for turn in position.legal_moves if position.play(turn).connected == mover}
        if connecting:
            assert set(solution.best_moves) == connecting
        if not wins:
            lasting = {t for t in position.legal_moves if not connects_next(position.play(t))}
            assert set(solution.best_moves) == (lasting or set(position.legal_moves))


def connects_next(position):
    return any(result.connected == position.to_move for result in position.results(position.to_move))


@pytest.mark.parametrize("variant", VARIANTS)
def test_connecting_in_one_turn_is_never_missed(variant, seed):
    for size in [(3, 3), (4, 4), (5, 4), (4, 6), (1, 5), (5, 1), (8, 8)]:
        prover = Prover(*size, variant)
        for position in random_positions(40 if size[0] < 8 else 10, size, variant, seed):
            assert prover.can_connect(position) == connects_next(position)


def nearly_full(count, side, variant, seed):
    """Positions with 1 to 8 empty points, by random turns."""
    chance = random.Random(seed)
    while count:
        position, empty = Slither.empty(side, variant=variant), chance.randint(1, 8)
        while position.empties.bit_count() > empty and not position.is_terminal:
            position = chance.choice(list(position.results(position.to_move)))
        if not position.is_terminal:
            count -= 1
            yield position


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("side", "count"), [(4, 100), (5, 20)])
def test_plain_search_agrees_where_at_most_eight_points_are_empty(side, count, variant, seed):
    """By the rules alone: winner, and on some all winning turns."""
    prover = Prover(side, side, variant)
    for number, position in enumerate(nearly_full(count, side, variant, seed)):
        plain = solve(position, engine="reference", winner_only=number % 10 > 0)
        assert plain.winner == (position.to_move if prover.value(position, Search()) > 0 else position.to_move.opponent)
        if plain.winning_moves is not None:
            assert set(solve(position).winning_moves) == set(plain.winning_moves)


@pytest.mark.kernel
def test_listed_winning_turns_connect():
    position = Slither.from_text("B../.WW/.B.", to_move="black")
    own, other = words(position)
    board = frame(3, 3)
    cells, sources = np.zeros((2, 64), np.uint64)
    found = kernel.winning_turns(own, other, board.board, board.top, board.bottom, False, 48, cells, sources)
    listed = {(int(own) & ~int(sources[i]) | int(cells[i])) for i in range(found)}
    results = position.results(Colour.BLACK)
    # Two results, by the case file's five winning results of which these connect at once.
    assert {int(spread(r.black, 3, 3)) for r in results if r.connected} >= listed != set()


@pytest.mark.kernel
@pytest.mark.parametrize("size", [(3, 3), (2, 5), (8, 8), (5, 3)], ids=str)
def test_images_on_words_are_those_of_the_rules(size, seed):
    mask = random.Random(seed).getrandbits(size[0] * size[1])
    position = Slither(*size)
    images = {
        "left-right flip": lambda x: kernel.mirrored(x, size[1]),
        "top-bottom flip": lambda x: kernel.upside_down(x, size[0]),
        "main diagonal flip": kernel.transposed,
    }
    for symmetry in position.grid.symmetries:
        if symmetry.name in images:
            there = sum(1 << symmetry.images[i] for i in range(position.size) if mask >> i & 1)
            assert images[symmetry.name](spread(mask, *size)) == spread(there, *size)


@pytest.mark.parametrize("variant", VARIANTS)
def test_symmetric_positions_are_one(variant, seed):
    for position in random_positions(50, (4, 4), variant, seed):
        forms = set()
        for symmetry in position.symmetries():
            image = position.transform(symmetry)
            own, other = words(image)
            forms.add(tuple(map(int, kernel.canonical(own, other, image.to_move is Colour.WHITE, 4, 4))))
        assert len(forms) == 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_colliding_hashes_change_nothing(variant):
    few, search = Prover(3, 3, variant, hash_bits=4), Search()
    for position, winner in backward_induction(Slither.empty(3, variant=variant).play("a1")).items():
        assert few.value(position, search) == (1 if winner == position.to_move else -1)


def test_a_swept_table_changes_nothing(seed):
    retrograde, search = Retrograde(4, 3, advanced=False), Search()
    small = Prover(4, 3, most_rows=1 << 6)
    for position in [Slither.empty(4, 3), *random_positions(30, (4, 3), "classic", seed)]:
        wins = retrograde.black_wins(position.black, position.white, whites_turn=position.to_move is Colour.WHITE)
        assert small.value(position, search) == (1 if wins == (position.to_move is Colour.BLACK) else -1)
    assert search.nodes > len(small._table.rows) == 1 << 6


@pytest.mark.kernel
@np.errstate(over="ignore")  # as plain Python the hash would warn
def test_sweeping_keeps_all_rows_of_enough_work(seed):
    """Also where chains of rows go round the end of the table, and where sweeping opens gaps in them."""
    chance = random.Random(seed)
    for size in (4, 8, 32, 128):
        for _ in range(40):
            table, kept = kernel.make_table(size), {}
            for _ in range(size // 4 * 3):
                own, other = (np.uint64(chance.getrandbits(64)) for _ in range(2))
                flags, work = np.uint64(2 * chance.randrange(2)), chance.randrange(1, 6)
                kernel.store(table, own, other, flags, 7, work, work)
                if work >= 3:
                    kept[own, other, flags] = work
            kernel.sweep(table, 3)
            assert table.used[0] == np.count_nonzero(table.rows[:, 3] & kernel.OCCUPIED) == len(kept)
            for (own, other, flags), work in kept.items():
                row = table.rows[kernel.find(table, own, other, flags)]
                assert (row[0], row[1], row[2]) == (own, other, 7 << 32 | work)
                assert row[3] == work << 8 | int(flags) | 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_saved_table_goes_on_where_it_stopped(variant, tmp_path):
    whole, prover = Search(), Prover(4, 4, variant)
    assert prover.value(Slither.empty(4, variant=variant), whole) == 1
    with (tmp_path / "table").open("wb") as file:
        prover.save(file)
    again, more = Prover(4, 4, variant), Search()
    again.load(tmp_path / "table")
    assert again.positions == prover.positions
    assert again.value(Slither.empty(4, variant=variant), more) == 1
    assert more.nodes == 1 < whole.nodes
    small = Prover(4, 4, variant, most_rows=1 << 6)
    small.load(tmp_path / "table")
    assert small.positions == 1 << 5
    assert small.value(Slither.empty(4, variant=variant), more) == 1


def test_a_kept_file_must_fit(tmp_path):
    file = tmp_path / "table"
    with file.open("wb") as out:
        Prover(3, 3).save(out)
    for prover in (Prover(3, 4), Prover(4, 3), Prover(3, 3, "advanced"), Prover(3, 3, draws_for_black=True)):
        with pytest.raises(InvalidTable, match=f"board {prover.rows}x{prover.columns} {prover.variant}"):
            prover.load(file)
    for text in (b"", b"no table", file.read_bytes()[:200]):
        file.write_bytes(text)
        with pytest.raises(InvalidTable):
            Prover(3, 3).load(file)


def test_first_placements_go_on_after_ctrl_c(tmp_path, capsys):
    """Interrupted as soon as the first placement is done, and taken up again by the same command."""
    file, out = tmp_path / "keep", tmp_path / "out"
    prover = Prover(4, 3)

    def interrupt(text):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        first_placements(prover, keep=file, say=interrupt)
    words = ["--sizes", "4x3", "--variant", "classic", "--keep", str(file), "--out", str(out)]
    assert results_command(words) == 0
    line = json.loads(out.read_text())
    assert line["first"] == ["WWW"] * 4
    fresh = first_placements(Prover(4, 3))
    assert (line["first"], line["winner"]) == (fresh["first"], fresh["winner"])
    assert line["nodes"] < fresh["nodes"]
    assert "positions" in capsys.readouterr().err


@pytest.mark.parametrize("size", ["12x3", "x", "3x", "9x2", "0x4", ""])
def test_a_size_that_is_none_is_refused(size):
    with pytest.raises(UsageError, match=f"'{size}' is no board"):
        results_command(["--sizes", size])


@pytest.mark.parametrize("text", ["\n", '{"rows": 3, "colu', "[]\n", "1\n", '{"fact": "full"}\n', "\xff\n"])
def test_a_file_that_holds_no_results_is_refused_before_the_search(text, tmp_path, capsys):
    out = tmp_path / "out"
    out.write_text(text, encoding="latin-1")
    with pytest.raises(CGTError, match=r"out: line 1 is no result of this command"):
        results_command(["--sizes", "2x2", "--out", str(out)])
    with pytest.raises(OSError, match="No such file"):
        results_command(["--sizes", "2x2", "--out", str(tmp_path / "none" / "out")])
    assert capsys.readouterr() == ("", "")


def test_results_are_added_line_by_line_and_given_up_boards_taken_up_again(tmp_path):
    out = tmp_path / "out"
    out.write_text('{"rows": 2, "columns": 2, "variant": "classic", "first": ["BB", "BB"]}')  # no end of line
    words = ["--sizes", "2x2", "3x4", "--variant", "classic", "--out", str(out)]
    assert results_command([*words, "--seconds", "0"]) == 0
    assert results_command(words) == 0
    assert results_command(words) == 0
    whole, given_up, found = [json.loads(line)["first"] for line in out.read_text().splitlines()]
    assert (whole, found) == (["BB", "BB"], ["BBBB"] * 3)
    assert "?" in "".join(given_up)


def test_a_kept_search_is_not_thrown_away_for_lack_of_memory(tmp_path):
    file = tmp_path / "keep"
    first_placements(Prover(4, 4), keep=file)
    before = file.read_bytes()
    with pytest.raises(CGTError, match="positions too many for this --memory"):
        first_placements(Prover(4, 4, most_rows=1 << 6), keep=file)
    assert file.read_bytes() == before


def test_an_interrupted_check_is_no_disagreement(monkeypatch):
    prover = Prover(4, 3)
    line = first_placements(prover)
    stopped = Solution(Slither.empty(4, 3), None, exact=False, stopped="interrupt")
    monkeypatch.setattr("cgt_games.engines.solve", lambda *_, **__: stopped)
    with pytest.raises(KeyboardInterrupt):
        checked(prover, line["first"], 20)


def test_games_check_first_placements():
    """Played games bear out what is true, and not its opposite."""
    prover = Prover(4, 3)
    line = first_placements(prover)
    found = checked(prover, line["first"], 20)
    assert (found["games"], found["otherwise"]) == (20, 0)
    assert found["endings"] > 5
    assert checked(prover, ["BBB"] * 4, 20)["otherwise"] > 0


@pytest.mark.parametrize("limits", [Limits(nodes=200), Limits(seconds=0.05)], ids=str)
def test_a_limit_gives_an_honest_answer(limits):
    solution = solve(Slither.empty(5), limits=limits)
    assert not solution.exact
    assert solution.stopped in ("nodes", "seconds")
    assert (solution.winner, solution.winning_moves, solution.best_moves) == (None, (), None)
    solution = solve(Slither.empty(5, pie=True), limits=limits)
    assert (solution.exact, solution.winner, solution.player) == (False, None, None)


def test_ctrl_c_gives_an_honest_answer():
    def interrupt(progress):
        raise KeyboardInterrupt

    solution = solve(Slither.empty(5), progress=interrupt)
    assert (solution.exact, solution.stopped, solution.winner) == (False, "interrupt", None)


def test_a_search_goes_on_where_it_stopped():
    prover, start = Prover(4, 4), Slither.empty(4)
    whole = Search()
    assert Prover(4, 4).value(start, whole) == 1
    parts = []
    for _ in range(1000):
        search = Search(Limits(nodes=500))
        with search.guard():
            assert prover.value(start, search) == 1
            break
        parts.append(search.nodes)
    assert len(parts) > 1
    assert sum(parts) < 20 * whole.nodes


@pytest.mark.parametrize("size", [(3, 3), (4, 3)], ids=str)
def test_the_pie_rule(size):
    start = Slither.empty(*size, pie=True)
    solution = solve(start)
    assert (solution.player, solution.winning_moves) == ("second", ())
    for turn in start.legal_moves:
        after = start.play(turn)
        plain = solve(replace(after, pie=False))
        solution = solve(after)
        assert (solution.winner, solution.player) == (plain.winner, "second")
        expected = plain.winning_moves if plain.winner == "white" else (after.parse_move("swap"),)
        assert solution.winning_moves == expected
        swapped = solve(after.play("swap"))
        assert (swapped.winner, swapped.player) == (plain.winner, "second" if plain.winner == "black" else "first")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 2), (1, 3), (3, 1)], ids=str)
def test_the_pie_rule_where_the_one_stone_is_anywhere(size, variant):
    """Also a white one, with White to move; and on one row, where the first stone wins and nobody comes to swap."""
    start = Slither.empty(*size, variant=variant, pie=True)
    whites = [replace(start, white=1 << i, to_move=Colour.WHITE) for i in range(start.size)]
    for position in [start, *(start.play(turn) for turn in start.legal_moves), *whites]:
        solution, plain = solve(position), solve(position, engine="reference")
        assert (solution.winner, solution.player) == (plain.winner, plain.player)
        assert set(solution.winning_moves) == set(plain.winning_moves)
        end = position
        for turn in solution.principal_variation:
            end = end.play(turn)
        assert end.is_terminal
        assert end.winner == solution.winner


def test_large_boards_go_to_the_general_engine():
    position = Slither.from_text("/".join(["B.W"] * 9), to_move="black")
    assert solve(position).winner == "black"
    assert solve(position).engine.startswith("general")


def test_a_line_ends_with_a_connection():
    prover = Prover(4, 4, "advanced")
    position = Slither.empty(4, variant="advanced")
    for turn in line(position, prover, Search()):
        position = position.play(turn)
    assert position.winner == Colour.BLACK


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_4x4_equals_backward_induction(variant, seed):
    """All 9.9 million legal positions are judged; the search agrees on every first placement and 2,000 positions."""
    retrograde, search = Retrograde(4, 4, advanced=variant == "advanced"), Search()
    counts = retrograde.counts()
    assert (counts["legal"], counts["without_turns"]) == (9921237, 0)
    # Exchanging colours and goals maps the positions with Black to move onto those with White to move.
    assert counts["black_wins_if_black_begins"] + counts["black_wins_if_white_begins"] == counts["legal"]
    prover, start = Prover(4, 4, variant), Slither.empty(4, variant=variant)
    for position in [*start.results(Colour.BLACK), *random_positions(2000, (4, 4), variant, seed)]:
        wins = retrograde.black_wins(position.black, position.white, whites_turn=position.to_move is Colour.WHITE)
        assert prover.value(position, search) == (1 if wins == (position.to_move is Colour.BLACK) else -1)
        if position.empties.bit_count() == 15:
            assert wins
