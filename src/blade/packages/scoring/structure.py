"""The sections of the seeds that the golden report has: which of them a report has too, with something in them."""

from blade.packages.sections import find, sections
from blade.packages.validate.report import ALWAYS, LEAST_WORDS, WITH_OTHERS, WITH_REPEATS

WANTED = (*ALWAYS, WITH_REPEATS, WITH_OTHERS)


def present(text: str) -> set[str]:
    """Titles of the sections that say something."""
    among = sections(text)
    found = ((want.title, find(want, among)) for want in WANTED)
    return {title for title, section in found if section is not None and section.words >= LEAST_WORDS}
