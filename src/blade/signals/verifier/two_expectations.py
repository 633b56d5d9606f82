"""TI: the verifier compared with another expectation than the one that the row has.

Many harnesses write the expectation twice: in the case, and in the result of judging it. The two are equal, unless the verifier kept that of another case, or of
another version. Read by shape: one key that is named after what is expected, in two objects at the top of a row, one of which holds a verdict. Where rollouts
pass although the two differ, the difference is the harness's way of writing it.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from blade.signals.calls.arguments import canonical
from blade.signals.calls.mutation import words_of
from blade.signals.example import Example, says
from blade.signals.layout.texts import plain_text
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal
from blade.signals.wanted.checks import holds_verdict, verdict

MAX_DEPTH: Final = 3
MAX_KEYS: Final = 60
_WANTED: Final = frozenset(["expected", "reference", "gold", "golden", "ideal", "wanted"])
_JUDGES: Final = frozenset(
    [
        "result",
        "results",
        "verdict",
        "evaluation",
        "eval",
        "grading",
        "grade",
        "outcome",
        "scoring",
        "judgement",
        "verification",
        "test",
    ]
)


@signal(
    "other_expectation",
    label="TI",
    meaning="the result of judging holds another expectation than the row's own case",
    causal=False,
    example=Example(
        (says("4416.7"),),
        fields={"case": {"expected": "4416.7"}, "eval_result": {"passed": False, "expected": "212.0"}},
    ),
)
def other_expectation(rollout: Rollout) -> Iterator[Evidence]:
    places: dict[str, list[tuple[str, str, Any]]] = {}
    for top, value in list(rollout.fields.items())[:MAX_KEYS]:
        if isinstance(value, dict):
            for path, key, held in _wanted(value, top, 0):
                places.setdefault(key, []).append((top, path, held))
    for several in places.values():
        if len(several) != 2 or several[0][0] == several[1][0]:
            continue
        (one, first, mine), (other, second, theirs) = several
        if (
            (_judges(one) == _judges(other))
            or mine in (None, "", [], {})
            or theirs in (None, "", [], {})
            or type(mine) is not type(theirs)
        ):
            continue
        judge = one if _judges(one) else other
        if not _alike(mine, theirs) and _holds_verdict(rollout.fields[judge]):
            told, own = (mine, theirs) if judge == one else (theirs, mine)
            at = first if judge == one else second
            yield Evidence(None, _encoded(told)[:160], f"{at}; the row's own has {_encoded(own)[:120]}", at)
            return


def _wanted(value: dict[str, Any], path: str, depth: int) -> Iterator[tuple[str, str, Any]]:
    """The values under keys that are named after what is expected, outermost first."""
    for key, held in list(value.items())[:MAX_KEYS]:
        if _expects(key):
            yield f"{path}.{key}", key, held
        elif isinstance(held, dict) and depth < MAX_DEPTH:
            yield from _wanted(held, f"{path}.{key}", depth + 1)


@lru_cache(maxsize=4096)
def _expects(key: str) -> bool:
    return bool(_WANTED & set(words_of(key)))


@lru_cache(maxsize=4096)
def _judges(key: str) -> bool:
    words = words_of(key)
    return bool(words) and words[-1] in _JUDGES


def _holds_verdict(judged: dict[str, Any]) -> bool:
    return holds_verdict(judged) or any(isinstance(value, str) and verdict(value) is not None for value in judged.values())


def _encoded(value: Any) -> str:
    return canonical(value, repr(value)) if isinstance(value, dict) else plain_text(value) or ""


def _alike(one: Any, other: Any) -> bool:
    """Whether two expectations are written alike, but for case and blanks, or one was cut short."""
    texts = [" ".join(_encoded(value).split()).casefold() for value in (one, other)]
    begun = [text.partition("...")[0].partition("…")[0] for text in texts]
    return texts[0] == texts[1] or any(
        short != text and full.startswith(short) for short, text, full in zip(begun, texts, texts[::-1], strict=True)
    )
