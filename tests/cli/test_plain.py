"""What stands for our typography where a stream cannot print it."""

import io

import pytest

from blade.cli.plain import FORMS, PlainStream, bar_signs, plain


@pytest.mark.parametrize(
    ("text", "encoding", "shown"),
    [
        ("3–4 repeats · reward ≥ 1 …", "ascii", "3-4 repeats | reward >= 1 ..."),
        ("3–4 repeats · reward ≥ 1 …", "utf-8", "3–4 repeats · reward ≥ 1 …"),
        ("2 × 3 · 4–5", "latin-1", "2 × 3 · 4-5"),
        ("naïve £5", "ascii", "naïve £5"),
        ("→ call", None, "-> call"),
        ("", "ascii", ""),
    ],
)
def test_only_what_the_encoding_lacks_is_replaced(text: str, encoding: str | None, shown: str) -> None:
    assert plain(text, encoding) == shown


def test_every_form_is_plain() -> None:
    assert all(form.isascii() and not sign.isascii() and len(sign) == 1 for sign, form in FORMS.items())
    assert (bar_signs("ascii"), bar_signs("utf-8")) == (("#", "."), ("█", "·"))


@pytest.mark.parametrize(("encoding", "shown"), [("ascii", "a. |"), ("utf-8", "a… ·")])
def test_what_a_layout_draws_keeps_its_width(encoding: str, shown: str) -> None:
    raw = io.BytesIO()
    stream = PlainStream(io.TextIOWrapper(raw, encoding, errors="backslashreplace"))
    stream.write("a… ·")
    stream.flush()
    assert raw.getvalue().decode(encoding) == shown
