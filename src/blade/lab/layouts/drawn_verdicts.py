"""The forms in which harnesses write down what the verifier made of a rollout: checks by name or in a list, words, shares, marks of a hundred, errors."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Final

from blade.lab.layouts.facts import CALLS, Facts, Verdict
from blade.lab.layouts.fields import all_passed
from blade.lab.stage.script import Row

_FORMS: Final = ("list", "list", "list_scores", "by_name", "by_name", "by_name_plain", "overall", "worded", "worded_list", "rubric", "nested", "log", "status")  # fmt: skip
_WORDS: Final = ((True, False), (1.0, 0.0), ("PASS", "FAIL"), ("correct", "incorrect"), ("yes", "no"), (1, 0), ("ok", "mismatch"), ("C", "I"), ("Y", "N"))  # fmt: skip
_REASON: Final = ("reason", "message", "explanation", "details", "feedback", "comment", "rationale", "log")
_PASSED: Final = ("passed", "success", "ok", "verdict", "result", "value", "met", "outcome")
_ERROR: Final = ("error", "exception", "error_message")
_CHECKS: Final = ("{}", "{}", "{}_match", "check_{}", "{} equals reference")


@dataclass(frozen=True)
class Verdicts:
    """How the verifier's findings are written."""

    form: str
    yes: Any
    no: Any
    reason: str
    passed: str
    error: str
    errors: str
    """An error as a text, as an object with a type and a message, or as a list."""
    full: int
    """What a score is out of."""
    named: str

    def write(self, facts: Facts) -> Any:
        match self.form:
            case "list" | "by_name":
                entries = [{"name": self._name(one), **self._entry(one, facts)} for one in facts.verdicts]
                return entries if self.form == "list" else {one.pop("name"): one for one in entries}
            case "list_scores":
                return [
                    {"metric": self._name(one), "score": self._score(one), self.reason: facts.error or one.why}
                    for one in facts.verdicts
                ]
            case "nested":
                return {
                    self._name(one): {"result": self._entry(one, facts), "scorer": {"type": "exact"}} for one in facts.verdicts
                }
            case "by_name_plain":
                plain: Row = {self._name(one): self._word(one) for one in facts.verdicts}
                return plain | {self.reason: _whys(facts) or None, self.error: self._error(facts.error)}
            case "worded":
                return {self._name(one): _worded(one, facts.error) for one in facts.verdicts}
            case "worded_list":
                return [f"{self._name(one)}: {_worded(one, facts.error)}" for one in facts.verdicts]
            case "log":
                return "\n".join(f"[{self._name(one)}] {_worded(one, facts.error)}" for one in facts.verdicts)
            case "status":
                why = facts.error or _whys(facts) or None
                return {
                    "status": "error" if facts.error else "completed",
                    self.passed: self._verdict(facts),
                    "status_message": why,
                }
            case "rubric":
                return {"total": self._whole(facts), "items": [self._item(one, facts) for one in facts.verdicts]}
        told = "; ".join(f"{'calls' if one.name == CALLS else 'answer'}: {one.why}" for one in facts.verdicts if one.why)
        return {self.passed: self._verdict(facts), self.reason: told or None, self.error: self._error(facts.error)}

    def _verdict(self, facts: Facts) -> Any:
        whole = all_passed(facts)
        return None if whole is None else self.yes if whole else self.no

    def _name(self, one: Verdict) -> str:
        return self.named.format(one.name)

    def _word(self, one: Verdict) -> Any:
        return None if one.passed is None else self.yes if one.passed else self.no

    def _score(self, one: Verdict) -> float | None:
        return None if one.passed is None else float(self.full * one.passed)

    def _whole(self, facts: Facts) -> float | None:
        scores = [self._score(one) for one in facts.verdicts]
        return None if facts.error else sum(score or 0.0 for score in scores)

    def _entry(self, one: Verdict, facts: Facts) -> Row:
        return {self.passed: self._word(one), self.reason: one.why, self.error: self._error(facts.error)}

    def _item(self, one: Verdict, facts: Facts) -> Row:
        return {
            "criterion": self._name(one),
            "points": self.full,
            "awarded": self._score(one),
            self.reason: facts.error or one.why,
        }

    def _error(self, error: str | None) -> Any:
        match self.errors:
            case "object":
                return None if error is None else {"type": "GraderError", self.reason: error}
            case "list":
                return [] if error is None else [error]
        return error


def draw_verdicts(rng: Random) -> Verdicts:
    form, (yes, no) = rng.choice(_FORMS), rng.choice(_WORDS)
    return Verdicts(
        form, yes, no, rng.choice(_REASON), rng.choice(_PASSED), rng.choice(_ERROR), rng.choice(("text", "text", "object", "list")),
        rng.choice((1, 1, 100)), rng.choice(_CHECKS),
    )  # fmt: skip


def _whys(facts: Facts) -> str:
    return "; ".join(one.why for one in facts.verdicts if one.why)


def _worded(one: Verdict, error: str | None) -> str:
    """A verdict and its reason in one text: `PASS`, `FAIL: …`."""
    if one.passed is None:
        return f"ERROR: {error}"
    return "PASS" if one.passed else f"FAIL: {one.why}"
