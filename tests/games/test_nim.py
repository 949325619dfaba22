"""Nim: Bouton's theorem against brute force, and its traps."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgt_games import CannotSum, IllegalMove, InvalidPosition, Nim, grundy, solve
from cgt_games.games.nim import Take
from cgt_games.testing import check_game


@cache
def mover_wins(heaps: tuple[int, ...], misere: bool) -> bool:
    """From the definition: no objects left wins in misère play and loses in normal play."""
    after = [(*heaps[:i], left, *heaps[i + 1 :]) for i, size in enumerate(heaps) for left in range(size)]
    return misere if not after else any(not mover_wins(option, misere) for option in after)


@pytest.mark.parametrize("play", ["normal", "misere"])
@pytest.mark.parametrize("heaps", [h for n in range(4) for h in product(range(6), repeat=n)], ids=str)
def test_all_small_positions(heaps, play):
    solution = solve(Nim(*heaps, play=play))
    misere = play == "misere"
    assert (solution.winner == "first") == mover_wins(heaps, misere)
    winning = {
        f"{i + 1}:{size - left}"
        for i, size in enumerate(heaps)
        for left in range(size)
        if not mover_wins((*heaps[:i], left, *heaps[i + 1 :]), misere)
    }
    assert {str(move) for move in solution.winning_moves} == winning
    assert solution.value_kind == (None if misere else "grundy")


@given(st.lists(st.integers(0, 10**50), min_size=1, max_size=5), st.sampled_from(["normal", "misere"]))
def test_huge_heaps(heaps, play):
    position = Nim(*heaps, play=play)
    solution = solve(position)
    assert position.legal_moves.count == sum(heaps)
    for move in solution.winning_moves:
        assert solve(position.play(move)).winner == "second"
    assert Nim.from_text(position.to_text(), play=play) == position


def test_the_table_game_is_lost_by_who_begins():
    assert str(Nim.standard().rules()) == "{'play': 'misere'}"
    assert Nim.standard().heaps == (1, 3, 5, 7)
    assert solve(Nim.standard()).winner == solve(Nim(1, 3, 5, 7)).winner == "second"


@pytest.mark.parametrize("count", range(7))
def test_heaps_of_one_are_decided_by_their_parity(count):
    assert (solve(Nim(*[1] * count)).winner == "first") == (count % 2 == 1)
    assert (solve(Nim(*[1] * count, play="misere")).winner == "first") == (count % 2 == 0)


def test_a_heap_of_20000_and_one_of_10_to_the_1000_solve_at_once():
    for size in (20_000, 10**1000):
        assert grundy(Nim(size)) == size
        assert [str(move) for move in solve(Nim(size)).winning_moves] == [f"1:{size}"]


def test_empty_heaps_stay_and_order_counts():
    assert Nim(1, 3).play("1:1").to_text() == "0,3"
    assert Nim(1, 3) != Nim(3, 1)
    assert Nim().to_text() == "0"
    assert Nim() == Nim(0) == Nim.from_text("0")
    assert Nim(1) != Nim(1, play="misere")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("-1", "heap 1 is -1"),
        ("1,,2", "heap 2 is missing"),
        ("", "heap 1 is missing"),
        ("1,x", "heap 2 is 'x'"),
        ("1.5", "heap 1 is '1.5'"),
        ("1_000", "heap 1"),
        ("١", "heap 1"),
        ("9" * 5000, "5000 digits"),
    ],
)
def test_bad_texts_name_the_heap(text, fault):
    with pytest.raises(InvalidPosition, match=fault) as caught:
        Nim.from_text(text)
    assert "\n" not in str(caught.value)


def test_bad_arguments_are_named():
    for wrong, fault in [((-1,), "heap 1"), ((1, 2.0), "heap 2"), ((True,), "heap 1")]:
        with pytest.raises(InvalidPosition, match=fault):
            Nim(*wrong)
    with pytest.raises(InvalidPosition, match="'reverse'"):
        Nim(1, play="reverse")
    with pytest.raises(InvalidPosition, match="'left'"):
        Nim.from_text("1", to_move="left")


@pytest.mark.parametrize(
    ("move", "fault"),
    [("3:1", "no heap 3"), ("0:1", "no heap 0"), ("1:0", "at least 1"), ("2:4", "heap 2 has 3"), ("x", "heap:taken")],
)
def test_illegal_moves_name_the_fault(move, fault):
    with pytest.raises(IllegalMove, match=fault):
        Nim(1, 3).play(move)


def test_moves_are_of_whole_numbers():
    for move in (Take(1, 1.5), Take(1.0, 1), Take(1, True), Take(1, "1")):
        with pytest.raises(IllegalMove):
            Nim(3).play(move)


def test_misere_nim_has_no_grundy_value():
    with pytest.raises(CannotSum, match="misère"):
        grundy(Nim.standard())


def test_nim_conforms():
    check_game(Nim(3, 2, 1), Nim(0), Nim(1, 1, 1, play="misere"), Nim(2, 0, 3, play="misere"))
