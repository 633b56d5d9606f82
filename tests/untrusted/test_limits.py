import pytest

from blade.errors import UsageError
from blade.untrusted import limits


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, 64 * 2**20),
        ({"BLADE_MAX_LINE_MB": ""}, 64 * 2**20),
        ({"BLADE_MAX_LINE_MB": "1"}, 2**20),
        ({"BLADE_MAX_LINE_MB": " 512 "}, 512 * 2**20),
    ],
)
def test_the_longest_line_can_be_set(environ: dict[str, str], expected: int) -> None:
    assert limits.max_line_bytes(environ) == expected


@pytest.mark.parametrize("setting", ["0", "-3", "1.5", "big", "64MB", "5000", "٣", "9" * 5_000, "²"])
def test_a_setting_that_is_no_size_is_refused_with_the_way_out(setting: str) -> None:
    with pytest.raises(UsageError, match="BLADE_MAX_LINE_MB") as refused:
        limits.max_line_bytes({"BLADE_MAX_LINE_MB": setting})
    assert "unset it" in str(refused.value)
    assert len(str(refused.value)) < 250


def test_the_process_environment_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLADE_MAX_LINE_MB", "3")
    assert limits.max_line_bytes() == 3 * 2**20
