"""Can the verifier be trusted? Health checks from what the diagnosis found against it, and from the rows alone.

The findings are those of the diagnosis (`verifier_health` in its document), so that the two never disagree; weak ones are left out,
they are worth a look and no alarm. The rows are asked as well, for runs where no rule says what passes.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from blade.diagnosis.check import MOST_EVIDENCE, Check, quoted, share, shown_by
from blade.diagnosis.findings import Finding
from blade.diagnosis.patterns.verifier import MESSAGES, WEAK
from blade.runs.quoting import identifier
from blade.runs.run import Run

ANSWER_COLUMNS: Final = ("extracted_answer", "predicted_answer", "model_answer", "parsed_answer", "prediction")
UNEQUAL: Final = ("equal_answer_other_reward", "equal_work_other_reward", "reward_contradicts_checks")
EMPTY_PASS: Final = ("pass_without_work",)
NOTHING_MADE: Final = "rollout IN (SELECT rollout FROM outputs WHERE class = 'scored' AND output_hash IS NULL)"
"""Neither words nor a call, nor a product that the row keeps beside them (`signals.outputs`)."""
MOST_CODES: Final = 3


def verifier_checks(run: Run, findings: Sequence[Finding]) -> Iterator[Check]:
    """`findings` are what the readings of all tasks hold against the verifier."""
    strong = [finding for finding in findings if finding.weight >= WEAK]
    yield _suspicious_passes(run, [finding for finding in strong if finding.code in EMPTY_PASS])
    yield _consistency(run, [finding for finding in strong if finding.code in UNEQUAL])
    yield _wrong_verdicts(run, [finding for finding in strong if finding.code not in (*UNEQUAL, *EMPTY_PASS)])


def _suspicious_passes(run: Run, findings: Sequence[Finding]) -> Check:
    if not run.pass_rule.decides:
        return Check("suspicious_passes", "unknown", None, None, None, _no_rule(run))
    odd = f"class = 'scored' AND {run.passes} AND ({NOTHING_MADE} OR error IS NOT NULL)"
    plain = shown_by(run, f"SELECT rollout, NULL, coalesce(error, 'passed without any output') FROM rollouts WHERE {odd}")
    return share(
        "suspicious_passes",
        len(_rollouts(plain, findings)),
        run.denominator.passed or 0,
        "passes have no output, or a refusal or an error as output",
        warn=0.0,
        fail=0.01,
        evidence=_evidence(plain, findings),
    )


def _no_rule(run: Run) -> str:
    return "no pass rule fits these rewards: give --pass-threshold X" if run.denominator.scored else "nothing is scored"


def _consistency(run: Run, findings: Sequence[Finding]) -> Check:
    answer = _answer_column(run)
    plain = [] if answer is None else _equal_answers(run, answer)
    if answer is None and not findings and not run.query("SELECT count(*) FROM checks").rows[0][0]:
        return Check(
            "verifier_consistency",
            "unknown",
            None,
            None,
            None,
            "the rows hold neither an extracted answer nor checks to compare the rewards with",
        )
    return share(
        "verifier_consistency",
        len(_rollouts(plain, findings)),
        run.denominator.scored,
        "scored rollouts got another reward than their answer, work or checks got elsewhere",
        warn=0.0,
        fail=0.02,
        evidence=_evidence(plain, findings),
    )


def _answer_column(run: Run) -> str | None:
    columns = {row[0] for row in run.query("DESCRIBE rollouts").rows}
    return next((name for name in ANSWER_COLUMNS if name in columns), None)


def _equal_answers(run: Run, answer: str) -> list[dict[str, Any]]:
    """The rollouts that got less than another of their task with the very same answer."""
    column = identifier(answer)
    rows = run.query(f"""
        SELECT rollout, CAST({column} AS VARCHAR), reward, best FROM (SELECT *, max(reward) OVER (PARTITION BY task, {column}) AS best
        FROM rollouts WHERE class = 'scored' AND {column} IS NOT NULL) WHERE reward < best ORDER BY task, repeat""").rows
    return [quoted(rollout, None, f"answers {said!r} for {got:g}; others for {best:g}") for rollout, said, got, best in rows]


def _wrong_verdicts(run: Run, findings: Sequence[Finding]) -> Check:
    if not run.pass_rule.decides:
        return Check("wrong_verdicts", "unknown", None, None, None, _no_rule(run))
    by_code = Counter(code for code, _ in dict.fromkeys((finding.code, finding.rollout) for finding in findings))
    named = "; ".join(f"{MESSAGES[code]}: {count:,}" for code, count in by_code.most_common(MOST_CODES))
    return share(
        "wrong_verdicts",
        len(_rollouts([], findings)),
        run.denominator.scored,
        "scored rollouts speak against the verifier",
        warn=0.0,
        fail=0.10,
        evidence=_evidence([], findings),
        more=f"; {named}" if named else "",
    )


def _rollouts(plain: Collection[dict[str, Any]], findings: Sequence[Finding]) -> set[str]:
    return {item["rollout"] for item in plain} | {finding.rollout for finding in findings}


def _evidence(plain: Sequence[dict[str, Any]], findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """One piece for each rollout: the heaviest finding, else what its row shows."""
    heaviest = sorted(findings, key=lambda finding: -finding.weight)
    shown = {finding.rollout: quoted(finding.rollout, finding.step, finding.quote) for finding in reversed(heaviest)}
    first = {finding.rollout: shown[finding.rollout] for finding in heaviest}
    return list(({item["rollout"]: item for item in plain} | first).values())[:MOST_EVIDENCE]
