"""The commands ``after``, ``perft``, ``show`` and ``replay``: positions and games as they are, nothing
solved."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cgt_games.cli.arguments import parse_words, read_request, whole_number
from cgt_games.command import Parser, UsageError
from cgt_games.perft import perft
from cgt_games.position import CGTError, Position
from cgt_games.record import Record, RecordError

if TYPE_CHECKING:
    from cgt_games.show import Picture


def after_command(words: Sequence[str]) -> int:
    """``cgt-games after GAME POSITION MOVE...``."""

    def extend(parser: Parser) -> None:
        parser.add_argument("moves", nargs="+", type=str.strip, metavar="MOVE", help="moves to play, in order")

    arguments = parse_words("after", "Play moves and print the position.", words, extend=extend)
    try:
        position, _ = read_request(arguments.request)
        for move in arguments.moves:
            position = position.play(move)
    except CGTError as error:
        if not arguments.json:
            raise
        print(json.dumps({"error": " ".join(str(error).split())}))
        return 2
    print(json.dumps(described(position)) if arguments.json else drawn(position))
    return 0


def described(position: Position) -> dict[str, Any]:
    """A position as the fields of JSON output; ``fallen`` is what the last move put out of play, in games
    with that."""
    winner = position.winner
    return {
        "position": position.to_text(),
        "to_move": str(position.to_move),
        "winner": None if winner is None else str(winner),
        "fallen": [str(part) for part in getattr(position, "fallen", ())],
    }


def drawn(position: Position) -> str:
    """A position for people: the board, whose turn it is, the rules, and the text to type."""
    text = position.to_text()
    return str(position) if position.board() == text else f"{position}\n{text}"


def perft_command(words: Sequence[str]) -> int:
    """``cgt-games perft GAME POSITION DEPTH``."""

    def extend(parser: Parser) -> None:
        parser.add_argument("depth", type=whole_number, help="number of turns")
        parser.add_argument("--distinct", action="store_true", help="count turns with the same result once")

    summary = "Count the sequences of exactly DEPTH turns."
    arguments = parse_words("perft", summary, words, extend=extend)
    if arguments.depth < 0:
        raise UsageError(f"depth {arguments.depth} must be at least 0")
    position, _ = read_request(arguments.request)
    count = perft(position, arguments.depth, distinct=arguments.distinct)
    print(json.dumps({"count": count}) if arguments.json else count)
    return 0


def show_command(words: Sequence[str]) -> int:
    """``cgt-games show GAME POSITION``."""

    def extend(parser: Parser) -> None:
        parser.add_argument("--svg", metavar="FILE", help="write a picture to a file instead; - is standard output")
        parser.add_argument("--last-move", metavar="MOVE", help="in the picture, the move that led here")
        parser.add_argument("--highlight", metavar="MOVE", nargs="+", default=(), help="in it, moves to point at")

    arguments = parse_words("show", "Draw a position in characters, or as a picture.", words, extend=extend)
    position, _ = read_request(arguments.request)
    if arguments.svg is not None:
        from cgt_games.show import svg

        _write(svg(position, last_move=arguments.last_move, highlight=arguments.highlight), arguments.svg)
        return 0
    if arguments.last_move is not None or arguments.highlight:
        raise UsageError("--last-move and --highlight are for a picture; add --svg FILE")
    print(json.dumps(described(position)) if arguments.json else drawn(position))
    return 0


def _write(picture: Picture, path: str) -> None:
    if path == "-":
        print(picture)
    else:
        picture.save(path)


def replay_command(words: Sequence[str]) -> int:
    """``cgt-games replay RECORD``."""
    parser = Parser(prog="cgt-games replay", description="Check a saved game and print it move by move.")
    parser.add_argument("record", help="a file that holds a record; - reads standard input")
    parser.add_argument("--json", action="store_true", help="print one line of JSON, with all positions")
    parser.add_argument("--svg", metavar="FILE", help="write a strip of boards to a file; - is standard output")
    arguments = parser.parse_args(words)
    if arguments.record == "-":
        try:
            if sys.stdin is None:
                raise UsageError("- reads standard input, but there is none")
            record = Record.from_json(sys.stdin.buffer.read().decode())
        except UnicodeDecodeError:
            raise RecordError("not a record: no UTF-8 text") from None
    else:
        record = Record.load(arguments.record)
    if arguments.svg is not None:
        from cgt_games.show import strip

        _write(strip(record), arguments.svg)
    elif arguments.json:
        print(json.dumps(_replayed(record)))
    else:
        print("\n".join(_score(record)))
    return 0


def _replayed(record: Record) -> dict[str, Any]:
    return {
        "game": record.start_position.name,
        "moves": [str(move) for move in record.moves],
        "positions": [position.to_text() for position in record.positions()],
        "to_move": str(record.to_move),
        "result": None if record.result is None else str(record.result),
        "resigned": None if record.resigned is None else str(record.resigned),
    }


def _score(record: Record) -> list[str]:
    """The lines of a game: who played, each move and the position after it, the last board, the result."""
    comments: dict[int, list[str]] = {}
    for number, text in record.comments:
        comments.setdefault(number, []).append(f"     {text}")
    title = [record.start_position.name, *(f"{player}: {name}" for player, name in record.names)]
    lines = [", ".join([*title, record.date] if record.date else title)]
    lines += [f"     start  {record.start_position.to_text()}", *comments.get(0, ())]
    for number, (move, position) in enumerate(zip(record.moves, record.positions()[1:], strict=True), 1):
        lines += [
            f"{number:>4} {record.mover(number)}  {move}  {position.to_text()}",
            *comments.get(number, ()),
        ]
    lines += ["", str(record.position.board())]
    if record.resigned is not None:
        lines.append(f"{record.resigned} resigned")
    result = record.result
    lines.append(f"{record.to_move} to move" if result is None else f"result: {result}")
    return lines
