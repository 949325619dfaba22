"""A look ahead in Slither on boards of any size: alpha-beta over the turns that look best (numba).

A position is worth the difference of both players' *potentials*, how far each is from connecting. Turns are looked at
in two stages, for there can be many thousands: all are ranked by what their points are worth by themselves, and the
best of these by the potentials after them. What one turn decides is never left to that: who can connect does, and a
turn that lets the opponent connect is no candidate, and if all turns that rank well do, the rest are tried as well.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from cgt_games.games.slither.bits import most_results
from cgt_games.games.slither.cells import (
    BLACK,
    EMPTY,
    FAR,
    Room,
    connecting_turns,
    list_turns,
    make_room,
    mark_movable,
    measure,
    play,
    take_back,
)

WIN = 1 << 20
"""The value of a won position, less the turns to the end."""
BLOCKED = 1 << 12
"""The potential of a player for whom no chain is left without moving stones."""
DEEPEST, WIDEST = 12, 64
"""How many turns ahead, and how many turns of a position, at most."""
MOST_THREATS = 48
"""At most so many of the opponent's winning turns are listed; all are found where it matters."""
CONNECTS = -1
DONE, GOES_ON = 0, 1
"""What a slice ends with: the search to its depth is complete; the slice is used up."""


class Tables(NamedTuple):
    """Room to work in. ``mine`` and ``yours``: for the player to move and the opponent. Turns, int64 (N, 3): the
    opponent's ``threats``, all ``turns``, those ``ranked`` best (2, N, 3: placements, moving turns) with their
    ``ranks``, and one ``found``. By cells, int64: what a stone is ``worth`` (see :func:`value_cells`), and widths by
    ``levels``."""

    mine: Room
    yours: Room
    threats: np.ndarray
    turns: np.ndarray
    ranked: np.ndarray
    ranks: np.ndarray
    found: np.ndarray
    worth: np.ndarray
    levels: np.ndarray


class Stack(NamedTuple):
    """The line under search. ``turns`` and ``scores`` of each position on it, best first; ``scalars``: int64 (5,
    positions), how many turns, the next one, alpha, beta, and the best value; ``state``: int64 (2,), how deep the line
    is and the positions so far."""

    turns: np.ndarray
    scores: np.ndarray
    scalars: np.ndarray
    state: np.ndarray


COUNT, NEXT, LOW, HIGH, BEST = range(5)


def make_tables(rows: int, columns: int) -> Tables:
    """Tables for a board of this size; 13 x 13 takes 2 MB."""
    cells = (rows + 2) * (columns + 2)
    return Tables(
        make_room(rows, columns),
        make_room(rows, columns),
        np.zeros((MOST_THREATS, 3), np.int64),
        np.zeros((most_results(rows * columns), 3), np.int64),
        np.zeros((2, 512, 3), np.int64),
        np.zeros((2, 512), np.int64),
        np.zeros((1, 3), np.int64),
        np.zeros((2, cells), np.int64),
        np.zeros(cells, np.int64),
    )


def make_stack() -> Stack:
    """An empty stack."""
    return Stack(
        np.zeros((DEEPEST + 1, WIDEST, 3), np.int64),
        np.zeros((DEEPEST + 1, WIDEST), np.int64),
        np.zeros((5, DEEPEST + 1), np.int64),
        np.zeros(2, np.int64),
    )


def begin(stack: Stack, count: int) -> None:
    """Make a stack ready for a search of the first ``count`` turns that it holds for the root."""
    stack.scalars[:, 0] = (count, 0, -WIN, WIN, -WIN)
    stack.state[:] = 0


@njit(cache=True)
def widths(cells, grid, ahead, back, least, levels):
    """Count in ``levels`` the cells that can be the k-th new one of a shortest chain, k from 1 to ``least``."""
    levels[: least + 1] = 0
    for x in grid.points:
        if cells[x] == EMPTY and ahead[x] + back[x] == least + 1:
            levels[ahead[x]] += 1


@njit(cache=True)
def potential(cells, grid, player, room, levels):
    """How far a player is from connecting: the number of empty points that a shortest chain needs, and the potential.

    The potential adds up the steps of such a chain, from 22 for one that can go through a single cell to 10 for one
    with many ways: 10 + 12 / width, rounded down. A step's width is the number of cells that can be the chain's k-th
    new one; a cell on a chain that needs one point more counts a quarter at each end from which it is the k-th. It is
    0 for a player who has connected. The distances are left in ``room``.
    """
    ahead, back = room.ahead, room.back
    least = measure(cells, grid, player, ahead, back, room.queue)
    if least == FAR:
        return FAR, BLOCKED
    levels[: least + 1] = 0
    for x in grid.points:
        if cells[x] == EMPTY:
            spare = ahead[x] + back[x] - least - 1
            if spare == 0:
                levels[ahead[x]] += 4
            elif spare == 1:
                if ahead[x] <= least:
                    levels[ahead[x]] += 1
                if back[x] <= least:
                    levels[least + 1 - back[x]] += 1
    total = 0
    for k in range(1, least + 1):
        total += 10 + 48 // levels[k]
    return least, total


