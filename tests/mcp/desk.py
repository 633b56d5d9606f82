"""A desk over a few rows, as the command would set it up."""

from collections.abc import Iterable
from pathlib import Path

from blade.diagnosis.diagnose import extractors
from blade.diagnosis.skill import Skill
from blade.mcp.desk import Desk
from blade.mcp.roots import Roots
from blade.runs.run import Run, open_run
from tests.e2e.support import write


def desk_over(folder: Path, rows: Iterable[object]) -> Desk:
    """One run, `run.jsonl`, with an index of its own."""
    write(folder / "served" / "run.jsonl", rows)

    def opener(run: str) -> tuple[Run, Skill | None]:
        return open_run(run, extractors=extractors(), index_dir=folder / "index"), None

    return Desk(Roots([str(folder / "served")]), opener)
