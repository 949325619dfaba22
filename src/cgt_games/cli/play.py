"""The command ``play``: a game in the terminal, against the computer or by two at one keyboard.

What is played can be taken back, saved, and resumed where it stood; see :mod:`cgt_games.session`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from textwrap import fill

from cgt_games.cli.arguments import parse_words, read_start, whole_number
from cgt_games.cli.progress import announce_compiling, progress_bar
from cgt_games.command import Parser, UsageError
from cgt_games.players import Chooser, Interrupted
from cgt_games.position import CGTError, IllegalMove
from cgt_games.record import Record
from cgt_games.session import OPPONENTS, YOU, Session, opponent, rules_text
from cgt_games.solution import Limits

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
    arguments = parse_words("play", summary, words, extend=extend, position_needed=False, offer_json=False)
    if not arguments.seconds >= 0:
        raise UsageError(f"--seconds {arguments.seconds} must be at least 0")
    seed = random.SystemRandom().randrange(10**6) if arguments.seed is None else arguments.seed
    limits = Limits(seconds=arguments.seconds)
    computer = opponent(arguments.against, limits, seed)
    table = Table(_record(arguments.request, arguments.resume, seed), computer, limits)
    path = arguments.save or arguments.resume
    if path is not None:
        if path != arguments.resume:
            _try_out(Path(path))
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


def _try_out(path: Path) -> None:
    """Raise UsageError unless a new file can be written there."""
    try:
        path.touch(exist_ok=False)
        path.unlink()
    except FileExistsError:
        raise UsageError(
            f"{path} exists already; go on with it by --resume, or choose another file for --save"
        ) from None
    except OSError as error:
        raise UsageError(f"--save {path}: {error.strerror}") from None


def _record(request: dict[str, object], resumed: str | None, seed: int) -> Record:
    """The game to play: a saved one, one from a position, or a new one."""
    if resumed is not None:
        if request:
            raise UsageError(f"with --resume the file says all about the game; {min(request)} cannot be given too")
        return Record.load(resumed)
    return Record.start(read_start("play", request, seed))


@dataclass
class Table(Session):
    """A game in the terminal, and where it is saved."""

    path: Path | None = None
    """Where the game is saved after each move."""
    is_saved: bool = False
    _opponent: Chooser | None = None
    """The computer, as long as it is not known which seat it has: in a game that was over at the start."""

    # --- who sits where ---

    def seat_people(self, first: str | None) -> None:
        """Find out who begins: as told, as the record's names say, or by asking; and name the players.

        In a game that is over it is asked only when something is taken back.
        """
        if self.computer is None:
            return
        known = self.known_seat() if first is None else int(first != "me")
        if known is None and self.record.result is not None:
            self._opponent, self.computer = self.computer, None
            return
        self.take_seat(self._ask_who_begins() if known is None else known)

    def _ask_who_begins(self) -> int:
        while True:
            answer = input("Do you want to go first? [yes/no] ").strip().lower()
            if answer in ("", "y", "yes", "me"):
                return 0
            if answer in ("n", "no", "computer"):
                return 1
            print("Please answer yes or no.")

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
        """Who has won, and why."""
        print(f"{self.announcement()} You can undo, save FILE or quit.")

    def _prompt(self) -> str:
        if self.record.result is not None:
            return "game over> "
        player = self.record.to_move
        return f"{player}> " if self.computer is None else f"{YOU} ({player})> "

    def computer_moves(self) -> None:
        """Let the computer choose and play its move."""
        player = self.record.to_move
        move = self.choose_reply()
        print(f"the computer ({player}): {move}")
        self.make_move(str(move))

    def warm_up(self) -> None:
        """Say it if kernels have to be compiled."""
        if not self.is_warm:
            announce_compiling(type(self.record.position))
        super().warm_up()

    def make_move(self, text: str) -> None:
        """Play a move, say what fell by it, and save."""
        if fell := self.play(text):
            print(f"falls: {' '.join(fell)}")
        self.changed()
        self.show()

    def changed(self) -> None:
        """Keep the file up to date; where that fails, say so and play on."""
        self.is_saved = False
        if self.path is not None:
            try:
                self.record.save(self.path)
                self.is_saved = True
            except OSError as error:
                print(f"{self.path}: {error.strerror}. The game is not saved; save FILE writes it to another file.")

    def obey(self, line: str) -> None:
        """Do what a typed line says; a mistake is explained and changes nothing."""
        if not line:
            return
        word, _, rest = line.partition(" ")
        commands: dict[str, Callable[[], None]] = {
            "help": lambda: print(HELP),
            "?": lambda: print(HELP),
            "moves": self.list_moves,
            "hint": self.say_hint,
            "board": self.show,
            "undo": self.take_back,
            "resign": self.give_up,
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
                self.make_move(line)
        except IllegalMove as error:
            print(f"{error}\n('moves' lists the legal moves, 'help' the commands.)")
        except CGTError as error:
            print(error)
        except OSError as error:
            print(f"{error.filename}: {error.strerror}")

    # --- the commands ---

    def list_moves(self) -> None:
        """The legal moves."""
        if self.record.result is not None:
            print("The game is over; you can undo, save FILE or quit.")
            return
        legal = self.record.position.legal_moves
        shown = " ".join(str(move) for move in islice(legal, MOST_LISTED))
        more = "" if legal.count <= MOST_LISTED else f" and so on, {legal.count} in all"
        print(fill(f"{shown}{more}" or "none", 100, break_on_hyphens=False))

    def say_hint(self) -> None:
        """A best move and who wins; only what is proved."""
        with progress_bar() as bar:
            print(self.hint(bar).text)

    def take_back(self) -> None:
        """Back to where it was last the keyboard's turn."""
        self.undo()
        if self._opponent is not None:
            self.computer, self._opponent = self._opponent, None
            self.seat_people(None)
        self.changed()
        self.show()

    def give_up(self) -> None:
        """Give up; only in a game that goes on."""
        self.resign()
        self.changed()
        self.announce()

    def rules(self) -> None:
        """The rules, as ``cgt-games rules`` prints them."""
        print(rules_text(type(self.record.start_position)))

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
