r"""Error texts in tool outputs and in the row's own error fields: found by shape, then told apart by class.

Words alone prove nothing: "connection", "quota" and "503" stand in stories, prices, code and documentation. So a text is an error
only where it has the *shape* of one: an exception class or the word Error at the start of an output or a line, a status code
with its phrase, what a shell or an installer prints, a wrapper that says so of itself (`refusals`). One expression finds such lines in one pass
(it is entered at line starts only, which is what makes it quick and linear), and only the lines it finds are classified.

Infrastructure words count in the first line of an output and in its last lines, where failures are reported; in the middle of a
long output they belong to a log, a page or a program that somebody reads. Shell and installer messages count anywhere.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import msgspec

from blade.signals.calls.refusals import in_words, is_suspect, refusal, refused
from blade.signals.repeats import once_for_repeats

MAX_SCANNED: Final = 64_000
"""Characters of one output that are scanned: this many at the beginning and as many at the end."""
MAX_ERRORS: Final = 8
"""Errors kept of one output, the first of each class."""
TAIL: Final = 800
"""Characters at the end of an output that count as its last lines."""
MAX_LINE: Final = 400
JSON_ENDS: Final = 400
"""Characters at either end of a JSON output in which its status fields are looked for."""
SMALL_OBJECT: Final = 4
"""Keys up to which a JSON object can be a gateway's answer in place of the tool's."""
MAX_PAGE_HEAD: Final = 2_000
MAX_PROVIDER_MESSAGE: Final = 1_500
"""A message of the assistant that is nothing but a provider's error is short."""

INFRASTRUCTURE: Final = frozenset(
    [
        "server_error",
        "rate_limited",
        "quota_exhausted",
        "service_timeout",
        "connection_failed",
        "access_denied",
        "sandbox_failed",
        "out_of_memory",
        "disk_full",
        "store_failed",
        "session_lost",
        "missing_command",
        "failed_install",
    ]
)
"""Classes that speak of the machinery and not of what the model did."""
PROVIDER: Final = frozenset(
    ["server_error", "rate_limited", "quota_exhausted", "service_timeout", "connection_failed", "access_denied", "context_length"]
)
ARGUMENT_CLASSES: Final = frozenset(["unknown_tool", "invalid_arguments", "not_found", "tool_error"])
"""Classes that answer what the model asked for: the tool worked and said no."""


@dataclass(frozen=True, slots=True)
class ErrorText:
    """A line of an output that reports an error. `decides` where it is what the whole output comes to."""

    kind: str
    line: str
    decides: bool


_STATUS: Final = r"(?:HTTP(?:/[\d.]+)?|status(?:[ _]?code)?|error code|code|response)\W{1,3}"

