"""Slither and Advanced Slither, by Corey Clark (2010 and 2018).

The board has n rows and m columns of points; Black and White stones stand on points. Black wants a chain of own stones,
each beside the next in a row or column, from the top edge to the bottom edge, White from left to right; a corner point
belongs to both of its edges. Black begins.

*A turn*: you may first move one stone of your own one king's step (eight directions) to an empty point, and then you
must place a new stone of your own on an empty point, which may be the one just vacated. At the end of the turn no two
stones of one colour may touch diagonally unless a third stone of that colour is beside both. This is the only
condition, and only the end of the turn counts. A player without a turn passes; passing is otherwise forbidden. Who has
connected wins. (Should neither player have a turn, the game is a draw; on boards up to 5x5 that does not happen.)

*Advanced Slither* (``variant="advanced"``): a stone may be moved only if, when the turn starts, its group, the occupied
points that orthogonal steps join to it, has stones of both colours.

*Pie rule* (``pie=True``): instead of the second turn of the game the second player may ``swap``. The players then
exchange colours, the board stays, and White is to move. Solving names the colour that connects, and the player.

Text: rows from the top separated by ``/``, signs ``B``, ``W`` and ``.``. Points are named by a column's letter from the
left and a row's number from the bottom. A turn is ``c3`` (place), ``b2-c3/d4`` (move b2 to c3, then place d4), ``pass``
or ``swap``. Whose turn it is follows from the stones, Black's if there are as many of each, White's if there is one
more Black one; otherwise it has to be said, and may always be said.

>>> position = Slither.from_text("B.W/W.B/B.W")
>>> [str(turn) for turn in position.legal_moves]
['a3-b2/b1', 'c2-b3/b1', 'c2-b1/b3', 'a1-b2/b3']
>>> print(position.play("a3-b2/b1").play("a2-a3/b3"))
3  W W W
2  . B B
1  B B W
   a b c
over, white wins, variant classic, pie off

**Facts.** A position is legal iff in no 2x2 square one colour stands on one diagonal and nowhere else. Two chains that
join opposite edges would cross in a point, so no position has two winners; and a full legal board has one. Every turn
but a forced pass adds a stone, so play ends. For the classic game the order of the turn's two parts does not matter.
Source for draws and zugzwang: Bonnet, Jamain, Saffidine, *Draws, Zugzwangs, and PSPACE-Completeness in the Slither
Connection Game*, 2015.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType
from typing import ClassVar, NamedTuple, Self

from cgt_games.games.slither.board import Board, Square, bits, board_of, permuted
from cgt_games.position import DRAW, Convention, IllegalMove, InvalidPosition, PartizanPosition, Player, Rule, Turn
from cgt_games.symmetry import Symmetry


class Colour(Player):
    """The players of Slither; Black has Left's part."""

    BLACK = "black"
    WHITE = "white"


class SlitherTurn(NamedTuple):
    """A turn: the stone on ``source`` goes to ``target`` (both empty if none is moved), then one comes to ``place``.

    ``place`` is ``"pass"`` or ``"swap"`` for these.

    >>> str(SlitherTurn("d4", "b2", "c3")), str(SlitherTurn("c3")), str(PASS)
    ('b2-c3/d4', 'c3', 'pass')
    """

    place: str
    source: str = ""
    target: str = ""

    def __str__(self) -> str:
        return f"{self.source}-{self.target}/{self.place}" if self.source else self.place


PASS = SlitherTurn("pass")
SWAP = SlitherTurn("swap")

_TURN = re.compile(r"(?:([a-z][0-9]{1,9})-([a-z][0-9]{1,9})/)?([a-z][0-9]{1,9})|pass|swap")


