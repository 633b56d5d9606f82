"""Rollouts are hostile text and may carry secrets.

`limits` makes them safe to read, `escapes` safe to show, `redaction` safe to pass on.
"""

from blade.untrusted.escapes import markdown_block, one_line, printable, safe_html, safe_markdown, strip_escapes
from blade.untrusted.redaction import Finding, find_secrets, is_secret_key, redact, redact_value

__all__ = [
    "Finding",
    "find_secrets",
    "is_secret_key",
    "markdown_block",
    "one_line",
    "printable",
    "redact",
    "redact_value",
    "safe_html",
    "safe_markdown",
    "strip_escapes",
]
