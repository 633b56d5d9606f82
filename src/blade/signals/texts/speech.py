"""What a message of the assistant says: that something is done, that it gives up, that it refuses, that it asks back.

These read the usual English forms and nothing else; each form needs its verb and its person, because the same words describe the
world ("your order has been delivered"), conditions ("once I have booked it") and negations.
"""

import re
from functools import lru_cache
from typing import Final

_DONE_VERBS: Final = (
    r"(?:booked|cancel+ed|updated|changed|modified|sent|created|deleted|removed|added|scheduled|rescheduled|reserved|ordered|processed|refunded|issued|returned"
    r"|exchanged|submitted|upgraded|downgraded|extended|renewed|moved|assigned|reassigned|entered|arranged|carried out|taken care of|registered|saved|applied"
    r"|placed|set up|enabled|disabled|activated|reset|paid|transferred \$?\d|posted|uploaded|renamed|replied|forwarded|checked out|filed|completed)"
)
_CLAIM: Final = re.compile(
    rf"(?P<first>\b(?:I|we)(?:'ve|’ve| have)(?: now| just| also| successfully| already| gone ahead and)* {_DONE_VERBS}\b(?!\s+(?:nothing|nobody|none|no(?!\.))\b))"
    rf"|(?P<passive>\b(?:has|have) been (?:now |just )?(?:successfully|now) {_DONE_VERBS}\b|\bhas now been {_DONE_VERBS}\b|\brequest has been (?:carried out|processed|completed)\b"
    rf"|\b(?:was|were) successfully {_DONE_VERBS}\b|\bsuccessfully {_DONE_VERBS}\b|\b(?:is|are) (?:now )?(?:arranged now|booked now|all set)\b)"
    r"|(?P<bare>^\W{0,4}(?:All set|Done|All done)\b[.!: ])",
    re.IGNORECASE | re.MULTILINE,
)
_NOT_A_CLAIM: Final = re.compile(
    r"\b(?:once|after|when|if|before|until|unless|not|never|cannot|can't|unable|will|would|should|could|to be|need|needs|must|please|had)\b[^.!?\n]{0,60}$",
    re.IGNORECASE,
)
_QUESTION: Final = re.compile(r"^[^.!\n]{0,160}\?")

