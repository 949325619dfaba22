"""The games by name: one line for each of ours, and the entry points of others.

A third party registers a game by an entry point in the group ``cgt_games`` whose value is its state type.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cgt_games.position import CGTError, InvalidPosition, Position, Theory

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints
    from random import Random

GAMES = {
    "nim": "cgt_games.games.nim:Nim",
    "northcott": "cgt_games.games.northcott:Northcott",
    "sum": "cgt_games.sums:Sum",
    "otter": "cgt_games.games.otter:Otter",
    "road-works": "cgt_games.games.road_works:RoadWorks",
    "slither": "cgt_games.games.slither:Slither",
}
"""Our games: name to ``module:type``."""


class UnknownGame(CGTError, KeyError):
    """No game has this name."""

    def __str__(self) -> str:
        return str(self.args[0])


def _others() -> EntryPoints:
    from importlib.metadata import entry_points  # costs more than all the rest here, and is seldom needed

    return entry_points(group="cgt_games")


def game_names() -> list[str]:
    """The names of all games, ours first, then those of installed packages in alphabetical order."""
    others = sorted({point.name for point in _others()} - set(GAMES))
    return [*GAMES, *others]


def load(reference: str) -> Any:
    """What a text ``"module:name"`` stands for; imports the module.

    >>> load("cgt_games.registry:load") is load
    True
    """
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)


def game(name: str) -> type[Position]:
    """The state type of the game with this name. Raises :class:`UnknownGame`; loads the game's module.

    >>> game("nim").__name__
    'Nim'
    """
    if name in GAMES:
        loaded = load(GAMES[name])
    else:
        points = [point for point in _others() if point.name == name]
        if not points:
            raise UnknownGame(f"no game is called {name!r}; there are {', '.join(game_names())}")
        loaded = points[0].load()
    if not (isinstance(loaded, type) and issubclass(loaded, Position)):
        raise CGTError(f"the entry point {name!r} is no state type: {loaded!r}")
    return loaded


def read_position(state_type: type[Position], text: str, to_move: str | None, rules: Mapping[str, object]) -> Position:
    """The position of a game with this text, side to move (None: the game's default) and choices of rules.

    What a game's ``from_text`` reads, with the names and kinds of the rules checked first, for texts that
    come from outside. Raises :class:`InvalidPosition`, which names the offending part.
    """
    return state_type.from_text(text, to_move=to_move, **_checked(state_type, rules))


def new_game(
    state_type: type[Position], generator: Random, to_move: str | None, rules: Mapping[str, object]
) -> Position:
    """The start of a new game, with side to move and rules as :func:`read_position` takes them.

    Raises :class:`InvalidPosition`, which names the offending part, also for a game without a usual start.
    """
    position = state_type.new_game(generator, **_checked(state_type, rules))
    if to_move is None:
        return position
    if to_move not in list(position.players):
        raise InvalidPosition(f"to_move {to_move!r} is neither of {', '.join(position.players)}")
    if position.theory is Theory.IMPARTIAL and to_move != position.to_move:
        raise InvalidPosition(f"to_move {to_move!r}: in an impartial game the player to move is always 'first'")
    return position.with_to_move(position.players(to_move))


def _checked(state_type: type[Position], rules: Mapping[str, object]) -> dict[str, Any]:
    """The choices of rules, if the game has such rules and choices."""
    known = {rule.name: rule for rule in state_type.rule_options}
    checked: dict[str, Any] = {}
    for name, value in rules.items():
        if name not in known:
            raise InvalidPosition(f"{state_type.name} has no option {name!r}")
        checked[name] = known[name].checked(value)
    return checked
