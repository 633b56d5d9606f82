"""GSM8K (Cobbe et al. 2021): downloads the test split of `openai/gsm8k` and writes the benchmark's file.

    gym eval prepare --benchmark gsm8k
    gym eval prepare --benchmark gsm8k +prepare_script_args.source=test.parquet      # a file at hand, no network

A source row is `{"question": …, "answer": "working … #### 42"}`, as Parquet or as JSON lines. Only the question and the number after
`####` are kept, without thousands commas; the working with its `<<3*4=12>>` marks is not part of the benchmark.
"""

import hashlib
import http.client
import io
import json
import os
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from blade.errors import BladeError

HOST = "https://huggingface.co"
"""`HF_ENDPOINT` names another one: a mirror."""
FILE = "/datasets/openai/gsm8k/resolve/{revision}/main/test-00000-of-00001.parquet"
DATA = Path(__file__).resolve().parent / "data" / "gsm8k_benchmark.jsonl"
TASKS = 1_319
TIMEOUT = 60.0
LARGEST = 64 * 1024 * 1024
ANSWER = re.compile(r"####\s*(-?[\d,]*\.?\d+)\s*$")
BY_HAND = "download the file elsewhere and name it with +prepare_script_args.source=FILE"


def prepare(source: str | None = None, revision: str = "main", timeout: float = TIMEOUT) -> Path:
    """Write the benchmark from `source` (an address, or a file in the shape of the original), or from the official file."""
    place = source or os.environ.get("HF_ENDPOINT", HOST).rstrip("/") + FILE.format(revision=revision)
    content = _download(place, float(timeout)) if place.startswith(("https://", "http://")) else _read(Path(place))
    print(f"{place}: {len(content):,} bytes, sha256 {hashlib.sha256(content).hexdigest()}")
    rows = [_converted(row, line, place) for line, row in enumerate(_rows(content, place), start=1)]
    if not rows:
        raise BladeError("the source holds no questions", path=place)
    if source is None and len(rows) != TASKS:
        raise BladeError(f"the test split has {TASKS:,} questions, this file {len(rows):,}", path=place, hint=BY_HAND)
    lines = (json.dumps({"problem_id": f"gsm8k-test-{index}"} | row, ensure_ascii=False) for index, row in enumerate(rows))
    written = "".join(f"{line}\n" for line in lines).encode()
    _write(DATA, written)
    print(f"{DATA}: {len(rows):,} questions, sha256 {hashlib.sha256(written).hexdigest()}")
    return DATA


def _download(address: str, timeout: float) -> bytes:
    print(f"downloading {address}", flush=True)
    request = urllib.request.Request(address, headers={"User-Agent": "blade-gym"})  # noqa: S310 - http(s) only, checked by the caller
    try:
        with urllib.request.urlopen(request, timeout=timeout) as reply:  # noqa: S310
            content: bytes = reply.read(LARGEST + 1)
            announced = int(reply.headers.get("Content-Length") or len(content))
    except urllib.error.HTTPError as error:
        raise BladeError(f"the download failed with status {error.code}", path=address, hint=BY_HAND) from error
    except (OSError, ValueError, http.client.HTTPException) as error:
        why = getattr(error, "reason", None) or error
        raise BladeError(f"the download failed: {why}", path=address, hint=BY_HAND) from error
    if len(content) < min(announced, LARGEST):
        raise BladeError(
            f"the download failed: it broke off after {len(content):,} of {announced:,} bytes", path=address, hint=BY_HAND
        )
    if len(content) > LARGEST:
        raise BladeError(
            f"the download is larger than {LARGEST // 2**20} MiB, which is not this file", path=address, hint=BY_HAND
        )
    return content


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BladeError(f"cannot read the source: {error.strerror or error}", path=path) from error


def _rows(content: bytes, place: str) -> Iterator[Any]:
    """The rows of a Parquet file or of JSON lines, whichever the first bytes say it is."""
    if content.startswith(b"PAR1"):
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            yield from pq.read_table(io.BytesIO(content)).to_pylist()
        except pa.ArrowException as error:
            raise BladeError(f"the Parquet file cannot be read: {error}", path=place) from error
        return
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            yield json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BladeError("this is neither Parquet nor JSON lines", path=place, line=number) from error


def _converted(row: Any, line: int, place: str) -> dict[str, str]:
    fields = row if isinstance(row, dict) else {}
    question, answer = fields.get("question"), fields.get("answer")
    if not isinstance(question, str) or not isinstance(answer, str) or not question.strip():
        raise BladeError("a row needs the texts 'question' and 'answer'", path=place, line=line)
    found = ANSWER.search(answer)
    if found is None:
        raise BladeError("the answer does not end with '#### number'", path=place, line=line)
    return {"question": question.strip(), "expected_answer": found[1].replace(",", "")}


def _write(path: Path, content: bytes) -> None:
    """All or nothing: the file appears under its name when it is whole and on disk."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except OSError as error:
        raise BladeError(f"cannot write the benchmark: {error.strerror or error}", path=path) from error
    finally:
        partial.unlink(missing_ok=True)
