"""Tables: every value in its place, escaped, aligned, and as data."""

from __future__ import annotations

import re
import sys
import types
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgt_games import CGTError, Nim, Northcott, show, solve


@dataclass
class City:
    size: str
    grundy: int | None


class Count(NamedTuple):
    size: str
    boards: int


def html(table):
    return ET.fromstring(table._repr_html_())


def texts(root, tag):
    return ["".join(element.itertext()) for element in root.iter(tag)]


def test_rows_of_every_kind_meet_in_their_columns():
    table = show.table([City("2x2", 0), Count("3x3", 7), {"size": "4x4", "grundy": None, "more": True}])
    assert table.columns == ("size", "grundy", "boards", "more")
    assert table.rows == (("2x2", 0, None, None), ("3x3", None, 7, None), ("4x4", None, None, True))
    assert str(table).splitlines() == [
        "size  grundy  boards  more",
        "2x2        0",
        "3x3                7",
        "4x4                   yes",
    ]


def test_columns_are_picked_and_ordered():
    table = show.table([{"a": 1, "b": 2}], ["b", "a"], title="two")
    assert (table.columns, table.rows, str(table).splitlines()[0]) == (("b", "a"), ((2, 1),), "two")
    assert show.table([], ["a"]).rows == ()
    assert str(show.table([])) == ""
    with pytest.raises(CGTError, match="no column 'c'; there are a, b"):
        show.table([{"a": 1, "b": 2}], ["c"])
    with pytest.raises(CGTError, match="7 makes no row"):
        show.table([7])


def test_solutions_make_rows_with_their_positions_drawn():
    positions = [Nim(3, 5), Northcott.from_text("L..R/LR")]
    table = show.table(map(solve, positions), ["position", "winner", "value", "winning_moves"])
    root = html(table)
    assert texts(root, "th") == ["position", "winner", "value", "winning_moves"]
    cells = [list(row.iter("td")) for row in root.find("tbody")]
    for row, position in zip(cells, positions, strict=True):
        drawing = row[0].find("{http://www.w3.org/2000/svg}svg")
        assert position.to_text() in drawing.get("aria-label")
        assert row[1].text == str(solve(position).winner)
        assert row[3].text.split() == [str(move) for move in solve(position).winning_moves]
    assert cells[0][2].text == f"grundy {3 ^ 5}"
    assert "L..R/LR" in str(table)


@given(st.text(), st.text())
def test_no_text_breaks_the_page(name, value):
    root = html(show.table([{name: value}], title=value))
    surrogates_and_more = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
    legal = surrogates_and_more.sub("\ufffd", value)
    assert texts(root, "td") == [legal.replace("\r\n", "\n").replace("\r", "\n")]


def test_pandas_is_needed_only_when_called(monkeypatch):
    table = show.table([{"position": Nim(1, 2), "grundy": 3}])
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        table.to_pandas()
    pandas = types.ModuleType("pandas")
    pandas.DataFrame = lambda rows, columns: (rows, columns)
    monkeypatch.setitem(sys.modules, "pandas", pandas)
    assert table.to_pandas() == ([["1,2", 3]], ["position", "grundy"])
