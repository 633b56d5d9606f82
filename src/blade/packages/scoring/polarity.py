"""What a sentence denies. A predicate is negated by an odd number of negators in front of it in its clause, or around the sentence.

Words that deny are a closed class, with the verbs that imply it (`skip`, `fail to`, `omit`). A denial of a whole sentence (`it is not
true that`, `contrary to what is said`) reaches all of it. Names of buckets (`never-pass`) deny nothing.
"""

import re
from bisect import bisect_right
from functools import lru_cache

_BUCKET = r"never[- ]pass\w*|not[- ]a[- ]number|no[- ]op"
_NEGATOR = re.compile(
    rf"(?P<bucket>\b(?:{_BUCKET})\b)|\b(?:not|never|no|none|nobody|nothing|neither|nor|without|cannot|hardly|rarely|seldom|barely|"
    r"scarcely|absent|unable|fail(?:s|ed|ing)? to|skip(?:s|ped|ping)?|omit(?:s|ted|ting)?|lack(?:s|ed|ing)?|forg[eo]t\w*|neglect\w*|"
    r"refus(?:es|ed|ing)|avoid(?:s|ed|ing)?|instead of|rather than)\b|n['’]t\b",
    re.I,
)
_WHOLE = re.compile(
    r"\b(?:(?:is|was|are|were)(?:n['’]t| not| never| hardly)|far from being|cannot be)\s+(?:actually |really )?"
    r"(?:true|the case|correct|right|so|accurate|a fact)\b"
    r"|\b(?:false|untrue|incorrect|wrong|a myth|a lie|a mistake|mistaken|inaccurate|doubtful|fiction)\s+(?:that|to (?:say|claim|think|believe))\b"
    r"|\b(?:contrary to|no truth|nobody (?:should|can) (?:say|claim)|den(?:y|ies|ied)|refutes?|disproves?|disproved|rejects? the (?:claim|idea))\b"
    r"|\b(?:wrongly|falsely|mistakenly|erroneously|incorrectly)\b(?=[^.]{0,40}\bthat\b)|\b(?:the )?(?:opposite|reverse|contrary) (?:of (?:this|that|it) )?(?:holds|is (?:true|the case|so|right))"
    r"|\b(?:is|are|was|were) (?:simply |plainly |all )?(?:false|untrue|incorrect|made up|a myth|a lie|fiction)\b",
    re.I,
)
_CLAUSE = re.compile(r"[;()]|[,:]\s|\s(?:but|while|whereas|although|though|because|since|where|and)\s", re.I)
_FRAME = re.compile(r"\W*(?:[A-Za-z'’]+[\s,]+){1,8}?that\s+|\W*contrary to [^,.]{1,60},\s+", re.I)
_SAID = r"(?:report|findings?|statements?|conclusions?|everything|nothing|none|claims|sections?)"
_ELSEWHERE = r"(?:above|below|before|in this report|of this report|so far|foregoing|preceding|following)"
_FALSE = r"(?:false|untrue|made up|invented|fabricated|fiction(?:al)?|retracted|withdrawn|(?:not|n['’]t|never) (?:true|correct|accurate|so|right|real))"
_DISAVOWAL = re.compile(
    rf"\b{_SAID}\b(?:\s+\w+){{0,3}}?\s+{_ELSEWHERE}\s+(?:\w+\s+)?(?:is|are|was|were|has been|have been)\s+(?:\w+\s+)?{_FALSE}\b"
    rf"|\b(?:above|foregoing|preceding|following)\s+{_SAID}\s+(?:is|are|was|were)\s+(?:\w+\s+)?{_FALSE}\b"
    rf"|\bthis report\s+(?:is|was)\s+(?:\w+\s+)?{_FALSE}\b"
    rf"|\b(?:none|nothing)\b(?:\s+\w+){{0,4}}?\s+{_ELSEWHERE}\s+(?:is|are|was|were)\s+(?:true|correct|accurate|right|real|so)\b",
    re.I,
)
_RETRACTION = re.compile(
    rf"\W*(?:this|that|it|these|those|all (?:of )?this|none of (?:this|that|it|these|those))\s+"
    rf"(?:(?:is|are|was|were)\s*(?:\w+\s+)?{_FALSE}|(?:did|does|do) not (?:happen|hold)|(?:is|was) (?:true|so))\W*$",
    re.I,
)
_REPORTING = re.compile(
    r"[“\"«]|\b(?:say|said|claim|answer|report|state|tell|told|write|wrote|announce|assert|assume|believe|think)\w*\b", re.I
)


@lru_cache(maxsize=256)
def _marks(text: str) -> tuple[list[int], list[int]]:
    """Where the marks between clauses begin and end."""
    found = [match.span() for match in _CLAUSE.finditer(text)]
    return [start for start, _ in found], [end for _, end in found]


def clause(text: str, at: int) -> tuple[int, int]:
    """The clause that a place stands in."""
    starts, ends = _marks(text)
    before, behind = bisect_right(ends, at), bisect_right(starts, at)
    return (ends[before - 1] if before else 0), (starts[behind] if behind < len(starts) else len(text))


def negators(text: str, start: int = 0, end: int | None = None) -> list[str]:
    """The words that deny, in a stretch of a text."""
    found = _NEGATOR.finditer(text, start, len(text) if end is None else end)
    return [match[0].lower() for match in found if match["bucket"] is None]


@lru_cache(maxsize=256)
def denied_whole(text: str) -> bool:
    """Whether a sentence as a whole says that something is not so."""
    return len(_WHOLE.findall(text)) % 2 == 1


def negated(text: str, at: int) -> bool:
    """Whether the predicate at a place is denied: by its own clause in front of it, or by the sentence."""
    start, _ = clause(text, at)
    return (len(negators(_bare(text), start, at)) % 2 == 1) != denied_whole(text)


@lru_cache(maxsize=256)
def _bare(text: str) -> str:
    """A sentence without the words that deny all of it, every other letter in its place."""
    return _WHOLE.sub(lambda found: " " * len(found[0]), text)


def framed(text: str) -> tuple[bool, str]:
    """Whether a sentence is put in a frame that denies it (`it is not true that …`), and what stands in the frame."""
    found = _FRAME.match(text)
    if found is None or not (denied_whole(found[0]) or len(negators(found[0])) % 2 == 1):
        return False, text
    return True, text[found.end() :]


def disavows(text: str) -> bool:
    """Whether a sentence takes back what the report says elsewhere: `none of the findings above is true`."""
    return bool(_DISAVOWAL.search(text))


def retracts(text: str, before: str) -> bool:
    """Whether a sentence takes back the one before it: `This is not true.` Of words that someone else is said to have said, it is theirs."""
    taken_back = _RETRACTION.match(text.strip())
    if taken_back is None or _REPORTING.search(before):
        return False
    return bool(re.search(_FALSE, text, re.I) or re.search(r"\bnot (?:happen|hold)\b|^\W*none\b", text.strip(), re.I))
