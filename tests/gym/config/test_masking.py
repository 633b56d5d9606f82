from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.gym.config.masking import MASK, is_secret, masked

SECRET = [
    "api_key",
    "openai_api_key",
    "policy_api_key",
    "wandb_api_key",
    "hf_token",
    "HF_TOKEN",
    "mlflow_tracking_token",
    "password",
    "db-password",
    "Authorization",
    "authorization",
    "X-Api-Key",
    "apiKey",
    "secret",
    "client_secret",
    "clientSecret",
    "credentials",
    "credential",
    "ssh_key",
    "judge_key",
    "api_key_2",
    "token",
    "key",
    "Cookie",
    "api_keys",
    "access_token_backup",
    "password_hash",
]
OPEN = [
    "max_output_tokens",
    "tokenizer",
    "key_metrics",
    "monkey",
    "answer_key",
    "tokens",
    "max_tokens",
    "token_id_capture",
    "return_token_id_information",
    "eos_token",
    "pad_token",
    "sort_key",
    "primary_key",
    "keyboard",
    "turkey",
    "secretary",
    "model",
    "openai_base_url",
    "domain",
    "num_repeats",
    "public_key",
    "passwordless_login_url",
    "name",
]


@pytest.mark.parametrize("name", SECRET)
def test_secret_names(name: str) -> None:
    assert is_secret(name)
    assert masked({"a": [{name: "value"}]}) == {"a": [{name: MASK}]}


@pytest.mark.parametrize("name", OPEN)
def test_harmless_names(name: str) -> None:
    assert not is_secret(name)
    assert masked({name: "value"}) == {name: "value"}


@pytest.mark.parametrize(
    ("tree", "shown"),
    [
        ({"password": 1234}, {"password": MASK}),
        ({"password": None, "hf_token": "", "api_key": "???"}, {"password": None, "hf_token": "", "api_key": "???"}),
        ({"credentials": {"user": "u", "more": ["v"]}}, {"credentials": {"user": MASK, "more": [MASK]}}),
        ({"use_token": True}, {"use_token": True}),
        ({"url": "https://me:pw@host/v1"}, {"url": f"https://me:{MASK}@host/v1"}),
        ({"url": ["postgres://u:p4ss@db:5432/x"]}, {"url": [f"postgres://u:{MASK}@db:5432/x"]}),
        ({"api_key": "abcdefgh1", "header": "Bearer abcdefgh1"}, {"api_key": MASK, "header": f"Bearer {MASK}"}),
        ({"api_key": "EMPTY", "policy": "EMPTY list"}, {"api_key": MASK, "policy": "EMPTY list"}),
        ({"note": "uses ghp_" + "a1" * 18}, {"note": f"uses {MASK}"}),
        ({"num_repeats": 4, "temperature": 0.5}, {"num_repeats": 4, "temperature": 0.5}),
    ],
)
def test_values(tree: Any, shown: Any) -> None:
    assert masked(tree) == shown


@given(
    st.recursive(
        st.integers() | st.text(max_size=20) | st.none(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["api_key", "a", "max_tokens"]), inner),
        max_leaves=10,
    )
)
def test_masking_keeps_the_shape_and_twice_is_once(tree: Any) -> None:
    once = masked(tree)
    assert masked(once) == once
    if isinstance(tree, dict):
        assert list(once) == list(tree)


@given(st.text(alphabet="abcdefghij0123456789", min_size=9, max_size=30), st.text(max_size=10))
def test_a_secret_is_nowhere_in_what_is_shown(secret: str, around: str) -> None:
    tree = {"api_key": secret, "deep": [{"header": f"{around}{secret}{around}"}]}
    assert secret not in repr(masked(tree))
