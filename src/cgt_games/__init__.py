"""Combinatorial games as state types with move generators, solved exactly.

Every name loads when it is first used, so that importing the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    name: module
    for module, names in {
        "position": "DRAW CGTError CannotSum Convention IllegalMove ImpartialPosition InvalidPosition LoopError Outcome "
        "PartizanPosition Player Position Rule ScoringPosition Side Theory Turn",
        "solution": "Limits Progress Search Solution",
        "engines": "best_moves grundy outcome solve",
        "sums": "Sum",
        "record": "Record RecordError",
        "registry": "game game_names",
        "symmetry": "Symmetry",
        "games.nim": "Nim",
        "games.northcott": "Northcott",
        "games.otter": "Otter",
        "games.road_works": "City RoadWorks",
    }.items()
    for name in names.split()
}

__all__ = sorted(_HOME)  # noqa: PLE0605


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})


if TYPE_CHECKING:
    from cgt_games.engines import best_moves, grundy, outcome, solve
    from cgt_games.games.nim import Nim
    from cgt_games.games.northcott import Northcott
    from cgt_games.games.otter import Otter
    from cgt_games.games.road_works import City, RoadWorks
    from cgt_games.position import (
        DRAW,
        CannotSum,
        CGTError,
        Convention,
        IllegalMove,
        ImpartialPosition,
        InvalidPosition,
        LoopError,
        Outcome,
        PartizanPosition,
        Player,
        Position,
        Rule,
        ScoringPosition,
        Side,
        Theory,
        Turn,
    )
    from cgt_games.record import Record, RecordError
    from cgt_games.registry import game, game_names
    from cgt_games.solution import Limits, Progress, Search, Solution
    from cgt_games.sums import Sum
    from cgt_games.symmetry import Symmetry
