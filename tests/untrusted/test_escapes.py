import html
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from blade.untrusted.escapes import markdown_block, one_line, printable, safe_html, safe_markdown, strip_escapes

REMOVED = [
    ("colour", "a\x1b[1;31mred\x1b[0mb", "aredb"),
    ("cursor and erase", "a\x1b[2J\x1b[H\x1b[?25lb", "ab"),
    ("8-bit CSI", "a\x9b31mb", "ab"),
    ("title", "a\x1b]0;owned\x07b", "ab"),
    ("title ended by ST", "a\x1b]2;owned\x1b\\b", "ab"),
    ("8-bit OSC and ST", "a\x9d0;owned\x9cb", "ab"),
    ("clipboard", "a\x1b]52;c;cm0gLXJmIC8=\x07b", "ab"),
    ("hyperlink keeps its text", "\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\", "click"),
    ("DCS", "a\x1bPq#0;2;0;0;0\x1b\\b", "ab"),
    ("APC", "a\x1b_Gf=100;AAAA\x1b\\b", "ab"),
    ("PM", "a\x1b^private\x1b\\b", "ab"),
    ("SOS", "a\x1bXstring\x1b\\b", "ab"),
    ("8-bit APC", "a\x9fGf=1\x9cb", "ab"),
    ("reset", "a\x1bcb", "ab"),
    ("charset", "a\x1b(0b", "ab"),
    ("lone escape at the end", "a\x1b", "a"),
    ("unfinished CSI", "a\x1b[31", "a"),
    ("unfinished OSC hides nothing", "a\x1b]0;the rest\nof the page", "a0;the rest\nof the page"),
    ("unfinished DCS hides nothing", "a\x90the rest", "athe rest"),
    ("an OSC cut by another", "\x1b]0;one\x1b]0;two\x07three", "0;onethree"),
    ("bell, backspace, null, delete", "a\x07\x08\x00\x7fb", "ab"),
    ("windows line ends", "a\r\nb", "a\nb"),
    ("a carriage return cannot overwrite", "real\rfake", "real\nfake"),
    ("other line ends", "a\x0bb\x0cc\x85d\u2028e\u2029f", "a\nb\nc\nd\ne\nf"),
    ("newline and tab stay", "a\n\tb", "a\n\tb"),
]
SHOWN = [
    ("bidi override", "user\u202etxt.exe", "user⟨U+202E⟩txt.exe"),
    ("bidi isolate", "\u2066x\u2069", "⟨U+2066⟩x⟨U+2069⟩"),
    ("zero width space", "pass\u200bword", "pass⟨U+200B⟩word"),
    ("byte order mark", "\ufeffa", "⟨U+FEFF⟩a"),
    ("tag characters", "hi\U000e0041\U000e0042", "hi⟨U+E0041⟩⟨U+E0042⟩"),
    ("variation selectors that smuggle bytes", "a\U000e0100", "a⟨U+E0100⟩"),
    ("lone surrogate", "a\ud83db", "a⟨U+D83D⟩b"),
    ("a run of joiners", "a\u200d\u200cb", "a⟨U+200D⟩⟨U+200C⟩b"),
    ("joiners brought together", "a\u200d\x1b[0m\u200cb", "a⟨U+200D⟩⟨U+200C⟩b"),
    ("emoji family stays", "👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
    ("Persian stays", "می\u200cخواهم", "می\u200cخواهم"),
    ("emoji presentation stays", "❤\ufe0f", "❤\ufe0f"),
]

hostile = st.text(
    st.one_of(
        st.characters(),
        st.characters(categories=["Cs", "Cc", "Cf"]),
        st.sampled_from("\x1b\x9b\x9d\x9c\x90\x07[]P^_\\;0m\r\n\t\u200c\u200d\u202e"),
    )
)


@pytest.mark.parametrize(("text", "clean"), [row[1:] for row in REMOVED + SHOWN], ids=[row[0] for row in REMOVED + SHOWN])
def test_text_is_made_safe_to_print(text: str, clean: str) -> None:
    assert strip_escapes(text) == clean


@given(hostile)
def test_nothing_that_steers_or_hides_is_left_and_cleaning_again_changes_nothing(text: str) -> None:
    clean = strip_escapes(text)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\ud800-\udfff]", clean)
    assert strip_escapes(clean) == clean
    clean.encode("utf-8")


@given(st.text(st.characters(categories=["L", "N", "P", "Zs"])))
def test_clean_text_comes_back_as_the_same_object(text: str) -> None:
    assert strip_escapes(text) is text


@given(st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1)))
def test_text_between_sequences_survives(words: list[str]) -> None:
    assert strip_escapes("".join(f"\x1b[1m{word}\x1b[0m\n" for word in words)) == "".join(f"{word}\n" for word in words)


