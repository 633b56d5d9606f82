from pathlib import Path

from blade.signals.plugins import load
from blade.signals.reference import reference

PAGE = Path(__file__).resolve().parents[2] / "docs" / "signals.md"


def test_the_page_is_what_the_detectors_say():
    assert PAGE.read_text(encoding="utf-8") == reference(), "run `make docs`"


def test_every_signal_is_on_the_page():
    page = reference()
    assert all(f"### `{detector.code}`" in page for detector in load(()).detectors)
