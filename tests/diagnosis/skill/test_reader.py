"""`blade.yaml`: what a good one becomes, and every mistake with its line."""

import re
from pathlib import Path

import pytest

from blade.diagnosis.skill import InvalidSkill, load_skill
from blade.errors import Exit, UsageError
from tests.diagnosis.skill.support import skill, written

DOCS = Path(__file__).resolve().parents[3] / "docs" / "blade-yaml.md"

GOOD = """
benchmark: tool library desk
description: lending tools over a counter
pass: {threshold: 0.5}
stages:
  - name: looked the member up
    when: {call: "find_*", before: check_out}
labels:
  - code: lent_unchecked
    label: BI
    meaning: a tool was lent before the member was looked up
    when:
      all:
        - {call: check_out}
        - not: {call: "find_*", before: check_out}
    subject: check_out
    fix: Have check_out refuse a member that was not looked up
    family: harness
slices: [category, task.kind]
expected_actions: ground_truth
answer: {expected: gold, extracted: [parsed, parsed_answer]}
tools: {reserve: change, lookup_all: read}
share: [category]
"""


def test_a_good_file_becomes_a_skill(tmp_path: Path) -> None:
    known = load_skill(written(tmp_path, GOOD))
    assert (known.benchmark, known.pass_threshold, known.pass_when) == ("tool library desk", 0.5, None)
    assert [stage.name for stage in known.stages] == ["looked the member up"]
    assert [(label.code, label.label, label.subject, label.family) for label in known.labels] == [
        ("lent_unchecked", "BI", "check_out", "harness")
    ]
    assert known.slices == ("category", "task.kind")
    assert known.options.expected_fields == ("ground_truth",)
    assert known.options.mutations == (("reserve", "change"), ("lookup_all", "read"))
    assert (known.expected_answer, known.extracted_answer) == (("gold",), ("parsed", "parsed_answer"))
    assert known.share == ("category",)
    assert known.path == str(tmp_path / "skill" / "blade.yaml")


def test_the_directory_the_package_and_the_file_name_the_same_skill(tmp_path: Path) -> None:
    whole = load_skill(written(tmp_path, GOOD))
    assert load_skill(tmp_path / "skill") == whole
    assert load_skill(tmp_path / "skill" / "blade.yaml") == whole


