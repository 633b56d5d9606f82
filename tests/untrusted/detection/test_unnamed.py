"""Drawn tokens that nothing names: secrets, unless their place says what else they are."""

import base64
import random
import string

import pytest

from blade.untrusted.detection.unnamed import is_unnamed
from tests.untrusted.detection.marking import expected, found

DRAWN = "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zA0cD"
SMALL = "q7x2m9k4z1w8r5t3y6p0n2v4b8j1h5g7"

SECRETS = [
    f"MISTRAL=⟦{DRAWN}⟧",
    f"it answered ⟦{DRAWN}⟧ and stopped",
    f"pasted: ⟦v4.local.{DRAWN}{DRAWN[::-1]}⟧",
    "HOME=/root\nVENDOR=⟦9c1f0b7e5d3a8264f0e1b2c3d4a59687⟧\nLANG=C",
    "slmgr /ipk ⟦K7QF2-9XW4M-TT83B-6LZ0P-Q2M4X⟧",
    f"npub is public, this is not: ⟦{SMALL}⟧",
]
OTHERWISE = [
    f"id: {DRAWN}",
    f'"imageId": "{DRAWN}", "size": 3',
    f"sha512-{DRAWN}{DRAWN}== in the lock file",
    f"see https://example.org/d/{DRAWN}/edit",
    f"PublicKey = {DRAWN}",
    f"call_{DRAWN} and chatcmpl-{DRAWN}",
    "GIT_COMMIT=9c1f0b7e5d3a8264f0e1b2c3d4a59687e8f7a6b5",
    "on 2024-0115-1030-0000",
    f"checksum ({DRAWN})",
    "the class HttpRequestHandlerFactoryBean2 of org.example.Web3",
    "commit 9c1f0b7e5d3a8264f0e1b2c3d4a59687e8f7a6b5",
    f"store:{DRAWN}:index",
    f"{DRAWN * 2}\n{DRAWN[::-1] * 2}\n{DRAWN * 2}\n",
    "FEN: rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
    "moves=e2e4e7e5g1f3b8c6f1b5a7a6b5a4g8f6e1g1f8e7 so far",
    f'{{"episode": "{DRAWN}", "turn": 3}}',
    "on an H100-80GB-HBM3-SXM5",
    "sent to 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 yesterday",
    f'<input class="Input__Field-sc-1f2a3b4-0 {DRAWN} wide">',
]


@pytest.mark.parametrize("case", SECRETS)
def test_what_only_a_machine_writes_is_a_secret(case: str) -> None:
    text, secrets = expected(case)
    assert found(text) == secrets


@pytest.mark.parametrize("text", OTHERWISE)
def test_a_place_can_say_what_else_it_is(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("size", [32, 40, 64])
@pytest.mark.parametrize("signs", ["", "_-", "+/"])
def test_nearly_all_that_is_drawn_is_told_from_words(size: int, signs: str) -> None:
    chance = random.Random(size)
    tokens = ["".join(chance.choices(string.ascii_letters + string.digits + signs, k=size)) for _ in range(400)]
    assert sum(map(is_unnamed, tokens)) >= 392


def test_a_text_in_base64_is_searched_in_its_own_right() -> None:
    assert not is_unnamed(base64.b64encode(b"The quick brown fox jumps over 13 lazy dogs.").decode())
