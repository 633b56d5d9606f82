"""Members of sections that a telling name heads."""

import pytest

from blade.untrusted.detection.sections import is_head, is_plain_member
from tests.untrusted.detection.marking import expected, found

DRAWN = "q7x2m9k4z1w8"

SECTIONS = [
    f"credentials:\n  maps: ⟦{DRAWN}⟧\n  region: eu-west-1\nserver:\n  build: {DRAWN}\n",
    f'[secrets]\nmaps = "⟦{DRAWN}⟧"\n[other]\nbuild = "{DRAWN}"\n',
    f'"auth": {{"primary": "⟦{DRAWN}⟧", "kind": "basic2024x"}}, "build": "{DRAWN}"',
    "kind: Secret\nmetadata:\n  name: db\ndata:\n  url: ⟦aGVsbG8gd29ybGQ=⟧\n",
]


@pytest.mark.parametrize("case", SECTIONS)
def test_the_head_makes_secrets_of_its_members(case: str) -> None:
    text, secrets = expected(case)
    assert found(text) == secrets


def test_heads_and_plain_members() -> None:
    assert is_head("credentials")
    assert is_head("db_secrets")
    assert not is_head("settings")
    assert is_plain_member("client_id")
    assert is_plain_member("region")
    assert not is_plain_member("primary")
