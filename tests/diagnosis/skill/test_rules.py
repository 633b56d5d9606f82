"""Rules hold where they should: over a trajectory, over the tables, and the same in both."""

import pickle
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.diagnosis.skill import Skill, condition, facts_of, field_sql, rules_as_detectors, skill_problems
from blade.diagnosis.skill.comparison import Comparison, number_of, sql_number
from blade.diagnosis.skill.evaluate import evaluate
from blade.diagnosis.skill.rules import words
from blade.errors import UsageError
from blade.runs.quoting import literal
from blade.runs.run import Run
from blade.signals.extractor import CallsExtractor, SignalsExtractor
from blade.signals.rollout import read_rollout
from tests.diagnosis.skill.support import call, extractors, row, says, skill
from tests.runs.support import encoded, opened

ROWS: list[dict[str, Any]] = [
    row(0, call("find_member", '{"id": "M1"}', 1, name="Ann"), call("check_out", "ok", 2, tool="saw", days=3), says("Booked the saw."), level="gold", score=2, info={"kind": "loan", "deep": {"er": "x"}}, done=True),
    row(1, call("check_out", "Error: no such tool", 1, tool="axe", days=14), call("find_member", "{}", 2, name="Bo"), call("check_out", "ok", 3, tool="saw"), says("Sorry, I can't assist with that."), level="silver", score="2.0", info={"kind": "Order"}, reward=0.0),
    row(2, says("What do you need?"), says("a drill", "user"), says("Here: 日本 drill 42."), level="Gold", score=7.5, done=False, tags=["a", "b"], reward=0.0),
    row(3, {"type": "reasoning", "summary": [{"type": "summary_text", "text": "let me guess"}]}, level=None, score="n/a", reward=0.0),
]  # fmt: skip

CASES: list[tuple[str, list[int]]] = [
    ("{field: level, equals: gold}", [0]),
    ("{field: level, equals: gold, ignore_case: true}", [0, 2]),
    ("{field: level, in: [gold, silver]}", [0, 1]),
    ("{field: level, exists: true}", [0, 1, 2]),
    ("{field: level, exists: false}", [3]),
    ("{field: nowhere, exists: false}", [0, 1, 2, 3]),
    ("{not: {field: nowhere, equals: 1}}", [0, 1, 2, 3]),
    ("{field: score, equals: 2}", [0, 1]),
    ("{field: score, gt: 2}", [2]),
    ("{field: score, gte: 2, lt: 7.5}", [0, 1]),
    ("{field: score, lte: 100}", [0, 1, 2]),
    ("{field: score, matches: '^n'}", [3]),
    ("{field: done, equals: true}", [0]),
    ("{field: done, equals: false}", [2]),
    ("{field: info.kind, equals: loan}", [0]),
    ("{field: info.kind, contains: ORD, ignore_case: true}", [1]),
    ("{field: info.deep.er, equals: x}", [0]),
    ("{field: tags, contains: '\"b\"'}", [2]),
    ("{field: level, matches: 'ol|ver'}", [0, 1, 2]),
    ("{field: tool_calls, gte: 3}", [1]),
    ("{field: tool_calls, equals: 0}", [2, 3]),
    ("{call: find_member}", [0, 1]),
    ("{call: 'find_*'}", [0, 1]),
    ("{call: '?ind_member'}", [0, 1]),
    ("{call: find}", []),
    ("{call: find_member, before: check_out}", [0]),
    ("{call: find_member, after: check_out}", [1]),
    ("{call: check_out, before: find_member}", [1]),
    ("{call: check_out, before: nothing}", []),
    ("{call: check_out, at_least: 2}", [1]),
    ("{call: check_out, error: true}", [1]),
    ("{call: check_out, error: false}", [0, 1]),
    ("{call: '*', kind: read}", [0, 1]),
    ("{call: '*', kind: change}", [0, 1]),
    ("{call: check_out, arguments: {tool: saw}}", [0, 1]),
    ("{call: check_out, arguments: {days: {gt: 7}}}", [1]),
    ("{call: check_out, arguments: {days: {exists: false}}}", [1]),
    ("{call: check_out, arguments: {tool: saw}, before: nothing}", []),
    ("{call: '*', output: {contains: no such}}", [1]),
    ("{call: find_member, output: {matches: 'M[0-9]'}}", [0]),
    ("{text: final, contains: Booked}", [0]),
    ("{text: final, contains: booked}", []),
    ("{text: final, contains: booked, ignore_case: true}", [0]),
    ("{text: assistant, contains: need}", [2]),
    ("{text: final, contains: need}", []),
    ("{text: user, contains: drill}", [2]),
    ("{text: any, matches: 'drill [0-9]+'}", [2]),
    ("{text: tool, contains: Error}", [1]),
    ("{text: reasoning, contains: guess}", [3]),
    ("{text: prompt, contains: task 2}", [2]),
    ("{signal: refusal}", [1]),
    ("{signal: failed_call, subject: 'check_*'}", [1]),
    ("{signal: failed_call, subject: find_member}", []),
    ("{any: [{field: score, gt: 7}, {call: find_member, before: check_out}]}", [0, 2]),
    ("{all: [{call: check_out}, {not: {call: find_member, before: check_out}}]}", [1]),
    ("{not: {any: [{call: check_out}, {text: any, contains: drill}]}}", [3]),
]


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Skill:
    """One skill with every case as a stage, and as a label too."""
    lines = ["stages:"] + [f'  - {{name: "s{number}", when: {rule}}}' for number, (rule, _) in enumerate(CASES)]
    lines += ["labels:"] + [
        f"  - {{code: own_{number}, label: BI, meaning: m, when: {rule}}}" for number, (rule, _) in enumerate(CASES)
    ]
    return skill(tmp_path_factory.mktemp("skill"), "\n".join(lines))


