"""What is remembered for repeats: worked out once for a text, and bounded."""

from blade.signals.repeats import KEPT, MOST, MOST_NAMES, has_mark, once_for_names, once_for_repeats


def _counting() -> tuple[list[str], object]:
    asked: list[str] = []

    @once_for_repeats
    def length(text: str) -> int:
        asked.append(text)
        return len(text)

    return asked, length


def test_a_text_is_worked_out_once() -> None:
    asked, length = _counting()
    assert callable(length)
    assert [length(text) for text in ("a", "bb", "a", "bb")] == [1, 2, 1, 2]
    assert asked == ["a", "bb"]


def test_the_oldest_texts_are_forgotten() -> None:
    asked, length = _counting()
    assert callable(length)
    for number in range(KEPT + 1):
        length(f"text {number}")
    length(f"text {KEPT}")
    assert len(asked) == KEPT + 1
    length("text 0")
    assert asked[-1] == "text 0"


def test_long_texts_are_kept_one_at_a_time() -> None:
    asked, length = _counting()
    assert callable(length)
    long, other = "a" * (MOST + 1), "b" * (MOST + 1)
    for text in (long, long, other, long):
        assert length(text) == MOST + 1
    assert asked == [long, other, long]


def test_names_are_looked_at_once_and_many_of_them_anew() -> None:
    asked: list[tuple[str, ...]] = []

    @once_for_names
    def first(names: tuple[str, ...]) -> str:
        asked.append(names)
        return names[0]

    many = {f"name_{number}": number for number in range(MOST_NAMES + 1)}
    assert [first({"a": 1, "b": 2}), first({"a": 3, "b": 4}), first({"b": 2, "a": 1}), first(many), first(many)] == [
        "a", "a", "b", "name_0", "name_0",
    ]  # fmt: skip
    assert asked == [("a", "b"), ("b", "a"), tuple(many), tuple(many)]


def test_long_names_are_kept_one_object_at_a_time() -> None:
    asked: list[tuple[str, ...]] = []

    @once_for_names
    def first(names: tuple[str, ...]) -> str:
        asked.append(names)
        return names[0][0]

    long, other = ("a" * MOST, "b"), ("c" * MOST, "d")
    assert [first(long), first(long), first(other), first(long)] == ["a", "a", "c", "a"]
    assert asked == [long, other, long]


def test_a_mark_is_found_in_whatever_case() -> None:
    assert has_mark("The LAST LİNE of your answer", ("last line",))
    assert not has_mark("The last of the lines", ("last line",))
