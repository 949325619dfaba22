"""Slither by its rules: what turns are, what is refused and why, and the facts that exhaustive search shows."""

from __future__ import annotations

from itertools import product

import pytest

from cgt_games import DRAW, IllegalMove, InvalidPosition, Slither, Turn, solve
from cgt_games.games.slither import Board, Colour, SlitherTurn
from cgt_games.games.slither.board import bits, board_of
from cgt_games.games.slither.census import count_legal
from cgt_games.perft import perft
from cgt_games.symmetry import boards_up_to_symmetry, elements
from cgt_games.testing import check_game

NO_TURN = "WWBBB/WWWBB/WB..B/WBBWW/WBBBW"
"""White has no turn here."""


def play(text, *turns, **rules):
    position = Slither.from_text(text, **rules)
    for turn in turns:
        position = position.play(turn)
    return position


def all_positions(rows, columns, **rules):
    """Every legal position of a size, each with both sides to move, by trying all boards."""
    grid = board_of(rows, columns)
    for colours in product((0, 1, 2), repeat=rows * columns):
        black = sum(1 << i for i, colour in enumerate(colours) if colour == 1)
        white = sum(1 << i for i, colour in enumerate(colours) if colour == 2)
        if grid.bare_square(black) is None and grid.bare_square(white) is None:
            for colour in Colour:
                yield Slither(rows, columns, black, white, colour, **rules)


def has_common_neighbour(position, i, j):
    own = position.black if position.black >> i & 1 else position.white
    grid = position.grid
    return any(own >> k & 1 for k in grid.neighbours[i] if k in grid.neighbours[j])


# --- the condition ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1, 4), (2, 2), (2, 3), (3, 2), (3, 3)], ids=str)
def test_a_position_is_legal_iff_every_diagonal_pair_has_a_common_neighbour(size):
    grid = board_of(*size)
    for own in range(1 << size[0] * size[1]):
        stones = list(bits(own))
        bare = any(
            j in grid.kings[i]
            and j not in grid.neighbours[i]
            and not any(own >> k & 1 for k in grid.neighbours[i] if k in grid.neighbours[j])
            for i in stones
            for j in stones
        )
        assert (grid.bare_square(own) is not None) == bare


@pytest.mark.parametrize(
    ("variant", "size"), [("classic", (2, 3)), ("classic", (3, 2)), ("advanced", (2, 3)), ("advanced", (3, 2))], ids=str
)
def test_turns_are_just_what_the_words_of_the_rules_allow(variant, size):
    """All pairs of points are tried as a move, all points as a placement, and the end is judged as a whole position."""
    for position in all_positions(*size, variant=variant):
        if position.connected is not None:
            assert not position.legal_moves
            continue
        grid, player, names = position.grid, position.to_move, position.grid.names
        own, other = position.stones(player), position.stones(player.opponent)
        expected = set()
        steps = [(None, None), *product(range(position.size), repeat=2)]
        for source, target in steps:
            moved = own
            if source is not None:
                if not own >> source & 1 or target not in grid.kings[source] or (own | other) >> target & 1:
                    continue
                group, grown = 0, 1 << source
                while group != grown:
                    group = grown
                    grown |= sum({1 << j for i in bits(group) for j in grid.neighbours[i]}) & (own | other)
                if variant == "advanced" and not group & other:
                    continue
                moved = own & ~(1 << source) | 1 << target
            for place in bits(grid.everything & ~(moved | other)):
                if grid.bare_square(moved | 1 << place) is None:
                    step = () if source is None else (names[source], names[target])
                    expected.add(SlitherTurn(names[place], *step))
        turns = list(position.legal_moves)
        if expected:
            assert set(turns) == expected
            assert len(turns) == len(expected) == position.legal_moves.count
            results = {position.play(turn) for turn in turns}
            assert results == set(position.results(player))
            assert len(results) == position.count_results(player)
        else:
            assert [str(turn) for turn in turns] == ["pass"]