@pytest.fixture(scope="module")
def run(known: Skill) -> Any:
    with opened(ROWS, extractors=extractors(known)) as found:
        yield found


@pytest.mark.parametrize("number", range(len(CASES)), ids=[rule for rule, _ in CASES])
def test_a_rule_holds_for_the_same_rollouts_over_trajectories_and_over_tables(known: Skill, run: Run, number: int) -> None:
    rule, expected = known.stages[number].when, [str(task) for task in CASES[number][1]]
    seen = [str(line["_ng_task_index"]) for line in ROWS if evaluate(rule, read_rollout(encoded(line))) is not None]
    counted = run.query(f"SELECT r.task FROM rollouts AS r WHERE {condition(rule, facts_of(run))} ORDER BY 1").rows
    signals = run.query("SELECT DISTINCT task FROM signals WHERE code = $1 ORDER BY 1", (f"own_{number}",)).rows
    assert seen == expected
    assert [task for (task,) in counted] == expected
    assert [task for (task,) in signals] == expected


@pytest.mark.parametrize(
    ("rule", "task", "step", "quote", "subject"),
    [
        ("{call: check_out}", 0, 2, 'check_out({"days":3,"tool":"saw"})', "check_out"),
        ("{call: check_out, arguments: {tool: axe}}", 1, 0, 'check_out({"days":14,"tool":"axe"})', "check_out.tool"),
        ("{call: check_out, at_least: 2}", 1, 4, 'check_out({"tool":"saw"})', "check_out"),
        ("{call: check_out, output: {contains: no such}}", 1, 1, "Error: no such tool", "check_out"),
        ("{text: final, matches: '[0-9]+'}", 2, 2, "Here: 日本 drill 42.", ""),
        ("{field: info.kind, equals: loan}", 0, None, "info.kind = loan", "info.kind"),
        ("{field: level, exists: false}", 3, None, "level is missing", "level"),
        ("{all: [{field: level, equals: gold}, {call: find_member}]}", 0, 0, 'find_member({"name":"Ann"})', "find_member"),
        ("{not: {call: check_out}}", 2, None, "not: a call of check_out", ""),
        ("{signal: failed_call}", 1, 0, "Error: no such tool", "check_out"),
    ],
)  # fmt: skip
def test_the_evidence_points_at_the_step_and_its_words(
    tmp_path: Path, rule: str, task: int, step: int | None, quote: str, subject: str
) -> None:
    known = skill(tmp_path, f"labels:\n  - {{code: own_one, label: KG, meaning: m, when: {rule}}}")
    (detector,) = rules_as_detectors(known)
    (found,) = detector.detect(read_rollout(encoded(ROWS[task])))
    assert (found.step, found.quote, found.subject) == (step, quote, subject)
    assert (detector.code, detector.label, detector.causal) == ("own_one", "KG", False)
    assert found.detail == words(known.labels[0].when)


