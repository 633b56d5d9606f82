"""What failing machinery prints: the words of real proxies, clients, shells, installers and container runtimes."""

from __future__ import annotations

from random import Random
from typing import Final

TOOL_TEXTS: Final[dict[str, tuple[str, ...]]] = {
    "tool_5xx": (
        "503 Service Unavailable",
        '{{"error": "HTTP 502: Bad Gateway"}}',
        "Error: 500 Internal Server Error while calling {tool}",
        "<html>\n<head><title>503 Service Temporarily Unavailable</title></head>\n<body>\n<center><h1>503 Service Temporarily Unavailable</h1></center>\n<hr><center>nginx/1.24.0</center>\n</body>\n</html>",
        "requests.exceptions.HTTPError: 504 Server Error: Gateway Time-out for url: http://tools.internal:8080/{tool}",
        "upstream connect error or disconnect/reset before headers. reset reason: connection failure",
    ),
    "tool_timeout": (
        "httpx.ReadTimeout: The read operation timed out",
        '{{"error": "Request timed out: {tool} did not answer within 30 s"}}',
        "Error: DEADLINE_EXCEEDED: context deadline exceeded (tool {tool})",
        "requests.exceptions.ConnectTimeout: HTTPConnectionPool(host='tools.internal', port=8080): Max retries exceeded",
        "Error calling {tool}: operation timed out after 30001 milliseconds",
    ),
    "tool_rate_limit": (
        "429 Too Many Requests",
        '{{"error": {{"code": 429, "message": "Rate limit reached for {tool}, please slow down"}}}}',
        "Error: rate limit exceeded, retry after 20 seconds",
        "openai.RateLimitError: Error code: 429 - rate limit exceeded",
    ),
    "missing_command": (
        "bash: {program}: command not found",
        "/bin/sh: 1: {program}: not found",
        "bash: line 1: {program}: command not found",
        "sh: {program}: command not found",
    ),
    "failed_install": (
        "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by 'NewConnectionError'\nERROR: Could not find a version that satisfies the requirement (from versions: none)\nERROR: No matching distribution found",
        "Err:1 http://mirror.internal/debian bookworm InRelease\n  Temporary failure resolving 'mirror.internal'\nE: Unable to locate package",
        "npm ERR! code ENOTFOUND\nnpm ERR! network request to http://npm.internal failed, reason: getaddrinfo ENOTFOUND npm.internal",
        "Collecting package metadata (current_repodata.json): failed\n\nERROR: Could not install packages due to an OSError: [Errno 101] Network is unreachable",
    ),
    "sandbox_start": (
        "Error: failed to start container for this session: OCI runtime create failed",
        "SandboxError: could not start sandbox on {host}: image pull timed out",
        "docker: Error response from daemon: failed to create task for container: failed to start shim",
        "Error: sandbox is not ready (pod {host}-7f9c stuck in ImagePullBackOff)",
        "RuntimeError: kernel died before the first command could be run",
    ),
}  # fmt: skip
"""What a tool returns in place of its answer. Braces are doubled where they are meant."""

_ROLLOUT_ERRORS: Final[tuple[str, ...]] = (
    "litellm.APIConnectionError: OpenAIException - Connection error.",
    "openai.APIConnectionError: Connection error.",
    "aiohttp.client_exceptions.ServerDisconnectedError: Server disconnected",
    "httpx.ConnectError: [Errno 111] Connection refused",
    "litellm.InternalServerError: VertexAIException - [Errno 104] Connection reset by peer",
    "requests.exceptions.ConnectionError: ('Connection aborted.', RemoteDisconnected('Remote end closed connection without response'))",
)
_JUDGE_ERRORS: Final[tuple[str, ...]] = (
    "judge model returned 500 Internal Server Error",
    "openai.APITimeoutError: Request timed out.",
    "JudgeError: no verdict after 3 attempts (429 Too Many Requests)",
    "aiohttp.ClientConnectorError: Cannot connect to host judge:8000",
)


def rollout_error(rng: Random) -> str:
    """What the harness records when the model could not be reached."""
    return rng.choice(_ROLLOUT_ERRORS)


def judge_error(rng: Random) -> str:
    return rng.choice(_JUDGE_ERRORS)
