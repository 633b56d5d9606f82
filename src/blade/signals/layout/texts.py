"""A value as the text that people would compare, and the option that a gold names."""

from typing import Any, Final

import msgspec

from blade.signals.layout.shape import AS_IS, BY_TEXT, FROM_ONE

MOST_REMARKS: Final = 40


def plain_text(value: Any) -> str | None:
    """A plain answer as text; one in a list of its own is that one; several are JSON."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if value is None or value == "" or value == []:
        return None
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"{value:.15g}" if isinstance(value, float) else str(value)
    return msgspec.json.encode(value).decode()


def sentences(value: Any) -> list[str]:
    """What a list tells in words: its texts, or those of the objects in it, which keep a remark beside who made it and when; empty where it is no such list.

    Of an object only what has several words counts; a list of plain words is a list of values.
    """
    if not isinstance(value, list) or not 0 < len(value) <= MOST_REMARKS:
        return []
    if all(isinstance(part, str) for part in value):
        return value if len(value) == 1 or all(" " in part.strip() for part in value) else []
    told = [[text for text in part.values() if _in_words(text)] if isinstance(part, dict) else [] for part in value]
    return [text for texts in told for text in texts] if all(told) else []


def _in_words(value: Any) -> bool:
    return isinstance(value, str) and " " in value.strip()


def message_text(value: Any) -> Any:
    """What a message says, where a value is one (`{"role": …, "parts": [{"text": …}]}`, `{"content": …}`); everything else as it is."""
    if not isinstance(value, dict) or not ("role" in value or "parts" in value or "content" in value):
        return value
    told = next((value[name] for name in ("parts", "content", "text") if value.get(name)), None)
    if isinstance(told, str):
        return told
    if isinstance(told, list) and all(isinstance(part, dict) and isinstance(part.get("text"), str) for part in told):
        return "".join(part["text"] for part in told)
    return value


def folded(text: str) -> str:
    return " ".join(text.split()).strip(" .").casefold()


def named_option(value: Any, names: str, options: dict[str, str]) -> str | None:
    """The gold as an answer: itself, or the letter of the option that it names; None where it names none."""
    text = plain_text(value)
    if text is None or names == AS_IS:
        return text
    if names == BY_TEXT:
        return next((letter for letter, option in options.items() if folded(option) == folded(text)), None)
    if not text.isdigit():
        return None
    place = int(text) - (names == FROM_ONE)
    return list(options)[place] if 0 <= place < len(options) else None
