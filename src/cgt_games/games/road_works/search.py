"""Grundy values of blocks by search, with a table of shapes (numba).

A *goal* is a block and a question: its value, or whether its value is n. The second is the position "block
plus a heap of n", which the mover loses iff the value is n; so the search goes through sums of blocks and one
heap, and never finds more values than the answer needs (Lemoine and Viennot, *Nimbers are inevitable*, 2012).
In a sum of several blocks the values of all but the largest are found, and the question about the largest is
whether it equals their XOR.

The table is keyed by whole shapes, never by a hash alone. It keeps, for each, the value, or which values were
excluded so far. The search runs in slices with its stack in arrays, so that it can be stopped at any time,
and go on.

Layout of the pool (uint64 words), one record a shape, its code packed bit by bit. First word: bits 0-9 the number of
words, bits 10-15 the value plus one or 0 if it is not known, bit 16+v: the value v is excluded (v < 16), bits 32-63 the
code's first bits; then the rest of the code. Each item of the code (see :mod:`~cgt_games.games.road_works.shapes`)
takes three bits, LANE, LAST and whether it leads to a new junction; if it does not, the other's number follows, counted
from the present junction (0: there is no link), in as many bits as the number of junctions open then needs. The other
end's number takes the last six bits.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from cgt_games.games.road_works.live import MAX_CROSSINGS, encode, find_chain, lowest, popcount

ONE = np.uint64(1)
NONE = np.uint64(0)
WORDS = np.uint64(0x3FF)
VALUE_SHIFT = np.uint64(10)
VALUE_BITS = np.uint64(0x3F)
EXCLUDED_SHIFT = 16
MOST = 16
"""Values from here on are not remembered as excluded; a question about one is answered by finding the value."""
KNOWN = np.uint64(0xFFFFFC00)
"""The bits of a record's first word that tell what is known."""
OFFSET = np.uint64(0xFFFFFFFF)
HIGH = np.uint64(0xFFFFFFFF00000000)

EQUALS, VALUE, EVERYTHING = 0, 1, 2
"""Kinds of goals: is the value n; what is it; what are the values of this block and all below it."""
DONE, GOES_ON, FULL = 0, 1, 2
"""What a slice ends with: the goal is reached; the slice is used up; the table has to grow."""

PARTS = 2048
"""Blocks that one position's options may have in all: 62 options of at most 31 blocks each."""
ROOM_WORDS = 1 << 16
"""Pool words, and..."""
ROOM_SHAPES = 1 << 11
"""...shapes that the options of one position may need at most, with a margin."""


class Table(NamedTuple):
    """Shapes and what is known of them.

    ``slots``: uint64, open addressing by hash; high half the hash's, low half the record's place in the pool
    plus one. ``pool``: uint64 words. ``used``: int64 (2,), words of the pool and number of shapes.
    ``seen_*``: the last shape found for a block as it stands, a cache that may forget.
    """

    slots: np.ndarray
    pool: np.ndarray
    seen: np.ndarray
    used: np.ndarray


QUESTION = MAX_CROSSINGS
"""The row of the stack with the position that is asked about, as its only option."""
ROWS = MAX_CROSSINGS + 1

STACK = np.dtype(
    [
        ("block", np.uint64, ROWS),
        *[(name, np.int64, ROWS) for name in ("ends", "place", "kind", "asked", "target", "option", "options")],
        *[(name, np.int64, (ROWS, MAX_CROSSINGS)) for name in ("xor", "first", "unknown", "weight")],
        ("part_mask", np.uint64, (ROWS, PARTS)),
        *[(name, np.int64, (ROWS, PARTS)) for name in ("part_ends", "part_place")],
        ("depth", np.int64),
        ("nodes", np.int64),
    ]
)
"""The goals under way, the last the deepest; one row a goal, whose block is smaller than that of the row before.

``block``; ``ends``: packed; ``place``: of its shape in the pool; ``kind``, ``asked``: the goal; ``target``: the value
looked for among the options, ``option``: the one looked at; ``options``: how many, -1 before they are made. Options:
``xor`` of what is known of them, ``first`` and number ``unknown`` of the blocks whose value is not known, ``weight`` to
sort by. ``part_*``: these blocks. ``depth``: rows in use; ``nodes``: positions expanded so far.
"""


def table(slots: int = 1 << 13, words: int = 1 << 17, cache: int = 1 << 16, hash_bits: int = 64) -> Table:
    """An empty table; sizes are powers of two. ``hash_bits`` is for tests: few bits make hashes collide."""
    counts = np.array([0, 0, (1 << hash_bits) - 1], np.uint64)
    return Table(np.zeros(slots, np.uint64), np.zeros(words, np.uint64), np.zeros((cache, 2), np.uint64), counts)


