"""Where words stand in the transcripts: a quotation is looked for in the row it is said to come from.

Words are compared, not characters: case, spaces and punctuation do not count, so `pieces=144` is found in `{"pieces": 144}`. A
quotation may have an ellipsis within, and a long one may be cut at either end; in a short one every word and number is whole, as
`14` is not in `144`.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from blade.errors import BladeError
from blade.runs.rows import BadRow
from blade.runs.run import Run
from blade.runs.steps import Trajectory, read_row

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_GAP = re.compile(r"\s*(?:\[?(?:…|\.\.\.)\]?)\s*")
_PREFIX = re.compile(r"^[a-z_]{1,40}:\s+")
_CALL = re.compile(r"(?P<name>\w+)\(\{(?P<arguments>\".*?)(?P<whole>\}\))?…?$", re.S)
_ATOM = re.compile(r"\"(?:[^\"\\]|\\.)*\"?|-?\d+(?:\.\d+)?|true|false|null")
_ARGUMENT = re.compile(r"(?P<name>[\w.]+)(?:\[\d+\](?:\.\w+)*)+=(?P<value>[^;]*)$")
LONG = 60
MOST_STEPS = 100_000


def words(text: str) -> str:
    """The words of a text, with one space around each; a number without the zeros that say nothing."""
    return f" {' '.join(_plain(word) for word in _WORD.findall(text.casefold()))} "


def _plain(word: str) -> str:
    if not word[0].isdecimal():
        return word
    return re.sub(r"\.0+$", "", word)


def holds(transcript: str, quotation: str) -> bool:
    """Whether a transcript, given as its words, holds a quotation: as it stands, or each of its parts."""
    if _within(transcript, quotation):
        return True
    if call := _CALL.match(quotation):
        return _holds_call(transcript, call)
    if argument := _ARGUMENT.match(quotation):
        return _holds_argument(transcript, argument)
    parts = [part for part in re.split(r";\s+", quotation) if part.strip()]
    return all(_within(transcript, part) or _within(transcript, _PREFIX.sub("", part)) for part in parts)


def _holds_call(transcript: str, call: re.Match[str]) -> bool:
    """A call written out: its name, and each name and value of its arguments, in whatever order; where the end was cut, all but the last."""
    cut = not call["whole"]
    atoms = [words(atom) for atom in _ATOM.findall(call["arguments"])]
    wanted = atoms[:-1] if cut else atoms
    return words(call["name"]) in transcript and all(atom in transcript for atom in wanted if atom.strip())


def _holds_argument(transcript: str, argument: re.Match[str]) -> bool:
    """`item_ids[0]=8479046075`: the name and the value, which need not stand together; that there is none cannot be seen."""
    value = argument["value"].strip()
    return value in ("", "nothing") or all(words(part) in transcript for part in (argument["name"], value))


def _within(transcript: str, quotation: str) -> bool:
    """Each stretch between ellipses, in their order."""
    place, any_found = 0, False
    for stretch in _GAP.split(quotation):
        wanted = words(stretch)
        if not wanted.strip():
            continue
        found = _place(transcript, wanted, place)
        if found < 0:
            return False
        place, any_found = found, True
    return any_found


def _place(transcript: str, wanted: str, start: int) -> int:
    """Where the words end in the transcript; those at the edges of a long quotation may be cut."""
    found = transcript.find(wanted, start)
    if found >= 0:
        return found + len(wanted) - 1
    inner = wanted.strip()
    if len(inner) < LONG:
        return -1
    found = transcript.find(inner, start)
    return -1 if found < 0 else found + len(inner)


class Transcripts:
    """The words of a run's rows, read one at a time."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._words = lru_cache(maxsize=512)(self._read)
        self.calls = lru_cache(maxsize=512)(self._calls)

    def whole(self, rollout: str) -> list[str]:
        """The words of each row of a rollout: the prompt, every step, and what was written beside them."""
        return [everything for everything, _ in self._words(rollout)]

    def at(self, rollout: str, step: int) -> list[str]:
        """The words of one step, with the call that an output answers and the output that a call got."""
        return [steps[step] for _, steps in self._words(rollout) if step in steps]

    def where(self, rollout: str, quotation: str) -> list[int]:
        """The steps of a rollout at which a quotation stands."""
        return [step for _, steps in self._words(rollout) for step, said in steps.items() if holds(said, quotation)]

    def _calls(self, rollout: str) -> list[Counter[str]]:
        """How often each row of a rollout calls each tool."""
        return [
            Counter(call.name for call, _ in trajectory.calls_with_outputs() if call.name)
            for _, trajectory in self._trajectories(rollout)
        ]

    def _trajectories(self, rollout: str) -> Iterator[tuple[Any, Trajectory]]:
        """The rows of a rollout that can be read, each with its place."""
        for place in self._run.find(rollout):
            try:
                yield place, self._run.trajectory(place)
            except (BladeError, BadRow, ValueError, RecursionError):
                continue

    def _read(self, rollout: str) -> list[tuple[str, dict[int, str]]]:
        found = []
        for place, trajectory in self._trajectories(rollout):
            found.append((words(" ".join(_texts(read_row(self._run.text(place))))), _steps(trajectory)))
        return found


def _texts(value: Any) -> Iterator[str]:
    """Every name and value of a row, in their order."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif value is not None:
        yield str(value)


def _steps(trajectory: Trajectory) -> dict[int, str]:
    said = {step.step: words(" ".join(_said(step))) for step in (*trajectory.prompt, *trajectory.output)[:MOST_STEPS]}
    for call, output in trajectory.calls_with_outputs():
        if output is not None:
            alone = said.get(call.step, "")
            said[call.step] = alone + said.get(output.step, "")
            said[output.step] = said.get(output.step, "") + alone
    return said


def _said(step: Any) -> Iterator[str]:
    for part in (step.name, step.text, step.arguments):
        if part:
            yield part
