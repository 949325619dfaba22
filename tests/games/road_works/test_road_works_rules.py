"""The rules of Road Works: texts, closings, what falls, the end, and what is refused."""

import pickle
from itertools import permutations

import networkx as nx
import pytest
from hypothesis import given
from road_works_graphs import graph_cities

from cgt_games import City, IllegalMove, InvalidPosition, Record, RoadWorks, Turn, solve
from cgt_games.games.road_works import LEVELS
from cgt_games.symmetry import burnside, move_orbits
from cgt_games.testing import check_game


def test_crossings_are_named_by_column_and_row_also_where_the_city_is_not_square():
    wide, high = City.grid(3, 2), City.grid(2, 3)
    assert wide.names == ("a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2", "a3", "b3", "c3", "d3")
    assert high.names == ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3", "a4", "b4", "c4")
    assert [wide.names[i] for i in wide.ends] == ["a1", "d3"]
    assert [high.names[i] for i in high.ends] == ["a1", "c4"]


def test_streets_are_those_of_a_grid():
    city = City.grid(4, 2)
    assert nx.is_isomorphic(city.graph, nx.grid_2d_graph(5, 3))
    assert {city.names[i] for i in city.graph[city.numbers["b2"]]} == {"a2", "c2", "b1", "b3"}


@pytest.mark.parametrize("level", LEVELS)
def test_levels_by_name(level):
    size, collapse = {1: ((3, 3), False), 2: ((3, 3), True), 3: ((4, 4), True), 4: ((5, 5), True)}[level]
    position = RoadWorks.level(level)
    assert (position.city.size, position.collapse) == (size, collapse)
    assert RoadWorks.from_text(f"{size[0]}x{size[1]}", level=level) == position


def test_the_example_of_the_rules_as_a_record():
    start = RoadWorks.level(2)
    record = Record.start(start)
    for move in ("b2", "a3", "b1"):
        record = record.play(move)
    positions = list(record.positions())
    assert [p.fallen for p in positions] == [(), (), ("a2", "a4"), ("a2", "a4")]
    assert positions[1].falls_after("a3") == ("a2", "a4")
    # a1 has b1 alone left; whoever closes it loses, and nothing falls any more.
    assert positions[-1].is_cut
    assert positions[-1].winner == Turn.FIRST  # the player who would be to move
    assert record.result == Turn.SECOND  # of the game: the first player made the last closing
    assert Record.from_json(record.to_json()) == record


def test_which_two_closings_make_exactly_a2_and_a4_fall():
    start = RoadWorks.level(2)
    city = start.city
    paths = [{city.names[i] for i in path} for path in nx.all_simple_paths(city.graph, *city.ends)]

    def left(*closed):
        return set().union(*(path for path in paths if path.isdisjoint(closed)))

    expected = {
        (one, two)
        for one, two in permutations(set(city.names) - {"a1", "d4"}, 2)
        if two in left(one) and left(one, two) and left(one) - left(one, two) - {two} == {"a2", "a4"}
    }
    found = {
        (one, two)
        for one in start.legal_moves
        for two in start.play(one).legal_moves
        if set(start.play(one).falls_after(two)) == {"a2", "a4"}
    }
    assert found == expected
    assert ("b2", "a3") in found


def test_after_the_first_of_the_example_only_what_must_fall_has_fallen():
    start = RoadWorks.level(2)
    assert start.falls_after("a3") == ("a4",)
    assert start.falls_after("b2") == ()


def test_without_collapse_nothing_falls_and_idle_crossings_can_be_closed():
    position = RoadWorks.from_text("3x3/b2,a3", collapse=False)
    assert position.fallen == ()
    assert "a4" in position.legal_moves
    assert position.play("a4").play("a2").winner is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("0x3", "0x3"),
        ("3x0", "3x0"),
        ("26x1", "26x1"),
        ("", "''"),
        ("3", "'3'"),
        ("3x3/", "slash"),
        ("3x3/zz", "'zz'"),
        ("3x3/a5", "'a5'"),
        ("3x3/A3", "'A3'"),
        ("3x3/a3,,d2", "''"),
        ("3x3/a1", "end A"),
        ("3x3/d4", "end B"),
        ("3x3/b2,b2", "closing 2, 'b2'.*already closed"),
        ("3x3/b2,a3,a2", "closing 3, 'a2'.*fallen"),
        ("1x1/a2,b1,a2", "closing 3, 'a2'.*over"),
        ("a>b:a-b", "'a' and 'b' are adjacent"),
        ("a>c:a-b,c", "no path between the ends 'a' and 'c'"),
        ("a>a:a-b", "same crossing 'a'"),
        ("a>z:a-b", "'z' is on no street"),
        ("a>c:a-b-c", "'a-b-c' is no street"),
    ],
)
def test_what_is_no_position_is_refused_by_one_line_that_names_it(text, says):
    with pytest.raises(InvalidPosition, match=says) as error:
        RoadWorks.from_text(text, collapse=True)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ({"level": 3}, "level 3 is played on 4x4"),
        ({"level": 5}, "level 5"),
        ({"level": 2, "collapse": False}, "level 2 is played with collapse"),
        ({"level": 1, "collapse": True}, "level 1 is played without collapse"),
        ({"to_move": "second"}, "'second'"),
    ],
)
def test_rules_that_disagree_are_refused(rules, says):
    with pytest.raises(InvalidPosition, match=says):
        RoadWorks.from_text("3x3", **rules)


