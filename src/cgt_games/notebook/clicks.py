"""What it means to touch places of a board: which moves begin so, how they go on, and why a touch means none.

Nothing here needs a notebook.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from cgt_games.drawing import Drawing
from cgt_games.position import IllegalMove, Move, Position

MOST_MOVES = 20_000
"""So many moves are looked at to find those that a touch begins; beyond them a move is found by its spelling alone."""
MOST_COMPARED = 64
"""Of so many moves it is asked whether all have one result."""

Places = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Touched:
    """What a touch came to: a ``move`` to play, or ``places`` touched so far, or a ``reason`` why it means nothing."""

    places: Places = ()
    move: Move | None = None
    reason: str = ""


class Clicks:
    """The moves of the player to move at a position, by the places that one touches to make them.

    Cost: one walk over at most 20,000 moves when the first touch is made or asked about.
    """

    def __init__(self, position: Position, drawing: Drawing):
        self.position, self.drawing = position, drawing

    @cached_property
    def _moves(self) -> list[tuple[Places, Move]]:
        legal = islice(self.position.legal_moves, MOST_MOVES)
        return [(self._names(move), move) for move in legal]

    def _names(self, move: Move) -> Places:
        return tuple(name for name in self.drawing.touch(move) if name in self.drawing.places)

    @property
    def without_place(self) -> Iterator[Move]:
        """The moves that no place on the board names, such as a pass."""
        return (move for names, move in self._moves if not names)

    def begin_with(self, touched: Places) -> list[tuple[Places, Move]]:
        """The moves that begin with these touches, each with all its places."""
        if self.drawing.any_order:
            found = [(names, move) for names, move in self._moves if set(touched) <= set(names)]
        else:
            found = [(names, move) for names, move in self._moves if names[: len(touched)] == touched]
        if touched and len(self._moves) == MOST_MOVES and (spelled := self._spelled(touched)) is not None:
            # Not all moves were looked at.
            names, known = self._names(spelled), [move for _, move in found]
            found += [(names, spelled)] if self._is_whole(names, touched) and spelled not in known else []
        return found

    def _is_whole(self, names: Places, touched: Places) -> bool:
        return sorted(names) == sorted(touched) if self.drawing.any_order else names == touched

    def _spelled(self, touched: Places) -> Move | None:
        """The legal move that the touches spell, if they do."""
        try:
            move = self.position.parse_move(self.drawing.spell(touched))
        except IllegalMove:
            return None
        return move if self.position.why_illegal(move, self.position.to_move) is None else None

    def next_places(self, touched: Places) -> set[str]:
        """The places that go on from these touches; from none, those that begin a move."""
        moves = self.begin_with(touched)
        if self.drawing.any_order:
            return {name for names, _ in moves for name in names if name not in touched}
        return {names[len(touched)] for names, _ in moves if len(names) > len(touched)}

    def touch(self, touched: Places, place: str) -> Touched:
        """What it means to touch ``place`` after others.

        A move is played as soon as the touches single it out, or several with one result; but a first touch does not
        play a move that has more places in order, for one may want to see where a piece can go. Touching the last
        place again takes it back, and another piece is taken up instead. Raises CGTError if there is no such place.
        """
        self.drawing.place(place)
        places = (*touched, place)
        found = [] if self.drawing.any_order and place in touched else self.begin_with(places)
        if not found:
            return self._no_move(touched, place)
        whole = [move for names, move in found if self._is_whole(names, places)]
        if (len(whole) == len(found) or len(places) > 1 or self.drawing.any_order) and self._same_result(found):
            return Touched(move=(whole or [found[0][1]])[0])
        return Touched(places)

    def _same_result(self, found: list[tuple[Places, Move]]) -> bool:
        if len(found) == 1:
            return True
        player = self.position.to_move
        return len(found) <= MOST_COMPARED and len({self.position.apply(move, player) for _, move in found}) == 1

    def _no_move(self, touched: Places, place: str) -> Touched:
        if touched and (place == touched[-1] or (self.drawing.any_order and place in touched)):
            return Touched(tuple(name for name in touched if name != place))
        alone = self.begin_with((place,)) if touched else []
        if alone and not any(self._is_whole(names, (place,)) for names, _ in alone):
            return Touched((place,))
        return Touched(touched, reason=self.why_illegal((*touched, place)))

    def why_illegal(self, touched: Places) -> str:
        """Why these touches begin no move, in the game's own words."""
        try:
            move = self.position.parse_move(self.drawing.spell(touched))
        except IllegalMove as error:
            return str(error)
        reason = self.position.why_illegal(move, self.position.to_move)
        if reason is None:
            return f"no move goes through {', '.join(touched)}"
        return reason if touched[-1] in reason else f"{touched[-1]}: {reason}"
