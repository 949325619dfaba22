"""A player that is perfect at every stage of the 4 x 4 game and answers at once: a book, then search.

The book (:mod:`~cgt_games.games.otter.book`) knows the positions with at most three numbers on the board that arise
while this player follows it. Everything else is searched: first for a move that keeps the result, then, in the
time that is left, for one that keeps the margin. On boards of more than 16 cells, which neither knows, it plays what
can be solved in half the time, and else what looks best at first sight.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from cgt_games.games.otter.book import Book
from cgt_games.games.otter.ranking import alternating, ranking
from cgt_games.games.otter.rules import Otter, Placement, cell_names
from cgt_games.games.otter.search import CELLS
from cgt_games.games.otter.solver import FEW, Engine, Proof, decode, solve_otter
from cgt_games.position import CGTError, Position
from cgt_games.solution import Limits, Search

FAR = 127
"""Beyond any margin of the 4 x 4 game: not bounded."""


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
        if len(position.cells) > CELLS:
            return self._on_a_large_board(position)
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

    def _on_a_large_board(self, position: Otter) -> Choice:
        """What can be solved in half the time; else the move after which the scores differ most in one's favour.

        A score is then the least that it can still come to. Moves that are not reached in time are not compared.
        """
        ends, search = time.perf_counter() + self.seconds, Search(Limits(seconds=self.seconds / 2))
        solution = solve_otter(position, search)
        if solution.stopped == "interrupt":
            raise KeyboardInterrupt
        if solution.best_moves and solution.value is not None:
            return Choice(solution.best_moves[0], "search", solution.value, solution.value)
        player, best, lead = position.to_move, None, 0
        names = cell_names(position.rows, position.columns)
        empty = [name for name, number in zip(names, position.cells, strict=True) if not number]
        for number in alternating(position.unused)[::-1]:
            for cell in empty:
                after = position.apply(Placement(number, cell), player)
                found = after.score(player.opponent) - after.score(player)
                if best is None or found > lead:
                    best, lead = Placement(number, cell), found
                if time.perf_counter() > ends:
                    return Choice(best, "guess", -FAR, FAR)
        assert best is not None
        return Choice(best, "guess", -FAR, FAR)
