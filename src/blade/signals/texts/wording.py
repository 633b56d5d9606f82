"""Free text that says the same in other words: a remark, a note, a reason, which two people write differently.

What such a text says is its figures and its content words; articles, auxiliaries and endings are its writer's. Meant for arguments of which
the schema, the tool or the name says that they are free text, and that nobody dictated word by word.
"""

import re
from typing import Final

from blade.signals.calls.mutation import words_of
from blade.signals.calls.tools import Tool

_FREE: Final = re.compile(
    r"\bfree[- ]?(?:form )?text\b|\bin (?:your|its|their) own words\b|\bshort (?:text|note|summary)\b|\bin prose\b", re.IGNORECASE
)
_NAMES: Final = frozenset([
    "text", "note", "notes", "remark", "remarks", "comment", "comments", "message", "body", "reason", "description", "summary", "memo",
    "details", "explanation", "justification", "feedback", "instructions", "observation", "observations",
])  # fmt: skip
_WORD: Final = re.compile(r"[^\W\d_]{2,}|\d+(?:[.,]\d+)*")
_EMPTY: Final = frozenset([
    "the", "an", "is", "are", "be", "was", "were", "has", "have", "had", "will", "to", "of", "for", "in", "on", "at", "by", "with", "and",
    "or", "that", "this", "it", "its", "their", "his", "her", "as", "from", "must", "should", "needs", "need", "please", "been", "being",
    "do", "does", "can", "may", "would", "into", "there", "not", "no",
])  # fmt: skip
_NEGATIONS: Final = frozenset(["not", "no", "never", "without", "cannot", "can't", "don't"])
STEM: Final = 4
"""Letters by which two forms of one word are told to be one."""
SHARED: Final = 0.5
"""Share of the content words of the shorter text that the other has, from which on both say the same."""
MIN_WORDS: Final = 2


def is_free_text(tool: Tool | None, argument: str) -> bool:
    """Whether an argument takes free text, as its schema or its tool says or its name tells."""
    if tool is not None:
        properties = tool.parameters.get("properties")
        schema = properties.get(argument) if isinstance(properties, dict) else None
        if isinstance(schema, dict) and (schema.get("enum") or schema.get("format") or schema.get("pattern")):
            return False
        said = schema.get("description") if isinstance(schema, dict) else None
        if _FREE.search(said if isinstance(said, str) else "") or _FREE.search(tool.description):
            return True
    return words_of(argument)[-1:] != () and words_of(argument)[-1] in _NAMES


def says_the_same(one: str, other: str) -> bool:
    """Whether two texts have the same figures, no negation that the other lacks, and most content words in common."""
    first, second = (_WORD.findall(text.casefold()) for text in (one, other))
    if {word for word in first if word[0].isdigit()} != {word for word in second if word[0].isdigit()}:
        return False
    if bool(_NEGATIONS & set(first)) != bool(_NEGATIONS & set(second)):
        return False
    stems = [{word[:STEM] for word in words if word not in _EMPTY} for words in (first, second)]
    fewest = min(map(len, stems))
    return fewest >= MIN_WORDS and len(stems[0] & stems[1]) >= SHARED * fewest
