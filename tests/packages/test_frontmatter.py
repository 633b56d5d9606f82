"""The rules of Agent Skills for the frontmatter, one line a case."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.packages.frontmatter import frontmatter_problems, read_frontmatter

GOOD = "---\nname: evalplus-analysis\ndescription: How to read it.\n---\n# Title\n"
CASES: list[tuple[str, str, int, str]] = [
    ("no frontmatter", "# Title\n", 1, "no YAML frontmatter"),
    ("a blank line before it", "\n" + GOOD, 1, "no YAML frontmatter"),
    ("no end", "---\nname: a\n# Title\n", 1, "has no end"),
    ("nothing in it", "---\n---\n", 2, "no fields"),
    ("a list", "---\n- name\n---\n", 2, "no fields"),
    ("not YAML", "---\nname: [a\n---\n", 3, "not YAML"),
    ("no name", "---\ndescription: d\n---\n", 1, "no name"),
    ("no description", "---\nname: a\n---\n", 1, "no description"),
    ("an empty description", "---\nname: a\ndescription: '  '\n---\n", 3, "description is empty"),
    ("a name in capitals", "---\nname: Evalplus\ndescription: d\n---\n", 2, "small letters"),
    ("an underscore", "---\nname: eval_plus\ndescription: d\n---\n", 2, "small letters"),
    ("a hyphen at the end", "---\nname: eval-\ndescription: d\n---\n", 2, "small letters"),
    ("two hyphens", "---\nname: eval--plus\ndescription: d\n---\n", 2, "small letters"),
    ("a name that is a number", "---\nname: 12\ndescription: d\n---\n", 2, "must be text"),
    ("a long name", f"---\nname: {'a' * 65}\ndescription: d\n---\n", 2, "at most 64"),
    ("a long description", f"---\nname: a\ndescription: {'d' * 1025}\n---\n", 3, "at most 1,024"),
    ("a long compatibility", f"---\nname: a\ndescription: d\ncompatibility: {'c' * 501}\n---\n", 4, "at most 500"),
    ("an unknown field", "---\nname: a\ndescription: d\nversion: '2'\n---\n", 4, "'version' is no field"),
    ("a field twice", "---\nname: a\nname: b\ndescription: d\n---\n", 3, "name"),
    ("metadata that is no mapping", "---\nname: a\ndescription: d\nmetadata: x\n---\n", 4, "names with a text each"),
    ("metadata in metadata", "---\nname: a\ndescription: d\nmetadata:\n  x: {y: z}\n---\n", 4, "names with a text each"),
    ("tools as a list", "---\nname: a\ndescription: d\nallowed-tools: [Bash]\n---\n", 4, "must be text"),
]


@pytest.mark.parametrize(("text", "line", "said"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_mistake_is_told_with_its_line(text: str, line: int, said: str) -> None:
    problems = frontmatter_problems(text)
    assert [problem.line for problem in problems] == [line], problems
    assert said in problems[0].message


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        "\ufeff" + GOOD,
        GOOD.replace("\n", "\r\n"),
        f"---\nname: {'a' * 64}\ndescription: {'d' * 1024}\n---\n",
        "---\nname: a1-b2\ndescription: >\n  folded\n  text\nlicense: MIT\nmetadata:\n  version: 1.0\nallowed-tools: Bash Read\n---\n",
    ],
)
def test_what_the_rules_allow(text: str) -> None:
    assert frontmatter_problems(text) == []


@given(st.text(st.sampled_from("-\n :#&*!|>'\"%@`{}[],aname\t\ufeff\u2028"), max_size=80))
def test_whatever_stands_there_is_read(text: str) -> None:
    for whole in (text, f"---\n{text}\n---\n", f"---\nname: {text}\ndescription: d\n---\n"):
        found = read_frontmatter(whole, "skill")
        assert all(problem.line >= 1 for problem in found.problems)


def test_the_name_is_that_of_the_folder_where_there_is_one() -> None:
    assert frontmatter_problems(GOOD, "evalplus-analysis") == []
    (problem,) = frontmatter_problems(GOOD, "skill")
    assert (problem.line, "'skill'" in problem.message) == (2, True)


def test_fields_and_the_line_of_the_text() -> None:
    found = read_frontmatter(GOOD)
    assert found.fields == {"name": "evalplus-analysis", "description": "How to read it."}
    assert GOOD.splitlines()[found.body_line - 1] == "# Title"
