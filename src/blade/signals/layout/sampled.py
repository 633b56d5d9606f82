"""The rollouts that a layout is learned from: the first rows of a run, each with its task, whether it passes, and what it answered."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from blade.answers import compare as compare_answers
from blade.answers import contains_expected, extract
from blade.runs.facts import ID_FIELDS, LAST_RESORT_ID_FIELDS
from blade.runs.pass_rule import RewardShape, pass_rule
from blade.runs.rows import BadRow, RowDecoder
from blade.runs.scan import RowView
from blade.runs.steps import Step, Trajectory
from blade.signals.calls import arguments
from blade.signals.layout.paths import nodes
from blade.signals.layout.shape import Path
from blade.signals.layout.texts import folded, plain_text
from blade.signals.once import once
from blade.signals.options import Options
from blade.signals.rollout import Rollout, rollout_of
from blade.signals.wanted import asked
from blade.signals.wanted.answer_fields import expected_answer, taken_answer

NEARLY_ALL = 0.9
MAX_FINAL = 4_000
"""Characters of the end of a final message that are read."""
MAX_WHOLE = 200
"""Characters up to which a whole message is an answer."""
MAX_FIRST = 80
"""Characters up to which a first line that stands apart is an answer."""
_MARK = re.compile(r"[^\w\s(\[{$€£+.-]{1,4}\s*(\w.{0,80}|[($€£+-].{0,80})$")
"""A last line that begins with a sign: `>> 12`."""
_WORKED = re.compile(r"[=+*^<>]|.{80}")
"""What is no plain answer: told only word by word, because calculations take long to compare."""


@dataclass(frozen=True, eq=False)
class Sampled:
    task: str
    passed: bool
    rollout: Rollout

    @once
    def places(self) -> dict[Path, Any]:
        return dict(nodes(self.rollout.fields))

    @once
    def final(self) -> str:
        return "" if self.rollout.final is None else self.rollout.final.text[-MAX_FINAL:]

    @once
    def stated(self) -> tuple[str, ...]:
        """What the rollout gave as its answer: as a field of a known name has it, in the form asked for, or marked in the message."""
        found: list[str] = []
        taken = taken_answer(self.rollout)
        if taken is not None and (text := plain_text(taken[1])) is not None and len(text) <= MAX_WHOLE:
            found.append(text)
        form = asked.asked_form(self.rollout.request) or asked.asked_form(self.rollout.prompt_text)
        if form is not None and (stated := form.stated(self.final)) is not None:
            found.append(stated)
        found += [candidate.text for candidate in extract(self.final) if candidate.marked]
        whole, line = self.final.strip(), self.final.strip().rpartition("\n")[2]
        if not found:
            found += (whole, line) if 0 < len(whole) <= MAX_WHOLE else ()
            first, _, rest = whole.partition("\n")
            if rest.startswith("\n") and len(first) <= MAX_FIRST and len(self.final) < MAX_FINAL:
                found.append(first.strip("*_` "))  # the answer, and its reasons in a paragraph of their own
        last = _MARK.match(line)
        if last is not None:
            found.append(last[1])
        return tuple(dict.fromkeys(found))

    def answers(self, value: str) -> bool:
        """Whether the rollout gave this as its answer."""
        if any(folded(value) == folded(stated) for stated in self.stated):
            return True
        if _WORKED.search(value):
            return False
        if any(compare_answers(value, stated).same for stated in self.stated if not _WORKED.search(stated)):
            return True
        return not self.stated and contains_expected(self.final, value) is not None

    @once
    def prompt(self) -> str:
        """The whole prompt, folded once: whatever stands in it tells nobody anything new."""
        return folded(self.rollout.prompt_text)

    @once
    def known_gold(self) -> str | None:
        """The expected answer that a name tells."""
        found = expected_answer(self.rollout)
        return None if found is None else plain_text(found[1])

    @once
    def calls(self) -> tuple[tuple[str, dict[str, Any], Step | None], ...]:
        made = Trajectory(self.rollout.prompt, self.rollout.output, {}).calls_with_outputs()
        return tuple((call.name or "", arguments.parse(call.arguments)[0] or {}, answer) for call, answer in made)


def sampled(rows: Sequence[bytes], options: Options, threshold: float | None = None) -> list[Sampled]:
    """The rows that have a reward, in order; none where no rule says what passes."""
    decoder = RowDecoder()
    read = []
    for text in rows:
        try:
            read.append(rollout_of(RowView(decoder.decode(text), text), options))
        except (BadRow, ValueError, RecursionError):
            continue
    name = "reward" if any(_number(one.fields.get("reward")) is not None for one in read) else "score"
    scored = [(one, reward) for one in read if (reward := _number(one.fields.get(name))) is not None]
    rewards = [reward for _, reward in scored]
    shape = RewardShape(
        len(rewards), min(rewards, default=None), max(rewards, default=None), set(rewards) <= {0, 1}, set(rewards) <= {-1, 1}
    )
    rule = pass_rule(shape, threshold)
    if not rule.decides:
        return []
    identify = _identify([one for one, _ in scored])
    return [Sampled(identify(one), reward >= rule.least, one) for one, reward in scored]


def _number(value: Any) -> float | None:
    if not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None


def _identify(rollouts: Sequence[Rollout]) -> Any:
    """What tells the task of a row, as the run itself will tell it: the first id that nearly all rows have, else the prompt."""

    def common(names: Sequence[str]) -> Iterator[str]:
        for name in names:
            if sum(one.fields.get(name) is not None for one in rollouts) >= NEARLY_ALL * len(rollouts):
                yield name

    field = next(common(ID_FIELDS), None)
    if field is None and not any(one.prompt_text for one in rollouts):
        field = next(common(LAST_RESORT_ID_FIELDS), None)
    return lambda one: str(one.fields.get(field)) if field is not None else one.prompt_text