_ADMITS: Final = re.compile(
    r"\b(?:cannot|can't|can’t|could not|couldn't|couldn’t|unable|not able|unfortunately|however|failed|error|issue|problem|apologi[sz]e|sorry|not (?:possible|enough|eligible|allowed|"
    r"available|found)|did(?: not|n't|n’t)|does(?: not|n't|n’t)|was(?: not|n't|n’t))\b",
    re.IGNORECASE,
)
_GIVES_UP: Final = re.compile(
    r"\b(?:I (?:was|am|'m|’m) (?:not able|unable)|(?:I|we) (?:wasn't|wasn’t|weren't|weren’t|haven't been|haven’t been) able) to (?:complete|finish|process|proceed|carry|fulfil+|access|retrieve|find|reach|get|do|make|book|cancel|update)\b"
    r"|\bI(?:'m| am) (?:still )?(?:unable|having trouble)\b|\bI (?:could not|couldn't|couldn’t|cannot|can't) (?:complete|finish|get an answer|proceed|carry (?:it|this) out|access|reach|retrieve|process)\b"
    r"|\bI(?: do not| don't| don’t| cannot| can't| can’t) see (?:a|any|no) way\b|\bI (?:have|had) not (?:finished|completed|done) (?:it|this|that|the|your)\b"
    r"|\bmore (?:involved|complex|complicated|difficult) than I can (?:handle|manage|do)\b|\bbeyond what I can do\b|\bleav(?:e|ing) (?:it|this|that) (?:here|there|unfinished|undone|at that)\b"
    r"|\bI (?:am not|'m not|’m not) able to (?:complete|finish|process|proceed|carry|fulfil+|do|solve|answer)\b|\bI (?:could not|couldn't|couldn’t) (?:solve|figure|work) (?:it|this|that)\b"
    r"|\bhave to stop here\b|\bI give up\b|\bcould not be (?:completed|processed|reached)\b|\bcannot be reached\b|\bkeeps? failing\b",
    re.IGNORECASE,
)
_REFUSES: Final = re.compile(
    r"\b(?:I(?:'m| am|’m) (?:sorry|afraid)[,.]? (?:but )?)?I(?: can(?:no|')t| can’t| cannot| won't| will not|(?: am|'m|’m) (?:unable|not able|not going|not allowed|not permitted) to| must decline to| have to decline to| decline to) "
    r"(?:help|assist|comply|fulfil+|engage|participate|support|provide (?:that|this|assistance)|do (?:that|this|so)|answer (?:that|this)|continue with)(?: you)?(?: with| in)? ?"
    r"(?:that|this|it|your request|the request|creating|such)?\b|\bas an AI(?: language)? model,? I (?:can(?:no|')t|cannot|do not|am not)\b",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    r"\b(?:could|can|would) you (?:please |kindly )?(?:provide|clarify|confirm|specify|share|tell me|give me|let me know|upload|paste|send)\b"
    r"|\bplease (?:provide|confirm|clarify|specify|share|upload|paste)\b[^.!?\n]{0,160}(?:[?.!]|$)|\bdo you want me to\b|\bshould I (?:proceed|go ahead|continue|book|cancel|send)\b"
    r"|\bwould you like (?:me )?to (?:proceed|go ahead|continue|confirm)\b|\bwhich (?:one|of (?:these|them|the following))\b[^.!\n]{0,100}\?",
    re.IGNORECASE,
)
_COURTESY: Final = re.compile(
    r"\b(?:anything|something) else\b|\bfeel free\b|\blet me know if\b|\bif you (?:have|need|would like|want)\b", re.IGNORECASE
)
_COURTEOUS: Final = re.compile(
    r"\W*(?:(?:great|good|wonderful|perfect|excellent|sure|certainly|of course|alright|all right|ok(?:ay)?|no (?:problem|worries)|not at all|anytime|likewise|got it|fine|yes|no)\W*$|you too\b"
    r"|(?:you['’]re|you are) (?:very |most |always )?welcome\b(?! to\b)|(?:it['’]s |it was )?my pleasure\b|(?:many )?thank(?:s| you)\b|(?:I |really |very much )*appreciate\b"
    r"|(?:(?:I['’]m|I am|we['’]re|we are) (?:so |very |really |always )?)?(?:glad|happy|pleased) (?:I|to (?:help|assist|hear)|we|that)\b|(?:I['’]m|I am|I['’]ll be|we['’]re) (?:always |right )?here (?:to (?:help|assist)|for you|if|when(?:ever)?)\b"
    r"|(?:I(?:['’]m| am)? look(?:ing)?|looking) forward\b|(?:have|enjoy|wishing you|I wish you|I hope you (?:have|enjoy)) (?:an?|the|your)\b|safe (?:travels|journey|flight)\b|take (?:good )?care\b(?! of)|take your time\b"
    r"|(?:good ?)?bye\b|(?:talk|speak) (?:to you )?(?:soon|later)\b|see you\b|(?:please )?(?:feel free to|don['’]t hesitate to|do not hesitate to) (?:reach|ask|contact|come|return|let|get|message|write|call)\b"
    r"|(?:please )?(?:just )?(?:let me know|reach out)(?: again)?(?: if| should| any ?time| whenever| when|\W*$)|whenever you(?:['’]re| are) ready\b"
    r"|(?:and )?(?:if|should) (?:you|there|anything)\b[^.!?]*\b(?:let me know|feel free|hesitate|reach out|ask|here to|contact|assist|help)\b|(?:is there |was there )?(?:anything|something) else\b|that(?:['’]s| is| was| will be|['’]ll be) (?:all|everything)\b)",
    re.IGNORECASE,
)
"""How a sentence begins that thanks, takes leave or offers further help."""
_SAYS_MORE: Final = re.compile(
    r"[\d:;]|\b(?:but|however|unfortunately|which|whether|because|inform\w*|tell|confirm\w*|proceed\w*|provide|give|have been|has been|was|were|can(?:no|['’])t|unable|not able"
    r"|(?:I|we)(?: have|['’]ve| will| would| can| could|['’]d) (?!(?:be|help|assist|do for)\b)\w+)",
    re.IGNORECASE,
)
"""What such a sentence does not have, unless something is said behind the courtesy."""
_THANKS: Final = re.compile(
    r"\b(?:thank(?:s| you)|appreciate|(?:good ?)?bye|(?:talk|see you) (?:soon|later)|you too|take care|that(?:['’]s| is| was| will be|['’]ll be) (?:all|everything)|have an? \w+ (?:day|evening|one))\b",
    re.IGNORECASE,
)
_REQUESTS: Final = re.compile(
    r"[?\d]|\b(?:please|can you|could you|would you|will you|(?<!if )I (?:also |still |just )?(?:want|need|would like)|I['’]d like|also|instead|actually|wait|one more|before (?:you|that|we))\b",
    re.IGNORECASE,
)
"""What a turn has that asks for something."""
_MARKED: Final = re.compile(r"(?:#{2,}|<<?|\[\[?|\*\*)\s?[A-Z_ -]+\s?(?:#{2,}|>>?|\]\]?|\*\*)")
"""A word in marks with which a simulated user ends: ###STOP###."""
_PASSED: Final = re.compile(rf"\b(?:has|have) (?:also |now )?been (?:also |now )?{_DONE_VERBS}\b", re.IGNORECASE)
"""What stands beside a claim in the same message is meant as one: `... and two bags have been added`."""
_AHEAD: Final = re.compile(
    r"\b(?:once|until|unless|if|let['’]s|now that|since|not|never|cannot|can['’]t|unable)\b", re.IGNORECASE
)
MAX_COURTESY: Final = 600
MAX_BEFORE: Final = 80
"""Characters of its sentence that are told before what is claimed."""
_LETTER: Final = re.compile(r"[^\W\d_]")
_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_CLAIM_WORDS: Final = ("'ve", "’ve", "i have", "we have", "been ", "uccessfully ", "ed now", "all set", "done")
"""One of these stands in every claim, and looking for them is quick."""
_ASKS_MARKS: Final = ("you ", "please ", "should i ", "which ")
"""One of these stands in everything that asks back."""
_GIVES_UP_MARKS: Final = (
    "able", "trouble", "could", "cannot", "can't", "can’t", " way", "have not", "had not", "than i can", "beyond what", "leav", "stop here",
    "give up", "failing",
)  # fmt: skip
"""One of these stands in everything that gives up."""
_REFUSES_MARKS: Final = (
    "cannot", "can't", "can’t", "won't", "will not", "able to", "not going", "not allowed", "not permitted", "decline", "as an ai",
)  # fmt: skip
"""One of these stands in every refusal."""
MAX_REFUSAL: Final = 1_200
MAX_READ: Final = 6_000
"""Characters read of a message, at its beginning and at its end."""


