"""The opening book of the 4 x 4 game: a move for every position with at most three numbers that a player who follows
the book can be asked about, on either side.

For A: the first move, and a reply to each of B's replies to it. For B: a reply to each first move of A, and a reply to
each second move of A after that. Positions alike by symmetry are kept once.

A position of the book is at most three numbers on cells; its key has a byte for each, the cell and the number less 1,
in increasing order. The file ``book.npz`` holds the keys in increasing order, for each a move in the search's coding
(32 times the cell, plus the number) and the proved bounds on the margin. ``book.sha256`` is the checksum of what it
holds.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from cgt_games.command import Parser
from cgt_games.games.otter.rules import Otter, Placement
from cgt_games.games.otter.search import BEST, HIGH, LOW, UNBOUNDED
from cgt_games.games.otter.solver import FULL, SIGN, Engine, Window, code_of, decode, encode
from cgt_games.position import CGTError
from cgt_games.solution import Limits, OutOfBudget, Search
from cgt_games.symmetry import Symmetry, move_orbits

DEEPEST = 3
"""Numbers on the board, at most, in a position of the book."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The book's move in a position, and the bounds on its margin that the move's proof rests on."""

    move: Placement
    low: int
    high: int


def key_of(position: Otter) -> tuple[int, Symmetry]:
    """The key of a position, the least among its symmetric images, and the symmetry that leads there."""
    keys = []
    placed = [(index, number) for index, number in enumerate(position.cells) if number]
    for symmetry in position.symmetries():
        bytes_ = sorted(symmetry.images[index] << 4 | number - 1 for index, number in placed)
        key = len(bytes_)
        for byte in bytes_:
            key = key << 8 | byte
        keys.append((key, symmetry))
    return min(keys, key=lambda pair: pair[0])


def position_of(key: int) -> Otter:
    """The position with this key.

    >>> position_of(key_of(Otter.empty().play("16@d1"))[0]).to_text()
    '16,.,.,./.,.,.,./.,.,.,./.,.,.,.'
    """
    count = next(n for n in range(DEEPEST + 1) if key >> 8 * n == n)
    cells = [0] * 16
    for shift in range(0, 8 * count, 8):
        byte = key >> shift & 255
        cells[byte >> 4] = (byte & 15) + 1
    return Otter(4, tuple(cells))


@dataclass(frozen=True, slots=True)
class Book:
    """Keys in increasing order, and a move and bounds for each."""

    keys: np.ndarray
    moves: np.ndarray
    lows: np.ndarray
    highs: np.ndarray

    columns: ClassVar[dict[str, type]] = {"keys": np.uint32, "moves": np.uint16, "lows": np.int8, "highs": np.int8}

    @staticmethod
    @lru_cache(maxsize=1)
    def load() -> Book:
        """The book that comes with the library. Raises CGTError if its checksum is wrong."""
        folder = files("cgt_games.games.otter")
        with folder.joinpath("book.npz").open("rb") as file, np.load(file) as saved:
            columns: list[np.ndarray] = [saved[name] for name in Book.columns]
        book = Book(*columns)
        if book.checksum() != folder.joinpath("book.sha256").read_text(encoding="ascii").strip():
            raise CGTError("the opening book does not have its checksum; install the library anew")
        return book

    @classmethod
    def of(cls, entries: dict[int, tuple[int, int, int]]) -> Self:
        """The book with these entries: move, low and high by key."""
        keys = sorted(entries)
        rows = [(key, *entries[key]) for key in keys]
        kinds = enumerate(cls.columns.values())
        columns: list[np.ndarray] = [np.array([row[k] for row in rows], dtype=kind) for k, kind in kinds]
        return cls(*columns)

    def checksum(self) -> str:
        """The SHA-256 of the arrays."""
        digest = hashlib.sha256()
        for name, kind in self.columns.items():
            digest.update(np.ascontiguousarray(getattr(self, name), dtype=np.dtype(kind).newbyteorder("<")).tobytes())
        return digest.hexdigest()

    def save(self, folder: Path) -> None:
        """Write ``book.npz`` and ``book.sha256``."""
        np.savez_compressed(folder / "book.npz", allow_pickle=False, **{n: getattr(self, n) for n in self.columns})
        (folder / "book.sha256").write_text(self.checksum() + "\n", encoding="ascii")

    def __len__(self) -> int:
        return len(self.keys)

    def find(self, position: Otter) -> Entry | None:
        """What the book says of a position; None if it does not know it."""
        if position.empties < 16 - DEEPEST or (position.rows, position.columns) != (4, 4):
            return None
        key, symmetry = key_of(position)
        at = int(np.searchsorted(self.keys, key))
        if at == len(self.keys) or self.keys[at] != key:
            return None
        move = position.transform_move(decode(position, int(self.moves[at])), symmetry.inverse)
        return Entry(move, int(self.lows[at]), int(self.highs[at]))

    def __iter__(self) -> Iterator[tuple[Otter, Entry]]:
        for k in range(len(self)):
            position = position_of(int(self.keys[k]))
            yield position, Entry(decode(position, int(self.moves[k])), int(self.lows[k]), int(self.highs[k]))


