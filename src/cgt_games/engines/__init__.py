"""Solving: one call for every game, and the general engines behind it.

:func:`solve` asks the position. A game that declares a ``fast_engine`` is solved by that; any other, one of a user's
own for instance, by the general engine of its ``theory``. The general engines know positions and no game by name.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from importlib import import_module

from cgt_games.position import DRAW, CannotSum, CGTError, Convention, Move, Outcome, Position, Theory, Turn
from cgt_games.solution import Limits, Progress, Search, Solution

ENGINES = ("general", "reference")


def solve(
    position: Position,
    *,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
    engine: str | None = None,
    winner_only: bool = False,
    executor: Executor | None = None,
) -> Solution:
    """Solve a position exactly.

    ``engine`` is None (the game's own engine if it has one, else the general one), ``"general"`` (the general engine
    of the game's theory, with the canonical forms and components that the game declares) or ``"reference"`` (the plain
    rules: no kernel, no symmetry, no decomposition). ``winner_only`` asks for the winner alone, which can be far
    cheaper. ``progress`` is called at most ten times a second. ``executor`` may be used to share the work at the root;
    the answer does not depend on it.

    With ``limits`` reached, or on Ctrl-C, the answer has ``exact=False`` and holds what was proved by then.

    Raises LoopError if play can return to a position in a game that does not declare so, and ValueError for an unknown
    engine.

    >>> from cgt_games import Nim
    >>> solution = solve(Nim(3, 5, 7))
    >>> solution.winner, solution.value, [str(move) for move in solution.winning_moves]
    (Turn.FIRST, 1, ['1:1', '2:1', '3:1'])
    """
    if engine is not None and engine not in ENGINES:
        raise ValueError(f"no engine is called {engine!r}; there are {', '.join(ENGINES)}, and None for the game's own")
    search = Search(limits or Limits(), progress, winner_only, executor)
    with search.listening():
        if engine is None:
            return run(position, search)
        return general(position, search, plain=engine == "reference")


def run(position: Position, search: Search) -> Solution:
    """Solve by the game's own engine if it has one, else by the general engine of its theory."""
    if position.fast_engine is None:
        return general(position, search)
    module, _, function = position.fast_engine.partition(":")
    own: Callable[[Position, Search], Solution] = getattr(import_module(module), function)
    return own(position, search)


def general(position: Position, search: Search, *, plain: bool = False) -> Solution:
    """Solve by the general engine of the position's theory."""
    match position.theory:
        case Theory.IMPARTIAL:
            from cgt_games.engines.impartial import solve_impartial as run
        case Theory.PARTIZAN:
            from cgt_games.engines.partizan import solve_partizan as run
        case Theory.LOOPY:
            from cgt_games.engines.loopy import solve_loopy as run
        case Theory.SCORING:
            from cgt_games.engines.scoring import solve_scoring as run
    return run(position, search, plain=plain)


def grundy(position: Position, *, engine: str | None = None) -> int:
    """The Grundy value: the size of the Nim heap that the position equals in sums.

    Raises CannotSum for a position that equals no nimber, saying why. Cost: that of :func:`solve`.

    >>> from cgt_games import Nim
    >>> grundy(Nim(3, 5, 7))
    1
    """
    if position.convention is not Convention.NORMAL or not is_nimber(position):
        raise CannotSum(
            f"{position.to_text()!r} has no Grundy value: {why_no_sum(position) or 'it is partizan or loopy'}"
        )
    value = solve(position, engine=engine).value
    if value is None:
        raise CGTError(f"the engine found no Grundy value of {position.to_text()!r}")
    return value


def is_nimber(position: Position) -> bool:
    """Whether the position equals a nimber; an impartial game in which play can go on for ever need not."""
    return position.equals_nimber and not (position.players is Turn and position.theory is Theory.LOOPY)


def why_no_sum(position: Position) -> str | None:
    """None if the position has a place in disjunctive sums; else the reason."""
    name = position.name or type(position).__name__
    if position.theory is Theory.SCORING:
        return f"{name} ends with a score, not by running out of moves"
    if position.convention is Convention.MISERE:
        return f"{name} is played misère here, and sums are of normal play"
    if position.convention is Convention.OTHER:
        return f"{name} has an end of its own, not by running out of moves"
    return None


def outcome(position: Position, *, engine: str | None = None) -> Outcome:
    """The outcome class: who wins when Left begins and when Right begins, whoever is to move in ``position``.

    Raises CGTError where the side to move follows from the board. Cost: that of :func:`solve`, twice for a partizan
    game.

    >>> from cgt_games import Nim
    >>> outcome(Nim(1, 2, 3)), outcome(Nim(1, 1, play="misere"))
    (<Outcome.P: 'P'>, <Outcome.N: 'N'>)
    """
    if position.players is Turn:  # impartial, perhaps loopy
        winner = solve(position, winner_only=True, engine=engine).winner
        return Outcome.D if winner == DRAW else Outcome.N if winner == position.to_move else Outcome.P
    results = []
    for player in position.players:
        winner = solve(position.with_to_move(player), winner_only=True, engine=engine).winner
        left = next(iter(position.players))
        results.append(0 if winner == DRAW else 1 if winner == left else -1)
    return Outcome.from_results(results[0], results[1])


def best_moves(position: Position) -> tuple[Move, ...]:
    """The moves to play; see :attr:`cgt_games.Solution.best_moves`. Empty only if there is no legal move."""
    return solve(position).best_moves or ()
