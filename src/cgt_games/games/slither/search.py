"""Who wins a position of Slither: depth-first proof-number search on bit boards (numba).

A node is a position with its player to move. Its *proof number* says how many leaves must still be decided, at least,
to show that the player to move wins, its *disproof number* to show the opposite; the search follows the leaf that both
point to (Allis 1994; the depth-first form with a table: Nagai 2002). Since every turn but a forced pass adds a stone,
no position can come again on a line, and the numbers of a table are safe to use.

What keeps the tree small: a node whose player can connect in this turn is won, and a turn after which the opponent
could is lost, so neither is searched (:func:`winning_turns` decides it exactly); leaves start with numbers by the
distance of both players from connecting; and positions alike by symmetry are one node, with the colours exchanged where
a square board's goals are.

The table is keyed by the whole position, never by its hash alone. Row of the table (uint64): the stones of the player
to move, the other's, proof number << 32 | disproof number, and work << 8 | flags. The search runs in slices with its
stack in arrays, so it can be stopped at any time and go on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from cgt_games.games.slither.bits import (
    ALL,
    NONE,
    ONE,
    connects,
    count_turns,
    edges,
    flood,
    grow,
    king,
    legal_places,
    list_results,
    lowest,
    most_results,
    movable,
    places,
)

DONE, GOES_ON, FULL = 0, 1, 2
"""What a slice ends with: the root is decided; the slice is used up; the table has to be made larger or swept."""

INFINITE = np.int64(1 << 30)
"""The proof number of what is disproved, and the other way round."""
OCCUPIED, WHITES = np.uint64(1), np.uint64(2)
WORK_SHIFT = np.uint64(8)
HALF = np.uint64(32)
LOW_HALF = np.uint64(0xFFFFFFFF)

MOST_THREATS, MOST_TURNS = 48, 64
"""At most so many of the opponent's winning turns are listed; and how many turns a list may have."""


class Table(NamedTuple):
    """Positions and their numbers. ``rows``: uint64 (a power of two, 4), open addressing; ``used``: int64 (1,);
    ``hash_mask``: for tests, few bits make hashes collide."""

    rows: np.ndarray
    used: np.ndarray
    hash_mask: np.uint64


class Stack(NamedTuple):
    """The line under search, one entry a node, and all children of its nodes, one after the other.

    ``own``, ``other``: uint64, the stones of the player to move and the other's; ``whites``: whether White is to move;
    ``proof`` and ``disproof``: the bounds up to which the node is searched; ``start`` and ``end``: its children,
    ``end`` -1 before they are made; ``chosen``: the child under search; ``began``: the count of nodes before it.
    ``child_*``: as for nodes. ``scalars``: depth in use, nodes so far, and whether a position without turns was seen.
    """

    own: np.ndarray
    other: np.ndarray
    whites: np.ndarray
    proof: np.ndarray
    disproof: np.ndarray
    start: np.ndarray
    end: np.ndarray
    chosen: np.ndarray
    began: np.ndarray
    child_own: np.ndarray
    child_other: np.ndarray
    child_proof: np.ndarray
    child_disproof: np.ndarray
    scalars: np.ndarray


DEPTH, NODES, DEADLOCK = 0, 1, 2


def make_table(size: int, hash_bits: int = 64) -> Table:
    """An empty table of ``size`` rows, a power of two, 32 bytes each."""
    return Table(np.zeros((size, 4), np.uint64), np.zeros(1, np.int64), np.uint64((1 << hash_bits) - 1))


def make_stack(points: int) -> Stack:
    """An empty stack for a board of so many points. Passes come between stones, so a line has twice as many turns."""
    depth, width = 2 * points + 2, most_results(points)
    room = min(depth * width, 64 * width + 4096)
    own, other = np.zeros((2, depth), np.uint64)
    proof, disproof, start, end, chosen, began = np.zeros((6, depth), np.int64)
    child_own, child_other = np.zeros((2, room), np.uint64)
    child_proof, child_disproof = np.zeros((2, room), np.int64)
    return Stack(
        own,
        other,
        np.zeros(depth, np.bool_),
        proof,
        disproof,
        start,
        end,
        chosen,
        began,
        child_own,
        child_other,
        child_proof,
        child_disproof,
        np.zeros(3, np.int64),
    )


# --- the table ----------------------------------------------------------------------------------------------------


@njit(cache=True)
def mix(x):
    """Scramble 64 bits (the finaliser of MurmurHash3, by A. Appleby)."""
    x ^= x >> np.uint64(33)
    x *= np.uint64(0xFF51AFD7ED558CCD)
    x ^= x >> np.uint64(33)
    x *= np.uint64(0xC4CEB9FE1A85EC53)
    return x ^ (x >> np.uint64(33))


