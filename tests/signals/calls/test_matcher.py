"""Errors by their shape and class, and the look-alikes that are none."""

import re
from random import Random

import pytest

from blade.signals.calls import matcher
from blade.signals.calls.matcher import INFRASTRUCTURE, field_error, find_errors, find_provider_error, is_execution

ERRORS = [
    ("503 Service Unavailable: the stock service did not answer", "server_error"),
    ("HTTP 502 Bad Gateway", "server_error"),
    ("get_stock: 503 Service Unavailable", "server_error"),  # with the tool's name before it
    ("set_stock: 423 Locked. The store accepts no writes during the failover.", "store_failed"),
    ("litellm.InternalServerError: AnthropicError - Overloaded", "server_error"),
    ("requests.exceptions.HTTPError: 500 Server Error: Internal Server Error for url: http://x", "server_error"),
    ('{"error": {"code": 503, "message": "Service Unavailable"}}', "server_error"),
    ("openai.RateLimitError: Error code: 429 - too fast", "rate_limited"),
    ("429 Too Many Requests", "rate_limited"),
    ('{"error": "rate_limit_exceeded", "retry_after": 3}', "rate_limited"),
    ("Error code: 429 - You exceeded your current quota, please check your plan and billing details.", "quota_exhausted"),
    ("httpx.ReadTimeout: The read operation timed out", "service_timeout"),
    ("Error: request timed out", "service_timeout"),
    ("504 Gateway Timeout", "service_timeout"),
    ("google.api_core.exceptions.DeadlineExceeded: 504 Deadline Exceeded", "service_timeout"),
    ("Error: dial tcp: lookup api.example on 10.0.0.2:53: no such host", "connection_failed"),
    ("ssl.SSLCertVerificationError: certificate verify failed: certificate has expired", "connection_failed"),
    ("litellm.APIConnectionError: [Errno 54] Connection reset by peer", "connection_failed"),
    ("curl: (7) Failed to connect to localhost port 8080: Connection refused", "connection_failed"),
    ("curl: (6) Could not resolve host: packages.example", "connection_failed"),
    ("fatal: unable to access 'https://x/': Could not resolve host: x", "connection_failed"),
    ("Error: HTTP 403 Forbidden", "access_denied"),
    ("401 Unauthorized", "access_denied"),
    ("openai.AuthenticationError: Incorrect API key provided", "access_denied"),
    ("Error: failed to start container for task 7", "sandbox_failed"),
    ("docker: Error response from daemon: failed to create task for container: no such image", "sandbox_failed"),
    ("Error response from daemon: container 4f2a is not running", "sandbox_failed"),
    ("OCI runtime exec failed: exec failed: unable to start container process", "sandbox_failed"),
    ("failed to create shim task: context deadline exceeded: unknown", "sandbox_failed"),
    ('error: unable to upgrade connection: container not found ("main")', "sandbox_failed"),
    ("e2b.exceptions.TimeoutException: The sandbox was not found: it may have timed out", "sandbox_failed"),
    ("modal.exception.SandboxTerminatedError: terminated", "sandbox_failed"),
    ("DaytonaError: Failed to execute command: no IP address found", "sandbox_failed"),
    ("Sandbox sb-12 has already shut down", "sandbox_failed"),
    ("The kernel appears to have died. It will restart automatically.", "sandbox_failed"),
    ("nbclient.exceptions.DeadKernelError: Kernel died", "sandbox_failed"),
    ("Firecracker exited: unexpected vsock close", "sandbox_failed"),
    ("bash: fork: retry: Resource temporarily unavailable", "sandbox_failed"),
    ("no server running on /tmp/tmux-0/default", "sandbox_failed"),
    ("playwright._impl._errors.TargetClosedError: Target page, context or browser has been closed", "sandbox_failed"),
    ("MCP error -32000: Connection closed", "connection_failed"),
    ("MCP error -32001: Request timed out", "service_timeout"),
    ("mcp.shared.exceptions.McpError: Timed out while waiting for response to ClientRequest", "service_timeout"),
    ('{"jsonrpc": "2.0", "error": {"code": -32603, "message": "Internal error"}}', "server_error"),
    ('{"isError": true, "content": [{"type": "text", "text": "connect ECONNREFUSED 10.0.0.1:80"}]}', "connection_failed"),
    ("anyio.ClosedResourceError", "connection_failed"),
    ("httpx.RemoteProtocolError: peer closed the stream", "connection_failed"),
    ("Unable to connect to the server: dial tcp 10.0.0.1:443: i/o timeout", "connection_failed"),
    ("<html>\n<head><title>502 Bad Gateway</title></head>\n<body><h1>502 Bad Gateway</h1></body>\n</html>", "server_error"),
    ("<!DOCTYPE html>\n<html><head>\n<title>api.example | 524: A timeout occurred</title>", "service_timeout"),
    ("<html><head><title>429 Too Many Requests</title></head></html>", "rate_limited"),
    ("no healthy upstream", "server_error"),
    ("Internal Server Error", "server_error"),
    ("error code: 1015", "rate_limited"),
    ('{"message": "Internal server error"}', "server_error"),
    ('{"message": "Endpoint request timed out"}', "service_timeout"),
    ('{"timestamp": 1, "status": 503, "error": "Service Unavailable", "path": "/x"}', "server_error"),
    ("rpc error: code = Unavailable desc = the service goes away", "server_error"),
    ("Error calling tool: operation timed out after 30001 milliseconds", "service_timeout"),
    ("Cannot connect to the Docker daemon at unix:///var/run/docker.sock", "sandbox_failed"),
    ("Killed", "out_of_memory"),
    ("MemoryError: Unable to allocate 8 GiB", "out_of_memory"),
    ("tar: write error: No space left on device", "disk_full"),
    ("sqlite3.OperationalError: database is locked", "store_failed"),
    ("(sqlite3.OperationalError) database is locked [SQL: INSERT INTO journal]", "store_failed"),
    ("psycopg2.errors.ReadOnlySqlTransaction: cannot execute INSERT in a read-only transaction", "store_failed"),
    ("redis.exceptions.ReadOnlyError: READONLY You can't write against a read only replica.", "store_failed"),
    ('{"detail": "Session expired", "session_id": "8d22e0b4", "status": 410}', "session_lost"),
    ('{"error": "invalid_session", "message": "the environment behind this session is gone"}', "session_lost"),
    ("Error: Deadlock found when trying to get lock; try restarting transaction", "store_failed"),
    ("socket.gaierror: [Errno -3] Temporary failure in name resolution", "connection_failed"),
    ("google.api_core.exceptions.Aborted: contention on these documents", "exception"),
    ("bash: line 3: jq: command not found", "missing_command"),
    ("/bin/sh: 1: node: not found", "missing_command"),
    ('{"output": "bash: sudo: command not found", "exit_code": 127, "error": null}', "missing_command"),
    ("FileNotFoundError: [Errno 2] No such file or directory: 'gcc'", "missing_command"),
    ("Collecting erfa\nERROR: No matching distribution found for erfa", "failed_install"),
    ("Reading package lists...\nE: Unable to locate package foo", "failed_install"),
    ("npm ERR! code E404", "failed_install"),
    ("openai.BadRequestError: This model's maximum context length is 8192 tokens", "context_length"),
    ("Command timed out after 60 seconds", "command_timeout"),
    ("Error: unknown tool 'fly'", "unknown_tool"),
    ("Error: user not found", "not_found"),
    ("Error: payment method credit_card_1 not found", "not_found"),
    ("FileNotFoundError: [Errno 2] No such file or directory: 'data.csv'", "not_found"),
    ("ls: cannot access '/x': No such file or directory", "not_found"),
    ("Error: 2 validation errors for Payment", "invalid_arguments"),
    ('{"error": "Invalid tool call arguments: Expecting value"}', "invalid_arguments"),
    ("Error executing tool 'email_send': recipient missing", "tool_error"),
    ("Error: gift card balance is not enough", "tool_error"),
    ("{'error': 'no seat is free'}", "tool_error"),
    ("exitcode: 1 (execution failed)\nCode output: Traceback (most recent call last):\n  ...\nNameError: name 'x' is not defined", "api_misuse"),
    ("  File 'x.py', line 1\nSyntaxError: invalid syntax", "syntax_error"),
    ("Traceback (most recent call last):\n  File 'a.py'\nModuleNotFoundError: No module named 'erfa'", "missing_module"),
]  # fmt: skip

