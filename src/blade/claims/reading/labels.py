"""Root-cause labels and outcome buckets where a text gives them to something: `Cause BI`, `(KG)`, `IR (infrastructure)`, `never-pass`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from blade.claims.reading.document import Span, leading_up
from blade.signals.labels import LABELS

_ONE = "|".join(LABELS)
_LABEL = re.compile(rf"(?<![\w-])(?P<label>(?:{_ONE})(?:\+(?:{_ONE}))?)(?![\w-])(?:\s*\((?P<gloss>[a-z ]{{3,40}})\))?")
_PRIMARY = re.compile(
    r"(?:\b(?:cause|label|labelled|labeled|root cause|primary|diagnosis|verdict|classified(?: as)?)\b[^.;\n]{0,30}|[·|(–—:]\s*)$",
    re.I,
)
_OTHER = re.compile(
    r"\b(?:alternative|rather than|instead of|versus|vs\.?|could be|might be|would be|ruled out|excluded?|second)\b[^.;\n]{0,40}$"
    r"|\b(?:not|or|nor|with)\s+(?:an?\s+)?$",
    re.I,
)
_BUCKET = re.compile(r"\b(?P<bucket>always|sometimes|never)[- ](?:pass(?:es|ed|ing)?|solved)\b", re.I)
_GLOSSES = {
    "DA": ("data artifact", "data artefact", "data"),
    "IR": ("infrastructure", "infrastructure reliability"),
    "TI": ("task or verifier", "task issue", "verifier issue", "task or verifier issue", "verifier", "task"),
    "BI": (
        "behaviour",
        "behavior",
        "behavioural issue",
        "behavioral issue",
        "behaviour issue",
        "agent behavior",
        "agent behaviour",
    ),
    "UK": ("unreliable knowledge",),
    "KG": ("knowledge gap", "knowledge"),
}
_MEANT = {gloss: label for label, glosses in _GLOSSES.items() for gloss in glosses}


@dataclass(frozen=True)
class Label:
    span: Span
    label: str
    gloss: str = ""
    role: str = ""
    """`primary` where the text gives it as the cause, `other` where it weighs or rejects it."""

    @property
    def meant(self) -> str | None:
        """The label that its gloss stands for, where that is one of ours."""
        return _MEANT.get(self.gloss.strip().lower()) if self.gloss else None


def labels(text: str) -> Iterator[Label]:
    for found in _LABEL.finditer(text):
        primary = found["gloss"] or leading_up(_PRIMARY, text, found.start())
        role = "other" if leading_up(_OTHER, text, found.start()) else "primary" if primary else ""
        yield Label(Span(*found.span("label")), found["label"], found["gloss"] or "", role)


def buckets(text: str) -> Iterator[tuple[Span, str]]:
    for found in _BUCKET.finditer(text):
        yield Span(*found.span("bucket")), found["bucket"].lower()
