"""The fast engine against the general engine, the valuation of all positions, and the cases of tests/cases."""

import json
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from random import Random

import numpy as np
import pytest

from cgt_games import Limits, Otter, Search, solve
from cgt_games.games.otter import solver
from cgt_games.games.otter.exhaustive import values
from cgt_games.games.otter.rules import cell_names
from cgt_games.games.otter.search import HIGH, LOW
from cgt_games.games.otter.solver import FULL, Engine, encode

SHAPES = [(4, 4), (4, 4), (4, 4), (3, 4), (4, 3), (2, 5), (5, 2), (3, 3), (2, 8), (8, 2), (3, 5), (5, 3), (2, 4)]
CASES = Path(__file__).parents[2] / "cases" / "otter.jsonl"


def all_margins(position):
    """The margin, and that after each move, from the valuation of all positions, which knows no bound and no cut."""
    margins = values(position.cells, position.columns)
    names = cell_names(position.rows, position.columns)
    empty = [name for name, number in zip(names, position.cells, strict=True) if not number]
    base = len(empty) + 1
    moves = {
        f"{number}@{cell}": int(margins[rank * base**c])
        for c, cell in enumerate(empty)
        for rank, number in enumerate(position.unused, start=1)
    }
    return int(margins[0]), moves


def check(position, solution):
    """The whole answer, against :func:`all_margins`."""
    margin, moves = all_margins(position)
    sign = 1 if position.to_move == "A" else -1
    assert solution.exact
    assert solution.value == margin, position
    assert solution.winner == ("A" if margin > 0 else "B" if margin < 0 else "draw")
    assert {str(m) for m in solution.winning_moves} == {m for m, v in moves.items() if sign * v > 0}, position
    assert {str(m) for m in solution.best_moves} == {m for m, v in moves.items() if v == margin}, position
    line = position
    for move in solution.principal_variation:
        assert (all_margins(line)[0] if line.empties <= 6 else margin) == margin
        line = line.play(move)
    assert line.is_terminal
    assert line.margin == margin


def positions(rng, count, least, most):
    for _ in range(count):
        rows, columns = rng.choice(SHAPES)
        yield Otter.random(rng, empty=min(rng.randint(least, most), rows * columns), rows=rows, columns=columns)


def test_the_valuation_of_all_positions_is_that_of_the_general_engine(seed):
    for position in positions(Random(seed), 60, 0, 4):
        reference = solve(position, engine="reference")
        margin, moves = all_margins(position)
        assert margin == reference.value
        if not position.is_terminal:
            sign = 1 if position.to_move == "A" else -1
            assert {str(m) for m in reference.winning_moves} == {m for m, v in moves.items() if sign * v > 0}
            assert {str(m) for m in reference.best_moves} == {m for m, v in moves.items() if v == margin}


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2)])
def test_small_boards_are_solved_from_the_start_as_by_the_general_engine(shape):
    start = Otter.empty(*shape)
    fast, reference = solve(start), solve(start, engine="reference")
    assert fast.value == reference.value
    assert fast.winning_moves == reference.winning_moves
    assert fast.best_moves == reference.best_moves


def test_fast_is_reference_on_five_thousand_positions_of_up_to_six_empty_cells(seed):
    for position in positions(Random(seed), 5000, 1, 6):
        if position.empties <= 5:
            check(position, solve(position))
        elif position.empties == 6:
            margin, _ = all_margins(position)
            solution = solve(position)
            assert solution.value == margin
            assert solve(position, winner_only=True).winner == solution.winner


def test_fast_is_reference_with_all_moves_at_six_and_seven_empty_cells(seed):
    rng = Random(seed)
    for position in [*positions(rng, 300, 6, 6), *positions(rng, 20, 7, 7)]:
        check(position, solve(position))


@pytest.mark.slow
def test_fast_is_reference_on_two_hundred_positions_of_seven_and_eight_empty_cells(seed):
    rng = Random(seed)
    for position in [*positions(rng, 180, 7, 7), *positions(rng, 20, 8, 8)]:
        check(position, solve(position))


@pytest.mark.parametrize("line", CASES.read_text().splitlines())
def test_cases(line):
    case = json.loads(line)
    answer = solve(Otter.from_text(case["in"]["position"])).to_dict()
    for name, expected in case["expect"].items():
        found = answer[name]
        assert (sorted(found) if isinstance(found, list) else found) == (
            sorted(expected) if isinstance(expected, list) else expected
        )


