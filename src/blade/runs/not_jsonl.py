"""What a file is of which no line is a JSON object, as far as its beginning tells."""

from typing import Final

HEAD: Final = 1 << 14
"""Bytes that are looked at."""
FEWEST_LINES, MOST_LINES = 2, 10
_SEPARATORS: Final = {",": "comma-separated (CSV)", "\t": "tab-separated", ";": "semicolon-separated (CSV)"}

_TOOLS: Final = {
    "an Inspect log, by its keys": ("version", "status", "eval"),
    "results of lm-eval, by its keys": ("results", "configs"),
}
"""Whose documents are told by the keys that they begin with."""


def looks_like(head: bytes) -> str:
    """`binary data`, `comma-separated (CSV) text`, `text` or one document of JSON; empty where it begins like JSON lines, which are to say what is wrong."""
    if not head.strip():
        return ""
    text = head.decode("utf-8", "replace")
    if head.lstrip().removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):
        return _document(text)
    strange = sum(character == "�" or (ord(character) < 32 and character not in "\t\n\r\f\x1b") for character in text[:-4])
    if b"\0" in head or strange > len(text) / 50:
        return "binary data"
    whole = text if len(head) < HEAD else text[: text.rfind("\n") + 1]  # the last line may be cut
    lines = [line for line in whole.splitlines() if line.strip()][:MOST_LINES]
    for separator, name in _SEPARATORS.items():
        counts = {line.count(separator) for line in lines}
        if len(lines) >= FEWEST_LINES and len(counts) == 1 and counts.pop():
            return f"{name} text"
    return "text"


def _document(text: str) -> str:
    """What a text that begins like JSON is, where its first line opens an object or a list and no more."""
    if text.lstrip("\ufeff \t\r\n").partition("\n")[0].strip() not in ("{", "[", "[{"):
        return ""
    known = next((name for name, keys in _TOOLS.items() if all(f'"{key}"' in text for key in keys)), None)
    return "one JSON document over several lines" + (f" ({known})" if known else "")
