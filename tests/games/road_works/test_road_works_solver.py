"""Values by kernels, by the general engine and by the plain rules are the same, and searches keep within limits."""

import io
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from operator import xor

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from road_works_graphs import graph_cities

from cgt_games import City, Limits, RoadWorks, solve
from cgt_games.games.road_works.ladders import ladder_values
from cgt_games.games.road_works.solver import Blocks, Options, parity, take_blocks
from cgt_games.solution import Search

SMALL = [(m, n) for m in range(1, 4) for n in range(1, 4)]


class PlainValues:
    """Values by the rules alone: simple paths, listed once, and mex over what is left after each closing."""

    def __init__(self, city, collapse):
        self.city, self.collapse = city, collapse
        self.paths = [sum(1 << i for i in path) for path in nx.all_simple_paths(city.graph, *city.ends)]
        self.known = {}

    def left(self, crossings):
        """What is in play when these crossings are open; 0 after a cut."""
        paths = [path for path in self.paths if path & ~crossings == 0]
        return reduce(int.__or__, paths, 0) if self.collapse or not paths else crossings

    def options(self, crossings):
        inner = crossings & ~self.city.both_ends
        return [after for i in range(len(self.city)) if inner >> i & 1 and (after := self.left(crossings & ~(1 << i)))]

    def of(self, crossings):
        if crossings not in self.known:
            values = {self.of(after) for after in self.options(crossings)}
            self.known[crossings] = next(v for v in range(len(values) + 1) if v not in values)
        return self.known[crossings]


@pytest.mark.parametrize("size", SMALL)
@pytest.mark.parametrize("collapse", [True, False])
def test_every_reachable_position_of_small_grids(size, collapse):
    city = City.grid(*size)
    plain = PlainValues(city, collapse)
    plain.of(plain.left(city.everything))
    blocks = Blocks(city, collapse)
    for crossings, value in plain.known.items():
        assert blocks.value(crossings, Search()) == value
    assert len(plain.known) > 1


@pytest.mark.parametrize("size", [(1, 1), (1, 3), (2, 1), (2, 2)])
@pytest.mark.parametrize("collapse", [True, False])
def test_reference_and_general_engine_on_every_reachable_position(size, collapse):
    start = RoadWorks(City.grid(*size), collapse)
    plain = PlainValues(start.city, collapse)
    seen, ahead = {start}, [start]
    while ahead:
        position = ahead.pop()
        value = plain.of(position.in_play)
        winning = {m for m in position.safe_moves("first") if plain.of(position.play(m).in_play) == 0}
        for engine in (None, "general", "reference"):
            solution = solve(position, engine=engine)
            assert (solution.value, set(solution.winning_moves)) == (value, winning)
            assert set(solution.best_moves) <= set(position.legal_moves)
        new = set(position.options("first")) - seen
        seen |= new
        ahead += new


@pytest.mark.parametrize("collapse", [True, False])
@settings(max_examples=60)
@given(city=graph_cities(most=9))
def test_random_graphs(collapse, city):
    plain = PlainValues(city, collapse)
    position = RoadWorks(city, collapse)
    solution = solve(position)
    assert solution.value == plain.of(position.in_play)
    assert set(solution.winning_moves) == {
        move for move in position.safe_moves("first") if plain.of(position.play(move).in_play) == 0
    }


@pytest.mark.parametrize("collapse", [True, False])
@settings(max_examples=15)
@given(city=graph_cities(most=12))
def test_random_graphs_of_twelve_crossings(collapse, city):
    position = RoadWorks(city, collapse)
    assert solve(position).value == PlainValues(city, collapse).of(position.in_play)


@pytest.mark.parametrize("collapse", [True, False])
@given(city=graph_cities(most=9), data=st.data())
def test_a_position_is_the_sum_of_its_components(collapse, city, data):
    position = RoadWorks(city, collapse)
    for _ in range(data.draw(st.integers(0, 3))):
        safe = list(position.safe_moves("first"))
        if safe:
            position = position.play(data.draw(st.sampled_from(safe)))
    values = [PlainValues(part.city, collapse).of(part.in_play) for part in position.components()]
    assert reduce(xor, values, 0) == PlainValues(city, collapse).of(position.in_play)


