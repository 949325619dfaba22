"""The result of the whole game, from nothing: every first move is solved, and a report says what came out.

Moves that are alike by the board's symmetries are solved once (on 4 x 4, 96 of 256). For each the sign of the margin
is settled first; then, for those that are the best for A, the margin itself, so that the margin of the game is proved
and all moves that attain it are known. After each move, and every minute within one, all that is proved and the
search's stack go into a checkpoint file, from which an interrupted proof continues. The table is not saved: it fills
again, which costs some nodes, never an answer.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from cgt_games.command import Parser
from cgt_games.games.otter.rules import Otter, Placement
from cgt_games.games.otter.search import BEST, CELLS, HIGH, LEVEL, LOW, NODES, UNBOUNDED
from cgt_games.games.otter.solver import FEW, SIGN, Engine, Window, decode, encode
from cgt_games.position import CGTError
from cgt_games.solution import Limits, Progress, Search
from cgt_games.symmetry import move_orbits

SAVE_EVERY = 60.0
"""Seconds between two checkpoints within one move."""


@dataclass(slots=True)
class Entry:
    """A first move (for all of its orbit): bounds on the margin after it, and what they cost."""

    orbit: tuple[Placement, ...]
    low: int = -UNBOUNDED
    high: int = UNBOUNDED
    reply: int = 0
    nodes: int = 0
    seconds: float = 0.0

    @property
    def result(self) -> str | None:
        """Who wins after the move; None if that is not known."""
        return "A" if self.low > 0 else "B" if self.high < 0 else "draw" if self.low == self.high == 0 else None


@dataclass(slots=True)
class Theorem:
    """The proof under way for the board of ``start``."""

    start: Otter
    search: Search
    checkpoint: Path | None = None
    table_bytes: int = 1 << 28
    entries: list[Entry] = field(init=False)
    continued: int = 0
    """How often the proof was interrupted and continued."""
    _engine: Engine = field(init=False)
    _at: int = -1
    """The entry under way."""
    _saved: float = field(default_factory=time.perf_counter)
    _begun: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        self.entries = [Entry(orbit) for orbit in move_orbits(self.start)]
        self._engine = Engine.of(self.start, self.search, self.table_bytes)
        self._engine.on_slice = lambda engine: self._save() if time.perf_counter() - self._saved > SAVE_EVERY else None

    @property
    def nodes(self) -> int:
        """Positions expanded, before and after interruptions."""
        return sum(entry.nodes for entry in self.entries)

    @property
    def margin(self) -> int | None:
        """The margin of the game, if it is proved."""
        low, high = (max(getattr(entry, bound) for entry in self.entries) for bound in ("low", "high"))
        return low if low == high else None

    def prove(self, *, all_margins: bool = False) -> None:
        """Do what is left of the proof. Raises OutOfBudget at a limit or on Ctrl-C, with the checkpoint written."""
        resumed = self._load()
        try:
            for entry in [*self.entries[max(self._at, 0) :], *self.entries]:  # what was under way first
                if entry.result is None:
                    self._settle(entry, SIGN, resumed)
                    resumed = False
            while self.margin is None:
                best = max(entry.high for entry in self.entries)
                entry = next(entry for entry in self.entries if entry.high == best)
                least = max(entry.low for entry in self.entries)
                self._settle(entry, (max(least, entry.low), entry.high), resumed)
                resumed = False
            for entry in self.entries:  # which moves attain it
                if entry.low < self.margin <= entry.high:
                    self._settle(entry, (self.margin - 1, self.margin), resumed)
                    resumed = False
            for entry in self.entries if all_margins else ():
                self._settle(entry, (entry.low, entry.high), resumed)
                resumed = False
        except BaseException:
            self._save()
            raise
        self._at = -1
        self._save()

    def _settle(self, entry: Entry, window: Window, resumed: bool) -> None:
        """Narrow the bounds of one entry until its margin is known within the window."""
        engine, rows = self._engine, np.array([encode(self.start, entry.orbit[0])], dtype=np.uint64)
        self._at = self.entries.index(entry)
        known = sum(e.result is not None for e in self.entries)
        engine.progress_note = f"{entry.orbit[0]}, {known} of {len(self.entries)} moves known, "
        if not resumed:
            self._begun = time.perf_counter()
            guess = min(max(1, window[0] + 1), window[1])
            engine.jobs = np.array([(entry.low, entry.high, *window, guess, 0)], dtype=np.int64)
        try:
            engine.go_on(rows, resumed=resumed)
        finally:
            self._account()
        self._at = -1
        self._save()

    def _account(self) -> None:
        """Take over what the engine has proved of the entry under way, and its costs."""
        entry, job, control = self.entries[self._at], self._engine.jobs[0], self._engine.memory.control
        entry.low, entry.high = int(job[LOW]), int(job[HIGH])
        entry.reply = int(job[BEST]) or entry.reply
        entry.nodes += int(control[NODES])
        control[NODES] = 0
        entry.seconds += time.perf_counter() - self._begun
        self._begun = time.perf_counter()

    # --- the checkpoint ---------------------------------------------------------------------------------------------

    def _save(self) -> None:
        self._saved = time.perf_counter()
        if self.checkpoint is None:
            return
        table = [(e.low, e.high, e.reply, e.nodes, e.seconds) for e in self.entries]
        memory = self._engine.memory
        scratch = self.checkpoint.with_suffix(".part")
        with scratch.open("wb") as file:
            np.savez(
                file, board=np.array([self.start.rows, self.start.columns]), entries=np.array(table), at=self._at,
                continued=self.continued, running=time.perf_counter() - self._begun, jobs=self._engine.jobs,
                control=memory.control, sums=memory.sums, boards=memory.boards, kids=memory.kids,
                killers=memory.killers,
            )  # fmt: skip
        os.replace(scratch, self.checkpoint)

    def _load(self) -> bool:
        """Take up a checkpoint, if there is one; whether a move was under way."""
        if self.checkpoint is None or not self.checkpoint.exists():
            return False
        memory = self._engine.memory
        with np.load(self.checkpoint) as saved:
            if saved["board"].tolist() != [self.start.rows, self.start.columns]:
                raise CGTError(f"{self.checkpoint} is the checkpoint of another board")
            for entry, (low, high, reply, nodes, seconds) in zip(self.entries, saved["entries"], strict=True):
                entry.low, entry.high, entry.reply, entry.nodes = int(low), int(high), int(reply), int(nodes)
                entry.seconds = float(seconds)
            self._at, self.continued = int(saved["at"]), int(saved["continued"]) + 1
            if self._at < 0:
                return False
            self._engine.jobs = saved["jobs"]
            for name in ("control", "sums", "boards", "kids", "killers"):
                getattr(memory, name)[...] = saved[name]
            self._begun = time.perf_counter() - float(saved["running"])
        return bool(memory.control[LEVEL])

    # --- the report -------------------------------------------------------------------------------------------------

    def report(self) -> dict[str, Any]:
        """What is proved, as plain values."""
        margin = self.margin
        assert margin is not None
        counts = dict.fromkeys(("A", "draw", "B"), 0)
        for entry in self.entries:
            counts[str(entry.result)] += len(entry.orbit)
        return {
            "game": self.start.name,
            "board": f"{self.start.rows}x{self.start.columns}",
            "winner": "A" if margin > 0 else "B" if margin < 0 else "draw",
            "margin": margin,
            "first_moves": sum(len(entry.orbit) for entry in self.entries),
            "first_moves_up_to_symmetry": len(self.entries),
            "first_moves_by_result": counts,
            "best_first_moves": [str(move) for e in self.entries if e.low == margin for move in e.orbit],
            "moves": [
                {
                    "move": str(entry.orbit[0]),
                    "alike": [str(move) for move in entry.orbit[1:]],
                    "winner": entry.result,
                    "margin": entry.low if entry.low == entry.high else None,
                    "margin_at_least": entry.low if entry.low > -UNBOUNDED else None,
                    "margin_at_most": entry.high if entry.high < UNBOUNDED else None,
                    "reply": str(decode(self.start, entry.reply)) if entry.reply else None,
                    "nodes": entry.nodes,
                    "seconds": round(entry.seconds, 2),
                }
                for entry in self.entries
            ],
            "nodes": self.nodes,
            "seconds": round(sum(entry.seconds for entry in self.entries), 1),
            "interruptions": self.continued,
            "table_bytes": self._engine.memory.table.nbytes,
            "versions": {
                "cgt-games": version("cgt-games"),
                "python": platform.python_version(),
                "numba": version("numba"),
                "llvmlite": version("llvmlite"),
                "numpy": version("numpy"),
            },
            "machine": f"{platform.machine()}, one core",
        }


def markdown(report: dict[str, Any], command: str) -> str:
    """The report for people."""
    winner = "is a draw" if report["winner"] == "draw" else f"is won by {report['winner']}"
    counts = report["first_moves_by_result"]
    marks = {}
    for row in report["moves"]:
        low, high = row["margin_at_least"], row["margin_at_most"]
        mark = {"A": "A", "B": "B", "draw": "="}[row["winner"]]
        if low == high:
            mark = "=" if low == 0 else f"{mark} {abs(low)}"
        for move in [row["move"], *row["alike"]]:
            number, cell = move.split("@")
            marks[int(number), cell] = mark
    cells = sorted({cell for _, cell in marks})
    lines = [
        f"# Nimbler Otter on {report['board']} from the empty board",
        "",
        f"With best play the game **{winner}**, by a margin (B's score less A's) of exactly **{report['margin']}**.",
        "",
        f"Of the {report['first_moves']} first moves ({report['first_moves_up_to_symmetry']} up to symmetry) "
        f"{counts['A']} win for A, {counts['draw']} draw and {counts['B']} lose.",
        f"Those that attain the margin: {', '.join(report['best_first_moves'])}.",
        "",
        "Who wins after each first move (rows: numbers, columns: cells; the margin where it is known; `=` is a draw):",
        "",
        f"| | {' | '.join(cells)} |",
        f"|--:|{'---|' * len(cells)}",
    ]
    for number in sorted({number for number, _ in marks}):
        lines.append(f"| {number} | {' | '.join(marks[number, cell] for cell in cells)} |")
    versions = ", ".join(f"{name} {number}" for name, number in report["versions"].items())
    lines += [
        "",
        f"Computed from nothing by `{command}`: {report['nodes']:,} nodes in {report['seconds']:,.0f} s on "
        f"{report['machine']}, with a table of {report['table_bytes'] / 2**20:,.1f} MB; interrupted and continued "
        f"{report['interruptions']} times. {versions}.",
        "",
    ]
    return "\n".join(lines)


def main(words: list[str]) -> int:
    """The command ``otter-theorem``."""
    parser = Parser(prog="cgt-games otter-theorem", description="Solve the whole game of Otter and write a report.")
    parser.add_argument("--board", default="4x4", help="rows x columns (default 4x4)")
    parser.add_argument("--out", type=Path, default=Path("."), help="the directory for the report (default: here)")
    parser.add_argument(
        "--checkpoint", type=Path, help="default: otter-ROWSxCOLUMNS.npz in the directory of the report"
    )
    parser.add_argument("--all-margins", action="store_true", help="the exact margin of every first move, too")
    parser.add_argument("--table-mb", type=int, default=256, help="memory for the table (default 256)")
    parser.add_argument("--nodes", type=int, help="stop after so many nodes; the same command continues")
    options = parser.parse_args(words)
    try:
        rows, columns = (int(word) for word in options.board.split("x"))
        start = Otter.empty(rows, columns)
        if not FEW < len(start.cells) <= CELLS:
            raise ValueError(f"the whole game is solved on boards of {FEW + 1} to {CELLS} cells")
    except ValueError as error:
        parser.error(f"--board {options.board!r}: {error}")
    name = f"otter-{rows}x{columns}"
    options.out.mkdir(parents=True, exist_ok=True)
    checkpoint = options.checkpoint or options.out / f"{name}.npz"
    search = Search(Limits(nodes=options.nodes), _printer())
    theorem = Theorem(start, search, checkpoint, options.table_mb << 20)
    with search.listening(), search.guard():
        theorem.prove(all_margins=options.all_margins)
    if search.stopped is not None:
        print(f"stopped ({search.stopped}) after {theorem.nodes:,} nodes; the same command continues from {checkpoint}")
        return 1
    report = theorem.report()
    (options.out / f"{name}.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    text = markdown(report, " ".join(["cgt-games otter-theorem", *_settings(options)]))
    (options.out / f"{name}.md").write_text(text, encoding="utf-8")
    print(text)
    return 0


def _settings(options: argparse.Namespace) -> list[str]:
    words = [] if options.board == "4x4" else ["--board", options.board]
    return [*words, *(["--all-margins"] if options.all_margins else [])]


def _printer() -> Callable[[Progress], None]:
    """Progress on stderr: one line that is overwritten in a terminal, else a line a minute."""
    last = [0.0]

    def show(progress: Progress) -> None:
        terminal = sys.stderr.isatty()
        if terminal or progress.seconds - last[0] > 60:
            last[0] = progress.seconds
            line = f"{progress.seconds:8.0f} s  {progress.nodes:15,} nodes  {progress.note}"
            print(f"\r{line:<100}" if terminal else line, end="" if terminal else "\n", file=sys.stderr, flush=True)

    return show
