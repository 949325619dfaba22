"""What a benchmark module offers: a function ``rows`` that measures and yields a :class:`Row` for each number."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One measured number.

    ``target`` is a bound in the same unit: one that ``value`` should not exceed, or, for a rate (a unit that ends in
    ``/s``), should reach. ``ratio`` says how many times better the value is than what ``against`` names.
    """

    name: str
    value: float
    unit: str
    target: float | None = None
    ratio: float | None = None
    against: str = ""

    @property
    def is_met(self) -> bool | None:
        """Whether the target is reached; None without one."""
        if self.target is None:
            return None
        return self.value >= self.target if self.unit.endswith("/s") else self.value <= self.target


def seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """The median CPU time of a call, in seconds: what else the machine does at the time does not count."""
    times = []
    for _ in range(repeats):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return statistics.median(times)
