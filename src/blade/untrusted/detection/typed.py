"""Objects whose type says that they hold a secret: `"type": "random_password"` in the state of an infrastructure, a `kind` of a vault's entry.

Their members have names that say nothing (`result`, `value`), so it is the type that makes a secret of them.
"""

import re
from collections.abc import Iterator
from typing import Final

from blade.untrusted.detection.finding import Sensitive
from blade.untrusted.detection.judgement import is_placeholder

REACH: Final = 1_500
_QUOTE: Final = r"\\{0,6}[\"']"
_TYPE: Final = re.compile(
    rf"(?i){_QUOTE}?(?:resource_?type|type|kind|class)(?:{_QUOTE})?\s{{0,3}}[:=]\s{{0,3}}(?:{_QUOTE})?[\w./:-]{{0,40}}"
    r"(?:password|passphrase|secret|private_?key|api_?key|credential|access_?token)(?:s|_?versions?|_?value)?\b"
)
_MEMBER: Final = re.compile(
    rf"(?i){_QUOTE}?\b(?:result|value|plaintext|plain_text|secret_string|secret_data|content|material|payload)(?:{_QUOTE})?\s{{0,3}}[:=]\s{{0,3}}"
    rf"(?P<mark>{_QUOTE})(?P<value>[^\"'\\\s]{{8,400}})(?P=mark)"
)


def in_typed_objects(text: str) -> Iterator[Sensitive]:
    """The members that hold what the type of their object speaks of, after it and near."""
    for told in _TYPE.finditer(text) if "ype" in text or "kind" in text else ():
        for member in _MEMBER.finditer(text, told.end(), told.end() + REACH):
            if not is_placeholder(member["value"]) and not member["value"].islower():
                yield Sensitive("credential", *member.span("value"))
