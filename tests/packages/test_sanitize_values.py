"""Values of rows: every shape in which a secret can stand, and everything that must not change."""

import base64
import gzip
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.packages.sanitize.check import differences
from blade.packages.sanitize.ledger import Ledger
from blade.packages.sanitize.pseudonyms import Pseudonyms
from blade.packages.sanitize.values import Cleaner
from blade.packages.sanitize.withholding import Clearance

SECRET = "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zA0cD"
TOKEN = f"ghp_{SECRET}ab12"


def cleaner() -> Cleaner:
    return Cleaner(Pseudonyms(b"k" * 32), Ledger())


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


SHAPES: list[tuple[str, Any]] = [
    ("a text", {"output": f"use {TOKEN} now"}),
    ("a field", {"config": {"api_key": SECRET}}),
    ("arguments", {"arguments": json.dumps({"password": SECRET})}),
    ("arguments in arguments", {"arguments": json.dumps({"body": json.dumps({"password": SECRET})})}),
    ("JSON in a text", {"output": 'Result: {"password": "' + SECRET + '"} done'}),
    ("name and value", {"env": [{"name": "DB_PASSWORD", "value": SECRET}]}),
    ("a value in an object", {"password": {"value": SECRET}}),
    ("a column", {"output": f"user,password\nann,{SECRET}\nbob,{SECRET[::-1]}\n"}),
    ("a flag and its value", {"command": ["tool", "--password", SECRET]}),
    ("a short flag of a tool that logs in", {"argv": ["sshpass", "-p", SECRET, "ssh", "gate"]}),
    ("a pair", {"headers": [["X-Api-Key", SECRET]]}),
    ("a web key", {"jwk": {"kty": "oct", "k": SECRET}}),
    ("base64", {"content": encoded(f"token: {TOKEN}\n")}),
    ("base64 twice", {"content": encoded(encoded(f"token: {TOKEN}\n"))}),
    ("base64 in a text", {"content": f"echo {encoded(f'export DB_PASSWORD={SECRET}')} | base64 -d"}),
    ("gzip in base64", {"content": base64.b64encode(gzip.compress(f"token: {TOKEN}\n".encode() * 9)).decode()}),
    ("hexadecimal", {"content": f"token: {TOKEN}\n".encode().hex()}),
    ("a key of an object", {TOKEN: 1}),
    ("a list", [[{"deep": [f"Authorization: Bearer {SECRET}"]}]]),
    ("invisible characters", {"output": "\u200b".join(TOKEN)}),
]


def everything(value: Any) -> str:
    """The value as text together with whatever its base64 and hexadecimal stretches decode to."""
    seen = json.dumps(value, ensure_ascii=False).replace("\u200b", "")
    for word in [part for text in _strings(value) for part in text.split()]:
        for decode in (base64.b64decode, bytes.fromhex):
            try:
                content = decode(word)
            except ValueError:
                continue
            inner = gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
            seen += everything(inner.decode("utf-8", "replace")) if len(word) >= 20 else ""
    return seen


def _strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for pair in value.items() for part in pair for text in _strings(part)]
    return (
        [text for part in value for text in _strings(part)]
        if isinstance(value, list)
        else [value]
        if isinstance(value, str)
        else []
    )


@pytest.mark.parametrize(("what", "value"), SHAPES, ids=[what for what, _ in SHAPES])
def test_a_secret_is_gone_in_every_shape(what: str, value: Any) -> None:
    assert SECRET in everything(value)
    one = cleaner()
    clean = one.value(value)
    assert SECRET not in everything(clean)
    assert not list(differences(value, clean))
    one.ledger.close_line()
    assert one.ledger.counts()["credential"] >= 1
    assert SECRET not in json.dumps(one.ledger.listed)


@pytest.mark.parametrize(("what", "value"), SHAPES, ids=[what for what, _ in SHAPES])
def test_cleaning_twice_changes_nothing(what: str, value: Any) -> None:
    once = cleaner().value(value)
    assert cleaner().value(once) == once


def test_a_secret_that_is_known_from_one_place_is_replaced_in_all() -> None:
    one = cleaner()
    row = {"first": "login('robot', 'hunter2!xyz')", "second": "smtp.password = 'hunter2!xyz'", "third": "hunter2!xyz"}
    clean = one.row(row)
    assert "hunter2" not in json.dumps(clean)
    assert "hunter2" not in json.dumps(one.row({"later": "he typed hunter2!xyz again"}))


def test_the_same_person_has_one_pseudonym_wherever_they_stand() -> None:
    one = cleaner()
    values = [
        "Ann.Lee@corp.example",
        "mail ann.lee@corp.example!",
        json.dumps({"to": "ann.lee@corp.example"}),
        "order/ann.lee@corp.example/7",
    ]
    cleaned = [one.string(value, "$") for value in values]
    name = cleaned[0]
    assert name.startswith("[redacted email:")
    assert all(name in text for text in cleaned)
    assert name != Cleaner(Pseudonyms(b"x" * 32), Ledger()).string(values[0], "$")


