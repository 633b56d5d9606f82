"""English sentences turned into their opposite, by the rules of the auxiliary; what has none is denied as a whole."""

import re

_SET_APART = re.compile(r"`[^`]*`|“[^”]*”|\"[^\"\n]*\"")
_NEGATED = re.compile(
    r"\b(?P<aux>is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|must|may)\s+(?:not|never)\b|\b(?P<never>never)\s+"
)
_AUXILIARY = re.compile(
    r"\b(?P<aux>is|are|was|were|has|have|had|can|could|will|would|should|must|may)\b(?!\s+(?:not|never|no)\b)", re.I
)
_VERB = re.compile(
    r"\b(?P<stem>pass|fail|call|use|send|order|show|say|make|read|get|give|stand|claim|stop|retr[iy]|book|ask|answer|look|reach|end|cost|"
    r"need|want|expect|reject|accept|account|take|come|speak|part|hold|lose)(?P<form>e?s|ies|ed)?\b(?!\s*[:(])",
    re.I,
)


def negate(sentence: str) -> str:
    """The opposite of a sentence: its first auxiliary or verb is denied, or what denies it is dropped."""
    hidden: list[str] = []

    def hide(found: re.Match[str]) -> str:
        hidden.append(found[0])
        return f"\x00{len(hidden) - 1}\x00"

    turned = _turned(_SET_APART.sub(hide, sentence))
    return re.sub(r"\x00(\d+)\x00", lambda found: hidden[int(found[1])], turned)


def _turned(sentence: str) -> str:
    if found := _NEGATED.search(sentence):
        kept = f"{found['aux']}" if found["aux"] else ""
        return (
            sentence[: found.start()]
            + kept
            + (" " if kept and not sentence[found.end() :].startswith(" ") else "")
            + sentence[found.end() :]
        )
    if found := _AUXILIARY.search(sentence):
        return sentence[: found.end()] + " not" + sentence[found.end() :]
    if found := _VERB.search(sentence):
        form = (found["form"] or "").lower()
        helper = "did not" if form == "ed" else "does not" if form else "do not"
        stem = found["stem"] if found["stem"][-1] not in "iI" else found["stem"][:-1] + "y"
        return f"{sentence[: found.start()]}{helper} {stem.lower()}{sentence[found.end() :]}"
    body = sentence.lstrip()
    return f"{sentence[: len(sentence) - len(body)]}It is not true that {body}" if re.search(r"[a-z]{3}", body) else sentence
