"""What the command line says on stderr while it works: a bar on long searches, and a word when kernels
compile."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from cgt_games.position import Position
from cgt_games.registry import load
from cgt_games.solution import Progress

LONG = 1.0
"""Seconds after which work counts as long."""


class Bar:
    """A progress callback that draws one line, from :data:`LONG` seconds on."""

    def __init__(self) -> None:
        self.drawn: Any = None

    def __call__(self, progress: Progress) -> None:
        """Draw what is known now."""
        if progress.seconds < LONG:
            return
        if self.drawn is None:
            from tqdm import tqdm

            self.drawn = tqdm(total=1.0, leave=False, file=sys.stderr, bar_format="{desc}")
        known = progress.fraction is not None
        self.drawn.bar_format = "{percentage:3.0f}%|{bar:24}| {desc}" if known else "{desc}"
        self.drawn.n = progress.fraction if known else 0
        note = f", {progress.note}" if progress.note else ""
        self.drawn.set_description_str(f"{progress.nodes:,} nodes, {progress.seconds:.0f} s{note}")

    def close(self) -> None:
        """Take the line away."""
        if self.drawn is not None:
            self.drawn.close()


@contextmanager
def progress_bar() -> Iterator[Bar | None]:
    """A progress callback for as long as the block lasts; None where stderr is no terminal."""
    bar = Bar() if sys.stderr is not None and sys.stderr.isatty() else None
    try:
        yield bar
    finally:
        if bar is not None:
            bar.close()


_announcer: Any = None


def announce_compiling(state_type: type[Position]) -> None:
    """From now on say once if a kernel of the game's engine is compiled, rather than taken from numba's cache.

    Loads the engine's module. Numba itself reports its compilations, so nothing is said where nothing is compiled.
    """
    global _announcer
    if not isinstance(state_type.fast_engine, str):
        return
    load(state_type.fast_engine)
    if "numba" not in sys.modules:
        return
    if _announcer is None:
        from numba.core import event

        class Announce(event.Listener):
            game: type[Position] | None = None
            said = False

            def on_start(self, event: object) -> None:
                """Say it, the first time for each game."""
                if not self.said and sys.stderr is not None:
                    self.said = True
                    print("compiling kernels, once per installation ...", file=sys.stderr, flush=True)

            def on_end(self, event: object) -> None:
                """Nothing; numba wants to call it."""

        register: Any = event.register
        _announcer = Announce()
        register("numba:compile", _announcer)
    if _announcer.game is not state_type:
        _announcer.game, _announcer.said = state_type, False