def stack() -> Any:
    """An empty stack."""
    return np.zeros(1, STACK).view(np.recarray)[0]


@njit(cache=True)
def pack_ends(a, b, gap_a, gap_b):
    """The ends of a block and their gaps (see :func:`encode`) in one integer, six bits each."""
    return a | b << 6 | gap_a << 12 | gap_b << 18


@njit(cache=True)
def mix(x):
    """Scramble 64 bits (the finaliser of MurmurHash3, by A. Appleby)."""
    x ^= x >> np.uint64(33)
    x *= np.uint64(0xFF51AFD7ED558CCD)
    x ^= x >> np.uint64(33)
    x *= np.uint64(0xC4CEB9FE1A85EC53)
    return x ^ (x >> np.uint64(33))


@njit(cache=True)
def place_of(graph, mask, ends, collapse, table, room):
    """The place in the pool of a block's shape, which is entered if it is new."""
    key = mix(mask ^ mix(np.uint64(ends & 0xFFF)))
    seen = table.seen[np.int64(key & np.uint64(len(table.seen) - 1))]
    if seen[0] == mask and seen[1] & np.uint64(0xFFF) == np.uint64(ends & 0xFFF):
        return np.int64(seen[1] >> np.uint64(12))
    length = encode(graph, mask, ends & 63, ends >> 6 & 63, ends >> 12 & 63, ends >> 18 & 63, collapse, room)
    place = enter(table, room.best, length)
    seen[0] = mask
    seen[1] = np.uint64(place) << np.uint64(12) | np.uint64(ends & 0xFFF)
    return place


@njit(cache=True)
def enter(table, code, length):
    """The place of the record with this code, which is added, with nothing known, if there is none."""
    pool, used = table.pool, table.used
    # The record is written beyond the pool's end first, and stays there if it is new.
    place = np.int64(used[0])
    words = write_record(pool, place, code, length)
    value = hash_of(pool, place) & used[2]
    slot = find_slot(table.slots, pool, value, place)
    entry = table.slots[slot] & OFFSET
    if entry:
        return np.int64(entry) - 1
    table.slots[slot] = (value & HIGH) | np.uint64(place + 1)
    used[0] += np.uint64(words)
    used[1] += ONE
    return place


@njit(cache=True)
def write_record(pool, place, code, length):
    """Write a record with this code, and nothing known, at a place in the pool; return its number of words."""
    here, count = 0, 1
    at, bits = place, 32
    word = NONE
    for k in range(length):
        item = np.int64(code[k])
        if k == length - 1:
            field, width = item, 6
        else:
            other = item >> 2
            field = item & 3
            if other == count:
                field, width = field | 4, 3
                count += 1
            else:
                width = 3
                if other:
                    field |= (other - here) << 3
                open_now = count - 1 - here
                while open_now:
                    width += 1
                    open_now >>= 1
            here += item >> 1 & 1
        word |= np.uint64(field) << np.uint64(bits)
        bits += width
        if bits >= 64:
            pool[at] = word
            at += 1
            bits -= 64
            # What of the field did not fit; a shift by all 64 bits would be undefined.
            word = np.uint64(field) >> np.uint64(width - bits) if bits else NONE
    if bits or at == place:
        pool[at] = word
        at += 1
    words = at - place
    pool[place] |= np.uint64(words)
    return words


@njit(cache=True)
def hash_of(pool, place):
    """The hash of a record's code."""
    words = np.int64(pool[place] & WORDS)
    value = mix(pool[place] & ~KNOWN)
    for k in range(1, words):
        value = mix(value ^ pool[place + k])
    return value


@njit(cache=True)
def find_slot(slots, pool, value, place):
    """The slot of the record equal to the one at ``place``, or the empty slot where it belongs."""
    last = np.uint64(len(slots) - 1)
    at = value & last
    words = np.int64(pool[place] & WORDS)
    while True:
        entry = slots[at]
        if entry == NONE:
            return at
        if (entry ^ value) & HIGH == NONE:
            other = np.int64(entry & OFFSET) - 1
            if (pool[other] ^ pool[place]) & ~KNOWN == NONE:
                k = 1
                while k < words and pool[other + k] == pool[place + k]:
                    k += 1
                if k == words:
                    return at
        at = (at + ONE) & last


@njit(cache=True)
def enter_all(table):
    """Fill empty slots from the records of the pool: after the slots were made larger, or a table was read."""
    pool, used = table.pool, table.used
    place = 0
    while place < np.int64(used[0]):
        value = hash_of(pool, place) & used[2]
        slot = find_slot(table.slots, pool, value, place)
        table.slots[slot] = (value & HIGH) | np.uint64(place + 1)
        place += np.int64(pool[place] & WORDS)


@njit(cache=True)
def value_at(table, place):
    """The value of a record, or -1."""
    return np.int64(table.pool[place] >> VALUE_SHIFT & VALUE_BITS) - 1