# The first class that matches wins, so the particular stand before the general.
_CLASSES: Final[tuple[tuple[str, str], ...]] = (
    ("context_length", r"context[ _](?:length|window)|maximum context|prompt is too long|too many tokens|ContextWindowExceeded|reduce the length of the|maximum (?:model|allowed|input|sequence|token) length|max_model_len"),
    ("disk_full", r"No space left on device|ENOSPC|disk quota exceeded|disk (?:is )?full"),
    ("out_of_memory", r"\bout of memory\b|OutOfMemory|OOM[ -]?kill|\bMemoryError\b|cannot allocate memory|bad_alloc|memory limit exceeded|(?-i:^(?:\S+: line \d+: +\d+ )?Killed\b)"),
    ("store_failed", r"database (?:table |file )?is locked|read[- ]?only (?:transaction|replica|database|node|mode|standby|option)\b|(?-i:\bREADONLY\b|ReadOnlyError)|ReadOnly\w*Transaction|NotPrimary|not (?:the )?primary\b.{0,20}(?:secondary|writ|node)|deadlock (?:detected|found)|lock wait timeout|could not (?:obtain|acquire) (?:a |the )?lock|too many (?:connections|clients|open files)|remaining connection slots|connection pool (?:is )?(?:exhausted|full)|QueuePool limit|could not serialize access|disk I/O error|database disk image is malformed|\bEMFILE\b|\b423 Locked\b|accept(?:s|ing)? no writes|(?:does ?n[o']t|not|no longer) accept(?:ing)? writes|new primary is elected|can(?:'t|not) start new thread"),
    ("session_lost", r"\bsession\b.{0,30}\b(?:(?:has |is |was )?expired|is gone|no longer (?:exists|valid)|(?:was|has been) (?:closed|terminated|evicted))|\b(?:invalid|expired|stale|unknown)[ _]session\b|\bSession(?:Expired|NotFound|Closed|Terminated)"),
    ("quota_exhausted", r"insufficient[ _]quota|exceeded your (?:current |monthly )?quota|quota (?:has been )?exceeded|credit balance is too low|out of credits|billing (?:hard )?limit|plan and billing|402 Payment Required|ResourceExhausted"),
    ("rate_limited", rf"rate[ _-]?limit|too many requests|RateLimitError|(?:{_STATUS}|^)429\b|error code: 1015\b|throttl(?:ed|ing)"),
    ("failed_install", r"No matching distribution found|Could not find a version that satisfies|Unable to locate package|has no installation candidate|npm (?:ERR!|error)|subprocess-exited-with-error|Failed (?:to build|building wheel)|Failed to fetch https?:|ResolutionImpossible|externally-managed-environment|PackagesNotFoundError|Could not install packages"),
    ("sandbox_failed", r"(?:fail(?:ed|ure)|unable|could not|cannot|error)\b.{0,40}\b(?:start|creat|launch|provision|initiali[sz]|spawn|connect to|reach|pull|resum|attach)\w*\b.{0,40}\b(?:sandbox|container|docker|pod|virtual machine|(?:micro)?vm|kernel|browser|daemon|shim|workspace|image)\b"
     r"|(?:sandbox|container|kernel|(?:micro)?vm|browser|workspace)\b.{0,40}\b(?:(?:is|was) not (?:running|found|started|reachable)|not ready|died|is dead|(?:have|has) died|crashed|expired|was (?:terminated|killed|evicted|stopped)|failed to start|exited unexpectedly|(?:already |has )shut ?down|entered error state|in error state|(?:has been|was) closed|did ?n[o']t respond)"
     r"|(?-i:ImagePullBackOff|ErrImagePull|CrashLoopBackOff|CreateContainer(?:Config)?Error|FailedScheduling|\b\w*Sandbox\w*(?:Error|Exception)\b|DeadKernelError|DaytonaError|DeploymentNotStarted|TargetClosedError|SessionNotCreated\w*)"
     r"|OCI runtime|no such container|error response from daemon|docker daemon running|nodes are available|firecracker.{0,40}(?:exited|panicked|failed)|/dev/kvm|fork: (?:retry: )?resource temporarily|no server running on /|lost server|error dialing backend|unable to upgrade connection|chrome not reachable|DevToolsActivePort"),
    ("missing_command", r"command not found|bad interpreter|executable file not found|not recognized as an internal or external command|^(?:/\S+/)?(?:ba|da|z|k)?sh: (?:line )?\d+: \S+: not found|command '\w+' failed: No such file"),
    ("command_timeout", r"(?:command|execution|process|script|code|cell|program|test)s? (?:has |have |was )?(?:timed out|timeout|exceeded)|TimeoutExpired|time limit exceeded|(?<!operation )(?<!connection )(?<!request )(?<!read )timed out after \d"),
    ("connection_failed", r"connection (?:was )?(?:refused|reset|aborted|error|closed|timed out|failed)|ECONN(?:REFUSED|RESET|ABORTED)|EAI_AGAIN|\bAPIConnectionError|\bConnect(?:ion)?(?:Reset|Refused|Aborted)?Error\b|RemoteDisconnected|Server ?Disconnected|broken ?pipe|could not resolve|name or service not known|name resolution|getaddrinfo|network is unreachable|no route to host|max retries exceeded|establish a new connection|socket hang up|failed to connect|cannot connect to host|unable to connect to the server|ClosedResourceError|BrokenResourceError|RemoteProtocolError|ChunkedEncodingError|IncompleteRead|client_loop: send disconnect|exchange_identification|(?-i:net::ERR_(?:CONNECTION|NAME_NOT|PROXY|NETWORK|INTERNET|TIMED|SSL)\w*)|(?-i:TypeError: fetch failed)|SSLError|EOF occurred in violation|no such host|\bgaierror\b|certificate (?:has expired|verify failed|is not yet valid|signed by unknown authority)|CERTIFICATE_VERIFY_FAILED|\bx509: "),
    ("service_timeout", r"\bno (?:consumer|worker)s? (?:attached|available|running)|waiting for a (?:free )?worker|not started after \d+ ?s\b|(?:read|connect|write|pool|api|gateway|request|socket)[ _]?time(?:d[ _])?-?out|deadline[ _]?exceeded|ETIMEDOUT|upstream request timeout|upstream server is timing out|operation timed out|endpoint request timed out|i/o timeout|timed out while waiting for response|52[24]: a timeout occurred|^(?:\w+\.)*TimeoutError\b|_timeout\b|timeout_exceeded|^timed out$"),
    ("server_error", rf"(?:{_STATUS}|^)5\d\d\b|(?-i:\bBad Gateway|\bService (?:Temporarily )?Unavailable|\bInternal Server Error|\bInternalServerError|\bServiceUnavailable|\bBadGateway|\bAPIError\b)|\b5\d\d server error|(?:^|error[: ]+)internal server error|^bad gateway|^service unavailable|service is currently unavailable|backend fetch failed|no healthy upstream|invalid response was received from the upstream|ring-balancer|INTERNAL_ERROR|StatusCode\.(?:UNAVAILABLE|INTERNAL)|rpc error: code = (?:Unavailable|Internal|Unknown|Aborted)|-32603\b|upstream connect error|overloaded_error|server is overloaded"),
    ("access_denied", rf"(?:{_STATUS}|^)40[13]\b|40[13] client error|invalid[ _]api[ _]key|incorrect api key|AuthenticationError|PermissionDeniedError|(?-i:^Unauthorized\b|^Forbidden\b|401 Unauthorized|403 Forbidden)|access denied for user"),
    ("unknown_tool", r"\b(?:no|unknown|invalid|unsupported|unrecognized) (?:such )?(?:tool|function|action)\b(?! call)|\btool\b.{0,60}(?:not found|does not exist|is not available|not registered)|no tool named"),
    ("syntax_error", r"SyntaxError|IndentationError|TabError|syntax error|invalid syntax|ParseError|no such column|no such table"),
    ("api_misuse", r"^(?:\w+\.)*(?:AttributeError|ImportError)\b|(?:unrecogni[sz]ed|unknown|invalid|illegal|unsupported|no such|unexpected) (?:command[- ]line )?(?:option|flag|switch|argument)s?(?: --| -- |:? ['\"‘`-]|: --?\w)|unknown shorthand flag|unknown (?:sub)?command|is not a \S+ command|unexpected keyword argument|missing \d+ required|takes \d+ positional|cannot import name|has no attribute|NameError|is not a function|NoSuchMethod"),
    ("missing_module", r"ModuleNotFoundError|No module named|Cannot find module|InterpreterError.{0,80}import"),
    ("invalid_arguments", rf"validation error|invalid (?:tool call )?arguments?|missing required|field required|is not of type|ValidationError|invalid (?:format|value|date|json|input|parameter|type)|bad request|(?:{_STATUS}|^)4(?:00|22)\b"),
    ("not_found", rf"not found|does ?n[o']t exist|no such|not available|cannot find|could not find|KeyError|FileNotFoundError|cannot access|(?:{_STATUS}|^)404\b"),
)  # fmt: skip
_CLASSIFIER: Final = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _CLASSES)

