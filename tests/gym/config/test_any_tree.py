"""Whatever a file says, a user meets problems or an error of ours, never a crash, and what is resolved is plain data."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from blade.errors import BladeError, UsageError
from blade.gym.config import examine_config
from blade.gym.config.documents import UnreadableConfig
from blade.gym.config.merge import leaves

KEYS = st.sampled_from(
    [
        "a",
        "b",
        "c",
        "x",
        "resources_servers",
        "responses_api_agents",
        "responses_api_models",
        "resource_servers",
        "dummy_model",
        "simple_agent",
        "policy_model",
        "_inherit_from",
        "_copy",
        "_delete_key",
        "datasets",
        "domain",
        "type",
        "name",
        "config_paths",
        "head_server",
        "error_on_almost_servers",
        "1",
    ]
)
WORDS = st.sampled_from(
    ["a", "a.b", "b", "c[0]", "???", "${a}", "${b.c}", "${copy:a}", "${inherit_from:b}", "${oc.env:HOME}", "${", "x-${a}-${b}", "${.a}",
     "math", "resources_servers", "example", "a.b.c.a", "", "~", "${a", "$", "\x9b31m", "ключ"]
)  # fmt: skip
LEAVES = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False) | WORDS
TREES = st.dictionaries(
    KEYS,
    st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=20),
    max_size=5,
)
TOKENS = st.lists(
    st.sampled_from(["+a.b=1", "a=2", "~a", "~b.c", "+c[0]=x", "++x={a:1,b:[2]}", "+a='${b}'", "x.y.z=3", "+policy_model={}"]),
    max_size=3,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(TREES, TOKENS, st.booleans())
def test_no_tree_is_a_crash(tmp_path: Path, tree: dict[str, Any], tokens: list[str], stand_in: bool) -> None:
    path = tmp_path / "any.yaml"
    path.write_text(yaml.safe_dump(tree), encoding="utf-8")
    try:
        examined = examine_config([str(path)], tokens, stand_in_model=stand_in)
    except BladeError as error:
        assert str(error)  # noqa: PT017
        return
    assert all(one.message for one in examined.problems)
    for tree in (examined.config.settings, examined.config.masked()):
        for _, value in leaves(tree):
            assert type(value) in (type(None), bool, int, float, str, dict, list)
    yaml.safe_dump(examined.config.masked())


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "[" * 2_000 + "]" * 2_000,
        "a: " + "{a: " * 150 + "1" + "}" * 150,
        "a: &x [*x]",
        "a: &a [1,1,1,1,1,1,1,1,1]\n"
        + "".join(f"{new}: &{new} [{','.join(['*' + old] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)),
    ],
    ids=["deep_lists", "deep_mappings", "endless", "billions"],
)
def test_trees_without_end_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "deep.yaml"
    path.write_text(text)
    with pytest.raises(UnreadableConfig):
        examine_config([str(path)])


@pytest.mark.parametrize("token", ["+a=" + "[" * 5_000, "+a=" + "{a:" * 5_000, "+" + "a." * 5_000 + "a=1"])
def test_overrides_without_end_are_refused(token: str) -> None:
    with pytest.raises(UsageError):
        examine_config([], [token])
