"""The command ``play``: a game in the terminal, against the computer or by two at one keyboard.

The state of play is a :class:`~cgt_games.record.Record`, so that what is played can be taken back, saved, and resumed
where it stood. People sit in *seats*: seat 0 moves first from the record's start, seat 1 second, and they take turns.
The seats stay when a pie rule exchanges sides.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from textwrap import fill

from cgt_games.cli.arguments import Parser, UsageError, parse_words, whole_number
from cgt_games.cli.progress import announce_compiling, progress_bar
from cgt_games.engines import solve
from cgt_games.players import Chooser, Interrupted, PerfectPlayer, RandomPlayer, TimedPlayer
from cgt_games.position import DRAW, CGTError, IllegalMove, Player, Position, Turn
from cgt_games.record import Record
from cgt_games.registry import game, new_game, read_position
from cgt_games.solution import Limits

OPPONENTS = ("timed", "perfect", "random", "nobody")
YOU = "you"
"""How a record names the person at the keyboard."""
MOST_LISTED = 200
"""Of more moves than this ``moves`` shows the first ones."""

HELP = """\
Type a move, or one of
  moves      the legal moves            undo       take back your last move and the reply
  hint       a best move, and who wins  resign     give up
  board      the board once more        rules      the rules of the game
  save FILE  write the game to a file   quit       leave; 'help' shows this"""


class Leave(Exception):
    """The player leaves the table."""


def play_command(words: Sequence[str]) -> int:
    """``cgt-games play GAME [POSITION]`` and ``cgt-games play --resume FILE``."""

    def extend(parser: Parser) -> None:
        parser.add_argument("--resume", metavar="FILE", help="go on with a saved game, and save it there")
        parser.add_argument("--save", metavar="FILE", help="save the game there after each move")
        parser.add_argument("--first", choices=("me", "computer"), help="who begins; you are asked otherwise")
        parser.add_argument(
            "--against",
            choices=OPPONENTS,
            default="timed",
            help="timed: perfect where it can be within --seconds (the default); perfect, however long it takes; "
            "random; nobody: two people at the keyboard",
        )
        parser.add_argument("--seconds", type=float, default=5.0, help="time for each move and hint (default 5)")
        parser.add_argument("--seed", type=whole_number, help="decides what is left to chance, the start included")

    summary = "Play against the computer, or by two. Without a position the game's usual start is taken."
    arguments = parse_words("play", summary, words, extend=extend, position_needed=False)
    if not arguments.seconds >= 0:
        raise UsageError(f"--seconds {arguments.seconds} must be at least 0")
    seed = random.SystemRandom().randrange(10**6) if arguments.seed is None else arguments.seed
    limits = Limits(seconds=arguments.seconds)
    computers: dict[str, Callable[[], Chooser]] = {
        "timed": lambda: TimedPlayer(limits, seed),
        "perfect": PerfectPlayer,
        "random": lambda: RandomPlayer(seed),
    }
    computer = computers[arguments.against]() if arguments.against in computers else None
    table = Table(_record(arguments.request, arguments.resume, seed), computer, limits)
    path = arguments.save or arguments.resume
    if path is not None:
        if path != arguments.resume and Path(path).exists():
            raise UsageError(f"{path} exists already; go on with it by --resume, or choose another file for --save")
        table.path, table.is_saved = Path(path), path == arguments.resume
    try:
        table.seat_people(arguments.first)
        table.run()
    except (Leave, EOFError):
        table.leave()
    except (KeyboardInterrupt, Interrupted):
        table.leave()
        return 130
    except CGTError:
        table.leave()
        raise
    return 0


def _record(request: dict[str, object], resumed: str | None, seed: int) -> Record:
    """The game to play: a saved one, one from a position, or a new one."""
    if resumed is not None:
        if request:
            raise UsageError(f"with --resume the file says all about the game; {min(request)} cannot be given too")
        return Record.load(resumed)
    given = dict(request)
    if "game" not in given:
        raise UsageError("a game is needed, such as cgt-games play nim (see cgt-games list)")
    state_type, to_move = game(str(given.pop("game"))), given.pop("to_move", None)
    turn = None if to_move is None else str(to_move)
    if (text := given.pop("position", None)) is not None:
        position = read_position(state_type, str(text), turn, given)
    else:
        position = new_game(state_type, random.Random(seed), turn, given)
    return Record.start(position)


@dataclass
class Table:
    """A game in progress, and who plays it."""

    record: Record
    computer: Chooser | None
    limits: Limits
    mine: int = 0
    """My seat, against the computer."""
    path: Path | None = None
    """Where the game is saved after each move."""
    is_saved: bool = False
    is_warm: bool = False

    # --- who sits where ---

    def seat_people(self, first: str | None) -> None:
        """Find out who begins: as told, as the record's names say, or by asking; and name the players."""
        start, names = self.record.start_position, dict(self.record.names)
        seats = (start.to_move, start.to_move.opponent)
        if self.computer is None:
            return
        known = [seat for seat in (0, 1) if names.get(seats[seat]) == YOU]
        if first is not None:
            self.mine = 0 if first == "me" else 1
        elif len(known) == 1:
            self.mine = known[0]
        else:
            self.mine = self._ask_who_begins()
        named = {str(seats[self.mine]): YOU, str(seats[1 - self.mine]): self.computer.name}
        self.record = replace(self.record, names=tuple((player, named[str(player)]) for player in start.players))

    def _ask_who_begins(self) -> int:
        while True:
            answer = input("Do you want to go first? [yes/no] ").strip().lower()
            if answer in ("", "y", "yes", "n", "no"):
                return 1 if answer.startswith("n") else 0
            print("Please answer yes or no.")

    @property
    def seat(self) -> int:
        """Who is to move."""
        return len(self.record.moves) % 2

    @property
    def is_my_turn(self) -> bool:
        """Whether the keyboard is to move."""
        return self.computer is None or self.seat == self.mine

    def person(self, player: Player, position: Position) -> str:
        """Who plays a side of a position of the record, in words."""
        if self.computer is None:
            return str(player)
        start = self.record.start_position
        turn = position.player_of(player)
        seat = int(player != start.to_move) if turn is None else int(turn != start.player_of(start.to_move))
        return YOU if seat == self.mine else "the computer"

    # --- the game ---

    def run(self) -> None:
        """Play until someone leaves."""
        print(f"{HELP}\n")
        self.show()
        while True:
            if self.record.result is None and not self.is_my_turn:
                self.computer_moves()
            else:
                self.obey(input(self._prompt()).strip())

    def show(self) -> None:
        """The board, and how the game ended if it has."""
        print(f"\n{self.record.position.board()}\n")
        if self.record.result is not None:
            self.announce()

    def announce(self) -> None:
        """Who has won."""
        result = self.record.result
        if isinstance(result, Player):
            who = self.person(result, self.record.position)
            print(f"{who[0].upper()}{who[1:]} {'win' if who == YOU else 'wins'}. You can undo, save FILE or quit.")
        else:
            print("The game is drawn. You can undo, save FILE or quit.")

    def _prompt(self) -> str:
        if self.record.result is not None:
            return "game over> "
        player = self.record.to_move
        return f"{player}> " if self.computer is None else f"{YOU} ({player})> "

    def computer_moves(self) -> None:
        """Let the computer choose and play its move."""
        assert self.computer is not None
        if not isinstance(self.computer, RandomPlayer):
            self.warm_up()
        player = self.record.to_move
        move = self.computer.choose(self.record.position)
        print(f"the computer ({player}): {move}")
        self.play(str(move))

    def warm_up(self) -> None:
        """Let the game's engine compile what it has to, before the first search: its time is not for that."""
        if not self.is_warm:
            announce_compiling(type(self.record.position))
            type(self.record.position).warm_up()
            self.is_warm = True

    def play(self, text: str) -> None:
        """Play a move, say what fell by it, and save."""
        before = self.record.position
        self.record = self.record.play(text)
        gone = set(getattr(before, "fallen", ()))
        if fell := [str(part) for part in getattr(self.record.position, "fallen", ()) if part not in gone]:
            print(f"falls: {' '.join(fell)}")
        self.changed()
        self.show()

    def changed(self) -> None:
        """Keep the file up to date."""
        self.is_saved = False
        if self.path is not None:
            self.record.save(self.path)
            self.is_saved = True

    def obey(self, line: str) -> None:
        """Do what a typed line says; a mistake is explained and changes nothing."""
        if not line:
            return
        word, _, rest = line.partition(" ")
        commands: dict[str, Callable[[], None]] = {
            "help": lambda: print(HELP),
            "?": lambda: print(HELP),
            "moves": self.list_moves,
            "hint": self.hint,
            "board": self.show,
            "undo": self.undo,
            "resign": self.resign,
            "rules": self.rules,
            "quit": self.quit,
            "exit": self.quit,
        }
        position = self.record.position
        try:
            if word == "save":
                self.save(rest.strip())
            elif word in commands and not rest and line not in position.legal_moves:
                commands[word]()
            elif self.record.result is not None:
                print("The game is over; you can undo, save FILE or quit.")
            else:
                self.play(line)
        except IllegalMove as error:
            print(f"{error}\n('moves' lists the legal moves, 'help' the commands.)")
        except CGTError as error:
            print(error)
        except OSError as error:
            print(f"{error.filename}: {error.strerror}")

    # --- the commands ---

    def list_moves(self) -> None:
        """The legal moves."""
        legal = self.record.position.legal_moves
        shown = " ".join(str(move) for move in islice(legal, MOST_LISTED))
        more = "" if legal.count <= MOST_LISTED else f" and so on, {legal.count} in all"
        print(fill(f"{shown}{more}" or "none", 100, break_on_hyphens=False))

    def hint(self) -> None:
        """A best move and who wins; only what is proved."""
        position = self.record.position
        if self.record.result is not None:
            print("The game is over.")
            return
        self.warm_up()
        with progress_bar() as bar:
            solution = solve(position, limits=self.limits, progress=bar)
        if solution.stopped == "interrupt":
            verdict = "Stopped"
        elif solution.winner == DRAW:
            verdict = "With best play it is a draw"
        elif isinstance(solution.winner, Player):
            side = self._winning_person(solution.winner, solution.player, position)
            verdict = f"{side[0].upper()}{side[1:]} can force a win"
        else:
            verdict = f"Not solved within {self.limits.seconds:g} seconds"
        value = "" if solution.value is None else f", {solution.value_kind} {solution.value}"
        best = (solution.best_moves or solution.winning_moves or ())[:1]
        print(f"{verdict}{value}." + "".join(f" A good move: {move}" for move in best))

    def _winning_person(self, winner: Player, player: Turn | None, position: Position) -> str:
        if player is not None:
            # While sides may still change, the search tells which player of the game wins.
            if self.computer is None:
                return f"the {player} player"
            start = self.record.start_position
            return YOU if int(player != start.player_of(start.to_move)) == self.mine else "the computer"
        if isinstance(winner, Turn):
            # In an impartial game the solution speaks of who is to move now, and the record of who was at first.
            winner = winner if self.seat == 0 else winner.opponent
        return self.person(winner, position)

    def undo(self) -> None:
        """Back to where it was last the keyboard's turn."""
        record = self.record
        if record.resigned is not None:
            record = record.undo()
        else:
            while record.moves:
                record = record.undo()
                if self.computer is None or len(record.moves) % 2 == self.mine:
                    break
            if record is self.record or (self.computer is not None and len(record.moves) % 2 != self.mine):
                print("There is no move of yours to take back.")
                return
        self.record = record
        self.changed()
        self.show()

    def resign(self) -> None:
        """Give up; only in a game that goes on."""
        self.record = self.record.resign()
        self.changed()
        self.announce()

    def rules(self) -> None:
        """The rules, as ``cgt-games rules`` prints them."""
        from cgt_games.cli.house import rules_command

        rules_command([self.record.start_position.name])

    def save(self, name: str) -> None:
        """Write the record to a file, but over no other."""
        if not name:
            print("Say where: save FILE")
            return
        path = Path(name)
        if path.exists() and path != self.path:
            print(f"{name} exists already; choose another name.")
            return
        self.record.save(path)
        self.path, self.is_saved = path, True
        print(f"Saved. cgt-games play --resume {name} goes on from here.")

    def quit(self) -> None:
        """Leave the table."""
        raise Leave

    def leave(self) -> None:
        """Last words: how to go on, or what was played."""
        print()
        if self.is_saved and self.path is not None:
            print(f"The game is in {self.path}; cgt-games play --resume {self.path} goes on.")
        elif self.record.moves:
            print(fill(f"Not saved. Played: {' '.join(map(str, self.record.moves))}", 100, break_on_hyphens=False))
