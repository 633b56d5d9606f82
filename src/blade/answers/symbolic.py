r"""Symbolic maths as a last resort: is `x^2+1` the same as `1+x^2`, `\sqrt{8}` the same as `2\sqrt{2}`?

math-verify (sympy underneath) answers well but trusts its input: words become products of letters (`listen` equals `silent`),
units vanish, `9^{9^9}` eats the machine, and its own time limit is a signal that a long multiplication never sees. So:

- `expression` lets through only short text that is maths letter by letter, with small exponents; anything else is refused;
- the work is done in a process of its own (`symbolic_worker`) with a memory limit, and that process is killed when time is up.
  It starts with the first question, stays for the next ones, and its slow import never reaches ours.

The gate is meant to be so narrow that the time limit never decides: verdicts must not depend on how busy a machine is.
"""

import atexit
import contextlib
import json
import os
import re
import subprocess
import sys
import threading
from functools import lru_cache
from typing import Final

from blade.answers.units import unit_named
from blade.answers.verdict import Verdict, different, equivalent, unknown

TIME_LIMIT: Final = 10.0
"""Seconds for one question, from when the worker is ready; far above what the gate lets through."""
START_LIMIT: Final = 120.0

_LONGEST: Final = 160
_MOST_OPERATIONS: Final = 30
_LARGEST_POWER: Final = 64
_COMMAND_NAMES: Final = (
    "frac sqrt pi sin cos tan sec csc cot arcsin arccos arctan sinh cosh tanh log ln exp alpha beta gamma theta lambda mu"
)
_COMMANDS: Final = frozenset(_COMMAND_NAMES.split())
_FUNCTIONS: Final = ("sqrt", "arcsin", "arccos", "arctan", "sin", "cos", "tan", "log", "ln", "exp", "pi")
_TOKEN: Final = re.compile(r"\\([a-zA-Z]+)|([a-zA-Z])|\d{1,15}(?:\.\d{1,15})?|[-+*/^_=(){}\[\]|]|\s")
_WORD: Final = re.compile(r"(?<![\\a-zA-Z])[a-zA-Z]{2,}")
_COMMAND: Final = re.compile(r"\\[a-zA-Z]+")
_NAME: Final = re.compile(r"[a-zA-Z]\d")
_BARE_FUNCTION: Final = re.compile(rf"(?<![\\a-zA-Z])({'|'.join(_FUNCTIONS)})(?![a-zA-Z])")
_BARE_ROOT: Final = re.compile(r"\\sqrt\s*\(([^()]*)\)")
_POWER: Final = re.compile(r"\^\s*(\{[^{}]*\}|\([^()]*\)|-?\d+|\\?[a-zA-Z]+)")


def expression(text: str) -> str | None:
    """The text as LaTeX that is safe to hand to a computer algebra system, or None if it is not clearly maths."""
    text = text.strip()
    if not 0 < len(text) <= _LONGEST or not text.isascii():
        return None
    text = _BARE_FUNCTION.sub(r"\\\1 ", text.replace("**", "^"))
    text = _BARE_ROOT.sub(r"\\sqrt{\1}", text)
    if any(not _is_product(found[0], text) for found in _WORD.finditer(_COMMAND.sub(" ", text))) or _NAME.search(
        _COMMAND.sub(" ", text)
    ):
        return None
    tokens = list(_TOKEN.finditer(text))
    if "".join(token[0] for token in tokens) != text or any(token[1] and token[1] not in _COMMANDS for token in tokens):
        return None
    # Digits joined by dashes or slashes are ranges, scores, dates and telephone numbers before they are maths.
    if not any(token[1] or token[2] or token[0] in set("+*^") for token in tokens):
        return text if re.fullmatch(r"-?\d+(?:\.\d+)?", text) else None
    if (
        _operations(text) > _MOST_OPERATIONS
        or text.count("=") > 1
        or text.count("/") > 6
        or _largest_power(text) > _LARGEST_POWER
    ):
        return None
    return re.sub(r"\^\s*(-?\d+)", r"^{\1}", text).replace("*", r" \cdot ")


def _is_product(letters: str, text: str) -> bool:
    """Whether letters side by side are a product (`xy`), not a word or a unit: few, and only within a formula."""
    return (len(letters) == 2 or letters in {"abc", "xyz"}) and unit_named(letters) is None and bool(set("+-^=") & set(text))


def _operations(text: str) -> int:
    return sum(text.count(sign) for sign in "+-*/^=|\\(")


def _largest_power(text: str) -> float:
    """The product of all numbers in exponents, an upper bound for how far powers of powers can grow; infinite for towers."""
    powers = _POWER.findall(text)
    if len(powers) != text.count("^"):
        return float("inf")
    product = 1.0
    for number in re.findall(r"\d+(?:\.\d+)?", " ".join(powers)):
        product *= max(1.0, float(number))
    return product


def compare_expressions(one: str, other: str) -> Verdict | None:
    """The verdict of symbolic maths on two bare answers, or None if it has none; symmetric."""
    first, second = expression(one), expression(other)
    if first is None or second is None or max(_operations(first), _operations(second)) == 0:
        return None
    answer = _ask_sorted(*sorted((first, second)))
    if answer == "same":
        return equivalent("symbolic maths", assumed=("=" in first) != ("=" in second))
    if answer == "different":
        return different("different expressions")
    return unknown(f"symbolic maths: {answer}")


@lru_cache(maxsize=4096)
def _ask_sorted(first: str, second: str) -> str:
    return _worker.ask([first, second])


class _Worker:
    """The process that does the maths; started on demand, killed when it is late, never shared with a forked child.

    After anything but a clean answer the process is given up, so that no question can receive the answer to another.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Start afresh; in a forked child, this leaves the parent's process to the parent."""
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self._missing = False

    def ask(self, question: list[str]) -> str:
        """`same`, `different`, or why there is no answer."""
        with self._lock:
            if self._missing:
                return "not available"
            if self._process is None:
                self._process = _start()
                if self._exchange(self._process, None, START_LIMIT) != "ready":
                    self._missing = True
                    return "not available"
            return self._exchange(self._process, question, TIME_LIMIT) or "gave up"

    def _exchange(self, process: subprocess.Popen[str], question: list[str] | None, limit: float) -> str | None:
        assert process.stdin is not None
        assert process.stdout is not None
        expired = threading.Event()

        def give_up() -> None:
            expired.set()
            process.kill()

        late = threading.Timer(limit, give_up)
        late.daemon = True
        late.start()
        answer = None
        try:
            if question is not None:
                process.stdin.write(json.dumps(question) + "\n")
                process.stdin.flush()
            answer = json.loads(process.stdout.readline() or "null")
        except (OSError, ValueError):
            answer = None
        finally:
            late.cancel()
            late.join()
            if answer is None or expired.is_set():
                self.close()
        return answer if isinstance(answer, str) else None

    def close(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        process.wait()


def _start() -> subprocess.Popen[str]:
    # -P: a folder full of somebody's files must not lend the worker its modules.
    command = [sys.executable, "-P", "-m", "blade.answers.symbolic_worker"]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8"
    )


_worker = _Worker()
atexit.register(_worker.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_worker.forget)