REFUSALS = ["REFUSED save: the slot is taken", "Denied: outside of hours", "[rejected] amount", "Not allowed: the case is closed"]


@pytest.mark.parametrize("text", REFUSALS)
def test_a_short_answer_that_begins_with_a_refusal_is_an_error(text):
    assert [error.decides for error in find_errors(text)] == [True]


@pytest.mark.parametrize(("text", "kind"), ERRORS)
def test_an_error_is_found_and_has_its_class(text, kind):
    assert [error.kind for error in find_errors(text)] == [kind]


LOOK_ALIKES = [
    "Refused by the client on 3 May; accepted on 4 May.",
    "Order W-1: delivered. Refused: none.",
    "The stock service was unavailable last year, and 503 customers complained about connection resets.",
    '{"price": 503.51, "pieces": "500", "status": "connection refused by the customer"}',
    "licences: 500 Server seats are left",
    "invoice: 503 Service hours for March",
    "stock: 423 Locked cabinets",
    "Your cellular service unavailable in this area? Try again: the rate limit of the plan is 429 MB.",
    "def handle(response):\n    if response.status == 503:\n        raise ServiceUnavailable('connection refused')\n    return response",
    "## Errors\n\nThe API returns 429 Too Many Requests when a quota is exceeded, 503 when it is overloaded.\n"
    + "More prose. " * 100,
    "Deadline: Tuesday. The forbidden forest lies to the left. Nobody was killed.",
    "No Connection",
    '[{"flight": "HAT503", "status": "timed out of schedule"}]',
    "2 errors were fixed in this release; see the changelog.",
    "Ask the user for the command not found in the manual.",
    "name: Anna\nnote: not found of late at the desk of her choice",
    "1. Error handling\n2. Timeouts\n3. Rate limiting\n" + "x" * 2000,
    '{"error": null, "exit_code": 0, "output": "all good"}',
    '{"errors": [], "detail": "delivered"}',
    '{"message": "customer updated", "customer_id": "00502"}',
    '{"message": "the line was busy", "sender": "Internal server error"}',
    "Container ships carry most goods over the sea; the pod of whales died out.",
    "Kernel methods map data into a space of more dimensions.",
    "<html><head><title>Rooms 500 and up</title></head><body>503 Service Unavailable</body></html>",
    "<p>502 Bad Gateway is what a proxy says.</p>",
    "",
    "   ",
]


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_words_without_the_shape_of_an_error_are_none(text):
    assert [error for error in find_errors(text) if error.kind in INFRASTRUCTURE] == []
    assert [error for error in find_errors(text) if error.decides] == []


