"""Small functions in a repository: look, write, run the tests, hand in. The verifier runs hidden tests too, and names each one.

The dataset holds the `tests` with their arguments and expected values; the row holds `test_results`, one entry for each.
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from blade.lab.desk import Call, dice
from blade.lab.environments.code.functions import FUNCTIONS, Wanted
from blade.lab.environments.environment import Environment, function, timed_out
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Move, Row, Script, Task, call, say

TOOLS = (
    function("bash", "Run a command in the sandbox and return its output.", command="string"),
    function("write_file", "Write a file, replacing what it held.", path="string", content="string"),
    function("replace_in_file", "Replace one occurrence of a text in a file.", path="string", old="string", new="string"),
)
_PLACES = ("toolbox", "kit", "lib", "core", "helpers_pkg", "numerics", "textkit", "common_ops")
_DONE = (
    "`{name}` is implemented in `{path}`.",
    "Finished: {path} now has `{name}` as described.",
    "I've implemented `{name}`; the change is in {path}.",
    "The function is in place ({path}).",
)
_SYSTEM = (
    "You are a software engineer working in a sandbox with a small Python repository. Make the change that is asked for. "
    "Further tests that you cannot see will be run on your work."
)


@dataclass(frozen=True)
class Outcome:
    name: str
    passed: bool
    message: str


def run_tests(source: str, name: str, tests: Sequence[Row]) -> list[Outcome]:
    """Load the source and run each test for real: our own functions on literals, nothing else."""
    namespace: dict[str, Any] = {}
    try:
        exec(compile(source, name, "exec"), namespace)  # noqa: S102 (sources from our own bank)
    except SyntaxError as error:
        return [Outcome(str(test["name"]), False, f"SyntaxError: {error.msg}") for test in tests]
    found = []
    for test in tests:
        expected = literal_eval(test["expected"])
        try:
            given = literal_eval(f"({test['input']},)")
            got = namespace[name](*given)
            passed = got == expected and (got is None) == (expected is None)
            message = "" if passed else f"AssertionError: assert {got!r} == {expected!r}"
        except Exception as error:  # noqa: BLE001 (whatever the function raises is the test's result)
            passed, message = False, f"{type(error).__name__}: {error}"
        found.append(Outcome(str(test["name"]), passed, message))
    return found


def _as_pytest(outcomes: Sequence[Outcome], file: str) -> str:
    """What the test runner prints."""
    marks = "".join("." if outcome.passed else "F" for outcome in outcomes)
    lines = [f"{marks:<72} [100%]"]
    failed = [outcome for outcome in outcomes if not outcome.passed]
    if failed:
        lines.append("=================================== FAILURES ===================================")
        for outcome in failed:
            lines += [
                f"_______________________________ {outcome.name} _______________________________",
                f"E       {outcome.message}",
            ]
        lines.append("=========================== short test summary info ============================")
        lines += [f"FAILED {file}::{outcome.name} - {outcome.message}" for outcome in failed]
    passed = len(outcomes) - len(failed)
    lines.append(f"{len(failed)} failed, {passed} passed in 0.03s" if failed else f"{passed} passed in 0.02s")
    return "\n".join(lines)


def _source(wanted: Wanted, body: str) -> str:
    return f'def {wanted.name}({wanted.signature}):\n    """{wanted.text[0].upper() + wanted.text[1:]}."""\n    {body}\n'


def _tests(entries: Sequence[tuple[str, str, str]]) -> list[Row]:
    return [{"name": name, "input": given, "expected": expected} for name, given, expected in entries]


def _task(index: int, wanted: Wanted, rng: Random) -> Task:
    package = _PLACES[(index // len(FUNCTIONS) + len(wanted.name)) % len(_PLACES)]
    path, tests = f"src/{package}/{wanted.name}.py", f"tests/test_{wanted.name}.py"
    test_command = rng.choice((f"python -m pytest -q {tests}", f"pytest -q {tests}", f"cd /repo && python -m pytest {tests} -q"))
    setup = rng.choice(("pip install -e . -q", "pip install -r requirements.txt -q"))
    look = (
        call("bash", command=rng.choice(("ls -R src tests", "git ls-files", "ls src tests"))),
        call("bash", command=f"cat {path} {tests}"),
    )

    def write(body: str, decisive: bool = False) -> Move:
        return call("write_file", changes=True, decisive=decisive, path=path, content=_source(wanted, body))

    check = call("bash", command=test_command)
    done = [say(text.format(name=wanted.name, path=path)) for text in _DONE]

    def checked(body: str, decisive: bool = False) -> Script:
        return (*look, call("bash", command=setup), write(body, decisive), check, rng.choice(done))

    sound = [checked(body) for body in wanted.right]
    sound.append(
        (
            *look,
            call("bash", command=setup),
            write(wanted.caught),
            check,
            write(rng.choice(wanted.right)),
            check,
            rng.choice(done),
        )
    )
    unfinished = call("replace_in_file", decisive=True, path=path, old="    pass\n", new=f"    {wanted.right[0]}\n", thought=None)
    misused = tuple(
        (
            *look,
            call("bash", command=setup),
            *(move for number, body in enumerate(wanted.misuse) for move in (write(body, not number), check)),
            last,
        )
        for last in done[:2]
    )
    faulty: dict[str, tuple[Script, ...]] = {
        "wrong_algorithm": tuple(checked(wanted.misconception, True) for _ in range(2)),
        "wavering_code": tuple(checked(body, True) for body in wanted.wavering),
        "no_self_check": tuple((*look, write(wanted.caught, True), last) for last in done),
        "api_misuse": misused,
        "error_ignored": tuple((*look, unfinished, last) for last in done),
    }
    hidden = _tests((*wanted.visible, *wanted.hidden))
    request = rng.choice(
        (
            f"Implement `{wanted.name}({wanted.signature})` in {path}: it should {wanted.text}. The visible tests are in {tests}.",
            f"`{wanted.name}` in {path} is only a stub. Please write it: {wanted.text}. Run `{test_command}` to try it.",
            f"Please complete {path}. The function `{wanted.name}({wanted.signature})` must {wanted.text}.",
        )
    )
    return Task(
        index, wanted.name, _SYSTEM, request, tuple(sound), {"task_name": f"{package}-{wanted.name}-{index}", "tests": hidden}, faulty,
        extras=(Call("bash", {"command": "git log --oneline -5"}), Call("bash", {"command": "python --version"}), Call("bash", {"command": f"cat src/{package}/README"})),
        other_gold={"task_name": f"{package}-{wanted.name}-{index}", "tests": _relabelled(hidden, rng)},
        facts={"wanted": wanted, "path": path, "tests_file": tests, "package": package},
    )  # fmt: skip


def _relabelled(tests: list[Row], rng: Random) -> list[Row]:
    """The tests with one expected value that the request contradicts."""
    at = rng.randrange(2, len(tests))
    value = literal_eval(tests[at]["expected"])
    other: Any = (
        not value if isinstance(value, bool) else value + 1 if isinstance(value, int | float) else value[:-1] if value else ["x"]
    )
    return [{**test, "expected": repr(other)} if number == at else test for number, test in enumerate(tests)]


class Code(Environment):
    name = "code"
    hosts = ("sbx-01", "sbx-02", "sbx-03", "sbx-04", "sbx-05")
    setting = Setting("code_tools_agent", "vega-coder-32b", TOOLS, temperature=0.6, host_field="sandbox_host")
    manner = Manner(
        thinks=0.6,
        before_read=(
            "Let me see what is there.",
            "I'll look at the repository first.",
            "Checking the state of things.",
            "Next, a look at the files.",
        ),
        before_change=(
            "Writing the function now.",
            "That should do it.",
            "I have what I need for the implementation.",
            "Here is my version.",
        ),
        recovered_error=0.0,
        pace=(2.0, 9.0),
    )

    def tasks(self, seed: int, count: int) -> list[Task]:
        order = dice(seed, self.name, "order").sample(FUNCTIONS, len(FUNCTIONS))
        return [_task(index, order[index % len(order)], dice(seed, self.name, "task", index)) for index in range(count)]

    def trouble_with(self, kind: str) -> tuple[frozenset[str] | None, frozenset[str] | None]:
        if kind == "disk_full":
            return None, None
        if kind == "sandbox_start":
            return frozenset(["bash"]), None
        return frozenset(["bash"]), frozenset(["pip"] if kind == "failed_install" else ["pytest", "python", "git"])

    def backend(self, task: Task) -> Backend:
        wanted, path, tests_file = task.facts["wanted"], task.facts["path"], task.facts["tests_file"]
        held = {"source": _source(wanted, "raise NotImplementedError")}
        visible = _tests(wanted.visible)

        def answer(made: Call) -> str:
            given = made.arguments
            if made.name == "write_file":
                held["source"] = str(given["content"])
                return f"wrote {len(held['source'])} characters to {given['path']}"
            if made.name == "replace_in_file":
                if str(given["old"]) not in held["source"]:
                    return f"Error: old text not found in {given['path']}; no replacement was made"
                held["source"] = held["source"].replace(str(given["old"]), str(given["new"]), 1)
                return "1 replacement"
            command = str(given["command"])
            if "pytest" in command:
                return _as_pytest(run_tests(held["source"], wanted.name, visible), tests_file)
            if command.startswith("pip"):
                return ""
            if command.startswith("cat src") and tests_file in command:
                shown = "\n".join(
                    f"def {test['name']}():\n    assert {wanted.name}({test['input']}) == {test['expected']}\n"
                    for test in visible
                )
                return f"{held['source']}\n{shown}"
            if command.startswith("cat"):
                return f"cat: {command.split()[-1]}: No such file or directory"
            if command.startswith("git log"):
                return "9f2c1ab Add stubs\n41d0e77 Initial commit"
            if command.startswith("python --version"):
                return "Python 3.11.9"
            return f"pyproject.toml\n{path}\n{tests_file}"

        return answer

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        task = episode.task
        wanted: Wanted = task.facts["wanted"]
        replay = _source(wanted, "raise NotImplementedError")
        for made in episode.accepted:
            if made.name == "write_file":
                replay = str(made.arguments["content"])
        outcomes = run_tests(replay, wanted.name, task.gold["tests"])
        if flaw == "broken_test":
            at = dice(task.index, wanted.name, "broken").randrange(len(outcomes))
            broken = Outcome(
                outcomes[at].name, False, "FileNotFoundError: [Errno 2] No such file or directory: 'fixtures/expected.json'"
            )
            outcomes = [broken if number == at else outcome for number, outcome in enumerate(outcomes)]
        if flaw == "flaky_verifier":
            at = rng.randrange(len(outcomes))
            outcomes = [
                Outcome(outcome.name, False, "AssertionError: timing above threshold") if number == at else outcome
                for number, outcome in enumerate(outcomes)
            ]
        passed = all(outcome.passed for outcome in outcomes)
        results = [
            {"name": outcome.name, "status": "passed" if outcome.passed else "failed", "message": outcome.message}
            for outcome in outcomes
        ]
        if flaw == "verifier_timeout":
            return {"reward": 0.0, "test_results": [], "tests_passed": 0, "verifier_error": timed_out(rng)}
        reward = 1.0 if passed and flaw != "reward_contradicts_checks" else 0.0
        return {
            "reward": reward,
            "test_results": results,
            "tests_passed": sum(outcome.passed for outcome in outcomes),
            "tests_total": len(outcomes),
        }
