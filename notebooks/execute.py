"""Runs the notebooks of this folder from the top and writes their outputs into them: ``make notebooks``.

A run does not depend on the machine: each notebook has a fresh kernel with no settings of the user's, and what would
differ from run to run (times, versions of Python) is not written. ``tests/test_notebooks.py`` holds the outputs in the
repository equal to those of a new run.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

FOLDER = Path(__file__).parent
SECONDS = 300
"""A cell that takes longer has gone wrong; kernels may have to be compiled, on a slow machine."""
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def paths() -> list[Path]:
    """The notebooks, in alphabetical order."""
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> nbformat.NotebookNode:
    """A notebook as it is in its file. Raises nbformat's ValidationError for what is none."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return notebook


def executed(path: Path) -> nbformat.NotebookNode:
    """The notebook with the outputs of a new run, in the folder where it lies.

    Raises nbclient's CellExecutionError where a cell fails. Cost: that of the notebook, and a second for the kernel.
    """
    notebook = read(path)
    with tempfile.TemporaryDirectory() as scratch:
        connection = {"connection_file": str(Path(scratch, "kernel.json"))}
        if os.name == "posix":
            connection["transport"] = "ipc"  # files in that folder, where the default is ports of the machine
        client = NotebookClient(
            notebook,
            config=Config(KernelManager=Config(connection)),
            timeout=SECONDS,
            kernel_name="python3",
            resources={"metadata": {"path": str(path.parent)}},
            record_timing=False,
            coalesce_streams=True,
        )
        client.execute(env={**os.environ, "IPYTHONDIR": scratch})
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({})
    return notebook


def main() -> None:
    """Run those named on the command line, or all."""
    for path in map(Path, sys.argv[1:]) if sys.argv[1:] else paths():
        notebook = executed(path)
        nbformat.write(notebook, path)
        print(f"notebooks/{path.name}  {sum(cell.cell_type == 'code' for cell in notebook.cells)} cells")


if __name__ == "__main__":
    main()
