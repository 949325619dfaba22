"""Live sets, chains of blocks and shapes on bit masks of at most 64 crossings (numba).

The kernels know one graph as a :class:`Streets` of plain arrays. They are equal to the networkx functions of
:mod:`~cgt_games.games.road_works.rules` and to :mod:`~cgt_games.games.road_works.shapes`; the tests hold them
so.

:mod:`~cgt_games.games.road_works.search` compiles these kernels into its own: after an edit here, touch that
file too, or its cached machine code stays as it was.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

ONE = np.uint64(1)
NONE = np.uint64(0)
MAX_CROSSINGS = 64
MAX_CODE = 4096
"""Bytes that a shape's code may take: a byte a street (2016 in the complete graph), and one a junction."""


STREETS = np.dtype(
    [
        ("near", np.uint64, MAX_CROSSINGS),
        ("degree", np.int64, MAX_CROSSINGS),
        ("around", np.int8, (MAX_CROSSINGS, MAX_CROSSINGS)),
        ("back", np.int8, (MAX_CROSSINGS, MAX_CROSSINGS)),
    ]
)
"""A graph: for each crossing the set of its neighbours and their number; the neighbours in cyclic order (the rest of
the row is not read); and the place that the crossing has in the list of its d-th neighbour."""

ROOM = np.dtype(
    [
        *[(name, np.int64, MAX_CROSSINGS) for name in ("path", "found", "low", "block_a", "block_b")],
        *[(name, np.uint64, MAX_CROSSINGS) for name in ("below", "block_mask")],
        *[(name, np.int64, MAX_CROSSINGS) for name in ("label", "order", "entry")],
        *[(name, np.int8, (MAX_CROSSINGS, MAX_CROSSINGS)) for name in ("link_to", "link_at", "link_kind")],
        *[(name, np.uint8, MAX_CODE) for name in ("code", "best")],
    ]
)
"""Room for the kernels to work in, and to leave their results, so that they allocate nothing."""


def streets(around: tuple[tuple[int, ...], ...]) -> Any:
    """The record of a graph from each crossing's neighbours in cyclic order. Raises ValueError beyond 64 crossings."""
    if len(around) > MAX_CROSSINGS:
        raise ValueError(f"{len(around)} crossings; the kernels take at most {MAX_CROSSINGS}")
    graph = np.zeros(1, STREETS).view(np.recarray)[0]
    for i, near in enumerate(around):
        graph["near"][i] = sum(1 << j for j in near)
        graph["degree"][i] = len(near)
        for d, j in enumerate(near):
            graph["around"][i, d] = j
            graph["back"][i, d] = around[j].index(i)
    return graph


def room() -> Any:
    """Fresh room for the kernels."""
    return np.zeros(1, ROOM).view(np.recarray)[0]


@njit(cache=True)
def lowest(mask):
    """The number of the lowest crossing in a set that is not empty."""
    # The isolated low bit minus one has as many ones as the low bit has zeros below it.
    return np.int64(popcount((mask & (~mask + ONE)) - ONE))


@njit(cache=True)
def popcount(x):
    """The number of crossings in a set."""
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(cache=True)
def find_chain(near, crossings, a, b, room):
    """Find the blocks between a and b within a set of crossings, the one at b first; return how many.

    They are left in ``room.block_mask``, ``block_a`` and ``block_b``; 0 blocks if no path joins a and b. One
    depth-first walk from a: a block of the chain is what hangs below a crossing u by a child c, with b below
    c and no street from below c to above u (Tarjan's low points).
    """
    path, found, low, below = room.path, room.found, room.low, room.below
    count = 0
    leave = b
    seen = ONE << np.uint64(a)
    goal = ONE << np.uint64(b)
    path[0] = a
    found[a] = 0
    low[a] = 0
    below[a] = seen
    depth = 0
    time = 1
    while True:
        here = path[depth]
        ahead = near[here] & crossings & ~seen
        if ahead:
            there = lowest(ahead)
            bit = ONE << np.uint64(there)
            seen |= bit
            found[there] = time
            least = time
            # Streets to crossings seen before, but for the one just used.
            upward = near[there] & seen & crossings & ~(ONE << np.uint64(here))
            while upward:
                other = lowest(upward)
                upward &= upward - ONE
                least = min(least, found[other])
            low[there] = least
            below[there] = bit
            time += 1
            depth += 1
            path[depth] = there
            continue
        if depth == 0:
            return count
        depth -= 1
        above = path[depth]
        if low[here] >= found[above]:
            if seen & goal and found[here] <= found[b]:
                room.block_mask[count] = below[here] | (ONE << np.uint64(above))
                room.block_a[count] = above
                room.block_b[count] = leave
                leave = above
                count += 1
        else:
            below[above] |= below[here]
            low[above] = min(low[above], low[here])


