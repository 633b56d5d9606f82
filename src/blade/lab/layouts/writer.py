"""A writer: what a row holds, as the fields of one tool."""

from __future__ import annotations

from collections.abc import Callable

from blade.lab.layouts.facts import Facts
from blade.lab.stage.script import Row

Writer = Callable[[Facts], Row]
