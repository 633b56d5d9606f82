import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.gym.collect.durable import RowFile, encoded, heal


def test_rows_are_appended_to_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    for number in range(3):
        file = RowFile(path)
        file.append({"n": number})
        file.close()
    assert path.read_bytes() == b'{"n":0}\n{"n":1}\n{"n":2}\n'


@given(rows=st.lists(st.dictionaries(st.text(max_size=3), st.text(max_size=40), max_size=3), max_size=6), cut=st.integers(0, 400))
def test_a_file_cut_anywhere_is_healed_without_losing_a_byte(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, str]], cut: int
) -> None:
    path = tmp_path_factory.mktemp("heal") / "rows.jsonl"
    whole = b"".join(encoded(row) + b"\n" for row in rows)
    path.write_bytes(whole[: len(whole) - min(cut, len(whole))])
    before = path.read_bytes()
    heal(path)
    after = path.read_bytes()
    torn = path.with_name("rows.jsonl.torn")
    kept = torn.read_bytes()[:-1] if torn.exists() else b""
    assert after in (before[: len(before) - len(kept)], before + b"\n")
    assert [json.loads(line) for line in after.splitlines()] == rows[: len(after.splitlines())]
    assert heal(path) == 0


def test_half_a_surrogate_pair_does_not_stop_a_row() -> None:
    assert json.loads(encoded({"text": "a\ud800b", "list": ["\udfff"]})) == {"text": "a?b", "list": ["?"]}


FILL = """
import sys
from pathlib import Path
from blade.errors import BladeError
from blade.gym.collect.durable import RowFile
file = RowFile(Path(sys.argv[1]))
try:
    for number in range(10_000):
        file.append({"number": number, "text": "x" * 1000})
except BladeError as error:
    print(error)
"""


def test_when_no_more_fits_the_half_row_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_500, 50_500))

    environment = os.environ | {"PYTHONPATH": "src"}
    done = subprocess.run(
        [sys.executable, "-c", f"import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n{FILL}", str(path)],
        preexec_fn=small,
        capture_output=True,
        text=True,
        timeout=60,
        env=environment,
        check=True,
    )
    assert "--resume" in done.stdout
    rows = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert [row["number"] for row in rows] == list(range(len(rows)))
    assert len(rows) > 40
