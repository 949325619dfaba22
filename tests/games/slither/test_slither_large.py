"""Boards that do not fit a word: the kernels are equal to the rules, and the opponent misses nothing on them."""

from __future__ import annotations

import random
import signal
import threading
import time
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from cgt_games import Slither, solve
from cgt_games.games.slither import cells, look_ahead
from cgt_games.games.slither.bits import most_results
from cgt_games.games.slither.board import bits, board_of
from cgt_games.games.slither.player import LookAhead, SlitherPlayer, number_of
from cgt_games.games.slither.rules import Colour
from cgt_games.position import PartizanPosition

VARIANTS = ["classic", "advanced"]
SMALL = [(1, 4), (2, 3), (3, 2), (3, 3), (3, 5), (5, 3), (4, 4), (5, 5)]
LARGE = [(9, 9), (9, 13), (13, 9), (13, 13)]
NO_TURN = "WWBBB/WWWBB/WB..B/WBBWW/WBBBW"


# --- positions, by the rules in plain Python ----------------------------------------------------------------------


def random_turn(position, chance):
    """The position after some turn, found without a list of all; None if none was found."""
    grid, player = position.grid, position.to_move
    own, empty = position.stones(player), position.empties
    for _ in range(20):
        stones, free = own, empty
        if (sources := list(bits(position.movable(player)))) and chance.random() < 0.6:
            source = chance.choice(sources)
            target = chance.choice(grid.kings[source])
            if not empty >> target & 1:
                continue
            stones, free = own ^ 1 << source ^ 1 << target, empty ^ 1 << source ^ 1 << target
        if places := list(grid.placements(stones, free)):
            return position._with_stones(stones | 1 << chance.choice(places), player)
    return None


def random_positions(count, sizes, seed):
    """Positions on random lines of play in which the game goes on."""
    chance = random.Random(seed)
    while count:
        position = Slither.empty(*chance.choice(sizes), variant=chance.choice(VARIANTS))
        for _ in range(chance.randrange(position.size)):
            after = random_turn(position, chance)
            if after is None or after.connected is not None:
                break
            position = after
        if not position.is_terminal:
            count -= 1
            yield position


def threatened(size, variant, chance):
    """A position in which the opponent of the player to move has a chain with one or two gaps, among other stones."""
    rows, columns = size
    mover = chance.choice(list(Colour))
    opponent = mover.opponent
    grid = board_of(rows, columns)
    while True:
        length, across = (rows, columns) if opponent is Colour.BLACK else (columns, rows)
        track = [chance.randrange(across)]
        while len(track) < length:
            track.append(min(across - 1, max(0, track[-1] + chance.choice([-1, 0, 0, 0, 1]))))
        points = set()
        for k, here in enumerate(track):
            points.add((k, here))
            if k and track[k - 1] != here:
                points.add((k, track[k - 1]))
        points = [cell if opponent is Colour.BLACK else cell[::-1] for cell in sorted(points)]
        for _ in range(chance.choice([1, 1, 2])):
            points.remove(chance.choice(points))
        own = sum(1 << r * columns + c for r, c in points)
        other = sum(1 << i for i in bits(grid.everything & ~own) if chance.random() < 0.25)
        for square in grid.squares:  # what is not legal goes
            if square.is_bare(other):
                other &= ~square.points
        if grid.bare_square(own) or grid.bare_square(other):
            continue
        black, white = (own, other) if opponent is Colour.BLACK else (other, own)
        position = Slither(rows, columns, black, white, mover, variant)
        if position.winner is None:
            return position


def steps_to_connect(position, colour):
    """How many empty points a chain of this colour still needs, by networkx; 99 if there can be none."""
    own, empty = position.stones(colour), position.empties
    graph = nx.DiGraph()
    for point in bits(own | empty):
        cost = 1 - (own >> point & 1)
        graph.add_weighted_edges_from((here, point, cost) for here in position.grid.neighbours[point])
        if position.edges(colour)[0] >> point & 1:
            graph.add_edge("first", point, weight=cost)
        if position.edges(colour)[1] >> point & 1:
            graph.add_edge(point, "last", weight=0)
    if not (graph.has_node("first") and graph.has_node("last") and nx.has_path(graph, "first", "last")):
        return 99
    return nx.shortest_path_length(graph, "first", "last", weight="weight")


def connecting(position):
    """All positions after a turn in which the player to move has connected. A turn adds two points at most."""
    if steps_to_connect(position, position.to_move) > 2:
        return
    yield from (after for after in position.results(position.to_move) if after.connected is position.to_move)


def connects_next(position):
    return next(connecting(position), None) is not None


# --- the kernels --------------------------------------------------------------------------------------------------