@njit(cache=True)
def value_cells(cells, grid, player, tables):
    """Fill in what a stone of the player is worth, to rank turns by: row 0 on an empty cell, row 1 where one stands.

    ``tables.mine`` and ``tables.yours`` hold the distances of both players. What counts is how much longer than the
    shortest a chain through the cell is, for either player, and how many cells could stand in for it. The weights are a
    guess; they decide what is compared, not what is played.
    """
    tables.worth[:] = 0
    for room, owner in ((tables.mine, player), (tables.yours, 3 - player)):
        ahead, back, worth, levels = room.ahead, room.back, tables.worth, tables.levels
        first = 0 if owner == BLACK else 2
        start, stride, number = grid.edges[first + 1]
        least = FAR
        for k in range(number):
            least = min(least, ahead[start + k * stride])
        if least == FAR:
            continue
        widths(cells, grid, ahead, back, least, levels)
        for x in grid.points:
            if cells[x] == EMPTY:
                spare = ahead[x] + back[x] - 1 - least
                if spare == 0:
                    worth[0, x] += 24 + 48 // levels[ahead[x]]
                elif spare < 4:
                    worth[0, x] += 24 >> spare
            elif cells[x] == player:
                if owner == player:
                    spare = ahead[x] + back[x] - least
                else:
                    spare = length_without(grid, first, ahead, back, x) - least
                worth[1, x] += 32 * (1 - min(spare, 0)) if spare <= 0 else 8 if spare == 1 else 0


@njit(cache=True)
def length_without(grid, first, ahead, back, x):
    """How many empty cells the opponent's shortest chain through a cell would need, were the stone there taken away.

    ``ahead`` and ``back``: its distances from its edges ``first`` and ``first`` + 1.
    """
    a = b = FAR
    for step in grid.steps:
        a, b = min(a, ahead[x + step]), min(b, back[x + step])
    for k in range(grid.edges[first, 2]):
        if x == grid.edges[first, 0] + k * grid.edges[first, 1]:
            a = 0
        if x == grid.edges[first + 1, 0] + k * grid.edges[first + 1, 1]:
            b = 0
    return a + b + 1


@njit(cache=True)
def is_open(cells, grid, opponent, advanced, threats, count, room):
    """Whether the opponent can still make one of ``count`` connecting turns, found before the last turn."""
    is_marked = False
    for k in range(count):
        source, target, place = threats[k]
        if cells[place] != EMPTY or (source and cells[target] != EMPTY):
            continue
        if not source or not advanced:
            return True
        if not is_marked:
            mark_movable(cells, grid, opponent, True, room.mobile, room.queue[0])
            is_marked = True
        if room.mobile[source]:
            return True
    return False


@njit(cache=True)
def enter(turns, scores, count, most, turn, score):
    """Enter a turn into a list with the best first, of at most ``most``; returns how many there are then."""
    if count == most:
        if score <= scores[count - 1]:
            return count
        count -= 1
    at = count
    while at > 0 and scores[at - 1] < score:
        turns[at, 0], turns[at, 1], turns[at, 2] = turns[at - 1, 0], turns[at - 1, 1], turns[at - 1, 2]
        scores[at] = scores[at - 1]
        at -= 1
    turns[at, 0], turns[at, 1], turns[at, 2], scores[at] = turn[0], turn[1], turn[2], score
    return count + 1


