r"""The process behind `symbolic`: reads pairs of LaTeX expressions as JSON lines, answers `same`, `different` or a reason.

`same` is math-verify's word, asked both ways round, since its check is not symmetric. Its "no" only means that it could not
simplify the difference away; `different` needs the two to disagree clearly at points we choose.
"""

import json
import logging
import sys
from typing import Any

MEMORY_LIMIT = 2 * 1024**3
_POINTS = (0.7342, 1.3817, 2.1193)
_CLEARLY = 1e-3
_DIGITS = 12


def main() -> None:
    """Answer until the input ends, which it does when the asking process is gone."""
    _limit_memory()
    logging.disable(logging.CRITICAL)
    from math_verify import LatexExtractionConfig, parse, verify

    config = [LatexExtractionConfig()]

    def read(latex: str) -> Any:
        found = parse(f"${latex}$", config, fallback_mode="no_fallback", parsing_timeout=None)
        return found[0] if found and not isinstance(found[0], str) else None

    def same(one: Any, other: Any) -> bool:
        return bool(verify([one], [other], float_rounding=_DIGITS, timeout_seconds=None))

    def answer(first: str, second: str) -> str:
        one, other = read(first), read(second)
        if one is None or other is None:
            return "not understood"
        if same(one, other) and same(other, one):
            return "same"
        return "different" if clearly_apart(one, other) else "no decision"

    _say("ready")
    for line in sys.stdin:
        try:
            _say(answer(*json.loads(line)))
        except MemoryError:
            _say("out of memory")
        except Exception as error:  # noqa: BLE001 - whatever the libraries raise is "no answer"
            _say(f"failed ({type(error).__name__})")


def clearly_apart(one: Any, other: Any) -> bool:
    """Whether two scalar expressions in the same variables have clearly different values at each of the chosen points."""
    symbols = getattr(one, "free_symbols", None)
    if symbols is None or symbols != getattr(other, "free_symbols", None) or not (one.is_commutative and other.is_commutative):
        return False
    if getattr(one, "is_Relational", True) or getattr(other, "is_Relational", True):
        return False
    for point in _POINTS:
        at = {symbol: point + 0.311 * place for place, symbol in enumerate(sorted(symbols, key=str))}
        mine, theirs = complex(one.evalf(subs=at)), complex(other.evalf(subs=at))
        if not abs(mine - theirs) > _CLEARLY * max(1.0, abs(mine), abs(theirs)):
            return False
    return True


def _say(answer: str) -> None:
    print(json.dumps(answer), flush=True)


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:
        return
    try:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    except (ValueError, OSError):
        return


if __name__ == "__main__":
    main()
