"""What a skill's Markdown refers to is found with its line: links, files, commands."""

import pytest

from blade.agent_skill.references import Command, Reference, commands, headings, references


def test_links_and_files_are_found_on_their_lines() -> None:
    text = "# T\n\nSee [a](references/a.md) and\n[b](b.md#part-two),\n![c](<my chart.png>), `scripts/x.py`, `not/ours.py`.\n\n[web](https://example.com/x.md) [me](#t)\n"
    assert list(references(text)) == [
        Reference(3, "references/a.md"),
        Reference(4, "b.md", "part-two"),
        Reference(5, "my chart.png"),
        Reference(5, "scripts/x.py"),
        Reference(7, "", "t"),
    ]


def test_a_link_inside_code_is_none() -> None:
    assert list(references("`[a](x.md)`\n\n```text\n[b](y.md)\n```\n")) == []


@pytest.mark.parametrize(
    ("line", "calls"),
    [
        ("blade inspect results/", [("blade", "inspect", "results/")]),
        ("$ blade inspect results/", [("blade", "inspect", "results/")]),
        (".venv/bin/blade sql r 'SELECT 1 | 2; 3' --csv | tail", [("blade", "sql", "r", "SELECT 1 | 2; 3", "--csv")]),
        ("blade health r || test $? -eq 1", [("blade", "health", "r")]),
        ("x=$(blade sql r q --csv | tail -n 1)", [("blade", "sql", "r", "q", "--csv")]),
        ("cd x && gym list benchmarks; blade view r > out", [("gym", "list", "benchmarks"), ("blade", "view", "r")]),
        ("pip install blade-eval", []),
        ("blade", []),
        ("echo 'unclosed", []),
    ],
)
def test_calls_of_ours_are_found_in_a_line_of_shell(line: str, calls: list[tuple[str, ...]]) -> None:
    assert list(commands(f"text\n\n```bash\n{line}\n```\n")) == [Command(4, call) for call in calls]


def test_commands_stand_in_sentences_too_and_go_on_after_a_backslash() -> None:
    text = "Use\n`blade diagnose RUN --out D` first.\n\n```bash\nblade compare a \\\n  b --out c\nblade plan a\n```\n\n```python\nblade.open('x')\n```\n"
    assert list(commands(text)) == [
        Command(5, ("blade", "compare", "a", "b", "--out", "c")),
        Command(7, ("blade", "plan", "a")),
        Command(2, ("blade", "diagnose", "RUN", "--out", "D")),
    ]


def test_headings_have_the_anchors_that_links_use() -> None:
    assert headings("# The `code` of *it*\n\n## 1. What's next?\n\nText\n====\n") == {"the-code-of-it", "1-whats-next", "text"}
