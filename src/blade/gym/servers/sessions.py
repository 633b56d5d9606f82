"""Sessions: the state of one rollout in a resources server, told apart by a signed cookie.

The cookie holds the session's id and a signature under a key that the server makes up when it starts, so that nobody reaches another
rollout's state by guessing. The state itself is bytes (a pickle made by the worker that runs the environment's code).
"""

import asyncio
import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256

MOST_SESSIONS = 20_000
UNUSED_SECONDS = 6 * 3_600.0
"""A session that nobody used for so long belongs to a rollout that was given up."""


class NoSession(Exception):
    """The cookie is missing, forged, or of a session that has ended."""


@dataclass
class Session:
    id: str
    state: bytes
    used: float = 0.0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Calls of one session take turns: each starts from the state that the last one left."""


class Sessions:
    """The open sessions of one server, the longest unused first.

    Those that were not used for `UNUSED_SECONDS`, and beyond `MOST_SESSIONS` the longest unused ones, are forgotten, so that lost rollouts
    cost no memory for ever.
    """

    def __init__(self, most: int = MOST_SESSIONS, clock: Callable[[], float] = time.monotonic) -> None:
        self._key = secrets.token_bytes(32)
        self._open: OrderedDict[str, Session] = OrderedDict()
        self._most = most
        self._clock = clock

    def __len__(self) -> int:
        return len(self._open)

    def begin(self, state: bytes) -> str:
        """The cookie of a new session."""
        now = self._clock()
        while self._open and next(iter(self._open.values())).used < now - UNUSED_SECONDS:
            self._open.popitem(last=False)
        session = Session(secrets.token_hex(16), state, used=now)
        self._open[session.id] = session
        while len(self._open) > self._most:
            self._open.popitem(last=False)
        return f"{session.id}.{self._sign(session.id)}"

    def find(self, cookie: str | None) -> Session:
        if not cookie:
            raise NoSession("the request carries no session: POST /seed_session first and send its cookie along")
        name, _, signature = cookie.partition(".")
        if not hmac.compare_digest(_bytes(signature), _bytes(self._sign(name))):
            raise NoSession("the session's cookie was not signed by this server")
        if name not in self._open:
            raise NoSession("the session has ended")
        session = self._open[name]
        session.used = self._clock()
        self._open.move_to_end(name)
        return session

    def end(self, session: Session) -> None:
        self._open.pop(session.id, None)

    def _sign(self, name: str) -> str:
        return hmac.new(self._key, _bytes(name), sha256).hexdigest()


def _bytes(text: str) -> bytes:
    """Whatever stands in a cookie as something to compare: lone surrogates too."""
    return text.encode("utf-8", "backslashreplace")
