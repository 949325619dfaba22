"""Pictures: well-formed, complete, without ids, readable, in the right places on boards that are not square."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cgt_games import (
    CGTError,
    City,
    ImpartialPosition,
    Nim,
    Northcott,
    Otter,
    Record,
    RoadWorks,
    Slither,
    Sum,
    show,
    solve,
)
from cgt_games.drawing import Disc, Drawing, Place, Text, Tone, draw
from cgt_games.games.otter.picture import light_path
from cgt_games.games.otter.rules import AB
from cgt_games.registry import game, game_names
from cgt_games.show.markup import COLOURS
from cgt_games.show.pictures import MOST_BOARDS
from toys import Kayles, domineering

SVG = "{http://www.w3.org/2000/svg}"

NIM_AND_NORTHCOTT = Nim(2, 1) + Northcott.from_text("L..R/LR")
POSITIONS = [
    Nim(3, 5, 7),
    Nim(0),
    Nim(10**30, 40, 2, play="misere"),
    Northcott.from_text("L..R../.L...R"),
    Northcott.from_text("L.R/LR/.L....R", to_move="right"),
    Otter.empty(),
    Otter.from_text("16,.,7,2/3,.,12,./.,8,5,11/1,14,.,15"),
    Otter.from_text("1,.,3/.,2,."),
    Otter.from_text("1,./.,2/3,."),
    Otter.random(1, rows=3, columns=5),
    RoadWorks.from_text("3x3/b2,a3", collapse=True),
    RoadWorks.from_text("3x3/b2,a3,b1", collapse=True),
    RoadWorks.from_text("2x3/b2"),
    RoadWorks.from_text("3x2/b2,c2"),
    RoadWorks.from_text("A>B:A-x,x-y,y-B,A-z,z-y,z-w/x", collapse=True),
    Slither.empty(2, 3),
    Slither.empty(3, 2, pie=True).play("a2"),
    Slither.from_text("B.W/W.B/B.W", variant="advanced"),
    Slither.from_text(".B./WB./.BB", to_move="white"),
    NIM_AND_NORTHCOTT,
    Sum.of(),
    Nim(1) + RoadWorks.from_text("2x2/b2", collapse=True),
]
STARTED = [position for position in POSITIONS if not position.is_terminal]


def parsed(picture):
    """The picture's root element; fails if the text is no well-formed XML."""
    return ET.fromstring(picture._repr_svg_())


def placed(element, x=0.0, y=0.0):
    """All elements with the offset of their groups."""
    for child in element:
        dx = dy = 0.0
        if child.tag == SVG + "g":
            dx, dy = map(float, re.fullmatch(r"translate\((\S+) (\S+)\)", child.get("transform")).groups())
        yield child, x + dx, y + dy
        yield from placed(child, x + dx, y + dy)


def corners(element):
    """Points of a shape, enough to tell where it lies."""
    numbers = {name: float(element.get(name)) for name in ("x", "y", "cx", "cy", "r", "width", "height", "font-size")
               if element.get(name) is not None}  # fmt: skip
    if element.tag == SVG + "circle":
        for sign in (-1, 1):
            yield numbers["cx"] + sign * numbers["r"], numbers["cy"] + sign * numbers["r"]
    elif element.tag == SVG + "rect":
        yield numbers["x"], numbers["y"]
        yield numbers["x"] + numbers["width"], numbers["y"] + numbers["height"]
    elif element.tag == SVG + "path":
        for x, y in re.findall(r"([-\d.e+]+) ([-\d.e+]+)", element.get("d")):
            yield float(x), float(y)
    elif element.tag == SVG + "text":
        # On average a letter is no more than 0.6 of the size wide in the fonts asked for.
        across = 0.6 * numbers["font-size"] * len(element.text or "")
        left = {None: 0, "middle": 0.5, "end": 1}[element.get("text-anchor")]
        yield numbers["x"] - left * across, numbers["y"]
        yield numbers["x"] + (1 - left) * across, numbers["y"] - 0.7 * numbers["font-size"]


def circles(picture, tone, kind="f"):
    return [c for c in parsed(picture).iter(SVG + "circle") if f"{kind}-{tone}" in (c.get("class") or "").split()]


