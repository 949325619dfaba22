"""What a game is: positions, players, moves, outcome classes and the errors.

A game is a *state type*: a subclass of :class:`ImpartialPosition`, :class:`PartizanPosition` or
:class:`ScoringPosition` with three methods, ``generate_moves``, ``apply`` and ``to_text``. Everything else in the
library (solving, sums, records, players, the command line) works on these.

The players are called Left and Right in the theory; a game may name them otherwise (A and B, Black and White). In an
*impartial* game both have the same moves, so only the distance to the mover matters: the player to move is always
``first`` and the other is ``second``, at every position anew.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import repeat
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self

if TYPE_CHECKING:
    from random import Random

    from cgt_games.notebook.board import PlayBoard
    from cgt_games.symmetry import Symmetry

DRAW = "draw"
"""What ``winner`` says of a game that is over and won by nobody."""


class CGTError(Exception):
    """Base of all errors of this library."""


class InvalidPosition(CGTError, ValueError):
    """A text or board that is no position of the game; the message names the offending part."""


class IllegalMove(CGTError, ValueError):
    """A move that may not be played here; the message says why and shows the position."""


class CannotSum(CGTError, TypeError):
    """A position that has no place in a disjunctive sum, or to which a notion does not apply; the message says why."""


class LoopError(CGTError):
    """A game in which play can return to a position was given to an engine for loop-free games."""


class Player(StrEnum):
    """One of two players; a game subclasses this with two members, of which the first plays Left's part.

    Players are strings, so ``position.to_move == "left"`` works.

    >>> Side.LEFT.opponent
    Side.RIGHT
    """

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    @property
    def opponent(self) -> Self:
        """The other player."""
        left, right = type(self)
        return right if self is left else left

    @property
    def is_left(self) -> bool:
        """Whether this player has Left's part in the theory."""
        return self is next(iter(type(self)))


class Side(Player):
    """The players of a partizan game, as the theory names them."""

    LEFT = "left"
    RIGHT = "right"


class Turn(Player):
    """The players of an impartial game, seen from the position: who is to move, and the other."""

    FIRST = "first"
    SECOND = "second"


class Outcome(StrEnum):
    """Outcome classes under perfect play, by who wins when Left begins and when Right begins.

    The four of loop-free games, and those with draws by infinite play (Siegel, *Combinatorial Game Theory*, chapter
    VI). In a table, Left's result when Left begins is the row and when Right begins the column:

    ========== ========== ======== =========
    ..         Right wins draw     Left wins
    ========== ========== ======== =========
    Left wins  ``N``      ``N^``   ``L``
    draw       ``N_``     ``D``    ``P^``
    Right wins ``R``      ``P_``   ``P``
    ========== ========== ======== =========
    """

    N = "N"
    """The player to move wins, whoever it is."""
    P = "P"
    """The player who is not to move (the previous player) wins."""
    L = "L"
    """Left wins, whoever begins."""
    R = "R"
    """Right wins, whoever begins."""
    D = "D"
    """A draw, whoever begins."""
    N_HAT = "N^"
    """Left wins when beginning; a draw when Right begins."""
    N_CHECK = "N_"
    """A draw when Left begins; Right wins when beginning."""
    P_HAT = "P^"
    """A draw when Left begins; Left wins when Right begins."""
    P_CHECK = "P_"
    """Right wins when Left begins; a draw when Right begins."""

    @classmethod
    def from_results(cls, left_begins: int, right_begins: int) -> Outcome:
        """The class, from two results, each +1 (Left wins), 0 (draw) or -1 (Right wins).

        >>> Outcome.from_results(+1, -1)
        <Outcome.N: 'N'>
        """
        return cls(
            {
                (1, -1): "N", (1, 0): "N^", (1, 1): "L",
                (0, -1): "N_", (0, 0): "D", (0, 1): "P^",
                (-1, -1): "R", (-1, 0): "P_", (-1, 1): "P",
            }[left_begins, right_begins]
        )  # fmt: skip


