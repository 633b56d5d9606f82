"""Why two runs cannot be compared of which one has no score at all: its attempts failed, or were never made."""

from blade.comparison.letters import BASELINE, SECOND
from blade.diagnosis.failed_attempts import failed_attempts, unscored_words
from blade.runs.run import Run


def without_a_score(a: Run, b: Run, letter: str = SECOND) -> str:
    """The sentence; empty where both runs have a score. `letter` is what the second is called."""
    told = [
        f"{side} has no scored rollout ({_why(run)})" for side, run in ((BASELINE, a), (letter, b)) if not run.denominator.scored
    ]
    return f"Not comparable: {' and '.join(told)}." if told else ""


def _why(run: Run) -> str:
    counts, failed = run.denominator, unscored_words(failed_attempts(run))
    gone = f"of {counts.expected:,} expected, {counts.errored:,} errored and {counts.missing:,} missing"
    return f"{gone}: {failed}" if failed else gone