def texts(picture):
    return [element.text for element in parsed(picture).iter(SVG + "text")]


def test_every_game_of_ours_has_a_drawing_and_is_tested():
    ours = {name for name in game_names() if game(name).__module__.startswith("cgt_games.")}
    assert {position.name for position in POSITIONS} == ours
    assert all(game(name).picture for name in ours)


@pytest.mark.parametrize("position", POSITIONS, ids=lambda p: f"{p.name} {p.to_text()}")
def test_a_picture_is_well_formed_named_scalable_and_inside_its_frame(position):
    root = parsed(show.svg(position))
    assert root.tag == SVG + "svg"
    assert root.get("role") == "img"
    title = root.find(SVG + "title").text
    assert position.name in title
    assert str(position.to_move) in title or "over" in title
    _, _, width, height = map(float, root.get("viewBox").split())
    assert (float(root.get("width")), float(root.get("height"))) == (width, height)
    for element, x, y in placed(root):
        for a, b in corners(element):
            assert 0 <= x + a <= width, f"{ET.tostring(element)} lies outside"
            assert 0 <= y + b <= height, f"{ET.tostring(element)} lies outside"


def test_pictures_on_one_page_share_no_id_and_refer_to_none():
    page = "".join(str(show.svg(position)) for position in POSITIONS + POSITIONS)
    root = ET.fromstring(f"<html>{page}</html>")
    assert not [element for element in root.iter() if "id" in element.attrib]
    assert "url(" not in page
    assert "href" not in page
    assert len(set(re.findall("<style>.*?</style>", page))) == 1, "the style sheets of two pictures would mix"


@pytest.mark.parametrize("position", STARTED, ids=lambda p: f"{p.name} {p.to_text()}")
def test_each_move_touches_places_of_its_own(position):
    # Else a click could not tell which move is meant.
    drawing = draw(position)
    moves = list(islice(position.legal_moves, 300))
    touched = {move: drawing.touch(move) for move in moves}
    assert len(set(touched.values())) == len(moves)
    for move, names in touched.items():
        if str(move) not in ("pass", "swap") and not (position.name == "nim" and max(position.heaps) > 24):
            assert names
            assert set(names) <= set(drawing.places), f"{move} touches {names}"
    middles = [place[:2] for place in drawing.places.values()]
    assert len(set(middles)) == len(middles)


@pytest.mark.parametrize("start", [Otter.empty(2, 3), RoadWorks.from_text("2x3"), Slither.empty(3, 2)])
def test_columns_go_to_the_right_and_rows_upwards(start):
    places = {name: place for name, place in draw(start).places.items() if name[0].isalpha()}
    for one, here in places.items():
        for other, there in places.items():
            assert (here.x < there.x) == (one[0] < other[0])
            assert (here.y > there.y) == (int(one[1:]) < int(other[1:]))


def test_otter_shows_its_numbers_where_they_are_and_the_rest_below():
    position = Otter.from_text("1,.,3/.,2,.")
    drawing = draw(position)
    at = {mark.text: (mark.x, mark.y) for mark in drawing.marks if isinstance(mark, Text) and mark.size == 18}
    assert at == {number: drawing.places[cell][:2] for number, cell in (("1", "a2"), ("3", "c2"), ("2", "b1"))}
    lowest = max(drawing.places[cell].y for cell in ("a1", "b1", "c1"))
    assert all(drawing.places[number].y > lowest for number in "456")
    assert not {"1", "2", "3"} & set(drawing.places)


@given(st.data())
def test_the_path_drawn_for_otter_is_one_of_the_best(data):
    rows, columns = data.draw(st.integers(2, 5)), data.draw(st.integers(2, 5))
    position = Otter.random(
        data.draw(st.integers(0, 999)), empty=data.draw(st.integers(0, rows * columns)), rows=rows, columns=columns
    )
    for player in AB:
        value, path = light_path(position, player)
        expected, paths = position.best_paths(player)
        assert value == expected
        assert tuple(f"{'abcde'[i % columns]}{rows - i // columns}" for i in path) in paths


def test_otter_says_that_the_scores_of_a_board_with_empty_cells_are_the_least_possible():
    # With 2 and 4 left, A's path costs 3 + 1 and one of them, B's both and the 1.
    assert draw(Otter.from_text("3,./.,1")).note == "at least A 6, B 7"
    assert draw(Otter.from_text("3,2/4,1")).note == "A 6, B 7"
    assert draw(Otter.empty(2)).note == ""