class Kernel:
    """A position as the kernels take it."""

    def __init__(self, position):
        size = (position.rows, position.columns)
        self.position, self.advanced = position, position.variant == "advanced"
        self.grid, self.room = cells.make_grid(*size), cells.make_room(*size)
        self.cells = cells.cells_of(position.black, position.white, *size)
        self.turns = np.zeros((most_results(position.size), 3), np.int64)

    def after(self, turn, colour):
        """The stones of a colour after its turn, which is taken back."""
        before = self.cells.copy()
        cells.play(self.cells, turn, number_of(colour))
        stones = cells.stones_of(self.cells, number_of(colour), self.grid)
        cells.take_back(self.cells, turn, number_of(colour))
        assert (self.cells == before).all()
        return stones

    def results(self, colour):
        count = cells.list_turns(self.cells, self.grid, number_of(colour), self.advanced, self.room, self.turns)
        return [self.after(turn, colour) for turn in self.turns[:count]]

    def connecting(self, colour, enough):
        count = cells.connecting_turns(
            self.cells, self.grid, number_of(colour), self.advanced, self.room, self.turns, enough
        )
        return [self.after(turn, colour) for turn in self.turns[:count]]


def check_equal(position):
    kernel = Kernel(position)
    for colour in Colour:
        number = number_of(colour)
        expected = {after for *_, after in position._ends(colour)}
        made = kernel.results(colour)
        assert len(made) == len(set(made))
        assert set(made) == expected
        connected = cells.connects(kernel.cells, kernel.grid, number, *kernel.room.queue)
        assert connected == (position.connected is colour)
        if position.connected is None:
            winning = {after.stones(colour) for after in connecting(position.with_to_move(colour))}
            made = kernel.connecting(colour, len(kernel.turns))
            assert len(made) == len(set(made))
            assert set(made) == winning
            assert set(kernel.connecting(colour, 1)) <= winning
            assert bool(kernel.connecting(colour, 1)) == bool(winning)


@pytest.mark.kernel
def test_turns_and_connections_equal_the_rules_on_small_boards(seed):
    for position in random_positions(60, SMALL, seed):
        check_equal(position)


@pytest.mark.kernel
@pytest.mark.parametrize("variant", VARIANTS)
def test_turns_and_connections_equal_the_rules_where_none_or_few_are_legal(variant):
    for text in (NO_TURN, "B.W/W.B/B.W", "BB./B../B..", "..", "BW./BW./..."):
        check_equal(Slither.from_text(text, to_move="white", variant=variant))


def test_turns_and_connections_equal_the_rules_on_many_small_boards(seed):
    for position in random_positions(500, SMALL, seed):
        check_equal(position)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("size", [(2, 3), (3, 2), (2, 2), (1, 3), (3, 1)], ids=str)
def test_turns_and_connections_equal_the_rules_on_every_position(size, variant):
    found = [Slither.empty(*size, variant=variant)]
    for position in found:
        check_equal(position)
        found += {*position.results(position.to_move)}.difference(found)
    assert len(found) > size[0] * size[1]


@pytest.mark.parametrize("size", LARGE, ids=str)
def test_turns_and_connections_equal_the_rules_on_large_boards(size, seed):
    chance = random.Random(seed)
    for position in random_positions(2, [size], seed):
        check_equal(position)
    for variant in VARIANTS:
        check_equal(threatened(size, variant, chance))


@pytest.mark.kernel
@pytest.mark.parametrize("size", [(3, 4), (4, 3), (9, 13), (13, 9)], ids=str)
def test_distances_equal_shortest_paths(size, seed):
    for position in random_positions(4, [size], seed):
        kernel = Kernel(position)
        for colour in Colour:
            room = kernel.room
            found = cells.measure(kernel.cells, kernel.grid, number_of(colour), room.ahead, room.back, room.queue)
            assert min(found, 99) == steps_to_connect(position, colour)


def lengths_through(position, colour):
    """For each empty point: which new one of a chain it is, counted from both edges, by networkx."""
    own, empty = position.stones(colour), position.empties
    counts = []
    for edge in position.edges(colour):
        graph = nx.DiGraph()
        graph.add_node("edge")
        for point in bits(own | empty):
            cost = 1 - (own >> point & 1)
            graph.add_weighted_edges_from((here, point, cost) for here in position.grid.neighbours[point])
            if edge >> point & 1:
                graph.add_edge("edge", point, weight=cost)
        counts.append(nx.single_source_dijkstra_path_length(graph, "edge", weight="weight"))
    return {point: (counts[0][point], counts[1][point]) for point in bits(empty) if all(point in c for c in counts)}


