"""What a real endpoint can do wrong, over a real connection: every fault ends in an answer or in a typed error, after a counted number of tries."""

import asyncio
import pickle
import time
from collections.abc import Awaitable, Callable
from itertools import pairwise
from typing import Any

import pytest

from blade.gym.models.errors import ModelError
from blade.gym.servers import ModelServer
from tests.gym.conftest import StartEndpoint
from tests.gym.models.servers import QUICK, ask, during, openai_model, text_of

HELLO = {"input": "hello"}
SAY_HI = {"rules": [{"reply": "hi"}]}


def refused(server: ModelServer, request: dict[str, Any] = HELLO) -> ModelError:
    with pytest.raises(ModelError) as caught:
        ask(server, request)
    return caught.value


def asking_at_once(texts: list[str]) -> Callable[[ModelServer], Awaitable[list[dict[str, Any]]]]:
    async def all_of(model: ModelServer) -> list[dict[str, Any]]:
        return list(await asyncio.gather(*(model.responses({"input": text}) for text in texts)))

    return all_of


@pytest.mark.parametrize("api", ["chat", "responses"])
@pytest.mark.parametrize(
    ("kind", "category"),
    [
        ("429", "rate_limit"),
        ("500", "upstream_error"),
        ("503", "upstream_error"),
        ("504", "timeout"),
        ("408", "timeout"),
        ("409", "client_error"),
        ("garbage", "upstream_error"),
        ("list", "upstream_error"),
        ("hollow", "upstream_error"),
        ("half", "incomplete"),
        ("reset", "connection"),
    ],
)
def test_a_passing_fault_costs_a_try(scripted_endpoint: StartEndpoint, api: str, kind: str, category: str) -> None:
    endpoint = scripted_endpoint(SAY_HI | {"faults": [{"schedule": [kind, kind]}]})
    [answer] = ask(openai_model(endpoint.url, api=api), HELLO)
    assert text_of(answer) == "hi"
    assert answer["ng_failed_tries"] == [category, category]
    assert [request["fault"] for request in endpoint.requests()] == [kind, kind, None]


@pytest.mark.parametrize(
    ("kind", "category", "status"), [("429", "rate_limit", 429), ("500", "upstream_error", 500), ("half", "incomplete", 200)]
)
def test_a_lasting_fault_uses_up_the_tries(scripted_endpoint: StartEndpoint, kind: str, category: str, status: int) -> None:
    endpoint = scripted_endpoint(SAY_HI | {"faults": [{"schedule": [kind] * 20}]})
    error = refused(openai_model(endpoint.url, max_retries=3))
    assert (error.category, error.status) == (category, status)
    assert len(endpoint.requests()) == 4 == len(error.tries)
    assert "after 4 tries" in str(error)


@pytest.mark.parametrize(
    ("status", "category"),
    [(400, "client_error"), (401, "auth"), (403, "auth"), (404, "not_found"), (422, "client_error"), (501, "upstream_error")],
)
def test_what_cannot_get_better_is_not_tried_again(scripted_endpoint: StartEndpoint, status: int, category: str) -> None:
    endpoint = scripted_endpoint({"rules": [{"reply": {"status": status, "body": {"error": {"message": "no, because"}}}}]})
    error = refused(openai_model(endpoint.url))
    assert (error.category, error.status, len(error.tries)) == (category, status, 1)
    assert "no, because" in str(error)
    assert len(endpoint.requests()) == 1


def test_an_endpoint_that_never_answers_is_a_timeout(scripted_endpoint: StartEndpoint) -> None:
    endpoint = scripted_endpoint(SAY_HI | {"faults": [{"schedule": ["hang"] * 9}]})
    begun = time.monotonic()
    error = refused(openai_model(endpoint.url, request_timeout_seconds=0.3, max_retries=1))
    assert error.category == "timeout"
    assert len(error.tries) == 2
    assert 0.6 <= time.monotonic() - begun < 30


