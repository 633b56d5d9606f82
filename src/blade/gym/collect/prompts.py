"""Prompt configs: how a row's fields become the messages sent to a model.

A prompt config is a YAML file with a `user` template and, if wanted, a `system` template. `{question}` stands for the row's
top-level field of that name, `{{` and `}}` for braces, as in Python's format strings. Nothing else of them is allowed: a file may
not reach into objects (`{a.b}`, `{a[0]}`), since that would read attributes of whatever a field holds, and a fault in a template is
told when the file is loaded rather than in the middle of a run.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from string import Formatter
from typing import Any, Final

from blade.errors import UsageError

KEYS: Final = ("system", "user")
_SPEC: Final = re.compile(r"(?:.?[<>^=])?[-+ ]?#?0?\d{0,3}[,_]?(?:\.\d{1,3})?[a-zA-Z%]?")
"""Alignment, sign, width and precision of at most three digits: enough for a table, too little to fill the memory."""


@dataclass(frozen=True)
class Prompt:
    """The templates of one prompt config; `path` is where they were read, for messages."""

    user: str
    system: str | None = None
    path: str | None = None

    def messages(self, fields: Mapping[str, Any]) -> list[dict[str, str]]:
        """The messages with every `{field}` filled in."""
        parts = (("system", self.system), ("user", self.user))
        return [{"role": role, "content": self._filled(template, fields)} for role, template in parts if template is not None]

    def apply(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """The row with its messages as `responses_create_params.input`; a row that has an input of its own is refused."""
        params = row.get("responses_create_params") or {}
        if not isinstance(params, Mapping):
            raise UsageError("responses_create_params of this row is not an object", path=self.path)
        if params.get("input"):
            raise UsageError(
                "this row already has an input, and a prompt config would replace it",
                path=self.path,
                hint="leave out the prompt config, or the input of the rows",
            )
        return {**row, "responses_create_params": {**params, "input": self.messages(row)}}

    def _filled(self, template: str, fields: Mapping[str, Any]) -> str:
        for name in field_names(template):
            if name not in fields:
                raise UsageError(
                    f"the template asks for {{{name}}}, which this row does not have", path=self.path, hint=_nearest(name, fields)
                )
            if fields[name] is None:
                raise UsageError(f"the template asks for {{{name}}}, which is null in this row", path=self.path)
        try:
            return template.format_map(fields)
        except (ValueError, TypeError) as error:
            raise UsageError(f"the template does not fit this row: {error}", path=self.path) from error


def load_prompt(path: str | Path) -> Prompt:
    """Read a prompt config, and check its templates without any row."""
    content = _read(Path(path))
    if unknown := [key for key in content if key not in KEYS]:
        raise UsageError(f"a prompt config has no key {unknown[0]!r}", path=path, hint=_nearest(str(unknown[0]), KEYS))
    if "user" not in content:
        raise UsageError("a prompt config needs the key 'user'", path=path)
    for key, template in content.items():
        if not isinstance(template, str):
            raise UsageError(f"{key} must be text", path=path, hint="put a template with braces in quotation marks, or after a |")
        check_template(template, f"{key} template", path)
    return Prompt(user=content["user"], system=content.get("system"), path=str(path))


def check_template(template: str, what: str, path: str | Path | None = None) -> None:
    """Refuse whatever is not a plain `{name}` with a harmless format."""
    try:
        parts = list(Formatter().parse(template))
    except ValueError as error:
        raise UsageError(f"the {what} is broken: {error}", path=path, hint="write {{ and }} for braces") from error
    for _, name, spec, _ in parts:
        if name is None:
            continue
        if not name or name.isdecimal():
            raise UsageError(f"the {what} has braces without the name of a field", path=path, hint="write {{ and }} for braces")
        if "." in name or "[" in name:
            raise UsageError(
                f"the {what} reaches into a value with {{{name}}}", path=path, hint="only top-level fields of a row can be named"
            )
        if not _SPEC.fullmatch(spec or ""):
            raise UsageError(f"the {what} has a format that is not allowed: {{{name}:{spec}}}", path=path)


def field_names(template: str) -> list[str]:
    """The fields that a template asks for, in order, without repeats."""
    return list(dict.fromkeys(name for _, name, _, _ in Formatter().parse(template) if name))


def _read(path: Path) -> dict[Any, Any]:
    import yaml

    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read the prompt config: {error.strerror or error}", path=path) from error
    except UnicodeDecodeError as error:
        raise UsageError("the prompt config is not UTF-8 text", path=path) from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise UsageError(
            f"the prompt config is not valid YAML: {getattr(error, 'problem', None) or 'it cannot be parsed'}",
            path=path,
            line=mark.line + 1 if mark else None,
        ) from error
    if not isinstance(content, dict):
        raise UsageError("a prompt config is a mapping with 'user' and, if wanted, 'system'", path=path)
    return content


def _nearest(name: str, names: Iterable[Any]) -> str:
    """Did you mean …, or what there is."""
    known = [str(each) for each in names if not str(each).startswith("_ng_")]
    close = get_close_matches(name, known, n=1)
    return f"did you mean {close[0]!r}?" if close else f"there is {', '.join(known[:20]) or 'no field at all'}"
