"""A skill is checked: its frontmatter, where its links lead, whether the commands it shows exist, what is still unwritten."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from blade.agent_skill.check import check_skill, find_skills
from blade.errors import UsageError

BODY = (
    "This skill explains at some length how the rollouts of our benchmark are read, which fields matter, and what a failure looks like, so that an agent can do it too. "
    * 2
)


def no_complaint(words: Sequence[str]) -> str | None:
    return None


def skill(
    tmp_path: Path, body: str = BODY, head: str = "name: mine\ndescription: Reads rollouts of ours.", folder: str = "mine"
) -> Path:
    place = tmp_path / folder
    place.mkdir(exist_ok=True)
    (place / "SKILL.md").write_text(f"---\n{head}\n---\n\n{body}\n")
    return place


def found(place: Path) -> list[tuple[str, int, str, str]]:
    return [(one.file, one.line, one.code, one.severity) for one in check_skill(place, no_complaint).findings]


def test_a_good_skill_has_no_findings(tmp_path: Path) -> None:
    place = skill(tmp_path, f"{BODY}\n\nSee [more](references/more.md#part) and [the web](https://example.com).")
    (place / "references").mkdir()
    (place / "references" / "more.md").write_text("# Part\n\nBack to [it](../SKILL.md), and `references/more.md`.\n")
    assert found(place) == []
    assert check_skill(place, no_complaint).name == "mine"


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ("name: Mine\ndescription: x", 2),
        ("name: other\ndescription: x", 2),
        ("name: mine\ndescription: ''", 3),
        ("name: mine\ndescription: x\nversion: 1", 4),
        ("name: mine", 1),
        (f"name: mine\ndescription: {'x' * 1025}", 3),
    ],
)
def test_a_frontmatter_against_the_rules_is_found(tmp_path: Path, head: str, line: int) -> None:
    assert ("SKILL.md", line, "frontmatter", "error") in found(skill(tmp_path, head=head))


def test_the_skill_of_a_package_is_named_after_its_benchmark(tmp_path: Path) -> None:
    assert found(skill(tmp_path, folder="skill")) == []


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("[a](nothing.md)", "error"),
        ("[a](#nothing)", "error"),
        ("`scripts/nothing.py`", "error"),
        ("[a](/etc/hosts)", "error"),
        ("[a](../beside.md)", "warning"),
    ],
)
def test_a_link_that_does_not_hold_is_found(tmp_path: Path, text: str, severity: str) -> None:
    (tmp_path / "beside.md").write_text("x\n")
    assert found(skill(tmp_path, f"{BODY}\n\n{text}")) == [("SKILL.md", 8, "link", severity)]


def test_a_heading_that_is_not_there_is_found(tmp_path: Path) -> None:
    place = skill(tmp_path, f"{BODY}\n\n[a](more.md#gone)")
    (place / "more.md").write_text("# Here\n")
    assert found(place) == [("SKILL.md", 8, "link", "error")]


@pytest.mark.parametrize("text", ["TODO: write this", "Lorem ipsum dolor", "[insert the name]", "<!-- blade: draft -->"])
def test_a_text_that_nobody_has_written_is_found(tmp_path: Path, text: str) -> None:
    assert ("SKILL.md", 8, "placeholder", "error") in found(skill(tmp_path, f"{BODY}\n\n{text}"))


def test_what_is_wrong_with_a_command_is_told_on_its_line(tmp_path: Path) -> None:
    place = skill(tmp_path, f"{BODY}\n\n```bash\nblade inspekt r\n```")
    findings = check_skill(place, lambda words: f"no {words[1]}").findings
    assert [(one.line, one.code, one.message) for one in findings] == [(9, "command", "no inspekt")]


def test_a_skill_without_words_is_found_and_a_long_one_is_warned_of(tmp_path: Path) -> None:
    assert [one[2] for one in found(skill(tmp_path, "Use it."))] == ["body"]
    assert [(one[2], one[3]) for one in found(skill(tmp_path, "word\n" * 600))] == [("length", "warning")]


def test_skills_are_found_below_a_folder_and_links_are_followed_once(tmp_path: Path) -> None:
    (tmp_path / ".codex" / "skills").mkdir(parents=True)
    place = skill(tmp_path / ".codex" / "skills")
    (tmp_path / ".claude").symlink_to(tmp_path / ".codex")
    assert [one.resolve() for one in find_skills(tmp_path)] == [place.resolve()]
    assert find_skills(place / "SKILL.md") == [place]
    (tmp_path / "empty").mkdir()
    for nothing in (tmp_path / "empty", tmp_path / "gone"):
        with pytest.raises(UsageError):
            find_skills(nothing)
