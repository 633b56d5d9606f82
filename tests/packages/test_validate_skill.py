"""The skill of a package: there, complete, of this benchmark, and nobody's draft."""

import pytest

from blade.packages.layout import Package
from blade.packages.runs import PackageRuns
from blade.packages.validate import validate
from tests.packages.conftest import Made


def test_an_edited_skill_passes(package: Made) -> None:
    assert package.wrong("skill") == []


def test_without_a_skill(package: Made) -> None:
    package.skill.unlink()
    (check,) = package.wrong("skill")
    assert check.message == "D1 skill missing"
    assert check.fix == "add skill/SKILL.md or SKILL.md"
    assert check.path.endswith("skill/SKILL.md")


CASES: list[tuple[str, str, str, str, str]] = [
    ("a wrong name", "name: evalplus-analysis", "name: EvalPlus", "skill.frontmatter", "small letters"),
    ("no section", "## Failure taxonomy", "## More", "skill.sections", "section missing: Failure taxonomy"),
    ("a section without words", "## Report template\n", "## Report template\nEleven sections.\n\n## Sections\n", "skill.sections", "without substance"),
    ("a placeholder", "## Overview\n", "## Overview\nTBD\n", "skill.placeholders", "TBD"),
    ("a mark of the draft", "# Reading", "<!-- blade: draft -->\n\n# Reading", "skill.placeholders", "blade: draft"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "id", "said"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_a_skill_lacks(package: Made, old: str, new: str, id: str, said: str) -> None:
    package.put(package.skill, old, new)
    (check,) = package.wrong("skill")
    assert check.id == id
    assert said in check.message


def test_a_short_placeholder_is_no_skill(package: Made) -> None:
    package.skill.write_text("---\nname: a\ndescription: d\n---\n# A skill\n", encoding="utf-8")
    assert {check.id for check in package.wrong("skill")} == {"skill.sections"}


def test_one_heading_is_not_all_sections(package: Made) -> None:
    text = package.skill.read_text(encoding="utf-8")
    front = text[: text.index("# Reading")]
    said = "Each row is one attempt, `reward` tells whether the tests passed, and failures are told apart by their stage. " * 10
    every = "Overview, input schema, funnel, failure taxonomy, analysis workflow, report template"
    package.skill.write_text(f"{front}# Reading\n\n## {every}\n\n{said}\n", encoding="utf-8")
    wrong = [check for check in package.wrong("skill") if check.id == "skill.sections"]
    assert len(wrong) == 5
    assert all("section missing" in check.message for check in wrong)


def test_the_schema_must_be_that_of_the_rollouts(package: Made) -> None:
    text = package.skill.read_text(encoding="utf-8")
    before, _, after = text.partition("## Input schema")
    rest = after.partition("## Workflow funnel")[2]
    schema = "The task stands in `problem_number`, the reward in `outcome`, and the repeat in `attempt_number` of each row.\n"
    package.skill.write_text(f"{before}## Input schema\n{schema}\n## Workflow funnel{rest}", encoding="utf-8")
    (check,) = package.wrong("skill")
    assert check.message == "D1 schema names no field that the rollouts have"
    assert "`_ng_task_index`" in check.fix


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [("call: bash", "cal: bash", "did you mean 'call'"), ("call: bash", "call: bahs", "no row declares or calls a tool 'bahs'")],
)
def test_rules_that_cannot_be_right(package: Made, old: str, new: str, said: str) -> None:
    rules = package.root / "skill" / "blade.yaml"
    package.put(rules, old, new)
    with PackageRuns(Package(package.root)) as runs:
        (check,) = [check for check in validate(runs, ["skill"]) if not check.ok]
    assert said in check.message
    assert check.line is not None
    assert new in rules.read_text(encoding="utf-8").splitlines()[check.line - 1]
