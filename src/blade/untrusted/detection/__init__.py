"""What a text gives away: credentials, people and places, found by format and by context.

`find_sensitive` is the whole; `names.promise` and `judgement.holds_secret` answer for values that stand under a name of their own (a field, a column).
The quick `untrusted.redact` remains the guard on everything that is printed; this is the thorough search before something is shared.
"""

from blade.untrusted.detection.finding import Sensitive, category, settle
from blade.untrusted.detection.judgement import holds_secret
from blade.untrusted.detection.known_names import KnownNames, plain_name
from blade.untrusted.detection.names import Promise, promise
from blade.untrusted.detection.search import MARKER, find_sensitive, is_credential

__all__ = [
    "MARKER",
    "KnownNames",
    "Promise",
    "Sensitive",
    "category",
    "find_sensitive",
    "holds_secret",
    "is_credential",
    "plain_name",
    "promise",
    "settle",
]