def test_a_host_with_and_without_a_port_is_one_host() -> None:
    one = cleaner()
    first, second = one.text("db-1.corp.internal:5432 is up", "$"), one.text("db-1.corp.internal is up", "$")
    assert first == second


def test_ordinary_rows_come_back_as_they_are() -> None:
    row = {
        "_ng_task_index": 3,
        "reward": 0.5,
        "response": {
            "id": "resp_aB3dE5gH7jK9mN1pQ2sT4vW6",
            "output": [{"type": "message", "content": "The answer is 42."}],
            "usage": {"total_tokens": 12345678},
        },
        "image": "data:image/png;base64," + "iVBORw0KGgo" * 40,
        "commit": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
    }
    assert cleaner().value(row) is row


def test_places_are_named_without_their_secrets() -> None:
    one = cleaner()
    one.value(
        {
            "response": {"output": [{"arguments": json.dumps({"login": {"password": SECRET}})}]},
            "ann@corp.example": {"api_key": SECRET},
        }
    )
    one.ledger.close_line()
    paths = [(entry["path"], entry["kind"]) for entry in one.ledger.listed]
    assert ("$.response.output[0].arguments|json.login.password", "credential") in paths
    assert not any("ann@corp" in path for path, _ in paths)


def test_fields_are_withheld_unless_they_are_cleared() -> None:
    ledger = Ledger()
    clearance = Clearance(("category", "member.level"), Pseudonyms(b"k" * 32), ledger)
    row = {
        "_ng_task_index": 1,
        "reward": 1.0,
        "category": "x",
        "gold": 42,
        "member": {"level": "gold", "name": "Ann"},
        "note": None,
    }
    clean = clearance.row(row)
    assert {name: clean[name] for name in ("_ng_task_index", "reward", "category", "note")} == {
        "_ng_task_index": 1,
        "reward": 1.0,
        "category": "x",
        "note": None,
    }
    assert clean["member"]["level"] == "gold"
    assert clean["gold"].startswith("[withheld sha256:")
    assert clean["member"]["name"].startswith("[withheld sha256:")
    assert clearance.row({"gold": 42})["gold"] == clean["gold"] != clearance.row({"gold": 43})["gold"]
    assert not list(differences(row, clean))


def test_metrics_of_withheld_fields_are_withheld_too() -> None:
    clearance = Clearance(("wer",), Pseudonyms(b"k" * 32), Ledger())
    clean = clearance.summary(
        [{"mean/reward": 0.5, "mean/wer": 8.0, "mean/gold": 3.0, "mean/input_tokens": 9, "sample": {"gold": 3, "reward": 1}}]
    )
    assert clean[0]["mean/reward"] == 0.5
    assert clean[0]["mean/wer"] == 8.0
    assert clean[0]["mean/input_tokens"] == 9
    assert str(clean[0]["mean/gold"]).startswith("[withheld")
    assert clean[0]["sample"]["gold"].startswith("[withheld")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"reward": 1.0}, {"reward": 0.0}),
        ({"reward": 1}, {"reward": True}),
        ({"steps": [1, 2]}, {"steps": [1]}),
        ({"a": "text"}, {"a": "other text"}),
        ({"a": "text"}, {"b": "text"}),
        ({"a": 1}, {"a": "1"}),
    ],
)
def test_any_other_change_is_noticed(old: Any, new: Any) -> None:
    assert list(differences(old, new))


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
    | st.sampled_from([TOKEN, "a@b.example", "password=hunter2!x"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["a", "password", "token", "text", "10.1.2.3"]), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(JSON)
def test_only_strings_ever_change(value: Any) -> None:
    clean = cleaner().value(value)
    assert not list(differences(value, clean))


DRAWN = "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zA0cD"


@pytest.mark.parametrize(
    "row",
    [
        {"type": "function_call_output", "output": DRAWN},
        {"credentials": {"maps": DRAWN[:20]}},
        {"auth": {"primary": DRAWN[:20], "region": "eu"}},
        {"secrets": {"stripe": {"value": DRAWN[:20]}}},
    ],
)
def test_the_head_of_an_object_and_a_lone_token_tell_what_a_string_is(row: Any) -> None:
    assert DRAWN[:20] not in str(cleaner().row(row))


@pytest.mark.parametrize(
    "row", [{"id": DRAWN}, {"encrypted_content": DRAWN}, {"credentials": {"region": "eu-west-1", "user_id": DRAWN[:20]}}]
)
def test_ids_and_plain_members_stay(row: Any) -> None:
    assert cleaner().row(row) == row