def _ends(text: str) -> str:
    return text if len(text) <= MAX_READ else f"{text[: MAX_READ // 2]}\n{text[-MAX_READ // 2 :]}"


@lru_cache(maxsize=8)
def caseless(text: str) -> str:
    """A text as expressions that take no notice of case read it: to them an i with and without its dot are one letter."""
    return text.casefold().replace("ı", "i").replace("\u0307", "")


def claims_success(text: str) -> str | None:
    """The sentence in which something is reported as done by the speaker; None where there is none."""
    read = _ends(text)
    if not any(map(caseless(read).__contains__, _CLAIM_WORDS)):
        return None
    for found in _CLAIM.finditer(read):
        before = read[max(0, found.start() - 80) : found.start()]
        after = read[found.end() : found.end() + 160]
        if _NOT_A_CLAIM.search(before) or _QUESTION.match(after):
            continue
        rest: str = _SENTENCES.split(after)[0]
        return (_beginning(read[: found.start()]) + found[0] + rest).strip()
    return None


def reported(text: str) -> list[str]:
    """The sentences of a message that say of anything that it was done; in a message that claims nothing for its speaker, none."""
    plain = _ends(text).replace("**", "")
    if claims_success(plain) is None:
        return []
    sentences = [sentence.strip(" \t-*•") for sentence in _SENTENCES.split(plain)]
    return [
        one
        for one in sentences
        if (_CLAIM.search(one) or _PASSED.search(one)) and not _AHEAD.search(one) and not one.endswith("?")
    ]