def test_a_large_otter_board_is_drawn_though_its_paths_are_beyond_number():
    position = Otter(40, (1,) + (0,) * 1599)
    assert "1 " not in texts(show.svg(position))
    assert str(show.svg(position)).count("<path") == 1 + 2  # the grid and the two paths


def test_road_works_shows_who_closed_what_and_what_fell_by_the_last_move():
    position = RoadWorks.from_text("3x3/b2,a3", collapse=True)
    picture = show.svg(position, last_move="a3")
    assert (len(circles(picture, "left")), len(circles(picture, "right"))) == (1, 1)
    assert len(circles(picture, "faint")) == len(position.fallen) == 2
    assert len(circles(picture, "last", "s")) == 1 + 2  # the closing, and a2 and a4, which it makes fall
    assert len(circles(show.svg(position.play("c1"), last_move="c1"), "last", "s")) == 1 + len(
        position.falls_after("c1")
    )
    assert {"A", "B", "1", "2", "a", "d", "4"} <= set(texts(picture))


def test_a_graph_without_places_is_drawn_the_same_every_time_with_a_to_the_left_of_b():
    text = "s>t:s-1,1-2,2-t,s-3,3-4,4-t,1-3,2-4,4-5"
    position = RoadWorks.from_text(text)
    places = draw(position).places
    assert len({place[:2] for place in places.values()}) == len(position.city)
    assert places["s"].x < places["t"].x
    assert str(show.svg(RoadWorks.from_text(text))) == str(show.svg(position))


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_streets_of_a_planar_city_do_not_cross(data):
    import networkx as nx

    graph = nx.triangular_lattice_graph(2, 4) if data.draw(st.booleans()) else nx.grid_2d_graph(3, 4)
    streets = data.draw(st.permutations(sorted(graph.edges)))[: data.draw(st.integers(0, 6))]
    for street in streets:
        graph.remove_edge(*street)
        if not nx.is_connected(graph):
            graph.add_edge(*street)
    a, b = data.draw(st.sampled_from(sorted(pair for pair in nx.non_edges(graph))))
    city = City.from_graph(graph, a, b)
    at = [Fraction(c) for place in draw(RoadWorks(city)).places.values() for c in place[:2]]
    at = list(zip(at[::2], at[1::2], strict=True))

    def side(p, q, r):
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    for (i, j), (k, m) in combinations(city.streets, 2):
        if not {i, j} & {k, m}:
            p, q, r, s = at[i], at[j], at[k], at[m]
            crossing = side(p, q, r) * side(p, q, s) <= 0 and side(r, s, p) * side(r, s, q) <= 0
            assert not crossing, f"{city.names[i]}-{city.names[j]} and {city.names[k]}-{city.names[m]}"


def test_a_graph_with_places_is_drawn_there():
    import networkx as nx

    graph, places = nx.path_graph(4), {0: (0, 0), 1: (1, 3), 2: (5, 3), 3: (5, -1)}
    drawn = draw(RoadWorks(City.from_graph(graph, 0, 3, places))).places
    unit = drawn["1"].x - drawn["0"].x
    for node, (x, y) in places.items():
        assert drawn[str(node)].x - drawn["0"].x == pytest.approx(unit * x)
        assert drawn["0"].y - drawn[str(node)].y == pytest.approx(unit * y)


def test_slither_shows_its_stones_and_the_winning_chain():
    position = Slither.from_text(".B./WB./.BB", to_move="white")
    drawing = draw(position)
    stones = {(mark.x, mark.y): mark.fill for mark in drawing.marks if isinstance(mark, Disc) and mark.radius == 15}
    tones = {"b3": "black", "b2": "black", "b1": "black", "c1": "black", "a2": "white"}
    assert stones == {drawing.places[point][:2]: tone for point, tone in tones.items()}
    path = [mark.paths for mark in drawing.marks if getattr(mark, "tone", None) == Tone.LAST]
    assert path == [(tuple(drawing.places[point][:2] for point in position.winning_chain),)]