class Convention(StrEnum):
    """Who wins when a player cannot move."""

    NORMAL = "normal"
    """Who cannot move loses; only such positions have sums and Grundy values."""
    MISERE = "misere"
    """Who cannot move wins."""
    OTHER = "other"
    """The game ends in another way: a score, a connection."""


class Theory(StrEnum):
    """Which general engine solves a position."""

    IMPARTIAL = "impartial"
    PARTIZAN = "partizan"
    LOOPY = "loopy"
    SCORING = "scoring"


@dataclass(frozen=True, slots=True)
class Rule:
    """A choice that a game's rules leave open, such as ``play`` in Nim: a keyword of ``from_text`` and a flag.

    ``kind`` is ``str`` (with ``choices``), ``bool``, ``int`` or ``float``. A choice that says something only where
    another rule is on, which it ``needs``, is not printed below a board where that one is off.
    """

    name: str
    kind: type
    default: Any
    help: str
    choices: tuple[str, ...] = ()
    needs: str = ""

    def read(self, text: str) -> Any:
        """The value that a text stands for; raises :class:`InvalidPosition`. ``kind`` is str, bool or int."""
        if self.kind is bool:
            words = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
            if text.lower() not in words:
                raise InvalidPosition(f"{self.name} is on or off, not {text!r}")
            return words[text.lower()]
        if self.kind is int:
            if not re.fullmatch(r"[0-9]{1,18}", text):
                raise InvalidPosition(f"{self.name} is a whole number, not {text!r}")
            return int(text)
        if self.choices and text not in self.choices:
            raise InvalidPosition(f"{self.name} is one of {', '.join(self.choices)}, not {text!r}")
        return text

    def checked(self, value: object) -> Any:
        """The value, if it is of the rule's kind and one of its choices; :class:`InvalidPosition` otherwise.

        None stands for the default.
        """
        if value is None:
            return self.default
        if self.choices and value not in self.choices:
            raise InvalidPosition(f"option {self.name!r} must be {' or '.join(self.choices)}, not {value!r}")
        kinds = (int, float) if self.kind is float else self.kind
        if not isinstance(value, kinds) or (isinstance(value, bool) and self.kind is not bool):
            kind = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}[self.kind]
            raise InvalidPosition(f"option {self.name!r} must be {kind}, not {value!r}")
        return value


Move = Any
"""A small immutable value that parses from its own ``str``; what it is, the game decides."""


class Moves:
    """The legal moves of one player at a position: lazy, in a deterministic order.

    Iterates over the moves, tests membership by the rules (a move or its text), and counts exactly with
    :attr:`count`, also where ``len`` would overflow.

    >>> from cgt_games import Nim
    >>> moves = Nim(2, 1).legal_moves
    >>> [str(m) for m in moves], "2:1" in moves, "2:2" in moves
    (['1:1', '1:2', '2:1'], True, False)
    >>> Nim(10**30).legal_moves.count == 10**30
    True
    """

    __slots__ = ("_player", "_position")

    def __init__(self, position: Position, player: Player):
        self._position = position
        self._player = player

    def __iter__(self) -> Iterator[Move]:
        return iter(self._position.generate_moves(self._player))

    def __contains__(self, move: object) -> bool:
        try:
            if isinstance(move, str):
                move = self._position.parse_move(move)
        except IllegalMove:
            return False
        return self._position.why_illegal(move, self._player) is None

    def __bool__(self) -> bool:
        return next(iter(self), self) is not self

    @property
    def count(self) -> int:
        """The exact number of moves, at any size. Cost: the game's; at worst one walk over the moves."""
        return self._position.count_moves(self._player)

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        shown: list[str] = []
        for move in self:
            if len(shown) == 10:
                shown.append("...")
                break
            shown.append(str(move))
        return f"<legal moves: {', '.join(shown) or 'none'}>"


