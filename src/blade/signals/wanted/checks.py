"""Checks as a table: a verifier that has several (named tests, rubric items, reward components), read one by one.

Checks are found by shape: a list of objects with a name and a verdict (by their usual names, or the one text that tells the entries
apart and the one boolean of each, where the list or the boolean speaks of checks), a list of verdicts beside a list of names, an object of
verdicts under a name that speaks of checks, tests sorted into passed and failed, counts of passed out of a total, and the flags that
a verifier leaves at the top of a row where there are several. A flag that speaks of a failure passes when it is not set. What a number
between 0 and 1 means is left open: it is a score, and neither passed nor failed.
"""

from collections.abc import Collection, Iterator
from itertools import takewhile
from typing import Any, Final, NamedTuple, TypeGuard

from blade.runs.scan import RowView
from blade.signals.cleaning import code_digest, quoted
from blade.signals.layout.check_entries import encoded, entries_at
from blade.signals.layout.paths import value_at
from blade.signals.layout.shape import ChecksField, written
from blade.signals.learning import Learns
from blade.signals.options import USUAL, Options
from blade.signals.rollout import Rollout, once_for_each, rollout_of
from blade.signals.texts.origins import LARGEST_FLOAT
from blade.signals.verifier.run_outcomes import outcome
from blade.signals.verifier.stated_failures import stated_failures
from blade.signals.wanted.check_names import (
    DECIDING,
    DETAILS,
    INSIDE,
    NAMES,
    NOT_CHECKS,
    VERDICTS,
    counts_by_name,
    flag_means,
    flags_by_name,
    happened,
    holds_names,
    is_bad_flag,
    is_flag,
    is_score,
    is_setting,
    is_status,
    says_verdict,
    speaks_of_checks,
)

SCHEMA: Final = "2"
MAX_CHECKS: Final = 200
MAX_DEPTH: Final = 4
MAX_NAME: Final = 120
MIN_FLAGS: Final = 2
"""Flags at the top of a row from which they are the checks of one verifier; a single one is the outcome itself."""

MUST_PASS: Final = "must pass: "  # noqa: S105
"""Said of a check without which nothing passes."""
_GOOD: Final = frozenset(
    ["pass", "passed", "ok", "success", "succeeded", "true", "yes", "met", "correct", "satisfied", "resolved"]
)
_BAD: Final = frozenset(
    ["fail", "failed", "failure", "error", "false", "no", "not met", "unmet", "incorrect", "unsatisfied", "timeout"]
)
_SORTED_TESTS: Final = ({"success", "failure"}, {"passed", "failed"}, {"pass", "fail"})


class Check(NamedTuple):
    """`field` is where it stands in the row, `name` an identifier that is the same in all rollouts of a task."""

    field: str
    name: str
    score: float | None
    passed: bool | None
    detail: str = ""


class ChecksExtractor(Learns):
    """The table `checks`: at most MAX_CHECKS rows for a rollout."""

    table = "checks"
    columns: Final = {"field": "string", "name": "string", "score": "float64", "passed": "bool_", "detail": "string"}

    def __init__(self, options: Options = USUAL) -> None:
        self.options = options
        self.version = f"{SCHEMA}:{code_digest()}{options.version}"

    def extract(self, view: RowView) -> Iterator[tuple[Any, ...]]:
        for check in checks_of(rollout_of(view, self.options)):
            yield quoted(check.field, MAX_NAME), quoted(check.name, MAX_NAME), check.score, check.passed, quoted(check.detail)


@once_for_each
def checks_of(rollout: Rollout) -> list[Check]:
    """The checks on a rollout's row, looked for once however many ask."""
    known = find_checks(rollout.fields)
    for field in rollout.options.layout.checks:
        place = written(field.path)
        if not any(check.field == place for check in known):
            known = (known + list(_learned(rollout.fields, field)))[:MAX_CHECKS]
    return known


def _learned(fields: dict[str, Any], learned: ChecksField) -> Iterator[Check]:
    """The checks at a place where this run was learned to keep them."""
    holder = value_at(fields, learned.path)
    entries = list(holder.values() if isinstance(holder, dict) else holder if isinstance(holder, list) else ())
    for entry, (name, said) in zip(entries, entries_at(holder, learned.name, learned.verdict), strict=False):
        if said is None:
            continue
        detail = said_of(entry) or _said_else(entry, (learned.name, learned.verdict)) if isinstance(entry, dict) else ""
        if learned.good:
            held = encoded(said) in learned.good
            yield Check(written(learned.path), name, float(held), held, detail)
        elif isinstance(said, int | float):
            score, passed = verdict(said) or (None, None)
            yield Check(written(learned.path), name, score, passed, detail)


def _said_else(entry: dict[str, Any], besides: Collection[str | None]) -> str:
    """The longest text of an entry that is neither its name nor its verdict."""
    texts = [value.strip() for key, value in entry.items() if key not in besides and isinstance(value, str)]
    return max(texts, key=len, default="")


