"""The picture of a city in Road Works: streets, closings in the players' colours, and what has fallen."""

from __future__ import annotations

from functools import lru_cache
from math import atan2, cos, hypot, isfinite, pi, sin

from cgt_games.drawing import Box, Disc, Drawing, Lines, Mark, Place, Point, Text, Tone, coordinates, find_place
from cgt_games.games.road_works.city import City, bits
from cgt_games.games.road_works.rules import RoadWorks

CELL = 56
DISC = 13
"""The radius of a crossing that is closed, or an end."""


def draw(position: RoadWorks, last_move: str | None = None) -> Drawing:
    """The city with A and B, streets in play (others faded), and the closings with their numbers in order.

    Odd numbers are those of the player who began, in the first colour; fallen crossings are small and grey, and those
    that fell by the last move are ringed.
    """
    city, grid = position.city, position.city.size is not None
    at, width, height = _places(city)
    alive = position.in_play
    open_streets: list[tuple[Point, ...]] = []
    dead: list[tuple[Point, ...]] = []
    for i, j in city.streets:
        (open_streets if alive >> i & alive >> j & 1 else dead).append((at[i], at[j]))
    marks: list[Mark] = [
        Lines(tuple(dead), Tone.FAINT, 2, dashed=True),
        Lines(tuple(open_streets), Tone.SOFT, 5),
    ]
    order = {name: number for number, name in enumerate(position.closings, 1)}
    for i, (name, (x, y)) in enumerate(zip(city.names, at, strict=True)):
        if i in city.ends:
            marks.append(Disc(x, y, DISC + 2, Tone.INK))
            marks.append(Text(x, y, "AB"[city.ends.index(i)], Tone.PAPER, 16, bold=True))
        elif name in order:
            marks.append(Disc(x, y, DISC, Tone.LEFT if order[name] % 2 else Tone.RIGHT))
            marks.append(Text(x, y, str(order[name]), Tone.PAPER, 13, bold=True))
        elif alive >> i & 1:
            marks.append(Disc(x, y, 7, Tone.PAPER, Tone.INK, 2.5))
        else:
            marks.append(Disc(x, y, 5, Tone.FAINT))
        if not grid and name not in ("A", "B"):
            marks.append(Box(x + DISC + 1, y - DISC - 8, 7 * len(name) + 3, 14, Tone.PAPER, rounding=4))
            marks.append(Text(x + DISC + 3, y - DISC - 1, name, Tone.SOFT, 12, anchor="start"))
    places = {name: Place(x, y, DISC + 2) for name, (x, y) in zip(city.names, at, strict=True)}
    if last_move is not None:
        x, y, *_ = find_place(places, last_move)
        marks.append(Disc(x, y, DISC + 1, outline=Tone.LAST, width=3.5))
        if position.closings and position.closings[-1] == last_move:
            before = type(position)(city, position.collapse, position.closings[:-1])
            fell = before.in_play & ~alive & ~position.closed
            marks += [Disc(*at[i], 8, outline=Tone.LAST, width=2) for i in bits(fell)]
    if grid:
        columns = city.size[0] + 1 if city.size else 0
        letters = {name[0]: x for name, (x, _) in zip(city.names[:columns], at, strict=False)}
        numbers = {name[1:]: y for name, (_, y) in zip(city.names[::columns], at[::columns], strict=True)}
        marks += coordinates(letters, numbers, left=7, bottom=height - 7)
    note = "cut" if position.is_cut else "dead ends fall" if position.collapse else ""
    return Drawing(width, height, tuple(marks), places, note=note)


@lru_cache(maxsize=256)
def _places(city: City) -> tuple[tuple[Point, ...], float, float]:
    """Where the crossings are drawn, and the width and height of the whole."""
    if city.size is not None and city.places is not None:
        columns, rows = city.size
        grid = tuple((CELL * x + 34, CELL * (rows - y) + DISC + 4) for x, y in city.places)
        return grid, CELL * columns + 34 + DISC + 6, CELL * rows + 2 * DISC + 30
    places = city.places
    if places is None or not all(isfinite(c) for place in places for c in place) or len(set(places)) < len(places):
        places = layout(city)
    # The nearest two crossings are drawn a fixed distance apart, within limits for the whole.
    nearest = min(
        (hypot(x - u, y - v) for i, (x, y) in enumerate(places) for u, v in places[:i] if (x, y) != (u, v)),
        default=1.0,
    )
    xs, ys = [x for x, _ in places], [y for _, y in places]
    extent = max(max(xs) - min(xs), max(ys) - min(ys)) or 1.0
    scale = min(CELL / nearest, 900 / extent)
    longest = max(map(len, city.names))
    spots = tuple((scale * (x - min(xs)) + 20, scale * (max(ys) - y) + 30) for x, y in places)
    return spots, scale * (max(xs) - min(xs)) + 34 + 7 * longest, scale * (max(ys) - min(ys)) + 50


def layout(city: City) -> tuple[Point, ...]:
    """Places for the crossings of a city that comes without, x to the right and y upwards; A is left, B right.

    Distances on the plane come near those in the graph: the stress sum((|p - q| / d - 1)^2) over all pairs, d their
    distance in streets, is lowered step by step from a circle (S. Kamada and S. Kawai, 1989, by majorization as
    proposed by E. Gansner, Y. Koren and S. North, 2004). The same city always looks the same. Cost: about 0.5 n^2
    milliseconds for n crossings in the worst case; numpy is not needed.
    """
    import networkx as nx

    size = len(city)
    distances = dict(nx.all_pairs_shortest_path_length(city.graph))
    farthest = max(d for row in distances.values() for d in row.values()) + 1
    targets = [[distances[i].get(j, farthest) for j in range(size)] for i in range(size)]
    start = city.ends[0]
    by_distance = sorted(range(size), key=lambda i: (targets[start][i], city.names[i]))
    places = [(0.0, 0.0)] * size
    # A sunflower: around A in rings, no two crossings at one place and none in line.
    for rank, i in enumerate(by_distance):
        places[i] = (rank**0.5 * cos(2.4 * rank), rank**0.5 * sin(2.4 * rank))
    steps = max(30, min(300, 60_000 // max(size * size, 1)))
    for _ in range(steps):
        for i in range(size):
            x = y = weight = 0.0
            for j in range(size):
                if i == j:
                    continue
                dx, dy, target = places[i][0] - places[j][0], places[i][1] - places[j][1], targets[i][j]
                stretch = target / (hypot(dx, dy) or 1e-9)
                w = 1 / (target * target)
                x += w * (places[j][0] + dx * stretch)
                y += w * (places[j][1] + dy * stretch)
                weight += w
            places[i] = (x / weight, y / weight)
    (ax, ay), (bx, by) = (places[end] for end in city.ends)
    turn = pi / 9 - atan2(by - ay, bx - ax)  # from A rather to the right than upwards
    c, s = cos(turn), sin(turn)
    return tuple((x * c - y * s, x * s + y * c) for x, y in places)
