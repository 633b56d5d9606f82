"""Who got over an infrastructure failure and passed is told, and does not make a run unhealthy."""

from pathlib import Path

import pytest

from tests.diagnosis.test_health import RESET, check_of, checked, clean_run


@pytest.mark.parametrize(
    ("failed", "passed", "status", "value"), [(20, 0, "fail", 20 / 160), (0, 20, "ok", 0.0), (4, 16, "warn", 4 / 160)]
)
def test_only_those_who_failed_count(tmp_path: Path, failed: int, passed: int, status: str, value: float) -> None:
    rows = clean_run()
    for number in range(failed + passed):
        hit = {"id": "x", "output": rows[number]["response"]["output"], "error": {"code": "connection", "message": RESET}}
        rows[number] |= {"reward": 0.0 if number < failed else 1.0, "response": hit}
    check = check_of(checked(tmp_path, {"r.jsonl": rows}), "infrastructure")
    assert (check["status"], check["value"], check["denominator"]) == (status, value, 160)
    assert check["message"].startswith("20 of 160 scored rollouts show an infrastructure failure (12.5 %)")
    assert (f"{passed} of them passed, {failed} of 160 count" in check["message"]) is bool(passed)
