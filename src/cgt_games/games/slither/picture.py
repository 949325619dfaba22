"""The picture of a Slither board: stones on the points of a grid, each side of the board in its player's colour."""

from __future__ import annotations

from cgt_games.drawing import Disc, Drawing, Lines, Mark, Place, Tone, arrow, coordinates, find_place
from cgt_games.games.slither.board import bits
from cgt_games.games.slither.rules import PASS, SWAP, Slither, SlitherTurn

CELL, SIDE, STONE = 40, 22, 15


def draw(position: Slither, last_move: SlitherTurn | None = None) -> Drawing:
    """The stones, the edges (Black's above and below, White's left and right) and the winning chain.

    The last turn is ringed, with an arrow where a stone was moved.
    """
    rows, columns, names = position.rows, position.columns, position.grid.names
    right, bottom = SIDE + CELL * columns, CELL * rows + 8
    xs = [SIDE + CELL * c + CELL / 2 for c in range(columns)]
    ys = [8 + CELL * r + CELL / 2 for r in range(rows)]
    grid = (*(((xs[0], y), (xs[-1], y)) for y in ys), *(((x, ys[0]), (x, ys[-1])) for x in xs))
    top_and_bottom = tuple(((SIDE + 8, y), (right - 8, y)) for y in (8, bottom))
    left_and_right = tuple(((x, 16), (x, bottom - 8)) for x in (SIDE, right))
    marks: list[Mark] = [
        Lines(grid, Tone.SOFT, 1),
        Lines((*top_and_bottom, *left_and_right), Tone.INK, 8),
        Lines(top_and_bottom, Tone.BLACK, 5),
        Lines(left_and_right, Tone.WHITE, 5),
    ]
    at = [(x, y) for y in ys for x in xs]
    for stones, tone in ((position.black, Tone.BLACK), (position.white, Tone.WHITE)):
        marks += [Disc(*at[i], STONE, tone, Tone.INK) for i in bits(stones)]
    places = {name: Place(x, y, STONE + 1) for name, (x, y) in zip(names, at, strict=True)}
    if chain := position.winning_chain:
        # A light line in a dark one is seen on stones of either colour.
        path = tuple(places[name][:2] for name in chain)
        marks += [Lines((path,), Tone.INK, 7), Lines((path,), Tone.LAST, 4), Disc(*path[0], 5, Tone.LAST)]
        marks.append(Disc(*path[-1], 5, Tone.LAST))
    if last_move is not None and last_move not in (PASS, SWAP):
        x, y, *_ = find_place(places, last_move.place)
        marks.append(Disc(x, y, STONE, outline=Tone.LAST, width=3.5))
        if last_move.source:
            start, end = find_place(places, last_move.source), find_place(places, last_move.target)
            marks.append(arrow(start[:2], end[:2], short=STONE - 4))
    letters = {name[0]: x for name, x in zip(names, xs, strict=False)}
    marks += coordinates(letters, {str(rows - r): y for r, y in enumerate(ys)}, left=7, bottom=bottom + 14)

    def touch(turn: SlitherTurn) -> tuple[str, ...]:
        return tuple(point for point in (turn.source, turn.target, turn.place) if point)

    def spell(touched: tuple[str, ...]) -> str:
        first, *more = touched
        number = position.grid.numbers[first]
        if not more and position.stones(position.to_move) >> number & 1:
            # A stone that no turn moves; a step of it, if there is one, tells why.
            steps = position.grid.kings[number]
            more = [names[min(steps, key=lambda step: not position.empties >> step & 1)]] if steps else []
        return f"{first}-{more[0]}/{more[1] if len(more) > 1 else first}" if more else first

    note = _note(position, last_move)
    return Drawing(right + 10, bottom + 22, tuple(marks), places, touch, note, spell=spell)


def _note(position: Slither, last_move: SlitherTurn | None) -> str:
    words = [] if last_move not in (PASS, SWAP) else [f"after {last_move}"]
    return ", ".join([*words, *(["advanced"] if position.variant == "advanced" else [])])
