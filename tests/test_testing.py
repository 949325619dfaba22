"""The conformance suite itself: it passes sound games and finds each kind of fault."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

import pytest

from cgt_games import ImpartialPosition, Northcott, Side, Solution, grundy, outcome
from cgt_games.testing import check_game
from toys import Coins, Countdown, Domineering, Kayles, Subtraction, Token, domineering


def test_sound_games_pass():
    check_game(Subtraction(12), Kayles((4, 2)), Countdown(5), walks=20)
    check_game(domineering(3, 3), domineering(2, 3), domineering(3, 2), walks=20)
    check_game(Coins((3, 1, 4, 1, 5)), walks=20)
    check_game(Token(((0, 1, "left"), (1, 0, "right"), (0, 2, "left"), (1, 2, "right")), 0), walks=20, longest=12)


@dataclass(frozen=True)
class Textless(ImpartialPosition):
    """A game of one's own in its least form, as in the README: 3 methods, 10 lines."""

    heap: int

    def generate_moves(self, player):
        return (taken for taken in (1, 2) if taken <= self.heap)

    def apply(self, move, player):
        return Textless(self.heap - move)

    def to_text(self):
        return str(self.heap)


def test_the_least_game_conforms_and_solves():
    check_game(Textless(7), walks=20)
    # Taking 1 or 2: the Grundy value is the rest on division by 3 (Winning Ways, chapter 4).
    assert [grundy(Textless(n)) for n in range(9)] == [0, 1, 2] * 3
    assert [outcome(Textless(n)) for n in range(6)] == list("PNNPNN")


class Mutable(Subtraction):
    __slots__ = ()

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)


@dataclass(frozen=True)
class ForgetsTheSide(Domineering):
    @classmethod
    def from_text(cls, text, *, to_move=None, **rules):
        return cls(tuple(text.split("/")), Side.LEFT)

    def apply(self, move, player):
        return ForgetsTheSide(super().apply(move, player).rows, player.opponent)


class ListsTwice(Subtraction):
    __slots__ = ()

    def generate_moves(self, player):
        yield from super().generate_moves(player)
        yield from super().generate_moves(player)

    def apply(self, move, player):
        return ListsTwice(self.heap - move)


class ChangesOrder(Subtraction):
    __slots__ = ()
    turn = count()

    def generate_moves(self, player):
        moves = list(super().generate_moves(player))
        return iter(moves if next(self.turn) % 2 else moves[::-1])

    def apply(self, move, player):
        return ChangesOrder(self.heap - move)


class AllowsAnything(Subtraction):
    __slots__ = ()

    def why_illegal(self, move, player):
        return None

    def apply(self, move, player):
        return AllowsAnything(max(0, self.heap - (move if isinstance(move, int) else 0)))


class WrongCount(Subtraction):
    __slots__ = ()

    def count_moves(self, player):
        return 3

    def apply(self, move, player):
        return WrongCount(self.heap - move)


class NeverOver(Subtraction):
    __slots__ = ()
    is_terminal = False

    def apply(self, move, player):
        return NeverOver(self.heap - move)


class WrongCanonical(Subtraction):
    __slots__ = ()

    def canonical(self):
        return WrongCanonical(self.heap - self.heap % 2)

    def apply(self, move, player):
        return WrongCanonical(self.heap - move)


class WrongEngine(Subtraction):
    __slots__ = ()
    fast_engine = "test_testing:claim_zero"

    def apply(self, move, player):
        return WrongEngine(self.heap - move)


def claim_zero(position, search):
    return Solution(position, "second", 0, "grundy", (), tuple(position.legal_moves))


class BrokenFarAway(Subtraction):
    """Sound for longer than the walks are."""

    __slots__ = ()
    is_terminal = property(lambda self: self.heap == 4)

    def generate_moves(self, player):
        return iter(() if self.heap == 0 else (1,))

    def apply(self, move, player):
        return BrokenFarAway(self.heap - move)


class WrongMirror(Northcott):
    def transform(self, symmetry):
        image = super().transform(symmetry)
        return type(self)(image.rows, self.to_move, self.retreats)


@pytest.mark.parametrize(
    ("example", "fault"),
    [
        (Mutable(5), "not immutable"),
        (ForgetsTheSide(("..", "..")), "not equal|to_move"),
        (ListsTwice(5), "listed twice"),
        (ChangesOrder(5), "order of moves changes"),
        (AllowsAnything(5), "not listed"),
        (WrongCount(5), "count of moves"),
        (NeverOver(5), "over"),
        (WrongCanonical(7), "says"),
        (WrongEngine(5), "says winner second"),
        (BrokenFarAway(90), "over"),
        (WrongMirror.from_text("L.R/.L.R"), "undone|illegal|commute"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_each_fault_is_found(example, fault):
    with pytest.raises(AssertionError, match=fault):
        check_game(example, walks=20)


def test_an_example_is_needed():
    with pytest.raises(ValueError, match="at least one"):
        check_game()
