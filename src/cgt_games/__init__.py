"""Combinatorial games as state types with move generators, solved exactly.

Every name loads when it is first used, so that importing the package costs nothing.
"""

from importlib import import_module

TYPE_CHECKING = False  # as in typing, whose import would be most of the cost of this one

__version__ = "0.1.0"

_HOME = {
    name: module
    for module, names in {
        "position": "DRAW CannotSum CGTError Convention IllegalMove ImpartialPosition InvalidPosition LoopError "
        "Outcome PartizanPosition Player Position Rule ScoringPosition Side Theory Turn",
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
        "games.slither": "Slither",
    }.items()
    for name in names.split()
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})


if TYPE_CHECKING:
    from cgt_games.engines import best_moves as best_moves
    from cgt_games.engines import grundy as grundy
    from cgt_games.engines import outcome as outcome
    from cgt_games.engines import solve as solve
    from cgt_games.games.nim import Nim as Nim
    from cgt_games.games.northcott import Northcott as Northcott
    from cgt_games.games.otter import Otter as Otter
    from cgt_games.games.road_works import City as City
    from cgt_games.games.road_works import RoadWorks as RoadWorks
    from cgt_games.games.slither import Slither as Slither
    from cgt_games.position import DRAW as DRAW
    from cgt_games.position import CannotSum as CannotSum
    from cgt_games.position import CGTError as CGTError
    from cgt_games.position import Convention as Convention
    from cgt_games.position import IllegalMove as IllegalMove
    from cgt_games.position import ImpartialPosition as ImpartialPosition
    from cgt_games.position import InvalidPosition as InvalidPosition
    from cgt_games.position import LoopError as LoopError
    from cgt_games.position import Outcome as Outcome
    from cgt_games.position import PartizanPosition as PartizanPosition
    from cgt_games.position import Player as Player
    from cgt_games.position import Position as Position
    from cgt_games.position import Rule as Rule
    from cgt_games.position import ScoringPosition as ScoringPosition
    from cgt_games.position import Side as Side
    from cgt_games.position import Theory as Theory
    from cgt_games.position import Turn as Turn
    from cgt_games.record import Record as Record
    from cgt_games.record import RecordError as RecordError
    from cgt_games.registry import game as game
    from cgt_games.registry import game_names as game_names
    from cgt_games.solution import Limits as Limits
    from cgt_games.solution import Progress as Progress
    from cgt_games.solution import Search as Search
    from cgt_games.solution import Solution as Solution
    from cgt_games.sums import Sum as Sum
    from cgt_games.symmetry import Symmetry as Symmetry
