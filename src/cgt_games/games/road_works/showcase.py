"""What Road Works shows in the demo: the competition's city from its start, and a position that falls apart."""

from __future__ import annotations

from random import Random

from cgt_games.games.road_works.explain import explain
from cgt_games.games.road_works.rules import RoadWorks
from cgt_games.position import Turn
from cgt_games.showcase import Scene
from cgt_games.solution import Solution


def scenes(generator: Random) -> list[Scene]:
    """The start of level 4, and a random position of it in which two blocks are left that can be played in."""
    return [
        Scene("Road Works: 5x5 blocks, the city of the competition", RoadWorks.level(4), remark=_start),
        Scene("Road Works: what is left in play is a sum", in_blocks(generator), remark=_sum, plays=True),
    ]


def in_blocks(generator: Random) -> RoadWorks:
    """The first position of a random game on level 4 that has two blocks to play in, and a winning move.

    Such a game is found among the first few.
    """
    while True:
        position = RoadWorks.level(4)
        while moves := list(position.safe_moves(Turn.FIRST)):
            position = position.play(generator.choice(moves))
            if sum(block.mask.bit_count() > 2 for block in position.blocks()) >= 2:
                if explain(position).value:
                    return position
                break


def _start(solution: Solution) -> str:
    return (
        "Crossings that no path from A to B uses fall, so closing one can take many. On 6x6 blocks the second player "
        "wins: cgt-games table road-works --only 6x6 --collapse --winner-only searches for some hours."
    )


def _sum(solution: Solution) -> str:
    position = solution.position
    assert isinstance(position, RoadWorks)
    lines = [
        "Above, x was closed by who began and o by the other; what fell is left out.",
        f"Crossings where two blocks meet cannot be closed safely, so {position.to_text()} is a sum:",
    ]
    for block in explain(position).blocks:
        lines.append(f"  from {block.ends[0]} to {block.ends[1]} a block of {len(block.crossings)}: {block.value}")
    return "\n".join([*lines, f"  together {explain(position).sum_text()}"])