def test_a_slow_answer_within_the_time_is_an_answer(scripted_endpoint: StartEndpoint) -> None:
    endpoint = scripted_endpoint(SAY_HI | {"faults": [{"schedule": ["slow"], "slow_seconds": 0.4}]})
    [answer] = ask(openai_model(endpoint.url), HELLO)
    assert "ng_failed_tries" not in answer


def test_an_endpoint_that_is_not_running_is_a_connection_error(scripted_endpoint: StartEndpoint) -> None:
    endpoint = scripted_endpoint(SAY_HI)
    endpoint.stop()
    error = refused(openai_model(endpoint.url, max_retries=2))
    assert (error.category, error.status, len(error.tries)) == ("connection", None, 3)
    assert f":{endpoint.port}/v1/chat/completions" in str(error)


@pytest.mark.parametrize(("asked", "longest", "least", "most"), [(1, 60, 1.0, 20), (50, 0.5, 0.5, 20)])
def test_retry_after_is_respected_up_to_a_bound(
    scripted_endpoint: StartEndpoint, asked: int, longest: float, least: float, most: float
) -> None:
    endpoint = scripted_endpoint(SAY_HI | {"faults": [{"schedule": ["429"], "retry_after": asked}]})
    ask(openai_model(endpoint.url, max_retry_after_seconds=longest), HELLO)
    first, second = (request["at"] for request in endpoint.requests())
    assert least <= second - first < most


def test_no_money_is_not_a_matter_of_patience(scripted_endpoint: StartEndpoint) -> None:
    body = {"error": {"code": "insufficient_quota", "message": "You exceeded your current quota"}}
    endpoint = scripted_endpoint({"rules": [{"reply": {"status": 429, "body": body}}]})
    error = refused(openai_model(endpoint.url))
    assert (error.category, len(error.tries)) == ("rate_limit", 1)


def test_an_error_under_status_200_is_an_error(scripted_endpoint: StartEndpoint) -> None:
    body = {"id": "x", "output": [], "status": "failed", "error": {"code": "server_error", "message": "the model fell over"}}
    endpoint = scripted_endpoint({"rules": [{"reply": {"status": 200, "body": body}}]})
    error = refused(openai_model(endpoint.url, api="responses", max_retries=1))
    assert (error.category, len(error.tries)) == ("upstream_error", 2)
    assert "the model fell over" in str(error)


def test_a_redirect_is_a_wrong_address(scripted_endpoint: StartEndpoint) -> None:
    headers = {"Location": "http://127.0.0.1:1/elsewhere"}
    endpoint = scripted_endpoint({"rules": [{"reply": {"status": 307, "body": None, "headers": headers}}]})
    error = refused(openai_model(endpoint.url))
    assert (error.category, len(error.tries)) == ("client_error", 1)
    assert "elsewhere" in str(error)


def test_an_answer_larger_than_the_limit_is_an_error(scripted_endpoint: StartEndpoint) -> None:
    endpoint = scripted_endpoint({"rules": [{"reply": "x" * 100_000}]})
    error = refused(openai_model(endpoint.url, max_answer_bytes=50_000))
    assert (error.category, len(error.tries)) == ("upstream_error", 1)
    assert "max_answer_bytes" in str(error)


def test_the_key_is_never_in_an_error(scripted_endpoint: StartEndpoint) -> None:
    said = "Incorrect API key provided: key-of-the-test; header was Secret-Header-Value"
    endpoint = scripted_endpoint({"rules": [{"reply": {"status": 401, "body": {"error": {"message": said}}}}]}, log_bodies=True)
    error = refused(openai_model(endpoint.url, openai_default_headers={"X-Tenant": "Secret-Header-Value"}))
    assert "key-of-the-test" not in str(error)
    assert "Secret-Header-Value" not in str(error)
    assert endpoint.requests()[0]["headers"]["Authorization"] == "Bearer key-of-the-test"
    assert endpoint.requests()[0]["headers"]["X-Tenant"] == "Secret-Header-Value"


