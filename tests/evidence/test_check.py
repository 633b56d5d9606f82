import json
from pathlib import Path

import pytest

from evidence.check import stale
from evidence.fingerprint import ROOT, fingerprint

SOURCE = "src/blade/stats/intervals.py"


def published(folder: Path, content: object) -> Path:
    path = folder / "figures.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_evidence_of_todays_code_is_up_to_date(tmp_path: Path) -> None:
    assert (ROOT / SOURCE).is_file()
    assert stale(published(tmp_path, {"fingerprint": fingerprint([SOURCE])})) is None


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ({"fingerprint": {SOURCE: "0" * 64}}, f"older than {SOURCE}"),
        ({"fingerprint": {"src/blade/gone.py": "0" * 64}}, "older than src/blade/gone.py"),
        ({"coverage": 0.95}, "does not say which sources it speaks of"),
        ("not json", "does not say which sources it speaks of"),
        ([], "does not say which sources it speaks of"),
    ],
)
def test_older_evidence_says_what_it_is_older_than(tmp_path: Path, content: object, reason: str) -> None:
    assert stale(published(tmp_path, content)) == reason
