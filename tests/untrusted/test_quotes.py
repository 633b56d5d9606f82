"""Quotations: however little of a text is read, the line is the same as if all of it had been cleaned first."""

from random import Random

import pytest

from blade.untrusted.escapes import one_line, strip_escapes
from blade.untrusted.quotes import READ, quote
from blade.untrusted.redaction import redact

PIECES = (
    " ", "\n    ", "word", "api_key", "=", ": ", '"', "sk-abc123abc123abc123abc1", "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "https://user:pa", "ss@host/", "password", "hunter2hunter2", "\x1b[31m", "\x07", "\r\n", "é", "語", "\u200d", "\u202e",
    "eyJhbGciOiJIUzI1", ".", " Bearer ", "abcdefgh12345678", "-----BEGIN RSA PRIVATE KEY-----", "MIIEowIBAAKCAQEA" * 3,
    "-----END RSA PRIVATE KEY-----", "x" * 30, "AKIA1234567890ABCDEF", "token", "\\n", "[", "\x9b", "12,345 ",
)  # fmt: skip


def cleaned_first(text, limit):
    return one_line(redact(strip_escapes(text[: READ * limit])), limit)


@pytest.mark.parametrize("seed", range(40))
def test_a_quotation_is_what_cleaning_everything_first_gives(seed):
    rng = Random(seed)
    for _ in range(40):
        few = rng.sample(PIECES, rng.randint(1, 12))
        text = "".join(rng.choice(few) for _ in range(rng.choice((0, 1, 5, 60, 400, 1_500))))
        limit = rng.choice((20, 120, 300, 500))
        assert quote(text, limit) == cleaned_first(text, limit)


@pytest.mark.parametrize("around", range(200, 420, 7))
def test_a_secret_at_the_cut_is_not_cut_in_two(around):
    text = "a" * around + " token=ghp_abcdefghijklmnopqrstuvwxyz0123456789 " + "and so on " * 300
    shown = quote(text, 300)
    assert "ghp_" not in shown
    assert shown == cleaned_first(text, 300)
