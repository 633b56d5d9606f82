from typing import Any

import pytest

from blade.gym.config.directives import follow_directives


@pytest.mark.parametrize(
    ("tree", "made"),
    [
        ({"a": {"x": 1, "y": {"z": 1}}, "b": {"_inherit_from": "a", "y": {"w": 2}}}, {"b": {"x": 1, "y": {"z": 1, "w": 2}}}),
        ({"a": {"x": 1}, "b": {"_copy": "a", "y": 2}}, {"a": {"x": 1}, "b": {"x": 1, "y": 2}}),
        ({"a": {"x": {"k": 1}}, "b": "${copy:a.x}"}, {"a": {"x": {"k": 1}}, "b": {"k": 1}}),
        ({"a": {"x": {"k": 1}, "o": 1}, "b": "${inherit_from:a.x}"}, {"a": {"o": 1}, "b": {"k": 1}}),
        ({"a": {"x": 1}, "b": {"_inherit_from": "a"}, "c": {"_inherit_from": "b", "y": 1}}, {"c": {"x": 1, "y": 1}}),
        ({"a": {"x": 1}, "b": {"_inherit_from": "a"}, "c": {"_inherit_from": "a"}}, {"b": {"x": 1}, "c": {"x": 1}}),
        ({"a": {"x": 1, "y": 2}, "b": {"_copy": "a", "_delete_key": "x, q", "z": 1}}, {"a": {"x": 1, "y": 2}, "b": {"y": 2, "z": 1}}),
        ({"a": {"x": 1, "y": 2, "_delete_key": ["x", "y"]}}, {"a": {}}),
        ({"a": {"x": 1}, "b": {"_inherit_from": "a", "y": 1, "_delete_key": "y, _inherit_from"}}, {"a": {"x": 1}, "b": {}}),
        ({"b": {"_copy": "a"}, "a": {"_copy": "c"}, "c": {"x": 1}}, {"b": {"x": 1}, "a": {"x": 1}, "c": {"x": 1}}),
        ({"a": {"_copy": "b"}, "b": {"x": {"q": 1}}, "c": {"v": "${copy:a.x}"}}, {"a": {"x": {"q": 1}}, "b": {"x": {"q": 1}}, "c": {"v": {"q": 1}}}),
        ({"a": {"l": [{"n": 1}]}, "b": {"_copy": "a.l[0]"}}, {"a": {"l": [{"n": 1}]}, "b": {"n": 1}}),
        ({"a": {"l": [1, 2]}, "b": {"_inherit_from": "a", "l": [3]}}, {"b": {"l": [3]}}),
    ],
)  # fmt: skip
def test_blocks_made_from_blocks(tree: dict[str, Any], made: dict[str, Any]) -> None:
    followed = follow_directives(tree)
    assert followed.problems == []
    assert followed.tree == made


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        ({"agent": {"x": 1}, "b": {"_inherit_from": "agnet"}}, "no agnet; did you mean agent?"),
        ({"a": {"x": 1}, "b": {"_copy": "a.y.z"}}, "no a.y"),
        ({"a": {"_copy": "b"}, "b": {"_copy": "a"}}, "made from itself"),
        ({"a": {"_inherit_from": "a"}}, "made from itself"),
        ({"a": {"b": {"_copy": "a"}}}, "made from itself"),
    ],
)
def test_sources_that_lead_nowhere(tree: dict[str, Any], words: str) -> None:
    problems = follow_directives(tree).problems
    assert problems
    assert words in problems[0].message


def test_who_inherited_is_remembered_and_a_needless_deletion_noted() -> None:
    followed = follow_directives({"a": {"x": 1}, "b": {"_inherit_from": "a", "_delete_key": "qq"}})
    assert followed.removed == {"a": "b"}
    assert followed.notes == ["b: _delete_key names qq, which is not there"]
