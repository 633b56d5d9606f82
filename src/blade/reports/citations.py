"""Citations: a sentence with a number names the claim that re-computes it.

`[c12]` is the twelfth of the document's `claims`; the reproducibility notes list every cited one with its id. A citation is printed
only for a claim that the document holds. Brackets in a rollout's words are always escaped in our reports, so a transcript cannot
cite.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

Document = Mapping[str, Any]
Cite = Callable[..., str]
_CITATION: Final = re.compile(r"(?<!\\)\[c([1-9][0-9]*)\]")


def citer(document: Document, first: int = 1) -> Cite:
    """A function from claim ids to their citations, with a space before each; nothing for an id without a claim.

    `first` is the number of the first claim, where the claims of several documents are numbered through.
    """
    numbers = {claim["id"]: position for position, claim in enumerate(document.get("claims") or (), first)}

    def cite(*ids: str) -> str:
        return "".join(f" [c{numbers[claim]}]" for claim in dict.fromkeys(ids) if claim in numbers)

    return cite


def cite(document: Document, *ids: str) -> str:
    return citer(document)(*ids)


def cited(text: str) -> list[int]:
    """The numbers of the claims that a report cites, in the order of the claims."""
    return sorted({int(found) for found in _CITATION.findall(text)})