class Builder:
    """Computes the book, from the report of the whole game; keeps what it has in a file and continues from there."""

    def __init__(self, report: dict[str, Any], progress: Path | None, *, table_bytes: int = 1 << 28):
        self.report, self.progress = report, progress
        self.entries: dict[int, tuple[int, int, int]] = {}
        self.done: list[str] = []
        self.table_bytes = table_bytes
        self.nodes = 0
        if progress is not None and progress.exists():
            saved = json.loads(progress.read_text(encoding="ascii"))
            self.done, self.nodes = saved["done"], saved["nodes"]
            self.entries = {int(key): tuple(entry) for key, entry in saved["entries"].items()}

    def build(self, say: Any = print) -> Book:
        """All of the book."""
        start = Otter.empty()
        opening = start.parse_move(self.report["best_first_moves"][0])
        if "A" not in self.done:
            self._add(start, code_of(start, opening), self.report["margin"], self.report["margin"])
            self._answer_all(start.play(opening), (self.report["margin"] - 1, self.report["margin"]))
            self._finished("A", say)
        for row in self.report["moves"]:
            if row["move"] in self.done:
                continue
            position = start.play(row["move"])
            reply = row["reply"] or str(next(iter(position.legal_moves)))
            low = row["margin_at_least"] if row["margin_at_least"] is not None else -UNBOUNDED
            high = row["margin_at_most"] if row["margin_at_most"] is not None else UNBOUNDED
            self._add(position, code_of(position, position.parse_move(reply)), low, high)
            self._answer_all(position.play(reply), SIGN)
            self._finished(row["move"], say)
        return Book.of(self.entries)

    def _add(self, position: Otter, code: int, low: int, high: int) -> None:
        key, symmetry = key_of(position)
        move = position.transform_move(decode(position, code), symmetry)
        self.entries.setdefault(key, (code_of(position, move), low, high))

    def _answer_all(self, position: Otter, window: Window) -> None:
        """Add a reply to every move in ``position``, one that proves the margin as far as the window asks.

        Where the player who replies has no hold within the window (has lost), a reply that resists: the best found in
        a search of bounded length.
        """
        moves = [orbit[0] for orbit in move_orbits(position)]
        search = Search()
        engine = Engine.of(position, search, self.table_bytes)
        rows = [encode(position, move) for move in moves]
        jobs = engine.ask(rows, [window] * len(rows), window[1]).tolist()
        for move, row, job in zip(moves, rows, jobs, strict=True):
            after = position.play(move)
            if not job[BEST]:
                engine.search = Search(Limits(nodes=1_000_000))
                try:
                    engine.ask([row], [FULL], job[LOW], (job[LOW], job[HIGH]))
                except OutOfBudget:
                    pass
                finally:
                    job = engine.jobs[0].tolist()
                    search.nodes += engine.search.nodes
            if not job[BEST]:
                from cgt_games.games.otter.ranking import ranking

                job[BEST] = code_of(after, ranking(after)[0][0])
            self._add(after, job[BEST], job[LOW], job[HIGH])
        self.nodes += search.nodes

    def _finished(self, part: str, say: Any) -> None:
        self.done.append(part)
        say(f"{part}: {len(self.entries):,} entries, {self.nodes:,} nodes")
        if self.progress is not None:
            scratch = self.progress.with_suffix(".part")
            scratch.write_text(
                json.dumps({"done": self.done, "nodes": self.nodes, "entries": self.entries}), encoding="ascii"
            )
            os.replace(scratch, self.progress)


def main(words: list[str]) -> int:
    """The command ``otter-book``."""
    parser = Parser(
        prog="cgt-games otter-book", description="Compute the opening book of Otter from the report of otter-theorem."
    )
    parser.add_argument("report", type=Path, help="the JSON report")
    parser.add_argument("--out", type=Path, default=Path("."), help="the directory for the book (default: here)")
    parser.add_argument("--progress", type=Path, help="default: book-progress.json in that directory")
    options = parser.parse_args(words)
    try:
        report = json.loads(options.report.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        parser.error(f"no report: {error}")
    started = time.perf_counter()
    progress = options.progress or options.out / "book-progress.json"
    builder = Builder(report, progress)
    book = builder.build(lambda line: print(f"{time.perf_counter() - started:8.0f} s  {line}", file=sys.stderr))
    book.save(options.out)
    print(f"{len(book):,} positions, {builder.nodes:,} nodes, checksum {book.checksum()}")
    return 0
