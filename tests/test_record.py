"""Records: they keep the start in full, replay, and say where they do not."""

import copy
import json
import pickle
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cgt_games import Nim
from cgt_games.position import (
    CGTError,
    IllegalMove,
    ImpartialPosition,
    InvalidPosition,
    PartizanPosition,
    Rule,
    Side,
    Turn,
)
from cgt_games.record import Record, RecordError


@dataclass(frozen=True)
class Heap(ImpartialPosition):
    """One heap; a move takes 1 to ``most``."""

    size: int
    most: int = 3
    name = "heap"
    rule_options = (Rule("most", int, 3, "the most that a move may take"),)

    def generate_moves(self, player):
        return iter(range(1, min(self.size, self.most) + 1))

    def apply(self, move, player):
        return Heap(self.size - move, self.most)

    def to_text(self):
        return str(self.size)

    @classmethod
    def from_text(cls, text, *, to_move=None, most=3):
        if not text.isdecimal():
            raise InvalidPosition(f"{text!r} is no number")
        return cls(int(text), most)


@dataclass(frozen=True)
class Strip(PartizanPosition):
    """Left takes 1 or passes once it is at most 2; Right takes 2; who cannot move loses."""

    size: int
    to_move: Side = Side.LEFT
    name = "strip"

    def generate_moves(self, player):
        if player is Side.RIGHT:
            return iter(["take2"] if self.size >= 2 else [])
        return iter(["take1"] if self.size > 2 else ["take1", "pass"] if self.size else [])

    def apply(self, move, player):
        return Strip(self.size - {"take1": 1, "take2": 2, "pass": 0}[move], player.opponent)

    def to_text(self):
        return "x" * self.size or "-"

    @classmethod
    def from_text(cls, text, *, to_move=None):
        if set(text) - set("x-"):
            raise InvalidPosition(f"{text!r} is no strip")
        return cls(text.count("x"), Side(to_move or "left"))


def changed(record, **fields):
    """The record's JSON with some fields replaced (or, by ..., removed)."""
    data = json.loads(record.to_json()) | fields
    return json.dumps({name: value for name, value in data.items() if value is not ...})


@given(st.integers(0, 30), st.integers(1, 5), st.data())
def test_every_record_survives_the_round_trip(size, most, data):
    record = Record.start(Heap(size, most))
    while record.position.size and data.draw(st.booleans()):
        record = record.play(data.draw(st.sampled_from(list(record.position.legal_moves))))
    if record.result is None and data.draw(st.booleans()):
        record = record.resign()
    again = Record.from_json(record.to_json(), Heap)
    assert again == record
    assert hash(again) == hash(record)
    assert again.positions() == record.positions()
    assert again.result == record.result
    assert again.to_json() == record.to_json()


def test_the_result_of_an_impartial_game_is_told_from_its_start():
    # From the end of an odd number of moves "first" would mean the other one.
    one = Record.start(Heap(1)).play(1)
    two = Record.start(Heap(2)).play(1).play("1")
    assert one.position.winner is Turn.SECOND
    assert one.result is Turn.FIRST
    assert two.result is Turn.SECOND
    assert (one.to_move, two.to_move) == (Turn.SECOND, Turn.FIRST)


def test_the_side_to_move_is_kept():
    record = Record.start(Strip(3, Side.RIGHT)).play("take2")
    again = Record.from_json(record.to_json(), Strip)
    assert again.start_position.to_move is Side.RIGHT
    assert again.position == Strip(1, Side.LEFT)
    # Without it the same moves are refused, because Left cannot take two.
    with pytest.raises(RecordError, match="move 1 of 1"):
        Record.from_json(changed(record, to_move="left"), Strip)


def test_a_pass_an_unfinished_game_and_a_resignation_are_fine():
    passed = Record.start(Strip(2)).play("pass")
    assert Record.from_json(passed.to_json(), Strip).moves == ("pass",)
    assert passed.result is None
    resigned = passed.resign()
    again = Record.from_json(resigned.to_json(), Strip)
    assert again.resigned is Side.RIGHT
    assert again.result is Side.LEFT
    assert passed.resign("left").result is Side.RIGHT


def test_undo_goes_back_to_the_start_and_no_further():
    record = Record.start(Heap(5)).comment("here we go").play(3, comment="too many").play(2)
    assert record.result is Turn.SECOND
    back = record.undo()
    assert back.position == Heap(2)
    assert back.result is None
    assert back.comments == ((0, "here we go"), (1, "too many"))
    back = back.resign().undo().undo()
    assert back == Record.start(Heap(5)).comment("here we go")
    with pytest.raises(RecordError, match="no move has been played"):
        back.undo()


def test_nothing_is_played_after_the_end():
    over = Record.start(Heap(1)).play(1)
    with pytest.raises(IllegalMove):
        over.play(1)
    with pytest.raises(RecordError, match="over already"):
        over.resign()
    given_up = Record.start(Heap(4)).resign()
    with pytest.raises(RecordError, match="first has resigned"):
        given_up.play(1)
    with pytest.raises(RecordError, match="over already"):
        given_up.resign()


def test_an_illegal_move_changes_nothing():
    record = Record.start(Heap(5)).play(1)
    with pytest.raises(IllegalMove, match="4"):
        record.play(4)
    assert record == Record.start(Heap(5)).play(1)


