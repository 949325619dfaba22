"""A strategy for A that a person can state, and the check that it attains the margin of the game.

**Corners first.** As long as a corner is empty, A plays in a corner:

1. If a corner of B's paths is empty (bottom left, top right), the greatest unused number goes there.
2. Else the smallest unused number goes into an empty corner of A's own paths.

Which of two empty corners of one kind A takes makes no difference.

Every path of B runs through both of B's corners, every path of A through both of A's: no cell counts for more. When all
four corners are filled, A calculates: any move that keeps the margin, found by search, or by counting all that is left.

What is checked: A's moves are all that the rule allows, B's are all there are; where the rule ends, the search proves
that the margin that was promised is still there. So the rule is proved for as long as a corner is empty, and what it
leans on is the search from there on: on 4 x 4 from at most 12 empty cells.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

from cgt_games.command import Parser
from cgt_games.games.otter.rules import Otter, Placement, cell_names
from cgt_games.games.otter.search import CELLS, LOW
from cgt_games.games.otter.solver import FEW, TABLE_BYTES, Engine, encode, solve_otter
from cgt_games.position import CGTError
from cgt_games.solution import Search
from cgt_games.symmetry import move_orbits


def corner_moves(position: Otter) -> list[Placement]:
    """The moves that the rule "corners first" allows A: one, or two that differ in the corner; none if all are filled.

    >>> print(*corner_moves(Otter.empty()), *corner_moves(Otter.from_text("1,.,.,16/.,.,.,./.,.,.,./2,.,.,.")))
    16@d4 16@a1 3@d1
    """
    names = cell_names(position.rows, position.columns)
    top_left, top_right = 0, position.columns - 1
    bottom_right, bottom_left = len(names) - 1, len(names) - position.columns
    for corners, number in (((top_right, bottom_left), -1), ((top_left, bottom_right), 0)):
        empty = [corner for corner in corners if position.cells[corner] == 0]
        if empty:
            return [Placement(position.unused[number], names[corner]) for corner in empty]
    return []


@dataclass(slots=True)
class Check:
    """The check of :func:`corner_moves` on a board, under way.

    ``margin`` is what is to be attained. ``searched`` counts, by the number of empty cells, the positions at which the
    rule ends and the search takes over; ``refutations`` are those from which the margin cannot be attained.
    """

    margin: int
    search: Search
    searched: dict[int, int] = field(default_factory=dict)
    rule_moves: int = 0
    refutations: list[Otter] = field(default_factory=list)
    _engine: Engine = field(init=False)

    def run(self, start: Otter) -> bool:
        """Whether the rule attains the margin against every reply. Raises OutOfBudget."""
        if len(start.cells) > CELLS:
            raise CGTError(f"the strategy is checked on boards of up to {CELLS} cells, not {len(start.cells)}")
        self._engine = Engine.of(start, self.search, TABLE_BYTES)
        level = {start}
        while level:
            level = self._follow(level)
        return not self.refutations

    def _follow(self, level: set[Otter]) -> set[Otter]:
        """From positions with A to move: play the rule's moves, then all of B's; search those where no rule is left.

        Positions that arise in several ways, or alike by symmetry, are followed once.
        """
        following: set[Otter] = set()
        ends: list[Otter] = []
        for position in level:
            moves = corner_moves(position)
            self.rule_moves += bool(moves)
            if not moves:
                ends.append(position)
            for move in moves:
                after = position.apply(move, position.to_move)
                if corner_moves(after):
                    replies = [orbit[0] for orbit in move_orbits(after)]
                    following.update(least_image(after.apply(reply, after.to_move)) for reply in replies)
                else:  # whatever B does, the rule is at its end
                    ends.append(least_image(after))
        self._settle(list(dict.fromkeys(ends)))
        return following

    def _settle(self, ends: list[Otter]) -> None:
        """Search positions for the margin."""
        many = [position for position in ends if position.empties > FEW]
        for start in range(0, len(many), 1000):
            part = many[start : start + 1000]
            window = (self.margin - 1, self.margin)
            jobs = self._engine.ask([encode(position) for position in part], [window] * len(part), self.margin)
            self.refutations += [p for p, job in zip(part, jobs, strict=True) if job[LOW] < self.margin]
        for position in ends:
            self.searched[position.empties] = self.searched.get(position.empties, 0) + 1
            if position.empties <= FEW:
                value = solve_otter(position, Search()).value
                assert value is not None
                if value < self.margin:
                    self.refutations.append(position)


def least_image(position: Otter) -> Otter:
    """Of the images of a position under the board's symmetries, the one with the least cells."""
    images = [tuple(symmetry.permute(position.cells)) for symmetry in position.symmetries()]
    return Otter(position.columns, min(images)) if min(images) != position.cells else position


