"""Secrets out of a configuration before it is shown or written: `****` in their place.

The name of a key decides, word by word, so that `hf_token` and `apiKey` are masked and `max_output_tokens`, `tokenizer`,
`key_metrics` and `answer_key` are not. A value that was masked once is masked wherever else it stands (a header made from
`${policy_api_key}`), and so are passwords inside URLs and tokens that name themselves.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from blade.untrusted.redaction import find_secrets, is_secret_key

MASK = "****"
SHORTEST_REPEATED = 8
"""A masked value this long is looked for elsewhere; a shorter one (`EMPTY`, `none`) may be a word like any other."""
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ALWAYS = frozenset(
    ["password", "passwd", "passphrase", "secret", "secrets", "credential", "credentials", "authorization", "apikey", "cookie"]
)
_HARMLESS_OWNERS = frozenset(
    [
        "answer",
        "sort",
        "primary",
        "foreign",
        "cache",
        "metric",
        "metrics",
        "group",
        "dataset",
        "row",
        "field",
        "input",
        "output",
        "label",
        "id",
        "public",
        "dict",
        "json",
        "column",
        "prompt",
        "question",
        "expected",
        "target",
        "task",
        "score",
        "reward",
        "verifier",
        "name",
        "lookup",
        "partition",
        "index",
        "map",
        "unique",
        "config",
        "extra",
    ]
)
_TWO_WORDS = {("api", "key"), ("access", "key"), ("access", "token"), ("private", "key"), ("auth", "token")}


def is_secret(name: str) -> bool:
    """Whether a setting of this name holds a secret."""
    words = [word.lower() for word in _WORDS.findall(name)]
    if not words:
        return False
    if _ALWAYS & set(words) or _TWO_WORDS & set(pairwise(words)):
        return True
    if words[-1] == "key":
        return len(words) == 1 or words[-2] not in _HARMLESS_OWNERS
    return is_secret_key(name)


def masked(tree: Any) -> Any:
    """A copy of the tree that may be shown."""
    repeated = sorted({text for text in _secret_texts(tree) if len(text) >= SHORTEST_REPEATED}, key=len, reverse=True)
    return _masked(tree, repeated)


def _masked(value: Any, repeated: list[str], secret: bool = False) -> Any:
    if isinstance(value, dict):
        return {key: _masked(inner, repeated, secret or is_secret(str(key))) for key, inner in value.items()}
    if isinstance(value, list):
        return [_masked(inner, repeated, secret) for inner in value]
    if value is None or isinstance(value, bool) or value in ("", "???"):
        return value
    if secret:
        return MASK
    return _without_secrets(value, repeated) if isinstance(value, str) else value


def _without_secrets(text: str, repeated: list[str]) -> str:
    for secret in repeated:
        text = text.replace(secret, MASK)
    for found in reversed(find_secrets(text)):
        if text[found.start : found.end] != MASK:
            text = text[: found.start] + MASK + text[found.end :]
    return text


def _secret_texts(value: Any, secret: bool = False) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _secret_texts(inner, secret or is_secret(str(key)))
    elif isinstance(value, list):
        for inner in value:
            yield from _secret_texts(inner, secret)
    elif secret and isinstance(value, str):
        yield value