@njit(cache=True)
def list_best(cells, grid, player, advanced, limits, tables, chosen, scores):
    """The best turns, best first, of those that do not let the opponent connect; returns how many.

    CONNECTS, with the turn, if the player can connect. ``limits``: how many turns are wanted, and how many placements
    and moving turns are compared by the potentials after them. A player without a turn passes, the turn (0, 0, 0).
    ``chosen`` and ``scores`` receive the turns and what they are worth for the player.
    """
    width, placements, moves = limits
    other, turns, threats = 3 - player, tables.turns, tables.threats
    if connecting_turns(cells, grid, player, advanced, tables.mine, chosen, 1):
        return CONNECTS
    threatening = connecting_turns(cells, grid, other, advanced, tables.yours, threats, MOST_THREATS)
    value_cells(cells, grid, player, tables)
    total = list_turns(cells, grid, player, advanced, tables.mine, turns)
    if total == 0:
        turns[0, 0], turns[0, 1], turns[0, 2] = 0, 0, 0
        total = 1
    worth, ranked, ranks = tables.worth, tables.ranked, tables.ranks
    threat_source, threat_target, threat_place = threats[0]
    kept = placed = moved = count = 0
    for i in range(total):
        source, target, place = turns[i]
        if (
            threatening
            and place != threat_place
            and (place != threat_target or not threat_source)
            and (not source or (target != threat_place and target != threat_target))
            and not (threat_source and advanced)
        ):
            continue  # it does not touch the first threat, nor, in the advanced game, the group of the stone to move
        turns[kept, 0], turns[kept, 1], turns[kept, 2] = source, target, place
        if source:
            rank = worth[0, place] + worth[0, target] - worth[1, source]
            moved = enter(ranked[1], ranks[1], moved, moves, turns[kept], rank)
        else:
            placed = enter(ranked[0], ranks[0], placed, placements, turns[kept], worth[0, place])
        kept += 1
    for kind, number in ((0, placed), (1, moved)):
        for i in range(number):
            score = weigh(cells, grid, player, advanced, ranked[kind, i], threatening, tables)
            if score > -WIN:
                count = enter(chosen, scores, count, width, ranked[kind, i], score)
    if count == 0 and kept > placed + moved:
        for i in range(kept):
            score = weigh(cells, grid, player, advanced, turns[i], threatening, tables)
            if score > -WIN:
                count = enter(chosen, scores, count, width, turns[i], score)
                if count == width:
                    break
    return count


@njit(cache=True)
def weigh(cells, grid, player, advanced, turn, threatening, tables):
    """What a turn is worth for the player by the potentials after it; -WIN if it lets the opponent connect."""
    other = 3 - player
    if turn[2]:
        play(cells, turn, player)
    room, levels = tables.mine, tables.levels
    score = -WIN
    if not threatening or not is_open(cells, grid, other, advanced, tables.threats, threatening, room):
        least, yours = potential(cells, grid, other, room, levels)
        if least > 2 or not connecting_turns(cells, grid, other, advanced, room, tables.found, 1):
            score = yours - potential(cells, grid, player, room, levels)[1]
    if turn[2]:
        take_back(cells, turn, player)
    return score


@njit(cache=True)
def run(stack, cells, grid, player, advanced, depth, inner, last, tables, slice_end):
    """Search ``depth`` >= 2 turns ahead; ``begin`` has made ``stack`` ready, with the root's turns.

    ``inner`` and ``last``: the limits of :func:`list_best` for the positions before the last turn, and for that turn.
    Fail-soft alpha-beta with an explicit stack, which goes on where a slice ended. A value of WIN - 100 or more is a
    connection that could be forced against all turns that were looked at, so no proof. ``stack.scores[0]`` receives the
    values of the root's turns; those that were not better than the best have bounds there. A slice ends when
    ``stack.state`` counts ``slice_end`` positions; it returns DONE or GOES_ON.
    """
    scalars, state = stack.scalars, stack.state
    level = state[0]
    value = np.int64(0)
    while True:
        if state[1] >= slice_end:
            state[0] = level
            return GOES_ON
        is_done = False
        mover = player if level % 2 == 0 else 3 - player
        if scalars[NEXT, level] < 0:
            state[1] += 1
            limits = inner if level < depth - 1 else last
            count = list_best(cells, grid, mover, advanced, limits, tables, stack.turns[level], stack.scores[level])
            if count == CONNECTS:
                value, is_done = np.int64(WIN - level), True
            elif count == 0:
                value, is_done = np.int64(-(WIN - level - 1)), True
            elif level == depth - 1:
                value, is_done = stack.scores[level, 0], True
            else:
                scalars[COUNT, level], scalars[NEXT, level], scalars[BEST, level] = count, 0, -WIN
        if not is_done and (
            scalars[NEXT, level] >= scalars[COUNT, level] or scalars[LOW, level] >= scalars[HIGH, level]
        ):
            value, is_done = scalars[BEST, level], True
        if is_done:
            if level == 0:
                state[0] = 0
                return DONE
            level -= 1
            at = scalars[NEXT, level]
            if stack.turns[level, at, 2]:
                take_back(cells, stack.turns[level, at], player if level % 2 == 0 else 3 - player)
            scalars[NEXT, level] += 1
            scalars[BEST, level] = max(scalars[BEST, level], -value)
            scalars[LOW, level] = max(scalars[LOW, level], -value)
            if level == 0:
                stack.scores[0, at] = -value
            continue
        turn = stack.turns[level, scalars[NEXT, level]]
        if turn[2]:
            play(cells, turn, mover)
        scalars[LOW, level + 1], scalars[HIGH, level + 1] = -scalars[HIGH, level], -scalars[LOW, level]
        level += 1
        scalars[NEXT, level] = -1
