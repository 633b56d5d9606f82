"""A number is cited by the place of its claim in the document."""

from blade.reports.citations import cite, cited, citer
from tests.reports.support import document


def test_only_claims_that_exist_are_cited() -> None:
    made = document()
    assert cite(made, "pass_at_1") == " [c1]"
    assert cite(made, "failed", "pass_at_1", "failed") == " [c3] [c1]"
    assert cite(made, "no such claim") == ""
    assert cite({}, "pass_at_1") == ""


def test_a_citer_is_the_same_for_many() -> None:
    told = citer(document())
    assert told("bucket.always", "nothing", "bucket.never") == " [c4] [c6]"


def test_an_escaped_bracket_cites_nothing() -> None:
    assert cited("a [c3] b [c1] \\[c2\\] [c0] [cx] [c3]") == [1, 3]