def report_of(check: Check, board: str, seconds: float) -> str:
    """What the check says, for people."""
    holds = "attains" if not check.refutations else "does **not** attain"
    total = sum(check.searched.values())
    by_size = ", ".join(f"{count:,} with {empty}" for empty, count in sorted(check.searched.items(), reverse=True))
    lines = [
        f"# Corners first: a strategy for A on {board}",
        "",
        "As long as a corner is empty, A plays in a corner. If one of B's corners (bottom left, top right) is empty,",
        "the greatest unused number goes there; else the smallest unused number goes into an empty one of A's own",
        "corners (top left, bottom right). Which of two makes no difference. When all are filled, A calculates.",
        "",
        f"Played like this, A {holds} a margin of {check.margin} against every reply.",
        "",
        f"Checked: {check.rule_moves:,} positions at which the rule moves, each with all replies of B, and {total:,}",
        "positions at which the rule ends, from each of which the search proves that margin:",
        f"{by_size} empty cells.",
        "Positions alike by symmetry are counted once. The rule is proved up to there; the rest of the game leans on",
        f"the search. Computed by `cgt-games otter-strategy{'' if board == '4x4' else f' --board {board}'}`:",
        f"{check.search.nodes:,} nodes, {seconds:,.0f} s on one core.",
        "",
    ]
    return "\n".join(lines)


def main(words: list[str]) -> int:
    """The command ``otter-strategy``."""
    parser = Parser(
        prog="cgt-games otter-strategy",
        description="Check that A attains the margin by taking corners first.",
    )
    parser.add_argument("--board", default="4x4", help="rows x columns (default 4x4)")
    parser.add_argument("--margin", type=int, default=2, help="the margin to be attained (default 2)")
    parser.add_argument("--out", type=Path, help="write the report, as Markdown and JSON, to this directory")
    options = parser.parse_args(words)
    try:
        start = Otter.empty(*(int(word) for word in options.board.split("x")))
    except (TypeError, ValueError) as error:
        parser.error(f"--board {options.board!r}: {error}")
    search = Search()
    check = Check(options.margin, search)
    with search.listening(), search.guard():
        check.run(start)
    if search.stopped is not None:
        print(f"stopped ({search.stopped}): nothing is proved", file=sys.stderr)
        return 1
    text = report_of(check, options.board, search.seconds)
    print(text)
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        name = f"otter-strategy-{options.board}"
        (options.out / f"{name}.md").write_text(text, encoding="utf-8")
        fields = {
            "board": options.board,
            "margin": options.margin,
            "attained": not check.refutations,
            "rule_moves": check.rule_moves,
            "searched": {str(empty): count for empty, count in check.searched.items()},
            "refutations": [position.to_text() for position in check.refutations],
            "nodes": search.nodes,
            "seconds": round(search.seconds, 1),
        }
        (options.out / f"{name}.json").write_text(json.dumps(fields, indent=1) + "\n", encoding="utf-8")
    return 0 if not check.refutations else 1
