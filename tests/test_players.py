"""Players choose legal moves, the perfect one wins what can be won, and games are records."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cgt_games import CGTError, ImpartialPosition, Limits, Nim, Northcott, Record, solve
from cgt_games.players import PerfectPlayer, RandomPlayer, TimedPlayer, play_out
from cgt_games.position import Turn


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=1, max_size=4), st.sampled_from(["normal", "misere"]), st.integers())
def test_the_perfect_player_wins_what_can_be_won(heaps, play, seed):
    start = Nim(*heaps, play=play)
    mover_wins = solve(start, engine="reference").winner == start.to_move
    perfect, weak = PerfectPlayer(), RandomPlayer(seed)
    record = play_out(start, *((perfect, weak) if mover_wins else (weak, perfect)))
    assert record.result is (Turn.FIRST if mover_wins else Turn.SECOND)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(2, 6), min_size=1, max_size=5), st.integers(0, 10**6))
def test_the_perfect_player_makes_progress_in_a_game_that_can_go_round(widths, seed):
    start = Northcott.random(widths, seed=seed)
    # The longest optimal game has 2 x (the sum of width - 2) plies; a weak loser can only shorten it.
    for other in (PerfectPlayer(), RandomPlayer(seed)):
        wins = start.nim_sum != 0
        order = (PerfectPlayer(), other) if wins else (other, PerfectPlayer())
        record = play_out(start, *order, most_moves=2 * sum(width - 2 for width in widths) + 1)
        assert record.result == (start.to_move if wins else start.to_move.opponent)


def test_a_seed_gives_the_same_game_again():
    games = [play_out(Nim(9, 9, 9), RandomPlayer(5), RandomPlayer(6)) for _ in range(2)]
    assert games[0] == games[1]
    assert games[0] != play_out(Nim(9, 9, 9), RandomPlayer(7), RandomPlayer(6))
    assert Record.from_json(games[0].to_json()) == games[0]
    assert dict(games[0].names) == {Turn.FIRST: "random", Turn.SECOND: "random"}


def test_the_random_player_plays_every_move():
    player = RandomPlayer(1)
    seen = Counter(str(player.choose(Nim(2, 2))) for _ in range(4000))
    assert set(seen) == {"1:1", "1:2", "2:1", "2:2"}
    # Each is binomial with mean 1000 and standard deviation 27; the seed is fixed, so this cannot flicker.
    assert all(abs(count - 1000) < 140 for count in seen.values())


class Trap(ImpartialPosition):
    """A long game, in which one of ten moves lets the other win at once."""

    def __init__(self, size):
        self.size = size

    def __eq__(self, other):
        return self.size == other.size

    def __hash__(self):
        return hash(self.size)

    def generate_moves(self, player):
        return iter(range(1, 11) if self.size > 0 else ())

    def apply(self, move, player):
        return Trap(-1 if move == 10 and self.size == 1000 else self.size - 1)

    @property
    def winner(self):
        # Who is to move after the trap has sprung has won.
        return None if self.size > 0 else self.to_move if self.size == -1 else self.to_move.opponent

    def to_text(self):
        return str(self.size)


def test_without_time_the_timed_player_still_avoids_losing_at_once():
    for seed in range(30):
        assert TimedPlayer(Limits(nodes=0), seed).choose(Trap(1000)) != 10


def test_with_time_the_timed_player_is_perfect():
    start = Nim(3, 4, 5)
    assert play_out(start, TimedPlayer(Limits(seconds=60)), RandomPlayer(2)).result is Turn.FIRST


@pytest.mark.parametrize("player", [PerfectPlayer(), RandomPlayer(), TimedPlayer(Limits())])
def test_there_is_no_move_at_the_end(player):
    with pytest.raises(CGTError, match="no legal move"):
        player.choose(Nim(0))


def test_a_game_can_be_left_unfinished():
    record = play_out(Nim(5, 5), RandomPlayer(1), RandomPlayer(2), most_moves=1)
    assert len(record.moves) == 1
    assert record.result is None