# A command that is missing shows as a missing file where a program tried to start it.
_MISSING_EXECUTABLE: Final = re.compile(
    r"No such file or directory: b?'(?:gcc|g\+\+|cc|clang|git|node|npm|npx|java|javac|make|cmake|curl|wget|docker|pip3?|python3?|cargo|rustc|go|tmux|"
    r"ffmpeg|iverilog|vvp|verilator|yosys|latex|pdflatex|gdb|perl|ruby|bash|sudo|apt(?:-get)?|which|R|Rscript|dot|sqlite3|psql|mysql)'"
)

_DECORATION: Final = r"[ \t]*+(?:>{1,3}[ ]?|\[[\w ]{1,16}\][ :]?|E[ ]{1,4}|\((?=[a-z]\w*\.)|(?:Code[ ]output|Observation|stderr|STDERR|Output):[ ]?)?"
_EXCEPTION_END: Final = (
    "(?:"
    + "|".join(
        f"(?<={end})"
        for end in ("Error", "Exception", "Timeout", "Exceeded", "Expired", "Unavailable", "Refused", "Interrupt", "Privileges")
    )
    + ")"
)
# Most lines begin with a word in small letters, or with a sign, that begins none of the shapes: one look passes them over.
_IN_SMALL: Final = (
    r"error|fatal|fail|exception|npm|connection|service|rate|out[ ]|timed|upstream|[45]\d\d[ ]|rpc[ ]|stream[ ]|no[ ]|lost[ ]"
    r"|sandbox|kernel|container|pod[ ]|firecracker|workspace"
)
_PROSE: Final = rf"(?:(?![a-z0-9_./+-]*+[^\w./+:-])|(?={_IN_SMALL}))"
_SURELY_PROSE: Final = rf"[ \t]*+(?!{_IN_SMALL})[a-z0-9_]++[ ,;\"\n]"
"""The same of a whole line, asked before anything else, for this is what most lines of most outputs are."""
_STATUS_LINE: Final = (
    r"(?:HTTP(?:/[\d.]{1,3})?[ ])?[45]\d\d[ ](?:Bad[ ](?:Request|Gateway)|(?:Service|Temporarily)[ ]Unavailable|(?:Internal[ ])?Server[ ]Error|Gateway[ ]Time-?[Oo]ut"
    r"|Too[ ]Many[ ]Requests|Unauthorized|Forbidden|Not[ ](?:Found|Acceptable|Implemented|Allowed)|Payment[ ]Required|Request[ ]Time-?[Oo]ut|Conflict|Gone|Locked"
    r"|Unprocessable[ ](?:Entity|Content)|Precondition[ ]Failed|Method[ ]Not[ ]Allowed|Failed[ ]Dependency|Proxy[ ]Authentication[ ]Required)(?=[ ]*(?:[^\w ]|$))"
)
"""A status code with its whole reason: behind a tool's name `get: 404 Not Found` is one, and `licences: 500 Server seats` a figure of what is listed."""
_SHAPE: Final = rf"""{_DECORATION}{_PROSE}(?:
      (?P<exception> (?!(?:Error|Exception|ERROR)\b) (?:[a-z_]\w*+\.)*+ [A-Z]\w*+ (?:\.[A-Z]\w*+)*+ (?=:|[ ]-|\(|\)[ ]|[ \t]*(?:\n|\Z)) {_EXCEPTION_END} )
    | (?P<raised> (?:[a-z_]\w*+\.)*+ [A-Z]\w*+ (?=:[ ]) (?:(?<=Violation)|(?<=Denied)|(?<=Conflict)|(?<=NotFound)|(?<=Mismatch)|(?<=Rejected)|(?<=Aborted))
                  | (?:[a-z_]\w*\.){{0,4}}? (?: (?:errors?|exceptions?|exc)\.[A-Z]\w*+ | [a-z_]\w*\.[a-z]{{2,}}error ) (?=:[ ]) )
    | (?P<loose> (?:(?:Tool|Execution|Runtime|Internal|Server|API|HTTP|Request|Command|Network|Unexpected|An|A|Fatal|MCP|rpc|stream)[ ])?
                 (?:[Ee]rror|ERROR|[Ff]atal|FATAL|[Ff]ailed|FAILED|[Ff]ailure|[Ee]xception)
                 (?=:|[ ](?:in|while|when|executing|calling|running|code|occurred|to|during|-?\d|from|with|connecting|creating|starting|response|dialing|POSTing|-|\()|s?[ ]?\() )
    | (?:[a-z][\w.-]{{1,40}}+:[ ](?={_STATUS_LINE}))?+ (?P<status> (?:HTTP(?:/[\d.]{{1,3}})?[ ])? [45]\d\d [ ]
                  (?:Bad|Service|Internal|Gateway|Too|Unauthorized|Forbidden|Not[ ]|Client|Server|Payment|Request|Proxy|Conflict|Gone|Locked|Unprocessable|Precondition|Method[ ]Not|Failed[ ]Dep) )
    | (?P<install> npm[ ](?:ERR!|error) | E:[ ](?:Unable|Package|Failed|Could) | error:[ ]subprocess-exited )
    | (?P<bare> (?:Killed|Unauthorized|Forbidden|[Cc]onnection[ ](?:refused|reset)|[Ss]ervice[ ]Unavailable|Bad[ ]Gateway|[Rr]ate[ ]limit[ ]exceeded
                 |Too[ ]Many[ ]Requests|[Oo]ut[ ]of[ ]memory|Command[ ]timed[ ]out|Request[ ]timed[ ]out|curl:[ ]\(\d+\)|ssh:[ ]connect
                 |No[ ]space[ ]left[ ]on[ ]device|Cannot[ ]connect[ ]to[ ]the[ ]Docker|upstream[ ](?:connect|request[ ]timeout)|timed[ ]out|OCI[ ]runtime|Internal[ ]Server[ ]Error
                 |Gateway[ ]Time-?out|no[ ]healthy[ ]upstream|no[ ]server[ ]running[ ]on|lost[ ]server|Unable[ ]to[ ]connect[ ]to[ ]the[ ]server)
                (?![a-z]) )
    | (?P<machine> (?:The[ ])?(?:[Ss]andbox|[Kk]ernel|[Cc]ontainer|[Pp]od|VM|[Mm]icroVM|[Ff]irecracker|[Ww]orkspace)[ ](?=\S) )
    | (?P<traceback> Traceback[ ]\(most[ ]recent )
    | (?P<exit> exitcode:[ ][1-9]\d*[ ]\(execution[ ]failed )
    | (?P<shell> (?:[\w./+-]++:[ ])(?=\S) )
    )"""