@pytest.mark.parametrize(
    "unit", ["\x1b]", "\x1b[", "\x1b", "\x9d", "\x1bP\x1b", "\x1b[0;0;", "\x1b]0;a\n", "\u200d", "\r", "\x1b]8;;a\x1b"]
)
def test_a_megabyte_of_hostile_text_is_read_once(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    assert "\x1b" not in strip_escapes(text)


@given(hostile, st.sampled_from(["ascii", "latin-1", "utf-8", "cp1252", None]))
def test_printable_text_fits_any_stream(text: str, encoding: str | None) -> None:
    printable(text, encoding).encode(encoding or "ascii")


@pytest.mark.parametrize(
    ("text", "limit", "line"),
    [
        ("short", 10, "short"),
        ("exactly ten", 11, "exactly ten"),
        ("one too many", 11, "one too ma…"),
        (" two\n\n lines\t", 20, "two lines"),
        ("\x1b[31mred\x1b[0m", 3, "red"),
        ("cut at a space", 8, "cut at…"),
        ("ab", 1, "…"),
        ("", 5, ""),
        (" " * 100_000 + "far", 5, "…"),
    ],
)
def test_one_line_fits_a_cell(text: str, limit: int, line: str) -> None:
    assert one_line(text, limit) == line


@given(hostile, st.integers(1, 40))
def test_one_line_is_one_line_within_its_limit(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line) <= limit
    assert "\n" not in line
    assert one_line(line, limit) == line


def test_a_line_of_nothing_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="0 characters"):
        one_line("x", 0)


class PageText(HTMLParser):
    """What a browser would show of a fragment, and the tags it would see."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@given(st.text())
def test_html_shows_the_text_and_nothing_else(text: str) -> None:
    assert html.unescape(safe_html(text)) == strip_escapes(text)
    assert not re.search("[<>\"']", safe_html(text))


def test_html_cannot_leave_an_attribute() -> None:
    page = PageText(f'<p title="{safe_html(chr(34) + "><script>alert(1)</script>")}">x</p>')
    assert page.tags == ["p"]


MARKDOWN = [
    "# heading",
    "  ## heading",
    "- item",
    "+ item",
    "1. item",
    "12) item",
    "> quote",
    "title\n===",
    "title\n---",
    "***",
    "___",
    "```\ncode\n```",
    "~~~\ncode",
    "    indented",
    "\tindented",
    "[a](javascript:alert(1))",
    "![pixel](https://evil.example/x.png)",
    "[ref]: https://evil.example",
    "<script>alert(1)</script>",
    "<https://evil.example>",
    "https://evil.example and www.evil.example",
    "**bold** __bold__ _it_ ~~gone~~ `code`",
    "&lt;b&gt; &#x202e; AT&T",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "a\n:-",
    "back\\slash \\* \\",
    "snake_case_name stays readable",
]
github = MarkdownIt("gfm-like", {"linkify": False}).enable(["table", "strikethrough"])


@pytest.mark.parametrize("text", MARKDOWN)
def test_markdown_shows_the_text_and_nothing_else(text: str) -> None:
    page = PageText(github.render(safe_markdown(text)))
    assert set(page.tags) <= {"p"}
    assert page.text.split() == text.split()


@given(st.text(st.sampled_from("ab1 \n\t#*_-+=~`|[]()<>&;:!\\./w@\"'$"), max_size=40))
def test_no_text_becomes_markup(text: str) -> None:
    page = PageText(github.render(safe_markdown(text)))
    assert set(page.tags) <= {"p"}
    assert page.text.split() == text.split()


def test_names_stay_readable_in_the_source() -> None:
    assert safe_markdown("tool_name(arg=1) -> ok, 50%") == "tool_name(arg=1) -> ok, 50%"
    assert safe_markdown("see https://a.b and www.a.b") == "see https\\://a.b and www\\.a.b"


@given(st.text(st.sampled_from("ab`~ \n\\<"), max_size=60))
def test_a_block_cannot_be_left(text: str) -> None:
    tokens = MarkdownIt("commonmark").parse(markdown_block(text, "text"))
    assert [token.type for token in tokens] == ["fence"]
    assert tokens[0].content == text + "\n"