def test_an_error_travels_between_processes(scripted_endpoint: StartEndpoint) -> None:
    endpoint = scripted_endpoint(SAY_HI | {"faults": [{"schedule": ["500"] * 9}]})
    error = refused(openai_model(endpoint.url, max_retries=1))
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.category, copy.status, copy.message, copy.tries) == (error.category, error.status, error.message, error.tries)


def test_a_request_that_json_cannot_say_is_refused_here(scripted_endpoint: StartEndpoint) -> None:
    endpoint = scripted_endpoint(SAY_HI)
    error = refused(openai_model(endpoint.url), {"input": "half a character: \ud800"})
    assert error.category == "client_error"
    assert endpoint.requests() == []


def test_requests_beyond_the_limit_wait_in_line(scripted_endpoint: StartEndpoint) -> None:
    endpoint = scripted_endpoint(SAY_HI | {"latency_seconds": 0.2})
    during(openai_model(endpoint.url, max_concurrent_requests=2), asking_at_once([f"n {one}" for one in range(6)]))
    starts = sorted(request["at"] for request in endpoint.requests())
    assert all(third - first >= 0.19 for first, third in zip(starts, starts[2:], strict=False))


def test_a_pause_holds_no_place_in_the_line(scripted_endpoint: StartEndpoint) -> None:
    faults = [{"when": {"contains": "patient"}, "schedule": ["429"], "retry_after": 2}]
    endpoint = scripted_endpoint(SAY_HI | {"faults": faults})
    during(openai_model(endpoint.url, max_concurrent_requests=1), asking_at_once(["patient", "a", "b"]))
    assert [request["text"] for request in endpoint.requests()] == ["patient", "a", "b", "patient"]


def test_every_try_is_counted(scripted_endpoint: StartEndpoint) -> None:
    faults = [{"share": 0.5, "kinds": ["429", "500", "half", "reset", "garbage"], "most": 2, "salt": "s"}]
    endpoint = scripted_endpoint({"rules": [{"reply": "hi"}], "faults": faults})
    server = openai_model(endpoint.url, max_concurrent_requests=50)
    answers = during(server, asking_at_once([f"n {one}" for one in range(100)]))
    seen = endpoint.requests()
    failed = sum(len(answer.get("ng_failed_tries", [])) for answer in answers)
    assert failed == sum(request["fault"] is not None for request in seen) > 20
    counts = server.upstream.counts  # type: ignore[attr-defined]
    assert counts["answered"] == 100
    assert counts.total() == len(seen) == 100 + failed


def test_pauses_grow(scripted_endpoint: StartEndpoint) -> None:
    endpoint = scripted_endpoint(SAY_HI | {"faults": [{"schedule": ["500"] * 9}]})
    refused(openai_model(endpoint.url, **QUICK | {"retry_pause_seconds": 0.2, "max_retry_pause_seconds": 0.4, "max_retries": 3}))
    at = [request["at"] for request in endpoint.requests()]
    gaps = [later - earlier for earlier, later in pairwise(at)]
    assert gaps[0] >= 0.1
    assert all(gap >= 0.2 for gap in gaps[1:])


def test_a_stopped_server_stays_stopped(scripted_endpoint: StartEndpoint) -> None:
    endpoint = scripted_endpoint(SAY_HI | {"faults": [{"schedule": ["429"], "retry_after": 1}]})

    async def stopped_during_a_pause(model: ModelServer) -> ModelError:
        request = asyncio.create_task(model.responses(HELLO))
        while not endpoint.requests():
            await asyncio.sleep(0.05)
        await asyncio.sleep(0.2)
        await model.stop()
        with pytest.raises(ModelError) as caught:
            await request
        return caught.value

    error = during(openai_model(endpoint.url), stopped_during_a_pause)
    assert "was stopped" in str(error)
    assert len(endpoint.requests()) == 1