@given(city=graph_cities(most=9))
def test_a_shape_has_the_value_of_all_its_blocks(city):
    for part in RoadWorks(city, True).components():
        alike = part.canonical()
        assert PlainValues(alike.city, True).of(alike.in_play) == PlainValues(part.city, True).of(part.in_play)


@pytest.mark.parametrize("size", SMALL)
def test_parity_theorem_by_plain_search(size):
    city = City.grid(*size)
    plain = PlainValues(city, False)
    assert plain.of(city.everything) == size[0] * size[1] % 2
    for crossings, value in plain.known.items():
        closed = [city.names[i] for i in range(len(city)) if not crossings >> i & 1]
        assert parity(RoadWorks(city, False)._after(0, crossings, tuple(closed), False)) == value


@given(city=graph_cities(most=8))
def test_parity_is_claimed_only_where_it_holds(city):
    position = RoadWorks(city, False)
    value = parity(position)
    assert (value is None) == (
        not nx.is_bipartite(city.graph.subgraph(nx.node_connected_component(city.graph, city.ends[0])))
    )
    assert value in (None, PlainValues(city, False).of(position.in_play))


def random_positions(size, closings, collapse, draw):
    position = RoadWorks(City.grid(*size), collapse)
    for _ in range(closings):
        safe = list(position.safe_moves("first"))
        if safe:
            position = position.play(draw(st.sampled_from(safe)))
    return position


@settings(max_examples=8)
@given(data=st.data())
@pytest.mark.parametrize(("size", "closings"), [((4, 4), 8), ((2, 5), 4), ((5, 2), 4), ((5, 5), 13)])
def test_random_positions_by_all_engines(size, closings, data):
    position = random_positions(size, closings, True, data.draw)
    own, other = solve(position), solve(position, engine="general")
    assert (own.winner, own.value, own.winning_moves) == (other.winner, other.value, other.winning_moves)
    assert solve(position, winner_only=True).winner == own.winner
    plain = solve(position, engine="reference", limits=Limits(nodes=3000))
    if plain.exact:
        assert (plain.value, plain.winning_moves) == (own.value, own.winning_moves)


def test_equal_hashes_do_not_make_shapes_equal():
    city = City.grid(3, 4)
    position = RoadWorks(city, True)
    normal, narrow = Blocks(city, True), Blocks(city, True, hash_bits=4)
    for blocks in (normal, narrow):
        blocks.find_all(position.in_play, Search())
    assert normal.shapes == narrow.shapes
    assert all(
        normal.value(position.play(m).in_play, Search()) == narrow.value(position.play(m).in_play, Search())
        for m in position.legal_moves
    )


def test_a_table_that_has_to_grow_gives_the_same_answers():
    # 4x5 has 45,361 shapes and more; the table starts with room for a few thousand.
    one = RoadWorks(City.grid(4, 5), True)
    blocks = Blocks(one.city, True)
    before = blocks.bytes
    assert blocks.is_value(one.in_play, 0, Search())
    blocks.find_all(one.in_play, Search())
    assert blocks.bytes > before
    assert blocks.is_value(one.in_play, 0, Search())
    assert not blocks.is_value(one.in_play, 1, Search())


@pytest.mark.parametrize("limits", [Limits(nodes=3000), Limits(seconds=0.0), Limits(positions=2000)])
def test_limits_leave_only_what_was_proved(limits):
    take_blocks(City.grid(4, 5), True)  # whatever other tests have left
    position = RoadWorks.from_text("4x5/b2", collapse=True)
    partial = solve(position, limits=limits)
    assert not partial.exact
    assert partial.stopped == next(
        name for name in ("nodes", "seconds", "positions") if getattr(limits, name) is not None
    )
    assert partial.value is None
    whole = solve(position)
    assert set(partial.winning_moves) <= set(whole.winning_moves)
    assert partial.winner in (None, whole.winner)