@pytest.mark.kernel
def test_the_potential_equals_its_definition(seed):
    for position in random_positions(12, [(3, 3), (4, 6), (2, 9), (9, 10)], seed):
        kernel, levels = Kernel(position), np.zeros((position.rows + 2) * (position.columns + 2), np.int64)
        for colour in Colour:
            steps, value = look_ahead.potential(kernel.cells, kernel.grid, number_of(colour), kernel.room, levels)
            least = steps_to_connect(position, colour)
            if least == 99:
                assert value == look_ahead.BLOCKED
                continue
            quarters = dict.fromkeys(range(1, least + 1), 0)
            for ahead, back in lengths_through(position, colour).values():
                if ahead + back - 1 == least:
                    quarters[ahead] += 4
                elif ahead + back - 1 == least + 1:
                    for step in (ahead, least + 1 - back):
                        if step in quarters:
                            quarters[step] += 1
            assert steps == least
            assert value == sum(10 + 12 * 4 // number for number in quarters.values())


# --- games by chance ----------------------------------------------------------------------------------------------


@pytest.mark.kernel
@pytest.mark.parametrize("text", ["B.W/W.B/B.W", "B../.W./..."], ids=str)
@pytest.mark.parametrize("variant", VARIANTS)
def test_turns_by_chance_have_equal_chances(text, variant):
    position = Slither.from_text(text, to_move="black", variant=variant)
    kernel, state = Kernel(position), np.array([88172645463325252], np.uint64)
    expected = {after for *_, after in position._ends(Colour.BLACK)}
    seen = dict.fromkeys(expected, 0)
    draws = 60 * len(expected)
    for _ in range(draws):
        assert cells.random_turn(
            kernel.cells, kernel.grid, cells.BLACK, kernel.advanced, kernel.room, state, kernel.turns
        )
        seen[kernel.after(kernel.turns[0], Colour.BLACK)] += 1
    # Each is binomial with mean 60; the seed is fixed, so this cannot flicker.
    deviation = (60 * (1 - 1 / len(expected))) ** 0.5
    assert all(abs(number - 60) < 4.5 * deviation for number in seen.values())


@pytest.mark.kernel
def test_who_has_no_turn_passes_in_games_by_chance():
    forced = Slither.from_text(NO_TURN, to_move="white")
    kernel, state = Kernel(forced), np.array([1], np.uint64)
    draw = (kernel.cells, kernel.grid, cells.WHITE, False, kernel.room, state, kernel.turns)
    assert not cells.random_turn(*draw)
    # Nobody has connected yet, and on 5 x 5 there is always a winner at the end.
    assert forced.connected is None
    assert cells.random_winner(*draw) in (cells.BLACK, cells.WHITE)


def test_games_by_chance_are_the_same_by_kernel_and_by_the_rules():
    """Won by each side about as often: 400 games each way, with room for chance of four standard deviations."""
    start, rates = Slither.empty(3, 9), []
    for roll in (Slither.random_result, PartizanPosition.random_result):
        chance = random.Random(5)
        rates.append(np.mean([roll(start, chance) > 0 for _ in range(400)]))
    assert abs(rates[0] - rates[1]) < 4 * (2 * 0.25 / 400) ** 0.5


# --- the opponent -------------------------------------------------------------------------------------------------


def check_candidates(position, limits):
    """No turn is chosen that lets the opponent connect, and one that does not is found if there is any."""
    kernel, mover = Kernel(position), position.to_move
    tables = look_ahead.make_tables(position.rows, position.columns)
    chosen, scores = np.zeros((8, 3), np.int64), np.zeros(8, np.int64)
    count = look_ahead.list_best(
        kernel.cells, kernel.grid, number_of(mover), kernel.advanced, limits, tables, chosen, scores
    )
    if connects_next(position):
        assert count == look_ahead.CONNECTS
        assert position._with_stones(kernel.after(chosen[0], mover), mover).connected is mover
        return
    safe = {after.stones(mover) for after in position.results(mover) if not connects_next(after)}
    found = [kernel.after(turn, mover) for turn in chosen[:count]]
    assert len(found) == len(set(found)) == count
    assert set(found) <= safe
    assert bool(found) == bool(safe)
    assert all(better >= worse for better, worse in pairwise(scores[:count]))


@pytest.mark.kernel
@pytest.mark.parametrize("limits", [(8, 1, 1), (8, 40, 40)], ids=str)
def test_candidates_leave_the_opponent_no_connection(limits, seed):
    for position in random_positions(12, [(3, 3), (3, 4), (4, 3)], seed):
        check_candidates(position, limits)


@pytest.mark.parametrize("limits", [(8, 1, 1), (8, 40, 40)], ids=str)
@pytest.mark.parametrize("variant", VARIANTS)
def test_candidates_leave_the_opponent_no_connection_on_many_boards(limits, variant, seed):
    chance = random.Random(seed)
    for position in random_positions(60, [(3, 3), (3, 5), (5, 3), (4, 4)], seed):
        check_candidates(position, limits)
    for _ in range(40):
        check_candidates(threatened(chance.choice([(4, 4), (3, 5), (5, 3)]), variant, chance), limits)


def check_one_turn(position, player, chance):
    mover = position.to_move
    after = position.play(player.choose(position))
    if connects_next(position):
        assert after.connected is mover
    elif connects_next(after):  # then no turn could prevent it
        results = list(position.results(mover))
        if position.size > 40:  # too many for the rules in plain Python
            results = chance.sample(results, min(40, len(results)))
        assert all(connects_next(result) for result in results)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("size", [(9, 3), (3, 9), (2, 10), *LARGE], ids=str)
def test_what_one_turn_decides_is_never_missed(size, variant, seed):
    chance, player = random.Random(seed), SlitherPlayer(seconds=0.01, seed=seed)
    for _ in range(6):
        check_one_turn(threatened(size, variant, chance), player, chance)
    position = threatened(size, variant, chance)
    check_one_turn(position.with_to_move(position.to_move.opponent), player, chance)


@pytest.mark.parametrize("variant", VARIANTS)
def test_it_plays_legal_turns_to_the_end(variant):
    position = Slither.empty(9, 10, variant=variant)
    player = SlitherPlayer(seconds=0.01, seed=2)
    while position.winner is None:
        position = position.play(player.choose(position))
    assert position.connected is not None


def test_it_passes_where_it_must():
    forced = Slither.from_text(NO_TURN, to_move="white")
    board = LookAhead(forced.rows, forced.columns)
    assert str(board.best(forced, time.perf_counter(), random.Random(1))) == "pass"


@pytest.mark.parametrize("size", [(3, 3), (2, 4), (4, 2), (3, 4), (4, 3)], ids=str)
def test_a_look_ahead_to_the_end_over_all_turns_finds_the_winner(size, seed):
    tables, stack = look_ahead.make_tables(*size), look_ahead.make_stack()
    everything = (look_ahead.WIDEST, look_ahead.WIDEST, 8 * look_ahead.WIDEST - 64)
    for position in random_positions(12, [size], seed):
        mover, kernel = position.to_move, Kernel(position)
        if position.empties.bit_count() > 7:
            continue
        before = kernel.cells.copy()
        board = (kernel.cells, kernel.grid, number_of(mover), kernel.advanced)
        turns, scores = stack.turns[0], stack.scores[0]
        count = look_ahead.list_best(*board, everything, tables, turns, scores)
        if count > 0:
            look_ahead.begin(stack, count)
            depth, end = position.empties.bit_count() + 1, 0
            while look_ahead.run(stack, *board, depth, everything, everything, tables, end) != look_ahead.DONE:
                end += 3
            value = max(scores[:count])
            assert (kernel.cells == before).all()
        else:
            value = look_ahead.WIN if count == look_ahead.CONNECTS else -look_ahead.WIN
        assert abs(value) > look_ahead.WIN - 100
        assert (value > 0) == (solve(position, winner_only=True).winner == mover)


def test_it_keeps_to_its_time():
    player = SlitherPlayer(seconds=0.3)
    player.choose(Slither.empty(13))  # compiles
    position = Slither.empty(13).play("g7")
    began = time.process_time()
    player.choose(position)
    assert time.process_time() - began < 2 * 0.3  # process time, so that other work does not count


def test_ctrl_c_works_between_slices():
    player = SlitherPlayer(seconds=60)
    player.seconds = 0.01
    player.choose(Slither.empty(10))  # compiles
    player.seconds = 60
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    timer.start()
    began = time.process_time()
    with pytest.raises(KeyboardInterrupt):
        player.choose(Slither.empty(10))
    assert time.process_time() - began < 5
    # Nothing of the broken search is left behind.
    player.seconds = 0.01
    assert player.choose(Slither.empty(10)) in Slither.empty(10).legal_moves


@pytest.mark.parametrize(
    ("size", "swaps"),
    # Where it is known, every first placement on a square board wins; who has much less far to go needs no swap.
    [((9, 9), True), ((13, 13), True), ((9, 12), True), ((12, 4), False), ((4, 12), True)],
    ids=str,
)
def test_it_swaps_unless_white_has_less_far_to_go(size, swaps):
    player = SlitherPlayer(seconds=0.01, seed=1)
    assert (str(player.choose(Slither.empty(*size, pie=True).play("b2"))) == "swap") == swaps


def test_the_steps_of_a_player_equal_shortest_paths(seed):
    for position in random_positions(10, [(9, 10), (3, 4)], seed):
        for colour in Colour:
            board = LookAhead(position.rows, position.columns)
            assert min(99, board.steps(position, colour)) == steps_to_connect(position, colour)
