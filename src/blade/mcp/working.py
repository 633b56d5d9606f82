"""Work in threads, so that the protocol goes on; errors as sentences.

A call that the client cancels is let go: its thread ends its work unseen, and what it read is in the index for the next call.
"""

from collections.abc import Callable
from typing import Any, Final

import anyio
import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from blade.errors import BladeError
from blade.mcp.pages import MOST
from blade.untrusted.escapes import strip_escapes
from blade.untrusted.redaction import redact

AT_ONCE: Final = 4
TELL_EVERY: Final = 5.0
CUT: Final = "\n… cut here: ask for less, or for a page"


async def answered(context: Context[Any, Any], limiter: anyio.CapacityLimiter, work: Callable[[], str]) -> str:
    """The work's answer; while it lasts, the client is told every few seconds that it does."""
    failure: Exception | None = None
    answer = ""
    async with anyio.create_task_group() as group:
        group.start_soon(_tell, context)
        try:
            answer = await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=limiter)
        except Exception as error:  # noqa: BLE001 (whatever went wrong is told to the agent as a sentence)
            failure = error
        group.cancel_scope.cancel()
    if failure is not None:
        raise ToolError(told(failure)) from failure
    return answer if len(answer) <= MOST else answer[: MOST - len(CUT)] + CUT


async def _tell(context: Context[Any, Any]) -> None:
    seconds = 0.0
    while True:
        await anyio.sleep(TELL_EVERY)
        seconds += TELL_EVERY
        await context.report_progress(seconds, message=f"working for {seconds:.0f} s; the first look at a run reads all of it")


def told(error: Exception) -> str:
    """One clear sentence, without secrets."""
    if isinstance(error, BladeError):
        sentence = str(error)
    elif isinstance(error, OSError):
        sentence = f"{error.filename or 'the system'}: {error.strerror or error}."
    elif isinstance(error, MemoryError):
        sentence = "not enough memory."
    else:
        sentence = f"this is a bug in BLADE ({type(error).__name__}: {error})."
    return redact(strip_escapes(sentence))[:2_000]
