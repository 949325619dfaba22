"""Run the benchmarks: ``python benchmarks/run.py [MODULE ...] [--page FILE]``, ``make bench`` or ``cgt-games bench``.

Each other module of this folder with a function ``rows`` is one; without words all run. Prints one table and writes
the numbers, with the versions and the machine they were measured on, to ``benchmarks/results/``. With ``--page`` they
are also written as a page of the documentation.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rows import Row

HERE = Path(__file__).resolve().parent
NOT_BENCHMARKS = {"run", "rows"}


def main(words: list[str]) -> int:
    """Measure and print; the status is 2 for a module that does not exist, else 0: machines differ."""
    names = sorted(path.stem for path in HERE.glob("*.py") if path.stem not in NOT_BENCHMARKS)
    parser = argparse.ArgumentParser(prog="benchmarks", description="Measure, against the targets.")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=f"of {', '.join(names)}; default: all")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write the figures as a page of the documentation")
    wanted = parser.parse_args(words)
    if unknown := [word for word in wanted.modules if word not in names]:
        print(f"benchmarks: there is no {unknown[0]!r}; there are {', '.join(names)}", file=sys.stderr)
        return 2
    measured: dict[str, list[Row]] = {}
    print(f"{'':<58} {'value':>12} {'unit':<12} {'target':>10}    ratio")
    for name in wanted.modules or names:
        measured[name] = []
        print(f"\n{name}")
        for row in rows_of(name):
            measured[name].append(row)
            print(line(row), flush=True)
    report = described(measured)
    path = write(report)
    if wanted.page is not None:
        wanted.page.write_text(page(report, measured), encoding="utf-8")
    missed = [row for rows in measured.values() for row in rows if row.is_met is False]
    print(f"\ntargets missed: {len(missed)}; written to {os.path.relpath(path)}")
    return 0


def rows_of(name: str) -> Iterator[Row]:
    """The rows of one module."""
    yield from importlib.import_module(name).rows()


def line(row: Row) -> str:
    """A row of the table."""
    target = "" if row.target is None else figures(row.target)
    mark = {True: "ok", False: "!!", None: ""}[row.is_met]
    ratio = "" if row.ratio is None else f"{figures(row.ratio)} x {row.against}"
    return f"  {row.name:<56} {figures(row.value):>12} {row.unit:<12} {target:>10} {mark:<2} {ratio}".rstrip()


def figures(number: float) -> str:
    """A number with three significant digits, in full if it is large."""
    return f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.3g}"


def described(measured: dict[str, list[Row]]) -> dict[str, Any]:
    """The numbers as plain values, with when and on what they were measured."""
    packages = ("cgt-games", "numba", "numpy", "networkx", "sympy")
    return {
        "measured": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "versions": {package: version(package) for package in packages},
        "rows": {name: [asdict(row) for row in rows] for name, rows in measured.items()},
    }


def write(report: dict[str, Any]) -> Path:
    """Keep the numbers as JSON, under the time they were measured at."""
    folder = HERE / "results"
    folder.mkdir(exist_ok=True)
    path = folder / f"{report['measured']}.json".replace(":", "")
    path.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return path


PAGE = """\
# Figures of the benchmarks

`python benchmarks/run.py{modules} --page docs/results/benchmarks.md` wrote this page on {day}, on one core of a
{machine} machine with {cores} cores, with Python {python} and {versions}. Times are CPU times, kernels compiled.
*Target* is what was asked for: times should not exceed it, rates should reach it.
"""


def page(report: dict[str, Any], measured: dict[str, list[Row]]) -> str:
    """The numbers as a page of the documentation, a table for each module."""
    all_modules = {path.stem for path in HERE.glob("*.py")} - NOT_BENCHMARKS
    text = PAGE.format(
        modules="" if set(measured) == all_modules else " " + " ".join(measured),
        day=report["measured"][:10],
        machine=report["machine"],
        cores=report["cores"],
        python=report["python"],
        versions=", ".join(f"{name} {number}" for name, number in report["versions"].items()),
    )
    for name, rows in measured.items():
        text += (
            f"\n## {name.replace('_', ' ')}\n\n| | value | unit | target | met | ratio |\n|---|--:|---|--:|---|---|\n"
        )
        for row in rows:
            target = "" if row.target is None else figures(row.target)
            met = {True: "yes", False: "no", None: ""}[row.is_met]
            ratio = "" if row.ratio is None else f"{figures(row.ratio)} times as fast as {row.against}"
            text += f"| {row.name} | {figures(row.value)} | {row.unit} | {target} | {met} | {ratio} |\n"
    return text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
