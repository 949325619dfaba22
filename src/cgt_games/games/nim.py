"""Nim.

There are heaps of objects. The players take turns; a move takes one or more objects from one heap. In normal play
whoever takes the last object wins (who cannot move loses); in misère play whoever takes the last object loses.

The table game has heaps of 1, 3, 5 and 7 and is misère: `Nim.standard()`. A position built from heaps is normal play
unless misère is asked for. Heaps may be of any size; they keep their order, and empty heaps stay.

Position text: the heaps, `1,3,5,7`; no heaps at all is `0`. A move is `heap:taken`, heaps counted from 1: `3:2`.

Theory (C. L. Bouton, 1901): in normal play the player to move wins iff the XOR of the heaps, the nim-sum, is not 0, and
it is the Grundy value. In misère play the same holds while a heap of 2 or more is left; with heaps of 0 and 1 alone the
player to move wins iff the number of ones is even.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from operator import xor
from random import Random
from typing import Any, NamedTuple, Self

from cgt_games.drawing import Disc, Drawing, Mark, Place, Text, Tone
from cgt_games.engines.negamax import line
from cgt_games.position import (
    Convention,
    IllegalMove,
    ImpartialPosition,
    InvalidPosition,
    Outcome,
    Player,
    Rule,
    Turn,
)
from cgt_games.showcase import Scene
from cgt_games.solution import Search, Solution


class Take(NamedTuple):
    """A move: take ``taken`` objects (at least 1) from heap number ``heap`` (from 1)."""

    heap: int
    taken: int

    def __str__(self) -> str:
        return f"{self.heap}:{self.taken}"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Nim(ImpartialPosition):
    """Nim: take objects from a heap; who takes the last one wins, or loses in misère play.

    >>> game = Nim(3, 5, 7)
    >>> game.play("3:1")
    Nim(3, 5, 6)
    >>> Nim.standard()
    Nim(1, 3, 5, 7, play='misere')
    """

    heaps: tuple[int, ...]
    """The heaps' sizes, in order; at least one heap, which may be empty."""
    convention: Convention  # type: ignore[misc]
    """Normal or misère play."""

    name = "nim"
    rule_options = (
        Rule(
            "play",
            str,
            "normal",
            "who takes the last object wins (normal) or loses (misere)",
            ("normal", "misere"),
        ),
    )
    fast_engine = "cgt_games.games.nim:solve_nim"
    picture = "cgt_games.games.nim:draw"
    showcase = "cgt_games.games.nim:scenes"

    def __init__(self, *heaps: int, play: str = "normal"):
        """Heaps of the given sizes (integers of any size, at least 0); ``play`` is ``"normal"`` or ``"misere"``.

        Raises InvalidPosition that names the heap or the rule at fault.
        """
        for number, size in enumerate(heaps, 1):
            if not isinstance(size, int) or isinstance(size, bool):
                raise InvalidPosition(f"heap {number} is {size!r}, not a whole number")
            if size < 0:
                raise InvalidPosition(f"heap {number} is {size}; a heap holds at least 0 objects")
        if play not in ("normal", "misere"):
            raise InvalidPosition(f"play is one of normal, misere, not {play!r}")
        object.__setattr__(self, "heaps", heaps or (0,))
        object.__setattr__(self, "convention", Convention(play))

    @classmethod
    def standard(cls) -> Self:
        """The table game: 1, 3, 5, 7, misère."""
        return cls(1, 3, 5, 7, play="misere")

    @classmethod
    def new_game(cls, generator: Random, **rules: Any) -> Self:
        """The table game, misère unless the rules say otherwise."""
        return cls(1, 3, 5, 7, play=rules.get("play", "misere"))

    def rules(self) -> dict[str, Any]:
        """The rule ``play``."""
        return {"play": str(self.convention)}

    @property
    def nim_sum(self) -> int:
        """The XOR of the heaps: in normal play the Grundy value."""
        return reduce(xor, self.heaps)

    @property
    def is_terminal(self) -> bool:
        """Whether all heaps are empty."""
        return not any(self.heaps)

    def generate_moves(self, player: Player) -> Iterator[Take]:
        """Heap by heap, few objects first."""
        for number, size in enumerate(self.heaps, 1):
            for taken in range(1, size + 1):
                yield Take(number, taken)

    def why_illegal(self, move: Any, player: Player) -> str | None:
        """Names the heap, or the number taken."""
        if not (isinstance(move, Take) and all(type(part) is int for part in move)):
            return f"{move!r} is no move of Nim"
        if not 1 <= move.heap <= len(self.heaps):
            return f"there is no heap {move.heap}; there are {len(self.heaps)}"
        if move.taken < 1:
            return f"a move takes at least 1 object, not {move.taken}"
        if move.taken > self.heaps[move.heap - 1]:
            return f"heap {move.heap} has {self.heaps[move.heap - 1]}, so {move.taken} cannot be taken from it"
        return None

    def count_moves(self, player: Player) -> int:
        """The number of objects."""
        return sum(self.heaps)

    def count_results(self, player: Player) -> int:
        """Each move leads to a position of its own."""
        return sum(self.heaps)

    def apply(self, move: Take, player: Player) -> Self:
        """The heaps with one made smaller."""
        heaps = list(self.heaps)
        heaps[move.heap - 1] -= move.taken
        return self._with_heaps(tuple(heaps))

    def _with_heaps(self, heaps: tuple[int, ...]) -> Self:
        made = object.__new__(type(self))
        object.__setattr__(made, "heaps", heaps)
        object.__setattr__(made, "convention", self.convention)
        return made

    def parse_move(self, text: str) -> Take:
        """A text such as ``3:2``: from heap 3 take 2."""
        match = re.fullmatch(r"([0-9]{1,9}):([0-9]+)", text)
        if match is None:
            raise IllegalMove(f"{text!r} is no move of Nim; write heap:taken, such as 3:2")
        return Take(int(match[1]), int(match[2]))

    def to_text(self) -> str:
        """The heaps, joined by commas."""
        return ",".join(map(str, self.heaps))

    @classmethod
    def from_text(cls, text: str, *, to_move: str | None = None, **rules: Any) -> Self:
        """The heaps of a text such as ``1,3,5,7``; ``play="misere"`` for misère play."""
        if to_move not in (None, "first"):
            raise InvalidPosition(f"to_move {to_move!r}: in an impartial game the player to move is always 'first'")
        unknown = set(rules) - {"play"}
        if unknown:
            raise InvalidPosition(f"nim has no rule {min(unknown)!r}")
        heaps: list[int] = []
        for number, part in enumerate(text.split(","), 1):
            if not part.strip():
                raise InvalidPosition(f"heap {number} is missing in {text!r}")
            if not re.fullmatch(r"\s*-?[0-9]+\s*", part):
                raise InvalidPosition(f"heap {number} is {part.strip()!r}, not a whole number, in {text!r}")
            try:
                heaps.append(int(part))
            except ValueError:
                raise InvalidPosition(
                    f"heap {number} has {len(part)} digits, more than sys.set_int_max_str_digits allows"
                ) from None
        return cls(*heaps, **rules)

    def board(self) -> str:
        """A heap a line, drawn if it is not too large."""
        width = len(str(len(self.heaps)))
        lines = []
        for number, size in enumerate(self.heaps, 1):
            drawn = "o" * size if size <= 60 else "o" * 50 + " ..."
            lines.append(f"{number:>{width}}: {drawn:<8} {size}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        heaps = ", ".join(map(str, self.heaps))
        return f"Nim({heaps})" if self.convention is Convention.NORMAL else f"Nim({heaps}, play='misere')"

    def canonical(self) -> Self:
        """The heaps in order of size, without the empty ones."""
        return self._with_heaps(tuple(sorted(size for size in self.heaps if size)) or (0,))

    def moves_to_grundy(self, value: int, player: Player) -> Iterator[Take]:
        """In each heap at most one move: to the size that makes the nim-sum ``value``."""
        others_wanted = self.nim_sum ^ value
        for number, size in enumerate(self.heaps, 1):
            if size ^ others_wanted < size:
                yield Take(number, size - (size ^ others_wanted))

    @property
    def mover_wins(self) -> bool:
        """Whether the player to move wins, by Bouton's theorem."""
        if self.convention is Convention.NORMAL or max(self.heaps) >= 2:
            return self.nim_sum != 0
        return sum(self.heaps) % 2 == 0

    def winning_moves(self) -> Iterator[Take]:
        """All moves after which the opponent, to move, loses; at most two a heap. Cost: linear in the heaps."""
        if not self.mover_wins:
            return
        large = sum(size >= 2 for size in self.heaps)
        if self.convention is Convention.NORMAL or large >= 2:
            # With two large heaps one stays, so the misère game is still the normal one after the move.
            yield from self.moves_to_grundy(0, Turn.FIRST)
            return
        ones = sum(size == 1 for size in self.heaps)
        for number, size in enumerate(self.heaps, 1):
            # Leave an odd number of ones and nothing else; with a large heap only that one can be moved in.
            for rest in (1, 0) if size >= 2 else (0,):
                left = ones - (size == 1) + rest
                if size and left % 2 == 1 and large == (size >= 2):
                    yield Take(number, size - rest)


def solve_nim(position: Nim, search: Search) -> Solution:
    """Solve by Bouton's theorem: no search, heaps of any size.

    In a lost position the best moves take one object, which leaves the opponent most to do.
    """

    def best(p: Nim) -> tuple[Take, ...]:
        return tuple(p.winning_moves()) or tuple(Take(n, 1) for n, size in enumerate(p.heaps, 1) if size)

    wins, normal = position.mover_wins, position.convention is Convention.NORMAL
    fields: dict[str, Any] = {}
    if not search.winner_only:
        fields = {
            "value": position.nim_sum if normal else None,
            "value_kind": "grundy" if normal else None,
            "winning_moves": tuple(position.winning_moves()),
            "best_moves": best(position),
            "principal_variation": line(position, lambda p: next(iter(best(p)), None), longest=100),
        }
    return Solution(
        position,
        Turn.FIRST if wins else Turn.SECOND,
        outcome=Outcome.N if wins else Outcome.P,
        seconds=search.seconds,
        engine="theory: nim-sum" if normal else "theory: nim-sum, misère rule",
        **fields,
    )


def scenes(generator: Random) -> list[Scene]:
    """For the demo: the table game, and heaps that nobody could draw."""
    heaps = [generator.getrandbits(bits) for bits in (100, 99, 98)]
    return [
        Scene("Nim: the table game, in which who takes the last object loses", Nim.standard(), plays=True),
        Scene("Nim: heaps of any size", Nim(*heaps)),
    ]


MOST_DRAWN = 24
"""Of a larger heap only so many objects are drawn, the others as a number."""


def draw(position: Nim, last_move: Take | None = None) -> Drawing:
    """The heaps as rows of objects, with their sizes; what the last move took is outlined.

    The place ``3:2`` is the object of heap 3 that is the first to go when two are taken.
    """
    marks: list[Mark] = []
    places: dict[str, Place] = {}
    across = 24 * min(MOST_DRAWN, max(position.heaps) + (last_move.taken if last_move else 0)) + 70
    for number, size in enumerate(position.heaps, 1):
        y, drawn = 28 * number - 14, min(size, MOST_DRAWN)
        marks.append(Text(16, y, str(number), Tone.SOFT, 12, anchor="end"))
        for i in range(drawn):
            marks.append(Disc(36 + 24 * i, y, 9, Tone.LEFT))
            if size == drawn:
                places[f"{number}:{size - i}"] = Place(36 + 24 * i, y, 11)
        end = drawn
        if last_move is not None and last_move.heap == number and size + last_move.taken <= MOST_DRAWN:
            end += last_move.taken
            marks += [Disc(36 + 24 * i, y, 8, outline=Tone.LAST, width=2) for i in range(drawn, end)]
        text = _size_in_words(size) if size == drawn else f"... {_size_in_words(size)} in all"
        marks.append(Text(40 + 24 * end, y, text, anchor="start", bold=True))
        across = max(across, 44 + 24 * end + 9 * len(text))
    note = "" if position.convention is Convention.NORMAL else "misère: the last to take loses"
    return Drawing(across, 28 * len(position.heaps), tuple(marks), places, note=note)


def _size_in_words(size: int) -> str:
    # A decimal text of a number without bounds would be long, and above 4,300 digits refused by Python.
    return str(size) if size.bit_length() <= 64 else f"{size.bit_length()} binary digits"
