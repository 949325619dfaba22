"""Puzzles: exactly one good move, by the valuation of all positions, and ranks by a second statement of the order."""

from itertools import islice
from random import Random

import pytest
from otter_paths_by_hand import naive_paths

from cgt_games import Otter, solve
from cgt_games.command import UsageError
from cgt_games.games.otter.exhaustive import values
from cgt_games.games.otter.puzzles import Puzzle, catalogue, main, puzzle_of, puzzles
from cgt_games.games.otter.ranking import ranking


def good_moves(position):
    """The moves that win, or draw if none wins, by the valuation of all positions; and which of the two."""
    margins = values(position.cells, position.columns)
    names = [str(move).split("@")[1] for move in position.legal_moves][: position.empties]
    sign = 1 if position.to_move == "A" else -1
    base = position.empties + 1
    after = {
        f"{number}@{cell}": sign * int(margins[rank * base**c])
        for rank, number in enumerate(position.unused, start=1)
        for c, cell in enumerate(names)
    }
    best = max(after.values())
    wanted = 1 if best > 0 else 0
    return [move for move, margin in after.items() if margin >= wanted], "win" if best > 0 else "draw"


def bounds_of_margin(position):
    """Static bounds, from all paths one by one, each with the extreme unused numbers for its empty cells."""
    unused = position.unused
    scores = []
    for numbers in (unused, unused[::-1]):
        for player in "AB":
            paths = naive_paths(position.rows, position.columns, player)
            scores.append(
                min(
                    sum(position.cells[c] for c in path) + sum(numbers[: sum(not position.cells[c] for c in path)])
                    for path in paths
                )
            )
    low_a, low_b, high_a, high_b = scores
    return low_b - high_a, high_b - low_a


def test_the_catalogue_has_fifty_puzzles_with_one_good_move_each():
    puzzles = catalogue()
    assert len({puzzle.position for puzzle in puzzles}) == 50
    for puzzle in puzzles:
        assert puzzle.position.empties == 7
        assert puzzle.position.to_move == "B"
        assert good_moves(puzzle.position) == ([str(puzzle.move)], puzzle.goal)
        order = [move for move, _ in ranking(puzzle.position)]
        assert order.index(puzzle.move) + 1 == puzzle.rank > 1
    assert [p.rank for p in puzzles] == sorted((p.rank for p in puzzles), reverse=True)


@pytest.mark.parametrize("shape", [(4, 4), (3, 4), (2, 6), (3, 3)])
def test_moves_are_ranked_by_the_middle_of_their_bounds(shape, seed):
    position = Otter.random(seed, empty=6, rows=shape[0], columns=shape[1])
    ranked = ranking(position)
    assert sorted(move for move, _ in ranked) == sorted(position.legal_moves)
    for move, middle in ranked:
        assert middle == sum(bounds_of_margin(position.play(move))) / 2
    middles = [middle for _, middle in ranked]
    assert middles == sorted(middles, reverse=position.to_move == "A")


def test_generated_puzzles_have_one_good_move(seed):
    made = [*islice(puzzles(seed, empty=5), 10), *islice(puzzles(seed, empty=4, rows=3, columns=4), 5)]
    for puzzle in made:
        assert good_moves(puzzle.position) == ([str(puzzle.move)], puzzle.goal)
        assert Puzzle.from_text(str(puzzle)) == puzzle


def test_a_position_with_several_good_moves_or_none_is_no_puzzle(seed):
    rng = Random(seed)
    for _ in range(100):
        position = Otter.random(rng, empty=5)
        solution = solve(position)
        count = len(solution.winning_moves or (solution.best_moves if solution.winner == "draw" else ()))
        assert (puzzle_of(position) is not None) == (count == 1)


def test_the_same_seed_gives_the_same_puzzles():
    assert list(islice(puzzles(5, empty=5), 3)) == list(islice(puzzles(Random(5), empty=5), 3))


def test_the_command_shows_and_writes_puzzles(tmp_path, capsys):
    assert main(["--count", "2"]) == 0
    assert capsys.readouterr().out.count("the move: ") == 2
    assert main(["--seed", "3", "--count", "2", "--sample", "4", "--empty", "5", "--out", str(tmp_path / "p")]) == 0
    lines = (tmp_path / "p").read_text().splitlines()
    assert lines[0].startswith("# cgt-games otter-puzzles --seed 3")
    assert len(lines) == 3
    with pytest.raises(UsageError, match="--empty"):
        main(["--empty", "17"])
