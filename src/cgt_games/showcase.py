"""What a game shows of itself in ``cgt-games demo``: a few positions worth a look.

A game names a function on its state type, ``showcase = "package.module:function"``; it takes a
:class:`random.Random` and gives its scenes, which the command solves and prints. Nothing has to be registered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cgt_games.position import Position
from cgt_games.solution import Solution


@dataclass(frozen=True, slots=True)
class Scene:
    """A position to be solved before somebody's eyes.

    ``title`` is a headline of a few words. ``winner_only``: the winner alone is asked for, where the list of winning
    moves would be long. ``remark`` is given the answer, and says what is to be said of it; ``plays``: a perfect player
    then plays the winning side against a random one, to the end.

    >>> from cgt_games import Nim
    >>> Scene("Two heaps", Nim(2, 2)).plays
    False
    """

    title: str
    position: Position
    winner_only: bool = False
    remark: Callable[[Solution], str] | None = None
    plays: bool = False
