"""Settings over settings: mappings are merged key by key, everything else is replaced as a whole."""

from collections.abc import Iterator, Mapping
from typing import Any

Path = tuple[str | int, ...]


def deep_merge(under: Any, over: Any) -> Any:
    """`over` on top of `under`. Lists are replaced, never joined; neither argument is changed or shared."""
    if not isinstance(under, Mapping) or not isinstance(over, Mapping):
        return copied(over)
    merged = {key: copied(value) for key, value in under.items() if key not in over}
    order = [*under, *(key for key in over if key not in under)]
    merged |= {key: deep_merge(under[key], value) if key in under else copied(value) for key, value in over.items()}
    return {key: merged[key] for key in order}


def copied(value: Any) -> Any:
    """A tree of its own; the leaves are immutable and stay the same objects."""
    if isinstance(value, Mapping):
        return {key: copied(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [copied(inner) for inner in value]
    return value


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value that holds no others, with the way to it; an empty mapping or list is a leaf too."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and value:
        for index, inner in enumerate(value):
            yield from leaves(inner, (*path, index))
    else:
        yield path, value


def dotted(path: Path) -> str:
    """The way to a value as people write it: `agent.datasets[0].name`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def split_path(text: str) -> tuple[str, ...]:
    """`a.b[0].c` as its parts; an index stays a text of digits, for only the tree knows whether it is one."""
    return tuple(part for part in text.replace("[", ".").replace("]", "").split(".") if part != "")


def step(value: Any, part: str) -> Any:
    """One step down; KeyError where there is nothing."""
    if isinstance(value, dict):
        return value[part]
    if isinstance(value, list) and part.isdecimal() and int(part) < len(value):
        return value[int(part)]
    raise KeyError(part)


def reach(tree: Any, parts: tuple[str, ...]) -> Any:
    """The value at the end of the path; KeyError where there is none."""
    for part in parts:
        tree = step(tree, part)
    return tree


def exists(tree: Any, parts: tuple[str, ...]) -> bool:
    try:
        reach(tree, parts)
    except KeyError:
        return False
    return True
