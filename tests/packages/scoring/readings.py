"""A text as the scorer reads it, without a run."""

from blade.packages.scoring.reported import read
from blade.packages.scoring.stated import stated


def states(text: str) -> list[str]:
    """What a text states, in words."""
    return [str(one) for sentence in read(text).sentences for one in stated(sentence)]