def test_nim_draws_what_the_last_move_took_and_says_how_much_it_does_not_draw():
    before = Nim(3, 5)
    picture = show.svg(before.play("2:2"), last_move="2:2")
    assert (len(circles(picture, "left")), len(circles(picture, "last", "s"))) == (6, 2)
    assert "... 41 in all" in texts(show.svg(Nim(41)))
    assert any("binary digits" in text for text in texts(show.svg(Nim(10**40))))


def test_highlights_and_labels_are_drawn_where_the_moves_are():
    position = Northcott.from_text("L..R/L.R")
    drawing = draw(position)
    winning = solve(position).winning_moves
    picture = show.svg(position, highlight=winning, labels={move: f"<{move}>" for move in winning})
    boxes = [(element, x, y) for element, x, y in placed(parsed(picture)) if "s-highlight" in element.get("class", "")]
    named = {name for move in winning for name in drawing.touch(move)}
    assert len(boxes) == len(named)
    for element, _, _ in boxes:
        middle = float(element.get("x")) + float(element.get("width")) / 2
        assert any(drawing.places[name].x == pytest.approx(middle) for name in named)
    assert {f"<{move}>" for move in winning} <= set(texts(picture))
    assert texts(show.svg(Nim(2, 4), labels={"1:1": 5, "2:4": 2})).count("5") == 1


BAD_SCALES = [0, -1, float("nan"), float("inf"), "2", True, None, 10**400]
ONE_OF_EACH = [Nim(3), Northcott.from_text("L..R"), Otter.empty(3), RoadWorks.from_text("2x2"), Slither.empty(3)]
LONG_HEAP = Nim(30, 3)
PIE = Slither.empty(3, pie=True).play("b2")
STUCK = Slither.from_text("WWBBB/WWWBB/WB..B/WBBWW/WBBBW", to_move="white")


@pytest.mark.parametrize(
    ("position", "move"),
    [(Nim(25, 3), "1:25"), (LONG_HEAP, "1:27"), (LONG_HEAP + Nim(1), "1>1:27"), (PIE, "swap"), (STUCK, "pass")],
)
def test_a_legal_move_without_a_place_is_named_below_the_board(position, move):
    plain, parsed_move = show.svg(position), position.parse_move(move)
    assert position.why_illegal(parsed_move, position.to_move) is None
    for target in (move, parsed_move):
        marked = show.svg(position, highlight=[target], labels={target: "good"})
        added = set(texts(marked)) - set(texts(plain))
        assert len(added) == 1
        assert added.pop().endswith(f" · marked: {move} · labelled: {move} (good)")
        assert texts(show.svg(position, highlight=[target], caption=""))[-1] == f"marked: {move}"
    with pytest.raises(CGTError, match="names no place"):
        show.svg(Nim(25, 3), highlight=["1:26"])


