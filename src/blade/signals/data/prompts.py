"""DA: a request that cannot be worked on as it stands: broken off, damaged, or without what it speaks of.

What the text shows by itself is held apart from what its readers say. A request that ends in the middle of a sentence is a fact of its
text, and some benchmarks never close a sentence, so that alone is only context (`prompt_unfinished`) unless it ends where no sentence
can. An agent that says the request is cut off, empty or lacks its table may be wrong once (`prompt_questioned`); the diagnosis believes it
where several repeats say so, or where the text bears it out (`diagnosis.patterns.requests`).
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.signals.data.continuing import continues
from blade.signals.example import Example, says
from blade.signals.repeats import has_mark, once_for_repeats
from blade.signals.rollout import Rollout
from blade.signals.signal import Evidence, signal
from blade.signals.texts.speech import caseless

SHORTEST: Final = 40
"""Characters from which a request is a sentence that should be closed."""
LONGEST_COMPLAINT: Final = 600
MIN_DAMAGED: Final = 2
_CLOSED: Final = re.compile(r"[.?!:;)\]}>\"'`’”…。？！*|\\/$%#=+\-_~0-9]\s*$|[\u3000-\u9fff\uac00-\ud7af]\s*$")
_CANNOT_END: Final = re.compile(
    r"(?:\b(?:the|an|of|and|or|to|in|with|for|from|by|at|that|which|whose|than|my|your|their|its|between|into|if|because)|,|\(|\[|“|\s[-–—])\s*$"
)
ENDING: Final = 40
"""Characters at the end of a request, which has no blanks there, in which the last word or sign of it stands."""
_SIGNED: Final = re.compile(
    r"\b(?:[Tt]hanks(?: again| in advance)?|[Tt]hank you|(?:[Bb]est |[Kk]ind |[Ww]arm )?[Rr]egards|[Bb]est(?: wishes)?|[Cc]heers|[Ss]incerely|[Yy]ours(?: \w{1,12})?|[Gg]reetings)"
    r"[,!.\s–-]{1,4}[A-Z][\w.'’-]{0,30}(?: [A-Z][\w.'’-]{0,30}){0,3}\s*$"
)
"""The name with which somebody signs a letter."""
_NAME_SIGNS: Final = "_.'’-"
"""What a name ends with, besides letters and figures."""
_FORMULA: Final = re.compile(r"[<>=^|]|\[\w")
_ITEM: Final = re.compile(r"\s*(?:[-*•#]|\(?(?:[A-Za-z]|[A-Z0-9]{1,2}|[ivxIVX]{1,5})[).:])\s")
_SENTENCE: Final = re.compile(r"[.?!]\s+[A-Z]|\n")
_MOJIBAKE: Final = re.compile(r"Ã[\x80-\xbf©¨¤¶¼Ÿ]|â€[™œ\x9d“”¦]|Â[\xa0°·£]|ï¿½|\ufffd")
_TEMPLATE: Final = re.compile(
    r"\{\{\s*[a-z_][a-z_.]{2,}\s*\}\}|(?<!\$)\$\{[a-z][a-z_.]{3,}\}(?!\$)|\{%\s*\w+|<(?:INSERT|YOUR|PLACEHOLDER)[ _][^<>\n]{1,40}>|\[(?:INSERT|TODO|TBD|PLACEHOLDER|FILL IN)\b[^\]\n]{0,40}\]"
    r"|\blorem ipsum\b|(?<![\w.])%\(\w+\)s|(?<![\w`'\"{])\{(?:name|date|amount|id|user|question|context|passage|table|text|input|customer|item|number|city|country|value|title|answer|problem|document|options?)\}(?!\})"
)
_TEMPLATE_SIGNS: Final = ("{", "<", "[", "%(", "lorem ipsum")
"""One of these stands in every gap."""
_SEAM: Final = re.compile(
    r"(?<=[.?!])\"(?:,\"[^\"\n]{0,40}\"){0,4}\r?\n(?:[\w-]{1,20}|\"[^\"\n]{1,40}\"),\"(?=[A-Z])|[.?!]\t[^\t\n]{0,40}\n\d{1,9}\t(?=[A-Z])|(?<=[.?!])\",\"\d{1,9}\",\"(?=[A-Z])"
)
"""The end of a row of a table, its line break, and the beginning of the next one, within one request."""
_ROW: Final = re.compile(r"^(?:[\w-]{1,40}|\"[^\"\n]{1,40}\"),\"", re.MULTILINE)
"""A line that is a row of a table: a request with several holds a table, and is none."""
_CODE: Final = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_REFERS: Final = re.compile(
    r"\b(?:the |these |this )?(?:following|attached|enclosed|accompanying) (?:\w+ ){0,2}?(table|list|passage|text|image|figure|picture|diagram|chart|document|file|excerpt|data|options?|paragraph|email|message|code|sentences?|log|report|choices|statements?)\b"
    r"|\b(?:table|list|passage|text|image|figure|picture|diagram|chart|document|excerpt|data|options|paragraph|email|code|log|report|choices|statements) (?:below|above|attached)\b"
    r"|\bwhich of (?:the following|these)\b",
    re.IGNORECASE,
)
_REFERS_MARKS: Final = ("following", "attached", "enclosed", "accompanying", "below", "above", "which of ")
"""One of these stands wherever a request refers to something, and looking for them is quick."""
MIN_MATERIAL: Final = 25
"""Characters that something to be read has at least."""
_THING: Final = (
    r"(?:request|message|question|prompt|task|text|sentence|instruction|instructions|description|statement|problem|input|passage|table|file|files|attachment|image|"
    r"figure|document|list|options|email|query|picture|diagram|excerpt|paragraph)"
)
_COMPLAINT: Final = re.compile(
    r"\b(?:is|was|were|are|be|been|seems?|appears?|looks?|got|gets|came through|come through|has been|may have been|might have been|to be|to have been|being)\b[^.!?\n]{0,30}\b"
    r"(?:cut off|cut short|truncated|incomplete|unfinished|garbled|corrupted|unreadable|scrambled|broken off|empty|blank|mangled|malformed|left out)\b"
    r"|\b(?:breaks?|broke|breaking) off\b|\b(?:ends?|stops?|cuts? off|ending|trails? off)\b[^.!?\n]{0,24}(?:abruptly|mid[- ]|in the middle|at [\"'“])"
    rf"|\b(?:rest|remainder|second half|remaining part|end) of (?:it|(?:the|your|this|that) {_THING})\b|\bwithout the (?:rest|remainder|end)\b"
    r"|\b(?:send|post|share|give|provide|paste|repeat)\b[^.!?\n]{0,30}\b(?:rest|remainder|full|complete|whole|entire|missing)\b"
    rf"|\b(?:no|not any|without (?:a|any|the)) (?:question|request|task|instruction|attachment|table|image|file|document|passage|figure|options|text|picture|list|data)\b[^.!?\n]{{0,40}}\b(?:here|provided|attached|included|given|present|shown|in (?:your|the|this)|found|follows?|(?:came|comes?|arrived) with)\b"
    rf"|\b{_THING}\b[^.!?\n]{{0,40}}\b(?:(?:is|are|was|were|has|have) (?:not|n['’]t|missing)|isn['’]t|aren['’]t|wasn['’]t|weren['’]t|(?:did|does)(?: not|n['’]t)) ?(?:been )?(?:attached|included|provided|given|here|there|come through|reach me|arrive|follow|shared|visible|filled|readable|present)\b"
    rf"|\b(?:I|we) (?:do not|don['’]t|did not|didn['’]t|cannot|can['’]t|could not|couldn['’]t) (?:see|find|receive|get|have|read) (?:any |a |an |the |your |that |this )?(?:\w+ )?{_THING}\b"
    r"|\b(?:I|we) only (?:have|got|see|received) (?:the (?:first|beginning|start)|a part|part|half)\b|\bplaceholder|\bunfilled|\bnot filled in|\bmissing (?:from|in|part|piece|end|text|attachment|table|image|file)\b|\bthere was no\b"
    r"|\b(?:none|neither|no one|not one) of (?:the|these|those|your) (?:\w+ )?(?:options|choices|answers|alternatives|candidates)\b|\b(?:not|isn['’]t|aren['’]t|nowhere|absent|missing) (?:listed |given |found |offered )?(?:among|amongst|one of|in|from) (?:the|these|those|your) (?:\w+ )?(?:options|choices|answers|alternatives)\b"
    r"|\bno (?:option|choice|alternative) (?:fits|matches|is (?:right|correct)|applies|says|names)\b"
    r"|\b(?:earlier|previous|preceding|first) (?:part|turn|messages?|half)\b[^.!?\n]{0,40}\b(?:is|are|was|were|seems?|got) (?:missing|lost|absent|gone)\b"
    r"|\bnothing (?:before|above|earlier|in (?:your|the|this) (?:message|request|conversation))\b[^.!?\n]{0,30}\b(?:tells?|says?|explains?|shows?)\b"
    r"|\b(?:I|we) (?:have|had|was|were)(?: not|n['’]t) been (?:told|given|shown)\b|\b(?:I|we) only have (?:this|the) (?:one |single |last )?(?:message|line|sentence|request)\b"
    r"|\b(?:your|the|this) (?:request|message|instructions?|prompt|task|question|entry|job|ticket|slip|note|order|email) (?:does not|doesn['’]t|did not|didn['’]t|never) (?:say|tell|specify|state|mention)s? (?:me |us )?(?:for |on |by |to |at |from |in )?(?:which|what|how much|how many|whose|whom?)\b"
    r"|\b(?:earlier|previous|preceding|prior) [\w-]+\b[^.!?\n]{0,80}\b(?:is|are|was|were)(?: not|n['’]t) (?:here|there|included|attached|given|shown|with|part of|in (?:this|the|your)|in front of)\b"
    r"|\b(?:can(?:not|['’]t| not)|could(?: not|n['’]t)|unable to|impossible to|not able to) (?:tell|say|know|see|work out|make out|determine|find out)\b[^.!?\n]{0,80}\bfrom (?:this|the|your) \w+ (?:alone|by itself|as it stands|only)\b"
    r"|\b(?:goes on from|carr(?:y|ies) on from|continues(?: from)?|follows(?: on)? from|builds on|refers (?:back )?to|relies on|picks up) (?:something|what|an? (?:earlier|previous|other)|the (?:earlier|previous|last|other))\b[^.!?\n]{0,60}(?:\b(?:do|did|have|was|is|were|are)(?: not|n['’]t)|\bcan(?:not|['’]t))\b"
    r"|\bonly says (?:that )?(?:it is |it['’]s )?the same\b"
    r"|\b(?:no|not an?|not any|without (?:an?|any|the)) (?:earlier|previous|prior|preceding) (?:message|turn|conversation|exchange|context)s?\b"
    r"|\bnothing (?:came|comes|stands|was said|precedes|is) (?:here )?before (?:this|your|it|that)\b",
    re.IGNORECASE,
)
_COMPLAINT_MARKS: Final = (
    "cut off", "cut short", "truncated", "incomplete", "unfinished", "garbled", "corrupted", "unreadable", "scrambled", "broken off", "empty", "blank", "mangled",
    "malformed", "left out", "break off", "breaks off", "broke off", "breaking off", "abruptly", "mid-", "mid ", "in the middle", "at \"", "at '", "at “",
    "rest of ", "remainder of ", "second half of ", "remaining part of ", "end of it", "end of the ", "end of your ", "end of this ", "end of that ",
    "without the ", "only have ", "only got ", "only see ", "only received ", "placeholder", "unfilled", "not filled in", "missing", "there was no",
    "none of ", "neither of ", "no one of ", "not one of ", "options", "choices", "answers", "alternatives", "no option", "no choice", "no alternative",
    " lost", " absent", " gone", "nothing ", "not been ", "n't been ", "n’t been ", "only says ",
)  # fmt: skip
_NOT: Final = ("not", "n't", "n’t")
_BEFORE: Final = ("earlier ", "previous ", "preceding ", "prior ")
_COMPLAINT_PAIRS: Final = (
    (("send", "post", "share", "give", "provide", "paste", "repeat"), ("rest", "remainder", "full", "complete", "whole", "entire")),
    (("no ", "not any ", "without "), (" question", " request", " task", " instruction", " attachment", " table", " image", " file", " document", " passage",
        " figure", " text", " picture", " list", " data")),
    (_NOT, ("attached", "included", "provided", "given", "here", "come through", "reach me", "arrive", "follow", "shared", "visible", "filled", "readable", "present")),
    (_NOT, (" see ", " find ", " receive ", " get ", " have ", " read ")),
    ((*_NOT, "never "), (" say", " tell", " specify", " state", " mention")),
    (_BEFORE, (*_NOT, "no ", "without ")),
    (("from ",), ("alone", "by itself", "as it stands", "only")),
    (("goes on from", "carries on from", "carry on from", "continues", "follows", "builds on", "refers ", "relies on", "picks up"), _NOT),
)  # fmt: skip
"""One of these words, or one of each of two kinds, stands in every complaint, and looking for them is quick."""


def _asked(rollout: Rollout) -> str:
    return "" if rollout.has_dialogue else _without_blanks(rollout.request)


@once_for_repeats
def _without_blanks(request: str) -> str:
    return request.rstrip()


@once_for_repeats
def _ends_open(text: str) -> str:
    """How a request that has no blanks at its end ends: `impossible` where no sentence can, `open` where one is not closed, else empty."""
    if len(text) < SHORTEST or "```" in text[-400:]:
        return ""
    if (text[-1].isalnum() or text[-1] in _NAME_SIGNS) and _SIGNED.search(text[-80:]):
        return ""
    last = text.rpartition("\n")[2]
    ending = text[-ENDING:]
    if last.count(" ") < 2 or _FORMULA.search(last) or _ITEM.match(last) or len(last) < SHORTEST // 2 or _CLOSED.search(ending):
        return "impossible" if len(last) >= SHORTEST and _CANNOT_END.search(ending) else ""
    if _CANNOT_END.search(ending):
        return "impossible"
    return "open" if _SENTENCE.search(text) or text[:1].isupper() else ""


@signal(
    "prompt_cut",
    label="DA",
    meaning="the request ends where no sentence can: after an article, a preposition, a comma or an open bracket",
    causal=False,  # a user who speaks up later says the rest
    example=Example((says("What comes next?"),), asked="Please move the meeting with the design team from Monday to the"),
)
def prompt_cut(rollout: Rollout) -> Iterator[Evidence]:
    text = _asked(rollout)
    if _ends_open(text) == "impossible":
        yield Evidence(None, f"…{text[-100:]}", "ends in the middle of a sentence", "prompt")


@signal(
    "prompt_unfinished",
    label="BI",
    meaning="the last sentence of the request is not closed; no fault by itself, and what a reader's complaint is held against",
    causal=False,  # a user who speaks up later says the rest
    example=Example((says("Done."),), asked="Please help. I would like to move the meeting with the design team fro"),
)
def prompt_unfinished(rollout: Rollout) -> Iterator[Evidence]:
    text = _asked(rollout)
    if _ends_open(text) == "open":
        yield Evidence(None, f"…{text[-100:]}", "the last sentence is not closed", "prompt")


@signal(
    "prompt_damaged",
    label="DA",
    meaning="the request holds what a template, an encoding or an export left behind: a gap that was not filled, letters that were read wrongly, two rows in one",
    causal=False,  # a user who speaks up later says the rest
    example=Example((says("Which customer?"),), asked="Please cancel the order of {{customer_name}} and write to him."),
)
def prompt_damaged(rollout: Rollout) -> Iterator[Evidence]:
    told = _damage(_asked(rollout))
    if told is not None:
        yield Evidence(None, *told, subject="prompt")


@once_for_repeats
def _damage(text: str) -> tuple[str, str] | None:
    plain = _CODE.sub(" ", text[:20_000]) if "`" in text else text[:20_000]
    if any(sign in plain for sign in _TEMPLATE_SIGNS) and (gap := _TEMPLATE.search(plain)) is not None:
        return _around(plain, gap), f"{gap[0]} was never filled in"
    if ('"' in plain or "\t" in plain) and (seam := _SEAM.search(plain)) is not None and len(_ROW.findall(plain)) <= 1:
        return _around(plain, seam), "two rows of a table have grown together here"
    wrong = [] if plain.isascii() else list(_MOJIBAKE.finditer(plain))
    if len(wrong) >= MIN_DAMAGED:
        return _around(plain, wrong[0]), f"{len(wrong)} places read in the wrong encoding"
    return None


@signal(
    "material_missing",
    label="DA",
    meaning="the request speaks of a table, a list, options or a text that it does not hold",
    causal=False,  # a user who speaks up later says the rest
    example=Example((says("Which ones?"),), asked="Which of the following numbers is prime?"),
)
def material_missing(rollout: Rollout) -> Iterator[Evidence]:
    text = _asked(rollout)
    told = _lacking(text) if text and not rollout.works_with_tools else None
    if told is not None:
        yield Evidence(None, *told, subject="prompt")


@once_for_repeats
def _lacking(text: str) -> tuple[str, str] | None:
    """A reference to something beside the request, where nothing of its size stands beside it."""
    found = _REFERS.search(text) if len(text) <= 2_000 and has_mark(text, _REFERS_MARKS) else None
    if found is None:
        return None
    start = max(text.rfind(mark, 0, found.start()) for mark in (". ", "? ", "! ", "\n")) + 1
    ends = [at for at in (text.find(mark, found.end()) for mark in (".", "?", "!", "\n", ":")) if at >= 0]
    end = min(ends, default=len(text)) + 1
    if "," in text[found.end() : end] or re.search(r"\([A-Da-d1]\)|\b[AB][).:]", text[found.end() :]):
        return None
    if text[end - 1 : end] in (":", "\n") and text[end:].strip():
        return None
    around = text[:start].strip() + text[end:].strip()
    if len(around) >= MIN_MATERIAL:
        return None
    return text[start:end].strip()[:160], f"speaks of {' '.join(found[0].split())}, and nothing like it is there"


_QUESTION_FIELDS: Final = ("question", "problem", "problem_statement", "instruction", "query")
MIN_QUESTION: Final = 40
SHARED: Final = 0.3
"""Share of a question's longer words that its prompt must hold to be a prompt for it."""
_LONG_WORD: Final = re.compile(r"[^\W_]{4,}")


