"""The judge: another model is asked whether two answers to a question are the same.

It is asked twice, with the expected answer first and with it second: a judge that prefers what stands first says `same` and
`different` of the same pair, and then the answer does not count and the disagreement is on the row. Only the answer that was
extracted is shown, never the whole response: a text that argues with its judge is not part of an answer.
"""

import asyncio
import re
from typing import Any, Final, Literal

from blade.errors import BladeError, UsageError
from blade.gym.collect.prompts import Prompt, field_names
from blade.gym.servers import JudgeFailed
from blade.gym.servers.calls import CallFailed, Calls, failure_of

from .grading import final_text

Opinion = Literal["same", "different"]
FIELDS: Final = ("question", "first", "second")
_VERDICT: Final = re.compile(r"\bverdict\b\W{0,9}(same|different)\b", re.IGNORECASE)


class Judge:
    """A model server with a prompt; `params` are added to each request."""

    def __init__(self, calls: Calls, server: str, prompt: Prompt, params: dict[str, Any], timeout: float) -> None:
        self._calls, self._server, self._prompt, self._params, self._timeout = calls, server, prompt, params, timeout
        asked = field_names(prompt.user) + field_names(prompt.system or "")
        if unknown := [name for name in asked if name not in FIELDS]:
            raise UsageError(
                f"a judge's prompt has no field {{{unknown[0]}}}", path=prompt.path, hint=f"the fields are {', '.join(FIELDS)}"
            )
        if not {"first", "second"} <= set(asked):
            raise UsageError("a judge's prompt must show both answers, as {first} and {second}", path=prompt.path)

    async def evaluate(self, question: str, expected: str, given: str) -> list[dict[str, Any]]:
        """What it said, in both orders; raises `JudgeFailed` if it has not said it clearly."""
        orders = (("expected first", expected, given), ("expected second", given, expected))
        asked = (self._ask(order, question, first, second) for order, first, second in orders)
        said = await asyncio.gather(*asked, return_exceptions=True)
        for each in said:
            if isinstance(each, BaseException):
                raise each
        return [each for each in said if isinstance(each, dict)]

    async def _ask(self, order: str, question: str, first: str, second: str) -> dict[str, Any]:
        try:
            messages = self._prompt.messages({"question": question, "first": first, "second": second})
            reply = await self._calls.post(
                self._server, "/v1/responses", {**self._params, "input": messages}, timeout=self._timeout
            )
        except (CallFailed, BladeError, OSError, TimeoutError) as error:
            raise JudgeFailed(str(error) or type(error).__name__) from error
        if not reply.ok:
            raise JudgeFailed(str(failure_of(self._server, "/v1/responses", reply)))
        if not isinstance(reply.body, dict):
            raise JudgeFailed(f"{self._server} answered with something that is not a response")
        text = final_text(reply.body)
        return {
            "order": order,
            "verdict": opinion(text, reply.body),
            "text": text,
            "model": reply.body.get("model"),
            "usage": reply.body.get("usage"),
        }


def opinion(text: str, response: dict[str, Any]) -> Opinion:
    """The last verdict in a judge's text."""
    found = _VERDICT.findall(text)
    if not found:
        cut = response.get("incomplete_details")
        why = "its answer was cut off" if cut else f"it ended with {text.strip()[-80:]!r}"
        raise JudgeFailed(f"the judge gave no verdict: {why}")
    return "same" if found[-1].lower() == "same" else "different"
