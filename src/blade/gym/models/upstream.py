"""The way to a model endpoint: one client per model server, shared by all its requests.

A request is tried until it is answered, until an answer says that trying again is useless, or until the tries are used up. What is
tried again: no answer in time, a connection that fails or breaks off, 408, 409, 429 and the transient errors of 500 and above, and
answers that are not what was asked for (not JSON, half of it, an object without its main part). What is not: a request, a key or an
address that the endpoint refuses. Pauses grow from try to try, are spread by chance so that many rollouts do not come back at the
same moment, and respect `Retry-After` up to a bound. A pause holds no place in the queue.

Every try is kept: an `Answer` and a `ModelError` both carry theirs, and `counts` has them all by category.
"""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import msgspec
from pydantic import Field

from blade.gym.models.errors import Category, ModelError, Try
from blade.gym.models.faults import Fault, beginning, decoded
from blade.gym.settings import Settings
from blade.untrusted import one_line, redact

if TYPE_CHECKING:
    import aiohttp

_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
_SENTENCE: Final = 600
_CHUNK: Final = 64 * 1024
_CHANCE: Final = random.SystemRandom()


class UpstreamSettings(Settings):
    """How patient a model server is with its endpoint, and how much of it it holds at once."""

    request_timeout_seconds: float = Field(default=600, gt=0)
    max_retries: int = Field(default=5, ge=0)
    retry_pause_seconds: float = Field(default=0.5, ge=0)
    """The first pause; each further one is twice as long."""
    max_retry_pause_seconds: float = Field(default=30, ge=0)
    max_retry_after_seconds: float = Field(default=60, ge=0)
    """The longest wait that an endpoint's `Retry-After` can ask for."""
    max_concurrent_requests: int | None = Field(default=None, ge=1)
    max_answer_bytes: int = Field(default=64 * 1024 * 1024, ge=1)


@dataclass(frozen=True)
class Answer:
    """What an endpoint answered, and the tries it took; the last of them is the one that was answered."""

    body: dict[str, Any]
    tries: tuple[Try, ...]

    @property
    def failed(self) -> list[Category]:
        """What the tries before the answer met."""
        return [one.category for one in self.tries if one.category is not None]


Check = Callable[[dict[str, Any]], str | None]
"""Says what is missing in an answer, or `None` when it can be used."""


