"""Sums whose components all equal nimbers: the XOR of the Grundy values decides, each found by its own engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from cgt_games.engines import general, run
from cgt_games.engines.negamax import not_lost_at_once
from cgt_games.position import Move, Outcome, Player, Position
from cgt_games.solution import OutOfBudget, Search, Solution

if TYPE_CHECKING:
    from cgt_games.sums import Sum


def value_of(position: Position, search: Search) -> int:
    """The Grundy value of a position that equals a nimber, by its own engine, on the budget of ``search``."""
    inner = replace(search, winner_only=False, executor=None)
    value = run(position, inner).value
    search.nodes = inner.nodes
    if inner.stopped is not None or value is None:
        search.stopped = inner.stopped
        raise OutOfBudget
    return value


def moves_to(position: Position, value: int, player: Player, search: Search) -> Iterator[Move]:
    """The safe moves of ``player`` to positions of this Grundy value."""
    known = position.moves_to_grundy(value, player)
    if known is not None:
        yield from known
        return
    for move in position.safe_moves(player):
        if value_of(position.apply(move, player), search) == value:
            yield move


def solve_sum(position: Position, search: Search) -> Solution:
    """Solve a sum: by XOR if every component equals a nimber, else by search on the sum itself.

    The best moves are the winning ones that lower their component's value: an opponent who raises a value can only be
    answered so, and the lowering ends. Source: Sprague-Grundy; Winning Ways, chapter 3 (reversible moves).
    """
    from cgt_games.sums import SumMove, role_in

    total_sum = cast("Sum", position)
    if not total_sum.equals_nimber:
        return general(position, search)
    mover = position.to_move
    total: int | None = None
    values: list[int] = []
    winning: list[Move] = []
    progress: list[Move] = []
    complete = False
    with search.guard():
        for part in total_sum.parts:
            values.append(value_of(part, search))
        total = 0
        for value in values:
            total ^= value
        if total and not search.winner_only:
            for number, (part, value) in enumerate(zip(total_sum.parts, values, strict=True), 1):
                for move in moves_to(part, total ^ value, role_in(part, mover), search):
                    winning.append(SumMove(number, move))
                    if total ^ value < value:
                        progress.append(winning[-1])
        complete = True
    winner = None if total is None else mover if total else mover.opponent
    return Solution(
        position,
        winner,
        value=total,
        value_kind="grundy",
        winning_moves=None if complete and search.winner_only else tuple(winning),
        best_moves=None if search.winner_only or not complete else tuple(progress) or not_lost_at_once(position),
        outcome=None if total is None else Outcome.N if total else Outcome.P,
        exact=complete,
        nodes=search.nodes,
        seconds=search.seconds,
        engine="theory: XOR of the components' Grundy values",
        stopped=search.stopped,
    )
