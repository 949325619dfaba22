"""The pictures of the README are those that the library draws."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "docs" / "pictures.py"))
FOLDER = ROOT / "docs" / "pictures"


@pytest.fixture(scope="module")
def drawn():
    return {name: f"{picture}\n" for name, picture in SCRIPT["pictures"]()}


def test_the_committed_pictures_are_up_to_date(drawn):
    committed = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.svg")}
    assert committed == drawn, "call make pictures"


def test_the_readme_shows_each_of_them(drawn):
    shown = re.findall(r"\]\(docs/pictures/([\w-]+)\.svg\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(drawn)
