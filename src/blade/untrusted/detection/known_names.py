"""Names that somebody said are private, and users' names that the material itself gave away: found in any spelling."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from blade.untrusted.detection.finding import Sensitive
from blade.untrusted.detection.folding import readable

SHORTEST_LEARNED: Final = 4
MOST_LEARNED: Final = 2_000


@dataclass(frozen=True)
class KnownNames:
    """`private` names were configured, `users` were learnt from home directories."""

    private: tuple[str, ...] = ()
    users: tuple[str, ...] = ()

    def find(self, text: str) -> Iterator[Sensitive]:
        if self._pattern is not None:
            for found in self._pattern.finditer(text):
                yield Sensitive("name" if found.lastgroup == "name" else "user", *found.span())

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        groups = [f"(?P<{kind}>{_any_of(names)})" for kind, names in (("name", self.private), ("user", self.users)) if names]
        return re.compile(rf"(?i)(?<![^\W_])(?:{'|'.join(groups)})(?![^\W_])") if groups else None


def _any_of(names: Iterable[str]) -> str:
    """Longest first. Words of a name may be joined by anything that joins words: `Acme Labs` is `acme-labs` and `AcmeLabs`."""
    ordered = sorted({plain_name(name) for name in names}, key=lambda name: (-len(name), name))
    return "|".join(r"[\s_.-]{0,3}".join(map(re.escape, name.split())) for name in ordered if name)


def plain_name(name: str) -> str:
    """The words of a name, for comparing and for pseudonyms."""
    view = readable(name)
    return " ".join(re.split(r"[\s_.-]+", (view.text if view else name).strip())).casefold()
