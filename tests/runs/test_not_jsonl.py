import gzip

import pytest

from blade.runs.not_jsonl import HEAD, looks_like


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (b"", ""),
        (b'\n {"reward": 1}', ""),
        (b"\xef\xbb\xbf{torn", ""),
        (b"[\n  1", "one JSON document over several lines"),
        (b"\x89PNG\r\n\x1a\n\0\0", "binary data"),
        (gzip.compress(bytes(range(256)) * 10), "binary data"),
        (b"task,reward\n1,0\n2,1\n", "comma-separated (CSV) text"),
        (b"task;reward\n1;0,5\n2;1\n", "semicolon-separated (CSV) text"),
        (b"task\treward\n1\t0\n", "tab-separated text"),
        (b"task,reward\n" + b"1,0\n" * HEAD, "comma-separated (CSV) text"),
        ("Grüße, 日本\nund mehr\n".encode(), "text"),
        (("日" * HEAD).encode(), "text"),  # cut within a character
        (
            b'{\n  "version": 2,\n  "status": "success",\n  "eval": {}\n}',
            "one JSON document over several lines (an Inspect log, by its keys)",
        ),
        (b'[\n  {"reward": 1},\n', "one JSON document over several lines"),
        (b'{"reward": 1,\n', ""),
    ],
)
def test_what_is_no_jsonl_is_named_by_its_beginning(head: bytes, said: str) -> None:
    assert looks_like(head[:HEAD]) == said