@dataclass(frozen=True, slots=True, repr=False)
class Slither(PartizanPosition):
    """Slither: move a stone if you like, and place one; who connects two sides wins.

    A position is the stones of each colour as sets of bits (see :class:`Board`), the side to move, and the rules.

    ``swapped`` says that the pie rule's swap has been made. Raises :class:`InvalidPosition` for what is no legal
    position.
    """

    rows: int
    columns: int
    black: int = 0
    white: int = 0
    to_move: Colour = Colour.BLACK
    variant: str = "classic"
    pie: bool = False
    swapped: bool = False

    name: ClassVar[str] = "slither"
    players: ClassVar[type[Player]] = Colour
    picture: ClassVar[str | None] = "cgt_games.games.slither.picture:draw"
    showcase: ClassVar[str | None] = "cgt_games.games.slither.showcase:scenes"
    usual_start: ClassVar[str] = "...../...../...../...../....."
    convention: ClassVar[Convention] = Convention.OTHER
    fast_engine: ClassVar[str | None] = "cgt_games.games.slither.solver:solve_slither"
    own_player: ClassVar[str | None] = "cgt_games.games.slither.player:SlitherPlayer"
    commands: ClassVar[Mapping[str, str]] = MappingProxyType(
        {
            "slither-results": "cgt_games.games.slither.results:results_command",
            "slither-facts": "cgt_games.games.slither.results:facts_command",
        }
    )
    rule_options: ClassVar[tuple[Rule, ...]] = (
        Rule("variant", str, "classic", "which stones may move", choices=("classic", "advanced")),
        Rule("pie", bool, False, "whether the second player may swap colours instead of a first turn"),
        Rule("swapped", bool, False, "whether that swap has been made", needs="pie"),
    )

    def __post_init__(self) -> None:
        board = self.grid
        if self.to_move not in tuple(Colour):
            raise InvalidPosition(f"to_move {self.to_move!r} is neither black nor white")
        object.__setattr__(self, "to_move", Colour(self.to_move))
        for rule in self.rule_options:
            rule.checked(getattr(self, rule.name))
        if (self.black | self.white) & ~board.everything or self.black & self.white:
            raise InvalidPosition(f"stones {self.black:#x} and {self.white:#x} overlap or stand off the board")
        _check_diagonals(board, self.black, self.white)
        if self.swapped and not self.pie:
            raise InvalidPosition("swapped, but without the pie rule there is no swap")
        if self.swapped and not self.black | self.white:
            raise InvalidPosition("swapped, but there is no stone: the swap stands for the second turn of the game")

    # --- making one -----------------------------------------------------------------------------------------

    @classmethod
    def empty(cls, rows: int, columns: int | None = None, *, variant: str = "classic", pie: bool = False) -> Self:
        """The start of the game on ``rows`` x ``columns`` points (default: a square board).

        >>> Slither.empty(4).legal_moves.count
        16
        """
        return cls(rows, rows if columns is None else columns, variant=variant, pie=pie)

    @classmethod
    def from_text(  # type: ignore[override]
        cls,
        text: str,
        *,
        to_move: str | None = None,
        variant: str = "classic",
        pie: bool = False,
        swapped: bool = False,
    ) -> Self:
        """The position such as ``B.W/.../W.B``; see the module on whose turn it is."""
        if not text:
            raise InvalidPosition("the text is empty; a board has rows of B, W and '.', separated by '/'")
        lines = text.split("/")
        for count, line in enumerate(lines, start=1):
            if len(line) != len(lines[0]):
                raise InvalidPosition(
                    f"ragged rows in {text!r}: row 1 from the top has {len(lines[0])} points, "
                    f"row {count} has {len(line)}"
                )
        board = board_of(len(lines), len(lines[0]))
        signs = "".join(lines)
        for sign, point in zip(signs, board.names, strict=True):
            if sign not in "BW.":
                raise InvalidPosition(f"{sign!r} at {point} in {text!r} is none of B, W and '.'")
        black, white = (sum(1 << i for i, sign in enumerate(signs) if sign == stone) for stone in "BW")
        _check_diagonals(board, black, white)  # before asking whose turn it is: nobody's, on such a board
        if to_move is None:
            lead = signs.count("B") - signs.count("W")
            if lead not in (0, 1):
                raise InvalidPosition(
                    f"{signs.count('B')} black and {signs.count('W')} white stones do not tell whose turn it is: "
                    "to_move must be given"
                )
            to_move = "white" if lead else "black"
        if to_move not in tuple(Colour):
            raise InvalidPosition(f"to_move {to_move!r} is neither black nor white")
        return cls(board.rows, board.columns, black, white, Colour(to_move), variant, pie, swapped)

    def _after(self, black: int, white: int, to_move: Colour) -> Self:
        """A position of the same rules that is known to be legal: no second check."""
        position = object.__new__(type(self))
        values = (self.rows, self.columns, black, white, to_move, self.variant, self.pie, self.swapped)
        for field, value in zip(_FIELDS, values, strict=True):
            object.__setattr__(position, field, value)
        return position

    # --- texts ----------------------------------------------------------------------------------------------

    def to_text(self) -> str:
        """The rows from the top, separated by ``/``."""
        return "/".join(self._lines())

    def _lines(self) -> list[str]:
        signs = ["B" if self.black >> i & 1 else "W" if self.white >> i & 1 else "." for i in range(self.size)]
        return ["".join(signs[r * self.columns : (r + 1) * self.columns]) for r in range(self.rows)]

    def __repr__(self) -> str:
        rules = "".join(f", {name}={value!r}" for name, value in self.rules().items())
        return f"Slither.from_text({self.to_text()!r}, to_move={str(self.to_move)!r}{rules})"

    def board(self) -> str:
        """The board with its coordinates."""
        width = len(str(self.rows))
        lines = [f"{self.rows - r:>{width}}  {' '.join(line)}" for r, line in enumerate(self._lines())]
        return "\n".join([*lines, f"{'':>{width}}  {' '.join(name[0] for name in self.grid.names[: self.columns])}"])

    # --- what the game is -----------------------------------------------------------------------------------

    @property
    def grid(self) -> Board:
        """The geometry of the board."""
        return board_of(self.rows, self.columns)

    @property
    def size(self) -> int:
        """The number of points."""
        return self.rows * self.columns

    @property
    def empties(self) -> int:
        """The set of empty points, as bits."""
        return self.grid.everything & ~(self.black | self.white)

    def stones(self, colour: Player) -> int:
        """The stones of a colour, as bits."""
        return self.black if colour == Colour.BLACK else self.white

    def edges(self, colour: Player) -> tuple[int, int]:
        """The two edges that a colour connects, as bits."""
        return self.grid.top_and_bottom if colour == Colour.BLACK else self.grid.left_and_right

    @property
    def connected(self) -> Colour | None:
        """The colour that has joined its edges."""
        for colour in Colour:
            own, (first, last) = self.stones(colour), self.edges(colour)
            if own & first and own & last and self.grid.reach(own & first, own) & last:
                return colour
        return None

    @property
    def winning_chain(self) -> tuple[str, ...]:
        """The points of a shortest winning chain, from the top or from the left; empty while nobody has connected.

        >>> Slither.from_text(".B./WB./.BB", to_move="white").winning_chain
        ('b3', 'b2', 'b1')
        """
        colour = self.connected
        if colour is None:
            return ()
        return tuple(self.grid.names[i] for i in self.grid.chain(self.stones(colour), self.edges(colour)))

    @property
    def winner(self) -> Player | str | None:
        """Who has connected; ``"draw"`` if neither player has a turn."""
        if (colour := self.connected) is not None:
            return colour
        if not self._has_turn(self.to_move) and not self._has_turn(self.to_move.opponent):
            return DRAW
        return None

    @property
    def is_terminal(self) -> bool:
        """Whether a player has connected, or neither has a turn."""
        return self.winner is not None

    def why_over(self) -> str:
        """The winning chain, or that neither player has a turn."""
        if chain := self.winning_chain:
            return f"the chain {'-'.join(chain)} joins the two edges of {self.connected}"
        return "neither player has a turn" if self.winner == DRAW else ""

    def movable(self, player: Player) -> int:
        """The stones of ``player`` that the variant allows to move, as bits, whether or not they have where to go."""
        own = self.stones(player)
        if self.variant == "classic":
            return own
        mixed, occupied, rest = 0, self.black | self.white, own
        while rest:
            group = self.grid.reach(rest & -rest, occupied)
            if group & ~own:
                mixed |= group
            rest &= ~group
        return own & mixed

    def _ends(self, player: Player) -> Iterator[tuple[int, int, int, int]]:
        """All turns of a player, in order: source and target (-1 for none), place, and the player's stones after."""
        grid, own, empty = self.grid, self.stones(player), self.empties
        for place in grid.placements(own, empty):
            yield -1, -1, place, own | 1 << place
        for source in bits(self.movable(player)):
            for target in grid.kings[source]:
                if empty >> target & 1:
                    moved = own ^ 1 << source ^ 1 << target
                    for place in grid.placements(moved, empty ^ 1 << source ^ 1 << target):
                        yield source, target, place, moved | 1 << place

    def _has_turn(self, player: Player) -> bool:
        return next(self._ends(player), None) is not None

    def may_swap(self, player: Player) -> bool:
        """Whether ``player`` may swap now: by the pie rule, once, as White, when one stone stands."""
        return self._why_no_swap(player) is None

    def _why_no_swap(self, player: Player) -> str | None:
        if not self.pie:
            return "there is no swap without the pie rule"
        if self.swapped:
            return "the players have swapped already"
        if (self.black | self.white).bit_count() != 1:
            return "a swap stands for the second turn of the game, when one stone is on the board"
        if player != Colour.WHITE or self.to_move != Colour.WHITE:
            return "only White, to move, may swap"
        if self.connected is not None:
            return "the game is over"
        return None

    def generate_moves(self, player: Player) -> Iterator[SlitherTurn]:
        """Placements, then moving turns by source, target and place, each from the top left; then a swap."""
        if self.connected is not None:
            return
        names, found = self.grid.names, False
        for source, target, place, _ in self._ends(player):
            found = True
            if source < 0:
                yield SlitherTurn(names[place])
            else:
                yield SlitherTurn(names[place], names[source], names[target])
        if self.may_swap(player):
            yield SWAP
        elif not found and self._has_turn(player.opponent):
            yield PASS

    def count_moves(self, player: Player) -> int:
        """The number of turns; those that lead to the same position count apart. Cost: one walk over them."""
        if self.connected is not None:
            return 0
        return sum(1 for _ in self._ends(player)) + self.may_swap(player) or int(self._has_turn(player.opponent))

    def results(self, player: Player) -> Iterator[Self]:
        """The distinct positions after a turn of ``player``, in the order of the first turn to each."""
        if self.connected is None:
            stones = dict.fromkeys(after for *_, after in self._ends(player))
            for own in stones:
                yield self._with_stones(own, player)
            if self.may_swap(player):
                yield self.apply(SWAP, player)
            elif not stones and self._has_turn(player.opponent):
                yield self.apply(PASS, player)

    def count_results(self, player: Player) -> int:
        """How many distinct positions the turns of ``player`` lead to. Cost: one walk over the turns."""
        if self.connected is not None:
            return 0
        stones = {after for *_, after in self._ends(player)}
        return len(stones) + self.may_swap(player) or int(self._has_turn(player.opponent))

    def _with_stones(self, own: int, player: Player) -> Self:
        """The position with these stones for ``player``, whose turn has ended."""
        if player == Colour.BLACK:
            return self._after(own, self.white, Colour.WHITE)
        return self._after(self.black, own, Colour.BLACK)

    def apply(self, move: SlitherTurn, player: Player) -> Self:
        """The position after a turn; after a swap White is to move again, but it is the other player."""
        if move == SWAP:
            return replace(self, swapped=True)
        if move == PASS:
            return self._after(self.black, self.white, Colour(player.opponent))
        numbers, own = self.grid.numbers, self.stones(player)
        if move.source:
            own ^= 1 << numbers[move.source] ^ 1 << numbers[move.target]
        return self._with_stones(own | 1 << numbers[move.place], player)

    def parse_move(self, text: str) -> SlitherTurn:
        """A turn's text, such as ``c3``, ``b2-c3/d4``, ``pass`` or ``swap``."""
        match = _TURN.fullmatch(text)
        if match is None:
            raise IllegalMove(f"{text!r} is no turn; write c3, b2-c3/d4, pass or swap")
        if text in ("pass", "swap"):
            return SlitherTurn(text)
        return SlitherTurn(match[3], match[1] or "", match[2] or "")

    def why_illegal(self, move: object, player: Player) -> str | None:
        """Names the point, the stone, the step or the diagonal pair at fault."""
        if not isinstance(move, SlitherTurn):
            return f"{move!r} is no turn of Slither"
        if (colour := self.connected) is not None:
            return f"the game is over, {colour} has connected"
        if move == SWAP:
            return self._why_no_swap(player)
        if move == PASS:
            first = next(self.generate_moves(player), None)
            if first is None:
                return "the game is over, neither player has a turn"
            return None if first == PASS else f"passing is forbidden while there is a turn, such as {first}"
        numbers = self.grid.numbers
        for point in move if move.source or move.target else move[:1]:
            if point not in numbers:
                return f"there is no point {point!r} on a board of {self.rows} rows and {self.columns} columns"
        own, empty = self.stones(player), self.empties
        if move.source:
            source, target = numbers[move.source], numbers[move.target]
            if not own >> source & 1:
                what = "is empty" if empty >> source & 1 else f"holds a stone of {player.opponent}"
                return f"{move.source} {what}, and {player} moves a stone of {player}"
            if target not in self.grid.kings[source]:
                return f"{move.source}-{move.target} is no king's step to a neighbouring point"
            if not empty >> target & 1:
                return f"{move.target} is occupied"
            if not self.movable(player) >> source & 1:
                return f"the group of {move.source} has no stone of {player.opponent}, so {move.source} may not move"
            own ^= 1 << source ^ 1 << target
            empty ^= 1 << source ^ 1 << target
        if not empty >> numbers[move.place] & 1:
            return f"{move.place} is occupied"
        own |= 1 << numbers[move.place]
        if (square := self.grid.bare_square(own)) is not None:
            return f"it leaves {_named(self.grid, square, own)[0]} diagonal without a common neighbour"
        return None

    # --- symmetry -------------------------------------------------------------------------------------------

    @property
    def sides_may_swap(self) -> bool:
        """Whether the pie rule's swap lies ahead: the board is empty, or it is White's turn for it.

        With a single row the first stone connects, so there nobody comes to swap.
        """
        fresh = self.pie and not self.swapped
        return fresh and ((self.is_start and self.rows > 1) or self.may_swap(self.to_move))

    @property
    def is_start(self) -> bool:
        """Whether this is the start of the game: no stones, and Black to move."""
        return not self.black | self.white and self.to_move == Colour.BLACK

    def player_of(self, side: Player) -> Turn | None:
        """Who holds a colour now, the first or the second player of the game; None without the pie rule."""
        if not self.pie:
            return None
        return Turn.SECOND if (side == Colour.BLACK) == self.swapped else Turn.FIRST

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Half turn and axis flips; and quarter turns and diagonal flips, which exchange the goals, of a square.

        Only White may swap, so while that lies ahead only those that keep the goals are symmetries.
        """
        return tuple(s for s in self.grid.symmetries if not (s.swaps_goals and self.sides_may_swap))

    def transform(self, symmetry: Symmetry) -> Self:
        """The stones moved; where the goals are exchanged, the colours are too, with the side to move."""
        black, white = permuted(self.black, symmetry.images), permuted(self.white, symmetry.images)
        if symmetry.swaps_goals:
            return self._after(white, black, Colour(self.to_move.opponent))
        return self._after(black, white, self.to_move)

    def transform_move(self, move: SlitherTurn, symmetry: Symmetry) -> SlitherTurn:
        """The turn on the moved points."""
        if move in (PASS, SWAP):
            return move
        names, numbers = self.grid.names, self.grid.numbers
        return SlitherTurn(*(names[symmetry.images[numbers[point]]] if point else "" for point in move))

    def canonical(self) -> Self:
        """The least of the symmetric images; without the pie rule once there will be no swap."""
        images = [self.transform(symmetry) for symmetry in self.symmetries()]
        least = min(images, key=lambda p: (p.black, p.white, p.to_move))
        return least if self.sides_may_swap else replace(least, pie=False, swapped=False)

    def random_result(self, chance: Random) -> int:
        """Whether the player to move wins a game by chance; by kernels, where no swap lies ahead."""
        if self.connected is not None or self.sides_may_swap:
            return PartizanPosition.random_result(self, chance)
        from cgt_games.games.slither.player import roll_out

        return roll_out(self, chance)

    @classmethod
    def warm_up(cls) -> None:
        """Compile the kernels: of the engine, of the opponent, and of games by chance."""
        from cgt_games.engines import solve
        from cgt_games.games.slither.player import SlitherPlayer, roll_out

        solve(cls.empty(2))
        for start in (cls.empty(5), cls.empty(9)):
            SlitherPlayer(seconds=0, seed=1).choose(start)
            roll_out(start, Random(1))

    def fixed_boards(self, symmetry: Symmetry) -> int:
        """The legal positions, without regard to the side to move, that the symmetry maps to themselves."""
        from cgt_games.games.slither.census import count_legal

        return count_legal(self.grid, symmetry)


_FIELDS = ("rows", "columns", "black", "white", "to_move", "variant", "pie", "swapped")


def _check_diagonals(board: Board, black: int, white: int) -> None:
    for colour, own in zip(Colour, (black, white), strict=True):
        if (square := board.bare_square(own)) is not None:
            pair, others = _named(board, square, own)
            raise InvalidPosition(
                f"{pair} are both {colour} and diagonal without a common neighbour (neither {others} is {colour})"
            )


def _named(board: Board, square: Square, own: int) -> tuple[str, str]:
    """The pair of a bare square, and the two points of which one should be taken, as texts."""
    pair = " and ".join(board.names[i] for i in bits(square.points & own))
    return pair, " nor ".join(board.names[i] for i in bits(square.points & ~own))
