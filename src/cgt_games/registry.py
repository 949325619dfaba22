"""The games by name: one line for each of ours, and the entry points of others.

A third party registers a game by an entry point in the group ``cgt_games`` whose value is its state type.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points

from cgt_games.position import CGTError, Position

GAMES = {
    "nim": "cgt_games.games.nim:Nim",
    "northcott": "cgt_games.games.northcott:Northcott",
    "otter": "cgt_games.games.otter:Otter",
}
"""Our games: name to ``module:type``."""


class UnknownGame(CGTError, KeyError):
    """No game has this name."""

    def __str__(self) -> str:
        return str(self.args[0])


def game_names() -> list[str]:
    """The names of all games, ours first, then those of installed packages in alphabetical order."""
    others = sorted({point.name for point in entry_points(group="cgt_games")} - set(GAMES))
    return [*GAMES, *others]


def game(name: str) -> type[Position]:
    """The state type of the game with this name. Raises :class:`UnknownGame`; loads the game's module.

    >>> game("nim").__name__
    'Nim'
    """
    if name in GAMES:
        module, _, attribute = GAMES[name].partition(":")
        loaded = getattr(import_module(module), attribute)
    else:
        points = [point for point in entry_points(group="cgt_games") if point.name == name]
        if not points:
            raise UnknownGame(f"no game is called {name!r}; there are {', '.join(game_names())}")
        loaded = points[0].load()
    if not (isinstance(loaded, type) and issubclass(loaded, Position)):
        raise CGTError(f"the entry point {name!r} is no state type: {loaded!r}")
    return loaded
