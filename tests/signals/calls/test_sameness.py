import pytest

from blade.signals.calls.sameness import NOT_GIVEN, differences, same


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (1, 1.0, True),
        (1, "1", True),
        ("1.50", 1.5, True),
        ("01234", 1234, False),
        ("HAT001", "hat001", True),
        ("  two  words", "Two words", True),
        (["a", "b"], ["b", "a"], True),
        (["a", "a"], ["a"], False),
        ({"a": 1, "b": None}, {"a": 1}, True),
        ('{"a": 1}', {"a": 1}, True),
        ("[1, 2]", [2, 1], True),
        (None, "", True),
        (NOT_GIVEN, [], True),
        (0, None, False),
        (False, None, False),
        (False, 0, True),
        ("2024-05-20T10:00:00", "2024-05-20 10:00", True),
        ("2024-05-20", "2024-05-21", False),
    ],
)
def test_spelling_does_not_count(first, second, expected):
    assert same(first, second) is expected
    assert same(second, first) is expected


@pytest.mark.parametrize(
    ("expected", "actual", "found"),
    [
        ({"a": 1}, {"a": 2}, [("a", "a", 1, 2)]),
        ({"a": 1}, {"a": 1, "b": 5}, []),
        ({"a": {"b": 1}}, {"a": {}}, [("a.b", "a.b", 1, NOT_GIVEN)]),
        ({"pay": [{"id": "x", "amount": 5}]}, {"pay": [{"id": "x", "amount": 55}]}, [("pay[0].amount", "pay[0].amount", 5, 55)]),
        # the pair that differs least belongs together, whatever the order
        (
            {"pay": [{"id": "x", "sum": 5}, {"id": "y", "sum": 7}]},
            {"pay": [{"id": "y", "sum": 8}, {"id": "x", "sum": 5}]},
            [("pay[0].sum", "pay[1].sum", 7, 8)],
        ),
        # equal entries keep their place in the list
        ({"to": ["HAT110", "HAT172"]}, {"to": ["HAT110", "HAT132"]}, [("to[1]", "to[1]", "HAT172", "HAT132")]),
        ({"to": [[1, 2], [3, 4]]}, {"to": [[3, 5], [1, 2]]}, [("to[0][1]", "to[1][1]", 4, 5)]),
        ({"ids": ["a", "b"]}, {"ids": ["b", "c"]}, [("ids[1]", "ids[0]", "a", "c")]),
        # what a side lacks stands behind its last entry
        ({"ids": ["a", "b"]}, {"ids": ["b"]}, [("ids[1]", "ids[0]", "a", NOT_GIVEN)]),
        ({"ids": ["a"]}, {"ids": ["b", "a", "c"]}, [("ids[0]", "ids[1]", NOT_GIVEN, "b"), ("ids[2]", "ids[2]", NOT_GIVEN, "c")]),
        ({"a": {"b": 1}}, {"a": '{"b": 2}'}, [("a.b", "a.b", 1, 2)]),
    ],
)
def test_differences_are_told_leaf_by_leaf(expected, actual, found):
    assert [tuple(difference) for difference in differences(expected, actual)] == found