@pytest.mark.parametrize("words", [8, 16, 64, 1 << 20])
def test_the_size_of_the_table_changes_no_answer(words, seed):
    """With one bucket of four entries all positions collide, and only the comparison of whole keys tells them apart."""
    rng = Random(seed)
    for position in [Otter.random(rng, empty=9), Otter.random(rng, empty=9, rows=3), Otter.random(rng, empty=10)]:
        margins = set()
        for size in (words, 1 << 16):
            engine = Engine(Search(), solver.Memory(position.rows, position.columns, size))
            job = engine.ask([encode(position)], [FULL])[0]
            assert job[LOW] == job[HIGH]
            margins.add(int(job[LOW]))
        assert len(margins) == 1


def test_work_in_small_slices_takes_the_same_steps(seed):
    position = Otter.random(seed, empty=9)
    outcomes = []
    for budget in (1, 7, 1000, 1 << 40):
        memory = solver.Memory(4, 4, 1 << 14)
        job = np.array([[*FULL, *FULL, 0, 0]])
        rows = np.array([encode(position)], dtype=np.uint64)
        while not memory.run(rows, job, budget):
            pass
        outcomes.append((job.tolist(), int(memory.control[solver.NODES])))
    assert outcomes.count(outcomes[0]) == 4


@pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
def test_the_number_of_workers_changes_no_answer(pool, seed):
    position = Otter.random(seed, empty=9)
    alone = solve(position)
    for workers in (1, 2, 4):
        with pool(workers) as executor:
            together = solve(position, executor=executor)
        for name in ("winner", "value", "winning_moves", "best_moves", "principal_variation", "exact"):
            assert getattr(together, name) == getattr(alone, name)


@pytest.mark.parametrize("limits", [Limits(nodes=3000), Limits(nodes=60_000), Limits(seconds=0.05)])
def test_with_a_limit_reached_only_what_is_proved_is_said(limits, seed):
    position = Otter.random(seed, empty=10)
    whole = solve(position)
    part = solve(position, limits=limits)
    if part.exact:
        assert part.value == whole.value
        return
    assert part.stopped in ("nodes", "seconds")
    assert part.best_moves is None
    assert part.winner in (None, whole.winner)
    assert part.value in (None, whole.value)
    assert set(part.winning_moves or ()) <= set(whole.winning_moves)
    if limits.nodes:
        assert part.nodes <= limits.nodes + 50


def test_a_limit_on_positions_bounds_the_table_and_stops_nothing(seed):
    position = Otter.random(seed, empty=9)
    small = solve(position, limits=Limits(positions=100))
    assert small.exact
    assert small.value == solve(position).value
    assert len(Engine.of(position, Search(Limits(positions=100))).memory.table) <= 200


def test_the_winner_alone_is_that_of_the_full_answer(seed):
    rng = Random(seed)
    for _ in range(20):
        position = Otter.random(rng, empty=rng.randint(5, 9))
        alone = solve(position, winner_only=True)
        assert alone.winner == solve(position).winner
        assert alone.winning_moves is alone.best_moves is alone.value is None


def test_before_anything_is_proved_there_is_no_winning_move_as_with_the_other_engines():
    for engine in (None, "general"):
        solution = solve(Otter.empty(), limits=Limits(nodes=10), engine=engine)
        assert (solution.exact, solution.winner, solution.winning_moves) == (False, None, ())


def test_boards_of_more_than_sixteen_cells_go_to_the_general_engine():
    position = Otter.random(1, empty=2, rows=4, columns=5)
    assert solve(position).value == solve(position, engine="reference").value
    assert solve(position).engine.startswith("general")
    partial = solve(Otter.empty(5, 5), limits=Limits(nodes=1000))
    assert not partial.exact
    assert partial.value is None
    assert partial.winner is None


@pytest.mark.slow
@pytest.mark.parametrize("processor", [None, "generic"])
def test_kernels_answer_alike_in_two_fresh_processes_and_on_a_plain_processor(processor, tmp_path):
    """The first process compiles and keeps, the second takes what was kept."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    if processor is not None:
        environment["NUMBA_CPU_NAME"] = processor
    program = (
        "from random import Random; from cgt_games import Otter, solve; rng = Random(3)\n"
        "for empty in (5, 6, 7, 8, 9):\n"
        "    s = solve(Otter.random(rng, empty=empty)); print(s.value, *s.winning_moves, '|', *s.best_moves, s.nodes)"
    )
    command = [sys.executable, "-c", program]
    runs = [subprocess.run(command, env=environment, capture_output=True, text=True, check=True) for _ in range(2)]
    assert runs[0].stdout == runs[1].stdout
    rng = Random(3)
    for empty, line in zip((5, 6, 7, 8, 9), runs[1].stdout.splitlines(), strict=True):
        solution = solve(Otter.random(rng, empty=empty))
        moves = [*map(str, solution.winning_moves), "|", *map(str, solution.best_moves)]
        assert line.split() == [str(solution.value), *moves, str(solution.nodes)]
