"""Programs that answer a task, read beside what their test run says: whether they run at all, and whether they reached the verifier.

A program for a contest reads its input and prints; one that only defines functions prints nothing, however right they are. Only Python is read, by
its own grammar; of other languages nothing is said. A verifier that took no program from a message that holds one has lost it; where the message
holds none either, none was handed in.
"""

import ast
import re
from collections.abc import Iterator
from typing import Final

from blade.signals.example import Example, says
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal
from blade.signals.texts.written_python import NO_PYTHON, parsed
from blade.signals.verifier.run_outcomes import SILENT
from blade.signals.wanted.answer_fields import expected_answer
from blade.signals.wanted.checks import checks_of

TAKEN: Final = (
    "code", "extracted_code", "extracted_model_code", "generated_code", "solution_code", "model_code", "parsed_code", "submitted_code",
)  # fmt: skip
"""Names under which verifiers keep the program that they ran."""
_ANY_CODE: Final = "code"
"""The one among them that may hold something else: a voucher, an error's number."""
LONGEST: Final = 100_000
LEAST_LINES: Final = 2
_FENCE: Final = re.compile(r"^[ \t]*```[^\n`]*$", re.MULTILINE)
_TWICE: Final = re.compile(r"^[ \t]*```[^\S\n]*\w+[^\S\n]*\n(?:[^\S\n]*\n){0,3}[ \t]*```[^\S\n]*\w+[^\S\n]*$", re.MULTILINE)
_OPENED_TWICE: Final = "; the model opened its fence twice, which leaves an empty block before the program"
_WRITES: Final = frozenset(["print", "write", "writelines", "exec", "run", "input"])
_CODE_LINE: Final = re.compile(
    r"^[ \t]*(?:def |class |import |from \w[\w.]* import |return\b|for .+:|while .+:|if .+:|#include\b|public |int main|fn |func |let |const |var |\w[\w.\[\]]* ?[-+*/%]?= ?\S)[^\n]*",
    re.MULTILINE,
)
_PROGRAM: Final = re.compile(r"^[ \t]*(?:def |class |import |from \w|print\(|#include)|```[ \t]*\w+[ \t]*$", re.MULTILINE)
"""What only a program holds, or a fence that names its language."""
_NEVER_CALLED: Final = "def solve():\n    n = int(input())\n    print(2 * n)\n"


@signal(
    "program_never_run",
    label="BI",
    meaning="the program defines functions and calls none of them, so that its test run prints nothing",
    causal=False,
    example=Example(
        (says(f"```python\n{_NEVER_CALLED}```"),),
        fields={"code": _NEVER_CALLED, "result": {"error_message": "Wrong answer", "expected": "6", "output": "", "inputs": "3"}},
    ),
)
def program_never_run(rollout: Rollout) -> Iterator[Evidence]:
    if not any(check.name == SILENT and check.passed is False for check in checks_of(rollout)):
        return
    taken = _taken(rollout)
    program = taken[1] if taken is not None else _last_block(rollout)
    idle = never_called(program) if program else ()
    if idle and not _called_by_runner(rollout.prompt_text, idle):
        step = None if rollout.final is None else rollout.final.step
        yield Evidence(
            step,
            f"def {idle[0]}",
            f"{', '.join(idle[:3])}: defined and called nowhere outside; the run printed nothing",
            "program",
        )


@signal(
    "program_not_taken",
    label="TI",
    meaning="the message holds a program, and the verifier took none from it",
    causal=False,
    example=Example((says("```python\n```python\nimport sys\nn = int(input())\nprint(2 * n)\n```"),), fields={"code": ""}),
)
def program_not_taken(rollout: Rollout) -> Iterator[Evidence]:
    taken = _taken(rollout)
    if taken is None or taken[1].strip() or rollout.final is None or rollout.status.cut:
        return
    lines = _code_lines(rollout.final.text)
    if taken[0] == _ANY_CODE and not (_PROGRAM.search(rollout.final.text) and expected_answer(rollout) is None):
        return
    if len(lines) >= LEAST_LINES:
        twice = _TWICE.search(rollout.final.text)
        yield Evidence(
            rollout.final.step,
            (lines[0] if twice is None else " ".join(twice[0].split())).strip()[:160],
            f"{taken[0]} is empty, and the message holds {len(lines)} lines of code at least{'' if twice is None else _OPENED_TWICE}",
            taken[0],
        )


@signal(
    "no_program",
    label="BI",
    meaning="no program was handed in: the message holds none, or an empty block",
    causal=False,
    example=Example((says("```python\n\n```"),), fields={"code": ""}),
)
def no_program(rollout: Rollout) -> Iterator[Evidence]:
    taken = _taken(rollout)
    if taken is None or taken[1].strip() or rollout.status.cut or rollout.status.error:
        return
    if rollout.final is None:
        # Not one token is the endpoint's failure, and thoughts without an answer are told as such.
        spoke = [item for item in rollout.output if item.kind == "message" and item.role == "assistant"]
        thought = any(item.kind == "reasoning" for item in rollout.output)
        run = taken[0] != _ANY_CODE or bool(checks_of(rollout))
        if spoke and not thought and run and rollout.status.output_tokens != 0:
            yield Evidence(spoke[-1].step, "no text", f"the message is empty, and so is {taken[0]}", taken[0])
        return
    said = rollout.final.text
    if said.strip() and not _code_lines(said) and ("```" in said or taken[0] != _ANY_CODE):
        yield Evidence(rollout.final.step, said[-160:], f"{taken[0]} is empty", taken[0])


def _called_by_runner(prompt: str, defined: tuple[str, ...]) -> bool:
    """Whether the prompt asks for what the program defines, so that a runner calls it: starter code, or a class of the usual name."""
    return set(defined) == {"Solution"} or any(
        re.search(rf"\b(?:class|def)\s+{re.escape(name)}\b|`{re.escape(name)}\b", prompt) for name in defined
    )


def _taken(rollout: Rollout) -> tuple[str, str] | None:
    """The program that the verifier took, with the field that holds it; None where no field tells."""
    if rollout.calls:
        return None
    for name in TAKEN:
        value = rollout.fields.get(name, 0)
        if value is None or isinstance(value, str):
            return name, value or ""
    return None


def _last_block(rollout: Rollout) -> str:
    """The last fenced block of the final message."""
    if rollout.final is None:
        return ""
    text = rollout.final.text[-LONGEST:]
    marks = list(_FENCE.finditer(text))
    return text[marks[-2].end() : marks[-1].start()] if len(marks) > 1 else ""


def _code_lines(text: str) -> list[str]:
    return [found[0] for found in _CODE_LINE.finditer(text[-LONGEST:])] if "```" in text else []


def never_called(program: str) -> tuple[str, ...]:
    """The functions and classes that a Python program defines, where it uses none of them itself and prints nothing either."""
    if len(program) > LONGEST:
        return ()
    try:
        body = parsed(program).body
    except NO_PYTHON:
        return ()
    defined = [node.name for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
    names = frozenset(defined)
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and inner.id in names:
                return ()
            if isinstance(inner, ast.Call) and _called(inner) in _WRITES:
                return ()
    return tuple(defined)


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id if isinstance(call.func, ast.Name) else ""