def test_infrastructure_words_in_the_middle_of_a_long_output_are_read_not_met():
    log = "\n".join(["line"] * 400 + ["ConnectionError: connection refused"] + ["line"] * 400)
    assert find_errors(log) == ()
    assert [error.kind for error in find_errors(log + "\nConnectionError: connection refused")] == ["connection_failed"]


def test_a_missing_command_in_the_middle_of_a_long_output_counts():
    log = "\n".join(["line"] * 400 + ["bash: jq: command not found"] + ["line"] * 400)
    assert [(error.kind, error.decides) for error in find_errors(log)] == [("missing_command", False)]


def test_both_ends_of_a_huge_output_are_scanned():
    assert [error.kind for error in find_errors("x\n" * 200_000 + "OSError: [Errno 28] No space left on device")] == ["disk_full"]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("litellm.RateLimitError: too fast", ["rate_limited"]),
        ("I met a litellm.RateLimitError: too fast", []),
        ("ValueError: that is what the user should fix in line 3", []),
        ("Error: I cannot find your order.", []),
        ("TimeoutError: " + "word " * 1000, []),
    ],
)
def test_a_message_is_an_error_only_as_a_whole(text, kinds):
    assert [error.kind for error in find_provider_error(text)] == kinds


def test_a_field_that_is_named_as_an_error_is_one_whatever_its_words():
    assert field_error("went away").kind == "error"
    assert (
        field_error("Traceback (most recent call last):\n ...\nConnectionError: Connection refused").kind == "connection_failed"
    )
    assert field_error("timeout_exceeded").kind == "service_timeout"


def test_what_a_program_printed_is_told_from_what_a_user_says():
    assert is_execution("exitcode: 0 (execution succeeded)\nCode output: 4")
    assert not is_execution("My exit code is 4711.")


def test_passing_over_prose_hides_no_shape():
    """The quick look at a line's first word must let through whatever a shape can begin with."""
    patient = re.compile(rf"\n(?:{matcher._SHAPE.replace(matcher._PROSE, '', 1)})", re.VERBOSE)
    either_case = [re.sub(r"\[([A-Z])([a-z])\]", rf"\{group}", matcher._SHAPE) for group in (1, 2)]
    words = sorted({*re.findall(r"[A-Za-z]{2,}", " ".join(either_case)), "503", "429", "foo", "bar.BazError", "x/y"})
    rng = Random(3)
    for _ in range(20_000):
        ends = (rng.choice((" ", " ", ": ", "(", ".", "")) for _ in range(5))
        line = "\n" + rng.choice(("", "  ", "> ", "[x] ")) + "".join(rng.choice(words) + end for end in ends)
        found, expected = matcher._LATER_LINE.match(line), patient.match(line)
        assert (found and found.groups()) == (expected and expected.groups()), line


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('<Fault code="InvalidValue">\n  <Reason>due_on is not an ISO 8601 date</Reason>\n</Fault>', "tool_error"),
        ("<error>no such claim</error>", "not_found"),
        (
            '<?xml version="1.0"?><s:Envelope><s:Body><s:Fault><faultstring>Internal Server Error</faultstring></s:Fault></s:Body></s:Envelope>',
            "server_error",
        ),
        ('<Errors count="0"/>', None),
        ('<Claim ref="CL-1"><Peril>error of a pilot</Peril></Claim>', None),
    ],
)
def test_faults_in_xml(text, kind):
    assert [(error.kind, error.decides) for error in find_errors(text)] == ([(kind, True)] if kind else [])
