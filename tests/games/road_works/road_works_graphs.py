"""Random cities for the tests of Road Works."""

import networkx as nx
import numpy as np
from hypothesis import strategies as st

from cgt_games.games.road_works import City
from cgt_games.games.road_works.live import room, streets


@st.composite
def graph_cities(draw, most=12):
    """Cities on random graphs, planar or not, of at most ``most`` crossings, with ends that are connected."""
    n = draw(st.integers(3, most))
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n) if (i, j) != (0, n - 1)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=min(len(pairs), 2 * n + 4)))
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(chosen)
    if not nx.has_path(graph, 0, n - 1):
        middle = draw(st.integers(1, n - 2))
        graph.add_edges_from([(0, middle), (middle, n - 1)])
    return City.from_graph(graph, 0, n - 1)


@st.composite
def grid_cities(draw, most=64):
    """Grids of at most ``most`` crossings, among them many that are not square."""
    columns = draw(st.integers(1, 12))
    rows = draw(st.integers(1, min(12, most // (columns + 1) - 1)))
    return City.grid(columns, rows)


@st.composite
def cities_and_sets(draw):
    """A city and a set of its crossings that has both ends."""
    city = draw(st.one_of(graph_cities(), grid_cities()))
    # Few closings as well as many: a random half of a large grid seldom leaves a path.
    closed = draw(st.sets(st.integers(0, len(city) - 1), max_size=len(city)))
    kept = draw(st.integers(0, len(city)))
    crossings = city.everything & ~sum(1 << i for i in sorted(closed)[: kept + 1])
    return city, crossings | city.both_ends


def kernel(city):
    """The record of a city, room to work in, and the arguments that the kernels take of its ends."""
    return streets(city.around), room(), city.ends


def as_mask(crossings):
    """A set of crossings as the kernels take it."""
    return np.uint64(crossings)
