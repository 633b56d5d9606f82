"""The figures of planted pairs: what is counted, what falls short, and what the page says of it."""

from blade.lab.pairs.exam import Marked
from blade.lab.pairs.marking import Mark
from evidence.fingerprint import ROOT
from evidence.planted_pairs import failures, page, sources, tallied


def marked(kind: str, right: int, wrong: int) -> list[Marked]:
    marks = [Mark((), "regressed", True)] * right + [Mark(("the largest term is change",), "regressed", False)] * wrong
    return [Marked(kind, ("records", "code")[number % 2], number, mark) for number, mark in enumerate(marks)]


def test_shares_are_counted_with_their_intervals_and_hard_cases_have_no_bound() -> None:
    kinds = tallied([*marked("outage", 95, 5), *marked("verifier", 94, 6), *marked("odd_outage", 0, 10)])
    assert list(kinds) == ["verifier", "outage", "odd_outage"]
    outage = kinds["outage"]
    assert (outage["right"], outage["pairs"], outage["share"], outage["holds_size"]) == (95, 100, 0.95, 0.95)
    assert [round(end, 4) for end in outage["ci"]] == [0.8882, 0.9785]  # statsmodels proportion_confint(95, 100, method="wilson")
    assert outage["by_environment"] == {"code": [47, 50], "records": [48, 50]}
    assert len(outage["wrong"]) == 5
    assert list(failures(kinds)) == ["verifier: 94 of 100 right"]


def test_the_page_names_every_kind_and_what_went_wrong() -> None:
    kinds = tallied([*marked("outage", 100, 0), *marked("verifier", 9, 1)])
    text = "\n".join(page({"kinds": kinds, "worlds": 100, "environments": 8, "seed": 7}))
    assert "| outage | The same plan in bad weather. | 100 | 1.000 (0.96–1.00) | 1.00 | regressed 100 | met |" in text
    assert "**missed**" in text
    assert "- verifier: 1 (code 1); for example code, seed 9: the largest term is change" in text


def test_the_figures_know_their_sources() -> None:
    named = list(sources())
    assert "src/blade/lab/pairs/planted.py" in named
    assert all((ROOT / source).is_file() for source in named)
