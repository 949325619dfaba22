"""The cases in ``tests/cases``: results that come from elsewhere, each naming its oracle, put to the command line.

One JSON object a line: ``do`` is the command (``solve``, ``moves``, or ``legal``, which is ``after`` with the
``move``), ``in`` a line of batch input, ``expect`` fields that the answer must have (lists of moves compare as sets),
and ``winning_results`` the positions that the winning moves lead to. ``"slow": true`` leaves a case to
``make test-slow``.
"""

import json
from pathlib import Path

import pytest

from cgt_games.cli import main
from cgt_games.cli.arguments import read_request
from cgt_games.cli.solving import batch, moves_request, solve_request

CASES = [
    pytest.param(case, id=f"{path.stem}-{number}", marks=[pytest.mark.slow] if case.get("slow") else [])
    for path in sorted((Path(__file__).parent / "cases").glob("*.jsonl"))
    for number, line in enumerate(path.read_text().splitlines(), 1)
    for case in [json.loads(line)]
]


def comparable(value):
    return sorted(value) if isinstance(value, list) else value


def answer(case, capsys):
    """The answer of the command line to a case."""
    if case["do"] == "legal":
        request = dict(case["in"])
        words = ["after", request.pop("game"), request.pop("position"), case["move"], "--json"]
        for name, value in request.items():
            flag = name.replace("_", "-")
            words += [f"--{'' if value else 'no-'}{flag}"] if isinstance(value, bool) else [f"--{flag}", str(value)]
        status = main(words)
        reply = json.loads(capsys.readouterr().out)
        assert status == (2 if "error" in reply else 0)
        return {"legal": "error" not in reply, "result": reply.get("position")}
    command = {"solve": solve_request, "moves": moves_request}[case["do"]]
    status = batch(command, {}, [json.dumps(case["in"]).encode()])
    reply = json.loads(capsys.readouterr().out)
    assert status == 0, reply["error"]
    return reply


def test_there_are_cases():
    assert len(CASES) >= 27


@pytest.mark.parametrize("case", CASES)
def test_case(case, capsys):
    reply = answer(case, capsys)
    for field, expected in case["expect"].items():
        assert comparable(reply[field]) == comparable(expected), f"{field}; oracle: {case['oracle']}"
    if "winning_results" in case:
        position, _ = read_request({k: v for k, v in case["in"].items() if k != "winner_only"})
        results = {position.play(move).to_text() for move in reply["winning_moves"]}
        assert results == set(case["winning_results"])
