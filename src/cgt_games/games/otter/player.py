"""A player that is perfect at every stage of the 4 x 4 game and answers at once: a book, then search.

The book (:mod:`~cgt_games.games.otter.book`) knows the positions with at most three numbers on the board that arise
while this player follows it. Everything else is searched: first for a move that keeps the result, then, in the
time that is left, for one that keeps the margin.
"""

from __future__ import annotations

from dataclasses import dataclass

from cgt_games.games.otter.book import Book
from cgt_games.games.otter.ranking import ranking
from cgt_games.games.otter.rules import Otter, Placement
from cgt_games.games.otter.solver import FEW, Engine, Proof, decode, solve_otter
from cgt_games.position import CGTError, Position
from cgt_games.solution import Limits, Search


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, and why.

    ``source``: ``"book"``, ``"search"``, or ``"guess"`` if the time was over before any move was proved to keep the
    result. ``low`` and ``high`` bound the margin of the position as far as it was proved (-127 and 127: not at all).
    """

    move: Placement
    source: str
    low: int
    high: int


@dataclass(slots=True)
class OtterPlayer:
    """Plays Otter: by the book, by search within ``seconds`` for each move, and by its ranking if that does not do.

    >>> OtterPlayer().choose(Otter.from_text("8,4,.,./.,7,16,./6,3,11,14/15,1,12,9"))
    Placement(number=2, cell='a3')
    """

    seconds: float = 0.8
    name: str = "otter"

    def choose(self, position: Position) -> Placement:
        """A move that keeps the result; see :meth:`explain`."""
        if not isinstance(position, Otter):
            raise CGTError(f"this player plays Otter, not {type(position).__name__}")
        return self.explain(position).move

    def explain(self, position: Otter) -> Choice:
        """The move and where it comes from. Raises CGTError at the end of the game."""
        if position.is_terminal:
            raise CGTError(f"there is no legal move in {position.to_text()!r}")
        known = Book.load().find(position)
        if known is not None:
            return Choice(known.move, "book", known.low, known.high)
        search = Search(Limits(seconds=self.seconds))
        if position.empties <= FEW:
            solution = solve_otter(position, search)
            assert solution.best_moves is not None
            assert solution.value is not None
            return Choice(solution.best_moves[0], "search", solution.value, solution.value)
        proof = Proof(position, Engine.of(position, search))
        with search.guard():
            proof.find_winner()
            proof.find_margin()
        if search.stopped == "interrupt":
            raise KeyboardInterrupt
        # A move that decided a test keeps all that the test proved for the player to move.
        if proof.first:
            return Choice(decode(position, proof.first), "search", proof.low, proof.high)
        lost = proof.high < 0 if position.to_move.is_left else proof.low > 0
        source = "search" if lost else "guess"  # in a lost position every move keeps the result
        return Choice(ranking(position)[0][0], source, proof.low, proof.high)
