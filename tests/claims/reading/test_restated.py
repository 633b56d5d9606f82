"""A report against what it should say, line by line."""

import pytest

from blade.claims.reading.restated import Rendering, restated
from blade.claims.reading.verify import verify_text

TEXT = """# Diagnosis of `run`

**Score.** pass@1 is 59.4 % over 40 tasks: 90 of 154 scored rollouts passed. [c6]

| bucket | tasks | which |
| --- | --- | --- |
| never | 2 of 40 | 4 and 7 |

### Task 4 · 0 of 4 pass

**Cause KG (knowledge gap).** 4:0 step 4: “pieces=144”. The alternative: BI (behaviour).
"""


@pytest.mark.parametrize(
    ("before", "after", "line", "kind"),
    [
        ("59.4", "59.5", 3, "wrong_number"),
        ("of 154", "of 155", 3, "wrong_denominator"),
        ("4 and 7", "4 and 8", 7, "wrong_number"),
        ("Task 4", "Task 5", 9, "unknown_task"),
        ("4:0", "4:1", 11, "unknown_rollout"),
        ("KG (", "UK (", 11, "wrong_label"),
        ("BI (", "TI (", 11, "wrong_label"),
        ("pieces=144", "pieces=145", 11, "quote_not_found"),
        ("“pieces", "“parts", 11, "quote_not_found"),
        ("passed", "failed", 3, "wrong_label"),
    ],
)
def test_every_change_is_found_on_its_line(before: str, after: str, line: int, kind: str) -> None:
    changed = TEXT.replace(before, after, 1)
    found = restated(changed, Rendering(TEXT, "again"))
    assert [(finding.line, finding.kind) for finding in found.findings] == [(line, kind)]


@pytest.mark.parametrize(
    "changed",
    [
        TEXT,
        TEXT.replace("**Score.** pass@1", "**The score.** As it stands, pass@1"),
        TEXT.replace("| --- | --- | --- |", "|:-----|-----|-----|"),
        TEXT + "\nSomebody's note, with 17 new numbers.\n",
        TEXT.replace("| bucket | tasks | which |", "|  bucket  |  tasks  |  which  |"),
    ],
    ids=["same", "prose", "rule", "note", "padding"],
)
def test_words_padding_and_notes_may_differ(changed: str) -> None:
    assert restated(changed, Rendering(TEXT, "again")).findings == ()


def test_a_line_that_was_computed_again_is_true() -> None:
    found = verify_text(TEXT, renderings=[Rendering(TEXT, "again", recomputed=True)])
    assert (found.false, found.not_checkable, found.score) == (0, 0, 1.0)
    assert 0 < found.restated < found.true  # a label beside its gloss holds by the text itself


def test_a_text_that_a_report_was_not_made_from_says_nothing_about_it() -> None:
    assert (
        verify_text("# Diagnosis of `run`\n\nAll is well with 3 tasks.\n", renderings=[Rendering(TEXT, "again")]).findings == []
    )
