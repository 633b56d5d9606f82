"""A user and a password side by side."""

import pytest

from tests.untrusted.detection.marking import expected, found

PAIRS = [
    "Test accounts: ann / ⟦Kestrel2017⟧",
    "Default login: admin / ⟦kestrel1⟧",
    "open it as root:⟦kestrel17⟧",
    "chpasswd:\n  list: |\n    ubuntu:⟦kestrel17⟧\n",
    "the cracked ones\nadmin:⟦kestrel17⟧:1000::/home/admin:/bin/sh",
]
OTHERS = [
    "the user ID: M05KNL and the flight",
    "your account has two orders: #W9672333 and #W8528674",
    "src/module2 of the user",
    "admin:8080 is the port",
    "the account | **Walk-Away:** no more",
]


@pytest.mark.parametrize("case", PAIRS)
def test_the_second_of_a_pair_is_the_password(case: str) -> None:
    text, secrets = expected(case)
    assert found(text) == secrets


@pytest.mark.parametrize("text", OTHERS)
def test_other_pairs_are_left_alone(text: str) -> None:
    assert found(text) == []
