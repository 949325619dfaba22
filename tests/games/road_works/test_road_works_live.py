"""The kernels on masks are equal to the networkx reference, and shapes describe blocks up to what does not matter."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from road_works_graphs import as_mask, cities_and_sets, graph_cities, grid_cities, kernel

from cgt_games.games.road_works import City
from cgt_games.games.road_works.live import encode, find_chain, live_of, live_sets, lowest, popcount, streets
from cgt_games.games.road_works.rules import Block, chain, live_set
from cgt_games.games.road_works.shapes import LANE, LAST, code, decode


def kernel_chain(city, crossings):
    """The blocks that the kernel finds, from A to B."""
    graph, room, (a, b) = kernel(city)
    count = find_chain(graph["near"], as_mask(crossings), a, b, room)
    blocks = [Block(int(room["block_mask"][k]), int(room["block_a"][k]), int(room["block_b"][k])) for k in range(count)]
    return tuple(reversed(blocks))


@given(st.integers(1, 2**64 - 1))
def test_bits_are_counted_up_to_the_64th(x):
    assert popcount(as_mask(x)) == x.bit_count()
    assert lowest(as_mask(x)) == (x & -x).bit_length() - 1


@given(cities_and_sets())
def test_live_set_equals_the_biconnected_component(case):
    city, crossings = case
    graph, room, (a, b) = kernel(city)
    assert int(live_of(graph["near"], as_mask(crossings), a, b, room)) == live_set(city, crossings)


@given(graph_cities(most=7), st.data())
def test_live_set_is_the_union_of_the_simple_paths(city, data):
    closed = data.draw(st.sets(st.integers(0, len(city) - 1)))
    crossings = city.everything & ~sum(1 << i for i in closed) | city.both_ends
    kept = city.graph.subgraph(i for i in range(len(city)) if crossings >> i & 1)
    union = {i for path in nx.all_simple_paths(kept, *city.ends) for i in path}
    assert live_set(city, crossings) == sum(1 << i for i in union)


@given(cities_and_sets())
def test_chain_of_blocks_equals_the_reference(case):
    city, crossings = case
    live = live_set(city, crossings)
    # The kernel drops by itself what hangs on the chain.
    assert kernel_chain(city, crossings) == (chain(city, live) if live else ())


def test_a_full_grid_of_64_crossings_has_its_last_bit():
    city = City.grid(7, 7)
    graph, room, (a, b) = kernel(city)
    assert b == 63
    assert int(live_of(graph["near"], as_mask(city.everything), a, b, room)) == 2**64 - 1
    assert kernel_chain(city, city.everything) == (Block(2**64 - 1, 0, 63),)


def test_more_than_64_crossings_are_refused():
    with pytest.raises(ValueError, match="72 crossings"):
        streets(City.grid(8, 7).around)


def test_batches_equal_single_calls():
    city = City.grid(5, 5)
    graph, room, (a, b) = kernel(city)
    rng = np.random.default_rng(5)
    sets = rng.integers(0, 2**36, 500, dtype=np.uint64) | rng.integers(0, 2**36, 500, dtype=np.uint64)
    sets |= as_mask(city.both_ends)
    found = np.zeros_like(sets)
    live_sets(graph["near"], sets, a, b, room, found)
    assert [int(x) for x in found] == [live_set(city, int(x)) for x in sets]
    assert 0 < np.count_nonzero(found) < 500


def marked(city, collapse):
    """A block's graph with its ends marked, lanes (with collapse) made one crossing long: what a shape has to tell."""
    graph = city.graph.copy()
    nx.set_node_attributes(graph, {i: i in city.ends for i in graph}, "end")
    if collapse:
        lanes = nx.subgraph(graph, [i for i in graph if i not in city.ends and graph.degree(i) == 2])
        for lane in list(nx.connected_components(lanes)):
            keep, *others = lane
            outside = {j for i in lane for j in graph[i]} - lane
            graph.remove_nodes_from(others)
            graph.add_edges_from((keep, j) for j in outside)
    return graph


def kernel_code(city, collapse):
    graph, room, (a, b) = kernel(city)
    length = encode(graph, as_mask(city.everything), a, b, 0, 0, collapse, room)
    return tuple(int(x) for x in room["best"][:length])


@pytest.mark.parametrize("collapse", [True, False])
@given(case=cities_and_sets())
def test_shapes_describe_the_block(collapse, case):
    city, crossings = case
    same = nx.algorithms.isomorphism.categorical_node_match("end", None)
    for block in chain(city, live_set(city, crossings)) if live_set(city, crossings) else ():
        part = city.part(block.mask, block.a, block.b)
        for shape in (code(part, collapse), kernel_code(part, collapse)):
            assert nx.is_isomorphic(marked(decode(shape), False), marked(part, collapse), node_match=same)


@given(grid_cities(most=30), st.data())
def test_shapes_forget_place_turn_and_mirror(city, data):
    closed = data.draw(st.sets(st.integers(0, len(city) - 1), max_size=4))
    live = live_set(city, city.everything & ~sum(1 << i for i in closed) | city.both_ends)
    # The same in a city one block wider on all sides, turned about, and with its ends exchanged.
    columns, rows = city.size
    large = City.grid(rows + 2, columns + 2)

    def moved(i):
        return (i % (columns + 1) + 1) * (rows + 3) + i // (columns + 1) + 1

    for block in chain(city, live) if live else ():
        if block.mask.bit_count() > 2:
            image = sum(1 << moved(i) for i in range(len(city)) if block.mask >> i & 1)
            one = city.part(block.mask, block.a, block.b)
            other = large.part(image, moved(block.b), moved(block.a))
            for collapse in (True, False):
                assert code(one, collapse) == code(other, collapse)


def test_a_lane_counts_whatever_its_length_only_with_collapse():
    short, long = (City.from_text(f"block s>t:s-x,x-t,{way}") for way in ("s-y,y-t", "s-y,y-z,z-t"))
    assert code(short, True) == code(long, True) == (4 + LANE, 4 + LANE + LAST, LAST, 1)
    assert code(short, False) != code(long, False)
