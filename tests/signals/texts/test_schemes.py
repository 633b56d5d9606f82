"""Names of records that follow one scheme."""

import pytest

from blade.signals.texts.schemes import of_one_scheme


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("SKH-26-02695", "SKH-26-02928", True),
        ("usr_2s33xcym", "usr_tknfph4t", True),
        ("usr_2s33xcym", "usr_kqmzxp39", True),  # one that shows how they are made is enough
        ("0b7c9a1e-4f2d-4c11-9a3e-77d0c5aa01f2", "9f3a1c7e-02b4-4d5e-8c6f-1b2a3c4d5e6f", True),
        ("01HZX3K9T2V7QWERTY8M4N5P6R", "01HZX3K9T2B1ZXCVBN2K7J8L9M", True),
        ("usr_2s33xcym", "org_tknfph4t", False),  # of another kind
        ("usr_2s33xcym", "usr_2s33xcymaa", False),
        ("version-alpha1", "version-gamma2", True),  # letters and figures in the same places
        ("release-beta3", "release-gam34", False),
        ("layer12", "network", False),
        ("2026-03-04", "2026-11-12", False),
        ("quarterly", "quartered", False),
    ],
)
def test_two_names_of_one_scheme(one, other, same):
    assert of_one_scheme(one, other) is of_one_scheme(other, one) is same
