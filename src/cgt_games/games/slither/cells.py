"""Slither on an array of cells (numba): boards of any size.

``bits`` says the same for boards of one machine word a colour, 8 x 8, and lists turns faster there. Here a board is an
int8 array with a border of cells that are off the board, so that a step is the addition of a constant and needs no
bounds, and distances are kept for each cell. A turn is (source, target, place) as
indices of cells, 0 for none, since cell 0 is always off the board. A player is ``BLACK`` or ``WHITE``, the other is
``3 - player``.

Lists of turns would be long (57,289 at most on 13 x 13), so what is asked most is answered without one: which turns
connect is looked for only near the points that a chain still needs, and a random turn is drawn by trial.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numba import njit

EMPTY, BLACK, WHITE, OFF = 0, 1, 2, 3
FAR = 1 << 10
"""The distance of what cannot be reached; a sum of two such distances is still small."""
MOST_TRIES = 200
"""So many random turns are tried before all are listed."""


class Grid(NamedTuple):
    """A board: ``width`` of its array with the border, its ``points`` (int64, in reading order), the orthogonal
    ``steps`` and all eight ``kings`` steps (int64), and its four ``edges`` (int64 (4, 3): first point, step, number):
    top, bottom, left, right."""

    width: int
    points: np.ndarray
    steps: np.ndarray
    kings: np.ndarray
    edges: np.ndarray


class Room(NamedTuple):
    """Arrays to work in, one entry a cell where not said otherwise.

    ``queue``: int64 (2, cells); ``ahead`` and ``back``: int64, distances from both edges; ``mobile``: bool; ``lists``:
    int64 (2, cells), for random turns.
    """

    queue: np.ndarray
    ahead: np.ndarray
    back: np.ndarray
    mobile: np.ndarray
    lists: np.ndarray


@lru_cache(maxsize=64)
def make_grid(rows: int, columns: int) -> Grid:
    """The board of this size, made once."""
    width = columns + 2
    points = np.array([(r + 1) * width + c + 1 for r in range(rows) for c in range(columns)], np.int64)
    steps = np.array([-width, -1, 1, width], np.int64)
    kings = np.array([-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1], np.int64)
    first = width + 1
    edges = [(first, 1, columns), (rows * width + 1, 1, columns), (first, width, rows), (width + columns, width, rows)]
    return Grid(width, points, steps, kings, np.array(edges, np.int64))


def make_room(rows: int, columns: int) -> Room:
    """Room for a board of this size."""
    cells = (rows + 2) * (columns + 2)
    numbers = np.zeros((6, cells), np.int64)
    return Room(numbers[:2], numbers[2], numbers[3], np.zeros(cells, np.bool_), numbers[4:])


def cells_of(black: int, white: int, rows: int, columns: int) -> np.ndarray:
    """The array of a board with these stones (sets of points, bit ``row * columns + column``)."""
    cells = np.full((rows + 2, columns + 2), OFF, np.int8)
    signs = [BLACK if black >> i & 1 else WHITE if white >> i & 1 else EMPTY for i in range(rows * columns)]
    cells[1:-1, 1:-1] = np.array(signs, np.int8).reshape(rows, columns)
    return cells.reshape(-1)


def stones_of(cells: np.ndarray, player: int, grid: Grid) -> int:
    """The stones of a player as a set of points: the inverse of :func:`cells_of`."""
    return sum(1 << int(i) for i in np.flatnonzero(cells[grid.points] == player))


# --- legality -----------------------------------------------------------------------------------------------------


@njit(cache=True)
def is_bare_at(cells, x, player, width):
    """Whether one of the four squares that hold a cell has stones of this player on one diagonal and nowhere else."""
    own = cells[x] == player
    for v in (-width, width):
        for h in (-1, 1):
            beside = cells[x + v] == player
            if beside != own and (cells[x + h] == player) == beside and (cells[x + v + h] == player) == own:
                return True
    return False


@njit(cache=True)
def may_place(cells, x, player, width):
    """Whether a stone on this empty cell makes no bare square."""
    for v in (-width, width):
        for h in (-1, 1):
            if cells[x + v + h] == player and cells[x + v] != player and cells[x + h] != player:
                return False
    return True


@njit(cache=True)
def mend(cells, source, target, player, width, pair):
    """Whether a move, made on ``cells`` already, leaves a bare square; ``pair`` receives the two cells of one that are
    not the player's. The stone to place has to come there."""
    for x in (source, target):
        own = cells[x] == player
        for v in (-width, width):
            for h in (-1, 1):
                beside = cells[x + v] == player
                if beside != own and (cells[x + h] == player) == beside and (cells[x + v + h] == player) == own:
                    pair[0], pair[1] = (x + v, x + h) if own else (x, x + v + h)
                    return True
    return False