_FIRST_LINE: Final = re.compile(_SHAPE, re.VERBOSE)
_LATER_LINE: Final = re.compile(rf"\n(?!{_SURELY_PROSE})(?:{_SHAPE})", re.VERBOSE)
_JSON_SECOND: Final = tuple("{}[]\" '0123456789-")
_FAULT: Final = re.compile(
    r"\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<(?:\w+:)?Envelope\b[^>]{0,300}>\s*<(?:\w+:)?Body\b[^>]{0,200}>\s*)?"
    r"<(?:\w+:)?(?:Fault|Error|Exception|ErrorResponse|ErrorMessage|fault|error|exception)\b"
)
"""An answer in XML that is an error: its outermost element says so, or the first one of a SOAP body."""
_TAG: Final = re.compile(r"<[^<>]{0,300}>")
_EXECUTION: Final = re.compile(r"exitcode: \d|Execution (?:result|output)|\[?(?:stdout|stderr)\]?:", re.IGNORECASE)
_JSON_MARKS: Final = ('"error', '"stderr"', '"exit_code"', '"returncode"', '"detail"', '"is_error"', '"exitCode"', '"isError"')
_REPR_ERROR: Final = re.compile(r"""\s*\{\s*['"](?:error|error_message)['"]\s*:\s*(?!None|null|false|False|''|"")""")
_SHELL_PHRASES: Final = (
    "command not found",
    ": not found",
    "No such file",
    "bad interpreter",
    "cannot access",
    "ermission denied",
    "No space left",
    "annot allocate",
    "rror response from daemon",
    "rpc error: code",
    "OCI runtime",
    "fork: ",
    "closed by remote host",
    "send disconnect",
    "ecognized option",
    "ecognised option",
    "ecognized argument",
    "nvalid option",
    "llegal option",
    "nknown option",
    "nknown flag",
    "nknown shorthand flag",
    "no such option",
    "nknown command",
    "yntax error",
)
_SHELL_PHRASE: Final = re.compile("|".join(map(re.escape, _SHELL_PHRASES)))
_PAGE: Final = re.compile(
    r"<(?:title|h1)>\s*(?:[^<|]{0,80}\|\s*)?((?:HTTP )?(?:Error )?(?:50[0-4]|52[0-7]|429|40[1348])\b[^<]{0,120}|(?:Bad Gateway|Service Unavailable|Internal Server Error)[^<]{0,80})</",
    re.IGNORECASE,
)
"""A proxy's error page, which says so in its title or headline."""
_OUTPUT_FIELDS: Final = ("stderr", "output", "stdout", "content", "result", "message")