@njit(cache=True)
def push(stack, mask, ends, place, kind, asked):
    """Put a goal on the stack."""
    row = stack.depth
    stack.block[row] = mask
    stack.ends[row] = ends
    stack.place[row] = place
    stack.kind[row] = kind
    stack.asked[row] = asked
    stack.target[row] = asked if kind == EQUALS else 0
    stack.option[row] = 0
    stack.options[row] = -1
    stack.depth += 1


@njit(cache=True)
def split(graph, crossings, ends, collapse, table, stack, row, option, first, room):
    """Make an option of ``crossings``: the XOR of what is known of its blocks, and the list of the others.

    Return the end of that list. Without collapse each crossing that would fall is a heap of one.
    """
    a, b = ends & 63, ends >> 6 & 63
    blocks = find_chain(graph.near, crossings, a, b, room)
    total = 0
    last = first
    weight = 0
    live = 1
    for k in range(blocks):
        mask = room.block_mask[k]
        size = popcount(mask)
        live += size - 1
        if size == 2:
            continue
        top, bottom = room.block_a[k], room.block_b[k]
        gap_a, gap_b = ends >> 12 & 63, ends >> 18 & 63
        # Blocks come from b to a; an end's gap is where its other block lies.
        if k + 1 < blocks:
            beside = lowest(graph.near[top] & room.block_mask[k + 1])
            gap_a = place_in(graph, top, beside)
        if k > 0:
            beside = lowest(graph.near[bottom] & room.block_mask[k - 1])
            gap_b = place_in(graph, bottom, beside)
        part = pack_ends(top, bottom, gap_a, gap_b)
        place = place_of(graph, mask, part, collapse, table, room)
        value = value_at(table, place)
        if value >= 0:
            total ^= value
            continue
        stack.part_mask[row, last] = mask
        stack.part_ends[row, last] = part
        stack.part_place[row, last] = place
        weight += size
        last += 1
    if not collapse:
        total ^= (popcount(crossings) - live) & 1
    stack.xor[row, option] = total
    stack.first[row, option] = first
    stack.unknown[row, option] = last - first
    stack.weight[row, option] = weight
    return last


@njit(cache=True)
def place_in(graph, crossing, neighbour):
    """Where a neighbour stands in a crossing's list."""
    for d in range(graph.degree[crossing]):
        if graph.around[crossing, d] == neighbour:
            return d
    return 0


@njit(cache=True)
def expand(graph, collapse, table, stack, row, room):
    """Make the options of a goal's block, the lightest first. Every closing but that of an end is safe in a block.

    If the goal is reached by what is known of one of them, stop there and return True.
    """
    wanted = stack.asked[row] if stack.kind[row] == EQUALS else -1
    mask, ends = stack.block[row], stack.ends[row]
    rest = mask & ~(ONE << np.uint64(ends & 63)) & ~(ONE << np.uint64(ends >> 6 & 63))
    options = 0
    last = 0
    while rest:
        i = lowest(rest)
        bit = ONE << np.uint64(i)
        rest ^= bit
        if collapse:
            rest &= ~lane_of(graph, mask, ends, i)
        last = split(graph, mask ^ bit, ends, collapse, table, stack, row, options, last, room)
        if stack.unknown[row, options] == 0 and stack.xor[row, options] == wanted:
            exclude(table, stack.place[row], wanted)
            return True
        # Insertion sort: the lists are short, and mostly in order of nothing.
        k = options
        new = (stack.weight[row, k], stack.xor[row, k], stack.first[row, k], stack.unknown[row, k])
        while k > 0 and stack.weight[row, k - 1] > new[0]:
            stack.weight[row, k] = stack.weight[row, k - 1]
            stack.xor[row, k] = stack.xor[row, k - 1]
            stack.first[row, k] = stack.first[row, k - 1]
            stack.unknown[row, k] = stack.unknown[row, k - 1]
            k -= 1
        stack.weight[row, k], stack.xor[row, k], stack.first[row, k], stack.unknown[row, k] = new
        options += 1
    stack.options[row] = options
    return False


@njit(cache=True)
def lane_of(graph, mask, ends, crossing):
    """The lane that a crossing belongs to, as a set; empty if it is a junction. All its closings are alike."""
    inner = mask & ~(ONE << np.uint64(ends & 63)) & ~(ONE << np.uint64(ends >> 6 & 63))
    lane = NONE
    new = ONE << np.uint64(crossing)
    while new:
        i = lowest(new)
        new &= new - ONE
        near = graph.near[i] & mask
        if popcount(near) == 2:
            lane |= ONE << np.uint64(i)
            new |= near & inner & ~lane
    return lane