@njit(cache=True)
def find(table, own, other, flags):
    """The row of a position, or the empty row where it belongs."""
    rows = table.rows
    last = np.uint64(len(rows) - 1)
    place = mix(own ^ mix(other ^ flags)) & table.hash_mask & last
    while True:
        row = rows[place]
        if not row[3] & OCCUPIED or (row[0] == own and row[1] == other and row[3] & WHITES == flags):
            return place
        place = (place + ONE) & last


@njit(cache=True)
def store(table, own, other, flags, proof, disproof, work):
    """Write a position's numbers."""
    row = table.rows[find(table, own, other, flags)]
    if not row[3] & OCCUPIED:
        table.used[0] += 1
        row[0], row[1] = own, other
        row[3] = NONE
    row[2] = np.uint64(proof) << HALF | np.uint64(disproof)
    row[3] = ((row[3] >> WORK_SHIFT) + np.uint64(work)) << WORK_SHIFT | flags | OCCUPIED


@njit(cache=True)
def move_rows(source, target):
    """Enter all rows of the table ``source`` into ``target``, where none of them is."""
    for i in range(len(source.rows)):
        row = source.rows[i]
        if row[3] & OCCUPIED:
            target.rows[find(target, row[0], row[1], row[3] & WHITES)] = row
            target.used[0] += 1


@njit(cache=True)
def sweep(table, least):
    """Forget the rows with less than this work, in place: a second table of this size might not fit into memory."""
    rows = table.rows
    for i in range(len(rows)):
        if np.int64(rows[i, 3] >> WORK_SHIFT) < least:
            rows[i, 3] = NONE
    # What is left may lie behind a gap now, where it is not found: take each row out and enter it again. The second
    # round is for chains that go round the end of the table, which the first may break again.
    for _ in range(2):
        for i in range(len(rows)):
            if rows[i, 3] & OCCUPIED:
                own, other, numbers, work = rows[i, 0], rows[i, 1], rows[i, 2], rows[i, 3]
                rows[i, 3] = NONE
                place = find(table, own, other, work & WHITES)
                rows[place, 0], rows[place, 1], rows[place, 2], rows[place, 3] = own, other, numbers, work
    table.used[0] = 0
    for i in range(len(rows)):
        table.used[0] += rows[i, 3] & OCCUPIED


# --- symmetry -----------------------------------------------------------------------------------------------------


@njit(cache=True)
def upside_down(x, rows):
    """The board with its rows in reverse order."""
    x = (x & np.uint64(0x00FF00FF00FF00FF)) << np.uint64(8) | (x >> np.uint64(8)) & np.uint64(0x00FF00FF00FF00FF)
    x = (x & np.uint64(0x0000FFFF0000FFFF)) << np.uint64(16) | (x >> np.uint64(16)) & np.uint64(0x0000FFFF0000FFFF)
    x = x << np.uint64(32) | x >> np.uint64(32)
    return x >> np.uint64(8 * (8 - rows))


