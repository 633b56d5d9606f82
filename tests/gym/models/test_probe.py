"""What an endpoint can do, asked of endpoints that can and cannot."""

from typing import Any

import pytest

from blade.gym.models.errors import ModelError
from blade.gym.models.probe import Finding, Needs, judge_error, judge_long, judge_structured, judge_tool_call, probe
from blade.gym.models.shape import function_call, message, response
from blade.gym.servers import ModelServer
from tests.gym.conftest import StartEndpoint
from tests.gym.models.servers import during, openai_model

ABLE = [
    {"when": {"contains": "report_number"}, "reply": {"calls": [{"name": "report_number", "arguments": {"number": 7}}]}},
    {"when": {"contains": "population"}, "reply": '{"city": "Ulm", "population": 126000}'},
    {"reply": "apple"},
]
UNWILLING: list[dict[str, Any]] = [
    {"when": {"contains": "fruit"}, "reply": {"status": 400, "body": {"error": {"message": "maximum context length is 4096"}}}},
    {"reply": "Sure, 7!"},
]
REFUSING = [{"reply": {"status": 400, "body": {"error": {"message": "tools are not for this model"}}}}]
DOWN = [{"reply": {"status": 503, "body": {"error": {"message": "come back later"}}}}]


def findings(scripted_endpoint: StartEndpoint, rules: list[dict[str, Any]], needs: Needs | None = None) -> list[Finding]:
    endpoint = scripted_endpoint({"rules": rules})

    async def asked(model: ModelServer) -> list[Finding]:
        return await probe(model, needs or Needs(longest_prompt_tokens=3000))

    return during(openai_model(endpoint.url, api="responses", max_retries=1), asked)


@pytest.mark.parametrize(
    ("rules", "verdicts", "words"),
    [
        (ABLE, ["supported"] * 3, "about 3000 tokens"),
        (UNWILLING, ["not supported"] * 3, "does not fit"),
        (REFUSING, ["not supported"] * 3, "tools are not for this model"),
        (DOWN, ["failed"] * 3, "come back later"),
    ],
)
def test_endpoints(scripted_endpoint: StartEndpoint, rules: list[dict[str, Any]], verdicts: list[str], words: str) -> None:
    found = findings(scripted_endpoint, rules)
    assert [finding.capability for finding in found] == ["tool call", "structured output", "long prompt"]
    assert [finding.verdict for finding in found] == verdicts
    assert words in found[2].sentence
    assert [finding.lacking for finding in found] == [verdict != "supported" for verdict in verdicts]


def test_what_a_benchmark_does_not_use_is_not_lacking(scripted_endpoint: StartEndpoint) -> None:
    found = findings(scripted_endpoint, UNWILLING, Needs(tool_calls=False, structured_output=False, longest_prompt_tokens=100))
    assert [finding.lacking for finding in found] == [False, False, True]


def test_an_endpoint_that_only_knows_auto_still_calls_tools(scripted_endpoint: StartEndpoint) -> None:
    script = (
        "def reply(request):\n"
        "    if request.body.get('tool_choice') == 'required':\n"
        "        return {'status': 400, 'body': {'error': {'message': 'required is unknown'}}}\n"
        "    return {'calls': [{'name': 'report_number', 'arguments': {'number': 7}}]}\n"
    )
    endpoint = scripted_endpoint(script)

    async def asked(model: ModelServer) -> list[Finding]:
        return await probe(model, Needs(longest_prompt_tokens=10))

    [tools, *_] = during(openai_model(endpoint.url), asked)
    assert tools.verdict == "supported"
    assert "required is unknown" in tools.sentence


@pytest.mark.parametrize(
    ("items", "verdict"),
    [
        ([function_call("report_number", '{"number": 7}', "c")], "supported"),
        ([message("let me"), function_call("report_number", '{"number": 7}', "c")], "supported"),
        ([function_call("report_number", '{"number": "7"}', "c")], "not supported"),
        ([function_call("report_number", '{"number": 7', "c")], "not supported"),
        ([function_call("other", '{"number": 7}', "c")], "not supported"),
        ([message("7")], "not supported"),
        ([], "not supported"),
    ],
)
def test_tool_calls_are_judged_by_their_arguments(items: list[dict[str, Any]], verdict: str) -> None:
    assert judge_tool_call(response({}, items, model="m"))[0] == verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ('{"city": "Ulm", "population": 1}', "supported"),
        ('{"city": "Ulm"}', "not supported"),
        ('{"city": "Ulm", "population": "1"}', "not supported"),
        ("Ulm", "not supported"),
        ("", "not supported"),
        ("[]", "not supported"),
    ],
)
def test_structured_output_is_judged_by_the_schema(text: str, verdict: str) -> None:
    assert judge_structured(response({}, [message(text)], model="m"))[0] == verdict


@pytest.mark.parametrize(
    ("read", "verdict"), [(8100, "supported"), (4096, "supported"), (2048, "not supported"), (None, "supported")]
)
def test_a_prompt_that_was_cut_was_not_read(read: int | None, verdict: str) -> None:
    usage = None if read is None else {"input_tokens": read}
    assert judge_long(response({}, [message("apple")], model="m", usage=usage), 8000)[0] == verdict


@pytest.mark.parametrize(
    ("category", "verdict"),
    [("client_error", "not supported"), ("timeout", "failed"), ("auth", "failed"), ("connection", "failed")],
)
def test_only_a_refused_request_says_what_an_endpoint_cannot_do(category: Any, verdict: str) -> None:
    assert judge_error(ModelError(category, None, "words")) == (verdict, "words")
