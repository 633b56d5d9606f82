"""Objects whose type says that they hold a secret."""

import pytest

from tests.untrusted.detection.marking import expected, found

CASES = [
    '{"type": "random_password", "name": "db", "attributes": {"id": "none", "length": 14, "result": "⟦gT4(xw9=Q!zL2m⟧"}}',
    '{"type": "vault_generic_secret", "value": "⟦hunter2-Blue-42⟧"}',
    '{"type": "random_string", "result": "gT4xwbuild"}',
    '{"type": "password_policy", "notes": {"value": "minimum_length"}}',
]


@pytest.mark.parametrize("case", CASES)
def test_the_type_makes_a_secret_of_what_it_holds(case: str) -> None:
    text, secrets = expected(case)
    assert found(text) == secrets