class Upstream:
    """A client of one endpoint (or of several alike). Create it anywhere; it opens its connections in the loop of the first request."""

    def __init__(
        self,
        settings: UpstreamSettings,
        *,
        urls: Sequence[str],
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.settings = settings
        self.counts: Counter[str] = Counter()
        bearer = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._headers = {"Content-Type": "application/json"} | bearer | dict(headers or {})
        self._secrets = [secret for secret in (api_key, *(headers or {}).values()) if secret and len(secret) >= 8]
        # A proxy from the environment is for the world outside: it does not know this machine's loopback.
        self._proxied = not all(urlsplit(url).hostname in _LOOPBACK for url in urls)
        self._session: aiohttp.ClientSession | None = None
        self._places: asyncio.Semaphore | None = None
        self._closed = False

    async def post(self, url: str, body: Mapping[str, Any], check: Check | None = None, *, retries: int | None = None) -> Answer:
        """The endpoint's answer, after as many tries as the settings allow; else a `ModelError` with all of them."""
        allowed = self.settings.max_retries if retries is None else retries
        try:
            payload = msgspec.json.encode(body)
        except (TypeError, ValueError) as error:
            raise ModelError("client_error", None, f"the request cannot be written as JSON: {error}") from None
        tries: list[Try] = []
        while True:
            begun = time.monotonic()
            try:
                found = await self._try(url, payload, check)
            except Fault as fault:
                tries.append(self._counted(Try(fault.category, fault.status, time.monotonic() - begun)))
                if fault.lasting or len(tries) > allowed:
                    raise ModelError(fault.category, fault.status, self._sentence(fault, url, len(tries)), tries) from None
                await asyncio.sleep(max(self._pause(len(tries)), fault.pause))
            else:
                tries.append(self._counted(Try(None, 200, time.monotonic() - begun)))
                return Answer(found, tuple(tries))

    async def close(self) -> None:
        """End all connections for good; requests under way fail, and so do their further tries."""
        self._closed = True
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _try(self, url: str, payload: bytes, check: Check | None) -> dict[str, Any]:
        session = self._opened()
        async with self._places or nullcontext():
            status, headers, content = await _exchange(session, url, payload, self.settings)
        found = decoded(status, headers, content, longest_pause=self.settings.max_retry_after_seconds)
        if check is not None and (missing := check(found)) is not None:
            raise Fault("upstream_error", status, f"{missing}: {beginning(content)}")
        return found

    def _opened(self) -> "aiohttp.ClientSession":
        if self._closed:
            raise Fault("connection", None, "this model server was stopped", lasting=True)
        if self._session is None:
            import aiohttp

            places = self.settings.max_concurrent_requests
            self._places = asyncio.Semaphore(places) if places else None
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=places or 0, keepalive_timeout=60, ttl_dns_cache=300),
                headers=self._headers,
                timeout=aiohttp.ClientTimeout(total=self.settings.request_timeout_seconds),
                trust_env=self._proxied,
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._session

    def _counted(self, one: Try) -> Try:
        self.counts[one.category or "answered"] += 1
        return one

    def _pause(self, tries: int) -> float:
        longest = min(self.settings.max_retry_pause_seconds, self.settings.retry_pause_seconds * 2.0 ** min(tries - 1, 60))
        return longest * _CHANCE.uniform(0.5, 1.0)

    def _sentence(self, fault: Fault, url: str, tries: int) -> str:
        said = fault.message
        for secret in self._secrets:
            said = said.replace(secret, "[redacted]")
        after = f" after {tries} tries" if tries > 1 else ""
        return f"{_without_credentials(url)}{after}: {one_line(redact(said), _SENTENCE)}"


async def _exchange(
    session: "aiohttp.ClientSession", url: str, payload: bytes, settings: UpstreamSettings
) -> tuple[int, Mapping[str, str], bytes]:
    """Send one request and read its whole answer, within the time and size that the settings allow."""
    import aiohttp

    status: int | None = None
    try:
        async with session.post(url, data=payload, allow_redirects=False) as reply:
            status = reply.status
            if (reply.content_length or settings.max_answer_bytes + 1) <= settings.max_answer_bytes:
                return status, reply.headers, await reply.read()
            content = bytearray()
            async for chunk in reply.content.iter_chunked(_CHUNK):
                content += chunk
                if len(content) > settings.max_answer_bytes:
                    message = f"the answer is larger than max_answer_bytes ({settings.max_answer_bytes})"
                    raise Fault("upstream_error", status, message, lasting=True)
            return status, reply.headers, bytes(content)
    except TimeoutError:
        raise Fault("timeout", status, f"no whole answer within {settings.request_timeout_seconds:g} s") from None
    except aiohttp.InvalidURL:
        raise Fault("client_error", None, "this is not an address that can be asked", lasting=True) from None
    except aiohttp.ClientPayloadError as error:
        raise Fault("incomplete", status, f"the answer broke off: {error}") from None
    except (aiohttp.ClientError, OSError) as error:
        # After a status the endpoint was there and began to speak; before it, there was no exchange at all.
        broken: Category = "connection" if status is None else "incomplete"
        lasting = isinstance(error, aiohttp.ClientConnectorCertificateError)
        raise Fault(broken, status, f"{type(error).__name__}: {error}", lasting=lasting) from None


def _without_credentials(url: str) -> str:
    """The address as it may be shown: no user, no password, no query."""
    try:
        place = urlsplit(url)
        port = f":{place.port}" if place.port else ""
    except ValueError:
        return "the endpoint"
    return f"{place.scheme}://{place.hostname}{port}{place.path}"
