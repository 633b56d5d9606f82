"""`docs/packages.md` and `docs/calibration.md`: a reader follows the first, then the second, with the example runs at hand."""

import os
import subprocess
import sys
from pathlib import Path

from tests.docs.guides import BIN, commands_of, page, run_line


def test_a_reader_follows_the_pages(tmp_path: Path) -> None:
    (tmp_path / ".venv").symlink_to(BIN.parent)
    for arguments in (["example"], ["example-after", "--mend", "skipped_lookup", "--mend", "outage"]):
        subprocess.run([sys.executable, "-m", "blade.lab.example", *arguments], cwd=tmp_path, check=True, capture_output=True)
    lines = [line for name in ("packages.md", "calibration.md") for line in commands_of(page(name))]
    assert [line.split()[2] for line in lines] == ["init", "extract-anchor-facts", "make-shallow", "score", "calibrate"]
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    for line in lines:
        done = run_line(line, tmp_path, environment)
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        assert done.stdout.strip()
    assert "16 of 16 targets are met" in done.stdout