def test_moving_matters():
    for to_move in ("black", "white"):
        turns = list(Slither.from_text("B.W/W.B/B.W", to_move=to_move).legal_moves)
        assert len(turns) == 4
        assert all(turn.source for turn in turns)


@pytest.mark.parametrize(
    ("variant", "counts"),
    [("classic", [9, 72, 1280, 17380]), ("advanced", [9, 72, 692, 6792])],
)
def test_perft_of_3x3(variant, counts):
    start = Slither.empty(3, variant=variant)
    assert [perft(start, depth, distinct=True) for depth in range(1, 5)] == counts
    if variant == "classic":
        assert perft(start, 3) == 1832


@pytest.mark.parametrize(("variant", "count"), [("classic", 13568), ("advanced", 4928)])
def test_perft_of_4x4(variant, count):
    assert perft(Slither.empty(4, variant=variant), 3, distinct=True) == count


# --- passing, swapping, ending ----------------------------------------------------------------------------------------


def test_print_speaks_of_a_swap_only_under_the_pie_rule():
    assert str(Slither.empty(2)).endswith("\nblack to move, variant classic, pie off")
    start = Slither.empty(2, pie=True).play("a1")
    assert str(start).endswith("\nwhite to move, variant classic, pie on, swapped off")
    assert str(start.play("swap")).endswith(", pie on, swapped on")


def test_the_forced_pass():
    position = Slither.from_text(NO_TURN, to_move="white")
    assert [str(turn) for turn in position.legal_moves] == ["pass"]
    assert position.legal_moves.count == position.count_results(Colour.WHITE) == 1
    after = position.play("pass")
    assert after == Slither.from_text(NO_TURN, to_move="black")
    assert perft(position, 1) == 1
    assert perft(position, 2) == after.legal_moves.count > 0
    with pytest.raises(IllegalMove, match="passing is forbidden while there is a turn, such as"):
        after.play("pass")


def test_the_swap():
    start = Slither.empty(3, pie=True)
    one = start.play("b2")
    assert "swap" in one.legal_moves
    swapped = one.play("swap")
    assert (swapped.black, swapped.white, swapped.to_move) == (one.black, one.white, "white")
    assert one.player_of(Colour.BLACK) == Turn.FIRST == swapped.player_of(Colour.WHITE)
    assert swapped != one
    for position, reason in [
        (start, "one stone"),
        (swapped, "swapped already"),
        (one.play("a3"), "one stone"),
        (Slither.empty(3).play("b2"), "without the pie rule"),
        (Slither.from_text(".W./.../...", to_move="black", pie=True), "only White"),
    ]:
        assert "swap" not in position.legal_moves
        with pytest.raises(IllegalMove, match=reason):
            position.play("swap")


@pytest.mark.parametrize("variant", ["classic", "advanced"])
@pytest.mark.parametrize("engine", ["general", "reference"])
def test_the_second_player_wins_by_the_swap(variant, engine):
    solution = solve(Slither.empty(3, variant=variant, pie=True), engine=engine)
    assert (solution.winner, solution.player, solution.winning_moves) == ("black", "second", ())
    assert str(solution.principal_variation[1]) == "swap"
    one = Slither.empty(3, variant=variant, pie=True).play("b2")
    solution = solve(one, engine=engine)
    assert (solution.winner, solution.player) == ("black", "second")
    assert [str(turn) for turn in solution.winning_moves] == ["swap"]
    assert solution.to_dict()["player"] == "second"
    assert solve(one.play("swap"), engine=engine).winner == "black"


def test_the_winning_chain():
    position = play("BW./B../..W", "a1", to_move="black")
    assert position.winner == "black"
    assert position.winning_chain == ("a3", "a2", "a1")
    assert position.is_terminal
    assert not position.legal_moves
    # A corner belongs to both of its edges.
    assert play(".../.../WW.", "c1", to_move="white").winning_chain == ("a1", "b1", "c1")
    assert Slither.empty(3).winning_chain == ()
    assert Slither.from_text("B", to_move="white").winner == "black"
    assert Slither.from_text("WWW.", to_move="white").winner is None
    assert Slither.from_text("WWWB", to_move="white").winner == "black"


