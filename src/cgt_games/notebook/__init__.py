"""The notebook board: play any game with the mouse or the keys.

A position's ``play_widget()`` opens it, in JupyterLab, marimo and whatever else shows widgets. It is built on
`anywidget <https://anywidget.dev>`_, which the optional extra ``notebook`` of this package brings: ``pip install
'.[notebook]'`` in a clone of the repository.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cgt_games.position import CGTError, Position
from cgt_games.record import Record

if TYPE_CHECKING:
    from cgt_games.notebook.board import PlayBoard


def play_widget(game: Position | Record, **options: Any) -> PlayBoard:
    """The board of a position or of a record, to play on; the options are those of :class:`PlayBoard`.

    Raises CGTError, which says what to install, where anywidget is missing.
    """
    try:
        from cgt_games.notebook.board import PlayBoard
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "cgt_games":
            raise
        raise CGTError(
            f"the notebook board needs {error.name}, which is not installed: pip install '.[notebook]' in a clone "
            "of cgt_games"
        ) from None
    return PlayBoard(game, **options)
