"""Road Works: close crossings, but do not be the one who cuts A from B."""

from cgt_games.games.road_works.city import City
from cgt_games.games.road_works.rules import LEVELS, RoadWorks

__all__ = ["LEVELS", "City", "RoadWorks"]