# --- facts ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1, 1), (1, 3), (3, 1), (2, 2), (2, 3), (3, 2), (3, 3)], ids=str)
def test_every_position_has_one_winner_at_most_and_a_turn_for_someone(size):
    grid, count, full = board_of(*size), 0, 0
    for position in all_positions(*size):
        winners = [colour for colour in Colour if grid.chain(position.stones(colour), position.edges(colour))]
        assert len(winners) <= 1
        assert position.winner == (winners[0] if winners else None) != DRAW
        count += position.to_move == Colour.BLACK
        if not position.empties:
            assert winners
            full += position.to_move == Colour.BLACK
    assert (count, full) == (count_legal(grid), count_legal(grid, full=True))
    if size == (2, 2):
        assert (count, full) == (67, 14)
    if size == (3, 3):
        assert (count, full) == (10053, 322)


def test_how_many_legal_positions_there_are():
    # The numbers of n x n boards of two colours without a bare square are sequence A139810 of the OEIS.
    assert [count_legal(Board(n, n), full=True) for n in (2, 3, 4, 5)] == [14, 322, 23858, 5735478]
    assert [count_legal(Board(n, n)) for n in (2, 3, 4)] == [67, 10053, 9921237]


@pytest.mark.parametrize("size", [(2, 2), (2, 3), (3, 2)], ids=str)
def test_positions_up_to_symmetry(size):
    """Burnside's count is that of the classes made one by one; a class exchanges colours with the goals."""
    positions = {(p.black, p.white): p for p in all_positions(*size)}
    group = elements(Slither.empty(*size).symmetries())
    classes = {frozenset((q.black, q.white) for q in map(p.transform, group)) for p in positions.values()}
    assert boards_up_to_symmetry(Slither.empty(*size)) == len(classes)
    for symmetry in group:
        fixed = sum((q.black, q.white) == key for key, p in positions.items() for q in [p.transform(symmetry)])
        assert count_legal(board_of(*size), symmetry) == fixed


# --- texts and refusals -----------------------------------------------------------------------------------------------


def test_whose_turn_it_is():
    assert Slither.from_text("B./.W").to_move == "black"
    assert Slither.from_text("B./..").to_move == "white"
    assert Slither.from_text("B./..", to_move="black").to_move == "black"
    for text in ("BB/..", "W./..", "BBB/..."):
        assert Slither.from_text(text, to_move="white").to_text() == text
        with pytest.raises(InvalidPosition, match="to_move must be given"):
            Slither.from_text(text)


