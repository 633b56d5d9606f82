import math
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.errors import UsageError
from blade.gym.config.override_values import NotAValue, format_value, parse_value
from blade.gym.config.overrides import Override, apply_overrides, format_override, parse_override

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4", 4),
        ("-3", -3),
        ("1_000", 1000),
        ("007", "007"),
        ("0.7", 0.7),
        ("1e-3", 0.001),
        (".5", 0.5),
        ("inf", math.inf),
        ("true", True),
        ("False", False),
        ("null", None),
        ("None", "None"),
        ("", ""),
        ("''", ""),
        ("'4'", "4"),
        ('"it\'s"', "it's"),
        ("'it\\'s'", "it's"),
        ("gpt-4.1-2025-04-14", "gpt-4.1-2025-04-14"),
        ("http://127.0.0.1:8000/v1", "http://127.0.0.1:8000/v1"),
        ("results/a b.jsonl", "results/a b.jsonl"),
        ("a,b", "a,b"),
        ("a=b", "a=b"),
        ("[]", []),
        ("[1, two,'3']", [1, "two", "3"]),
        ("[a/b.yaml,c/d.yaml]", ["a/b.yaml", "c/d.yaml"]),
        ("{}", {}),
        ("{a:1,b:{c:[2]}}", {"a": 1, "b": {"c": [2]}}),
        ("{url: http://x:80/v1, 'a b': null}", {"url": "http://x:80/v1", "a b": None}),
        ("${policy_base_url}", "${policy_base_url}"),
        ("[${oc.env:A,b},c]", ["${oc.env:A,b}", "c"]),
    ],
)
def test_notation(text: str, value: Any) -> None:
    found = parse_value(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    "text", ["[1,2", "{a:1", "{a}", "'open", "[1] 2", "[1,,2]", "{a:1,a:2}", "[", "{", "'a'b", "{a:}", "[a]]"]
)
def test_what_is_begun_must_be_ended(text: str) -> None:
    with pytest.raises(NotAValue):
        parse_value(text)


@given(VALUES)
def test_what_is_written_is_read_back(value: Any) -> None:
    assert parse_value(format_value(value)) == value


@given(st.text())
def test_any_text_is_a_value_or_refused(text: str) -> None:
    with suppress(NotAValue):
        parse_value(text)


@given(st.from_regex(r"[a-z_]{1,8}(\.[a-z_]{1,8}){0,3}", fullmatch=True), VALUES)
def test_a_flag_becomes_an_override_that_says_the_same(key: str, value: Any) -> None:
    assert parse_override(format_override(key, value)) == Override("set", key, value)


@pytest.mark.parametrize(
    ("token", "override"),
    [
        ("+a.b=1", Override("set", "a.b", 1)),
        ("++a=x", Override("set", "a", "x")),
        ("a=[1]", Override("replace", "a", [1])),
        ("~a.b", Override("delete", "a.b")),
        ("a.datasets[0].name=x", Override("replace", "a.datasets[0].name", "x")),
        ("+headers.X-Api-Key=v", Override("set", "headers.X-Api-Key", "v")),
    ],
)
def test_tokens(token: str, override: Override) -> None:
    assert parse_override(token) == override


@pytest.mark.parametrize("token", ["a", "+=1", "+++a=1", "a..b=1", "a b=1", "a=[1", "~", ".a=1"])
def test_tokens_that_make_no_sense(token: str) -> None:
    with pytest.raises(UsageError):
        parse_override(token)


def test_a_value_that_cannot_be_read_is_not_repeated() -> None:
    with pytest.raises(UsageError) as error:
        parse_override("+policy_api_key='hunter22")
    assert "hunter22" not in str(error.value)
    assert "policy_api_key" in str(error.value)


def test_overrides_change_what_they_reach_and_leave_the_rest() -> None:
    tree: dict[str, Any] = {"a": {"b": 1, "c": [{"n": 1}, {"n": 2}]}, "d": 3}
    tokens = ["+a.b=2", "a.c[1].n=5", "+x.y.z=1", "+a={e: 7}", "~d"]
    assert apply_overrides(tree, [parse_override(token) for token in tokens]) == []
    assert tree == {"a": {"b": 2, "c": [{"n": 1}, {"n": 5}], "e": 7}, "x": {"y": {"z": 1}}}


def test_what_cannot_be_reached_yet_waits() -> None:
    tree: dict[str, Any] = {"a": {"_inherit_from": "b"}}
    tokens = ["+a.c[0].n=5", "~a.q"]
    assert [one.key for one in apply_overrides(tree, [parse_override(token) for token in tokens])] == ["a.c[0].n", "a.q"]
    assert tree["a"].get("_inherit_from") == "b"
