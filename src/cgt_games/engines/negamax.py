"""The common search of loop-free games: values by negamax over a table, with an explicit stack.

A value is an integer seen from the player to move: a margin, or +1, 0, -1 for a win, a draw and a loss. The game's
length is bounded by memory alone, never by Python's recursion limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any, TypeVar

from cgt_games.position import DRAW, LoopError, Move, Player, Position
from cgt_games.solution import Search, Solution

FIRST_LOOK = 16
"""Options before the first look at the clock; then the search's pace decides."""


def engine_name(engine: str, plain: bool) -> str:
    """How a general engine signs its answers."""
    return f"{'reference' if plain else 'general'}: {engine}"


def symmetric_key(position: Position) -> Callable[[Position], Position] | None:
    """How positions of this game are looked up: by their canonical form; None if the game has none."""
    if type(position).canonical is Position.canonical:
        return None
    return lambda p: p.canonical()


def show_cycle(path: list[Position], back_to: Position) -> str:
    """A line of play that returns to where it was, for an error message."""
    cycle = [*path[path.index(back_to) :], back_to]
    texts = [f"{p.to_text()!r} ({p.to_move})" for p in cycle]
    if len(texts) > 9:
        texts = [*texts[:4], f"... {len(texts) - 8} more ...", *texts[-4:]]
    return f"play can return to a position: {' -> '.join(texts)}; a game with such loops needs `theory = Theory.LOOPY`"


class Values:
    """The values of positions, found once and kept for as long as this object lives.

    ``leaf`` gives the value of a position without moves; ``highest`` is a value that no other can exceed, at which a
    position's remaining moves need no look.
    """

    _OPEN = 1 << 62  # stands in the table for a position whose value is being computed

    def __init__(
        self,
        search: Search,
        leaf: Callable[[Position], int],
        key: Callable[[Position], Position] | None,
        highest: int | None,
    ):
        self._search = search
        self._leaf = leaf
        self._key = key
        self._highest = highest
        self._table: dict[Position, int] = {}
        self._pace = FIRST_LOOK

    def _children(self, position: Position) -> Iterator[Position]:
        player = position.to_move
        return map(position.apply, position.generate_moves(player), repeat(player))

    def of(self, root: Position) -> int:
        """The value of ``root`` for its player to move. Raises LoopError, or OutOfBudget at a limit.

        Cost: every position that can be reached from ``root``, once, unless ``highest`` cuts it short.
        """
        table, key, highest, is_open = self._table, self._key, self._highest, self._OPEN
        if key is not None:
            root = key(root)
        known = table.get(root)
        if known is not None:
            return known
        table[root] = is_open
        # One frame a position under way: the position, its children still to see, and the best value so far.
        path = [root]
        children = [self._children(root)]
        best: list[int | None] = [None]
        size = len(table)
        ticks, counted = 0, size - 1
        try:
            while path:
                value, deeper = best[-1], None
                for child in children[-1]:
                    ticks += 1
                    if ticks >= self._pace:
                        self._search.tick(size - counted, size)
                        self._pace = self._search.pace(self._pace)
                        ticks, counted = 0, size
                    if key is not None:
                        child = key(child)
                    # One look both finds a value and marks a new position, for hashing is what costs most here.
                    known = table.setdefault(child, is_open)
                    if known == is_open:
                        if len(table) == size:
                            raise LoopError(show_cycle(path, child))
                        size += 1
                        deeper = child
                        break
                    if value is None or -known > value:
                        value = -known
                        if value == highest:
                            break
                best[-1] = value
                if deeper is not None:
                    path.append(deeper)
                    children.append(self._children(deeper))
                    best.append(None)
                    continue
                done = path.pop()
                children.pop()
                best.pop()
                table[done] = result = self._leaf(done) if value is None else value
                # The child has left its parent's iterator, so its value goes to the parent here.
                if path and (best[-1] is None or -result > best[-1]):
                    best[-1] = -result
                    if -result == highest:
                        children[-1] = iter(())
        finally:
            self._search.nodes += size - counted
            for unfinished in path:
                del table[unfinished]
        return table[root]


P = TypeVar("P", bound=Position)


def line(position: P, choose: Callable[[P], Move | None], longest: int = 1000) -> tuple[Move, ...]:
    """The moves that ``choose`` makes from here until it gives None, at most ``longest``."""
    moves: list[Move] = []
    while len(moves) < longest and (move := choose(position)) is not None:
        moves.append(move)
        position = position.apply(move, position.to_move)
    return tuple(moves)


def winner_by_sign(position: Position, value: int) -> Player | str:
    """Who wins a position whose value for the player to move is ``value``."""
    return position.to_move if value > 0 else position.to_move.opponent if value < 0 else DRAW


def not_lost_at_once(position: Position) -> tuple[Move, ...]:
    """The moves that do not lose by themselves, or all if all do: what a lost player should choose from."""
    return tuple(position.safe_moves(position.to_move)) or tuple(position.legal_moves)


def solve(position: Position, search: Search, values: Values, engine: str, *, margins: bool) -> Solution:
    """Solve by the values of all positions one move away; with ``margins`` they are scores, else +1, 0, -1.

    With ``winner_only`` it stops at the first winning move.
    """
    mover = position.to_move
    results: dict[Move, int] = {}
    value: int | None = None
    with search.guard():
        for move in position.legal_moves:
            results[move] = -values.of(position.apply(move, mover))
            if search.winner_only and results[move] > 0:
                break
        value = max(results.values()) if results else values.of(position)
    winning = tuple(move for move, result in results.items() if result > 0)

    def answer(**fields: Any) -> Solution:
        return Solution(position, nodes=search.nodes, seconds=search.seconds, engine=engine, **fields)

    if value is None:
        known = mover if winning and not position.sides_may_swap else None
        return answer(winner=known, winning_moves=winning, exact=False, stopped=search.stopped)

    def choose(p: Position) -> Move | None:
        target = values.of(p)
        moves = p.legal_moves if margins or target >= 0 else not_lost_at_once(p)
        return next((move for move in moves if -values.of(p.apply(move, p.to_move)) == target), None)

    # A value belongs to the player to move. While players may exchange sides, the side is that of a line of best play.
    settled = position
    with search.guard():
        while settled.sides_may_swap and (move := choose(settled)) is not None:
            settled = settled.apply(move, settled.to_move)
        named = winner_by_sign(settled, values.of(settled))
    if search.stopped:
        return answer(winner=None, winning_moves=winning, exact=False, stopped=search.stopped)
    holder = None if value == 0 else position.player_of(position.to_move if value > 0 else position.to_move.opponent)
    if search.winner_only:
        return answer(winner=named, player=holder)
    best = tuple(move for move, result in results.items() if result == value)
    if value < 0 and not margins:
        best = not_lost_at_once(position)

    variation: tuple[Move, ...] = ()
    with search.guard():
        variation = line(position, choose)
    scored = {"value": value if mover.is_left else -value, "value_kind": "margin"} if margins else {}
    fields = {"winning_moves": winning, "best_moves": best, "principal_variation": variation, "player": holder}
    return answer(winner=named, stopped=search.stopped, **fields, **scored)  # stopped, if at all, in the line
