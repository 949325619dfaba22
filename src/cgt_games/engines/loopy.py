"""Retrograde analysis: win, loss, draw and distance to the end, also where play can go on for ever.

From the ends backwards: a position with a move to a lost one is won; a position all of whose moves lead to won ones is
lost; what is never reached this way is a draw, for there a player can always keep away from losing. Nothing is searched
forwards, so no cycle can trap it. Source: Siegel, *Combinatorial Game Theory*, chapter VI; the algorithm is that of
endgame tables.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cgt_games.engines.negamax import FIRST_LOOK, line
from cgt_games.position import DRAW, Move, Position
from cgt_games.solution import Search, Solution

ENGINE = "retrograde analysis"


@dataclass(slots=True)
class Analysis:
    """Every position that can be reached from the roots, each with its result for the player to move.

    ``results`` is +1, -1 or 0 (a draw); ``distances`` counts plies to the end when the winner hurries and the loser
    delays, and is None for a draw by infinite play.
    """

    positions: list[Position]
    results: list[int]
    distances: list[int | None]
    _number: dict[Position, int] = field(repr=False)

    def __len__(self) -> int:
        return len(self.positions)

    def result(self, position: Position) -> int:
        """+1, 0 or -1 for the player to move. Raises KeyError for a position that was not reached."""
        return self.results[self._number[position]]

    def distance(self, position: Position) -> int | None:
        """Plies to the end, None for a draw by infinite play. Raises KeyError for a position that was not reached."""
        return self.distances[self._number[position]]


def analyse(roots: list[Position], search: Search | None = None) -> Analysis:
    """Retrograde analysis of all that can be reached from ``roots``, sides to move included.

    Raises OutOfBudget at a limit: before the last step nothing is proved of the roots. Cost: one walk over all
    positions and moves, and about 1 kB a position.
    """
    search = search or Search()
    number: dict[Position, int] = {}
    positions: list[Position] = []
    before: list[list[int]] = []
    left_to_see: list[int] = []

    def number_of(position: Position) -> int:
        found = number.setdefault(position, len(positions))
        if found == len(positions):
            positions.append(position)
            before.append([])
        return found

    for root in roots:
        number_of(root)
    ticks, counted, here, pace = 0, 0, 0, FIRST_LOOK
    while here < len(positions):
        position = positions[here]
        player, children = position.to_move, 0
        for move in position.generate_moves(player):
            before[number_of(position.apply(move, player))].append(here)
            children += 1
            ticks += 1
            if ticks >= pace:
                search.tick(here - counted, len(positions), "listing positions")
                pace = search.pace(pace)
                ticks, counted = 0, here
        left_to_see.append(children)
        here += 1
    search.nodes += here - counted

    results = [0] * len(positions)
    distances: list[int | None] = [None] * len(positions)
    queue: list[int] = []
    for here, children in enumerate(left_to_see):
        if children == 0:
            winner, mover = positions[here].winner, positions[here].to_move
            distances[here] = 0
            results[here] = 0 if winner == DRAW else 1 if winner == mover else -1
            if results[here]:
                queue.append(here)
    # First in, first out: positions come off the queue by increasing distance, so each gets its true one.
    for here in queue:
        ticks += 1
        if ticks >= pace:
            search.tick(0, len(positions), "working backwards")
            pace = search.pace(pace)
            ticks = 0
        for earlier in before[here]:
            if results[earlier]:
                continue
            left_to_see[earlier] -= 1
            if results[here] < 0 or left_to_see[earlier] == 0:
                results[earlier] = -results[here]
                distances[earlier] = 1 + (distances[here] or 0)
                queue.append(earlier)
    return Analysis(positions, results, distances, number)


def solve_loopy(position: Position, search: Search, *, plain: bool = True) -> Solution:
    """Winner or draw, distance, all winning moves; best moves make progress: the winner's shorten the way to the end.

    In a draw the best moves are those that keep it. ``plain`` makes no difference: the analysis knows no symmetry.
    """
    analysis: Analysis | None = None
    with search.guard():
        analysis = analyse([position], search)
    if analysis is None:
        return Solution(
            position,
            None,
            exact=False,
            nodes=search.nodes,
            seconds=search.seconds,
            engine=ENGINE,
            stopped=search.stopped,
        )
    known = analysis

    def best(p: Position) -> tuple[Move, ...]:
        """By the result of the position reached, then by its distance: short for the winner, long for the loser."""
        after = {move: p.apply(move, p.to_move) for move in p.legal_moves}
        result, distance = known.result(p), known.distance(p)
        if result == 0 or distance is None:
            return tuple(move for move, q in after.items() if known.result(q) == 0)
        return tuple(m for m, q in after.items() if known.result(q) == -result and known.distance(q) == distance - 1)

    def choose(p: Position) -> Move | None:
        return next(iter(best(p)), None) if known.result(p) else None

    result, mover = known.result(position), position.to_move
    winning = tuple(m for m in position.legal_moves if known.result(position.apply(m, mover)) < 0)
    return Solution(
        position,
        winner=mover if result > 0 else mover.opponent if result < 0 else DRAW,
        winning_moves=None if search.winner_only else winning,
        best_moves=None if search.winner_only else best(position),
        principal_variation=() if search.winner_only else line(position, choose),
        distance=known.distance(position),
        nodes=search.nodes,
        seconds=search.seconds,
        engine=ENGINE,
    )
