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
    "tool_dns": (
        "socket.gaierror: [Errno -3] Temporary failure in name resolution",
        "Error: getaddrinfo EAI_AGAIN backend.tools.svc.cluster.local",
        "curl: (6) Could not resolve host: backend.tools.svc.cluster.local",
        '{{"error": "dial tcp: lookup backend.tools.svc.cluster.local on 10.96.0.10:53: no such host", "tool": "{tool}"}}',
        "httpx.ConnectError: [Errno -2] Name or service not known",
    ),
    "tool_certificate": (
        "ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has expired (_ssl.c:1006)",
        "curl: (60) SSL certificate problem: certificate has expired",
        '{{"error": "x509: certificate has expired or is not yet valid: current time is after notAfter", "call": "{tool}"}}',
        "Error: CERT_HAS_EXPIRED: certificate has expired at TLSSocket.onConnectSecure (node:_tls_wrap:1674:34)",
    ),
    "stale_session": (
        "Error: session 5f1c9a07 not found. It may have been garbage-collected; create a new session.",
        '{{"detail": "Session expired", "session_id": "8d22e0b4", "status": 410}}',
        "SessionNotFound: no active session for this rollout on {host}",
        "McpError: Session terminated (code -32600) while handling {tool}",
        '{{"error": "invalid_session", "message": "the environment behind this session is gone"}}',
    ),
    "disk_full": (
        "OSError: [Errno 28] No space left on device",
        "sqlite3.OperationalError: database or disk is full",
        "write error: No space left on device",
        "tee: /tmp/out.log: No space left on device",
        "Error: ENOSPC: no space left on device, write",
    ),
    "tool_killed": (
        "Killed",
        "/bin/bash: line 1:   317 Killed                  (exit code 137)",
        "Command terminated by signal 9 (OOMKilled: true, exit code 137)",
        "fatal: out of memory, process killed by cgroup limit (memory.max 2147483648)",
    ),
    "readonly_store": (
        "psycopg2.errors.ReadOnlySqlTransaction: cannot execute INSERT in a read-only transaction",
        '{{"error": "ERROR 1290 (HY000): The MySQL server is running with the --read-only option so it cannot execute this statement"}}',
        "redis.exceptions.ReadOnlyError: READONLY You can't write against a read only replica.",
        "{tool}: 423 Locked. Failover in progress, the store accepts no writes until a new primary is elected.",
        "pymongo.errors.NotPrimaryError: not primary and secondaryOk=false, full error: {{'code': 10107, 'codeName': 'NotWritablePrimary'}}",
    ),
}  # fmt: skip
"""What a tool returns in place of its answer. Braces are doubled where they are meant."""
STOPS: Final[dict[str, tuple[str, ...]]] = {
    "half_answers": (
        "What {tool} returns breaks off in the middle, both times. I can't rely on half of it, so I stop here.",
        "The output of {tool} is incomplete again. Without the rest I cannot finish this.",
        "Both answers of {tool} ended mid-line, so the information I need is missing. Left unfinished.",
        "I only get the beginning of what {tool} sends and can't go on with that.",
    ),
    "readonly_store": (
        "The lookups work, but {tool} can't save anything at the moment. The change has not been made.",
        "I had everything ready, yet the system takes no changes right now. Nothing was saved.",
        "{tool} was turned down twice because the store is read-only. Please repeat this later.",
        "Saving is not possible at present, so the request is still open.",
    ),
}
"""What agents say who stop because of trouble of their own kind."""
RETRIES: Final[dict[str, tuple[str, ...]]] = {}
"""What agents say who try again, where they saw no error."""

BEGINNINGS: Final[tuple[str, ...]] = (
    "Let me first check the record that this is about before anything is entered.",
    "I have the entry now, and with that I can go on to the next step of the request.",
    "Looking at what came back, the details agree with what the message says, so I will continue.",
    "According to the record, this is the one that was meant. What remains is to put it in.",
    "Here is what I found so far in the records for this request, and what follows from it.",
    "The request mentions everything that is needed, apart from the identifier, which I am going to look up.",
)
"""What agents were saying when the connection to their model was lost."""

