"""BI, in code and terminal work: did the rollout test what it wrote, and what did the test say?

Only rollouts that edit files count, and only where there is something to run a test with: a model that cannot run anything cannot
be blamed for not having done so. Not causal: which edit was the last is known at the end.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from blade.signals.calls.call import Call
from blade.signals.calls.mutation import words_of
from blade.signals.example import Example, call
from blade.signals.rollout import Rollout, once_for_each
from blade.signals.signal import Evidence, signal

_RUNNERS: Final = frozenset(
    ["bash", "shell", "terminal", "exec", "execute", "run", "python", "ipython", "command", "sandbox", "test", "tests"]
)
_EDITORS: Final = frozenset(["edit", "write", "patch", "apply", "create", "insert", "replace", "str", "editor"])
_SHELL_EDIT: Final = re.compile(
    r"(?:^|[;&|\s])(?:sed -i|tee |patch |git apply|cat ?>)|(?<![0-9&])>{1,2} ?[\w./~-]+\.\w+|open\([^)]*['\"]w"
)
_EDIT_MARKS: Final = (">", "open(", "sed -i", "tee ", "patch ", "git apply")
_TEST_MARKS: Final = ("test", "tox", "nox", "mocha", "rspec", "make check", "jest")
"""One of these stands in every such command, and looking for them is quick."""
_TEST_RUN: Final = re.compile(
    r"\b(?:pytest|unittest|tox|nox|ctest|go test|cargo test|npm (?:run )?test|yarn test|jest|vitest|mocha|rspec|mvn test|gradle test|make (?:test|check)|runtests?(?:\.py)?|doctest)\b"
)
_PASSED: Final = re.compile(
    r"\b[1-9]\d* passed\b|^OK\b|\bAll tests passed\b|\btest result: ok\b|^PASS\b|\b0 fail(?:ed|ures)\b",
    re.MULTILINE | re.IGNORECASE,
)
_FAILED: Final = re.compile(
    r"\b[1-9]\d* (?:failed|errors?|failures?)\b|^FAILED\b|^FAIL\b|\bTraceback \(most recent|\btest result: FAILED|^ERRORS?\b|AssertionError",
    re.MULTILINE,
)


_DOCUMENT: Final = re.compile(
    r"\.(?:md|markdown|rst|txt|adoc|docx?|odt|rtf|pdf|pptx?|xlsx?|csv|tsv|log|eml|ics|tex|bib|png|jpe?g|svg)$", re.IGNORECASE
)
"""Files that nothing can be run on."""


def _command(made: Call) -> str:
    given = made.arguments or {}
    return " ".join(value for value in given.values() if isinstance(value, str)) or made.raw


def _runs(made: Call) -> bool:
    return _is_runner(made.name)


@lru_cache(maxsize=4096)
def _is_runner(name: str) -> bool:
    return not _RUNNERS.isdisjoint(words_of(name))


@lru_cache(maxsize=4096)
def _is_editor(name: str) -> bool:
    return not _EDITORS.isdisjoint(words_of(name))


def edits(made: Call) -> bool:
    if _runs(made):
        command = _command(made)
        return any(map(command.__contains__, _EDIT_MARKS)) and _SHELL_EDIT.search(command) is not None
    return _is_editor(made.name) and any(
        "path" in key or "file" in key or key in ("patch", "diff", "input", "content") for key in made.arguments or ()
    )


def _tests(made: Call) -> bool:
    command = _command(made)
    return any(map(command.__contains__, _TEST_MARKS)) and _TEST_RUN.search(command) is not None


@once_for_each
def _hands(rollout: Rollout) -> tuple[bool, bool]:
    """Whether a call ran something, and whether one may have edited anything; in most rollouts none did either."""
    names = {made.name for made in rollout.calls}
    runs = any(map(_is_runner, names))
    return runs, runs or any(map(_is_editor, names))


@once_for_each  # three detectors ask, one after the other
def _last_edit(rollout: Rollout) -> int | None:
    """The last call that edited something which can be run: a program, its settings, its data."""
    if not _hands(rollout)[1]:
        return None
    return max(
        (number for number, made in enumerate(rollout.calls) if edits(made) and made.error is None and not _document(made)),
        default=None,
    )


def _document(made: Call) -> bool:
    paths = [
        value for key, value in (made.arguments or {}).items() if isinstance(value, str) and ("path" in key or "file" in key)
    ]
    return not _runs(made) and bool(paths) and all(_DOCUMENT.search(path.strip()) for path in paths)


def _verdict(output: str) -> bool | None:
    """Whether a test run passed; None where its output does not say. A failure outweighs what passed beside it."""
    if _FAILED.search(output):
        return False
    return True if _PASSED.search(output) else None


@signal(
    "no_self_check",
    label="BI",
    needs=("call",),
    meaning="files were edited, and nothing was run after the last edit although it could have been",
    causal=False,
    example=Example((call("bash", "setup.py src", cmd="ls"), call("edit", "ok", path="src/a.py", new="x = 1"))),
)
def no_self_check(rollout: Rollout) -> Iterator[Evidence]:
    edited = _last_edit(rollout)
    if edited is None or not (any(map(_runs, rollout.calls)) or any(map(_is_runner, rollout.tools))):
        return
    last = rollout.calls[edited]
    if not _tests(last) and not any(map(_runs, rollout.calls[edited + 1 :])):
        yield Evidence(last.step, last.short, "nothing was run after this edit", last.name)


@signal(
    "self_check_passed",
    label="BI",
    needs=("call",),
    meaning="the rollout's own last test run passed",
    causal=False,
    example=Example((call("edit", "ok", path="a.py", new="x"), call("bash", "== 12 passed in 0.3s ==", cmd="pytest -q"))),
)
def self_check_passed(rollout: Rollout) -> Iterator[Evidence]:
    yield from _checked(rollout, passed=True)


@signal(
    "self_check_failed",
    label="BI",
    needs=("call",),
    meaning="the rollout's own last test run failed, and it stopped there",
    causal=False,
    example=Example(
        (call("edit", "ok", path="a.py", new="x"), call("bash", "== 1 failed, 11 passed in 0.3s ==", cmd="pytest -q"))
    ),
)
def self_check_failed(rollout: Rollout) -> Iterator[Evidence]:
    yield from _checked(rollout, passed=False)


def _checked(rollout: Rollout, passed: bool) -> Iterator[Evidence]:
    if not _hands(rollout)[0]:
        return
    edited = _last_edit(rollout)
    for made in reversed(rollout.calls if edited is None else rollout.calls[edited:]):
        if made.output is None or not _runs(made) or not _tests(made):
            continue
        if _verdict(made.output.text) is passed:
            found = (_PASSED if passed else _FAILED).search(made.output.text)
            at = found.start() if found else 0
            quote = made.output.text[max(0, at - 60) : at + 120].strip()
            yield Evidence(made.step, quote, _command(made)[:150], made.name)
        return
