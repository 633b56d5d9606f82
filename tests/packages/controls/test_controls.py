"""Controls change what they say they change, and nothing else."""

import re
from pathlib import Path

import pytest

from blade.packages.controls.adversarial import CONTROLS, adversarial
from blade.packages.controls.negation import negate
from blade.packages.controls.shallow import shallow

GOLDEN = (Path(__file__).parents[1] / "reports" / "desk_by_hand.md").read_text(encoding="utf-8")
HEADINGS = [line for line in GOLDEN.split("\n") if line.startswith("## ")]


@pytest.fixture(scope="module")
def copies() -> dict[str, str]:
    return adversarial(GOLDEN, 3)


def test_the_same_seed_makes_the_same_copies(copies: dict[str, str]) -> None:
    assert copies == adversarial(GOLDEN, 3)
    assert copies["numbers"] != adversarial(GOLDEN, 4)["numbers"]
    assert list(copies) == [control.name for control in CONTROLS]
    assert all(copy != GOLDEN for copy in copies.values())


def test_the_shallow_report_has_headings_and_figures_and_no_evidence() -> None:
    made = shallow(GOLDEN)
    assert [line for line in made.split("\n") if line.startswith("## ")] == HEADINGS
    assert "| pass@1 | 60.4% |" in made
    assert not re.search(r"\b\d+:\d\b|find_member|Root cause|\bBI\b|refuse", made)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The tool is down.", "The tool is not down."),
        ("The tool is not down.", "The tool is down."),
        ("12:0 never calls `find_member`.", "12:0 calls `find_member`."),
        ("12:1 passes.", "12:1 does not pass."),
        ("12:0 and 12:2 fail.", "12:0 and 12:2 do not fail."),
        ("The agent retried once.", "The agent did not retry once."),
        ("A long night.", "It is not true that A long night."),
    ],
)
def test_a_sentence_becomes_its_opposite(before: str, after: str) -> None:
    assert negate(before) == after


def test_numbers_are_replaced_and_ids_are_kept(copies: dict[str, str]) -> None:
    assert re.findall(r"\b\d+:\d\b", copies["numbers"]) == re.findall(r"\b\d+:\d\b", GOLDEN)
    assert "60.4%" not in copies["numbers"]


def test_ids_are_invented_and_numbers_are_kept(copies: dict[str, str]) -> None:
    assert not set(re.findall(r"\b\d+:\d\b", copies["ids"])) & set(re.findall(r"\b\d+:\d\b", GOLDEN))
    assert "60.4%" in copies["ids"]


def test_hedged_keeps_every_label_and_adds_others(copies: dict[str, str]) -> None:
    causes = re.findall(r"Root cause: (.*?)\.", copies["hedged"])
    before = re.findall(r"Root cause: \*\*(\w\w)\*\*", GOLDEN)
    assert [re.findall(r"[A-Z]{2}", cause)[0] for cause in causes] == before
    assert all(len(set(re.findall(r"[A-Z]{2}", cause))) == 3 for cause in causes)


def test_reordered_has_the_same_lines_and_flipped_differs_in_one(copies: dict[str, str]) -> None:
    def said(text: str) -> list[str]:
        return sorted(line for line in text.split("\n") if line.strip())

    assert said(copies["reordered"]) == said(GOLDEN)
    assert copies["reordered"].split("\n") != GOLDEN.split("\n")
    pairs = list(zip(GOLDEN.rstrip().split("\n"), copies["flipped"].rstrip().split("\n"), strict=True))
    assert sum(one != other for one, other in pairs) == 1


def test_shuffled_and_vocabulary_keep_the_words(copies: dict[str, str]) -> None:
    assert sorted(copies["shuffled"].split()) == sorted(GOLDEN.split())
    assert set(re.findall(r"[a-z_]{3,}", copies["vocabulary"].lower())) >= set(re.findall(r"[a-z_]{3,}", GOLDEN.lower()))


def test_a_report_without_anything_to_change_is_not_broken() -> None:
    assert set(adversarial("", 0)) == {control.name for control in CONTROLS}
    assert shallow("") == "\n"
