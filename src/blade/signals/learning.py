"""An extractor that can be taught the layout of a run before it scans it (`blade.signals.layout`, `blade.runs.lessons`)."""

from copy import copy
from dataclasses import replace
from typing import Any, Self

from blade.signals.layout.shape import read_layout
from blade.signals.options import Options


class Learns:
    """What all extractors of this room share: they read by the same options, and so by the same layout."""

    options: Options
    version: str

    @property
    def learner(self) -> Any:
        from blade.signals.layout.learn import LayoutLearner

        return LayoutLearner(self.options)

    def taught(self, learned: str) -> Self:
        layout = read_layout(learned)
        if not layout.found:
            return self
        other = copy(self)
        other.options = replace(self.options, layout=layout)
        other.version = f"{self.version}{layout.as_text()}"
        return other
