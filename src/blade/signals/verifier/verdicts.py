"""TI: the task or its verifier is at fault. What one row shows without its reward; a reward against the verifier's own fields, and
equal answers with other rewards, are for the diagnosis.
"""

import re
from collections.abc import Iterator
from itertools import combinations
from math import isclose
from typing import Any, Final

from blade.answers import contains_expected
from blade.answers.extraction import LONGEST_SENTENCE, SENTENCE
from blade.signals.behaviour.selfcheck import edits
from blade.signals.calls import matcher
from blade.signals.data.task import gold_of
from blade.signals.example import Example, call, says
from blade.signals.layout.paths import value_at
from blade.signals.layout.reading import learned_taken
from blade.signals.machinery.recorded import GRADER_FAILED
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal
from blade.signals.texts.origins import LARGEST_FLOAT
from blade.signals.verifier.judging import judging_errors
from blade.signals.wanted.checks import checks_of

EXTRACTED_FIELDS: Final = ("extracted_answer", "predicted_answer", "parsed_answer", "pred_answer", "extracted", "model_answer")
NOISE: Final = 15
"""Signs of a figure that arithmetic left behind: `77.30000000000001`."""
MIN_PLAIN: Final = 3
"""Characters from which an answer's bare presence in the closing lines means something."""
CLOSING: Final = 400
"""Characters at the end of the final message in which an answer is stated."""
_STATED: Final = r"(?:answer|result|total|solution)\W{{1,12}}(?:is\W{{1,4}})?{gold}(?![\w.]*\w)|boxed\s*\{{\s*(?:\\text\s*\{{)?\s*{gold}\s*\}}|\*\*{gold}\*\*|<answer>\s*{gold}\s*</answer>"


@signal(
    "verifier_error",
    label="TI",
    meaning="the verifier reports an error or a timeout of its own",
    example=Example((says("42"),), fields={"verifier_error": "TimeoutError: scoring took 60 s"}),
)
def verifier_error(rollout: Rollout) -> Iterator[Evidence]:
    for told in judging_errors(rollout):
        if not told.of_machinery and not told.flag:
            yield Evidence(None, f"{told.field} = {told.text}", "the row's own field", told.field)


@signal(
    "judging_unfinished",
    label="TI",
    meaning="a flag of the row says that the judging did not come to an end, and nothing says why",
    example=Example((says("42"),), fields={"evaluation_completed": False}),
)
def judging_unfinished(rollout: Rollout) -> Iterator[Evidence]:
    errors = judging_errors(rollout)
    if all(told.flag for told in errors):
        for told in errors:
            yield Evidence(None, f"{told.field} = {told.text}", "the row's own field; no error is told", told.field)


@signal(
    "answer_not_extracted",
    label="TI",
    meaning="the expected answer stands in the final message, and the verifier extracted none",
    causal=False,
    example=Example((says("Adding up, the answer is 1284."),), fields={"expected_answer": "1284", "extracted_answer": None}),
)
def answer_not_extracted(rollout: Rollout) -> Iterator[Evidence]:
    blank: list[str] = [name for name in EXTRACTED_FIELDS if name in rollout.fields and rollout.fields[name] in (None, "", [])]
    learned = learned_taken(rollout.fields, rollout.options.layout)
    blank += [learned[0]] if learned is not None and learned[1] is None else []
    if not blank or rollout.final is None:
        return
    ending = rollout.final.text[-CLOSING:]
    for name, gold in gold_of(rollout):
        if len(gold) > CLOSING:
            continue
        pattern, last_line = re.escape(gold), ending.strip().splitlines()[-1]
        stated = re.search(_STATED.format(gold=pattern), ending, re.IGNORECASE)
        plain = len(gold) >= MIN_PLAIN and re.search(rf"(?<![\w.,-]){pattern}(?![\w]|[.,]\d)", last_line)
        if stated or plain or _said(ending, gold):
            quote = ending[max(0, stated.start() - 40) :] if stated else last_line
            yield Evidence(rollout.final.step, quote[:200], f"{name} is {gold}; {blank[0]} is empty", blank[0])
            return


def _said(message: str, gold: str) -> bool:
    """Whether a message of one short sentence says the gold (`It is joint 8`)."""
    if len(message.strip()) > LONGEST_SENTENCE or gold.casefold() not in message.casefold():
        return False
    found = contains_expected(message, gold)
    return found is not None and found.how == SENTENCE


_MISSING: Final = (
    re.compile(r"No such file or directory: ?['\"]?([^'\"\s,;)]+)"),
    re.compile(r"([\w./~+-]+): No such file or directory"),
    re.compile(r"FileNotFoundError[^\n]{0,80}?['\"]([^'\"\n]+)['\"]"),
    re.compile(r"fixture ['\"](\w+)['\"] not found"),
    re.compile(r"No module named ['\"]?([\w.]+)"),
    re.compile(r"(?:^|[\s:])([\w+-][\w.+-]*): (?:command )?not found\b"),
)
"""What a check could not find, where it names it."""
_LEFT_OVER: Final = re.compile(
    r"\b(?:unexpected|stray|left[- ]?over)\W{0,3}(?:file|path|entry)\W{1,3}(/[\w./~+-]+)", re.IGNORECASE
)
_MEANS: Final = re.compile(
    r"Temporary failure in name resolution|Could not resolve host|No space left on device|Address already in use"
    r"|Too many open files|Cannot connect to the Docker daemon"
)
_TIMING: Final = re.compile(
    r"\b(?:timing|wall[- ]?clock|elapsed(?: time)?|latency)\b[^\n]{0,40}\b(?:threshold|limit|budget|above|exceed\w*)\b",
    re.IGNORECASE,
)
_SPEED: Final = re.compile(
    r"\b(?:fast|faster|speed|seconds?|milliseconds?|efficien\w+|performan\w+|latency|time limit|O\([^)]*\))", re.IGNORECASE
)
MAX_CHECK_MESSAGE: Final = 4_000
_TIMEOUTS: Final = ("command_timeout", "service_timeout")
_CODE: Final = re.compile(
    r"```|\b(?:def|class|function|return|import|include|program|code|stdin|algorithm|script)\b", re.IGNORECASE
)
"""Words of tasks in which code is written: it may well hang in each check."""
MIN_ALIKE: Final = 2
"""Checks of one rollout that fail with one message."""


