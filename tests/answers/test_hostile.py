"""Text that wants to cost time or memory, or to end the process, costs little and ends nothing."""

import subprocess
import sys
import time

import pytest

from blade.answers import Relation, compare, contains_expected, extract
from blade.answers.symbolic import _Worker, expression

HOSTILE = [
    "9**9**9",
    "9^{9^{9}}",
    "(((9^{9})^{9})^{9})",
    "2^{10000}",
    "10^{99999}",
    "1e999999999",
    "1" * 1900,
    "1" * 100_000,
    "1," * 900,
    "{" * 1900,
    "[" * 900 + "]" * 900,
    "{" + ",".join(str(i) for i in range(400)) + "}",
    "{" + ",".join("{1,2,3}" for _ in range(200)) + "}",
    r"\frac{" * 300,
    r"\boxed{" * 280,
    r"\sqrt{" * 20 + "x" + "}" * 20,
    "$" * 1900,
    "**" * 900,
    "Answer: " * 240,
    "(" * 900 + "x" + ")" * 900,
    '{"a":' * 300 + "1" + "}" * 300,
    "x^" * 70 + "x",
    "170!!!!!",
    "\ufdfa" * 1900,
    "½" * 1900,
    "²" * 1900,
    "and " * 480,
    "one " * 480,
    "\ud800",
    "\x00",
    "__import__('os').system('true')",
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:12].encode("ascii", "backslashreplace").decode())
def test_hostile_text_is_cheap(text: str) -> None:
    start = time.perf_counter()
    for other in ("1", "x+1", "{1, 2}", text + " ", text[:-1] + "2"):
        compare(text, other)
    extract(text)
    contains_expected(text * 50, "12")
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize(
    "piece",
    [
        "\\boxed{",
        "<answer>",
        "answer is ",
        "A: ",
        '"answer": "',
        "#### ",
        "1,",
        "(A) ",
        "**Answer**\n",
        "answer ",
        "*",
        "answer" + " " * 5000,
        "answer" + "*" * 5000,
        "\n" * 9,
        "because ",
    ],
)
def test_a_long_message_is_cheap(piece: str) -> None:
    start = time.perf_counter()
    contains_expected(piece * (400_000 // len(piece)), "12")
    assert time.perf_counter() - start < 3


@pytest.mark.parametrize(
    "text",
    ["9**9**9", "9^{9^9}", "x^{65}", "(x^{30})^{30}", "x!", "listen", "12 km", "3-5", "555-1234", "ab", "x" * 200, "{", "é+1"],
)
def test_what_is_not_clearly_small_maths_is_refused(text: str) -> None:
    assert expression(text) is None


def test_a_worker_that_is_late_is_killed_and_the_next_question_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = _Worker()
    assert worker.ask(["x+1", "1+x"]) == "same"
    first = worker._process
    assert first is not None
    with monkeypatch.context() as hurried:
        hurried.setattr("blade.answers.symbolic.TIME_LIMIT", 0.3)
        start = time.perf_counter()
        assert worker.ask([r"(x+y+z+1)^{60}", r"(x+y+z+1)^{59}\cdot(x+y+z+2)"]) == "gave up"
        assert time.perf_counter() - start < 5
    assert first.poll() is not None
    assert worker.ask(["x+1", "2+x"]) == "different"
    worker.close()


def test_the_package_loads_without_sympy() -> None:
    asked = "import blade.answers, sys; print([name for name in ('sympy', 'math_verify', 'numpy') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_no_process_is_left_behind() -> None:
    asked = "from blade.answers import compare; from blade.answers import symbolic as s; compare('x+1','1+x'); print(s._worker._process.pid)"
    pid = int(subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout)
    psutil = pytest.importorskip("psutil")
    assert not psutil.pid_exists(pid)


def test_a_missing_library_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = _Worker()
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert worker.ask(["x+1", "1+x"]) == "not available"
    assert worker.ask(["x+1", "1+x"]) == "not available"


def test_a_text_too_long_is_still_equal_to_itself() -> None:
    assert compare("a" * 5000, "a" * 5000).relation is Relation.EQUAL
    assert compare("a" * 5000, "a" * 5001).relation is Relation.UNKNOWN