def test_interruption_gives_a_partial_answer_and_leaves_the_table_sound():
    def interrupt(progress):
        raise KeyboardInterrupt

    take_blocks(City.grid(4, 5), True)
    position = RoadWorks.from_text("4x5/b2,c3", collapse=True)
    search = Search(progress=interrupt)
    search._reported = -1.0
    blocks = Blocks(position.city, True)
    with search.guard():
        Options(position, blocks).mex(search)
    assert search.stopped == "interrupt"
    # The table that was left in the middle of a search goes on as if nothing had been.
    assert Options(position, blocks).mex(Search()) == Options(position, Blocks(position.city, True)).mex(Search())


def test_workers_give_the_same_answer():
    for text in ("4x4", "4x4/c3", "3x4/b2"):
        position = RoadWorks.from_text(text, collapse=True)
        with ThreadPoolExecutor(2) as executor:
            shared = solve(position, executor=executor)
        alone = solve(position)
        assert (shared.winner, shared.value, shared.winning_moves) == (alone.winner, alone.value, alone.winning_moves)
        assert shared.exact


def test_a_saved_table_is_taken_up_again():
    position = RoadWorks(City.grid(4, 4), True)
    first = Blocks(position.city, True)
    first.is_value(position.in_play, 0, Search())
    file = io.BytesIO()
    first.save(file)
    file.seek(0)
    second = Blocks(position.city, True)
    second.load(file)
    assert second.shapes == first.shapes
    assert second.bytes <= 2 * first.bytes  # no larger than if it had grown by itself, but for one doubling
    search = Search()
    assert second.is_value(position.in_play, 0, search) == first.is_value(position.in_play, 0, Search())
    assert search.nodes == 0
    file.seek(0)
    with pytest.raises(ValueError, match="no table"):
        Blocks(position.city, False).load(file)


def test_more_than_64_crossings_in_play_go_to_the_general_engine():
    # A lane of 66 crossings, then two ways to B: a cycle has the value 1.
    lane = nx.path_graph(68)
    lane.add_edges_from([(67, "x"), ("x", "B"), (67, "y"), ("y", "B")])
    position = RoadWorks(City.from_graph(lane, 0, "B"), True)
    assert position.in_play.bit_count() == 71
    assert solve(position).value == 1
    assert set(solve(position).winning_moves) == {"x", "y"}


def test_large_cities_with_at_most_64_crossings_left():
    # The first row as far as h1, then the ladder of the last two columns.
    position = RoadWorks(City.grid(8, 8), True)
    for name in [f"{column}{row}" for row in range(2, 10) for column in "abcdefg"]:
        if name in position.legal_moves:
            position = position.play(name)
    assert len(position.city) == 81
    assert position.in_play.bit_count() == 7 + 18
    solution = solve(position)
    assert solution.value == ladder_values(8)[8]
    assert all(solve(position.play(move)).value == 0 for move in solution.winning_moves)


def test_parity_has_no_bound():
    position = RoadWorks(City.grid(9, 9), False)
    assert solve(position).value == 1
    assert solve(position.play("e5")).value == 0


def test_a_game_that_is_over():
    over = RoadWorks.from_text("1x1/a2,b1", collapse=True)
    solution = solve(over)
    assert (solution.winner, solution.winning_moves, solution.best_moves) == ("first", (), ())


@pytest.mark.kernel
@pytest.mark.parametrize("collapse", [True, False])
@pytest.mark.parametrize("text", ["2x2", "3x2", "2x3", "A>B:A-x,x-B,A-y,y-z,z-B,x-z,y-x", "A>B:A-x,x-y,y-B,A-y,x-B"])
def test_kernels(text, collapse):
    city = City.from_text(text)
    plain = PlainValues(city, collapse)
    everything = plain.left(city.everything)
    with np.errstate(over="ignore"):  # run as plain Python, the scrambling of hashes overflows, as it should
        blocks = Blocks(city, collapse)
        assert blocks.value(everything, Search()) == plain.of(everything)
        blocks.find_all(everything, Search())
        assert all(blocks.value(crossings, Search()) == value for crossings, value in list(plain.known.items())[::7])


@pytest.mark.slow
def test_the_cache_serves_a_second_process(tmp_path):
    code = "from cgt_games import RoadWorks, solve; print(solve(RoadWorks.level(3)).value)"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    answers = [
        subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert answers[0] == answers[1]
