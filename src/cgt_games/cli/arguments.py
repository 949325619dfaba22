"""How the command line reads a request: a game, a position and options, from words or from a line of JSON.

Both become the same mapping of names to values, ``{"game": ..., "position": ..., ...}``, and are checked by
the same function, so that each mistake has one message. The options of a game come from its
``rule_options`` and those of a command from a tuple of the same :class:`~cgt_games.position.Rule`; no game
is known here by name.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from cgt_games.command import Parser, UsageError
from cgt_games.position import Position, Rule
from cgt_games.registry import GAMES, game, game_names, new_game, read_position


def parse_words(
    command: str,
    summary: str,
    words: Sequence[str],
    *,
    options: Sequence[Rule] = (),
    extend: Callable[[Parser], None] = lambda parser: None,
    position_needed: bool = True,
    offer_json: bool = True,
) -> argparse.Namespace:
    """The words of a command on a position, with ``request`` added: the mapping described above.

    ``options`` go into the request; ``extend`` adds what else the command takes, by argparse. Words of the
    form ``GAME POSITION [MORE...]`` are expected; game and position may be missing with ``--batch``, and where no
    ``position_needed``. With ``offer_json`` there is ``--json``.
    """
    game_name = next((word for word in words if word in GAMES), None)
    if game_name is None:
        all_games = game_names()
        game_name = next((word for word in words if word in all_games), None)
    rules = game(game_name).rule_options if game_name is not None else ()
    parser = Parser(prog=f"cgt-games {command}", description=summary, allow_abbrev=False)
    needed = None if position_needed and "--batch" not in words else "?"
    parser.add_argument("game", nargs=needed, help="name of a game, as in cgt-games list")
    parser.add_argument("position", nargs=needed, type=str.strip, help="a position as text; see cgt-games rules GAME")
    extend(parser)
    add_options(parser.add_argument_group(f"options of {game_name or 'the game, shown when it is named'}"), rules)
    parser.add_argument("--to-move", metavar="PLAYER", help="the player to move, where it is not the default")
    add_options(parser, options)
    if offer_json:
        parser.add_argument("--json", action="store_true", help="print one line of JSON")
    # Argparse takes what begins with a dash for an option, unless it holds a space; "-1,2" is a (bad) position.
    words = [f" {word}" if re.match(r"-[^A-Za-z-]", word) else word for word in words]
    if game_name is None and "--batch" not in words:
        known, _ = parser.parse_known_args(words)
        if known.game is not None:
            game(known.game)  # raises UnknownGame, before the game's options are refused for want of the game
    namespace = parser.parse_intermixed_args(words)
    names = ("game", "position", "to_move", *(rule.name for rule in (*rules, *options)))
    given = {name: getattr(namespace, name) for name in names}
    namespace.request = {name: value for name, value in given.items() if value is not None}
    return namespace


def add_options(parser: argparse._ActionsContainer, rules: Sequence[Rule]) -> None:
    """Give a parser one flag for each rule, ``--winner-only`` for ``winner_only``; what is not given is
    None."""
    kinds: dict[type, Callable[[str], Any]] = {int: whole_number, float: float, str: str}
    for rule in rules:
        flag = "--" + rule.name.replace("_", "-")
        text = rule.help.replace("%", "%%")
        if rule.kind is bool:
            parser.add_argument(flag, dest=rule.name, action=argparse.BooleanOptionalAction, help=text)
        else:
            metavar = "{" + ",".join(rule.choices) + "}" if rule.choices else None
            parser.add_argument(flag, dest=rule.name, type=kinds[rule.kind], metavar=metavar, help=text)


def whole_number(text: str) -> int:
    """An integer in decimal digits, for argparse."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"a whole number is needed, not {text!r}") from None


def parse_line(line: bytes) -> dict[str, Any]:
    """The request in one line of a batch. Raises :class:`UsageError`."""
    try:
        fields = json.loads(line.decode())
    except UnicodeDecodeError:
        raise UsageError("the line is not UTF-8 text") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the line is no valid JSON ({error})") from None
    if not isinstance(fields, dict):
        raise UsageError(f"a JSON object is needed, not {type(fields).__name__}")
    return fields


def read_request(request: Mapping[str, Any], options: Sequence[Rule] = ()) -> tuple[Position, dict[str, Any]]:
    """The position that a request is about, and its options (with their defaults); unknown keys are refused.

    Raises :class:`~cgt_games.CGTError` with one line that names the offending part.
    """
    rest = dict(request)
    for name in ("game", "position"):
        if not isinstance(rest.get(name), str):
            problem = f"must be a text, not {rest[name]!r}" if name in rest else "is missing"
            raise UsageError(f"{name!r} {problem}")
    state_type, text = game(rest.pop("game")), rest.pop("position")
    to_move = rest.pop("to_move", None)
    if not (to_move is None or isinstance(to_move, str)):
        raise UsageError(f"'to_move' must be a text, not {to_move!r}")
    chosen = {option.name: option.checked(rest.pop(option.name, None)) for option in options}
    return read_position(state_type, text, to_move, rest), chosen


def read_start(command: str, request: Mapping[str, Any], seed: int) -> Position:
    """The position from which a game is played: the one that a request names, or a new game's.

    ``seed`` decides what is left to chance. Raises :class:`~cgt_games.CGTError` with one line that names the offending
    part.
    """
    rest = dict(request)
    if "game" not in rest:
        raise UsageError(f"a game is needed, such as cgt-games {command} nim (see cgt-games list)")
    state_type, to_move = game(rest.pop("game")), rest.pop("to_move", None)
    if (text := rest.pop("position", None)) is not None:
        return read_position(state_type, text, to_move, rest)
    return new_game(state_type, Random(seed), to_move, rest)