@signal(
    "prompt_differs",
    label="DA",
    meaning="the row's own question is another than the one that its prompt asks",
    causal=False,  # a user who speaks up later says the rest
    example=Example(
        (says("About 40."),),
        asked="Please convert 104 degrees Fahrenheit into Celsius.",
        fields={"question": "Which river flows through Vienna, Bratislava and Budapest?"},
    ),
)
def prompt_differs(rollout: Rollout) -> Iterator[Evidence]:
    text = _asked(rollout)
    for name in _QUESTION_FIELDS if text else ():
        value = rollout.fields.get(name)
        if isinstance(value, str) and MIN_QUESTION <= len(value) <= 4_000 and value not in text:
            words = {word.lower() for word in _LONG_WORD.findall(value)}
            held = {word.lower() for word in _LONG_WORD.findall(rollout.prompt_text)}
            if len(words) >= 5 and len(words & held) < SHARED * len(words):
                yield Evidence(None, value[:160], f"{name} asks this, the prompt: {text[:100]}", name)
                return


@signal(
    "prompt_questioned",
    label="BI",
    meaning="the assistant ends by saying that the request is cut off, empty, or lacks what it speaks of or the right option; no fault of its own",
    causal=False,
    example=Example((says("Your message breaks off in the middle. Could you send the rest of it?"),), asked="Move the"),
)
def prompt_questioned(rollout: Rollout) -> Iterator[Evidence]:
    closing = rollout.closing
    if closing is None or len(closing.text) > LONGEST_COMPLAINT or "```" in closing.text:
        return
    if any(made.changes and made.error is None for made in rollout.calls):
        return
    if any(made.name and made.name in closing.text for made in rollout.calls):
        return  # what it complains of is what a tool gave it
    found = _said_missing(rollout, closing.text)
    if found is None and not rollout.has_dialogue:  # in a dialogue other complaints are about what the user said
        found = _complaint(closing.text) or _gap_named(rollout.request, closing.text)
        if found is None and rollout.works_with_tools and continues(rollout.request.strip()) is not None:
            found = _ABSENT.search(closing.text)  # nothing was done, and it says what is not there or cannot be
    if found is not None:
        yield Evidence(closing.step, _around(closing.text, found), subject="prompt")