@pytest.mark.parametrize(
    ("text", "rules", "reason"),
    [
        ("", {}, "the text is empty"),
        ("B.W/..", {}, "ragged rows in 'B.W/..': row 1 from the top has 3 points, row 2 has 2"),
        ("B.W/.x./...", {}, "'x' at b2 in"),
        ("B.W/.b./...", {}, "'b' at b2 in"),
        ("B../.B./...", {"to_move": "white"}, "a3 and b2 are both black and diagonal without a common neighbour"),
        ("..W/.W./...", {"to_move": "white"}, "c3 and b2 are both white and diagonal without a common neighbour"),
        ("BW/WB", {}, "a2 and b1 are both black"),
        ("B.", {"to_move": "left"}, "to_move 'left' is neither black nor white"),
        ("B.", {"variant": "modern"}, "'variant' must be classic or advanced, not 'modern'"),
        ("B./..", {"pie": 1}, "'pie' must be true or false"),
        ("B./..", {"swapped": True}, "without the pie rule"),
        ("../..", {"swapped": True, "pie": True}, "there is no stone"),
        ("." * 27, {}, "27 columns"),
        ("/", {}, "at least one point"),
    ],
)
def test_bad_positions(text, rules, reason):
    with pytest.raises(InvalidPosition) as caught:
        Slither.from_text(text, **rules)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "turn", "reason"),
    [
        (".../.B./...", "c3", "it leaves c3 and b2 diagonal without a common neighbour"),
        ("...../...../...../.B.B./.....", "b2-c3/d4", "it leaves d4 and c3 diagonal without a common neighbour"),
        ("....B/...../...../.B.B./.....", "b2-c3/d4", "it leaves e5 and d4 diagonal without a common neighbour"),
        ("..../.BB./..../....", "b3-b2/a4", "it leaves c3 and b2 diagonal without a common neighbour"),
        (".../.B./...", "d1", "there is no point 'd1' on a board of 3 rows and 3 columns"),
        (".../.B./...", "b2-b0/a1", "there is no point 'b0'"),
        (".../.B./...", "b2-b4/a1", "there is no point 'b4'"),
        ("W../.B./...", "a3-a2/a1", "a3 holds a stone of white"),
        ("W../.B./...", "a2-a1/a3", "a2 is empty"),
        (".../B../...", "a2-c2/c1", "a2-c2 is no king's step"),
        (".../B../...", "a2-a2/c1", "a2-a2 is no king's step"),
        ("W../B../...", "a2-a3/c1", "a3 is occupied"),
        ("W../B../...", "a2-b2/b2", "b2 is occupied"),
        ("W../B../...", "a3", "a3 is occupied"),
        ("W../B../...", "pass", "passing is forbidden while there is a turn, such as c3"),
        ("W../B../...", "swap", "there is no swap without the pie rule"),
        ("BW./B../B..", "c1", "the game is over, black has connected"),
    ],
)
def test_illegal_turns(text, turn, reason):
    position = Slither.from_text(text, to_move="black")
    with pytest.raises(IllegalMove) as caught:
        position.play(turn)
    assert f"illegal move {turn}: {reason}" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert turn not in position.legal_moves


@pytest.mark.parametrize(("text", "turn"), [("..W/.B./...", "b2-a2/a1"), ("...../...../BB.../...../.....", "b3-c3/e1")])
def test_in_the_advanced_game_only_stones_of_mixed_groups_move(text, turn):
    classic = Slither.from_text(text, to_move="black")
    advanced = Slither.from_text(text, to_move="black", variant="advanced")
    assert turn in classic.legal_moves
    with pytest.raises(IllegalMove, match=r"the group of b[23] has no stone of white, so b[23] may not move"):
        advanced.play(turn)


@pytest.mark.parametrize("text", ["", "c", "C3", "33", "c3 ", "b2-c3", "b2c3/d4", "b2-c3/", "Pass", "c٣", "b2-c3/pass"])
def test_what_is_no_turn(text):
    with pytest.raises(IllegalMove, match="is no turn; write c3, b2-c3/d4, pass or swap"):
        Slither.empty(3).play(text)


def test_a_large_board_lists_its_turns():
    position = Slither.empty(13, 26)
    assert position.legal_moves.count == 338
    assert position.play("z13").play("a1").to_text().startswith("." * 25 + "B/")


def test_the_game_keeps_what_the_library_promises():
    check_game(
        Slither.empty(3),
        Slither.empty(2, 3),
        Slither.empty(3, 2, variant="advanced"),
        Slither.empty(2, 3, pie=True),
        Slither.empty(3, pie=True, variant="advanced").play("b2"),
        Slither.from_text(NO_TURN, to_move="white"),
        walks=8,
        reference_nodes=400,
        most_solved=60,
    )


def test_the_start_with_the_pie_rule_keeps_what_the_library_promises():
    check_game(Slither.empty(2, pie=True), Slither.empty(3, pie=True), walks=3, most_solved=10, reference_nodes=5000)
