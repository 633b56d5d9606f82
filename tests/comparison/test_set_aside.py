"""Which rows are set aside: infrastructure that ended a rollout, limits that were reached, and what was recovered from."""

import pytest

from blade.comparison.set_aside import SET_ASIDE
from blade.diagnosis.diagnose import extractors
from blade.signals.example import Example, call, says, thinks, user
from tests.runs.support import opened
from tests.shared_data import needs_shared_data, shared_rows

DOWN = "503 Service Unavailable"
LOOK, PAY = call("look_up", '{"id": 7}', q="x"), call("pay", DOWN, amount=5)
LONG = "Collecting pandas\nERROR: No matching distribution found for pandas\n" + "\n".join(
    f"note {n}: skipped" for n in range(40)
)
FULL = {"incomplete_details": {"reason": "max_output_tokens"}}
NO_PROBLEM = {"incomplete_details": {"reason": "content_filter"}}

ENDED = {
    "error on the row": Example(fields={"error": "openai.APIConnectionError: Connection error."}),
    "error after some work": Example((LOOK, says("One moment.")), fields={"error": "httpx.ReadTimeout: timed out"}),
    "judge": Example((says("12"),), fields={"judge_error": "judge returned 500"}),
    "empty completion": Example(response={"usage": {"output_tokens": 0}}),
    "content filter": Example((says("Well"),), response=NO_PROBLEM),
    "nothing after the failure": Example((LOOK, PAY)),
    "only the user after it": Example((LOOK, PAY, user("Are you there?"))),
    "tried again in vain": Example((LOOK, PAY, thinks("Again."), PAY, says("It is not working today."))),
    "nothing ever worked": Example((PAY, says("It is not working today."))),
    "gave up": Example((LOOK, PAY, says("I am sorry, I was not able to finish your request."))),
    "handed over after it": Example((PAY, PAY, call("transfer_to_human_agents", "Transfer successful", summary="down"))),
    "the same line each time": Example((LOOK, call("bash", LONG, cmd="pip"), call("bash", LONG, cmd="pip"), says("No pandas."))),
}
RECOVERED = {
    "nothing happened": Example((LOOK, says("It is 7."))),
    "retried and worked": Example((PAY, call("pay", "ok", amount=5), says("Paid."))),
    "other work after it": Example((PAY, LOOK, says("It is 7."))),
    "one failure, then an answer": Example((LOOK, PAY, says("The record is 7."))),
    "a line of a long output": Example((LOOK, call("bash", LONG, cmd="pip"), says("It is 7."))),
    "a wrong call": Example((LOOK, call("pay", "Error: card not found", card=1), call("pay", "Error: card not found", card=1))),
}
CUT = {
    "output limit": Example((says("Let me see, the first"),), response=FULL),
    "context": Example((LOOK, call("cat", "Error: maximum context length is 8192 tokens", f="big"))),
    "steps": Example((LOOK, LOOK, LOOK, LOOK)),
    "the harness says so": Example((LOOK, says("Next.")), fields={"termination_reason": "max_steps"}),
}
NOT_CUT = {
    "context, then a way on": Example((call("cat", "Error: maximum context length is 8192 tokens", f="big"), says("It is 7."))),
    "own errors": Example((LOOK,), fields={"termination_reason": "too_many_errors"}),
    "content filter": Example((says("Well"),), response=NO_PROBLEM),
}


def flags(*examples: Example) -> list[tuple[bool, bool]]:
    rows = [example.row() | {"task_id": f"t{number:02}", "reward": 1.0} for number, example in enumerate(examples)]
    with opened(rows, extractors=extractors()) as run:
        return [(infrastructure, cut) for _, infrastructure, cut in run.query(f"{SET_ASIDE} ORDER BY rollout").rows]


def test_infrastructure_is_what_ended_the_rollout() -> None:
    found = [infrastructure for infrastructure, _ in flags(*ENDED.values(), *RECOVERED.values())]
    assert dict(zip([*ENDED, *RECOVERED], found, strict=True)) == dict.fromkeys(ENDED, True) | dict.fromkeys(RECOVERED, False)


def test_truncation_is_a_limit_that_was_reached() -> None:
    found = [cut for _, cut in flags(*CUT.values(), *NOT_CUT.values())]
    assert dict(zip([*CUT, *NOT_CUT], found, strict=True)) == dict.fromkeys(CUT, True) | dict.fromkeys(NOT_CUT, False)


def test_a_limit_right_after_one_failure_is_the_limits_doing() -> None:
    limit = {"termination_reason": "max_steps"}
    assert flags(Example((LOOK, PAY), fields=limit), Example((LOOK, PAY, PAY), fields=limit)) == [(False, True), (True, True)]


@needs_shared_data
@pytest.mark.parametrize(("run", "expected"), [("run1", 35), ("run3", 0)])
def test_the_connection_failures_of_a_real_run(run: str, expected: int) -> None:
    rows = list(shared_rows(f"taubench/retail__gemini-2.0-flash__tool-calling__1t_{run}"))
    with opened(rows, extractors=extractors()) as opened_run:
        found = {rollout for rollout, ended, _ in opened_run.query(SET_ASIDE).rows if ended}
    errors = sum("APIConnectionError" in str(row.get("error")) for row in rows)
    assert len(found) == errors == expected