def test_every_move_can_be_marked_and_many_without_a_place_are_counted():
    for position in [*STARTED, LONG_HEAP, PIE, STUCK]:
        moves = list(islice(position.legal_moves, 40))
        assert parsed(show.svg(position, highlight=moves, labels=dict.fromkeys(moves, 1))) is not None
    assert texts(show.svg(Nim(30), highlight=Nim(30).legal_moves))[-1].endswith("1:8 and 22 more")


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        (lambda: show.svg(Nim(1, 2), highlight=["3:1"]), "3:1 names no place"),
        (lambda: show.svg(Nim(1, 2), highlight="1:1"), "collection"),
        (lambda: show.svg(Slither.empty(3), last_move="d4"), "'d4'"),
        (lambda: show.svg(Northcott.from_text("L.R"), last_move="2:1-2"), "'2:1'"),
        (lambda: show.svg(RoadWorks.from_text("2x2"), last_move="z9"), "z9"),
        (lambda: show.svg(Otter.empty(), labels={"17@a1": 1, "5@z1": 2, "99@e9": 3}), "99@e9"),
        (lambda: show.strip(Nim(1, 2), columns=0), "columns=0"),
        (lambda: show.strip(Nim(1, 2), start=3), "from 3"),
        (lambda: show.strip(Nim(1, 2), ["1:2"]), "1:2"),
        (lambda: show.strip(Record.start(Nim(1)), ["1:1"]), "record has moves"),
        (lambda: show.options(Nim(0)), "no legal move"),
        (lambda: show.options(Nim(1), most=0), "most=0"),
        (lambda: show.options(Nim(1), most=1.5), "most=1.5"),
        (lambda: show.options("3,5,7"), "'3,5,7' is no position"),
        (lambda: show.strip(Nim(1), "1:1"), "moves is a collection"),
        (lambda: show.strip(Nim(1), 5), "moves is a collection"),
        (lambda: show.strip(game="3,5,7"), "'3,5,7' is no position"),
        (lambda: show.strip(Nim(1), columns="3"), "columns='3'"),
        (lambda: show.strip(Nim(1), columns=1.5), "columns=1.5"),
        (lambda: show.strip(Nim(1), start="0"), "start='0'"),
        (lambda: show.strip(Nim(1), stop=1.5), "stop=1.5"),
        (lambda: show.svg("3,5,7"), "'3,5,7' is no position"),
        (lambda: show.svg(Nim(1), highlight=5), "collection"),
        (lambda: show.svg(Nim(1), labels=["1:1"]), "labels=['1:1']"),
        (lambda: show.svg(Nim(1), caption=5), "caption=5"),
        *[(lambda scale=scale: show.svg(Nim(1), scale=scale), f"scale={scale!r}") for scale in BAD_SCALES],
        *[(lambda g=g: show.svg(g, last_move=5), "5") for g in (*ONE_OF_EACH, NIM_AND_NORTHCOTT)],
        *[(lambda g=g: show.svg(g, highlight=[None]), "None") for g in (*ONE_OF_EACH, NIM_AND_NORTHCOTT)],
        *[(lambda g=g: show.svg(g, labels={5: 1}), "5") for g in (*ONE_OF_EACH, NIM_AND_NORTHCOTT)],
    ],
)
def test_mistakes_are_named(mistake, message):
    with pytest.raises(CGTError, match=re.escape(message)):
        mistake()


def test_the_picture_of_a_record_is_that_of_its_last_position():
    record = Record.start(Nim(2, 1)).play("1:1")
    assert str(show.svg(record)) == str(show.svg(Nim(1, 1), last_move="1:1"))
    assert str(show.svg(Record.start(Nim(2)))) == str(show.svg(Nim(2)))
    assert show.svg(record.resign()).title == "nim 1,1: second has resigned, first wins"


def test_a_strip_has_a_board_for_each_position_with_its_move():
    record = Record.start(RoadWorks.from_text("3x3", collapse=True)).play("b2").play("a3").play("b1")
    captions = ["start", "1. first b2", "2. second a3", "3. first b1, second wins"]
    assert [text for text in texts(show.strip(record)) if text in captions] == captions
    assert parsed(show.strip(record)).get("viewBox") != parsed(show.strip(record, columns=2)).get("viewBox")
    assert [text for text in texts(show.strip(record, start=1, stop=3)) if text in captions] == captions[1:3]
    assert record._repr_svg_() == str(show.strip(record))
    same = show.strip(record.start_position, record.moves)
    assert str(same) == str(show.strip(record))


def test_the_title_of_a_strip_counts_the_moves():
    assert show.strip(Nim(2), ["1:1"]).title == "nim: 1 move"
    assert show.strip(Nim(2), ["1:1", "1:1"]).title == "nim: 2 moves"
    assert show.strip(Nim(2)).title == "nim: 0 moves"


def test_a_long_record_shows_its_end_and_refuses_to_be_one_picture():
    record = Record.start(Nim(300))
    for _ in range(MOST_BOARDS + 3):
        record = record.play("1:1")
    with pytest.raises(CGTError, match="too many"):
        show.strip(record)
    shown = [text for text in texts(record) if re.match(r"\d+\. ", text)]
    assert (len(shown), shown[-1]) == (MOST_BOARDS, f"{MOST_BOARDS + 3}. first 1:1")


def test_options_are_shown_below_their_moves():
    assert {"1:1", "1:2", "2:1"} <= set(texts(show.options(Nim(2, 1))))
    assert sum(text.count(":") for text in texts(show.options(Nim(50), most=7))) == 7


