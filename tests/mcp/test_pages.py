"""A long answer comes in pages: each is bounded, together they hold everything, and each but the last says how to get the next."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.errors import UsageError
from blade.mcp.pages import cut, paged

LINES = st.lists(
    st.text(st.characters(codec="ascii", exclude_characters="\n|"), min_size=1, max_size=60), min_size=1, max_size=80
)


@given(LINES, st.lists(st.booleans(), min_size=80, max_size=80), st.integers(100, 400))
def test_every_character_is_on_some_page_in_order(lines: list[str], gaps: list[bool], most: int) -> None:
    text = "".join(line + ("\n\n" if gap else "\n") for line, gap in zip(lines, gaps, strict=False))
    pages = list(cut(text, most))
    assert all(len(page) <= most for page in pages)
    assert "".join("".join(pages).split("\n")) == "".join(text.split("\n"))


def test_a_table_that_goes_on_has_its_head_again() -> None:
    table = "\n".join(["| task | passed |", "| --- | ---: |", *(f"| t{number} | {number} |" for number in range(60))])
    pages = list(cut(f"Tasks\n\n{table}", 300))
    assert len(pages) > 2
    assert all("| task | passed |\n| --- | ---: |" in page for page in pages[1:])
    rows = [line for page in pages for line in page.split("\n") if line.startswith("| t") and "task" not in line]
    assert rows == table.split("\n")[2:]


def test_a_page_names_the_call_for_the_next() -> None:
    text = "\n\n".join("x" * 90 for _ in range(5))
    first = paged(text, 1, "overview(run='r'", most=200)
    assert first.endswith("[page 1 of 3; the next: overview(run='r', page=2)]")
    assert paged(text, 3, "overview(run='r'", most=200).endswith("[page 3 of 3]")
    assert "page" not in paged("short", 1, "f(")
    with pytest.raises(UsageError, match="no page 4"):
        paged(text, 4, "f(", most=200)
