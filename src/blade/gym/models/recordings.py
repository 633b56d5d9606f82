"""Recorded rollouts, found again by what was said so far.

A recording is a rollout file. Each turn of the model in it is indexed by a digest of the whole conversation before that turn, so a
request finds the turn that answered exactly this. Only places in the file are kept in memory, so a recording may be large.

Repeats of a task begin alike. Which of them a request continues is said by the rollout's name in its metadata (`T-R`) or by its seed (the
number of the repeat); without either, the first request gets the first recording, the second the second, and so on in a circle, so
that a run with as many repeats as were recorded replays each of them once.
"""

from collections import defaultdict
from dataclasses import dataclass
from typing import IO, Any

import msgspec

from blade.errors import UsageError
from blade.gym.models.prompts import Conversation, input_items, model_turns, opening_digest


@dataclass(frozen=True)
class Turn:
    """One turn as it was recorded. `usage` is the rollout's at its last turn and nothing before: its sum is what was recorded."""

    items: list[dict[str, Any]]
    response: dict[str, Any]
    usage: dict[str, Any] | None
    last: bool


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a turn stands: the row's offset and length in the file, and the number of the turn."""

    offset: int
    length: int
    number: int
    name: str
    repeat: int | None


class Recordings:
    """A rollout file, open and indexed."""

    def __init__(self, file: IO[bytes], path: str) -> None:
        self._file = file
        self._path = path
        self._turns: dict[str, list[_Place]] = defaultdict(list)
        self._openings: set[str] = set()
        self._asked: dict[str, int] = defaultdict(int)
        self.skipped = 0
        """Lines that hold no rollout that could be replayed."""

    @classmethod
    def read(cls, path: str) -> "Recordings":
        try:
            found = cls(open(path, "rb"), path)  # noqa: SIM115  # it stays open: answers are read from it
        except OSError as error:
            raise UsageError(f"the recorded rollouts cannot be read: {error.strerror}", path=path) from None
        found._index()
        if not found._turns:
            found.close()
            raise UsageError(
                "no line is a recorded rollout", path=path, hint="rollouts_jsonl_fpath names the rollouts that a run wrote"
            )
        return found

    def close(self) -> None:
        self._file.close()

    def next_turn(self, params: dict[str, Any], *, name: str | None, repeat: int | None) -> Turn | None:
        """What the model said next in the recording of this conversation; `None` if there is none."""
        state = Conversation(input_items(params)).digest()
        places = self._turns.get(state)
        if not places:
            return None
        named = next((place for place in places if place.name == name), None)
        if named is None and repeat is not None:
            named = next((place for place in places if place.repeat == repeat), None)
        if named is not None:
            return self._load(named)
        asked = self._asked[state]
        self._asked[state] += 1
        return self._load(places[asked % len(places)])

    def why_not(self, params: dict[str, Any]) -> str:
        """One sentence about a conversation that is not recorded."""
        if opening_digest(params) not in self._openings:
            return f"{self._path} has no rollout with this prompt"
        return f"{self._path} has rollouts with this prompt, but none in which the tools answered the same"

    def _index(self) -> None:
        offset = 0
        rows: list[tuple[tuple[int, int, int], list[tuple[str, _Place]]]] = []
        for line in self._file:
            try:
                rows.append(self._row(msgspec.json.decode(line), offset, len(line)))
            except (msgspec.DecodeError, UnicodeDecodeError, LookupError, TypeError, AttributeError, ValueError):
                self.skipped += bool(line.strip())
            offset += len(line)
        # A file is in the order in which rollouts ended; repeats are replayed in their own order.
        for _, places in sorted(rows, key=lambda row: row[0]):
            for state, place in places:
                self._turns[state].append(place)

    def _row(self, row: Any, offset: int, length: int) -> tuple[tuple[int, int, int], list[tuple[str, _Place]]]:
        """A row's place in the order of replaying, and its turns by the digest of what was said before them."""
        states = self._states(row["responses_create_params"], row["response"]["output"])
        task, repeat = row.get("_ng_task_index"), row.get("_ng_rollout_index")
        order = (task if isinstance(task, int) else 0, repeat if isinstance(repeat, int) else 0, offset)
        return order, [(state, _Place(offset, length, n, f"{task}-{repeat}", repeat)) for n, state in enumerate(states)]

    def _states(self, params: dict[str, Any], output: list[Any]) -> list[str]:
        """The digest of the conversation before each turn of the model."""
        said, done, states = Conversation(input_items(params)), 0, []
        for begin, end in model_turns(output):
            for item in output[done:begin]:
                said.say(item)
            states.append(said.digest())
            for item in output[begin:end]:
                said.say(item)
            done = end
        if not states:
            raise ValueError("the model never spoke")
        self._openings.add(opening_digest(params))
        return states

    def _load(self, place: _Place) -> Turn:
        self._file.seek(place.offset)
        response = msgspec.json.decode(self._file.read(place.length))["response"]
        turns = model_turns(response["output"])
        begin, end = turns[place.number]
        last = place.number == len(turns) - 1
        usage = response.get("usage")
        return Turn(response["output"][begin:end], response, usage if last or usage is None else _nothing(usage), last)


def _nothing(usage: dict[str, Any]) -> dict[str, Any]:
    """A usage of the same form in which every known count is zero."""
    return {key: _nothing(value) if isinstance(value, dict) else value if value is None else 0 for key, value in usage.items()}
