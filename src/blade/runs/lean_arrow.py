"""pyarrow without pandas, for processes that are ours alone (the commands and their workers).

Making its first array, pyarrow looks for pandas and, where that is installed, imports it: longer than it takes to scan a hundred
megabytes, in every process, for nothing. Importing this module lets it look once and find none. Never import it from the
library: a notebook may well want `to_pandas`.
"""

import sys
from collections.abc import Sequence


class _NoPandas:
    """An import finder that answers for pandas only: there is none."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("pandas is not wanted here", name=name)


_finder = _NoPandas()
sys.meta_path.insert(0, _finder)
try:
    import pyarrow as pa

    pa.array([0])
finally:
    sys.meta_path.remove(_finder)