def find_checks(fields: dict[str, Any]) -> list[Check]:
    """The checks of a row in the order of its fields, each name once in its field; later ones of a name are numbered."""
    found: list[Check] = []
    met: dict[tuple[str, str], int] = {}
    named = list(_in_object(fields, "", 0))
    listed = (*_flags(fields), *(named or _counts(fields)))
    for check in listed or (Check(said.field, said.name, 0.0, False, said.detail) for said in stated_failures(fields)):
        if len(found) >= MAX_CHECKS:
            break
        times = met[check.field, check.name] = met.get((check.field, check.name), 0) + 1
        found.append(check if times == 1 else check._replace(name=f"{check.name} #{times}"))
    return found


def verdict(value: Any) -> tuple[float | None, bool | None] | None:
    """What a value says of a check, as (score, passed); None where it is no verdict."""
    if isinstance(value, bool):
        return float(value), value
    if isinstance(value, int | float):
        if not abs(value) <= LARGEST_FLOAT:  # neither is what is no number, nor a whole number that no float can hold
            return None
        return float(value), True if value == 1 else False if value == 0 else None
    if isinstance(value, str):
        word = value.strip().lower().replace("_", " ")
        return (1.0, True) if word in _GOOD else (0.0, False) if word in _BAD else None
    return None


def _flags(fields: dict[str, Any]) -> Iterator[Check]:
    found = [check for name in flags_by_name(fields) if (check := _flag(name, fields[name])) is not None]
    if len(found) >= MIN_FLAGS:
        yield from found


def _flag(name: str, value: Any) -> Check | None:
    if isinstance(value, bool):
        good = flag_means(name)
        return None if good is None else Check("", name, float(value is good), value is good)
    if isinstance(value, str) and is_status(name):
        read = verdict(value)
        return None if read is None else Check("", name, *read)
    return None


def _counts(fields: dict[str, Any]) -> Iterator[Check]:
    """`f2p_passed` of `f2p_total`; told only where no check is told by its own name, for else they are its sums."""
    for name in counts_by_name(fields):
        value, total = fields[name], fields.get(f"{name.removesuffix('_passed')}_total")
        if _is_count(value) and _is_count(total) and total > 0:
            yield Check("", name.removesuffix("_passed"), value / total, value >= total, f"{value:g} of {total:g}")


def _is_count(value: Any) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST_FLOAT


def _in_object(holder: dict[str, Any], path: str, depth: int) -> Iterator[Check]:
    for key, value in holder.items():
        if not value or not isinstance(value, (list, dict)):
            continue
        place = f"{path}.{key}" if path else key
        if isinstance(value, list):
            if len(value) <= 10 * MAX_CHECKS:
                yield from _in_list(value, place, key, holder)
        elif depth < MAX_DEPTH and (key not in NOT_CHECKS or _all_verdicts(value)):
            if len(value) == 2 and set(value) in _SORTED_TESTS and all(isinstance(names, list) for names in value.values()):
                yield from _sorted_tests(value, place)
            elif speaks_of_checks(key) and _all_verdicts(value):
                yield from _components(value, place)
            elif (report := _report(value, place)) is not None:
                yield report
            else:
                yield from _in_object(value, place, depth + 1)


def _all_verdicts(value: dict[str, Any]) -> bool:
    return all(verdict(inner) is not None for inner in value.values())


_GOT: Final = ("output", "got", "actual", "observed", "received", "result")
MAX_SHOWN: Final = 120
_OF_A_RUN: Final = frozenset(["expected", "inputs", "input", "output", "error_code", "stderr", "exit_code"])
"""What stands beside the message of a program's test run."""


def _report(value: dict[str, Any], place: str) -> Check | None:
    """What a test runner says of the one case that failed: its message, what was expected and what came out."""
    message, wanted = value.get("error_message"), value.get("expected")
    if not isinstance(message, str) or not message.strip():
        return None
    got = next((value[name] for name in _GOT if isinstance(value.get(name), str | int | float)), None)
    said = [message.strip()]
    if isinstance(wanted, str | int | float) and got is not None:
        said.append(f"expected {str(wanted)[:MAX_SHOWN]}, got {str(got)[:MAX_SHOWN]}")
    if isinstance(given := value.get("inputs", value.get("input")), str):
        said.append(f"for {given[:MAX_SHOWN]}")
    how = message.strip().partition(":")[0]
    if not _OF_A_RUN.isdisjoint(value):
        how = outcome(message, _text(value.get("error")), _text(wanted), None if got is None else _text(got))
    return Check(place, how[:MAX_SHOWN], 0.0, False, "; ".join(said))


def _text(value: Any) -> str:
    return str(value) if isinstance(value, str | int | float) else ""


def _components(value: dict[str, Any], place: str) -> Iterator[Check]:
    """Verdicts by name. Where some number is no share, the numbers are points of an unknown scale and pass or fail nothing."""
    read = {str(name): verdict(inner) or (None, None) for name, inner in value.items()}
    points = any(score is not None and not 0 <= score <= 1 for score, _ in read.values())
    for name, (score, passed) in read.items():
        yield Check(place, name, score, None if points and not isinstance(value[name], bool) else passed)


