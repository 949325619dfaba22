"""Long searches that go on after they were killed: a file written anew every few minutes and read at the next start."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from zipfile import BadZipFile

from cgt_games.position import CGTError
from cgt_games.solution import Progress

if TYPE_CHECKING:
    import numpy as np

SAVE_EVERY = 600
"""Seconds between two writings."""


class InvalidTable(CGTError, ValueError):
    """A file that does not hold what the search could go on from."""


class Keeper:
    """Writes what a search knows to a file: as a progress callback every ten minutes, and when :meth:`save` is called.

    ``write`` puts it into an open file. The file is replaced as a whole, so that it is complete at any time. Progress
    is passed on to ``report``. Raises OSError if the file cannot be written.
    """

    def __init__(
        self, file: Path, write: Callable[[BinaryIO], None], report: Callable[[Progress], None] | None = None
    ) -> None:
        self._file, self._write, self._report = file, write, report
        self._new = file.with_name(file.name + ".new")
        self._new.open("wb").close()  # a place that cannot be written is known now, not after hours of search
        self._saved = time.monotonic()

    def __call__(self, progress: Progress) -> None:
        """Report, and save if it is time to."""
        if time.monotonic() - self._saved > SAVE_EVERY:
            self.save()
        if self._report is not None:
            self._report(progress)

    def save(self) -> None:
        """Write the file now."""
        with self._new.open("wb") as out:
            self._write(out)
        os.replace(self._new, self._file)
        self._saved = time.monotonic()


def read_arrays(
    file: BinaryIO | str | PathLike[str], expected: Mapping[str, object], *names: str
) -> tuple[np.ndarray[Any, Any], ...]:
    """The arrays with these names from a file written by ``numpy.savez``.

    Raises InvalidTable for a file that is none, is cut off, or does not hold the ``expected`` values (texts, numbers).
    """
    import numpy as np

    try:
        # Opened here, for numpy leaves a file open that it cannot read.
        with (
            open(file, "rb") if isinstance(file, str | PathLike) else nullcontext(file) as data,
            np.load(data) as saved,
        ):
            if all(saved[name] == value for name, value in expected.items()):
                return tuple(saved[name] for name in names)
    except (ValueError, TypeError, EOFError, KeyError, BadZipFile):
        pass
    said = ", ".join(f"{name} {value}" for name, value in expected.items())
    raise InvalidTable(f"the file holds no table of this kind ({said})")
