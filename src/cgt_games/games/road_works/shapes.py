"""The shape of a block: a code that all blocks of equal shape share, whatever their place, size and names.

Two observations make shapes few. First, only the graph and its two ends matter, so that a block may be
turned, mirrored or moved, and its ends exchanged. Second, with collapse, closing any crossing of a *lane* (a
chain of crossings with two neighbours each, no end among them) makes the whole lane fall, so all lanes of one
crossing or more are alike: a block is a graph of *junctions* (the ends, and crossings with three or more
neighbours) joined by streets and lanes.

A code lists a graph as a walk discovers it: a junction's links are taken in the cyclic order of the plane
drawing, from the link by which the junction was reached, and junctions are numbered as they appear. A code is
a full description of the graph (:func:`decode`), so equal codes mean equal values whatever the drawing; of
all walks that begin at an end, clockwise or not, the shape is the one with the least code.
"""

from __future__ import annotations

from cgt_games.games.road_works.city import City

LANE = 1
"""Marks a link of one crossing or more; without it a link is a street."""
LAST = 2
"""Marks a junction's last link; alone, it stands for a junction without a link that was not listed before."""

Shape = tuple[int, ...]
"""For each junction in order its links to later ones, ``4 * other + LANE + LAST``, then the number of the other end."""
Links = dict[int, list[tuple[int, int, int]]]
"""For each junction its links in cyclic order: (other junction, place in its list, 0 or LANE)."""


def links(city: City, collapse: bool) -> Links:
    """The block as junctions and links. Without collapse a lane's length matters, and every crossing is a
    junction.

    The city is a block of a chain: every crossing lies on a simple path between the ends.
    """
    junctions = {
        i for i, near in enumerate(city.around) if not collapse or i in city.ends or len(near) != 2
    }  # fmt: skip
    found: Links = {i: [] for i in junctions}
    for here in junctions:
        for first in city.around[here]:
            before, at, kind = here, first, 0
            while at not in junctions:
                one, two = city.around[at]
                before, at, kind = at, two if one == before else one, LANE
            found[here].append((at, city.around[at].index(before), kind))
    return found


def code(city: City, collapse: bool) -> Shape:
    """The shape of a block (see the module's text).

    >>> one = City.from_text("block s>t:s-x,x-t,s-y,y-z,z-t")
    >>> code(one, True) == code(City.from_text("block s>t:s-x,x-t,s-y,y-t"), True)
    True
    """
    found = links(city, collapse)
    return min(
        _walk(found, start, other, first, step)
        for start, other in (city.ends, city.ends[::-1])
        for first in range(len(found[start]))
        for step in (1, -1)
    )


def _walk(found: Links, start: int, other: int, first: int, step: int) -> Shape:
    label = {start: 0}
    entry = {start: first}
    order = [start]
    out: list[int] = []
    for number, here in enumerate(order):  # grows as the walk goes
        around = found[here]
        size = len(out)
        for k in range(len(around)):
            there, place, kind = around[(entry[here] + step * k) % len(around)]
            if there not in label:
                label[there] = len(order)
                entry[there] = place
                order.append(there)
            if label[there] > number:
                out.append(4 * label[there] | kind)
        if len(out) > size:
            out[-1] |= LAST
        else:
            out.append(LAST)
    return (*out, label[other])


def decode(shape: Shape) -> City:
    """The block with this code: junctions ``0``, ``1``, ... from end ``0``, and a crossing for each lane.

    >>> decode(code(City.from_text("block s>t:s-x,x-y,y-t,s-z,z-t"), True))
    City.from_text('block 0>1:0-2,0-3,1-2,1-3')
    """
    pairs: list[tuple[int, int, int]] = []
    here = 0
    for item in shape[:-1]:
        if item != LAST:
            pairs.append((here, item >> 2, item & LANE))
        here += bool(item & LAST)
    streets = []
    crossings = here
    for one, two, kind in pairs:
        if kind:
            streets += [(one, crossings), (two, crossings)]
            crossings += 1
        else:
            streets.append((one, two))
    return City(
        names=tuple(map(str, range(crossings))),
        streets=tuple(sorted((min(pair), max(pair)) for pair in streets)),
        ends=(0, shape[-1]),
        is_block=True,
    )
