"""What Slither shows in the demo: a board solved from its start, and a turn that wins because it moves a stone."""

from __future__ import annotations

from random import Random

from cgt_games.games.slither.rules import Slither, SlitherTurn
from cgt_games.showcase import Scene
from cgt_games.solution import Solution


def scenes(generator: Random) -> list[Scene]:
    """The empty 4 x 4 board, and a random position in which only a turn with a moved stone connects at once."""
    return [
        Scene("Slither: Black wins 4 x 4 after every first placement", Slither.empty(4), remark=_larger, plays=True),
        Scene(
            "Slither: no placement connects, a moved stone does",
            won_by_moving(generator),
            winner_only=True,
            remark=_connected,
        ),
    ]


def won_by_moving(generator: Random) -> Slither:
    """The first position of a random game on 5 x 5 in which a turn connects, if a placement alone does not.

    Such a game is found among the first few.
    """
    while True:
        position = Slither.empty(5)
        while not position.is_terminal:
            if turns := connecting(position):
                if all(turn.source for turn in turns):
                    return position
                break
            position = generator.choice(list(position.results(position.to_move)))


def connecting(position: Slither) -> list[SlitherTurn]:
    """The turns by which the player to move connects."""
    mover = position.to_move
    return [turn for turn in position.legal_moves if position.apply(turn, mover).connected is mover]


def _larger(solution: Solution) -> str:
    return (
        "So Black does on 5 x 5, in Advanced Slither there by every first placement but one in a corner. The results "
        "in the documentation say how that was found."
    )


def _connected(solution: Solution) -> str:
    position = solution.position
    assert isinstance(position, Slither)
    turn = connecting(position)[0]
    after = position.play(turn)
    return (
        f"{turn}: the stone on {turn.source} goes to {turn.target}, and a new one to {turn.place}. "
        f"The chain {' '.join(after.winning_chain)} connects:\n\n{after.board()}"
    )
