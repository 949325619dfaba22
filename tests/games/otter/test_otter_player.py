"""The opening book and the player: what the book claims is derived again for a sample, and the player keeps results."""

import time
from random import Random

import numpy as np
import pytest

from cgt_games import CGTError, Limits, Nim, Otter, Search, solve
from cgt_games.games.otter import book as book_module
from cgt_games.games.otter.book import Book, key_of, position_of
from cgt_games.games.otter.player import OtterPlayer
from cgt_games.games.otter.search import HIGH, LOW
from cgt_games.games.otter.solver import SIGN, Engine, encode
from cgt_games.players import RandomPlayer, TimedPlayer, play_out


def sign_of(position, move=None):
    """The sign of the margin, by a search that knows no book."""
    job = Engine.of(position, Search()).ask([encode(position, move)], [SIGN])[0]
    return 1 if job[LOW] > 0 else -1 if job[HIGH] < 0 else 0


def test_keys_stand_for_positions_up_to_symmetry(seed):
    rng = Random(seed)
    for empty in (16, 15, 14, 13):
        position = Otter.random(rng, empty=empty)
        key, symmetry = key_of(position)
        assert position_of(key) == position.transform(symmetry)
        for other in position.symmetries():
            assert key_of(position.transform(other))[0] == key


def test_every_entry_is_a_legal_move_with_bounds_in_order():
    book = Book.load()
    assert (np.diff(book.keys.astype(np.int64)) > 0).all()
    for position, entry in book:
        assert entry.move in position.legal_moves
        assert entry.low <= entry.high
        assert book.find(position) == entry


def test_the_book_answers_whatever_the_opponent_of_its_follower_plays(seed):
    book, start = Book.load(), Otter.empty()
    opened = start.play(book.find(start).move)
    assert all(book.find(opened.play(reply)) for reply in opened.legal_moves)
    firsts = list(start.legal_moves)
    for first in firsts:
        assert book.find(start.play(first)) is not None
    for first in Random(seed).sample(firsts, 10):
        position = start.play(first)
        position = position.play(book.find(position).move)
        assert all(book.find(position.play(second)) for second in position.legal_moves)


def test_the_book_says_the_same_of_symmetric_positions(seed):
    book = Book.load()
    position = position_of(int(Random(seed).choice(book.keys)))
    for symmetry in position.symmetries():
        entry = book.find(position.transform(symmetry))
        images = {position.transform_move(book.find(position).move, s) for s in position.symmetries()}
        assert (entry.low, entry.high) == (book.find(position).low, book.find(position).high)
        assert entry.move in position.transform(symmetry).legal_moves
        assert images & {position.transform(symmetry).transform_move(entry.move, s) for s in position.symmetries()}


@pytest.mark.parametrize("count", [4, pytest.param(60, marks=pytest.mark.slow)])
def test_a_random_sample_of_the_book_is_derived_again(count, seed):
    book = Book.load()
    deep = [int(key) for key in book.keys if key >> 24 == 3]
    for key in Random(seed).sample(deep, count):
        position = position_of(key)
        entry = book.find(position)
        sign = sign_of(position)
        assert entry.low <= 0 or sign > 0
        assert entry.high >= 0 or sign < 0
        assert (entry.low, entry.high) == (0, 0) or entry.low > 0 or entry.high < 0
        assert sign_of(position, entry.move) == sign  # the move keeps the result


def test_a_book_that_was_changed_is_refused(monkeypatch):
    monkeypatch.setattr(book_module.Book, "checksum", lambda self: "0" * 64)
    Book.load.cache_clear()
    with pytest.raises(CGTError, match="checksum"):
        Book.load()
    monkeypatch.undo()
    Book.load.cache_clear()
    assert len(Book.load()) > 0


def test_as_a_the_player_wins_from_the_start(seed):
    for number in range(3):
        record = play_out(Otter.empty(), OtterPlayer(), RandomPlayer(seed + number))
        assert record.result == "A"


def test_the_player_keeps_the_result_on_either_side(seed):
    rng = Random(seed)
    for _ in range(12):
        position = Otter.random(rng, empty=rng.randint(1, 9))
        before, move = solve(position), OtterPlayer().choose(position)
        assert solve(position.play(move)).value == before.value if not position.play(move).is_terminal else True
        assert move in before.best_moves


def test_the_timed_player_of_all_games_asks_it():
    start = Otter.empty()
    assert TimedPlayer(Limits(seconds=0.01)).choose(start) == Book.load().find(start).move


def test_without_time_it_says_that_it_guessed():
    position = Otter.empty().play("8@b3").play("9@c3")
    choice = OtterPlayer(seconds=0).explain(position)
    assert choice.source == "guess"
    assert choice.move in position.legal_moves


def test_it_plays_on_boards_that_are_too_large_for_the_search():
    # Only A passes the corners a5 and e1, only B a1 and e5: there the greatest number costs the opponent alone.
    start = Otter.empty(5, 5)
    choice = OtterPlayer(seconds=2.0).explain(start)
    assert (choice.source, choice.move.number, choice.move.cell in ("a1", "e5")) == ("guess", 25, True)
    for size in ((5, 5), (2, 9), (12, 12)):
        began = time.perf_counter()
        move = TimedPlayer(Limits(seconds=0.2)).choose(Otter.empty(*size))
        assert time.perf_counter() - began < 1.0
        assert Otter.empty(*size).why_illegal(move, start.to_move) is None
    # With two numbers left it is solved.
    late = Otter.random(3, empty=2, rows=5, columns=5)
    assert OtterPlayer(seconds=30.0).choose(late) in solve(late, engine="reference").best_moves


def test_it_plays_other_boards_by_search_and_refuses_other_games():
    position = Otter.random(1, empty=6, rows=3, columns=4)
    assert OtterPlayer().choose(position) in solve(position).best_moves
    with pytest.raises(CGTError, match="plays Otter, not Nim"):
        OtterPlayer().choose(Nim(1))
    with pytest.raises(CGTError, match="no legal move"):
        OtterPlayer().choose(Otter.random(1))
