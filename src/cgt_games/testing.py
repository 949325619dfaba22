"""A conformance suite that any game can be put through, with a few example positions.

It needs hypothesis (``pip install '.[testing]'`` in a clone of the repository), which walks from the examples into the
game at random and shrinks what it finds to a short line of play.
"""

from __future__ import annotations

import copy
import dataclasses
import importlib
import pickle
from itertools import islice
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cgt_games.engines import general, solve
from cgt_games.position import DRAW, IllegalMove, Move, Outcome, Position, Turn
from cgt_games.record import Record
from cgt_games.solution import Limits, Search, Solution

MOST_MOVES = 60
"""Moves of one position that are looked at one by one; of larger lists the first ones."""


def check_game(
    *examples: Position,
    walks: int = 100,
    longest: int = 40,
    reference_nodes: int = 3000,
    most_solved: int = 150,
) -> None:
    """Hold a game to what the library promises of all; raises AssertionError that names the fault and the position.

    From each of the ``examples`` it plays ``walks`` random lines of at most ``longest`` plies and looks at every
    position on the way: it is immutable and hashable, equal to its copies and to what its text, its ``repr`` and its
    pickle give back; its moves come in one order, each can be played and parsed from its text, and every other is
    refused without change; it is over iff it has no move. On the first ``most_solved`` positions that the plain engine
    is tried on, and solves within ``reference_nodes``, the game's own engine and the general one must say the same;
    winning moves must win and symmetric positions must have equal values. Lines replay as records.

    An example is enough if it leads to all kinds of positions of the game; give one of each rule and shape.

    Cost: a second or so for a small game.
    """
    if not examples:
        raise ValueError("check_game needs at least one example position")
    seen: dict[Position, None] = {}

    @settings(
        max_examples=walks * len(examples),
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def walk(data: st.DataObject) -> None:
        position = start = data.draw(st.sampled_from(examples))
        line: list[Move] = []
        for _ in range(longest):
            if position not in seen:
                check_position(position, start)
                if len(seen) < most_solved:
                    check_solutions(position, reference_nodes)
                seen[position] = None
            moves = list(islice(position.legal_moves, 2000))
            if not moves:
                break
            line.append(moves[data.draw(st.integers(0, len(moves) - 1))])
            position = position.play(line[-1])
        check_record(start, line)

    walk()
    for position in examples:
        check_end(position)


def check_end(position: Position, most: int = 10_000) -> None:
    """A random line played to its end, which must be one; a game that can go on for ever, or longer, is let off."""
    chance = Random(0)
    for _ in range(most):
        if position.is_terminal:
            check_moves(position, position)
            break
        position = position.play(chance.choice(list(islice(position.legal_moves, MOST_MOVES))))


def check_position(position: Position, other: Position) -> None:
    """All that can be asked of one position without solving it; ``other`` lends moves that may be illegal here."""
    described = repr(position)
    check_value(position)
    check_moves(position, other)
    check_symmetries(position)
    assert repr(position) == described, f"looking at {described} changed it to {position!r}"


def check_value(position: Position) -> None:
    """Immutable, hashable, and equal to what copies, pickle, repr and text give back."""
    fields: tuple[dataclasses.Field[Any], ...] = (
        dataclasses.fields(position) if dataclasses.is_dataclass(position) else ()
    )
    for field in fields:
        try:
            setattr(position, field.name, getattr(position, field.name))
        except AttributeError:
            continue
        raise AssertionError(f"{position!r} lets its field {field.name!r} be set: it is not immutable")
    twins = {
        "copy": copy.copy(position),
        "deepcopy": copy.deepcopy(position),
        "pickle": pickle.loads(pickle.dumps(position)),
        "repr": eval(repr(position), _names(position)),
    }
    if _reads_text(position):
        text, rules = position.to_text(), position.rules()
        twins["to_text"] = type(position).from_text(text, to_move=position.to_move, **rules)
    for how, twin in twins.items():
        assert twin == position, f"{how} turns {position!r} into {twin!r}, which is not equal to it"
        assert hash(twin) == hash(position), f"{how} gives an equal position of another hash: {position!r}"
        assert twin.to_move == position.to_move, f"{how} forgets the side to move of {position!r}"
    assert "\n" not in position.to_text(), f"the text of {position!r} has more than one line"
    assert str(position.to_move) in str(position) or position.is_terminal, (
        f"str() of {position!r} hides the side to move"
    )


def _reads_text(position: Position) -> bool:
    """Whether the game can be read back from its text; one of a few lines need not be."""
    return getattr(type(position).from_text, "__func__", None) is not vars(Position)["from_text"].__func__


def _names(position: Position) -> dict[str, Any]:
    """What a repr may use: the names of the library and of the modules where the position's parts are defined."""
    package = importlib.import_module("cgt_games")
    names = {name: getattr(package, name) for name in package.__all__}
    for part in (position, *getattr(position, "parts", ())):
        for ancestor in reversed(type(part).__mro__):
            names |= vars(importlib.import_module(ancestor.__module__))
        names[type(part).__name__] = type(part)
    return names


def check_moves(position: Position, other: Position) -> None:
    """The list of moves, and that exactly these can be played."""
    moves = list(islice(position.legal_moves, MOST_MOVES + 1))
    whole = len(moves) <= MOST_MOVES
    assert moves == list(islice(position.legal_moves, MOST_MOVES + 1)), f"the order of moves changes: {position!r}"
    assert len(set(moves)) == len(moves), f"a move is listed twice in {position!r}"
    assert not whole or position.legal_moves.count == len(moves), f"the count of moves is wrong in {position!r}"
    assert bool(position.legal_moves) == bool(moves)
    assert position.is_terminal == (not moves), f"over, or without moves, but not both: {position!r}"
    assert (position.winner is None) == bool(moves), f"{position!r} is over iff it has a winner or is drawn"
    if not moves:
        assert position.winner == DRAW or position.winner in list(position.players)
    for move in moves:
        text = str(move)
        assert position.parse_move(text) == move, f"the move {text} does not parse from its text in {position!r}"
        assert move in position.legal_moves, f"the listed move {text} is not in legal_moves of {position!r}"
        assert text in position.legal_moves, f"the text {text!r} is not in legal_moves of {position!r}"
        after = position.play(move)
        assert after == position.play(text) == position.apply(move, position.to_move)
        assert type(after) is type(position), f"a move turns {position!r} into a {type(after).__name__}"
        if position.players is not Turn:
            mover, next_mover = (p.player_of(p.to_move) or p.to_move for p in (position, after))
            assert next_mover != mover, f"after {text} in {position!r} the same player is to move"
    foreign = [move for player in other.players for move in islice(other.moves(player), MOST_MOVES)]
    own = set(moves) if whole else set(position.legal_moves)
    own |= {str(move) for move in own}
    for move in [*foreign, None, object(), "", "no move", -1, (0, 0)]:
        if move not in own:
            check_refused(position, move)


def check_refused(position: Position, move: Move) -> None:
    """That something is no move here, by every way to ask."""
    assert move not in position.legal_moves, f"{move!r} is in legal_moves of {position!r}, but is not listed"
    before = hash(position), repr(position)
    try:
        after = position.play(move)
    except IllegalMove as error:
        message = str(error)
    else:
        raise AssertionError(f"the illegal move {move!r} in {position!r} is not refused; it gives {after!r}")
    assert message, f"the illegal move {move!r} in {position!r} is refused without a reason"
    assert "\n" not in message, f"the reason for refusing {move!r} has more than one line: {message!r}"
    assert (hash(position), repr(position)) == before, f"the illegal move {move!r} changed {position!r}"


def check_symmetries(position: Position) -> None:
    """Each symmetry maps moves to moves and commutes with playing them."""
    for symmetry in position.symmetries()[:8]:
        image = position.transform(symmetry)
        assert image.transform(symmetry.inverse) == position, f"{symmetry.name} is not undone on {position!r}"
        moves = list(islice(position.legal_moves, MOST_MOVES))
        for move in moves:
            there = position.transform_move(move, symmetry)
            assert there in image.legal_moves, f"{symmetry.name} maps {move} in {position!r} to the illegal {there}"
            same = position.play(move).transform(symmetry) == image.play(there)
            assert same, f"{symmetry.name} does not commute with {move} in {position!r}"
        assert position.legal_moves.count == image.legal_moves.count, (
            f"{symmetry.name} changes the moves of {position!r}"
        )


def check_solutions(position: Position, nodes: int) -> None:
    """All engines agree, as far as the plain one gets with ``nodes``; winning moves win; symmetry keeps the value."""
    reference = solve(position, engine="reference", limits=Limits(nodes=nodes))
    if not reference.exact:
        return
    for name in (None, "general"):
        solution = solve(position, engine=name)
        for part in ("winner", "value", "winning_moves"):
            says, plain = getattr(solution, part), getattr(reference, part)
            if part == "winning_moves":
                says, plain = set(says), set(plain)
            if part == "value" and plain is None:
                continue
            assert says == plain, f"{solution.engine} says {part} {says} of {position!r}, {reference.engine} {plain}"
        if solution.value_kind == "margin":
            assert set(solution.best_moves or ()) == set(reference.best_moves or ()), f"best moves of {position!r}"
        check_answer(position, solution)
        only = solve(position, engine=name, winner_only=True)
        assert only.winner == reference.winner, (
            f"winner_only says {only.winner} of {position!r}, not {reference.winner}"
        )
    check_answer(position, reference)
    for move in (reference.winning_moves or ())[:MOST_MOVES]:
        after = position.play(move)
        assert not _mover_wins(after), f"{move} is called winning in {position!r}, but the opponent wins after it"
    for symmetry in position.symmetries()[:8]:
        image = solve(position.transform(symmetry), engine="general")
        wins = image.winner == image.position.to_move
        assert wins == (reference.winner == position.to_move), f"{symmetry.name} changes who wins {position!r}"
        if reference.value is not None:
            sign = -1 if symmetry.swaps_goals and reference.value_kind == "margin" else 1
            assert image.value == sign * reference.value, f"{symmetry.name} changes the value of {position!r}"


def check_answer(position: Position, solution: Solution) -> None:
    """What every complete answer must be."""
    winning, best = solution.winning_moves, solution.best_moves
    assert solution.exact, f"an answer without limits is not exact: {position!r}"
    assert winning is not None, f"no list of winning moves for {position!r}"
    assert best is not None, f"no list of best moves for {position!r}"
    assert all(move in position.legal_moves for move in (*winning, *best)), f"a best move is illegal in {position!r}"
    assert bool(best) == bool(position.legal_moves), f"best moves are missing or invented in {position!r}"
    assert len(set(winning)) == len(winning), f"a winning move is listed twice in {position!r}"
    assert not winning or set(best) <= set(winning), f"a best move does not win in {position!r}"
    # While sides may be exchanged, who wins is a player, not yet a side.
    holder = solution.player if position.sides_may_swap else solution.winner
    mover = position.player_of(position.to_move) if position.sides_may_swap else position.to_move
    assert bool(winning) == (holder == mover and not position.is_terminal)
    if solution.outcome in (Outcome.N, Outcome.P):
        assert (solution.outcome is Outcome.N) == (solution.winner == position.to_move), f"outcome of {position!r}"
    line = position
    for move in solution.principal_variation:
        assert move in line.legal_moves, f"the best line of {position!r} has the illegal move {move}"
        line = line.play(move)
    pickle.loads(pickle.dumps(solution))


def _mover_wins(position: Position) -> bool:
    return general(position, Search(winner_only=True)).winner == position.to_move


def check_record(start: Position, moves: list[Move]) -> None:
    """The line is a record that survives saving and loading, if the game has a name and can be read from text."""
    if not (start.name and _reads_text(start)):
        return
    record = Record.start(start)
    for move in moves:
        record = record.play(move)
    again = Record.from_json(record.to_json(), type(start))
    assert again == record, f"a record of {start!r} does not survive saving"
    assert again.position == record.position
    while again.moves:
        again = again.undo()
    assert again.position == start, f"undoing all moves does not lead back to {start!r}"