def test_a_record_that_does_not_replay_says_at_which_move_and_why():
    record = Record.start(Heap(5)).play(1).play(1)
    with pytest.raises(RecordError, match=r"move 2 of 3 cannot be played: '9' is no legal move in '4'") as caught:
        Record.from_json(changed(record, moves=["1", "9", "1"]), Heap)
    assert caught.value.move_number == 2
    assert isinstance(caught.value, CGTError)
    assert isinstance(caught.value, ValueError)
    with pytest.raises(RecordError, match="move 2 of 2"):
        Record(Heap(2), (1, 2))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"game": ...}, "field 'game' is missing"),
        ({"start": ...}, "field 'start' is missing"),
        ({"game": "chess"}, "a record of chess, not of heap"),
        ({"start": "five"}, "'five' is no number"),
        ({"start": 5}, "field 'start': a text is needed"),
        ({"rules": {"mots": 3}}, "no option 'mots'"),
        ({"rules": {"most": "3"}}, "'most' must be a whole number"),
        ({"rules": {"most": True}}, "'most' must be a whole number"),
        ({"rules": []}, "field 'rules': an object is needed"),
        ({"moves": "1"}, "field 'moves': a list is needed"),
        ({"moves": ["1", 2]}, "move 2 of 2 is no text: 2"),
        ({"result": "first"}, "'result' says 'first', but the game as replayed is not over"),
        ({"moves": ["2", "3"], "result": "first"}, "says 'first', .* has the result 'second'"),
        ({"moves": ["2", "3"], "resigned": "second"}, "over already"),
        ({"resigned": "third"}, "'third' is no player"),
        ({"names": {"third": "teacher"}}, "'third' is no player"),
        ({"names": {"first": 3}}, "each name must be a text"),
        ({"comments": {"2": "late"}}, "'2' is no number of moves from 0 to 1"),
        ({"comments": {"-1": "early"}}, "'-1' is no number"),
        ({"comments": {"9" * 5000: "late"}}, "is no number of moves"),
        ({"comments": {"1": 5}}, "what stands at '1' is no text"),
        ({"date": 2020}, "field 'date': a text is needed"),
    ],
)
def test_malformed_fields_are_named(fields, message):
    record = Record.start(Heap(5)).play(1)
    with pytest.raises(RecordError, match=message):
        Record.from_json(changed(record, **fields), Heap)


@pytest.mark.parametrize("text", ["", "[]", "{", "null", "[" * 100_000, '"heap"'])
def test_what_is_no_record_is_refused(text):
    with pytest.raises(RecordError, match="not a record"):
        Record.from_json(text, Heap)


def test_a_record_of_an_unknown_game_is_refused():
    with pytest.raises(RecordError, match="no game is called 'heap'"):
        Record.from_json(Record.start(Heap(3)).to_json())


def test_a_game_without_a_name_has_records_but_no_file():
    class Nameless(Heap):
        name = ""

    with pytest.raises(RecordError, match="Nameless has no name"):
        Record.start(Nameless(3)).to_json()


def test_unknown_fields_survive(tmp_path):
    record = Record.start(Heap(5)).play(1)
    text = changed(record, event={"round": [1, 2]}, clock=None)
    again = Record.from_json(text, Heap).play(2)
    again.save(tmp_path / "game.json")
    data = json.loads((tmp_path / "game.json").read_text())
    assert data["event"] == {"round": [1, 2]}
    assert data["clock"] is None
    assert data["moves"] == ["1", "2"]
    assert Record.load(tmp_path / "game.json", Heap) == again


def test_names_dates_and_comments_are_kept():
    record = Record.start(Heap(5), names={"second": "класс", "first": "teacher"}, date="1901-12")
    record = record.comment("one").comment("two").play(2, comment="three")
    again = Record.from_json(record.to_json(), Heap)
    assert again == record
    assert again.names == ((Turn.FIRST, "teacher"), (Turn.SECOND, "класс"))
    assert again.date == "1901-12"
    assert again.comments == ((0, "one"), (0, "two"), (1, "three"))
    with pytest.raises(RecordError, match="'left' is no player"):
        Record.start(Heap(5), names={"left": "teacher"})


def test_loading_names_the_file(tmp_path):
    path = tmp_path / "broken.json"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(RecordError, match=r"broken\.json: not a record: no UTF-8"):
        Record.load(path)
    path.write_text(changed(Record.start(Heap(5)), moves=["9"]))
    with pytest.raises(RecordError, match=r"broken\.json: move 1 of 1") as caught:
        Record.load(path, Heap)
    assert caught.value.move_number == 1


def test_records_are_values():
    record = Record.start(Heap(9)).play(1)
    record_with_result = record.resign()
    assert record_with_result.result is Turn.FIRST
    for value in (record, record_with_result):
        assert pickle.loads(pickle.dumps(value)) == value
        assert copy.deepcopy(value) == value
        assert {value: 1}[copy.copy(value)] == 1
    assert record != record_with_result
    assert record != Record.start(Heap(8))


def test_long_games_need_no_recursion():
    record = Record(Heap(3000, 1), (1,) * 3000)
    assert record.result is Turn.SECOND
    assert pickle.loads(pickle.dumps(record)) == record
    assert Record.from_json(record.to_json(), Heap) == record


@pytest.mark.parametrize("wrong", [{"names": {"first": 1}}, {"date": 5}])
def test_names_and_dates_are_texts(wrong):
    with pytest.raises(RecordError, match="is a text"):
        Record.start(Nim(1), **wrong)


def test_what_is_no_text_leaves_the_file_as_it_was(tmp_path):
    file = tmp_path / "game.json"
    Record.start(Nim(1)).save(file)
    before = file.read_bytes()
    with pytest.raises(RecordError, match="no text"):
        Record.start(Nim(1), date="\ud800").save(file)
    assert file.read_bytes() == before
