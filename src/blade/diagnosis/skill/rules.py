"""Rules: what a `blade.yaml` says about rollouts, as data.

A rule is a condition on a field, a signal, a call or a text, or `all`, `any`, `not` of rules. Rules are frozen, so they travel to
worker processes and their `repr` is the same text for equal rules (an index knows by it what it was built with).

Two things read them: `evaluate`, over one trajectory during the scan, and `sql`, over the facts tables. What SQL cannot see (texts,
and what stands in arguments and outputs) the scan notes in the table `observations`, one row for each condition that held.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b

from blade.diagnosis.skill.comparison import Comparison

PLACES = {
    "final": "the last thing the assistant said",
    "assistant": "a message of the assistant",
    "reasoning": "the reasoning",
    "user": "a turn of the user inside the rollout",
    "tool": "a tool's output",
    "prompt": "the prompt",
    "any": "any step of the output",
}


@dataclass(frozen=True)
class FieldRule:
    path: str
    comparison: Comparison
    line: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True)
class SignalRule:
    code: str
    subject: str | None = None  # a glob


@dataclass(frozen=True)
class CallRule:
    """A call of a tool whose name fits the glob. `before` and `after` compare with the first call that fits theirs."""

    name: str
    arguments: tuple[tuple[str, Comparison], ...] = ()
    output: Comparison | None = None
    error: bool | str | None = None
    kind: str | None = None
    before: str | None = None
    after: str | None = None
    at_least: int = 1
    line: int = field(default=0, compare=False, repr=False)

    @property
    def scanned(self) -> bool:
        """The facts hold arguments and outputs only in part: such a rule is decided over the trajectory."""
        return bool(self.arguments) or self.output is not None


@dataclass(frozen=True)
class TextRule:
    place: str
    comparison: Comparison


@dataclass(frozen=True)
class All:
    rules: tuple["Rule", ...]


@dataclass(frozen=True)
class Any:
    rules: tuple["Rule", ...]


@dataclass(frozen=True)
class Not:
    rule: "Rule"


Rule = FieldRule | SignalRule | CallRule | TextRule | All | Any | Not
Observed = CallRule | TextRule


def conditions(rule: Rule) -> Iterator[Rule]:
    """The conditions that a rule is made of, in order."""
    match rule:
        case All(rules) | Any(rules):
            for inner in rules:
                yield from conditions(inner)
        case Not(inner):
            yield from conditions(inner)
        case _:
            yield rule


def observed(rule: Rule) -> Iterator[Observed]:
    """The conditions that only the scan can decide."""
    for condition in conditions(rule):
        if isinstance(condition, TextRule) or (isinstance(condition, CallRule) and condition.scanned):
            yield condition


def observation_id(condition: Observed) -> str:
    return blake2b(repr(condition).encode(), digest_size=8).hexdigest()


def words(rule: Rule) -> str:
    """A rule as a sentence would say it."""
    match rule:
        case FieldRule(path, comparison):
            return f"{path} {comparison.words()}"
        case SignalRule(code, subject):
            return f"signal {code}" + (f" about {subject}" if subject else "")
        case TextRule(place, comparison):
            return f"{PLACES[place]} {comparison.words()}"
        case CallRule():
            return _call_words(rule)
        case All(rules):
            return "; and ".join(map(words, rules))
        case Any(rules):
            return " or ".join(map(words, rules))
        case Not(inner):
            return f"not: {words(inner)}"


def _call_words(rule: CallRule) -> str:
    parts = [f"a call of {rule.name}"]
    if rule.kind:
        parts.append(f"that is a {rule.kind}")
    parts += [f"whose {name} {comparison.words()}" for name, comparison in rule.arguments]
    if rule.output is not None:
        parts.append(f"whose output {rule.output.words()}")
    if rule.error is not None:
        parts.append(
            "that succeeded" if rule.error is False else "that failed" + (f" ({rule.error})" if rule.error is not True else "")
        )
    parts += [f"{word} {name}" for word, name in (("before", rule.before), ("after", rule.after)) if name]
    if rule.at_least > 1:
        parts.append(f"at least {rule.at_least} times")
    return " ".join(parts)