class Position(ABC):
    """A position of a two-player game of perfect information: immutable, hashable and complete.

    Two positions are equal iff rules, board and side to move are equal; the way that led to them is not part of
    them (a :class:`~cgt_games.record.Record` keeps it). A game is a frozen dataclass below one of the subclasses of
    this class, with three methods of its own: :meth:`generate_moves`, :meth:`apply` and :meth:`to_text` (and
    :meth:`from_text`, if it wants to be read back).

    The methods under "what a game may add" have safe defaults and make a game faster or richer.
    """

    __slots__ = ()

    name: ClassVar[str] = ""
    """The game's name on the command line and in records; empty for a type that is in neither."""
    theory: ClassVar[Theory]
    """Which general engine solves it; this is also its reference engine."""
    convention: ClassVar[Convention] = Convention.NORMAL
    """Who wins when a player cannot move. May be a property where a rule decides it."""
    players: ClassVar[type[Player]] = Side
    """The two players; the first has Left's part."""
    rule_options: ClassVar[tuple[Rule, ...]] = ()
    """The rules that can be chosen, as keywords of :meth:`from_text`."""
    to_move_is_free: ClassVar[bool] = False
    """Whether the side to move is a choice of its own, not given by the board (``from_text(..., to_move=...)``)."""
    equals_nimber: ClassVar[bool] = False
    """Whether every position equals a nimber, so that its Grundy value is all that a sum needs to know of it."""
    fast_engine: ClassVar[str | None] = None
    """The game's own engine as ``"module:function"``, loaded when first used; see :mod:`cgt_games.engines`."""
    own_player: ClassVar[str | None] = None
    """The game's own player for limited time, where it knows more than solving within a limit gives (an opening book,
    say): ``"module:class"``; the class takes ``seconds=`` for a move, and has a method ``choose(position)``."""
    picture: ClassVar[str | None] = None
    """The game's drawing as ``"module:function"``, loaded when first used; see :mod:`cgt_games.drawing`. Without one
    a picture shows the text of :meth:`board`."""
    showcase: ClassVar[str | None] = None
    """What the game shows in ``cgt-games demo``, as ``"module:function"``; see :mod:`cgt_games.showcase`."""
    usual_start: ClassVar[str] = ""
    """The text of the position from which a game usually starts, for :meth:`new_game`."""
    commands: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Further commands for ``cgt-games``: name to ``"module:function"``, a function of the words after the command's
    name (a list of str) that prints and returns the exit status. ``cgt-games NAME WORD...`` and, where several games
    have a command of one name, ``cgt-games NAME GAME WORD...`` call it."""

    # --- what a game must say ---------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def to_move(self) -> Player:
        """The player whose turn it is, also when the game is over."""

    @abstractmethod
    def generate_moves(self, player: Player) -> Iterator[Move]:
        """Yield the legal moves of ``player`` here, each once, in a deterministic order; none when the game is over."""

    @abstractmethod
    def apply(self, move: Move, player: Player) -> Self:
        """The position after a *legal* move of ``player``, with the other player to move. Nothing is checked."""

    @abstractmethod
    def to_text(self) -> str:
        """The board alone, as one line that :meth:`from_text` reads."""

    @classmethod
    def from_text(cls, text: str, *, to_move: str | None = None, **rules: Any) -> Self:
        """The position with this board, side to move and rules. Raises :class:`InvalidPosition`."""
        raise InvalidPosition(f"{cls.__name__} has no text form that can be read")

    @classmethod
    def new_game(cls, generator: Random, **rules: Any) -> Self:
        """Where a new game under these rules starts; ``generator`` decides what is left to chance.

        Default: :attr:`usual_start`. Raises :class:`InvalidPosition` for a game that has none.
        """
        if not cls.usual_start:
            raise InvalidPosition(f"{cls.name or cls.__name__} has no usual start: a position is needed")
        return cls.from_text(cls.usual_start, **rules)

    # --- what a game may add ----------------------------------------------------------------------------------------

    @property
    def sides_may_swap(self) -> bool:
        """Whether the players may still exchange sides, by a pie rule.

        While they may, it is one question which *player* wins and another which side. A search answers the first, for
        the player to move and the other; the side is told by a line of best play. Default: no.
        """
        return False

    def player_of(self, side: Player) -> Turn | None:
        """Who plays ``side`` now, the first or the second player of the game; None where sides never change hands."""
        return None

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over. Default: the player to move has no move."""
        return next(iter(self.generate_moves(self.to_move)), self) is self

    @property
    def winner(self) -> Player | str | None:
        """Who has won; ``"draw"`` for a drawn end; None while the game goes on."""
        if not self.is_terminal:
            return None
        return self.to_move if self.convention is Convention.MISERE else self.to_move.opponent

    def why_over(self) -> str:
        """How the game ended, in a few words for people; empty while it goes on.

        Default: who cannot move, and what that means by the convention; of any other end nothing is said.
        """
        loses = self.convention is Convention.NORMAL
        if self.winner != (self.to_move.opponent if loses else self.to_move) or self.convention is Convention.OTHER:
            return ""
        return f"no move is left, and who cannot move {'loses' if loses else 'wins'}"

    def rules(self) -> dict[str, Any]:
        """The choices of :attr:`rule_options` in force: ``from_text(p.to_text(), to_move=..., **p.rules())`` is p."""
        return {rule.name: getattr(self, rule.name) for rule in self.rule_options}

    def why_illegal(self, move: Move, player: Player) -> str | None:
        """None for a legal move of ``player``; else the reason, as one line that names what is wrong with it."""
        if any(move == legal for legal in self.generate_moves(player)):
            return None
        return f"{move} is not among the legal moves"

    def count_moves(self, player: Player) -> int:
        """How many moves ``player`` has. Default: one walk over them."""
        return sum(1 for _ in self.generate_moves(player))

    def results(self, player: Player) -> Iterator[Self]:
        """The distinct positions that the moves of ``player`` lead to, in the order of the first move to each.

        Default: all moves are played and a set remembers the positions seen.
        """
        seen = set()
        for move in self.generate_moves(player):
            position = self.apply(move, player)
            if position not in seen:
                seen.add(position)
                yield position

    def count_results(self, player: Player) -> int:
        """How many distinct positions the moves of ``player`` lead to. Default: one walk over :meth:`results`.

        A game in which different moves always give different positions can return ``self.count_moves(player)``.
        """
        return sum(1 for _ in self.results(player))

    def parse_move(self, text: str) -> Move:
        """The move with this text, legal or not; raises :class:`IllegalMove` for a text that is none.

        Default: the legal move of either player whose ``str`` it is.
        """
        for player in self.players:
            for move in self.generate_moves(player):
                if str(move) == text:
                    return move
        raise IllegalMove(f"{text!r} is no legal move in {self.to_text()!r}")

    def board(self) -> str:
        """The board drawn in characters, for people. Default: :meth:`to_text`."""
        return self.to_text()

    def safe_moves(self, player: Player) -> Iterator[Move]:
        """The legal moves by which ``player`` does not lose at once.

        These lead to the options of the theory: a move that loses at once may be played, but is no option for a mex or
        in a sum. Default: all moves, for in most games only the player who cannot move loses.
        """
        return self.generate_moves(player)

    def options(self, player: Player) -> Iterator[Self]:
        """The positions that :meth:`safe_moves` of ``player`` lead to."""
        return map(self.apply, self.safe_moves(player), repeat(player))

    def components(self) -> tuple[Position, ...]:
        """Positions whose disjunctive sum equals this one in value, each simpler; default: the position alone."""
        return (self,)

    def canonical(self) -> Position:
        """A position of equal value, seen from its player to move, to stand for all that are alike (by symmetry, say).

        It is the key of the general engines' tables.
        """
        return self

    def moves_to_grundy(self, value: int, player: Player) -> Iterator[Move] | None:
        """The safe moves of ``player`` after which the Grundy value is ``value``, where theory tells; default: None.

        None says that an engine has to look at each option.
        """
        return None

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Symmetries of the board that the rules respect, enough to generate all; the identity first."""
        return ()

    def fixing_symmetries(self) -> tuple[Symmetry, ...] | None:
        """Symmetries that leave this position as it is, enough to generate all that do without swapping the goals.

        Default: None, for the whole group is to be looked through, which takes a game with a large one too long.
        """
        return None

    def fixed_boards(self, symmetry: Symmetry) -> int:
        """How many boards of this size and these rules the symmetry maps to themselves; the identity fixes all.

        Which boards count (all positions, or all starts) the game says. Asked for every element of the group.
        """
        raise CGTError(f"{type(self).__name__} does not count its boards")

    def transform(self, symmetry: Symmetry) -> Self:
        """This position under one of :meth:`symmetries`; where that swaps the players' goals, the players swap too."""
        raise CGTError(f"{type(self).__name__} declares no symmetries")

    def transform_move(self, move: Move, symmetry: Symmetry) -> Move:
        """The move in ``self.transform(symmetry)`` that corresponds to ``move`` here."""
        raise CGTError(f"{type(self).__name__} declares no symmetries")

    @classmethod  # noqa: B027 (nothing to compile is a fine default)
    def warm_up(cls) -> None:
        """Compile whatever the game's engine compiles on first use, so that later processes start warm.

        ``cgt-games warm-up`` calls it. Default: nothing. A game with kernels solves a small position here.
        """

    def with_to_move(self, player: Player) -> Self:
        """The same board with ``player`` to move. Default: a dataclass field ``to_move`` is replaced."""
        if player == self.to_move:
            return self
        if not self.to_move_is_free:
            raise CGTError(f"in {self.name or type(self).__name__} the side to move follows from the board")
        return replace(self, to_move=player)  # type: ignore[type-var]

    def random_result(self, chance: Random) -> int:
        """Play to the end, all distinct results of a turn with equal chance: +1 if the player to move here wins.

        0 for a draw, -1 if the other wins. The players take turns, whatever sides or names they have at the end.
        """
        position, sign = self, 1
        while (winner := position.winner) is None:
            position, sign = chance.choice(list(position.results(position.to_move))), -sign
        return 0 if winner == DRAW else sign if winner == position.to_move else -sign

    # --- what every game has ----------------------------------------------------------------------------------------

    def moves(self, player: Player | str) -> Moves:
        """The moves that ``player`` would have if it were that player's turn."""
        return Moves(self, self.players(player))

    @property
    def legal_moves(self) -> Moves:
        """The moves of the player to move; empty when the game is over."""
        return Moves(self, self.to_move)

    def play(self, move: Move) -> Self:
        """The position after a move (a move value, or its text) of the player to move.

        Raises :class:`IllegalMove`, with the reason; this position never changes.
        """
        if isinstance(move, str):
            move = self.parse_move(move)
        if (reason := self.why_illegal(move, self.to_move)) is not None:
            raise IllegalMove(f"illegal move {move}: {reason}, in {self.to_text()!r} ({self.to_move} to move)")
        return self.apply(move, self.to_move)

    def __add__(self, other: object) -> Position:
        """The disjunctive sum; raises :class:`CannotSum` where one of the two has no place in a sum."""
        if not isinstance(other, Position):
            return NotImplemented
        from cgt_games.sums import Sum

        return Sum.of(self, other)

    def __str__(self) -> str:
        rules = rules_in_force(self)
        return f"{self.board()}\n{status(self)}{', ' if rules else ''}{rules}"

    def _repr_svg_(self) -> str:
        from cgt_games.show import svg

        return str(svg(self))

    def play_widget(
        self,
        *,
        first: str | None = None,
        against: str = "timed",
        seconds: float = 2.0,
        seed: int | None = None,
        evaluation: bool = False,
    ) -> PlayBoard:
        """A board to play on from here, in a notebook: click the moves, undo, ask for hints.

        ``first`` is ``"me"`` (the default) or ``"computer"``; ``against`` is ``"timed"``, ``"perfect"``, ``"random"``
        or ``"nobody"``, and ``seconds`` its time for a move; ``seed`` decides what is left to chance; ``evaluation``
        shows who can force a win. See :class:`cgt_games.notebook.board.PlayBoard`.

        Raises CGTError where the optional package for it is missing, saying what to install.
        """
        from cgt_games.notebook import play_widget

        return play_widget(self, first=first, against=against, seconds=seconds, seed=seed, evaluation=evaluation)