@signal(
    "check_broken",
    label="TI",
    meaning="a check of the verifier fails for want of its own means: a file, fixture or module that is no part of the task or the work, or it compares figures bit by bit",
    causal=False,
    example=Example(
        (call("write_file", "ok", path="src/rank.py", content="def rank(v): ..."), says("Done.")),
        asked="Implement rank in src/rank.py.",
        fields={
            "test_results": [
                {"name": "test_order", "status": "passed"},
                {
                    "name": "test_golden",
                    "status": "failed",
                    "message": "FileNotFoundError: No such file or directory: 'data/golden.json'",
                },
            ]
        },
    ),
)
def check_broken(rollout: Rollout) -> Iterator[Evidence]:
    """Whatever the task, the rollout or its tools ever named is the rollout's business; only what nobody named is the verifier's own."""
    failed = [check for check in checks_of(rollout) if check.passed is False]
    for check in failed:
        said = _bit_by_bit(rollout, check.field, check.name)
        if said:
            yield Evidence(None, check.name, said, f"{check.field}.{check.name}")
    failing = [check for check in failed if check.detail]
    common = _common_timeout([check.detail for check in failing], rollout)
    for check in failing:
        said = common or _own_fault(check.detail[-MAX_CHECK_MESSAGE:], rollout)
        if said:
            subject = f"{check.field}.{check.name}" if check.field and check.name != check.field else check.name
            yield Evidence(None, f"{check.name}: {check.detail}", said, subject)


def _bit_by_bit(rollout: Rollout, field: str, name: str) -> str | None:
    """Two figures in the entry of a failed check that are one but for rounding, in words: floating-point numbers that were compared for equality."""
    for entry in _entries_of(rollout, field):
        figures = [value for value in entry.values() if type(value) in (int, float) and abs(value) <= LARGEST_FLOAT]
        near = next(((one, other) for one, other in combinations(figures, 2) if _noise_apart(one, other)), None)
        if near is not None and name in (str(value) for value in entry.values()):
            return f"{near[0]!r} and {near[1]!r} are one figure but for rounding, and count as different"
    return None


def _entries_of(rollout: Rollout, field: str) -> list[dict[str, Any]]:
    """The entries of the list that a check stands in."""
    listed = value_at(rollout.fields, tuple(field.split("."))) if field else None
    return [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []


def _noise_apart(one: float, other: float) -> bool:
    """Whether two figures are one, but for what floating-point arithmetic leaves behind."""
    if one == other or not isclose(one, other, rel_tol=1e-12):
        return False
    return max(len(repr(one)), len(repr(other))) >= NOISE and min(len(repr(one)), len(repr(other))) < NOISE


def _common_timeout(messages: list[str], rollout: Rollout) -> str | None:
    """What the checks lacked, where several failed with one and the same timeout; code that was written may well hang in each of them."""
    if len(messages) < MIN_ALIKE or len(set(messages)) > 1 or matcher.classify(messages[0][-MAX_CHECK_MESSAGE:]) not in _TIMEOUTS:
        return None
    code = any(_CODE.search(text) for text in (rollout.prompt_text, rollout.final.text if rollout.final is not None else ""))
    return (
        None
        if code or any(edits(made) for made in rollout.calls)
        else f"all {len(messages)} checks that failed say the same: they ran out of time"
    )


def _own_fault(message: str, rollout: Rollout) -> str | None:
    """What the check itself lacked, in words; None where its message may well speak of the work."""
    for pattern in _MISSING:
        for found in pattern.finditer(message):
            # a module is known by any of its parts, a file by its name
            parts = found[1].split(".") if "module" in found[0] else [found[1]]
            if not any(_named(part, rollout) for part in parts):
                return f"the check lacks {found[1]}, which neither the task nor the rollout names"
    if (left := _LEFT_OVER.search(message)) is not None and not _named(left[1], rollout):
        return f"the check minds {left[1]}, which the rollout never names"
    if (means := _MEANS.search(message)) is not None:
        return f"the check ran into its own surroundings: {means[0]}"
    if (grader := GRADER_FAILED.search(message)) is not None:
        return f"the check came to no verdict: {grader[0]}"
    if (timing := _TIMING.search(message)) is not None and not _SPEED.search(rollout.prompt_text):
        return f"the check goes by the clock ({timing[0]}), and the task asks for no speed"
    return None


def _named(thing: str, rollout: Rollout) -> bool:
    """Whether the prompt, the row's own words or anything said, called or printed names it (a path by its last part)."""
    word = thing.rstrip("/.").rsplit("/", 1)[-1] or thing
    if word in rollout.prompt_text or any(isinstance(value, str) and word in value for value in rollout.fields.values()):
        return True
    return any(word in item.text or word in (item.arguments or "") for item in rollout.output)