@njit(cache=True)
def is_legal_place(cells, source, target, place, player, width):
    """Whether a placement ends a turn legally, after a move that was made on ``cells`` already."""
    if cells[place] != EMPTY:
        return False
    cells[place] = player
    bare = is_bare_at(cells, place, player, width)
    bare = bare or is_bare_at(cells, source, player, width) or is_bare_at(cells, target, player, width)
    cells[place] = EMPTY
    return not bare


@njit(cache=True)
def play(cells, turn, player):
    """Make a turn."""
    if turn[0]:
        cells[turn[0]] = EMPTY
        cells[turn[1]] = player
    cells[turn[2]] = player


@njit(cache=True)
def take_back(cells, turn, player):
    """Undo a turn."""
    cells[turn[2]] = EMPTY
    if turn[0]:
        cells[turn[1]] = EMPTY
        cells[turn[0]] = player


@njit(cache=True)
def mark_movable(cells, grid, player, advanced, mobile, queue):
    """Mark the cells whose stones may be moved, if they are the player's: its own, or in the advanced game those of
    groups with stones of both colours."""
    mobile[:] = False
    count = 0
    for x in grid.points:
        if not advanced:
            mobile[x] = cells[x] == player
        elif cells[x] == player:
            for step in grid.steps:
                if cells[x + step] == 3 - player and not mobile[x]:
                    mobile[x] = True
                    queue[count] = x
                    count += 1
    while count:
        count -= 1
        x = queue[count]
        for step in grid.steps:
            y = x + step
            if (cells[y] == BLACK or cells[y] == WHITE) and not mobile[y]:
                mobile[y] = True
                queue[count] = y
                count += 1


@njit(cache=True)
def list_turns(cells, grid, player, advanced, room, turns):
    """Write a turn to each distinct result into ``turns``, int64 (N, 3), and return how many there are.

    A moving turn leaves two new stones and a gap, and of the turns to one result that with the smaller target is taken.
    """
    width, count = grid.width, 0
    for place in grid.points:
        if cells[place] == EMPTY and may_place(cells, place, player, width):
            turns[count, 0], turns[count, 1], turns[count, 2] = 0, 0, place
            count += 1
    mark_movable(cells, grid, player, advanced, room.mobile, room.queue[0])
    pair = np.zeros(2, np.int64)
    for source in grid.points:
        if cells[source] != player or not room.mobile[source]:
            continue
        for step in grid.kings:
            target = source + step
            if cells[target] != EMPTY:
                continue
            cells[source], cells[target] = EMPTY, player
            if mend(cells, source, target, player, width, pair):
                for place in pair:
                    if is_first_way(source, target, place, width) and is_legal_place(
                        cells, source, target, place, player, width
                    ):
                        turns[count, 0], turns[count, 1], turns[count, 2] = source, target, place
                        count += 1
            else:
                for place in grid.points:
                    if (
                        cells[place] == EMPTY
                        and is_first_way(source, target, place, width)
                        and may_place(cells, place, player, width)
                    ):
                        turns[count, 0], turns[count, 1], turns[count, 2] = source, target, place
                        count += 1
            cells[source], cells[target] = player, EMPTY
    return count


