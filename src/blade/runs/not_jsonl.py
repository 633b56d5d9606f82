"""What a file is of which no line is a JSON object, as far as its beginning tells."""

from typing import Final

HEAD: Final = 1 << 14
"""Bytes that are looked at."""
FEWEST_LINES, MOST_LINES = 2, 10
_SEPARATORS: Final = {",": "comma-separated (CSV)", "\t": "tab-separated", ";": "semicolon-separated (CSV)"}


def looks_like(head: bytes) -> str:
    """`binary data`, `comma-separated (CSV) text` or `text`; empty where it begins like JSON, and its lines are to say what is wrong."""
    if not head.strip():
        return ""
    text = head.decode("utf-8", "replace")
    if head.lstrip().removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):
        return ""
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
