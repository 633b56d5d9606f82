"""All detectors over one text: in its plain view, and in its percent-decoded one where there is something to decode."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from blade.untrusted.detection.announced import in_announced_lines
from blade.untrusted.detection.arguments import in_argument_lists
from blade.untrusted.detection.assigned import assigned, in_vicinity, named_afterwards
from blade.untrusted.detection.commands import in_commands
from blade.untrusted.detection.constructed import in_calls
from blade.untrusted.detection.finding import Sensitive, category, settle
from blade.untrusted.detection.folding import View, percent_decoded, readable
from blade.untrusted.detection.formats import TOKEN, known_formats
from blade.untrusted.detection.headers import in_headers
from blade.untrusted.detection.key_material import in_key_material
from blade.untrusted.detection.known_names import KnownNames
from blade.untrusted.detection.nearby import chosen_nearby, drawn_nearby
from blade.untrusted.detection.objects import in_objects
from blade.untrusted.detection.pairs import in_pairs
from blade.untrusted.detection.places import in_homes, in_places
from blade.untrusted.detection.randomness import is_random
from blade.untrusted.detection.sections import in_sections
from blade.untrusted.detection.spoken import in_prose
from blade.untrusted.detection.tables import in_tables
from blade.untrusted.detection.typed import in_typed_objects
from blade.untrusted.detection.unnamed import in_plain_settings, in_unnamed
from blade.untrusted.detection.urls import in_urls
from blade.untrusted.redaction import find_secrets

NOBODY: Final = KnownNames()
MARKER: Final = re.compile(r"\[(?:redacted[ :][a-z0-9_]+(?::[0-9a-f]+)?|withheld sha256:[0-9a-f]+)\]")
_PLAIN: Final = re.compile(r"[A-Za-z_ \n]{0,16}+")
_PARTNER_DISTANCE: Final = 250
_PAIRED: Final = frozenset({"aws_key_id", "twilio_key"})
_DETECTORS: Final = (
    *(known_formats, assigned, named_afterwards, in_vicinity, in_prose, in_objects, in_key_material),
    *(in_commands, in_tables, in_urls, in_headers, in_places, in_announced_lines, in_argument_lists, in_calls),
    *(in_unnamed, in_plain_settings, drawn_nearby, chosen_nearby, in_pairs, in_sections, in_typed_objects),
)


def find_sensitive(text: str, known: KnownNames = NOBODY) -> list[Sensitive]:
    """What should not be shared of a text, in order and without overlap."""
    if len(text) < 4 or _PLAIN.fullmatch(text):
        return list(known.find(text))
    found = list(in_homes(text))
    view = readable(text)
    found += _through(view) if view else _in_plain(text)
    found += _names(text, view, known)
    if decoded := percent_decoded(view.text if view else text):
        further = _through(decoded)
        found += [_back(view, one) for one in further] if view else further
    if not found:
        return []
    return settle(_outside_markers(text, found))


def _in_plain(text: str) -> list[Sensitive]:
    found = [Sensitive(*one) for one in find_secrets(text)]
    for detector in _DETECTORS:
        found += detector(text)
    found += _partners(text, found)
    return found


def _through(view: View) -> list[Sensitive]:
    return [_back(view, one) for one in _in_plain(view.text)]


def _back(view: View, one: Sensitive) -> Sensitive:
    return Sensitive(one.kind, *view.span(one.start, one.end))


def _names(text: str, view: View | None, known: KnownNames) -> list[Sensitive]:
    found = list(known.find(text))
    return found + [_back(view, one) for one in known.find(view.text)] if view else found


def _partners(text: str, found: list[Sensitive]) -> Iterator[Sensitive]:
    """The secret half that stands beside an id: a drawn token of some length close to a key's id."""
    for one in [one for one in found if one.kind in _PAIRED]:
        for token in TOKEN.finditer(text, one.end, one.end + _PARTNER_DISTANCE):
            if 32 <= len(token[0]) <= 64 and is_random(token[0], 30):
                yield Sensitive("key", *token.span())


def _outside_markers(text: str, found: list[Sensitive]) -> list[Sensitive]:
    """What was redacted before stays as it is."""
    if "[redacted" not in text and "[withheld" not in text:
        return found
    spans = [marker.span() for marker in MARKER.finditer(text)]
    ends = [end for _, end in spans]
    return [one for one in found if (at := bisect_right(ends, one.start)) == len(spans) or spans[at][0] >= one.end]


def is_credential(one: Sensitive) -> bool:
    return category(one.kind) == "credential"
