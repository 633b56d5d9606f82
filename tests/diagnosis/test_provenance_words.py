"""Provenance for people: names and counts, no Python and no long hashes."""

import pytest

from blade.diagnosis.provenance_words import in_words

SHA = "3f2a91c0de" + "0123456789abcdef" * 3 + "012345"
FILES = [{"path": "/data/sets/joints.jsonl", "sha256": SHA}, {"path": "frames.jsonl", "sha256": SHA[::-1]}]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (
            {"fingerprint": SHA[:16], "tasks": 1200, "files": FILES},
            "fingerprint 3f2a91c0de…, 1,200 tasks, joints.jsonl (3f2a91c0de…), frames.jsonl (543210fedc…)",
        ),
        ({"fingerprint": f"{SHA[:16]}#first-5", "tasks": 1}, "fingerprint 3f2a91c0de…#first-5, 1 task"),
        ({"fingerprint": "gsm8k-test@v2", "tasks": None}, "fingerprint gsm8k-test@v2"),
        ({"temperature": 0.0, "top_p": 1.0}, "temperature 0.0, top_p 1.0"),
        (f"system:{SHA}", "system:3f2a91c0de…"),
        (["a", "b", "c", "d", "e", "f"], "a, b, c, d and 2 more"),
        ("my-model-2026-10", "my-model-2026-10"),
        ({"path": "skills/math", "hash": SHA}, "math (3f2a91c0de…)"),
        ({"version": {"commit": SHA}}, "version commit 3f2a91c0de…"),
        (4, "4"),
    ],
)
def test_values(value, words):
    assert in_words(value) == words
