"""A slice of the mutation study: most single changes are found by the reader, and all by the command that knows its own reports."""

from pathlib import Path

from evidence.mutations import SORTS, places, study


def test_every_sort_of_place_is_found_in_a_report() -> None:
    text = "# Report\n\n4:0 step 4: “pieces=144”, KG.\n\n```\n9:9 99\n```\n\nTask 12 has 3 of 4 and `code 7`.\n"
    assert [(sort, line, words) for sort, line, _, words in places(text)] == [
        ("quote", 3, "pieces=144"),
        ("id", 3, "4:0"),
        ("label", 3, "KG"),
        ("number", 3, "4"),
        ("id", 9, "12"),
        ("number", 9, "3"),
        ("number", 9, "4"),
    ]


def test_a_slice_of_the_study(tmp_path: Path) -> None:
    found = study(tmp_path, 24, 5, tasks=12)
    for way in ("command", "sidecar"):
        assert all(hit == tried for hit, tried in found[way].values()), way
    reader = found["reader"]
    assert sum(reader[sort][0] for sort in SORTS) >= 0.65 * sum(reader[sort][1] for sort in SORTS)
    assert sum(reader[sort][0] for sort in ("id", "quote")) >= 0.7 * sum(reader[sort][1] for sort in ("id", "quote"))
