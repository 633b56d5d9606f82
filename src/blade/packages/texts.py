"""Files of a package that people write, read within bounds."""

import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from blade.errors import UsageError
from blade.untrusted.files import read_at_most

CONCRETE: Final = re.compile(r"\d|`[^`]+`|“[^”]+”|\"[^\"]+\"")
"""A text that names something of the data: a figure, an id, a name in code, a quotation."""

MOST_BYTES: Final = 16 << 20


def read_markdown(path: Path) -> str:
    return _text(path).replace("\r\n", "\n")


def read_json(path: Path, *, printed: bool = False) -> Any:
    """A JSON file; UsageError with the line where it is none. `printed` keeps the digits that numbers were written with."""
    try:
        return json.loads(_text(path), parse_float=Decimal if printed else None)
    except json.JSONDecodeError as error:
        raise UsageError(f"not JSON: {error.msg}", path=path, line=error.lineno) from None
    except (ValueError, ArithmeticError, RecursionError):
        raise UsageError("not JSON that can be read", path=path) from None


def _text(path: Path) -> str:
    content = read_at_most(path, MOST_BYTES)
    if len(content) > MOST_BYTES:
        raise UsageError(f"larger than {MOST_BYTES >> 20} MB", path=path)
    return content.decode("utf-8", "replace").removeprefix("\ufeff")
