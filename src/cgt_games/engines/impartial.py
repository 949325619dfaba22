"""Grundy values of loop-free impartial games in normal play: mex over the options, XOR over the components.

Sources: R. Sprague (1935), P. M. Grundy (1939); Siegel, *Combinatorial Game Theory*, chapter IV.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cgt_games.engines.negamax import (
    FIRST_LOOK,
    engine_name,
    line,
    not_lost_at_once,
    show_cycle,
    symmetric_key,
)
from cgt_games.engines.partizan import solve_partizan
from cgt_games.position import CannotSum, Convention, LoopError, Move, Outcome, Player, Position, Theory, Turn
from cgt_games.solution import Search, Solution


def mex(values: set[int]) -> int:
    """The least number from 0 on that is not among the values.

    >>> mex({0, 1, 3}), mex(set())
    (2, 0)
    """
    least = 0
    while least in values:
        least += 1
    return least


class GrundyValues:
    """The Grundy values of positions, found once and kept for as long as this object lives.

    Unless ``plain``, positions are looked up by their canonical form and split into their components, where the game
    declares these.
    """

    _OPEN = -1  # stands in the table for a position whose value is being computed

    def __init__(self, search: Search, example: Position, *, plain: bool):
        self._search = search
        self._key = None if plain else symmetric_key(example)
        self._splits = not plain and type(example).components is not Position.components
        self._table: dict[Position, int] = {}
        self._pace = FIRST_LOOK

    def _children(self, position: Position) -> tuple[Iterator[Position], set[int] | None]:
        """The positions that the value follows from, and where their values go: a set for the mex, None for the XOR."""
        if self._splits:
            parts = position.components()
            if len(parts) != 1 or parts[0] != position:
                return iter(parts), None
        return iter(position.options(Turn.FIRST)), set()

    def of(self, root: Position) -> int:
        """The Grundy value of ``root``. Raises LoopError, or OutOfBudget at a limit.

        Cost: every position that can be reached from ``root``, up to the canonical form, once.
        """
        table, key, is_open = self._table, self._key, self._OPEN
        if key is not None:
            root = key(root)
        known = table.get(root)
        if known is not None:
            return known
        table[root] = is_open
        # One frame a position under way: the position, its children still to see, their values so far (of a sum: their
        # XOR so far).
        path = [root]
        frames = [self._children(root)]
        sums = [0]
        size = len(table)
        ticks, counted = 0, size - 1
        try:
            while path:
                (children, seen), deeper = frames[-1], None
                for child in children:
                    ticks += 1
                    if ticks >= self._pace:
                        self._search.tick(size - counted, size)
                        self._pace = self._search.pace(self._pace)
                        ticks, counted = 0, size
                    if key is not None:
                        child = key(child)
                    # One look both finds a value and marks a new position, for hashing is what costs most here.
                    known = table.setdefault(child, is_open)
                    if known >= 0:
                        if seen is not None:
                            seen.add(known)
                        else:
                            sums[-1] ^= known
                    elif len(table) > size:
                        size += 1
                        deeper = child
                        break
                    else:
                        raise LoopError(show_cycle(path, child))
                if deeper is not None:
                    path.append(deeper)
                    frames.append(self._children(deeper))
                    sums.append(0)
                    continue
                done, total = path.pop(), sums.pop()
                frames.pop()
                table[done] = result = mex(seen) if seen is not None else total
                # The child has left its parent's iterator, so its value goes to the parent here.
                if path:
                    if (values := frames[-1][1]) is not None:
                        values.add(result)
                    else:
                        sums[-1] ^= result
        finally:
            self._search.nodes += size - counted
            for unfinished in path:
                del table[unfinished]
        return table[root]


def solve_impartial(position: Position, search: Search, *, plain: bool) -> Solution:
    """Grundy value, winner and all winning moves in normal play; in misère play the win/loss search answers.

    With ``winner_only`` it stops at the first winning move. Raises LoopError if play can return to a position.
    """
    if position.theory is not Theory.IMPARTIAL:
        raise CannotSum(f"{type(position).__name__} is no impartial game, so the impartial engine cannot solve it")
    if position.convention is not Convention.NORMAL:
        return solve_partizan(position, search, plain=plain)
    values = GrundyValues(search, position, plain=plain)
    results: dict[Move, int] = {}
    value: int | None = None
    with search.guard():
        for move in position.safe_moves(Turn.FIRST):
            results[move] = values.of(position.apply(move, Turn.FIRST))
            if search.winner_only and results[move] == 0:
                break
        else:
            value = mex(set(results.values()))
    winning = tuple(move for move, result in results.items() if result == 0)
    winner: Player | str | None = Turn.FIRST if winning else None
    if value is not None:
        # A game that a losing move has ended was won by the player who is now to move.
        winner = position.winner or (Turn.FIRST if value else Turn.SECOND)
    outcome = None if winner is None else Outcome.N if winner == Turn.FIRST else Outcome.P

    def answer(**fields: Any) -> Solution:
        engine = engine_name("mex", plain)
        return Solution(
            position,
            winner,
            outcome=outcome,
            nodes=search.nodes,
            seconds=search.seconds,
            engine=engine,
            **fields,
        )

    if search.winner_only and winner is not None:
        return answer()
    if value is None:
        return answer(winning_moves=winning, exact=False, stopped=search.stopped)

    def choose(p: Position) -> Move | None:
        if values.of(p):
            return next(m for m in p.safe_moves(Turn.FIRST) if values.of(p.apply(m, Turn.FIRST)) == 0)
        return next(iter(not_lost_at_once(p)), None)

    variation: tuple[Move, ...] = ()
    with search.guard():
        variation = line(position, choose)
    return answer(
        value=value,
        value_kind="grundy",
        winning_moves=winning,
        best_moves=winning or not_lost_at_once(position),
        principal_variation=variation,
        stopped=search.stopped,  # in the line at most: the rest is proved
    )
