import pytest

from blade.signals.calls import arguments

SCHEMA = {
    "type": "object",
    "properties": {
        "seat": {"type": "string"},
        "bags": {"type": "integer"},
        "cabin": {"type": "string", "enum": ["economy", "business"]},
        "legs": {"type": "array", "items": {"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]}},
        "price": {"type": ["number", "null"]},
        "odd": {"anyOf": [{"type": "string"}]},
    },
    "required": ["seat"],
}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"seat": "12A"}, []),
        ({"seat": "12A", "bags": 2, "cabin": "economy", "legs": [{"day": "Monday"}], "price": 2.5, "odd": 3}, []),
        ({"seat": "12A", "bags": 2.0}, []),
        ({"seat": None}, []),
        ({}, ["seat is required and missing"]),
        ({"seat": 12}, ["seat should be string and is integer"]),
        ({"seat": "12A", "bags": "2"}, ["bags should be integer and is string"]),
        ({"seat": "12A", "bags": True}, ["bags should be integer and is boolean"]),
        ({"seat": "12A", "cabin": "first"}, ["cabin is none of economy, business"]),
        ({"seat": "12A", "colour": "red"}, ["colour is no argument of this tool"]),
        ({"seat": "12A", "legs": [{"day": "Monday"}, {}]}, ["legs[1].day is required and missing"]),
    ],
)
def test_what_a_schema_has_against_arguments(given, said):
    assert list(arguments.violations(given, SCHEMA)) == said


def test_a_schema_that_says_nothing_forbids_nothing():
    assert list(arguments.violations({"anything": 1}, {})) == []
    assert list(arguments.violations({"anything": 1}, {"properties": {"x": {}}, "additionalProperties": True})) == []


@pytest.mark.parametrize(
    ("text", "parsed"),
    [('{"a": 1}', {"a": 1}), ("", {}), (None, {}), ("[1]", None), ("{", None), ('"text"', None), ("ls -la", None)],
)
def test_arguments_are_an_object_or_a_problem(text, parsed):
    value, problem = arguments.parse(text)
    assert value == parsed
    assert (problem is None) == (parsed is not None)


def test_equal_arguments_have_one_form():
    assert arguments.canonical({"b": 1, "a": 2}, None) == arguments.canonical({"a": 2, "b": 1}, None)


def test_leaves_have_paths():
    assert list(arguments.leaves({"a": [{"b": 1}, 2], "c": "x"})) == [("a[0].b", 1), ("a[1]", 2), ("c", "x")]


def test_a_bottomless_argument_ends():
    deep: object = 1
    for _ in range(100):
        deep = [deep]
    assert list(arguments.leaves({"a": deep})) == []


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ([{"name": "seat", "value": "12A"}], {"seat": "12A"}),
        (
            [{"name": "bags", "value": "2", "value_type": "int"}, {"name": "no", "value": "2", "type": "str"}],
            {"bags": 2, "no": "2"},
        ),
        ([{"key": "legs", "value": '["a", "b"]', "value_type": "list"}], {"legs": ["a", "b"]}),
        ([{"name": "bags", "value": "two", "value_type": "int"}], {"bags": "two"}),
        ([], {}),
        ([{"name": "seat", "value": "12A"}, {"name": "seat", "value": "12B"}], None),  # which of the two is not told
        ([{"name": "seat"}], None),
        (["seat"], None),
        ({"seat": "12A"}, None),
    ],
)
def test_arguments_that_are_listed_one_by_one_make_an_object(given, read):
    assert arguments.paired(given) == (given if read is None else read)