@pytest.mark.parametrize(
    ("graph", "ends", "says"),
    [
        (nx.path_graph(4), (0, 9), "end 9 is no crossing"),
        (nx.path_graph(4), (1, 1), "same crossing '1'"),
        (nx.path_graph(4), (1, 2), "'1' and '2' are adjacent"),
        (nx.Graph([(0, 1), (2, 3)]), (0, 3), "no path between the ends '0' and '3'"),
        (nx.DiGraph([(0, 1), (1, 2)]), (0, 2), "directed"),
        (nx.Graph([("a b", 1), (1, 2)]), ("a b", 2), "'a b'"),
        (nx.Graph([(1, 2), (2, "1")]), (1, "1"), "two crossings are called '1'"),
    ],
)
def test_graphs_that_are_no_city_are_refused(graph, ends, says):
    with pytest.raises(InvalidPosition, match=says):
        City.from_graph(graph, *ends)


@pytest.mark.parametrize(
    ("move", "says"),
    [("zz", "no such crossing"), ("a1", "end A"), ("b2", "already closed"), ("a2", "has fallen"), (7, "no such")],
)
def test_illegal_closings_say_why_and_change_nothing(move, says):
    position = RoadWorks.from_text("3x3/b2,a3", collapse=True)
    before = repr(position)
    with pytest.raises(IllegalMove, match=says):
        position.play(move)
    assert repr(position) == before


def test_equality_is_by_the_set_of_closings():
    one, other = (RoadWorks.from_text(f"3x3/{closings}", collapse=True) for closings in ("b2,c3", "c3,b2"))
    assert one == other
    assert hash(one) == hash(other)
    assert one.to_text() != other.to_text()
    assert one != RoadWorks.from_text("3x3/b2,c3", collapse=False)


def test_a_graph_with_places_and_fallen_crossings_at_the_start():
    graph = nx.cycle_graph(6)
    graph.add_edge(2, "dead")
    city = City.from_graph(graph, 0, 3, places={node: (float(i), 0.0) for i, node in enumerate(graph)})
    position = RoadWorks(city, True)
    assert position.fallen == ("dead",)
    assert RoadWorks(city, False).fallen == ()
    assert city.places is not None
    assert pickle.loads(pickle.dumps(city)).places == city.places


def test_grid_graphs_of_networkx_are_cities():
    city = City.from_graph(nx.grid_2d_graph(4, 4), (0, 0), (3, 3))
    assert solve(RoadWorks(city, True)).value == solve(RoadWorks.level(2)).value


@given(graph_cities())
def test_a_city_is_what_its_text_says(city):
    assert City.from_text(city.to_text()) == city


def test_burnside_counts_the_ways_to_close_crossings():
    # Two crossings besides the ends, which symmetry makes alike: none, one or both of them closed.
    small = RoadWorks.from_text("1x1", collapse=True)
    assert burnside(small.symmetries(), small.fixed_boards) == 3
    wide = RoadWorks.from_text("3x2", collapse=True)
    inner = [i for i in range(len(wide.city)) if i not in wide.city.ends]
    subsets = [[i for k, i in enumerate(inner) if mask >> k & 1] for mask in range(1 << len(inner))]
    orbits = {min(tuple(sorted(s.images[i] for i in chosen)) for s in wide.symmetries()) for chosen in subsets}
    assert burnside(wide.symmetries(), wide.fixed_boards) == len(orbits)


def test_first_moves_fall_into_orbits_of_equal_value():
    start = RoadWorks.level(3)
    values = {move: solve(start.play(move)).value for move in start.legal_moves}
    for orbit in move_orbits(start):
        assert len({values[move] for move in orbit}) == 1


def test_drawing():
    assert RoadWorks.from_text("3x3/b2,a3", collapse=True).board() == (
        "4     +---+---B\n"
        "      |   |   |\n"
        "3 o   +---+---+\n"
        "          |   |\n"
        "2     x   +---+\n"
        "          |   |\n"
        "1 A---+---+---+\n"
        "  a   b   c   d"
    )


def test_conformance():
    check_game(
        RoadWorks.from_text("2x2", collapse=True),
        RoadWorks.from_text("3x1", collapse=False),
        RoadWorks.from_text("2x3/b2", collapse=True),
        RoadWorks.from_text("A>B:A-x,x-B,A-y,y-z,z-B,x-z,y-w", collapse=True),
        RoadWorks.from_text("A>B:A-x,x-B,A-y,y-z,z-B,x-z,y-w", collapse=False),
        RoadWorks.from_text("block 0>3:0-1,0-3,1-2,2-3,1-4,4-3", collapse=True),
        walks=20,
    )