def _complaint(text: str) -> re.Match[str] | None:
    return _COMPLAINT.search(text) if _may_complain(caseless(text)) else None


def _may_complain(folded: str) -> bool:
    return any(mark in folded for mark in _COMPLAINT_MARKS) or any(
        any(mark in folded for mark in one) and any(mark in folded for mark in other) for one, other in _COMPLAINT_PAIRS
    )


_GAP: Final = re.compile(
    r"<[A-Za-z][\w -]{1,30}>|\{\{?\s?[A-Za-z_][\w .]{1,30}\}\}?|\[[A-Z][A-Z _-]{2,30}\]|\$\{?[A-Z_]{3,30}\}?|%[A-Z_]{3,30}%|__[A-Z_]{3,30}__"
)


def _gap_named(request: str, closing: str) -> re.Match[str] | None:
    """The place where a message names a gap of the request, which stands there for a value and in no form that the answer should have."""
    return next((named for gap in _gaps(request) if (named := re.search(re.escape(gap), closing)) is not None), None)


_MATERIALS: Final = (
    "table", "list", "passage", "text", "image", "figure", "picture", "photo", "diagram", "chart", "document", "file", "excerpt", "data", "options",
    "paragraph", "email", "message", "code", "log", "report", "choices", "statements", "spreadsheet", "screenshot", "invoice", "form", "letter",
    "note", "schedule", "map", "drawing", "pdf", "scan", "transcript", "recording",
)  # fmt: skip
_MATERIAL: Final = f"(?:{'|'.join(_MATERIALS)})"
_BESIDE: Final = re.compile(
    rf"\b(?:attached|attachments?|enclosed|accompanying|uploaded|appended|following {_MATERIAL})\b|\b(?:below|above|beneath|underneath|here|behind this) (?:is|are|follows?|comes?|stands?|you (?:will )?find)\b"
    r"|\b(?:the|this|that|my|our) (?:[\w-]+ ){1,2}(?:below|underneath|beneath|attached|enclosed)(?=[,.;:!?)]|\s*$|\s(?:and|then|to|into)\b)"
    rf"|\b(?:see|per|as in|as per|according to|from|on|in) (?:the|my|our|their|this|that|his|her) {_MATERIAL}\b"
    rf"|\b(?:{_MATERIAL}s?|listed|shown|given|named|described|pasted|quoted) (?:(?:is|are) )?(?:below|above|underneath|beneath|at the (?:end|bottom|foot))\b",
    re.IGNORECASE,
)
"""Words of a request for something that lies beside it."""
_BESIDE_MARKS: Final = (
    "attach", "enclosed", "accompanying", "uploaded", "appended", "following", "below", "above", "neath", "here ", "behind this", "at the ",
    *(f" {thing}" for thing in _MATERIALS),
)  # fmt: skip
"""One of these stands in all such words, and looking for them is quick."""
_SAID: Final = re.compile(rf"[^.!?\n]*\b(?:{_MATERIAL}s?|attachments?|attached)\b[^.!?\n]*", re.IGNORECASE)
_ABSENT: Final = re.compile(
    r"\b(?:no|none|nothing|not|cannot|never|without|missing|absent|lacks?|lacking|forgot(?:ten)?|omitted|empty|nowhere|unavailable)\b|n['’]t\b",
    re.IGNORECASE,
)


def _said_missing(rollout: Rollout, closing: str) -> re.Match[str] | None:
    """The sentence of a message that says of what should lie beside the request, or behind its last colon, that it is not there."""
    breaks_off = rollout.works_with_tools and rollout.request.rstrip().endswith(":")
    if not breaks_off and not _speaks_of_more(rollout.request):
        return None
    return next((said for said in _SAID.finditer(closing) if _ABSENT.search(said[0])), None)


@once_for_repeats
def _speaks_of_more(request: str) -> bool:
    return has_mark(request, _BESIDE_MARKS) and _BESIDE.search(request[:20_000]) is not None


@once_for_repeats
def _gaps(request: str) -> tuple[str, ...]:
    """The gaps of a request that are no form for the answer; requests come again with every repeat."""
    return tuple(
        gap[0]
        for gap in _GAP.finditer(request[:20_000])
        if not request[: gap.start()].rstrip(" '\"`").endswith((":", "=", ">", "#"))
    )


def _around(text: str, found: re.Match[str]) -> str:
    return " ".join(text[max(0, found.start() - 80) : found.end() + 60].split())
