"""The widget: a session of play, what the page is told of it, and what the page may ask.

The page is one plain module, ``board.js``, with its style, ``board.css``. It draws what :attr:`PlayBoard.view` says and
sends back what was touched; all that is known of the game stays here. What may take long, a reply or a hint, is done in
two steps: the view first says what is to be done (``todo``), the page shows that, and asks for it.

Some notebooks (JupyterLab, by its subshells) hand over what a page asks in a thread of its own. There the long work is
done in another thread, so that the page can stop it; elsewhere it is done on the spot, and interrupting the kernel
stops it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from importlib.resources import files
from itertools import islice
from typing import Any

import anywidget
import traitlets

from cgt_games.drawing import Box, Drawing, Group, Tone, draw
from cgt_games.notebook.clicks import Clicks, Places
from cgt_games.players import Interrupted
from cgt_games.position import CGTError, InvalidPosition, Move, Position, Rule, rules_in_force
from cgt_games.record import Record, RecordError
from cgt_games.registry import read_position
from cgt_games.session import OPPONENTS, Hint, Session, opponent, rules_text, time_limit, told_of_compiling
from cgt_games.show import svg
from cgt_games.show.markup import COLOURS, document
from cgt_games.show.pictures import framed
from cgt_games.solution import Progress

MOST_CHOICES = 36
"""So many moves without a place are offered as buttons; more have to be typed."""
MOST_WAYS_ON = 16
"""So many ways to go on from a touch are offered as buttons, too; of more the board alone marks the next places."""
FIRST = ("me", "computer")


def _style() -> str:
    """The style sheet, with the tones of the pictures as colours of the two themes."""
    rules = []
    for number, theme in enumerate(("light", "dark")):
        scope = f".cgt-play[data-theme={theme}]"
        names = "".join(f"--cgt-{tone}:{colours[number]};" for tone, colours in COLOURS.items())
        rules.append(f"{scope}{{color-scheme:{theme};{names}}}")
        rules.append(f"{scope} .cgt-board{{color:{COLOURS[Tone.INK][number]}}}")
        rules += [
            f"{scope} .cgt-board .{letter}-{tone}{{{kind}:{colours[number]}}}"
            for tone, colours in COLOURS.items()
            for letter, kind in (("f", "fill"), ("s", "stroke"))
        ]
    return _text("board.css") + "\n".join(rules)


def _text(name: str) -> str:
    return (files("cgt_games.notebook") / name).read_text(encoding="utf-8")


class PlayBoard(anywidget.AnyWidget):
    """A board to play on, in a notebook.

    ``game`` is the position to start from, or a record to go on with. ``first`` says who begins, ``"me"`` (the default)
    or ``"computer"``; a record's names may say it too. ``against`` is the opponent: ``"timed"`` (perfect where it can
    be within ``seconds`` a move), ``"perfect"`` (however long it takes), ``"random"``, or ``"nobody"`` for two people.
    ``seconds`` also bounds each hint and evaluation, and ``seed`` decides what is left to chance. With ``evaluation``
    it is shown who can force a win. All these can be changed on the page.

    ``record`` is the game so far. Moves can be made from Python too, by :meth:`play`; the reply then comes at once.

    Raises CGTError for what is neither position nor record and for a word that is none of these, InvalidLimit for
    ``seconds`` that are no number from 0: there is always a limit.
    """

    _esm = _text("board.js")
    _css = _style()
    about = traitlets.Dict().tag(sync=True)
    """What does not change: the game's name and its rules in prose."""
    view = traitlets.Dict().tag(sync=True)
    """All that the page shows."""

    def __init__(
        self,
        game: Position | Record,
        *,
        first: str | None = None,
        against: str = "timed",
        seconds: float = 2.0,
        seed: int | None = None,
        evaluation: bool = False,
    ):
        if not isinstance(game, Position | Record):
            raise CGTError(f"a board is of a position or a record, not of {game!r}")
        record = game if isinstance(game, Record) else Record.start(game)
        if first not in (None, *FIRST):
            raise CGTError(f"first is {' or '.join(FIRST)}, not {first!r}")
        self._against, self._seed, self._evaluation = against, seed, bool(evaluation)
        self._lock, self._halt = threading.RLock(), threading.Event()
        self._worker: threading.Thread | None = None
        self._reported, self._makes_way = 0.0, False
        limits = time_limit(seconds)
        self._session = Session(record, opponent(against, limits, seed, self._progress), limits)
        known = self._session.known_seat()
        self._first = first or FIRST[known or 0]
        self._session.take_seat(FIRST.index(self._first))
        self._touched: Places = ()
        self._hinted: Places = ()
        self._wants_hint = self._stopped = False
        self._said, self._is_mistake = "", False
        self._evaluated: tuple[Position, str] | None = None
        self._step = 0
        self._rules = list(_rules_to_choose(record.start_position))
        self._look()
        state_type = type(record.start_position)
        try:
            rules = rules_text(state_type)
        except CGTError:
            rules = ""
        super().__init__(
            about={"game": state_type.name or state_type.__name__, "rules": rules}, view=self._seen_or_fault()
        )
        self.on_msg(self._on_message)

    # --- for Python ---

    def __repr__(self) -> str:
        count = len(self.record.moves)
        return f"<board of {self.about['game']}, {count} move{'' if count == 1 else 's'}>"

    @property
    def record(self) -> Record:
        """The game so far."""
        return self._session.record

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self._session.record.position

    def play(self, move: Move) -> None:
        """Play a move (or its text), and let the computer reply.

        If it is the computer's turn, that comes first. Raises IllegalMove, RecordError after the end, and CGTError
        where the computer found no move.
        """
        with self._lock:
            if not self._session.is_my_turn:
                self._stopped = False
                self._work_off()
            if not self._session.is_my_turn:
                raise CGTError(f"the computer has not moved: {self._said}")
            self._make(move)
            self._work_off()

    def undo(self) -> None:
        """Take back your last move and the reply. Raises CGTError if there is none."""
        with self._lock:
            self._session.undo()
            self._look()
            self._show()

    def hint(self) -> Hint:
        """A move to play, which the board then shows, and who wins; within about twice the seconds a move.

        Raises CGTError after the end, and while the computer is to move.
        """
        with self._lock:
            self._begin()
            hint = self._find_hint()
            self._show()
            return hint

    def new_game(self) -> None:
        """Start again where this game started; the computer moves if it begins."""
        with self._lock:
            self._restart(self.record.start_position)
            self._work_off()

    def stop(self) -> None:
        """End what the computer thinks about for the page; what is bounded by seconds may go on for these."""
        self._halt.set()

    def _work_off(self) -> None:
        """Do at once what the page would ask for."""
        self._begin()
        self._show()
        while self._todo() is not None:
            self._do()
            self._show()

    # --- what happens ---

    def _look(self, said: str = "") -> None:
        """Look at the position anew: nothing is touched, nothing hinted."""
        record = self.record
        self._last = record.moves[-1] if record.moves else None
        self._drawing: Drawing = draw(record.position, self._last)
        self._clicks = Clicks(record.position, self._drawing)
        self._touched = self._hinted = ()
        self._wants_hint = self._stopped = False
        self._say(said)

    def _say(self, text: str, *, mistake: bool = False) -> None:
        self._said, self._is_mistake = text, mistake

    def _make(self, move: Move) -> None:
        fell = self._session.play(move)
        self._look(f"Falls: {' '.join(fell)}." if fell else "")

    def _todo(self) -> str | None:
        """What there is to be done that may take long."""
        if self.record.result is not None:
            return None
        if not self._session.is_my_turn and not self._stopped:
            return "reply"
        if self._wants_hint:
            return "hint"
        known = self._evaluated is not None and self._evaluated[0] is self.position
        return "evaluate" if self._evaluation and not known else None

    def _begin(self) -> None:
        self._makes_way = False
        self._halt.clear()

    def _do(self) -> None:
        """Do it; Ctrl-C, or an error of the game's, is said."""
        todo, self._reported = self._todo(), time.perf_counter()
        before = "" if self._is_mistake else self._said
        try:
            with told_of_compiling(type(self.position), self._say_compiling):
                if todo == "reply":
                    player, move = self.record.to_move, self._session.choose_reply()
                    fell = self._session.play(move)
                    falls = f" Falls: {' '.join(fell)}." if fell else ""
                    self._look(f"{before} The computer ({player}) plays {move}.{falls}".strip())
                elif todo == "hint":
                    self._find_hint()
                elif todo == "evaluate":
                    solution = self._session.solution(self._progress)
                    if solution.stopped == "interrupt":
                        raise KeyboardInterrupt
                    self._evaluated = (self.position, self._session.verdict(solution))
        except (Interrupted, KeyboardInterrupt):
            self._give_up(todo, "Stopped.")
        except CGTError as error:
            self._give_up(todo, str(error))
        except Exception as error:  # a fault in somebody's own game: it would be asked for again and again
            self._give_up(todo, f"{type(error).__name__}: {error}")

    def _give_up(self, todo: str | None, reason: str) -> None:
        if self._makes_way:  # it begins again after what was asked meanwhile
            return
        self._say(reason, mistake=True)
        self._wants_hint = False
        self._stopped = todo == "reply"
        if todo == "evaluate":
            self._evaluated = (self.position, "not known")

    def _progress(self, progress: Progress) -> None:
        if self._halt.is_set():
            raise KeyboardInterrupt
        if (now := time.perf_counter()) - self._reported > 0.5:
            self._reported = now
            self.send({"progress": f"{progress.nodes:,} nodes"})

    def _say_compiling(self) -> None:
        self.send({"note": "compiling kernels, once per installation …"})

    def _find_hint(self) -> Hint:
        self._wants_hint = False
        hint = self._session.hint(self._progress)
        if self._halt.is_set():
            raise KeyboardInterrupt
        self._hinted = () if hint.move is None else tuple(self._drawing.touch(hint.move))
        self._touched = ()
        self._say(hint.text)
        return hint

    def _restart(self, start: Position) -> None:
        session = self._session
        session.record = Record.start(start)
        self._rules = list(_rules_to_choose(start))
        session.take_seat(FIRST.index(self._first))
        self._look()

    # --- what the page asks ---

    def _on_message(self, _: object, content: Any, buffers: object) -> None:
        """Do what the page asks; a mistake is explained and changes nothing."""
        asked = content if isinstance(content, Mapping) else {}
        wish = asked.get("do")
        if not isinstance(wish, str) or wish not in _ASKED or not self._is_free(wish):
            return
        doing = getattr(self, f"_on_{wish}")
        with self._lock:
            try:
                doing(asked)
            except (CGTError, ValueError, TypeError) as error:
                self._say(" ".join(str(error).split()), mistake=True)
            except Exception as error:  # a fault in somebody's own game
                self._say(f"{type(error).__name__}: {error}", mistake=True)
            if self._worker is None:
                self._show()

    def _is_free(self, wish: str) -> bool:
        """Whether there is nothing else to be done; what is being done ends for anything but a move out of turn."""
        worker = self._worker
        if worker is None:
            return True
        if wish == "work" or (wish in ("touch", "move", "clear", "hint") and not self._session.is_my_turn):
            return False
        self._makes_way = wish != "stop"
        self._halt.set()
        worker.join()
        return self._makes_way

    def _on_stop(self, asked: Mapping[str, Any]) -> None:
        """Nothing is being done, so there is nothing to stop."""

    def _on_work(self, asked: Mapping[str, Any]) -> None:
        if asked.get("step") != self._step:  # another view of this board may have asked already
            return
        self._begin()
        if threading.current_thread() is threading.main_thread():
            self._do()
            return
        self.send({"stoppable": True})
        self._worker = threading.Thread(target=self._work, daemon=True)
        self._worker.start()

    def _work(self) -> None:
        with self._lock:
            try:
                self._do()
            finally:
                self._worker = None
                self._show()

    def _on_touch(self, asked: Mapping[str, Any]) -> None:
        if not self._may_move():
            return
        result = self._clicks.touch(self._touched, str(asked.get("place")))
        if result.move is not None:
            self._make(result.move)
            return
        self._touched, self._hinted = result.places, ()
        if result.reason or self._is_mistake:  # else what the computer played stays to be read
            self._say(result.reason, mistake=bool(result.reason))

    def _may_move(self) -> bool:
        if self.record.result is not None:
            self._say("The game is over. You can undo, or begin a new game.", mistake=True)
        elif not self._session.is_my_turn:
            self._say("It is the computer's turn.", mistake=True)
        else:
            return True
        return False

    def _on_move(self, asked: Mapping[str, Any]) -> None:
        if self._may_move():
            text = str(asked.get("move")).strip()
            move = self.position.parse_move(text)
            reason = self.position.why_illegal(move, self.position.to_move)
            if reason is not None:
                self._say(f"{text}: {reason}", mistake=True)
            else:
                self._make(move)

    def _on_clear(self, asked: Mapping[str, Any]) -> None:
        self._touched = self._hinted = ()
        self._say("")

    def _on_undo(self, asked: Mapping[str, Any]) -> None:
        self._session.undo()
        self._look()

    def _on_hint(self, asked: Mapping[str, Any]) -> None:
        if self._may_move():
            self._wants_hint = True

    def _on_resign(self, asked: Mapping[str, Any]) -> None:
        self._session.resign()
        self._look()

    def _on_go_on(self, asked: Mapping[str, Any]) -> None:
        self._stopped = False
        self._say("")

    def _on_new(self, asked: Mapping[str, Any]) -> None:
        start, rules = self.record.start_position, asked.get("rules")
        self._restart(_under_rules(start, rules) if isinstance(rules, Mapping) else start)

    def _on_evaluation(self, asked: Mapping[str, Any]) -> None:
        self._evaluation = asked.get("shown") is True

    def _on_opponent(self, asked: Mapping[str, Any]) -> None:
        """Another level, another time, or another to begin; the game goes on, or begins anew if you have not moved."""
        against, first = str(asked.get("against", self._against)), str(asked.get("first", self._first))
        if first not in FIRST:
            raise CGTError(f"first is {' or '.join(FIRST)}, not {first!r}")
        session = self._session
        limits = time_limit(asked.get("seconds", session.limits.seconds))
        computer = opponent(against, limits, self._seed, self._progress)
        self._against, session.computer, session.limits, self._stopped = against, computer, limits, False
        if first == self._first:
            session.take_seat(session.mine)
            return
        self._first = first
        if len(self.record.moves) <= session.mine:
            self._restart(self.record.start_position)
        else:
            session.take_seat(session.mine)
            self._say(f"{'You begin' if first == 'me' else 'The computer begins'} in the next game.")

    # --- what the page shows ---

    def _show(self) -> None:
        self._step += 1
        self.view = self._seen_or_fault()

    def _seen_or_fault(self) -> dict[str, Any]:
        """What is seen; or where somebody's own game fails at the position, that it does: undo leads out of it."""
        try:
            return self._seen()
        except Exception as error:
            return {
                **_EMPTY,
                "step": self._step,
                "said": f"{type(error).__name__}: {error}",
                "settings": self._settings(),
                "rules": self._rules,
                "moves": [str(move) for move in self.record.moves],
            }

    def _settings(self) -> dict[str, Any]:
        return {
            "against": self._against,
            "first": self._first,
            "seconds": self._session.limits.seconds,
            "evaluation": self._evaluation,
        }

    def _seen(self) -> dict[str, Any]:
        session, record, drawing = self._session, self.record, self._drawing
        over, mine = record.result is not None, session.is_my_turn
        width, height, inside = framed(drawing, "")
        board = next(mark for mark in inside if isinstance(mark, Group))
        marks = (Box(0, 0, width, height, Tone.PAPER, rounding=8), *inside)
        title = svg(record.position, last_move=self._last).title
        active = not over and mine
        choices = list(islice(self._choices(), MOST_CHOICES + 1)) if active else []
        try:
            saved = {"text": record.to_json(), "name": f"{record.start_position.name}-{len(record.moves)}.json"}
        except RecordError as error:
            saved = {"error": str(error)}
        is_known = self._evaluated is not None and self._evaluated[0] is self.position
        shown = self._evaluated[1] if self._evaluation and self._evaluated and is_known else ""
        return {
            "step": self._step,
            "svg": document(width, height, 1, title, marks),
            "size": [width, height],
            "text": record.position.board(),
            "places": [
                [name, round(board.x + place.x, 2), round(board.y + place.y, 2), place.reach, place.square]
                for name, place in drawing.places.items()
            ],
            "touched": list(self._touched),
            "next": sorted(self._clicks.next_places(self._touched)) if active else [],
            "hinted": [name for name in self._hinted if name in drawing.places],
            "choices": choices[:MOST_CHOICES],
            "more_choices": len(choices) > MOST_CHOICES,
            "status": self._status(),
            "over": over,
            "active": active,
            "note": drawing.note if over or self._evaluation else "",  # it may tell what the evaluation would
            "said": self._said,
            "mistake": self._is_mistake,
            "todo": self._todo(),
            "stopped": self._stopped,
            "evaluation": shown if not over else "",
            "settings": self._settings(),
            "levels": list(OPPONENTS),
            "rules": self._rules,
            "in_force": rules_in_force(record.position),
            "moves": [str(move) for move in record.moves],
            "saved": saved,
        }

    def _choices(self) -> Iterator[str]:
        """Moves to be offered as buttons: those that have no place, and what the places touched leave if it is few."""
        if not self._touched:
            yield from map(str, self._clicks.without_place)
            return
        begun = self._clicks.begin_with(self._touched)
        whole = [move for names, move in begun if len(names) == len(self._touched)]
        yield from map(str, whole if len(begun) > MOST_WAYS_ON else (move for _, move in begun))

    def _status(self) -> str:
        session, record = self._session, self.record
        if record.result is not None:
            return session.announcement()
        if session.computer is None:
            return f"{str(record.to_move).capitalize()} to move."
        if session.is_my_turn:
            return f"Your turn ({record.to_move})."
        return f"The computer ({record.to_move}) is to move."

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """The widget, and the picture of the position for whoever shows no widgets."""
        made = super()._repr_mimebundle_(**options)
        if made is None:
            return None
        data, metadata = made
        try:
            return {**data, "image/svg+xml": str(svg(self.position, last_move=self._last))}, metadata
        except Exception:  # the widget says it
            return data, metadata