@pytest.mark.parametrize(
    ("name", "words"), [("nothing", "does not exist"), (".", "holds neither skill/blade.yaml nor blade.yaml")]
)
def test_a_place_without_one_is_said(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(UsageError, match=re.escape(words)):
        load_skill(tmp_path / name)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("stages:\n  - name: a\n    when: {field: x, contian: y}", "4: stages[0].when: unknown operator 'contian', did you mean 'contains'?"),
        ("stages:\n  - name: a\n    when: {field: x, '>': 1}", "4: stages[0].when: unknown operator '>', did you mean 'gt'?"),
        ("stges: []", "2: unknown key 'stges', did you mean 'stages'?"),
        ("signals: []", "2: unknown key 'signals', did you mean 'labels'?"),
        ("stages: {a: 1}", "2: stages: a list is needed (lines that begin with -), not a mapping"),
        ("stages:\n  - started", "3: stages[0]: a mapping with name, when is needed, not text"),
        ("stages:\n  - {name: a}", "3: stages[0]: the key 'when' is missing"),
        ("stages:\n  - {name: a, meening: b, when: {field: x, exists: true}}", "3: stages[0]: unknown key 'meening', did you mean 'meaning'?"),
        ("stages:\n  - {name: passed, when: {field: x, exists: true}}", "3: stages[0].name: the stage 'passed' exists already"),
        ("stages:\n  - {name: a, when: {}}", "3: stages[0].when: an empty rule; it begins with field, signal, call, text, all, any, not"),
        ("stages:\n  - {name: a, when: [1]}", "3: stages[0].when: a rule is a mapping that begins with field, signal, call, text, all, any, not, not a list"),
        ("stages:\n  - {name: a, when: {tool: x}}", "3: stages[0].when: unknown rule 'tool', did you mean 'call'?"),
        ("stages:\n  - {name: a, when: {field: x, call: y}}", "3: stages[0].when: field and call in one rule; put them as two rules under `all:` or `any:`"),
        ("stages:\n  - {name: a, when: {field: x}}", "3: stages[0].when: nothing to compare with; give one of exists, equals, in, contains, matches, gt, gte, lt, lte"),
        ("stages:\n  - {name: a, when: {field: x, gt: many}}", "3: stages[0].when.gt: a number is needed, not text ('many')"),
        ("stages:\n  - {name: a, when: {field: x, in: y}}", "3: stages[0].when.in: a list of values is needed"),
        ("stages:\n  - {name: a, when: {field: x, exists: yes}}", "3: stages[0].when.exists: true or false is needed, not text"),
        ("stages:\n  - {name: a, when: {field: x, contains: 4}}", "3: stages[0].when.contains: a text is needed, not a number; put it in quotes"),
        ("stages:\n  - {name: a, when: {text: finale, contains: y}}", "3: stages[0].when.text: unknown text 'finale', did you mean 'final'?"),
        ("stages:\n  - {name: a, when: {text: final, gt: 3}}", "3: stages[0].when: unknown operator 'gt'; known: contains, equals, ignore_case, matches"),
        ("stages:\n  - {name: a, when: {text: final, matches: '(?=x)'}}", "3: stages[0].when.matches: not a pattern that can be used (RE2): invalid perl operator: (?="),
        ("stages:\n  - {name: a, when: {text: final, matches: " + "x" * 501 + "}}", "3: stages[0].when.matches: not a pattern that can be used (RE2): longer than 500 characters"),
        ("stages:\n  - {name: a, when: {signal: refusall}}", "3: stages[0].when: unknown signal 'refusall', did you mean 'refusal'?"),
        ("stages:\n  - {name: a, when: {call: 'x[1]'}}", "3: stages[0].when.call: only * and ? stand for other characters here"),
        ("stages:\n  - {name: a, when: {call: x, befor: y}}", "3: stages[0].when: unknown word of a call rule 'befor', did you mean 'before'?"),
        ("stages:\n  - {name: a, when: {call: x, kind: write}}", "3: stages[0].when.kind: unknown kind 'write'; known: change, read, unknown"),
        ("stages:\n  - {name: a, when: {call: x, at_least: 0}}", "3: stages[0].when.at_least: a whole number from 1 on is needed"),
        ("stages:\n  - {name: a, when: {call: x, arguments: {id: [1]}}}", "3: stages[0].when.arguments.id: a value or a comparison is needed, not a list"),
        ("stages:\n  - name: a\n    when:\n      all:\n        - {field: x, exists: true}\n        - not: {text: any, matches: '['}", "7: stages[0].when.all[1].not.matches: not a pattern that can be used (RE2): missing ]"),
        ("stages:\n  - {name: a, when: {any: []}}", "3: stages[0].when.any: a list of rules is needed, not an empty one"),
        ("labels:\n  - {code: Bad Code, label: BI, meaning: m, when: {call: x}}", "3: labels[0].code: a code is written like skipped_check: small letters, digits and _, at least two"),
        ("labels:\n  - {code: refusal, label: BI, meaning: m, when: {call: x}}", "3: labels[0].code: 'refusal' is a built-in signal; choose another code"),
        ("labels:\n  - {code: own, label: behaviour, meaning: m, when: {call: x}}", "3: labels[0].label: unknown label 'behaviour'; known: BI, DA, IR, KG, TI, UK"),
        ("labels:\n  - {code: own, label: BI, meaning: m, when: {field: reward, lt: 1}}", "3: labels[0].when: a label cannot look at the reward: whether it goes with failure is tested against the rewards of rollouts with and without it"),
        ("labels:\n  - {code: own, label: BI, meaning: m, when: {call: x}, family: harness}", "3: labels[0].family: a family without a fix; say what to do in `fix`"),
        ("labels:\n  - {code: one, label: BI, meaning: m, when: {call: x}}\n  - {code: two, label: BI, meaning: m, when: {signal: one}}", "4: labels[1].when: unknown signal 'one'"),
        ("pass: {threshold: high}", "2: pass.threshold: a number is needed, not text ('high')"),
        ("pass: {when: {call: x}}", "2: pass.when: only fields decide a pass: what the verifier wrote, not how the rollout went"),
        ("pass: {threshold: 1, when: {field: x, exists: true}}", "2: pass: either `threshold: 0.5` or `when:` with a rule over fields is needed"),
        ("tools: {pay: write}", "2: tools.pay: unknown kind 'write'; known: change, read"),
        ("slices: [a, a]", "2: slices[1]: 'a' stands here twice"),
        ("slices: [[a]]", "2: slices[0]: a text is needed, not a list"),
        ("answer: {expects: a}", "2: answer: unknown key 'expects', did you mean 'expected'?"),
        ("version: 2", "2: version: this program reads version 1"),
        ("description: ''", "2: description: a text is needed, not an empty one"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_line_and_place(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InvalidSkill) as caught:
        skill(tmp_path, text)
    assert str(caught.value) == f"{tmp_path / 'skill' / 'blade.yaml'}:{told}"
    assert caught.value.exit_code == Exit.BAD_INPUT


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "a mapping with benchmark, stages, labels … is needed, not nothing"),
        ("- a", "not a list"),
        ("slices: []", "'benchmark' is missing"),
    ],
)
def test_a_file_that_is_no_skill(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InvalidSkill, match=re.escape(told)):
        load_skill(written(tmp_path, text))


def test_all_problems_are_told_together_in_the_order_of_their_lines(tmp_path: Path) -> None:
    with pytest.raises(InvalidSkill) as caught:
        skill(tmp_path, "tools: {a: b}\nlabels:\n  - {code: X}\nstages:\n  - {name: s, when: {call: x, kynd: y}}\n")
    lines = [problem.line for problem in caught.value.mistakes]
    assert lines == sorted(lines) == [2, 4, 4, 4, 4, 6]
    assert len(str(caught.value).splitlines()) == 6


def test_hostile_words_in_a_file_do_not_reach_the_terminal(tmp_path: Path) -> None:
    with pytest.raises(InvalidSkill) as caught:
        skill(tmp_path, 'tools: {a: "\\u202e\\u200bevil", "\\u202eb": 1}\n"\\u202ekey": 1\n')
    assert not re.search("[\u202e\u200b]", str(caught.value))


def test_the_example_in_the_documentation_is_read(tmp_path: Path) -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    whole = [block for block in blocks if block.startswith("benchmark:")]
    assert whole
    for block in whole:
        assert load_skill(written(tmp_path, block)).stages
