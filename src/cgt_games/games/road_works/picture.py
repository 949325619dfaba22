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
    for name, (x, y) in zip(city.names, at, strict=True) if not grid else ():
        if name not in ("A", "B"):
            marks.append(Box(x + DISC + 1, y - DISC - 8, 7 * len(name) + 3, 14, Tone.PAPER, rounding=4))
            marks.append(Text(x + DISC + 3, y - DISC - 1, name, Tone.SOFT, 12, anchor="start"))
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
    # The middle one of the streets is as long as on a grid or a little longer, as names stand between the crossings;
    # but crossings shall not touch, nor the whole be huge.
    streets = sorted(hypot(places[i][0] - places[j][0], places[i][1] - places[j][1]) for i, j in city.streets)
    nearest = min((hypot(x - u, y - v) for i, (x, y) in enumerate(places) for u, v in places[:i]), default=1.0)
    middle = streets[len(streets) // 2] if streets else nearest
    xs, ys = [x for x, _ in places], [y for _, y in places]
    extent = max(max(xs) - min(xs), max(ys) - min(ys)) or 1.0
    usual = 1.2 * CELL / middle
    scale = min(max(usual, (2 * DISC + 6) / nearest), max(900 / extent, usual / 2))
    longest = max(map(len, city.names))
    spots = tuple((scale * (x - min(xs)) + 20, scale * (max(ys) - y) + 30) for x, y in places)
    return spots, scale * (max(xs) - min(xs)) + 34 + 7 * longest, scale * (max(ys) - min(ys)) + 50


MOST_UNTANGLED = 64
"""Of larger cities it is not asked whether streets cross."""


def layout(city: City) -> tuple[Point, ...]:
    """Places for the crossings of a city that comes without, x to the right and y upwards; B is to the right of A.

    Distances on the plane come near those in the graph: the stress sum((|p - q| / d - 1)^2) over all pairs, d their
    distance in streets, is lowered step by step (E. Gansner, Y. Koren, S. North: *Graph drawing by stress
    majorization*, 2004). A planar city of up to 64 crossings starts from a plane drawing, and a step that would make
    streets cross is shortened or left out, so that none do. The same city always looks the same.

    Cost: n^2 a round, rounds fewer the larger the city; 0.1 to 1 s for 20 to 60 crossings.
    """
    import networkx as nx

    size, (a, b) = len(city), city.ends
    distances = dict(nx.all_pairs_shortest_path_length(city.graph))
    farthest = max(d for row in distances.values() for d in row.values()) + 1
    targets = [[distances[i].get(j, farthest) for j in range(size)] for i in range(size)]
    planar, plane = nx.check_planarity(city.graph) if size <= MOST_UNTANGLED else (False, None)
    if planar:
        start = nx.combinatorial_embedding_to_pos(plane)
        places = [(float(start[i][0]), float(start[i][1])) for i in range(size)]
    else:
        # A sunflower: around A in rings, no two crossings at one place and none in line.
        order = sorted(range(size), key=lambda i: (targets[a][i], city.names[i]))
        rank = {i: number for number, i in enumerate(order)}
        places = [(rank[i] ** 0.5 * cos(2.4 * rank[i]), rank[i] ** 0.5 * sin(2.4 * rank[i])) for i in range(size)]
    for _ in range(max(20, min(200, 60_000 // (size * size)))):
        farthest_moved = 0.0
        for i in range(size):
            (x, y), (u, v) = places[i], _eased(places, targets[i], i)
            for part in (1.0, 0.5, 0.2):
                moved = (x + part * (u - x), y + part * (v - y))
                if not (planar and _tangles(city, places, i, moved)):
                    farthest_moved = max(farthest_moved, part * hypot(u - x, v - y))
                    places[i] = moved
                    break
        if farthest_moved < 0.01:  # of a street
            break
    turn = pi / 9 - atan2(places[b][1] - places[a][1], places[b][0] - places[a][0])
    c, s = cos(turn), sin(turn)
    return tuple((x * c - y * s, x * s + y * c) for x, y in places)


def _eased(places: list[Point], targets: list[int], i: int) -> Point:
    """Where crossing ``i`` has the least stress, as far as one step tells: the mean of what the others ask for."""
    x = y = weight = 0.0
    for j, (u, v) in enumerate(places):
        if i != j:
            dx, dy, target = places[i][0] - u, places[i][1] - v, targets[j]
            stretch = target / (hypot(dx, dy) or 1e-9)
            w = 1 / (target * target)
            x, y, weight = x + w * (u + dx * stretch), y + w * (v + dy * stretch), weight + w
    return (x / weight, y / weight) if weight else places[i]


def _tangles(city: City, places: list[Point], i: int, moved: Point) -> bool:
    """Whether a street would cross or touch another if crossing ``i`` moved there."""

    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    def apart(p: Point, q: Point, r: Point, s: Point) -> bool:
        return side(p, q, r) * side(p, q, s) > 0 or side(r, s, p) * side(r, s, q) > 0

    near = city.around[i]
    for j, k in city.streets:
        p, q = places[j], places[k]
        if i in (j, k):
            # The street itself moves: no crossing may come to lie on it, which a street to each other one tells.
            other = places[k if i == j else j]
            if any(_is_on(places[r], moved, other) for r in range(len(places)) if r not in (j, k)):
                return True
        elif _is_on(moved, p, q) or any(n not in (j, k) and not apart(moved, places[n], p, q) for n in near):
            return True
    return False


def _is_on(point: Point, start: Point, end: Point) -> bool:
    """Whether a point is on a segment, or so near that a crossing drawn there would be."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = dx * dx + dy * dy or 1e-18
    along = max(0.0, min(1.0, ((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / length))
    return hypot(point[0] - start[0] - along * dx, point[1] - start[1] - along * dy) < 0.2