@lru_cache(maxsize=2048)
def classify(line: str) -> str | None:
    """The class of a text that is known to be an error; None where it fits none in particular. Tools say the same again and again."""
    if _MISSING_EXECUTABLE.search(line):
        return "missing_command"
    return next((kind for kind, pattern in _CLASSIFIER if pattern.search(line)), None)


def is_execution(text: str) -> bool:
    """Whether a message is what a program printed, handed on as if a user had said it."""
    return _EXECUTION.match(text) is not None


def find_errors(text: str) -> tuple[ErrorText, ...]:
    """The errors that a tool's output reports, in order, the first of each class."""
    if not text:
        return ()
    if len(text) > 2 * MAX_SCANNED:
        text = text[:MAX_SCANNED] + "\n" + text[-MAX_SCANNED:]
    head = text[:16].lstrip()[:1]
    if head == "{" and (inner := _in_object(text)) is not None:
        return inner
    if head == "<":
        page = _PAGE.search(text, 0, MAX_PAGE_HEAD)
        if page is not None:
            line = " ".join(page[1].split())[:MAX_LINE]
            return (_whole(line),)
        if _FAULT.match(text) or refused(text):
            line = " ".join(_TAG.sub(" ", text[:MAX_PAGE_HEAD]).split())[:MAX_LINE] or " ".join(text.split())[:MAX_LINE]
            return (_whole(line),)
    elif head != "{" and refused(text):
        return (_whole(" ".join(text.split())[:MAX_LINE]),)
    if head and head in "{[" and "\n" not in text and text.lstrip()[1:2] in _JSON_SECOND:
        return ()
    return _scan(text)


