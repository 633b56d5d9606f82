"""The answer that a rollout gave, how it relates to the expected one, and whether this run's verifier goes by that at all."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from typing import Final

from blade.answers import Candidate, Relation, Verdict, compare, contains_expected, extract
from blade.answers.extraction import SENTENCE
from blade.answers.verdict import equivalent
from blade.diagnosis.views import AnswerRow, CheckRow, RolloutView
from blade.runs.run import Run
from blade.signals.answer_rows import signed_off, without_sign_off

MOST_DISTINCT: Final = 24
"""Different answers of one task that are compared with each other; what comes after stands alone."""
LONGEST_ANSWER: Final = 400
SHORT_ANSWER: Final = 60
"""Characters up to which the whole message is the answer where it also ends the conversation; a longer one agrees with what was said."""
CUT_AT: Final = 500
"""Characters at which the table cuts an answer; what is as long may go on."""
SAMPLE: Final = 300
REFUSALS_EXPECTED: Final = 0.2
"""Share of refusals among the passes from which on refusing is taken for what the tasks want."""
FEWEST_WRONG: Final = 2
MOSTLY: Final = 0.7
"""Share of right answers that a check passes, and of wrong ones that it fails, from which on it is about the answer."""
_ABOUT_ANSWER: Final = re.compile(r"answer|correct|accura|exact|equal|(?:^|_)(?:result|value|target)(?:_|$)", re.IGNORECASE)
NOT_RECORDED: Final = 0.2
"""Share of rollouts without any output item from which on the harness is taken not to record it."""


@dataclass(frozen=True)
class AnswerRule:
    """What the run says about its own expected answers."""

    decides: bool = True
    """Whether passing rollouts give the expected answer, so that it is what the verifier goes by."""
    agreeing: int = 0
    passing: int = 0
    """Passing rollouts of the sample that give it, of those that could be compared."""
    refusals_pass: bool = False
    """Whether refusing is what the tasks want: a good share of the passes refuse."""
    outputs_recorded: bool = True
    """Whether rollouts have output items at all; some harnesses keep the work elsewhere."""
    kept_beside: frozenset[str] = frozenset()
    """Passing rollouts without output items of which the row keeps a product."""
    answer_checks: frozenset[str] = frozenset()
    """Checks that pass and fail with the answer: where one of them fails a right answer, it is what is at fault."""

    def about_answer(self, check: CheckRow) -> bool:
        return check.name in self.answer_checks or _ABOUT_ANSWER.search(check.name) is not None


def learn_answers(run: Run) -> AnswerRule:
    """Whether passing rollouts give the expected answer (from a fixed sample), and whether they refuse."""
    if not run.pass_rule.decides:
        return AnswerRule()
    blank = run.query(
        "SELECT coalesce(avg(CAST(coalesce(steps, 0) = 0 AS INTEGER)), 0) FROM rollouts WHERE class = 'scored'"
    ).rows[0][0]
    recorded = blank < NOT_RECORDED
    beside = _kept_beside(run)
    refusing = 0.0
    if "signals" in run.meta["tables"] and run.denominator.passed:
        hit = run.query(f"""
            SELECT count(DISTINCT rollout) FROM signals SEMI JOIN (SELECT rollout FROM rollouts WHERE class = 'scored' AND {run.passes}) USING (rollout)
            WHERE code = 'refusal' AND class = 'scored'""").rows[0][0]
        refusing = hit / run.denominator.passed
    if "answers" not in run.meta["tables"]:
        return AnswerRule(refusals_pass=refusing >= REFUSALS_EXPECTED, outputs_recorded=recorded, kept_beside=beside)
    rows = run.query(f"""
        SELECT expected_field, expected, extracted_field, extracted, final_step, final, stated, tolerance, unit, any_order, option FROM answers
        SEMI JOIN (SELECT rollout FROM rollouts WHERE class = 'scored' AND {run.passes}) USING (rollout)
        WHERE class = 'scored' AND expected IS NOT NULL ORDER BY md5(rollout), rollout LIMIT {SAMPLE}""").rows
    verdicts = [expected_verdict(AnswerRow(*row)) for row in rows]
    told = [verdict for verdict in verdicts if verdict is not None and verdict.relation is not Relation.UNKNOWN]
    agreeing = sum(verdict.same for verdict in told)
    decides = len(told) < 5 or agreeing >= 0.5 * len(told)
    return AnswerRule(decides, agreeing, len(told), refusing >= REFUSALS_EXPECTED, recorded, beside, _learn_answer_checks(run))


def _kept_beside(run: Run) -> frozenset[str]:
    """The passing rollouts without output items whose work the row keeps in a field of its own."""
    if "outputs" not in run.meta["tables"]:
        return frozenset()
    rows = run.query(f"""
        SELECT rollout FROM rollouts SEMI JOIN (SELECT rollout FROM outputs WHERE class = 'scored' AND output_hash IS NOT NULL) USING (rollout)
        WHERE class = 'scored' AND coalesce(steps, 0) = 0 AND {run.passes}""").rows
    return frozenset(rollout for (rollout,) in rows)


def _learn_answer_checks(run: Run) -> frozenset[str]:
    """The checks that mostly pass on right answers and fail on wrong ones."""
    if "checks" not in run.meta["tables"]:
        return frozenset()
    rows = run.query(f"""
        SELECT c.name, c.passed, a.expected_field, a.expected, a.extracted_field, a.extracted, a.final_step, a.final, a.stated, a.tolerance, a.unit, a.any_order, a.option
        FROM (SELECT * FROM answers WHERE class = 'scored' AND expected IS NOT NULL ORDER BY md5(rollout), rollout LIMIT {SAMPLE}) AS a
        JOIN checks AS c USING (rollout) WHERE c.class = 'scored' AND c.passed IS NOT NULL ORDER BY a.rollout, c.name""").rows
    seen: dict[str, list[tuple[bool, bool]]] = {}
    for name, passed, *row in rows:
        verdict = expected_verdict(AnswerRow(*row))
        if verdict is not None and verdict.relation is not Relation.UNKNOWN:
            seen.setdefault(name, []).append((verdict.same, passed))
    return frozenset(name for name, pairs in seen.items() if _goes_with(pairs))


def _goes_with(pairs: Sequence[tuple[bool, bool]]) -> bool:
    right = [passed for same, passed in pairs if same]
    wrong = [passed for same, passed in pairs if not same]
    return len(wrong) >= FEWEST_WRONG and sum(right) >= MOSTLY * len(right) and sum(wrong) <= (1 - MOSTLY) * len(wrong)


@dataclass(frozen=True)
class Given:
    """The answer that a rollout gave: what the verifier extracted, else what its final message states."""

    text: str
    source: str  # a field, or how it was found in the message
    step: int | None
    marked: bool = True


def given_answer(row: AnswerRow) -> Given | None:
    """The answer of one row; None where nothing that looks like one can be found."""
    if row.extracted and row.extracted.strip():
        return Given(row.extracted.strip(), row.extracted_field or "extracted", row.final_step)
    if row.stated and row.stated.strip():
        return Given(row.stated.strip(), "the form asked for", row.final_step)
    return _stated(row.final or "", row.final_step)


def judged(row: AnswerRow, text: str) -> Verdict:
    """How a text relates to what a row expects: by comparison, and within the tolerance that the row or its prompt allows."""
    verdict = compare(row.expected or "", text)
    if not verdict.same and row.any_order and same_members(row.expected or "", text):
        return equivalent("the same parts in another order, and any order will do")
    if not verdict.same and row.option and compare(row.option, text).same:
        return equivalent("the text of the expected option")
    if verdict.same or row.tolerance is None:
        return verdict
    wanted, told = figure(row.expected or ""), figure(text)
    if wanted is None or told is None or abs(wanted - told) > row.tolerance + 1e-9 * abs(wanted):
        return verdict
    return equivalent(f"the tolerance of {row.tolerance:g}")


def same_members(one: str, other: str) -> bool:
    """Whether two lists have the same parts, as they are written."""
    parts = [
        sorted(part.strip().lower() for part in _BETWEEN.split(text.strip(" .[](){}")) if part.strip()) for text in (one, other)
    ]
    return len(parts[0]) > 1 and parts[0] == parts[1]


_BETWEEN: Final = re.compile(r"[,;\n]|\band\b")
_FIGURE: Final = re.compile(r"[$€£]?\s?([-+]?\d[\d,]*(?:\.\d+)?)\s?(?:%|[^\W\d_]{1,12}\.?)?")


def figure(text: str) -> float | None:
    """The number that an answer is, a unit beside it aside."""
    found = _FIGURE.fullmatch(text.strip())
    number = None if found is None else float(found[1].replace(",", ""))
    return number if number is not None and isfinite(number) else None


@lru_cache(maxsize=4096)
def _stated(final: str, step: int | None) -> Given | None:
    agreed, final = signed_off(final), without_sign_off(final)
    if not final:
        return None
    for candidate in extract(final):
        if candidate.marked and len(candidate.text) <= LONGEST_ANSWER:
            return Given(candidate.text, candidate.how, step)
    if len(final.strip()) <= (SHORT_ANSWER if agreed else LONGEST_ANSWER):
        return Given(final.strip(), "the whole message", step, marked=False)
    return None


def answer_row(rollout: RolloutView) -> AnswerRow | None:
    """The row to judge a rollout by: the one with an expected answer first."""
    for row in rollout.answers:
        if row.expected:
            return row
    return rollout.answers[0] if rollout.answers else None


@lru_cache(maxsize=4096)
def expected_verdict(row: AnswerRow) -> Verdict | None:
    """How the answer given relates to the expected one; None without either. Several patterns ask, so it is remembered."""
    if not row.expected or len(row.expected) >= CUT_AT or len(row.extracted or "") >= CUT_AT:
        return None
    if row.extracted and row.extracted.strip():
        return judged(row, row.extracted)
    if row.stated and row.stated.strip():
        return judged(row, row.stated)
    if not row.final or not row.final.strip():
        return None
    found = contains_expected(row.final, row.expected)
    if found is not None:
        return compare(row.expected, found.text)
    given = given_answer(row)
    return None if given is None else judged(row, given.text)


@lru_cache(maxsize=4096)
def gold_stated(row: AnswerRow) -> Candidate | None:
    """Where the final message states the expected answer although the verifier took another, or what it took says it in a sentence.

    A figure that merely ends the message does not count against what was extracted.
    """
    if not row.expected or len(row.expected) >= CUT_AT:
        return None
    if row.extracted and (inside := contains_expected(row.extracted, row.expected)) is not None:
        return inside
    found = contains_expected(row.final, row.expected) if row.final else None
    if found is None or not row.extracted:
        return found
    return found if found.marked or found.how in ("last line", SENTENCE) else None


def gives_gold(row: AnswerRow) -> bool:
    """Whether the answer is the expected one, as the verifier took it, in the form asked for, or as the message states it."""
    verdict = expected_verdict(row)
    if verdict is not None and verdict.same:
        return True
    return bool(row.stated and judged(row, row.stated).same) or gold_stated(row) is not None


_FIGURES: Final = re.compile(r"(?<![\w.])[-+]?\d[\d,]*(?:\.\d+)?")


def differs(row: AnswerRow) -> bool:
    """Whether the answer is known to be another than the expected one: by comparison, or because it names figures and not the expected one."""
    verdict = expected_verdict(row)
    if verdict is not None and verdict.relation is Relation.DIFFERENT:
        return True
    given, wanted = given_answer(row), figure(row.expected or "")
    named = [] if given is None else [float(found.replace(",", "")) for found in _FIGURES.findall(given.text)]
    return wanted is not None and bool(named) and wanted not in named


def nothing_taken(row: AnswerRow) -> bool:
    """Whether the verifier has a place for what it took for the answer, and it is empty."""
    return row.extracted_field is not None and not (row.extracted or "").strip()


def answer_groups(rollouts: Sequence[RolloutView]) -> list[list[tuple[RolloutView, Given]]]:
    """The rollouts that gave an answer, those with equal ones together (equivalence by convention does not count)."""
    groups: list[list[tuple[RolloutView, Given]]] = []
    by_text: dict[str, list[tuple[RolloutView, Given]]] = {}
    for rollout in rollouts:
        row = answer_row(rollout)
        given = None if row is None else given_answer(row)
        if given is None or len(given.text) >= CUT_AT:
            continue
        members = by_text.get(given.text)
        if members is None:
            members = next((group for group in groups[:MOST_DISTINCT] if _equal(group[0][1].text, given.text)), None)
            if members is None:
                members = []
                groups.append(members)
            by_text[given.text] = members
        members.append((rollout, given))
    return groups


_WORD: Final = re.compile(r"[^\W_]+")
_FORMULA: Final = re.compile(r"[\\=^{}$]|\bSELECT\b|\bdef |\breturn\b|;\s*$|^[\w.]+\([^()\n]*\)$", re.MULTILINE)
_DOES_NOT_KNOW: Final = re.compile(
    r"\W*(?:idk|i (?:do not|don['’]t) know(?: the answer)?|(?:not|un)known|not sure|unsure|cannot (?:be )?(?:answer|determine)d?|abstain)\W*",
    re.IGNORECASE,
)
MOST_WORDS: Final = 12
"""Words of an answer up to which other words than the expected ones say something else; prose may say the same in its own way."""


def known_to_differ(row: AnswerRow, text: str) -> bool:
    """Whether an answer can be told to be another than the expected one: by comparison, by its figures, or as a few words that are plainly others.

    A formula, a program, prose, or words of which one holds the other may mean the same; that one does not know is no answer, nor are words
    that nobody took for one where a number is wanted (`the answer is well-rounded`).
    """
    if _DOES_NOT_KNOW.fullmatch(text):
        return False
    verdict = judged(row, text) if len(text) < CUT_AT and len(row.expected or "") < CUT_AT else None
    if differs(row) or (verdict is not None and verdict.relation is Relation.DIFFERENT):
        return True
    wanted = row.expected or ""
    if _FORMULA.search(wanted) or _FORMULA.search(text) or (figure(wanted) is not None and not row.extracted):
        return False
    mine, theirs = ({word.casefold() for word in _WORD.findall(one)} for one in (wanted, text))
    return len(theirs) <= MOST_WORDS and len(mine) <= MOST_WORDS and bool(mine - theirs) and bool(theirs - mine)


def _equal(one: str, other: str) -> bool:
    verdict = compare(one, other)
    return verdict.same and not verdict.assumed
