"""The sections of the seeds that the golden report has: which of them a report has too, with something in them."""

from blade.packages.sections import assigned, says_enough, sections
from blade.packages.validate.report import ALWAYS, WITH_OTHERS, WITH_REPEATS

WANTED = (*ALWAYS, WITH_REPEATS, WITH_OTHERS)


def present(text: str) -> set[str]:
    """Titles of the sections that say something."""
    found = assigned(WANTED, sections(text))
    return {want.title for want in found if says_enough(want, found)}