def _sorted_tests(value: dict[str, Any], place: str) -> Iterator[Check]:
    for key, names in value.items():
        passed = key in _GOOD
        yield from (Check(place, str(name), float(passed), passed) for name in names)


def _in_list(entries: list[Any], place: str, key: str, holder: dict[str, Any]) -> Iterator[Check]:
    if all(isinstance(entry, dict) for entry in entries):
        checks = list(takewhile(bool, (_entry(entry, place) for entry in entries)))
        if len(checks) == len(entries):
            yield from (check for check in checks if check is not None)
        elif key not in NOT_CHECKS and not happened(key):
            yield from _by_shape(entries, place, key)
        return
    binary = all(isinstance(entry, bool) or (isinstance(entry, int | float) and entry in (0, 1)) for entry in entries)
    if not binary or key in NOT_CHECKS:
        return
    names = _names_beside(entries, holder)
    if names is None and not (speaks_of_checks(key) and all(isinstance(entry, bool) for entry in entries)):
        return
    for number, entry in enumerate(entries):
        yield Check(place, names[number] if names else f"{number}", float(entry), bool(entry))


def _names_beside(entries: list[Any], holder: dict[str, Any]) -> list[str] | None:
    """The list of names that stands beside a list of verdicts: as long as it, and of texts that speak of ids."""
    for key, value in holder.items():
        if not isinstance(value, list) or len(value) != len(entries) or value is entries:
            continue
        if all(isinstance(name, str) for name in value):
            if holds_names(key):
                return [str(name) for name in value]
        elif all(isinstance(entry, dict) for entry in value):
            names = [_name(entry) for entry in value]
            if all(names):
                return [str(name) for name in names]
    return None


def _entry(entry: dict[str, Any], place: str) -> Check | None:
    """One check of a list, if it has both a name and a verdict."""
    if entry.keys().isdisjoint(VERDICTS):
        return None
    name = _name(entry) or next(
        (told for key in INSIDE if isinstance(entry.get(key), dict) and (told := _name(entry[key]))), None
    )
    if name is None:
        return None
    for key in VERDICTS:
        read = verdict(entry[key]) if key in entry else None
        if read is not None:
            score = verdict(entry["score"]) if "score" in entry else None
            return Check(place, name, score[0] if score else read[0], read[1], _with_weight(entry, said_of(entry, read[1])))
    return None


def _with_weight(entry: dict[str, Any], said: str) -> str:
    """What is said of a check, and that all depends on it where the entry says so."""
    return f"{MUST_PASS}{said}" if any(entry.get(name) is True for name in DECIDING) else said


def _by_shape(entries: list[dict[str, Any]], place: str, key: str) -> Iterator[Check]:
    """Entries of one layout, each with one boolean that is its verdict and one text that tells it from the others."""
    layout = entries[0].keys()
    if not any(isinstance(value, bool) for value in entries[0].values()):
        return
    if any(entry.keys() != layout for entry in entries):
        return
    flags = [name for name in layout if all(isinstance(entry[name], bool) for entry in entries)]
    told = [name for name in flags if is_flag(name)]
    if not told and speaks_of_checks(key):
        told = [name for name in flags if not is_setting(name)]
    if len(told) != 1:
        return
    telling = [name for name in layout if name not in DETAILS and _tells_apart([entry[name] for entry in entries])]
    names = [name for name in NAMES if name in telling][:1] or telling
    if len(names) != 1:
        return
    bad = is_bad_flag(told[0])
    for entry in entries:
        passed = entry[told[0]] is not bad
        yield Check(place, str(entry[names[0]]).strip(), float(passed), passed, said_of(entry))


def _tells_apart(values: list[Any]) -> bool:
    texts = {value.strip() for value in values if isinstance(value, str) and 0 < len(value.strip()) <= MAX_NAME}
    return len(texts) == len(values)


def holds_verdict(holder: dict[str, Any], besides: Collection[str] = ()) -> bool:
    """Whether an object holds the verdict of whoever judged: a boolean or a share under a name that speaks of it, or checks."""
    for name, value in holder.items():
        if name in besides:
            continue
        if isinstance(value, bool):
            if says_verdict(name):
                return True
        elif isinstance(value, (int, float)):
            if is_score(name):
                return True
        elif isinstance(value, list) and 0 < len(value) <= 10 * MAX_CHECKS and any(_in_list(value, name, name, holder)):
            return True
    return False


def _name(entry: dict[str, Any]) -> str | None:
    for key in NAMES:
        value = entry.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()
        if isinstance(value, int) and not isinstance(value, bool) and key.endswith("id"):
            return str(value)
    return None


def said_of(entry: dict[str, Any], passed: bool | None = None) -> str:
    """What an entry says of its verdict; of several voters that of the first who voted like it came out."""
    votes = entry.get("votes")
    for key in DETAILS:
        value = entry.get(key)
        if isinstance(value, list) and value:
            cast = [verdict(vote) for vote in votes] if isinstance(votes, list) and len(votes) == len(value) else []
            alike = [said for said, vote in zip(value, cast, strict=False) if vote is not None and vote[1] is passed]
            value = alike[0] if alike and passed is not None else value[0]
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""
