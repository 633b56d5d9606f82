"""Cases of one line: the secret stands between ⟦ and ⟧."""

from blade.untrusted.detection import find_sensitive, is_credential


def expected(case: str) -> tuple[str, list[str]]:
    parts = case.replace("⟧", "⟦").split("⟦")
    return "".join(parts), parts[1::2]


def found(text: str) -> list[str]:
    return [text[one.start : one.end] for one in find_sensitive(text) if is_credential(one)]
