"""Ctrl-C within an import waits until the import is done."""

import signal
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import sys
from blade.cli.interrupts import interrupt_between_imports
interrupt_between_imports()
sys.path.insert(0, {directory!r})
try:
    import {module}
    print("imported")
    import time
    time.sleep(30)
except KeyboardInterrupt:
    print("interrupted")
"""


def outcome(directory: Path, module: str, text: str) -> list[str]:
    (directory / f"{module}.py").write_text(text)
    command = [sys.executable, "-c", SCRIPT.format(directory=str(directory), module=module)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout.split()


def test_an_interrupt_within_an_import_waits_for_its_end(tmp_path: Path) -> None:
    text = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(0.1)\n"
    assert outcome(tmp_path, "slow_to_start", text) == ["imported", "interrupted"]


def test_a_handler_of_the_caller_stays() -> None:
    from blade.cli.interrupts import interrupt_between_imports

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        interrupt_between_imports()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