@njit(cache=True)
def live_of(near, crossings, a, b, room):
    """Those of ``crossings`` that lie on a simple path from a to b; no bits if there is no path."""
    live = NONE
    for k in range(find_chain(near, crossings, a, b, room)):
        live |= room.block_mask[k]
    return live


@njit(cache=True)
def live_sets(near, crossings, a, b, room, out):
    """:func:`live_of` for each set of an array uint64 (N,), into ``out``."""
    for k in range(len(crossings)):
        out[k] = live_of(near, crossings[k], a, b, room)


@njit(cache=True)
def encode(graph, mask, a, b, gap_a, gap_b, collapse, room):
    """Write the shape of a block to ``room.best`` and return its length in bytes.

    The code is that of :mod:`~cgt_games.games.road_works.shapes`, the least of four walks: from either end,
    either way around, beginning at the end's gap: the place in its list where the rest of the city would be.
    """
    junctions = find_links(graph, mask, a, b, collapse, room)
    length = 0
    for turn in range(4):
        start, other, gap = (a, b, gap_a) if turn < 2 else (b, a, gap_b)
        length = walk(graph, junctions, start, other, gap, 1 - 2 * (turn & 1), length, room)
    return length


@njit(cache=True)
def find_links(graph, mask, a, b, collapse, room):
    """Fill in the links of a block's junctions, and return the set of junctions."""
    near, around, back, degree = graph.near, graph.around, graph.back, graph.degree
    link_to, link_at, link_kind = room.link_to, room.link_at, room.link_kind
    lanes = NONE
    rest = mask & ~(ONE << np.uint64(a)) & ~(ONE << np.uint64(b))
    while collapse and rest:
        i = lowest(rest)
        rest &= rest - ONE
        two = near[i] & mask
        two &= two - ONE
        if not two & (two - ONE):
            lanes |= ONE << np.uint64(i)
    junctions = mask & ~lanes
    rest = junctions
    while rest:
        i = lowest(rest)
        rest &= rest - ONE
        for d in range(degree[i]):
            at = np.int64(around[i, d])
            if not mask >> np.uint64(at) & ONE:
                link_to[i, d] = -1
                continue
            place = np.int64(back[i, d])
            kind = 0
            while lanes >> np.uint64(at) & ONE:
                kind = 1
                for e in range(degree[at]):
                    if e != place and mask >> np.uint64(around[at, e]) & ONE:
                        place, at = np.int64(back[at, e]), np.int64(around[at, e])
                        break
            link_to[i, d] = at
            link_at[i, d] = place
            link_kind[i, d] = kind
    return junctions


@njit(cache=True)
def walk(graph, junctions, start, other, gap, step, length, room):
    """Write the code of one walk; keep it in ``room.best`` if it is less than the one there. Return best's
    length.

    ``length`` is that of the code in ``room.best``, or 0 if there is none.
    """
    degree = graph.degree
    link_to, link_at, link_kind = room.link_to, room.link_at, room.link_kind
    label, order, entry, code, best = room.label, room.order, room.entry, room.code, room.best
    seen = ONE << np.uint64(start)
    label[start] = 0
    order[0] = start
    entry[start] = gap if step > 0 else gap - 1
    count = 1
    size = 0
    number = 0
    is_less = length == 0
    while number < count:
        here = order[number]
        full = degree[here]
        d = entry[here]
        if d < 0:
            d += full
        first = size
        for _ in range(full):
            there = np.int64(link_to[here, d])
            if there >= 0:
                if not seen >> np.uint64(there) & ONE:
                    seen |= ONE << np.uint64(there)
                    label[there] = count
                    entry[there] = link_at[here, d]
                    order[count] = there
                    count += 1
                if label[there] > number:
                    code[size] = label[there] << 2 | link_kind[here, d]
                    size += 1
            d += step
            if d < 0:
                d += full
            elif d >= full:
                d -= full
        if size == first:
            code[size] = 2
            size += 1
        else:
            code[size - 1] |= np.uint8(2)
        number += 1
        if not is_less:
            for k in range(first, size):
                if k >= length or code[k] > best[k]:
                    return length
                if code[k] < best[k]:
                    is_less = True
                    break
    code[size] = label[other]
    size += 1
    if not is_less and (size > length or code[size - 1] >= best[size - 1]):
        return length
    best[:size] = code[:size]
    return size