_ROLLOUT_ERRORS: Final[tuple[str, ...]] = (
    "litellm.APIConnectionError: OpenAIException - Connection error.",
    "openai.APIConnectionError: Connection error.",
    "aiohttp.client_exceptions.ServerDisconnectedError: Server disconnected",
    "httpx.ConnectError: [Errno 111] Connection refused",
    "litellm.InternalServerError: VertexAIException - [Errno 104] Connection reset by peer",
    "requests.exceptions.ConnectionError: ('Connection aborted.', RemoteDisconnected('Remote end closed connection without response'))",
)
_OVERLOADS: Final[tuple[str, ...]] = (
    "anthropic.APIStatusError: Error code: 529 - {'type': 'error', 'error': {'type': 'overloaded_error', 'message': 'Overloaded'}}",
    "litellm.InternalServerError: AnthropicError - Overloaded",
    "google.api_core.exceptions.ResourceExhausted: The model is overloaded. Please try again later.",
    "openai.InternalServerError: Error code: 503 - {'error': {'message': 'That model is currently overloaded with other requests.'}}",
    "vllm.engine: request rejected, queue is full (max_num_seqs reached, waiting: 4096)",
)
_DEAD_ENGINES: Final[tuple[str, ...]] = (
    "vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue. See stack trace (above) for the root cause.",
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.16 GiB. GPU 3 has a total capacity of 79.11 GiB of which 412.00 MiB is free.",
    "RuntimeError: CUDA error: an illegal memory access was encountered",
    "torch.distributed.DistBackendError: NCCL error: unhandled cuda error, remote process exited or there was a network error",
    "sglang: scheduler hit an exception, the server process was terminated (exit code -9)",
)
_REJECTED_KEYS: Final[tuple[str, ...]] = (
    "openai.AuthenticationError: Error code: 401 - {'error': {'message': 'Incorrect API key provided.', 'code': 'invalid_api_key'}}",
    "litellm.AuthenticationError: AzureException - Access denied due to invalid subscription key or wrong API endpoint.",
    "openai.NotFoundError: Error code: 404 - {'error': {'code': 'DeploymentNotFound', 'message': 'The API deployment for this resource does not exist.'}}",
    "openai.PermissionDeniedError: Error code: 403 - {'error': {'message': 'Project does not have access to this model.'}}",
)  # fmt: skip
_JUDGE_ERRORS: Final[tuple[str, ...]] = (
    "judge model returned 500 Internal Server Error",
    "openai.APITimeoutError: Request timed out.",
    "JudgeError: no verdict after 3 attempts (429 Too Many Requests)",
    "aiohttp.ClientConnectorError: Cannot connect to host judge:8000",
)
_JUDGE_CRASHES: Final[tuple[str, ...]] = (
    'Traceback (most recent call last):\n  File "/app/grading/rubric_judge.py", line 88, in parse\n    return json.loads(text)\njson.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)',
    'Traceback (most recent call last):\n  File "/app/grading/rubric_judge.py", line 95, in parse\n    score = verdict["score"]\nKeyError: \'score\'',
    "pydantic_core._pydantic_core.ValidationError: 1 validation error for RubricVerdict\npoints\n  Input should be a valid number, unable to parse string as a number",
    "AttributeError: 'NoneType' object has no attribute 'group' (rubric_judge.py:102)",
)
_LOST_NODES: Final[tuple[str, ...]] = (
    "ray.exceptions.NodeDiedError: Task was killed because its node {host} died (expected termination: preemption)",
    "ray.exceptions.WorkerCrashedError: The worker died unexpectedly while executing this task on {host}.",
    "slurmstepd: error: *** STEP CANCELLED ON {host} DUE TO PREEMPTION ***",
    "kubernetes: pod evicted from {host} (node was low on resource: memory); rollout aborted",
)


def rollout_error(rng: Random) -> str:
    """What the harness records when the model could not be reached."""
    return rng.choice(_ROLLOUT_ERRORS)


def overload(rng: Random) -> str:
    """What the harness records when the model's endpoint had too much to do."""
    return rng.choice(_OVERLOADS)


def dead_engine(rng: Random) -> str:
    """What the harness records when the engine that serves the model died."""
    return rng.choice(_DEAD_ENGINES)


def rejected_key(rng: Random) -> str:
    """What the harness records when the model's endpoint did not let it in."""
    return rng.choice(_REJECTED_KEYS)


def lost_node(host: str, rng: Random) -> str:
    """What the harness records when the node of a rollout went away."""
    return rng.choice(_LOST_NODES).format(host=host)


def judge_error(rng: Random) -> str:
    return rng.choice(_JUDGE_ERRORS)


def judge_crash(rng: Random) -> str:
    """What the grader leaves behind when it could not read its own judge's verdict."""
    return rng.choice(_JUDGE_CRASHES)
