"""Tables of results: as text, as HTML in a notebook, and as data for pandas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from importlib import import_module
from typing import Any

from cgt_games.position import CGTError, Position
from cgt_games.show.markup import escaped
from cgt_games.show.pictures import Picture, svg
from cgt_games.solution import Solution


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of values below the names of their columns; made by :func:`table`.

    A notebook shows it with positions drawn as pictures; ``str`` of it is aligned text.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    title: str = ""

    def __str__(self) -> str:
        cells = [self.columns, *([plain(value) for value in row] for row in self.rows)]
        numeric = [self._is_numeric(i) for i in range(len(self.columns))]
        widths = [max(len(row[i]) for row in cells) for i in range(len(self.columns))]
        lines = [
            "  ".join(
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(row, widths, numeric, strict=True)
            ).rstrip()
            for row in cells
        ]
        return "\n".join([self.title, *lines] if self.title else lines)

    def _is_numeric(self, column: int) -> bool:
        values = [row[column] for row in self.rows]
        return all(isinstance(value, int | float | None) and not isinstance(value, bool) for value in values)

    def _repr_html_(self) -> str:
        caption = f"<caption>{escaped(self.title)}</caption>" if self.title else ""
        head = "".join(f'<th scope="col">{escaped(name)}</th>' for name in self.columns)
        aligned = ["right" if self._is_numeric(i) else "left" for i in range(len(self.columns))]
        body = []
        for row in self.rows:
            cells = zip(row, aligned, strict=True)
            body.append("".join(f'<td style="text-align:{side}">{_cell(value)}</td>' for value, side in cells))
        rows = "".join(f"<tr>{cells}</tr>" for cells in body)
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"

    def to_pandas(self) -> Any:
        """The table as a :class:`pandas.DataFrame`, positions as their texts.

        Raises ImportError, which says what to install, where pandas is missing.
        """
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise ImportError("to_pandas() needs pandas, which is not installed: pip install pandas") from None
        rows = [[cell.to_text() if isinstance(cell, Position) else cell for cell in row] for row in self.rows]
        return pandas.DataFrame(rows, columns=list(self.columns))


def table(items: Iterable[object], columns: Sequence[str] | None = None, *, title: str = "") -> Table:
    """A table with a row for each item: a mapping, a dataclass, a named tuple, or a :class:`~cgt_games.Solution`.

    ``columns`` picks and orders; by default there are all names that occur. What an item does not have stays empty.
    Raises CGTError for an item of another kind, and for a column that no item has.

    >>> from cgt_games import Nim, show, solve
    >>> print(show.table([solve(Nim(1, 2, n)) for n in range(4)], ["position", "winner", "value", "winning_moves"]))
    position  winner  value     winning_moves
    1,2,0     first   grundy 3  2:1
    1,2,1     first   grundy 2  2:2
    1,2,2     first   grundy 1  1:1
    1,2,3     second  grundy 0
    """
    read = [_named_values(item) for item in items]
    known = list(dict.fromkeys(name for row in read for name in row))
    names = known if columns is None else list(columns)
    if read and (unknown := [name for name in names if name not in known]):
        raise CGTError(f"there is no column {unknown[0]!r}; there are {', '.join(known)}")
    return Table(tuple(names), tuple(tuple(row.get(name) for name in names) for row in read), title)


def _named_values(item: object) -> dict[str, Any]:
    if isinstance(item, Solution):
        return {"position": item.position, **item.to_dict()}
    if isinstance(item, Mapping):
        return {str(name): value for name, value in item.items()}
    if isinstance(item, tuple) and hasattr(item, "_asdict"):
        return dict(item._asdict())
    if is_dataclass(item) and not isinstance(item, type):
        return {field.name: getattr(item, field.name) for field in fields(item) if not field.name.startswith("_")}
    raise CGTError(f"{item!r} makes no row of a table: a mapping, a dataclass or a named tuple is needed")


def plain(value: object) -> str:
    """A value as the text of a cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Position):
        return value.to_text()
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {plain(part)}" for name, part in value.items())
    if isinstance(value, list | tuple) and not hasattr(value, "_asdict"):
        return " ".join(map(plain, value))
    return str(value)


def _cell(value: object) -> str:
    if isinstance(value, Position):
        value = svg(value, caption="", scale=0.5)
    return str(value) if isinstance(value, Picture) else escaped(plain(value))
