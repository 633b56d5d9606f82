"""The functions that the code environment asks for: right ways, a slip that its own tests catch, a usual misconception, and other slips.

A misconception and the wavering slips pass the visible tests and fail hidden ones; so does an agent that has them. All sources are run
for real by the environment's test runner.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Wanted:
    name: str
    signature: str
    text: str
    visible: tuple[tuple[str, str, str], ...]
    """(test, arguments, expected), as Python literals."""
    hidden: tuple[tuple[str, str, str], ...]
    right: tuple[str, ...]
    """Bodies of the function, each a right one."""
    caught: str
    """A body that a visible test catches."""
    misconception: str
    wavering: tuple[str, ...]
    misuse: tuple[str, ...]
    """Bodies that call something that does not exist, in the ways in which one tries after an error."""


FUNCTIONS: tuple[Wanted, ...] = (
    Wanted(
        "is_leap", "year", "tell whether a year of the Gregorian calendar is a leap year",
        (("test_common", "2023", "False"), ("test_fourth", "2024", "True")),
        (("test_century", "1900", "False"), ("test_four_centuries", "2000", "True"), ("test_old", "1600", "True")),
        ("return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)", "if year % 400 == 0:\n        return True\n    return year % 4 == 0 and year % 100 != 0"),
        "return year % 4 != 0 and year % 100 == 0",
        "return year % 4 == 0",
        ("return year % 4 == 0 and year % 100 != 0", "return year % 4 == 0 and year % 1000 != 0", "return year % 4 == 0 and (year % 100 != 0 or year % 1000 == 0)"),
        ("return year.is_leap()", "return year.isleap()", "import datetime\n    return datetime.date(year, 1, 1).is_leap_year()"),
    ),
    Wanted(
        "median", "values", "return the median of a list of numbers, and 0 for an empty list",
        (("test_odd", "[3, 1, 2]", "2"), ("test_single", "[5]", "5")),
        (("test_even", "[4, 1, 3, 2]", "2.5"), ("test_empty", "[]", "0"), ("test_negative", "[-1, -3]", "-2.0")),
        ("ordered = sorted(values)\n    if not ordered:\n        return 0\n    half = len(ordered) // 2\n    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2",
         "if not values:\n        return 0\n    from statistics import median as middle\n    return middle(values)"),
        "return values[len(values) // 2]",
        "ordered = sorted(values)\n    return ordered[len(ordered) // 2] if ordered else 0",
        ("ordered = sorted(values)\n    half = len(ordered) // 2\n    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2",
         "ordered = sorted(values)\n    half = len(ordered) // 2\n    return ordered[half] if len(ordered) % 2 or not ordered else (ordered[half - 1] + ordered[half]) // 2",
         "ordered = sorted(values, key=abs)\n    if not ordered:\n        return None\n    half = len(ordered) // 2\n    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2"),
        ("return values.median()", "return sorted(values).middle()", "import statistics\n    return statistics.middle(values)"),
    ),
    Wanted(
        "merge_spans", "spans", "merge overlapping or touching [start, end] spans and return them in order",
        (("test_apart", "[[1, 2], [4, 5]]", "[[1, 2], [4, 5]]"), ("test_overlap", "[[1, 4], [2, 6]]", "[[1, 6]]")),
        (("test_touching", "[[1, 2], [2, 3]]", "[[1, 3]]"), ("test_unsorted", "[[5, 6], [1, 3]]", "[[1, 3], [5, 6]]"), ("test_inside", "[[1, 9], [2, 3]]", "[[1, 9]]"), ("test_empty", "[]", "[]")),
        ("merged = []\n    for start, end in sorted(spans):\n        if merged and start <= merged[-1][1]:\n            merged[-1][1] = max(merged[-1][1], end)\n        else:\n            merged.append([start, end])\n    return merged",),
        "merged = []\n    for start, end in sorted(spans):\n        if merged and start > merged[-1][1]:\n            merged[-1][1] = end\n        else:\n            merged.append([start, end])\n    return merged",
        "merged = []\n    for start, end in sorted(spans):\n        if merged and start < merged[-1][1]:\n            merged[-1][1] = max(merged[-1][1], end)\n        else:\n            merged.append([start, end])\n    return merged",
        ("merged = []\n    for start, end in sorted(spans):\n        if merged and start <= merged[-1][1]:\n            merged[-1][1] = end\n        else:\n            merged.append([start, end])\n    return merged",
         "merged = []\n    for start, end in spans:\n        if merged and start <= merged[-1][1]:\n            merged[-1][1] = max(merged[-1][1], end)\n        else:\n            merged.append([start, end])\n    return merged",
         "spans = sorted(spans)\n    merged = [spans[0]]\n    for start, end in spans[1:]:\n        if start <= merged[-1][1]:\n            merged[-1][1] = max(merged[-1][1], end)\n        else:\n            merged.append([start, end])\n    return merged"),
        ("return spans.merge()", "return sorted(spans).combine()", "import itertools\n    return itertools.merge(spans)"),
    ),
    Wanted(
        "pieces", "values, size", "cut a list into lists of the given size, the last one shorter if it must be",
        (("test_even", "[1, 2, 3, 4], 2", "[[1, 2], [3, 4]]"), ("test_one", "[1], 1", "[[1]]")),
        (("test_rest", "[1, 2, 3], 2", "[[1, 2], [3]]"), ("test_empty", "[], 3", "[]"), ("test_longer", "[1, 2], 5", "[[1, 2]]")),
        ("return [values[at : at + size] for at in range(0, len(values), size)]", "found = []\n    while values:\n        found.append(values[:size])\n        values = values[size:]\n    return found"),
        "return [values[at : at + size] for at in range(size)]",
        "return [values[at * size : (at + 1) * size] for at in range(len(values) // size)]",
        ("return [values[at : at + size] for at in range(0, len(values), size)] or [[]]",
         "found = [values[at : at + size] for at in range(0, len(values), size)]\n    return found if len(found) > 1 or size == 1 else []",
         "return [list(group) for group in zip(*[iter(values)] * size)]"),
        ("return values.chunk(size)", "return values.split(size)", "import itertools\n    return list(itertools.chunked(values, size))"),
    ),
    Wanted(
        "rotate", "values, by", "rotate a list to the right by so many places",
        (("test_one", "[1, 2, 3], 1", "[3, 1, 2]"), ("test_none", "[1, 2], 0", "[1, 2]")),
        (("test_beyond", "[1, 2, 3], 4", "[3, 1, 2]"), ("test_empty", "[], 2", "[]"), ("test_back", "[1, 2, 3], -1", "[2, 3, 1]")),
        ("if not values:\n        return []\n    by %= len(values)\n    return values[-by:] + values[:-by] if by else list(values)",),
        "return values[by:] + values[:by]",
        "return values[len(values) - by :] + values[: len(values) - by]",
        ("by %= len(values)\n    return values[-by:] + values[:-by] if by else list(values)",
         "if not values:\n        return []\n    for _ in range(by):\n        values = [values[-1], *values[:-1]]\n    return list(values)",
         "if not values:\n        return None\n    by = abs(by) % len(values)\n    return values[-by:] + values[:-by] if by else list(values)"),
        ("return values.rotate(by)", "return list(values).rotated(by)", "from collections import deque\n    return deque(values).rotate_right(by)"),
    ),
    Wanted(
        "balanced", "text", "tell whether the brackets ()[]{} of a text are balanced",
        (("test_pair", "'(a)'", "True"), ("test_open", "'(('", "False")),
        (("test_mixed", "'(]'", "False"), ("test_order", "')('", "False"), ("test_nested", "'{[()]}'", "True"), ("test_crossed", "'([)]'", "False")),
        ("stack = []\n    pairs = {')': '(', ']': '[', '}': '{'}\n    for mark in text:\n        if mark in pairs.values():\n            stack.append(mark)\n        elif mark in pairs and (not stack or stack.pop() != pairs[mark]):\n            return False\n    return not stack",),
        "return text.count('(') != text.count(')')",
        "return all(text.count(a) == text.count(b) for a, b in ('()', '[]', '{}'))",
        ("depth = 0\n    for mark in text:\n        depth += (mark in '([{') - (mark in ')]}')\n        if depth < 0:\n            return False\n    return depth == 0",
         "stack = []\n    for mark in text:\n        if mark in '([{':\n            stack.append(mark)\n        elif mark in ')]}' and stack:\n            stack.pop()\n    return not stack",
         "return text.count('(') == text.count(')') and ')(' not in text"),
        ("return text.is_balanced()", "return text.balanced('()')", "import string\n    return string.brackets(text)"),
    ),
    Wanted(
        "flatten", "nested", "flatten lists nested to any depth into one list",
        (("test_flat", "[1, 2]", "[1, 2]"), ("test_once", "[1, [2, 3]]", "[1, 2, 3]")),
        (("test_deep", "[1, [2, [3, [4]]]]", "[1, 2, 3, 4]"), ("test_empty_inside", "[[], 1]", "[1]"), ("test_text", "['ab', ['c']]", "['ab', 'c']")),
        ("found = []\n    for entry in nested:\n        found.extend(flatten(entry) if isinstance(entry, list) else [entry])\n    return found",),
        "return [entry for entry in nested if not isinstance(entry, list)]",
        "found = []\n    for entry in nested:\n        found.extend(entry if isinstance(entry, list) else [entry])\n    return found",
        ("found = []\n    for entry in nested:\n        if isinstance(entry, list):\n            found.extend(flatten(entry) or [None])\n        else:\n            found.append(entry)\n    return found",
         "found = []\n    for entry in nested:\n        found.extend(flatten(list(entry)) if hasattr(entry, '__iter__') and len(entry) > 1 else entry if hasattr(entry, '__iter__') else [entry])\n    return found",
         "found = []\n    for entry in nested:\n        for inner in entry if isinstance(entry, list) else [entry]:\n            found.extend(inner if isinstance(inner, list) else [inner])\n    return found"),
        ("return nested.flatten()", "return list(nested).flat()", "import itertools\n    return list(itertools.flatten(nested))"),
    ),
    Wanted(
        "half_up", "amount", "round an amount to a whole number, halves away from zero",
        (("test_down", "1.2", "1"), ("test_up", "1.7", "2")),
        (("test_half", "2.5", "3"), ("test_small_half", "0.5", "1"), ("test_negative", "-2.5", "-3")),
        ("from math import floor\n    whole = floor(abs(amount) + 0.5)\n    return whole if amount >= 0 else -whole",),
        "return int(amount)",
        "return round(amount)",
        ("from math import floor\n    return floor(amount + 0.5)", "from math import ceil\n    return ceil(amount) if amount % 1 > 0.4 else int(amount)", "return int(amount + 0.5) if amount > 1 else round(amount)"),
        ("return amount.round_half_up()", "return amount.round(0)", "import math\n    return math.round(amount)"),
    ),
    Wanted(
        "seconds", "span", "turn a span such as '1h30m' (d, h, m, s) into seconds",
        (("test_minutes", "'5m'", "300"), ("test_both", "'1h30m'", "5400")),
        (("test_days", "'2d'", "172800"), ("test_empty", "''", "0"), ("test_all", "'1d1h1m1s'", "90061")),
        ("import re\n    unit = {'d': 86400, 'h': 3600, 'm': 60, 's': 1}\n    return sum(int(n) * unit[u] for n, u in re.findall(r'(\\d+)([dhms])', span))",),
        "return int(span[:-1]) * 3600",
        "import re\n    unit = {'h': 3600, 'm': 60, 's': 1}\n    return sum(int(n) * unit[u] for n, u in re.findall(r'(\\d+)([hms])', span))",
        ("import re\n    unit = {'d': 24, 'h': 3600, 'm': 60, 's': 1}\n    return sum(int(n) * unit[u] for n, u in re.findall(r'(\\d+)([dhms])', span))",
         "import re\n    unit = {'d': 86400, 'h': 3600, 'm': 60, 's': 1}\n    found = re.findall(r'(\\d+)([dhms])', span)\n    return sum(int(n) * unit[u] for n, u in found) if found else None",
         "import re\n    unit = {'d': 86400, 'h': 3600, 'm': 60}\n    return sum(int(n) * unit.get(u, 0) for n, u in re.findall(r'(\\d+)([dhms])', span))"),
        ("return span.to_seconds()", "return span.parse_duration()", "import datetime\n    return datetime.timedelta.parse(span).total_seconds()"),
    ),
    Wanted(
        "initials", "name", "return the initials of a name in capitals, hyphenated parts included",
        (("test_two", "'Ada Lovelace'", "'AL'"), ("test_one", "'plato'", "'P'")),
        (("test_hyphen", "'Jean-Luc Picard'", "'JLP'"), ("test_spaces", "'  Grace   Hopper '", "'GH'"), ("test_empty", "''", "''")),
        ("return ''.join(part[0].upper() for part in name.replace('-', ' ').split())",),
        "return name[0] + name[-1]",
        "return ''.join(part[0].upper() for part in name.split())",
        ("return ''.join(part[0].upper() for part in name.replace('-', ' ').split(' '))", "parts = name.replace('-', ' ').split()\n    return (parts[0][0] + parts[-1][0]).upper() if len(parts) > 1 else name[:1].upper()", "return ''.join(mark for mark in name.title() if mark.isupper()) or None"),
        ("return name.initials()", "return name.capitals()", "import string\n    return string.initials(name)"),
    ),
)  # fmt: skip
