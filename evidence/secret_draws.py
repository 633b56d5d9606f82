"""How a kind of credential is drawn: the secret, the line that carries it, and the builds that kinds share."""

import random
import string
from collections.abc import Callable
from typing import Final, NamedTuple

BASE62: Final = string.ascii_letters + string.digits
HEX: Final = "0123456789abcdef"


class Planted(NamedTuple):
    secret: str
    line: str


Kind = Callable[[random.Random], Planted]


def drawn(chance: random.Random, alphabet: str, size: int) -> str:
    return "".join(chance.choices(alphabet, k=size))


def token(form: str, alphabet: str, size: int, line: str = "the token {} was printed by mistake") -> Kind:
    def draw(chance: random.Random) -> Planted:
        secret = form.format(drawn(chance, alphabet, size))
        return Planted(secret, line.format(secret))

    return draw


def uuid(chance: random.Random) -> str:
    return "-".join(drawn(chance, HEX, size) for size in (8, 4, 4, 4, 12))