def test_a_sum_shows_its_parts_and_names_their_places():
    drawing = draw(NIM_AND_NORTHCOTT)
    assert {"1>2:1", "2>1:1", "2>2:2"} <= set(drawing.places)
    assert drawing.places["2>1:1"].y > drawing.places["1>2:1"].y
    assert "0" in texts(show.svg(Sum.of()))
    moved = show.svg(NIM_AND_NORTHCOTT.play("2>1:1-2"), last_move="2>1:1-2")
    assert circles(moved, "last", "s")
    assert not circles(show.svg(NIM_AND_NORTHCOTT), "last", "s")


def test_a_game_without_a_drawing_shows_its_text():
    position = domineering(2, 3)
    assert texts(show.svg(position, caption="")) == position.board().splitlines()
    assert "Kayles" in parsed(show.svg(Kayles((2, 3)))).find(SVG + "title").text


@dataclass(frozen=True)
class Ring(ImpartialPosition):
    """A toy that declares a drawing, as a third party would; any text is its board."""

    text: str
    picture = "test_show_pictures:draw_ring"

    def generate_moves(self, player):
        return iter(range(len(self.text)))

    def apply(self, move, player):
        return Ring(self.text[:move])

    def to_text(self):
        return self.text


class PlainRing(Ring):
    """The same without."""

    picture = None


def draw_ring(position, last_move):
    marks = (Disc(20, 20, 18, outline=Tone.LEFT), Text(20, 20, position.text))
    return Drawing(40, 40, marks, {"0": Place(20, 20, 5)}, note=f"after {last_move}")


def test_a_third_party_draws_by_declaring_it():
    picture = show.svg(Ring("x"), last_move=0, highlight=[0])
    assert {"x", "first to move · after 0"} <= set(texts(picture))
    assert len(circles(picture, "highlight", "s")) == 1


@given(st.text())
def test_any_text_makes_a_well_formed_picture(text):
    for state_type in (Ring, PlainRing):
        root = parsed(show.svg(state_type(text)))
        assert root.find(SVG + "title").text
    assert parsed(show.svg(Nim(1), caption=text, labels={"1:1": text})) is not None


@settings(max_examples=30)
@given(st.integers(0, 10**9), st.integers(1, 12), st.integers(1, 12))
def test_random_play_of_slither_is_drawn_stone_by_stone(seed, rows, columns):
    from random import Random

    generator, position = Random(seed), Slither.empty(rows, columns)
    for _ in range(6):
        if turns := list(islice(position.legal_moves, 60)):
            turn = generator.choice(turns)
            position = position.play(turn)
    picture = show.svg(position, last_move=turn)
    for stones, tone in ((position.black, "black"), (position.white, "white")):
        assert len(circles(picture, tone)) == stones.bit_count()


def luminance(colour):
    """Relative luminance (WCAG 2.1)."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("page", [0, 1], ids=["light", "dark"])
def test_text_is_readable_and_marks_are_seen(page):
    # WCAG 2.1 AA: 4.5 for text, 3 for what has to be seen.
    colour = {tone: pair[page] for tone, pair in COLOURS.items()}
    assert set(colour) == set(Tone)
    for tone in (Tone.INK, Tone.SOFT, Tone.LEFT, Tone.RIGHT, Tone.HIGHLIGHT):
        assert contrast(colour[tone], colour[Tone.PAPER]) >= 4.5, tone
    assert contrast(colour[Tone.INK], colour[Tone.BOARD]) >= 4.5
    for ground in (Tone.PAPER, Tone.BOARD):
        assert contrast(colour[Tone.LAST], colour[ground]) >= 3
    assert contrast(colour[Tone.BLACK], colour[Tone.WHITE]) >= 4.5


def test_a_picture_is_saved_as_a_file_of_its_own(tmp_path):
    picture = show.svg(Nim(3, 5), caption="Bouton, 1901 · é")
    picture.save(tmp_path / "nim.svg")
    root = ET.parse(tmp_path / "nim.svg").getroot()
    assert root.find(SVG + "title").text == picture.title
    assert "Bouton, 1901 · é" in [element.text for element in root.iter(SVG + "text")]
    assert picture._repr_svg_() == str(picture)
    half = parsed(show.svg(Nim(3, 5), scale=0.5))
    assert float(half.get("width")) == float(half.get("viewBox").split()[2]) / 2