@once_for_repeats
def _in_object(text: str) -> tuple[ErrorText, ...] | None:
    """The errors of an answer laid out as an object, None where it is to be read as a text; lookups are made and answered again with every repeat."""
    ends = text if len(text) <= 2 * JSON_ENDS else text[:JSON_ENDS] + text[-JSON_ENDS:]
    if any(mark in ends for mark in _JSON_MARKS) or (len(text) <= 2 * JSON_ENDS and '"message"' in text) or is_suspect(ends):
        inner = _from_json(text)
        if inner is not None:
            return inner
    return (_whole(text.strip()[:MAX_LINE]),) if _REPR_ERROR.match(text) else None


def _whole(line: str) -> ErrorText:
    """An answer that is nothing but an error."""
    return ErrorText(classify(line) or "tool_error", line, True)


def find_provider_error(text: str) -> tuple[ErrorText, ...]:
    """The provider's error that stands where the assistant's answer should: the whole message is an exception of that class."""
    if len(text) > MAX_PROVIDER_MESSAGE:
        return ()
    found = _FIRST_LINE.match(text)
    if found is None or not (found["exception"] or found["status"]):
        return ()
    line = text[found.start(found.lastgroup or 0) :][:MAX_LINE]
    kind = classify(line)
    return (ErrorText(kind, line, True),) if kind in PROVIDER else ()


