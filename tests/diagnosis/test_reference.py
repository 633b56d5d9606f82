from pathlib import Path

from blade.diagnosis.catalogue import ENTRIES
from blade.diagnosis.fixes import FIXES
from blade.diagnosis.patterns import PATTERNS
from blade.diagnosis.reference import reference
from blade.signals.plugins import load

PAGE = Path(__file__).resolve().parents[2] / "docs" / "patterns.md"


def test_the_page_is_what_the_patterns_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(), "run `make docs`"


def test_every_pattern_and_every_code_is_on_the_page() -> None:
    page = reference()
    for code in (*ENTRIES, *(pattern.code for pattern in PATTERNS)):
        assert f"| `{code}` |" in page, code


def test_every_signal_has_a_weight_and_a_title() -> None:
    assert {detector.code for detector in load(()).detectors} <= set(ENTRIES)


def test_every_code_that_can_be_a_mode_has_a_fix() -> None:
    assert {code for code, known in ENTRIES.items() if known.rank != "context"} <= set(FIXES)
