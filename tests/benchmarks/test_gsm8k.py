"""GSM8K's download and conversion, on questions of our own in the same shape, from files and from a server on loopback."""

import json
import shutil
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from blade.errors import BladeError
from blade.gym.config import resolve_config

REPO = Path(__file__).parents[2]
ROWS = [
    {"question": "Tom has 3 bags of 4 nuts. How many nuts?", "answer": "3 bags of 4 is 3*4=<<3*4=12>>12 nuts.\n#### 12"},
    {
        "question": "A village grows from 60,000 by 10,000 people.\nHow many live there now? ",
        "answer": "60000+10000=<<60000+10000=70000>>70000\n#### 70,000",
    },
    {"question": "What is 5 less than 2 “degrees”?", "answer": "2-5=<<2-5=-3>>-3\n#### -3"},
    {"question": "Half of 3 litres?", "answer": "#### 1.5 "},
]
EXPECTED = ["12", "70000", "-3", "1.5"]


@pytest.fixture
def gsm8k(tmp_path: Path) -> Any:
    """The script in a folder of its own, so that nothing is written into the repository."""
    script = tmp_path / "gsm8k" / "prepare.py"
    script.parent.mkdir()
    shutil.copy(REPO / "benchmarks/gsm8k/prepare.py", script)
    spec = spec_from_file_location("gsm8k_prepare", script)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def as_jsonl(rows: list[Any]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def as_parquet(rows: list[Any], folder: Path) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.Table.from_pylist(rows), folder / "made.parquet")
    return (folder / "made.parquet").read_bytes()


@pytest.fixture
def serve() -> Iterator[Callable[..., str]]:
    """A real server that answers every request with the given bytes."""
    servers: list[ThreadingHTTPServer] = []

    def start(content: bytes, status: int = 200, length: int | None = None) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(status)
                self.send_header("Content-Length", str(len(content) if length is None else length))
                self.end_headers()
                self.wfile.write(content)
                paths.append(self.path)

            def log_message(self, *_: Any) -> None: ...

        paths: list[str] = []
        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("shape", ["jsonl", "parquet"])
def test_a_file_at_hand(gsm8k: Any, tmp_path: Path, shape: str, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "test.data"
    source.write_bytes(as_jsonl(ROWS) if shape == "jsonl" else as_parquet(ROWS, tmp_path))
    path = gsm8k.prepare(source=str(source))
    assert path == tmp_path / "gsm8k/data/gsm8k_benchmark.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [row["expected_answer"] for row in rows] == EXPECTED
    assert [row["question"] for row in rows] == [row["question"].strip() for row in ROWS]
    assert all(set(row) == {"problem_id", "question", "expected_answer"} for row in rows), "no working, no calculator marks"
    said = capsys.readouterr().out
    assert "4 questions" in said
    assert said.count("sha256") == 2
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("shape", ["jsonl", "parquet"])
def test_a_download(gsm8k: Any, tmp_path: Path, serve: Callable[..., str], shape: str) -> None:
    address = serve(as_jsonl(ROWS) if shape == "jsonl" else as_parquet(ROWS, tmp_path))
    assert len(gsm8k.prepare(source=f"{address}/file").read_text().splitlines()) == 4


def test_the_official_file_must_be_whole(gsm8k: Any, serve: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", serve(as_jsonl(ROWS)))
    with pytest.raises(BladeError, match="has 1,319 questions, this file 4"):
        gsm8k.prepare()
    monkeypatch.setenv("HF_ENDPOINT", serve(as_jsonl(ROWS * 330)[: len(as_jsonl(ROWS * 329 + ROWS[:3]))]))
    assert len(gsm8k.prepare().read_text().splitlines()) == 1319


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"content": b"no such file", "status": 404}, "failed with status 404"),
        ({"content": b'{"question":', "length": 1000}, "the download failed"),
        ({"content": b"<html>busy</html>"}, "neither Parquet nor JSON lines"),
        ({"content": b""}, "holds no questions"),
    ],
)
def test_downloads_that_fail_leave_what_was_there(
    gsm8k: Any, serve: Callable[..., str], answer: dict[str, Any], told: str
) -> None:
    gsm8k.DATA.parent.mkdir()
    gsm8k.DATA.write_text("as before")
    with pytest.raises(BladeError, match=told):
        gsm8k.prepare(source=serve(**answer), timeout=5)
    assert gsm8k.DATA.read_text() == "as before"


def test_without_a_network_it_says_what_to_do(gsm8k: Any) -> None:
    with pytest.raises(BladeError, match=r"download failed: .*refused; download the file elsewhere.*source=FILE"):
        gsm8k.prepare(source="http://127.0.0.1:9/file", timeout=5)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"question": "x", "answer": "no number"}, "does not end with '#### number'"),
        ({"question": "x"}, "needs the texts"),
        ({"question": " ", "answer": "#### 1"}, "needs the texts"),
        ([1], "needs the texts"),
    ],
)
def test_rows_of_another_shape_are_named(gsm8k: Any, tmp_path: Path, row: Any, told: str) -> None:
    (tmp_path / "bad.jsonl").write_bytes(as_jsonl([ROWS[0], row]))
    with pytest.raises(BladeError, match=told) as caught:
        gsm8k.prepare(source=str(tmp_path / "bad.jsonl"))
    assert caught.value.line == 2


def test_a_broken_parquet_file(gsm8k: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(BladeError, match="Parquet file cannot be read"):
        gsm8k.prepare(source=str(tmp_path / "bad.parquet"))


def test_its_configuration() -> None:
    config = resolve_config([str(REPO / "benchmarks/gsm8k/config.yaml")], stand_in_model=True)
    assert {"math_with_judge", "gsm8k_math_with_judge_simple_agent"} <= set(config.instances)
    assert "math_with_judge_simple_agent" not in config.instances
    (dataset,) = config.instances["gsm8k_math_with_judge_simple_agent"].settings["datasets"]
    assert (dataset["type"], dataset["num_repeats"]) == ("benchmark", 1)
    assert config.find(dataset["prompt_config"]).is_file()
