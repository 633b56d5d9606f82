"""Rules over one trajectory: does it hold, and which step and words show it.

The evidence of `all` is that of its first condition that points at a step; of `any`, that of the first condition that holds. A
negation has no step: what did not happen stands nowhere.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final

from blade.diagnosis.skill.comparison import Comparison, text_of
from blade.diagnosis.skill.rules import All, CallRule, FieldRule, Not, Rule, SignalRule, TextRule, words
from blade.diagnosis.skill.rules import Any as AnyOf
from blade.runs.steps import Step
from blade.signals.calls.call import Call
from blade.signals.plugins import installed
from blade.signals.rollout import Rollout

BEFORE: Final = 60
"""Characters quoted in front of what a text rule found."""
QUOTED: Final = 300
FACTS: Final[dict[str, Callable[[Rollout], Any]]] = {
    "steps": lambda rollout: len(rollout.output),
    "tool_calls": lambda rollout: len(rollout.calls),
    "output_tokens": lambda rollout: rollout.status.output_tokens,
    "status": lambda rollout: rollout.status.state,
    "incomplete": lambda rollout: rollout.status.incomplete,
    "error": lambda rollout: rollout.status.error,
}
"""Facts that a rule may ask for beside the row's own fields, under the names they have in the table `rollouts`."""


@dataclass(frozen=True)
class Seen:
    """What shows that a rule holds."""

    step: int | None = None
    quote: str = ""
    subject: str = ""


def evaluate(rule: Rule, rollout: Rollout) -> Seen | None:
    """The evidence that the rule holds, or None where it does not."""
    match rule:
        case FieldRule(path, comparison):
            return _field(path, comparison, rollout)
        case TextRule(place, comparison):
            return _text(comparison, _texts(place, rollout))
        case CallRule():
            return _call(rule, rollout)
        case SignalRule(code, subject):
            return _signal(code, subject, rollout)
        case Not(inner):
            return None if evaluate(inner, rollout) else Seen(None, words(rule))
        case All(rules):
            found = [evaluate(inner, rollout) for inner in rules]
            seen = [one for one in found if one is not None]
            return _best(seen) if len(seen) == len(found) else None
        case AnyOf(rules):
            return next((one for inner in rules if (one := evaluate(inner, rollout)) is not None), None)


def _best(seen: list[Seen]) -> Seen:
    return next((one for one in seen if one.step is not None), seen[0])


def field_value(path: str, rollout: Rollout) -> Any:
    """The row's own field at a dotted path, else the fact of that name; None where there is neither."""
    value = _along(path, rollout.fields)
    return FACTS[path](rollout) if value is None and path in FACTS else value


def _along(path: str, value: Any) -> Any:
    if not isinstance(value, dict):
        return None
    if path in value:  # a key may itself hold dots
        return value[path]
    first, _, rest = path.partition(".")
    return _along(rest, value.get(first)) if rest else None


def _field(path: str, comparison: Comparison, rollout: Rollout) -> Seen | None:
    value = field_value(path, rollout)
    if not comparison.holds(value):
        return None
    return Seen(None, f"{path} is missing" if value is None else f"{path} = {text_of(value)[:QUOTED]}", path)


def _texts(place: str, rollout: Rollout) -> Iterator[Step]:
    if place == "final":
        yield from () if rollout.final is None else (rollout.final,)
        return
    if place == "prompt":
        yield from rollout.prompt
        return
    for item in rollout.output:
        if place in ("any", item.kind, "tool" if item.kind == "tool_output" else item.role if item.kind == "message" else None):
            yield item


def _text(comparison: Comparison, steps: Iterator[Step]) -> Seen | None:
    for item in steps:
        if item.text and (place := comparison.where(item.text)) is not None:
            return Seen(item.step, _excerpt(item.text, place))
    return None


def _excerpt(text: str, place: int) -> str:
    start = max(0, place - BEFORE)
    return ("…" if start else "") + text[start : start + QUOTED]


def _call(rule: CallRule, rollout: Rollout) -> Seen | None:
    before, after = _first(rule.before, rollout), _first(rule.after, rollout)
    if (rule.before and before is None) or (rule.after and after is None):
        return None
    count = 0
    for call in rollout.calls:
        if (before is not None and call.step >= before) or (after is not None and call.step <= after):
            continue
        if _fits(rule, call):
            count += 1
            if count == rule.at_least:
                return _call_seen(rule, call)
    return None


def _first(name: str | None, rollout: Rollout) -> int | None:
    return None if name is None else next((call.step for call in rollout.calls if fnmatchcase(call.name, name)), None)


def _fits(rule: CallRule, call: Call) -> bool:
    if not fnmatchcase(call.name, rule.name) or (rule.kind is not None and call.mutation.kind != rule.kind):
        return False
    failed = None if call.error is None else call.error.kind
    if rule.error is not None and not (
        failed == rule.error if isinstance(rule.error, str) else (failed is not None) is rule.error
    ):
        return False
    if not all(comparison.holds(_along(name, call.arguments)) for name, comparison in rule.arguments):
        return False
    return rule.output is None or (call.output is not None and rule.output.holds(call.output.text))


def _call_seen(rule: CallRule, call: Call) -> Seen:
    subject = f"{call.name}.{rule.arguments[0][0]}" if len(rule.arguments) == 1 else call.name
    if rule.output is not None and call.output is not None:
        return Seen(call.output.step, _excerpt(call.output.text, rule.output.where(call.output.text) or 0), subject)
    return Seen(call.step, call.short, subject)


def _signal(code: str, subject: str | None, rollout: Rollout) -> Seen | None:
    detector = next((detector for detector in installed().detectors if detector.code == code), None)
    for found in () if detector is None else detector.detect(rollout):
        if subject is None or fnmatchcase(found.subject, subject):
            return Seen(found.step, found.quote, found.subject)
    return None
