"""Preparing benchmarks: scripts in processes of their own, and files that are checked whatever the script says."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from blade.errors import BladeError, UsageError
from blade.gym.collect.prepare import PrepareFailed, prepare
from blade.gym.config import GymConfig, Instance

GOOD = """
from pathlib import Path
from words import QUESTION
DATA = Path(__file__).resolve().parent / "data" / "tiny_benchmark.jsonl"

def prepare(rows=2, name="x"):
    print("making", rows)
    DATA.parent.mkdir(exist_ok=True)
    DATA.write_text("".join('{"question": "%s %d"}\\n' % (QUESTION, n) for n in range(rows)))
    return DATA
"""


def benchmark(root: Path, script: str = GOOD, **more: Any) -> GymConfig:
    """A configuration with one benchmark under `root`, whose script is `script`."""
    folder = root / "benchmarks" / "tiny"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "prepare.py").write_text(script)
    (folder / "words.py").write_text("QUESTION = 'How many?'\n")
    (folder / "prompt.yaml").write_text("user: '{question}'\n")
    dataset = {
        "name": "tiny",
        "type": "benchmark",
        "jsonl_fpath": "benchmarks/tiny/data/tiny_benchmark.jsonl",
        "prepare_script": "benchmarks/tiny/prepare.py",
        "prompt_config": "benchmarks/tiny/prompt.yaml",
        **more,
    }
    settings = {"datasets": [{"name": "other", "type": "example", "jsonl_fpath": "x"}, dataset]}
    agent = Instance("tiny_agent", "responses_api_agents", "simple_agent", settings)
    return GymConfig(settings={}, instances={"tiny_agent": agent}, roots=(root,), files=())


def test_a_script_runs_and_its_file_is_checked(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (found,) = prepare(benchmark(tmp_path), args={"rows": 3})
    assert (found.name, found.agent, found.rows, found.cached) == ("tiny", "tiny_agent", 3, False)
    assert found.path == tmp_path / "benchmarks/tiny/data/tiny_benchmark.jsonl"
    shown = capfd.readouterr()
    assert "making 3" in shown.err, "what a script prints is shown, but not where programs read"
    assert shown.out == ""


def test_a_sound_file_is_left_alone_when_asked(tmp_path: Path) -> None:
    config = benchmark(tmp_path)
    prepare(config, args={"rows": 3})
    (kept,) = prepare(config, use_cached=True, args={"rows": 7})
    (made,) = prepare(config, use_cached=False, args={"rows": 7})
    assert (kept.rows, kept.cached, made.rows, made.cached) == (3, True, 7, False)


def test_a_file_that_is_not_there_is_made_although_cached_ones_would_do(tmp_path: Path) -> None:
    assert prepare(benchmark(tmp_path), use_cached=True)[0].cached is False


def test_the_file_belongs_to_the_root_of_the_script(tmp_path: Path) -> None:
    config = benchmark(tmp_path / "second")
    (tmp_path / "first").mkdir()
    elsewhere = GymConfig(settings={}, instances=config.instances, roots=(tmp_path / "first", tmp_path / "second"), files=())
    assert prepare(elsewhere)[0].path == tmp_path / "second/benchmarks/tiny/data/tiny_benchmark.jsonl"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("raise ValueError('the moon')", "the script raised ValueError: the moon"),
        ("from blade.errors import BladeError; raise BladeError('no network', hint='try again')", "no network; try again"),
        ("import os; os._exit(3)", "ended with exit code 3"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "ended by signal 9"),
        ("return None", "must return the path"),
        ("return __file__", "but the config of tiny names"),
        ("return 'benchmarks/tiny/data/tiny_benchmark.jsonl'", "but the config of tiny names"),
    ],
)
def test_scripts_that_go_wrong(tmp_path: Path, body: str, told: str) -> None:
    with pytest.raises(PrepareFailed, match=told) as caught:
        prepare(benchmark(tmp_path, f"def prepare():\n    {body}\n"))
    assert caught.value.path == str(tmp_path / "benchmarks/tiny/prepare.py")


@pytest.mark.parametrize(
    ("content", "told", "line"),
    [
        ("", "has no rows", None),
        ("\n\n", "has no rows", None),
        ('{"question": "a"}\n{"question": \n', "not a JSON object", 2),
        ("[1]\n", "not a JSON object", 1),
        ('{"question": "a"}\n\n{"qestion": "a"}\n', "does not fit the prompt: the template asks for {question}", 3),
        ('{"question": "a", "responses_create_params": {"input": "b"}}\n', "already has an input", 1),
        (None, "cannot be read: No such file", None),
    ],
)
def test_files_that_are_not_what_the_script_says(tmp_path: Path, content: str | None, told: str, line: int | None) -> None:
    write = "" if content is None else f"    path.parent.mkdir(exist_ok=True); path.write_text({content!r})\n"
    script = f"from pathlib import Path\ndef prepare():\n    path = Path(__file__).parent / 'data' / 'tiny_benchmark.jsonl'\n{write}    return path\n"
    with pytest.raises(PrepareFailed, match=told) as caught:
        prepare(benchmark(tmp_path, script))
    assert caught.value.line == line


def test_an_argument_that_a_script_does_not_take(tmp_path: Path) -> None:
    with pytest.raises(BladeError, match=r"no argument 'rwos'; did you mean 'rows'\?"):
        prepare(benchmark(tmp_path), args={"rwos": 3})


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"type": "train"}, "no benchmark dataset"),
        ({"prepare_script": None}, "needs prepare_script"),
        ({"prompt_config": "none.yaml"}, "none.yaml"),
    ],
)
def test_configurations_without_a_benchmark_to_prepare(tmp_path: Path, more: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        prepare(benchmark(tmp_path, **more))


def test_ctrl_c_ends_the_script_too(tmp_path: Path) -> None:
    slow = f"import os, time\ndef prepare():\n    open({str(tmp_path / 'pid')!r}, 'w').write(f'{{os.getpid()}}\\n')\n    time.sleep(600)\n"
    benchmark(tmp_path, slow)
    code = f"from pathlib import Path; from blade.gym.collect.prepare import run_script; run_script(Path({str(tmp_path / 'benchmarks/tiny/prepare.py')!r}), {{}})"
    parent = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        deadline = time.monotonic() + 60
        while not ((tmp_path / "pid").exists() and (tmp_path / "pid").read_text().endswith("\n")):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        child = int((tmp_path / "pid").read_text())
        parent.send_signal(signal.SIGINT)
        assert parent.wait(timeout=30) != 0
        with pytest.raises(ProcessLookupError):
            os.kill(child, 0)
    finally:
        parent.kill()
        parent.wait()


def test_the_command(tmp_path: Path) -> None:
    benchmark(tmp_path)
    dataset = {"name": "tiny", "type": "benchmark", "prepare_script": "benchmarks/tiny/prepare.py"}
    config = {"tiny_agent": {"responses_api_agents": {"simple_agent": {"entrypoint": "app.py", "datasets": [dataset]}}}}
    (tmp_path / "tiny.yaml").write_text(json.dumps(config))
    chosen = ["eval", "prepare", "--config", "tiny.yaml", "+prepare_script_args.rows=4", "--json"]
    command = [sys.executable, "-c", "from blade.cli.main import gym_main; gym_main()", *chosen]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    (found,) = json.loads(done.stdout)["prepared"]
    assert (found["rows"], found["path"]) == (4, str(tmp_path / "benchmarks/tiny/data/tiny_benchmark.jsonl"))
