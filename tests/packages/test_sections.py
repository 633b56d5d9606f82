"""Sections of a Markdown text, and text that stands for one that nobody wrote."""

import pytest

from blade.packages.placeholders import placeholders
from blade.packages.sections import Wanted, find, lacking, sections

TEXT = """# The report of funnels

## 1. Summary
Some words here, five of them.

### Detail
And more words below.

```bash
# not a heading
```

## 2) Workflow funnel
"""


def missing(wanted: list[Wanted], text: str) -> list[tuple[str, int | None]]:
    return [(want.title, section and section.line) for want, section in lacking(wanted, sections(text))]


def test_a_section_reaches_to_the_next_of_its_level() -> None:
    found = sections(TEXT)
    assert [(one.title, one.line) for one in found] == [
        ("The report of funnels", 1), ("Summary", 3), ("Detail", 6), ("Workflow funnel", 13),
    ]  # fmt: skip
    assert "more words" in found[1].body
    assert "not a heading" in found[2].body


def test_a_title_is_not_taken_for_a_section() -> None:
    found = find(Wanted("Workflow funnel", ("funnel",)), sections(TEXT))
    assert found is not None
    assert found.line == 13


def test_sections_that_are_missing_or_empty_are_told_apart() -> None:
    wanted = [
        Wanted("Summary", ("summary",), least=4), Wanted("Workflow funnel", ("funnel",), least=4), Wanted("Recommendations", ("recommend",)),
    ]  # fmt: skip
    assert missing(wanted, TEXT) == [("Workflow funnel", 13), ("Recommendations", None)]


def test_a_section_serves_for_one_that_is_wanted() -> None:
    both = [Wanted("Overview", ("overview",)), Wanted("Input schema", ("schema",))]
    said = "Each row is one attempt at a task, and its reward says whether the hidden tests passed."
    assert missing(both, f"# Reading\n\n## Overview and schema\n\n{said}\n") == [("Input schema", None)]
    assert missing(both, f"# Reading\n\n## Overview and schema\n\n{said} {said}\n\n## Overview\n\n{said}\n") == []


def test_words_below_another_section_are_its_own() -> None:
    both = [Wanted("Overview", ("overview",)), Wanted("Input schema", ("schema",))]
    said = "Each row is one attempt at a task, and its reward says whether the hidden tests passed."
    assert missing(both, f"# Reading\n\n## Overview\n\n### Schema\n\n{said}\n") == [("Overview", 3)]
    assert missing(both, f"# Reading\n\n## Overview\n\n{said}\n\n### Schema\n\n{said}\n") == []


def test_a_few_words_are_no_section() -> None:
    assert missing([Wanted("Overview", ("overview",))], "## Overview\n\nThis benchmark is about code.\n") == [("Overview", 1)]


@pytest.mark.parametrize(
    "line",
    [
        "TODO: say more",
        "The stages are TBD.",
        "<!-- edit: which capability? -->",
        "<!-- blade: draft, made from 2 runs. -->",
        "Lorem ipsum dolor sit amet.",
        "This file is a short placeholder.",
        "[insert the failure modes]",
        "Use <your benchmark name> here.",
        "The taxonomy is to be written.",
    ],
)
def test_a_placeholder_is_found_on_its_line(line: str) -> None:
    assert [one.line for one in placeholders(f"# Title\n\nText.\n\n{line}\n")] == [5]


@pytest.mark.parametrize(
    "line",
    [
        "The agent left a `TODO` in the file.",
        "It wrote “TODO: fix this” and stopped.",
        "See [your guide](docs/guide.md).",
        "Rows are to be read in order.",
        "<!-- a comment -->",
        "```\nTODO\n<your name>\n```",
        "The placeholder argument of `format` was wrong.",
    ],
)
def test_speaking_of_one_is_none(line: str) -> None:
    assert placeholders(f"# Title\n\n{line}\n") == []