def field_error(text: str) -> ErrorText:
    """The text of a field that is named as an error; its class is `error` where the words fit none."""
    line = text.strip()
    # A traceback says what went wrong in its last line, a message in its first.
    shown = line.splitlines()[-1] if line.startswith("Traceback") and "\n" in line else line
    return ErrorText(classify(shown[:2_000]) or "error", shown[:MAX_LINE], True)


def _scan(text: str) -> tuple[ErrorText, ...]:
    found: dict[str, ErrorText] = {}
    first = _FIRST_LINE.match(text)
    if first is not None:
        _take(found, text, first, opens=True)
    tail = len(text) - TAIL
    for match in _LATER_LINE.finditer(text):
        _take(found, text, match, opens=False, ends=match.start() >= tail, broken=first is not None)
        if len(found) >= MAX_ERRORS:
            break
    return tuple(found.values())


def _take(
    found: dict[str, ErrorText], text: str, match: re.Match[str], opens: bool, ends: bool = False, broken: bool = False
) -> None:
    shape = match.lastgroup or ""
    start = match.start(shape)
    end = text.find("\n", match.end())
    line = text[start : min(end if end >= 0 else len(text), start + MAX_LINE)]
    if shape == "shell" and _SHELL_PHRASE.search(line) is None:
        return
    if shape in ("traceback", "exit"):
        # The exception that ends the traceback is the error; this line only says that there is one.
        if opens:
            last = text.rstrip().rpartition("\n")[2].strip()
            ended = classify(last) or "exception"
            found.setdefault(ended, ErrorText(ended, (last or line)[:MAX_LINE], True))
        return
    if shape == "machine" and not (opens and classify(line) == "sandbox_failed"):
        return  # a sentence about a container is an error only where it is the answer, and says what became of it
    kind = classify(line) or ("exception" if shape in ("exception", "raised") else "tool_error" if opens else None)
    if kind is None or kind in found:
        return
    anywhere = shape in ("shell", "install") or kind == "failed_install"
    if not (opens or ends or anywhere or broken):
        return
    if shape == "shell" and kind not in INFRASTRUCTURE and not opens:
        return
    decides = opens or (ends and shape == "exception")
    if not decides and kind not in INFRASTRUCTURE and shape != "exception":
        return
    found[kind] = ErrorText(kind, line, decides)


def _from_json(text: str) -> tuple[ErrorText, ...] | None:
    """The errors of an output that is a JSON object: its `error`, or those in the text that a program printed. None if it is no object."""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    found: dict[str, ErrorText] = {}
    told = refusal(value)
    if told is None and (value.get("is_error") or value.get("isError")):
        told = in_words(value.get("message") or value.get("content") or "")
    if told is None and isinstance(value.get("detail"), str) and set(value) == {"detail"}:
        told = value["detail"]
    if told is None and isinstance(said := value.get("message"), str):
        kind = classify(said[:MAX_LINE])
        # A gateway answers with nothing but a message; a tool's own message is another matter.
        if (kind in PROVIDER and len(value) <= SMALL_OBJECT) or (kind is not None and _nothing_else(value)):
            told = said
    if told:
        error = _whole(told[:MAX_LINE])
        found[error.kind] = error
    for name in _OUTPUT_FIELDS:
        printed = value.get(name)
        if isinstance(printed, str) and printed:
            for error in _scan(printed):
                found.setdefault(error.kind, error)
    return tuple(found.values())[:MAX_ERRORS]


def _nothing_else(value: dict[str, Any]) -> bool:
    """Whether an object holds a message beside what is empty."""
    return len(value) > 1 and all(inner is None or inner in ("", [], {}) for name, inner in value.items() if name != "message")
