"""Countries with several names in use."""

import pytest

from blade.answers import compare
from blade.answers.places import country


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Czechia", "the Czech Republic"),
        ("USA", "United States"),
        ("U.S.", "united states of america"),
        ("Côte d'Ivoire", "Ivory Coast"),
    ],
)
def test_names_of_one_country(one, other):
    assert compare(one, other).same
    assert compare(other, one).same
    assert country(one) == country(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Czechia", "Slovakia"), ("South Korea", "North Korea"), ("Ireland", "United Kingdom"), ("Congo", "DRC")]
)
def test_names_of_two(one, other):
    assert not compare(one, other).same