def test_a_label_can_name_its_subject_itself(tmp_path: Path) -> None:
    known = skill(
        tmp_path, "labels:\n  - {code: own_one, label: BI, meaning: m, when: {text: any, contains: saw}, subject: the saw}"
    )
    (found,) = rules_as_detectors(known)[0].detect(read_rollout(encoded(ROWS[0])))
    assert found.subject == "the saw"


def test_detectors_travel_to_other_processes_and_their_version_knows_the_rule(tmp_path: Path) -> None:
    one, other = (
        rules_as_detectors(skill(tmp_path, f"labels:\n  - {{code: own_one, label: BI, meaning: m, when: {{call: {name}}}}}"))
        for name in ("a", "b")
    )
    assert pickle.loads(pickle.dumps(one)) == one
    versions = [SignalsExtractor(extra=detectors).version for detectors in (one, one, other, ())]
    assert versions[0] == versions[1]
    assert len(set(versions)) == 3


def test_what_a_rule_quotes_is_clean_and_redacted(tmp_path: Path) -> None:
    known = skill(tmp_path, "stages:\n  - {name: s, when: {text: any, contains: token}}")
    hostile = row(0, says("\x1b[31mtoken sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"))
    with opened([hostile], extractors=extractors(known)) as run:
        ((quote,),) = run.query("SELECT quote FROM observations").rows
    assert "\x1b" not in quote
    assert "abcdefghijklmnopqrstuvwxyz" not in quote
    assert "[redacted:" in quote


def test_a_pattern_that_would_stall_a_backtracking_engine_does_not(tmp_path: Path) -> None:
    known = skill(tmp_path, "labels:\n  - {code: own_one, label: BI, meaning: m, when: {text: any, matches: '(a+)+$'}}")
    rollout = read_rollout(encoded(row(0, says("a" * 500_000 + "!"))))
    assert list(rules_as_detectors(known)[0].detect(rollout)) == []


def test_names_that_facts_have_already_mean_the_rows_own_fields(tmp_path: Path) -> None:
    known = skill(tmp_path, "stages:\n  - {name: s, when: {field: status, equals: shipped}}")
    with opened([row(0, says("x"), status="shipped"), row(1, says("x"))], extractors=extractors(known)) as run:
        rows = run.query(f"SELECT task FROM rollouts AS r WHERE {condition(known.stages[0].when, facts_of(run))}").rows
    assert rows == [("0",)]


def test_fields_that_no_row_has_are_named(tmp_path: Path) -> None:
    known = skill(tmp_path, "stages:\n  - name: s\n    when: {field: levle, equals: gold}\nslices: [level, colour]")
    with opened(ROWS, extractors=extractors(known)) as run:
        facts = facts_of(run)
        told = skill_problems(known, run)
        assert field_sql("colour", facts) is None
        assert run.query(f"SELECT {field_sql('info.deep.er', facts)} FROM rollouts AS r WHERE task = '0'").rows == [("x",)]
    assert [(one.code, one.path, one.line, one.message) for one in told] == [
        ("skill_unknown_field", known.path, 4, "no row has a field 'levle', did you mean 'level'?"),
        ("skill_unknown_field", known.path, 5, "no row has a field 'colour'"),
    ]


def test_expected_actions_and_answers_in_fields_that_no_row_has_are_named(tmp_path: Path) -> None:
    text = "expected_actions: [nowhere, plan.calls]\nanswer:\n  expected: [nope1, key]\n  extracted: anwser\n"
    known = skill(tmp_path, text)
    rows = [row(0, says("x"), plan={"calls": [{"name": "book", "arguments": {}}]}, key="A", answer="B")]
    with opened(rows, extractors=extractors(known)) as run:
        told = skill_problems(known, run)
    assert [(one.code, one.path, one.line, one.message) for one in told] == [
        ("skill_unknown_field", known.path, 2, "no row has a field 'nowhere'"),
        ("skill_unknown_field", known.path, 4, "no row has a field 'nope1'"),
        ("skill_unknown_field", known.path, 5, "no row has a field 'anwser', did you mean 'answer'?"),
    ]