_ASKED = frozenset(
    ("work", "stop", "touch", "move", "clear", "undo", "hint", "resign", "go_on", "new", "evaluation", "opponent")
)

_EMPTY: dict[str, Any] = {
    "svg": document(1, 1, 1, "", ()),
    "size": [1, 1],
    **dict.fromkeys(("text", "status", "note", "evaluation", "in_force"), ""),
    **dict.fromkeys(("places", "touched", "next", "hinted", "choices"), ()),
    **dict.fromkeys(("more_choices", "over", "active", "stopped"), False),
    "mistake": True,
    "todo": None,
    "levels": OPPONENTS,
    "saved": {"error": "the position cannot be shown, so the game cannot be saved"},
}
"""The view of a position that cannot be shown."""


def _under_rules(start: Position, rules: Mapping[str, Any]) -> Position:
    """The same board and side to move under other rules. Raises InvalidPosition."""
    return read_position(type(start), start.to_text(), str(start.to_move), {**start.rules(), **rules})


def _rules_to_choose(start: Position) -> Iterator[dict[str, Any]]:
    """The rules of which the start allows another choice."""
    now = start.rules()
    for rule in (rule for rule in start.rule_options if rule.name in now):
        values = [value for value in _values(rule) if value == now[rule.name] or _allows(start, rule.name, value)]
        if len(values) > 1:
            yield {"name": rule.name, "help": rule.help, "value": now[rule.name], "values": values}


def _values(rule: Rule) -> tuple[Any, ...]:
    return rule.choices or ((False, True) if rule.kind is bool else ())


def _allows(start: Position, name: str, value: object) -> bool:
    try:
        return _under_rules(start, {name: value}).to_text() == start.to_text()
    except InvalidPosition:
        return False
