"""Sentences are told from heaps of words by the order of their articles and prepositions."""

from pathlib import Path
from random import Random

import pytest

from blade.packages.scoring.prose import order, readability

DOCS = Path(__file__).resolve().parents[3] / "docs"
TEXTS = [DOCS / name for name in ("diagnosis.md", "runs.md", "comparison.md", "architecture.md")]


def paragraphs(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line[:1].isalpha()]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_prose_reads_and_its_words_in_any_other_order_do_not(path: Path) -> None:
    told = paragraphs(path)
    assert readability(told).share > 0.95
    rng = Random(1)
    shuffled = []
    for line in told:
        words = line.split()
        rng.shuffle(words)
        shuffled.append(" ".join(words))
    assert readability(shuffled).share < 0.2
    assert readability(" ".join(sorted(set(line.split()))) for line in told).share < 0.2


def test_a_list_of_terms_is_no_language() -> None:
    terms = "agent rollout verifier mismatch timeout compile error behaviour knowledge pattern trajectory failing"
    assert not order(terms).reads
    assert readability([terms]).share == 0.0


def test_short_lines_are_not_judged() -> None:
    assert order("12:0 step 4, 12:2 step 4 and 12:3 step 4: “member_id=M-0664”").reads
    assert readability([]).share == 0.0