@njit(cache=True)
def mirrored(x, columns):
    """The board with its columns in reverse order."""
    x = (x & np.uint64(0x5555555555555555)) << np.uint64(1) | (x >> np.uint64(1)) & np.uint64(0x5555555555555555)
    x = (x & np.uint64(0x3333333333333333)) << np.uint64(2) | (x >> np.uint64(2)) & np.uint64(0x3333333333333333)
    x = (x & np.uint64(0x0F0F0F0F0F0F0F0F)) << np.uint64(4) | (x >> np.uint64(4)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return x >> np.uint64(8 - columns)


@njit(cache=True)
def transposed(x):
    """The board with rows and columns exchanged, which exchanges the goals."""
    swap = (x ^ (x >> np.uint64(7))) & np.uint64(0x00AA00AA00AA00AA)
    x = x ^ swap ^ (swap << np.uint64(7))
    swap = (x ^ (x >> np.uint64(14))) & np.uint64(0x0000CCCC0000CCCC)
    x = x ^ swap ^ (swap << np.uint64(14))
    swap = (x ^ (x >> np.uint64(28))) & np.uint64(0x00000000F0F0F0F0)
    return x ^ swap ^ (swap << np.uint64(28))


@njit(cache=True)
def canonical(own, other, whites, rows, columns):
    """The least image of a position under the symmetries, as own, other and whether White is to move.

    On a square board it is always Black's turn in it.
    """
    if whites and rows == columns:
        own, other, whites = transposed(own), transposed(other), False
    best, rest = own, other
    for image in range(1, 4):
        a, b = own, other
        if image & 1:
            a, b = mirrored(a, columns), mirrored(b, columns)
        if image & 2:
            a, b = upside_down(a, rows), upside_down(b, rows)
        if a < best or (a == best and b < rest):
            best, rest = a, b
    return best, rest, whites


@njit(cache=True)
def stabiliser(own, other, rows, columns):
    """Which symmetries that keep the goals leave a position as it is: bits 1 to 3, mirroring 1 and turning over 2."""
    found = 0
    for image in range(1, 4):
        a, b = own, other
        if image & 1:
            a, b = mirrored(a, columns), mirrored(b, columns)
        if image & 2:
            a, b = upside_down(a, rows), upside_down(b, rows)
        if a == own and b == other:
            found |= 1 << image
    return found


@njit(cache=True)
def look_up(table, own, other, whites, rows, columns):
    """Proof number, disproof number and work of a position, (1, 1, 0) if the table does not have it."""
    a, b, w = canonical(own, other, whites, rows, columns)
    row = table.rows[find(table, a, b, WHITES if w else NONE)]
    if not row[3] & OCCUPIED:
        return np.int64(1), np.int64(1), np.int64(0)
    return np.int64(row[2] >> HALF), np.int64(row[2] & LOW_HALF), np.int64(row[3] >> WORK_SHIFT)


@njit(cache=True)
def is_least(own, group, rows, columns):
    """Whether no symmetry of the group makes a set of stones smaller."""
    for image in range(1, 4):
        if group >> image & 1:
            a = own
            if image & 1:
                a = mirrored(a, columns)
            if image & 2:
                a = upside_down(a, rows)
            if a < own:
                return False
    return True


# --- connecting ---------------------------------------------------------------------------------------------------


@njit(cache=True)
def distance(own, empty, first, last):
    """How many empty points a chain from edge to edge needs at least, legal or not; 99 if there can be none."""
    reached = flood(own & first, own)
    steps = 0
    while not reached & last:
        step = (grow(reached) | first) & empty
        grown = reached | step
        if grown == reached:
            return 99
        reached = grown | flood(grow(step) & own, own)
        steps += 1
    return steps


@njit(cache=True)
def joining(own, first, last):
    """The points, some perhaps occupied, that join the chains at both edges if a stone is placed there."""
    return (grow(flood(own & first, own)) | first) & (grow(flood(own & last, own)) | last)


@njit(cache=True)
def winning_turns(own, other, board, first, last, advanced, enough, cells, sources):
    """Find turns that connect: write the points that each needs empty, and the stone it moves (or none), up to
    ``enough``; return how many were found.

    With ``enough`` = 1 this decides whether there is one: a turn adds two points at most, so nothing but the
    distance is looked at where that is over 2.
    """
    empty = board & ~(own | other)
    count = 0
    from_first, from_last = flood(own & first, own), flood(own & last, own)
    beside_first, beside_last = (grow(from_first) | first) & empty, (grow(from_last) | last) & empty
    near = beside_first & beside_last
    if not near:
        # Two new points: one beside each chain (perhaps with other chains between), so one of them is moved there.
        step = beside_first | flood(grow(beside_first) & own, own)
        second = (grow(step) & beside_last) & empty
        if not second:
            return 0
        step = beside_last | flood(grow(beside_last) & own, own)
        near_pairs = second | (grow(step) & beside_first)
    else:
        near_pairs = ALL
    plain = legal_places(own, empty) & near
    hit = plain
    while plain and count < enough:
        cells[count] = lowest(plain)
        plain ^= cells[count]
        sources[count] = NONE
        count += 1
    rest = movable(own, other, advanced)
    while rest and count < enough:
        source = lowest(rest)
        rest ^= source
        targets = king(source) & empty & near_pairs & ~hit
        if near:
            targets = king(source) & empty & ~hit
        while targets and count < enough:
            target = lowest(targets)
            targets ^= target
            moved = own ^ source | target
            allowed = places(moved, empty ^ target) & ~hit
            if allowed and not connects(moved, first, last):
                allowed &= joining(moved, first, last)
            while allowed and count < enough:
                place = lowest(allowed)
                allowed ^= place
                cells[count] = place | target
                sources[count] = source
                count += 1
    return count


@njit(cache=True)
def make_children(stack, d, table, frame, rows, columns, advanced, draws_for_black, results, cells, sources):
    """List the children of a node that are not decided at once.

    A draw counts as a win of White's or of Black's. Returns the node's numbers if that decides it, (0, INFINITE) or
    (INFINITE, 0); else (1, 1).
    """
    own, other, whites = stack.own[d], stack.other[d], stack.whites[d]
    board, scalars = frame.board, stack.scalars
    first, last = edges(frame, whites)
    first_other, last_other = edges(frame, not whites)
    start = stack.end[d - 1] if d else 0
    stack.start[d] = stack.end[d] = start
    if winning_turns(own, other, board, first, last, advanced, 1, cells, sources):
        return np.int64(0), INFINITE
    threats = winning_turns(other, own, board, first_other, last_other, advanced, MOST_THREATS, cells, sources)
    end = list_results(own, other, board, advanced, results, 0)
    if end == 0:
        if count_turns(other, own, board, advanced)[0] == 0:
            scalars[DEADLOCK] = 1
            return (np.int64(0), INFINITE) if whites != draws_for_black else (INFINITE, np.int64(0))
        results[0] = own
        end = 1
    group = stabiliser(own, other, rows, columns)
    at = start
    one_cells, one_source = cells[MOST_THREATS:], sources[MOST_THREATS:]
    for i in range(end):
        after = results[i]
        if group and not is_least(after, group, rows, columns):
            continue
        new = after & ~own
        if threats:
            mobile = movable(other, after, advanced)
            open_threat = False
            for k in range(threats):
                if not cells[k] & new and (not sources[k] or sources[k] & mobile):
                    open_threat = True
                    break
            if open_threat:
                continue
        if winning_turns(other, after, board, first_other, last_other, advanced, 1, one_cells, one_source):
            continue
        a, b, w = canonical(other, after, not whites, rows, columns)
        stack.child_own[at], stack.child_other[at] = a, b
        row = table.rows[find(table, a, b, WHITES if w else NONE)]
        if row[3] & OCCUPIED:
            stack.child_proof[at] = np.int64(row[2] >> HALF)
            stack.child_disproof[at] = np.int64(row[2] & LOW_HALF)
        else:
            left = board & ~(other | after)
            mine, yours = distance(other, left, first_other, last_other), distance(after, left, first, last)
            stack.child_proof[at] = weight(mine)
            stack.child_disproof[at] = weight(yours)
        at += 1
    stack.end[d] = at
    if at == start:
        return INFINITE, np.int64(0)
    return np.int64(1), np.int64(1)


@njit(cache=True)
def weight(steps):
    """The number that a leaf starts with, by how far the player is from connecting."""
    return np.int64(steps * steps)


@njit(cache=True)
def run(stack, table, frame, rows, columns, advanced, draws_for_black, slice_end, results, cells, sources):
    """Search until the root is decided, ``slice_end`` nodes are counted, or the table is three quarters full.

    The root is node 0 of the stack, its numbers come into its ``proof`` and ``disproof`` at the end.
    """
    scalars = stack.scalars
    d = scalars[DEPTH]
    most = len(table.rows) // 4 * 3
    while True:
        if scalars[NODES] >= slice_end or table.used[0] >= most:
            scalars[DEPTH] = d
            return FULL if table.used[0] >= most else GOES_ON
        proof = disproof = np.int64(1)
        if stack.end[d] < 0:
            scalars[NODES] += 1
            proof, disproof = make_children(
                stack, d, table, frame, rows, columns, advanced, draws_for_black, results, cells, sources
            )
        best, least, next_least, total = -1, INFINITE, INFINITE, np.int64(0)
        if proof and disproof:
            for i in range(stack.start[d], stack.end[d]):
                number = stack.child_disproof[i]
                if number < least:
                    best, next_least, least = i, least, number
                elif number < next_least:
                    next_least = number
                number = stack.child_proof[i]
                total = INFINITE if number == INFINITE or total == INFINITE else min(total + number, INFINITE - 1)
            proof, disproof = least, total
        if proof >= stack.proof[d] or disproof >= stack.disproof[d]:
            work = scalars[NODES] - stack.began[d]
            store(table, stack.own[d], stack.other[d], WHITES if stack.whites[d] else NONE, proof, disproof, work)
            if d == 0:
                stack.proof[0], stack.disproof[0] = proof, disproof
                return DONE
            stack.end[d] = -1
            d -= 1
            at = stack.chosen[d]
            stack.child_proof[at], stack.child_disproof[at] = proof, disproof
            continue
        # The table may know more of the child by now.
        whites = not stack.whites[d] and rows != columns
        row = table.rows[find(table, stack.child_own[best], stack.child_other[best], WHITES if whites else NONE)]
        if row[3] & OCCUPIED:
            known_proof, known_disproof = np.int64(row[2] >> HALF), np.int64(row[2] & LOW_HALF)
            if known_proof != stack.child_proof[best] or known_disproof != stack.child_disproof[best]:
                stack.child_proof[best], stack.child_disproof[best] = known_proof, known_disproof
                continue
        stack.chosen[d] = best
        bound = stack.disproof[d] - disproof + stack.child_proof[best]
        other_bound = min(stack.proof[d], next_least + next_least // 4 + 1)
        d += 1
        stack.own[d], stack.other[d], stack.whites[d] = stack.child_own[best], stack.child_other[best], whites
        stack.proof[d], stack.disproof[d] = min(bound, INFINITE), min(other_bound, INFINITE)
        stack.end[d], stack.began[d] = -1, scalars[NODES]
