"""The picture of an Otter board: the numbers, a best path of each player, and the numbers still to be used."""

from __future__ import annotations

from itertools import accumulate

from cgt_games.drawing import Box, Drawing, Lines, Mark, Place, Text, Tone, coordinates, find_place
from cgt_games.games.otter.rules import AB, Otter, Placement, cell_names

CELL, SIDE = 48, 20
CHIP = 28
TONES = {AB.A: Tone.LEFT, AB.B: Tone.RIGHT}


def draw(position: Otter, last_move: Placement | None = None) -> Drawing:
    """The board with A's paths from the top left and B's from the bottom left.

    Once there is a number a best path of each player is drawn, dashed while it may still change; the note gives the
    scores, or the least that each can still come to. Unused numbers lie below the board: a move takes one of them to
    a cell.
    """
    rows, columns = position.rows, position.columns
    names = cell_names(rows, columns)
    left, top = float(SIDE), SIDE - 6.0
    middles = {
        name: (left + CELL * (i % columns) + CELL / 2, top + CELL * (i // columns) + CELL / 2)
        for i, name in enumerate(names)
    }
    right, bottom = left + CELL * columns, top + CELL * rows
    walls = [((x, top), (x, bottom)) for x in (left + CELL * c for c in range(1, columns))]
    walls += [((left, y), (right, y)) for y in (top + CELL * r for r in range(1, rows))]
    marks: list[Mark] = [
        Box(left, top, right - left, bottom - top, Tone.BOARD, rounding=5),
        Lines(tuple(walls), Tone.PAPER, 3),
    ]
    note = ""
    if any(position.cells):
        scores = []
        for player, shift in ((AB.A, 5), (AB.B, -5)):  # side by side where they run together
            value, path = light_path(position, player)
            scores.append(f"{player} {value}")
            through = tuple((middles[names[i]][0] + shift, middles[names[i]][1] - shift) for i in path)
            marks.append(Lines((through,), TONES[player], 7, dashed=not position.is_terminal, opacity=0.4))
        note = ("" if position.is_terminal else "at least ") + ", ".join(scores)
    numbered = zip(middles.values(), position.cells, strict=True)
    marks += (Text(x, y, str(number), size=18, bold=True) for (x, y), number in numbered if number)
    letters = {name.rstrip("0123456789"): middles[name][0] for name in names[:columns]}
    numbers = {str(rows - row): middles[names[row * columns]][1] for row in range(rows)}
    marks += coordinates(letters, numbers, left=SIDE / 2 - 2, bottom=bottom + 9)
    for x in (left - 9, right + 9):
        for y, player in ((top - 5, AB.A if x < left else AB.B), (bottom + 9, AB.B if x < left else AB.A)):
            marks.append(Text(x, y, str(player), TONES[player], 15, bold=True))
    places = {name: Place(x, y, CELL / 2 - 3, square=True) for name, (x, y) in middles.items()}
    if last_move is not None:
        x, y, reach, _ = find_place(places, last_move.cell)
        marks.append(Box(x - reach, y - reach, 2 * reach, 2 * reach, outline=Tone.LAST, width=3, rounding=4))
    tray = max(1, CELL * columns // CHIP)
    for i, number in enumerate(position.unused):
        x, y = left + CHIP * (i % tray) + CHIP / 2, bottom + 18 + CHIP * (i // tray) + CHIP / 2
        marks.append(Box(x - 12, y - 12, 24, 24, outline=Tone.FAINT, rounding=12))
        marks.append(Text(x, y, str(number), Tone.SOFT, 13))
        places[str(number)] = Place(x, y, 12)
    chips = -(-position.empties // tray)
    height = bottom + 18 + CHIP * chips

    def touch(move: Placement) -> tuple[str, ...]:
        return str(move.number), move.cell

    def spell(touched: tuple[str, ...]) -> str:
        number = next((name for name in touched if name.isdigit()), position.unused[0] if position.unused else 1)
        return f"{number}@{next((name for name in touched if not name.isdigit()), names[0])}"

    return Drawing(right + SIDE, height, tuple(marks), places, touch, note, any_order=True, spell=spell)


def light_path(position: Otter, player: AB) -> tuple[int, list[int]]:
    """A player's score and one path that has it, as indices of cells from the left: :meth:`Otter.best_paths` for one.

    Of the paths with that value, which can be many on a large board, only one is built.
    """
    columns, cells = position.columns, position.cells
    step = columns if player is AB.A else -columns
    start = 0 if player is AB.A else len(cells) - columns
    # For each cell the least sum on a way to it, by the number of empty cells on the way.
    tables: dict[int, dict[int, int]] = {}
    for first in range(start, start + step * position.rows, step):
        for here in range(first, first + columns):
            least = dict(tables.get(here - step) or ({} if here != start else {0: 0}))
            if here != first:
                for empties, fixed in tables[here - 1].items():
                    if fixed < least.get(empties, fixed + 1):
                        least[empties] = fixed
            number = cells[here]
            tables[here] = {k if number else k + 1: fixed + number for k, fixed in least.items()}
    smallest = list(accumulate(position.unused, initial=0))
    here = start + step * (position.rows - 1) + columns - 1
    value, k = min((fixed + smallest[k], k) for k, fixed in tables[here].items())
    fixed, path = tables[here][k], [here]
    while here != start:
        k, fixed = k - (not cells[here]), fixed - cells[here]
        # A cell of the first column has none at its left; the one before it in reading order is at the other edge.
        at_left = here % columns and tables[here - 1].get(k) == fixed
        here = here - 1 if at_left else here - step
        path.append(here)
    return value, path[::-1]