@njit(cache=True)
def is_first_way(source, target, place, width):
    """Whether no turn listed before gives the same: placing on the source does what a placement on the target does, and
    target and place can be exchanged if both are a step from the source."""
    if place == source:
        return False
    apart = abs(place - source)
    return place > target or not (apart == 1 or width - 1 <= apart <= width + 1)


# --- distances and connections ------------------------------------------------------------------------------------


@njit(cache=True)
def distances(cells, grid, player, edge, out, queue):
    """How many empty cells a chain of this player from an edge to each cell needs at least, that cell included; FAR
    where there can be none. ``queue``: int64 (2, cells)."""
    out[:] = FAR
    here, there = 0, 1
    count = later = 0
    first, stride, number = grid.edges[edge]
    for k in range(number):
        x = first + k * stride
        if cells[x] == player:
            out[x] = 0
            queue[here, count] = x
            count += 1
        elif cells[x] == EMPTY:
            out[x] = 1
            queue[there, later] = x
            later += 1
    level = 0
    while count or later:
        while count:  # in any order: all that is found here has the same distance
            count -= 1
            x = queue[here, count]
            for step in grid.steps:
                y = x + step
                if out[y] == FAR:
                    if cells[y] == player:
                        out[y] = level
                        queue[here, count] = y
                        count += 1
                    elif cells[y] == EMPTY:
                        out[y] = level + 1
                        queue[there, later] = y
                        later += 1
        here, there, count, later = there, here, later, 0
        level += 1


@njit(cache=True)
def measure(cells, grid, player, ahead, back, queue):
    """Fill in the distances of a player from its first and from its last edge; return that between them."""
    first = 0 if player == BLACK else 2
    distances(cells, grid, player, first, ahead, queue)
    distances(cells, grid, player, first + 1, back, queue)
    least = FAR
    start, stride, number = grid.edges[first + 1]
    for k in range(number):
        least = min(least, ahead[start + k * stride])
    return least


@njit(cache=True)
def connects(cells, grid, player, seen, queue):
    """Whether stones of this player join its edges. ``seen`` and ``queue``: int64, a number a cell."""
    seen[:] = 0
    edge, count = 0 if player == BLACK else 2, 0
    for k in range(grid.edges[edge, 2]):
        x = grid.edges[edge, 0] + k * grid.edges[edge, 1]
        if cells[x] == player:
            seen[x] = 1
            queue[count] = x
            count += 1
    while count:
        count -= 1
        x = queue[count]
        for step in grid.steps:
            y = x + step
            if cells[y] == player and not seen[y]:
                seen[y] = 1
                queue[count] = y
                count += 1
    joined = 0
    for k in range(grid.edges[edge + 1, 2]):
        joined += seen[grid.edges[edge + 1, 0] + k * grid.edges[edge + 1, 1]]
    return joined > 0


