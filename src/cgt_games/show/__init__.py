"""Pictures of positions and games, as SVG that is readable on light and dark pages and at any size.

>>> from cgt_games import Nim, show
>>> picture = show.svg(Nim(3, 5, 7), highlight=["3:1"])
>>> picture.title
'nim 3,5,7: first to move'

A notebook shows positions, records and pictures by itself; ``picture.save(path)`` writes a file. The drawing of a game
is declared by the game (see :mod:`cgt_games.drawing`), so nothing here knows a game by name.
"""

from cgt_games.show.pictures import Picture, options, strip, svg
from cgt_games.show.tables import Table, table

__all__ = ["Picture", "Table", "options", "strip", "svg", "table"]