def _beginning(before: str) -> str:
    """What stands of a sentence before a place in it, or the last words of that."""
    begun: str = _SENTENCES.split(before[-2 * MAX_BEFORE :])[-1]
    return begun if len(begun) <= MAX_BEFORE else "…" + begun[-MAX_BEFORE:].partition(" ")[2]


def admits_failure(text: str) -> bool:
    """Whether a message speaks of something that did not work, whatever else it says."""
    return _ADMITS.search(_ends(text)) is not None


@lru_cache(maxsize=4)
def gives_up(text: str) -> str | None:
    """The sentence in which a message gives up; more than one detector asks for that of the last message."""
    read = _ends(text)
    folded = caseless(read)
    found = _GIVES_UP.search(read) if any(map(folded.__contains__, _GIVES_UP_MARKS)) else None
    return _sentence(read, found) if found else None


@lru_cache(maxsize=4)
def refuses(text: str) -> str | None:
    """A refusal of the request as such, at the beginning of a short message; a rule explained to a customer is none."""
    if len(text) > MAX_REFUSAL:
        return None
    folded = caseless(text[:200])
    found = _REFUSES.search(text[:200]) if any(map(folded.__contains__, _REFUSES_MARKS)) else None
    return _sentence(text, found) if found else None


_SELF: Final = re.compile(
    r"\bas an? (?:AI|artificial intelligence)(?: language)?(?: model| assistant)?\b|\b(?:I['’]m|I am) (?:just |only )?an? (?:AI|language) (?:language )?(?:model|assistant)\b",
    re.IGNORECASE,
)


def says_it_is_ai(text: str) -> bool:
    """Whether a text has what a model says of itself when it refuses."""
    return _SELF.search(text) is not None


def asks_back(text: str) -> str | None:
    """The question or request that a message ends with, if the work cannot go on without an answer."""
    ending = text[-800:].strip()
    folded = caseless(ending)
    if not any(map(folded.__contains__, _ASKS_MARKS)):
        return None
    sentences = [sentence.strip() for sentence in _SENTENCES.split(ending) if sentence.strip()]
    for sentence in reversed(sentences[-3:]):
        if not _COURTESY.search(sentence) and _ASKS.search(sentence):
            return str(sentence)
    return None


def only_courtesy(text: str) -> bool:
    """Whether a message does no more than thank, take leave or offer further help: the work was over before it."""
    if len(text) > MAX_COURTESY:
        return False
    sentences = [sentence for sentence in _SENTENCES.split(text.strip()) if _LETTER.search(sentence)]
    courteous = bool(sentences) and all(_COURTEOUS.match(one) and not _SAYS_MORE.search(one) for one in sentences)
    return courteous and asks_back(text) is None and claims_success(text) is None


def takes_leave(text: str) -> bool:
    """Whether the turn of a user thanks or says goodbye, and asks for nothing: `I will look for it. Thank you!`"""
    said = _MARKED.sub("", text).strip()
    if len(said) > MAX_COURTESY or _REQUESTS.search(said):
        return False
    return not said or _THANKS.search(said) is not None


def _sentence(text: str, found: re.Match[str]) -> str:
    start = max(text.rfind(". ", 0, found.start()), text.rfind("\n", 0, found.start())) + 1
    end = min((place for place in (text.find(". ", found.end()), text.find("\n", found.end())) if place >= 0), default=len(text))
    return text[start : end + 1].strip()