@njit(cache=True)
def excludes(table, place, value):
    """Whether it is known that a record's value is not this one."""
    return value < MOST and table.pool[place] >> np.uint64(EXCLUDED_SHIFT + value) & ONE != NONE


@njit(cache=True)
def look_at(table, stack, row, option, target):
    """Whether an option's value is ``target``: 1 yes, 0 no; -1 if a new goal, put on the stack, has to be
    reached first.

    A target of -1 asks for the value of each block in it, and of all below.
    """
    first = stack.first[row, option]
    k = 0
    while k < stack.unknown[row, option]:
        value = value_at(table, stack.part_place[row, first + k])
        if value < 0:
            k += 1
            continue
        stack.xor[row, option] ^= value
        stack.unknown[row, option] -= 1
        last = first + stack.unknown[row, option]
        stack.part_mask[row, first + k] = stack.part_mask[row, last]
        stack.part_ends[row, first + k] = stack.part_ends[row, last]
        stack.part_place[row, first + k] = stack.part_place[row, last]
    count = stack.unknown[row, option]
    if count == 0:
        return 1 if stack.xor[row, option] == target else 0
    least = first
    for k in range(first + 1, first + count):
        if popcount(stack.part_mask[row, k]) < popcount(stack.part_mask[row, least]):
            least = k
    kind = VALUE if target >= 0 else EVERYTHING
    asked = 0
    if count == 1 and target >= 0:
        wanted = stack.xor[row, option] ^ target
        if excludes(table, stack.part_place[row, least], wanted):
            return 0
        if wanted < MOST:
            kind, asked = EQUALS, wanted
    push(stack, stack.part_mask[row, least], stack.part_ends[row, least], stack.part_place[row, least], kind, asked)
    return -1


@njit(cache=True)
def has_option(table, stack, row, target):
    """Whether some option of a goal's block has this value: 1, 0, or -1 if a new goal has to be reached first."""
    if stack.option[row] == 0:
        if excludes(table, stack.place[row], target):
            return 1
        # What is known costs nothing to look at.
        for option in range(stack.options[row]):
            if stack.unknown[row, option] == 0 and stack.xor[row, option] == target:
                return 1
    while stack.option[row] < stack.options[row]:
        answer = look_at(table, stack, row, stack.option[row], target)
        if answer != 0:
            return answer
        stack.option[row] += 1
    return 0


@njit(cache=True)
def step(table, stack, row):
    """Go on with the deepest goal until it is reached, or needs another one first. Return whether it is reached."""
    place = stack.place[row]
    if stack.kind[row] == EVERYTHING:
        while stack.option[row] < stack.options[row]:
            if look_at(table, stack, row, stack.option[row], -1) < 0:
                return False
            stack.option[row] += 1
        values = NONE
        for option in range(stack.options[row]):
            values |= ONE << np.uint64(stack.xor[row, option])
        set_value(table, place, lowest(~values))
        return True
    while True:
        target = stack.target[row]
        answer = has_option(table, stack, row, target)
        if answer < 0:
            return False
        stack.option[row] = 0
        if answer == 1:
            exclude(table, place, target)
            if stack.kind[row] == EQUALS:
                if target == stack.asked[row]:
                    return True
                if target + 1 == stack.asked[row]:
                    # No option has the value asked for, and all lesser ones are among the options'.
                    set_value(table, place, stack.asked[row])
                    return True
            stack.target[row] += 1
        elif stack.kind[row] == EQUALS and target == stack.asked[row] and target > 0:
            # It is not among the options' values. Is any lesser one missing there?
            stack.target[row] = 0
        else:
            set_value(table, place, target)
            return True


@njit(cache=True)
def exclude(table, place, value):
    """Remember that a record's value is not this one."""
    if value < MOST:
        table.pool[place] |= ONE << np.uint64(EXCLUDED_SHIFT + value)


@njit(cache=True)
def set_value(table, place, value):
    """Enter a value; what was excluded is of no more use."""
    table.pool[place] = table.pool[place] & ~KNOWN | np.uint64(value + 1) << VALUE_SHIFT


@njit(cache=True)
def run(graph, collapse, table, stack, room, most):
    """Work on the goals until all are reached, ``most`` positions were expanded, or the table has to grow."""
    end = stack.nodes + most
    while stack.depth > 0:
        row = stack.depth - 1
        if stack.options[row] < 0:
            if stack.nodes >= end:
                return GOES_ON
            if (
                np.int64(table.used[0]) + ROOM_WORDS > len(table.pool)
                or (np.int64(table.used[1]) + ROOM_SHAPES) * 3 > len(table.slots) * 2
            ):
                return FULL
            stack.nodes += 1
            if expand(graph, collapse, table, stack, row, room):
                stack.depth = row
                continue
        if step(table, stack, row):
            stack.depth = row
    return DONE
