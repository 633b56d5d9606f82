"""How the run of a program ended, as a test runner tells it: one word for the many wordings of the same end.

Runners of programs (judges of programming contests, test beds of code benchmarks) report the first case that failed: a message, what was expected and
what came out. The message holds the values of the case, so it is another one each time; how the program failed is one of a few things, and that is
what repeats and tasks have in common. A message that says none of them keeps its own first words.
"""

import re
from typing import Final

TIME, MEMORY, COMPILE, SILENT, WRONG = (
    "time limit exceeded",
    "memory limit exceeded",
    "does not compile",
    "prints nothing",
    "wrong output",
)
CRASH: Final = "crashes"
_TIME: Final = re.compile(r"\btime[ _-]?limit|\btimed?[ _-]?out\b|timeout(?:exception|error|expired)|\bTLE\b", re.IGNORECASE)
_MEMORY: Final = re.compile(r"\bmemory[ _-]?limit|\bMemoryError\b|\bout of memory\b|\bMLE\b", re.IGNORECASE)
_COMPILE: Final = re.compile(
    r"\b(?:Syntax|Indentation|Tab)Error\b|\bcompil(?:e|ation)[ _-]?(?:error|failed|failure)|expected an indented block|invalid syntax|unexpected indent"
    r"|unindent does not match|unterminated (?:string|triple-quoted)|\bwas never closed\b|unexpected EOF",
    re.IGNORECASE,
)
_RAISED: Final = re.compile(r"\b([A-Z][A-Za-z]*(?:Error|Exception|Interrupt|Exit|Overflow)|SIG[A-Z]{3,5}|StopIteration)\b")
_UNNAMED: Final = re.compile(r"\bname '[^'\n]{1,80}' is not defined")
_CRASH: Final = re.compile(r"\bruntime[ _-]?error|\bsegmentation fault|\bcore dumped|\bnon-?zero exit", re.IGNORECASE)
_WRONG: Final = re.compile(r"\bwrong[ _-]?(?:answer|output)|\bmismatch|\bincorrect (?:answer|output)|\bWA\b", re.IGNORECASE)
_NUMBER: Final = re.compile(r"\d+")
NAMES: Final = frozenset([TIME, MEMORY, COMPILE, SILENT, WRONG, CRASH])


def tells_how(name: str) -> bool:
    """Whether a check is called after how a program failed, so that its name means the same in every task."""
    return name in NAMES or name.startswith(f"{CRASH} with ")


def outcome(message: str, error: str = "", wanted: str = "", got: str | None = None) -> str:
    """How a program failed, from the runner's message, the error beside it, and what was expected and came out."""
    said = f"{message}\n{error}"
    if _TIME.search(said):
        return TIME
    if _MEMORY.search(said):
        return MEMORY
    if _COMPILE.search(said):
        return COMPILE
    if wanted.strip() and got is not None and not got.strip():
        return SILENT
    if _UNNAMED.search(said):
        return f"{CRASH} with NameError"
    raised = _RAISED.search(error) or (_RAISED.search(message) if _CRASH.search(message) else None)
    if raised is not None or _CRASH.search(message):
        return CRASH if raised is None else f"{CRASH} with {raised[1]}"
    if _WRONG.search(message):
        return WRONG
    return _NUMBER.sub("#", message.partition(":")[0].strip())
