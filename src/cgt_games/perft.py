"""Perft: the number of ways to play a given number of turns, a check of move generators against published
counts."""

from __future__ import annotations

from collections import Counter

from cgt_games.position import Position


def perft(position: Position, depth: int, *, distinct: bool = False) -> int:
    """The number of sequences of exactly ``depth`` turns from a position; a game that ends earlier adds none.

    With ``distinct``, turns of one player that lead to the same position count once. Raises ValueError for a
    negative depth. Cost: one expansion of each position that can stand after fewer than ``depth`` turns,
    however many ways lead to it, and memory for those of one depth; no recursion.

    >>> from cgt_games import Nim
    >>> [perft(Nim(2, 1), depth) for depth in range(5)]
    [1, 3, 5, 3, 0]
    """
    if depth < 0:
        raise ValueError(f"depth {depth} must be at least 0")
    if depth == 0:
        return 1
    ways = Counter({position: 1})
    for _ in range(depth - 1):
        if not ways:
            break
        after: Counter[Position] = Counter()
        for before, number in ways.items():
            player = before.to_move
            if distinct:
                for result in before.results(player):
                    after[result] += number
            else:
                for move in before.generate_moves(player):
                    after[before.apply(move, player)] += number
        ways = after
    if distinct:
        return sum(number * last.count_results(last.to_move) for last, number in ways.items())
    return sum(number * last.count_moves(last.to_move) for last, number in ways.items())