@njit(cache=True)
def connecting_turns(cells, grid, player, advanced, room, turns, enough):
    """Find turns that connect, up to ``enough``: write them into ``turns`` and return how many were found.

    With ``enough`` = 1 this decides whether there is one. A turn adds two points at most, so nothing but the distance
    is looked at where that is over 2; and each new point that the chain needs lies on a chain of that length. The
    distances are left in ``room.ahead`` and ``room.back``.
    """
    width, ahead, back = grid.width, room.ahead, room.back
    least, count = measure(cells, grid, player, ahead, back, room.queue), 0
    if least > 2:
        return 0
    if least == 1:
        for place in grid.points:
            if (
                cells[place] == EMPTY
                and ahead[place] + back[place] == 2
                and may_place(cells, place, player, width)
                and count < enough
            ):
                turns[count, 0], turns[count, 1], turns[count, 2] = 0, 0, place
                count += 1
        if count == enough:
            return count
    mark_movable(cells, grid, player, advanced, room.mobile, room.queue[0])
    pair = np.zeros(2, np.int64)
    for source in grid.points:
        if cells[source] != player or not room.mobile[source]:
            continue
        for step in grid.kings:
            target = source + step
            # If two points are missing, both new stones are needed.
            if cells[target] != EMPTY or (least == 2 and ahead[target] + back[target] > 3):
                continue
            cells[source], cells[target] = EMPTY, player
            bare = mend(cells, source, target, player, width, pair)
            is_joined = least < 2 and connects(cells, grid, player, room.queue[0], room.queue[1])
            for place in pair if bare else grid.points:
                if (
                    cells[place] == EMPTY
                    and (is_joined or ahead[place] + back[place] <= 3)
                    and is_first_way(source, target, place, width)
                    and (
                        is_legal_place(cells, source, target, place, player, width)
                        if bare
                        else may_place(cells, place, player, width)
                    )
                ):
                    cells[place] = player
                    if is_joined or connects(cells, grid, player, room.queue[0], room.queue[1]):
                        turns[count, 0], turns[count, 1], turns[count, 2] = source, target, place
                        count += 1
                    cells[place] = EMPTY
                    if count == enough:
                        break
            cells[source], cells[target] = player, EMPTY
            if count == enough:
                return count
    return count


# --- games by chance ----------------------------------------------------------------------------------------------


@njit(cache=True)
def next_random(state, below):
    """A number from 0 to ``below`` - 1. ``state``: uint64 (1,), not 0; a 64-bit xorshift (Marsaglia 2003)."""
    x = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    return np.int64(x % np.uint64(below))


@njit(cache=True)
def random_turn(cells, grid, player, advanced, room, state, turns):
    """Write a turn into ``turns[0]``, each distinct result with equal chance; False if there is none.

    Turns are drawn from all (source, step, place) until one is legal and first among those with its result; only if
    that fails for long all turns are listed. ``turns`` has room for them.
    """
    width, empties, sources = grid.width, room.lists[0], room.lists[1]
    mark_movable(cells, grid, player, advanced, room.mobile, room.queue[0])
    number = movers = 0
    for x in grid.points:
        if cells[x] == EMPTY:
            empties[number] = x
            number += 1
        elif cells[x] == player and room.mobile[x]:
            sources[movers] = x
            movers += 1
    pair = np.zeros(2, np.int64)
    for _ in range(MOST_TRIES if number else 0):
        drawn = next_random(state, number * (1 + 8 * movers))
        place, drawn = empties[drawn % number], drawn // number
        source = target = 0
        if drawn == 0:
            is_legal = may_place(cells, place, player, width)
        else:
            source = sources[(drawn - 1) // 8]
            target = source + grid.kings[(drawn - 1) % 8]
            if cells[target] != EMPTY or place == target or not is_first_way(source, target, place, width):
                continue
            cells[source], cells[target] = EMPTY, player
            if mend(cells, source, target, player, width, pair):
                is_legal = is_legal_place(cells, source, target, place, player, width)
            else:
                is_legal = may_place(cells, place, player, width)
            cells[source], cells[target] = player, EMPTY
        if is_legal:
            turns[0, 0], turns[0, 1], turns[0, 2] = source, target, place
            return True
    count = list_turns(cells, grid, player, advanced, room, turns)
    if count:
        chosen = next_random(state, count)
        turns[0, 0], turns[0, 1], turns[0, 2] = turns[chosen, 0], turns[chosen, 1], turns[chosen, 2]
    return count > 0


@njit(cache=True)
def random_winner(cells, grid, player, advanced, room, state, turns):
    """Play to the end, each distinct result of a turn with equal chance: the winner, or EMPTY for a draw.

    ``cells`` are changed; nobody has connected in them. ``turns``: room for all turns.
    """
    passes = 0
    while passes < 2:
        if random_turn(cells, grid, player, advanced, room, state, turns):
            play(cells, turns[0], player)
            if connects(cells, grid, player, room.queue[0], room.queue[1]):
                return player
            passes = 0
        else:
            passes += 1
        player = 3 - player
    return EMPTY