TOOLS = """
    stages:
      - name: looked
        when: {call: "get_*", before: book}
      - name: asked
        when: {all: [{call: "*"}, {call: serch_order}]}
    tools:
      book: change
      cancel: change
      delete_al: change
"""


def test_tools_that_no_row_has_are_named_with_their_lines(tmp_path: Path) -> None:
    """`book` is called, `cancel` only declared; a glob fits what it fits."""
    known = skill(tmp_path, TOOLS)
    declared = {"tools": [{"type": "function", "name": name} for name in ("cancel", "search_order")]}
    params = {"responses_create_params": {"input": [{"role": "user", "content": "x"}]} | declared}
    rows = [row(0, call("get_order"), call("book"), says("x"), **params), row(1, says("y"), **params)]
    with opened(rows, extractors=extractors(known)) as run:
        told = skill_problems(known, run)
    assert [(one.code, one.line, one.message) for one in told] == [
        ("skill_unknown_tool", 7, "no row declares or calls a tool 'serch_order', did you mean 'search_order'?"),
        ("skill_unknown_tool", 11, "no row declares or calls a tool 'delete_al'"),
    ]


def test_where_a_server_of_tools_is_declared_any_tool_may_be_there(tmp_path: Path) -> None:
    known = skill(tmp_path, TOOLS)
    params = {"responses_create_params": {"input": [], "tools": [{"type": "mcp", "server_label": "desk"}]}}
    with opened([row(0, call("get_order"), **params)], extractors=extractors(known)) as run:
        assert skill_problems(known, run) == []


def test_a_run_that_was_opened_without_the_tables_is_an_error_and_not_a_zero(tmp_path: Path) -> None:
    known = skill(tmp_path, "stages:\n  - {name: s, when: {text: any, contains: x}}")
    with opened(ROWS, extractors=(CallsExtractor(),)) as run, pytest.raises(UsageError, match="observations"):
        condition(known.stages[0].when, facts_of(run))


def test_hostile_words_of_a_rule_stay_words_in_sql(tmp_path: Path) -> None:
    text = "x' OR true OR 'a' = 'a"
    known = skill(tmp_path, f'stages:\n  - {{name: s, when: {{field: level, equals: "{text}"}}}}')
    with opened([row(0, level=text), row(1, level="b")]) as run:
        rows = run.query(f"SELECT task FROM rollouts AS r WHERE {condition(known.stages[0].when, facts_of(run))}").rows
    assert rows == [("0",)]


@given(
    st.one_of(
        st.text(max_size=20), st.integers(-(10**6), 10**6).map(str), st.floats(allow_nan=False, allow_infinity=False).map(repr)
    )
)
def test_python_and_duckdb_read_the_same_number(text: str) -> None:
    if "\0" in text:
        return
    ((found,),) = duckdb.execute(f"SELECT {sql_number(literal(text))}").fetchall()
    assert found == number_of(text)


@given(
    st.one_of(st.text(alphabet="abAB'%_.*日\n", max_size=8), st.integers(-5, 5), st.floats(-5, 5), st.booleans()),
    st.sampled_from(["equals", "contains", "gt", "lte", "in"]),
    st.one_of(st.text(alphabet="abAB'日\n", min_size=1, max_size=2), st.integers(-5, 5), st.booleans()),
    st.booleans(),
)
def test_python_and_duckdb_compare_alike(value: Any, operator: str, operand: Any, ignore_case: bool) -> None:
    if operator == "contains":
        operand = str(operand)
    elif operator in ("gt", "lte"):
        operand = 1.5
    elif operator == "in":
        operand = (operand, "b")
    comparison = Comparison(((operator, operand),), ignore_case)
    text = (
        literal(value)
        if isinstance(value, str)
        else f"CAST({literal(str(value).lower() if isinstance(value, bool) else repr(value))} AS VARCHAR)"
    )
    if isinstance(value, float) and operator == "contains":
        return  # how a float is spelled may differ; numbers are compared as numbers
    ((found,),) = duckdb.execute(f"SELECT {comparison.sql(text, sql_number(text))}").fetchall()
    assert found is comparison.holds(value)
