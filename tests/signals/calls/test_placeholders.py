"""A refused placeholder answers whoever sent it."""

import pytest

from blade.signals.example import Example, call
from tests.signals.support import steps

REFUSED = "requests.exceptions.HTTPError: 401 Client Error: PermissionDenied for url: https://api.example.org/v7"
UNRESOLVED = "curl: (6) Could not resolve host: <URL>"


@pytest.mark.parametrize(
    ("command", "answer", "code"),
    [
        ("search(key='YOUR_BING_API_KEY')", REFUSED, None),
        ("search(key='api_key_here')", REFUSED, None),
        ("search(key=os.environ['BING_KEY'])", REFUSED, "access_denied"),
        ("search(q='x')", "Error 401 Unauthorized: your API key is invalid or expired", "access_denied"),
        ("search(q='x')", "Connection refused. Check your database host and port", "connection_failed"),
        ("curl '<URL>'", UNRESOLVED, None),
        ("curl https://example.org", "curl: (6) Could not resolve host: example.org", "connection_failed"),
    ],
)
def test_only_what_was_really_sent_can_be_refused(command, answer, code):
    example = Example((call("bash", answer, command=command),))
    assert [kind for kind in ("access_denied", "connection_failed") if steps(kind, example)] == ([code] if code else [])
