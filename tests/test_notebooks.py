"""The notebooks run, and give the outputs that are in the repository."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest.importorskip("ipykernel", reason="running notebooks needs ipykernel, nbclient and nbformat")
pytest.importorskip("nbclient", reason="running notebooks needs ipykernel, nbclient and nbformat")

FOLDER = Path(__file__).parents[1] / "notebooks"
SCRIPT = runpy.run_path(str(FOLDER / "execute.py"))
NAMES = [path.stem for path in SCRIPT["paths"]()]
STALE = "call make notebooks, and look at what has changed"

OF_ONE_MACHINE = re.compile(r"0x[0-9a-f]{6}|/home/|/tmp/|[A-Z]:\\|\d (?:seconds|ms|s)\b")
"""Addresses, paths and times."""


def outputs(cell):
    """What a cell shows, as (kind, text) pairs: streams by name, rich output by MIME type."""
    shown = []
    for output in cell.get("outputs", ()):
        if output.output_type == "stream":
            shown.append((output.name, output.text))
        else:
            shown += sorted(output.data.items())
    return shown


def file_of(name):
    return FOLDER / f"{name}.ipynb"


def test_there_are_notebooks():
    assert len(NAMES) >= 5


@pytest.mark.parametrize("name", NAMES)
def test_a_new_run_gives_the_outputs_in_the_repository(name):
    committed, new = SCRIPT["read"](file_of(name)), SCRIPT["executed"](file_of(name))
    for number, (before, after) in enumerate(zip(committed.cells, new.cells, strict=True), 1):
        assert outputs(before) == outputs(after), f"{name}, cell {number} ({before.id}): {STALE}"
    assert committed == new, f"{name}, apart from outputs: {STALE}"


@pytest.mark.parametrize("name", NAMES)
def test_the_file_is_as_make_notebooks_writes_it(name):
    # Ids that stay, no times, no versions: else each run would change the file.
    notebook = json.loads(file_of(name).read_text(encoding="utf-8"))
    assert notebook["metadata"] == SCRIPT["METADATA"]
    assert all(cell["metadata"] == {} for cell in notebook["cells"])
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))


@pytest.mark.parametrize("name", NAMES)
def test_the_outputs_are_for_readers(name):
    shown = [pair for cell in SCRIPT["read"](file_of(name)).cells for pair in outputs(cell)]
    kinds = {kind for kind, _ in shown}
    assert kinds <= {"stdout", "text/plain", "text/html", "image/svg+xml"}, "no stderr, no widgets"
    assert "image/svg+xml" in kinds
    for kind, text in shown:
        assert text.strip()
        told = OF_ONE_MACHINE.search(text)
        assert told is None, f"{kind}: {told}"
        if kind == "image/svg+xml":
            assert ElementTree.fromstring(text).tag.endswith("svg")
            assert " id=" not in text


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_tells_what_it_is_about(name):
    cells = SCRIPT["read"](file_of(name)).cells
    assert cells[0].cell_type == "markdown"
    assert cells[0].source.startswith("# ")
    assert sum("assert " in cell.source for cell in cells if cell.cell_type == "code") >= 3, "claims are checked"