def status(position: Position) -> str:
    """Whose turn it is, or how the game ended, in a few words.

    >>> from cgt_games import Nim
    >>> status(Nim(1)), status(Nim(0))
    ('first to move', 'over, second wins')
    """
    winner = position.winner
    if winner is None:
        return f"{position.to_move} to move"
    return "a draw" if winner == DRAW else f"over, {winner} wins"


def rules_in_force(position: Position) -> str:
    """The rules that are chosen, in a few words, but those that mean nothing without another; empty without a choice.

    >>> from cgt_games import Slither
    >>> rules_in_force(Slither.empty(3)), rules_in_force(Slither.empty(3, pie=True))
    ('variant classic, pie off', 'variant classic, pie on, swapped off')
    """
    chosen = position.rules()
    idle = {rule.name for rule in position.rule_options if rule.needs and not chosen.get(rule.needs)}
    return ", ".join(f"{name} {_plain(value)}" for name, value in chosen.items() if name not in idle)


def _plain(value: object) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


class ImpartialPosition(Position):
    """A position at which both players have the same moves; the last to move wins (normal play, the default) or loses.

    A game of one's own in a few lines; everything else follows:

    >>> from dataclasses import dataclass
    >>> from cgt_games import ImpartialPosition, grundy
    >>> @dataclass(frozen=True)
    ... class TakeASquare(ImpartialPosition):
    ...     heap: int
    ...     def generate_moves(self, player):
    ...         return (k * k for k in range(1, self.heap + 1) if k * k <= self.heap)
    ...     def apply(self, move, player):
    ...         return TakeASquare(self.heap - move)
    ...     def to_text(self):
    ...         return str(self.heap)
    >>> [grundy(TakeASquare(n)) for n in range(10)]
    [0, 1, 0, 1, 2, 0, 1, 0, 1, 2]
    """

    __slots__ = ()
    theory = Theory.IMPARTIAL
    equals_nimber = True
    players = Turn

    @property
    def to_move(self) -> Player:
        """Always ``first``: in an impartial game a position looks the same to both."""
        return Turn.FIRST

    def with_to_move(self, player: Player) -> Self:
        """This position itself: who is to move makes no difference to it."""
        return self


class PartizanPosition(Position):
    """A position at which the players' moves may differ; ``theory = Theory.LOOPY`` if play can return to a position.

    A subclass has a field or property ``to_move``.
    """

    __slots__ = ()
    theory = Theory.PARTIZAN
    to_move_is_free = True


class ScoringPosition(Position):
    """A position of a game that ends with a score; Left (the first of ``players``) maximises ``margin``."""

    __slots__ = ()
    theory = Theory.SCORING
    convention = Convention.OTHER

    @property
    @abstractmethod
    def margin(self) -> int:
        """Left's lead at the end of the game; asked only of terminal positions."""

    @property
    def winner(self) -> Player | str | None:
        """By the sign of the margin at the end; None while the game goes on."""
        if not self.is_terminal:
            return None
        left, right = self.players
        return left if self.margin > 0 else right if self.margin < 0 else DRAW

    def why_over(self) -> str:
        """Who is ahead, and by how much."""
        winner = self.winner
        if winner is None:
            return ""
        return "the scores are equal" if winner == DRAW else f"{winner} is ahead by {abs(self.margin)}"
