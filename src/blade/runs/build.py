"""Building a run's tables: sources opened (compressed ones spooled), the scan, the assembly, and the record of what was found."""

import json
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from blade.engines import Engine, open_engine
from blade.engines.memory import share_one_store
from blade.errors import UnreadableRun
from blade.runs import spool
from blade.runs.artifacts import Artifacts
from blade.runs.index import SCHEMA_VERSION, Index, make_key
from blade.runs.not_jsonl import HEAD, looks_like
from blade.runs.scan import Extractor, Problem
from blade.runs.sources import Source, compression, first_bytes

TABLES = ("rollouts", "tasks", "plan", "inputs", "failures", "problems")
PRELOAD = ("blade.runs.scan", "blade.runs.lean_arrow")
RUN_FILE = "run.json"
process_is_ours = False  # the commands say so: then nothing but BLADE wants pyarrow, and it need not look for pandas
SMALL_BYTES = 48 << 20  # below this, starting workers costs more than they save


class Progress:
    """How far the reading is: told the size of the whole and of each piece done. This one says nothing."""

    def start(self, what: str, total: int | None) -> None: ...
    def advance(self, amount: int) -> None: ...
    def finish(self) -> None: ...


class Builder:
    """Builds the tables of a run, and gives its sources; sources of compressed files are spooled when first needed."""

    def __init__(
        self,
        artifacts: Artifacts,
        index: Index,
        engine: Engine | None,
        task_field: str | None,
        repeats: int | None,
        extractors: tuple[Extractor, ...],
        progress: Progress,
        preload: Sequence[str] = (),
    ) -> None:
        self.artifacts = artifacts
        self.index = index
        self.engine = engine
        self.task_field = task_field
        self.repeats = repeats
        self.extractors = extractors
        self.progress = progress
        self.preload = (*PRELOAD, *preload)
        self.damage: dict[str, str] = {}

    def source(self, path: Path) -> Source:
        absolute = str(path.resolve())
        if not path.exists():
            return Source(absolute, 0)
        kind = compression(path)
        if kind is None:
            return Source(absolute, path.stat().st_size)

        def build(target: Path) -> None:
            self.progress.start(f"unpacking {path.name}", None)
            spool.spool(path, kind, target, self.progress.advance)
            self.progress.finish()

        directory = self.index.entry("spools", make_key([path]), build)
        spooled = spool.read_spooled(directory)
        if spooled is None:
            raise UnreadableRun(f"{path} could not be unpacked into {directory}", hint="is the disk full?")
        if spooled.damage:
            self.damage[absolute] = spooled.damage
        return Source(absolute, spooled.size, str(directory))

    def build(self, target: Path) -> None:
        if process_is_ours:
            share_one_store()
        from blade.runs.survey import SCANNED_ROLES, scan_all

        by_role = {
            role: self.artifacts.rollouts if role == "rollouts" else self.artifacts.sidecars.get(role, ())
            for role in SCANNED_ROLES
        }
        sources = {role: [self.source(path) for path in paths] for role, paths in by_role.items()}
        total = sum(source.size for listed in sources.values() for source in listed)
        self.progress.start("reading", total)
        with tempfile.TemporaryDirectory(prefix=".scratch-", dir=target) as scratch:
            engine = self.engine or open_engine("local", workers=1 if total < SMALL_BYTES else None, preload=self.preload)
            if total >= SMALL_BYTES:
                threading.Thread(target=_import_what_comes_next, daemon=True).start()
            else:
                _import_what_comes_next()
            with engine if self.engine is None else _kept_open(engine) as used:
                scanned = scan_all(
                    self.artifacts, sources, used, Path(scratch), self.extractors, self.task_field, self.progress.advance
                )
            self.progress.finish()
            from blade.runs.assemble import Options, assemble

            damaged = [
                Problem("damaged_archive", path, None, None, f"{what}; what came before was read")
                for path, what in self.damage.items()
            ]
            scanned.problems = damaged + scanned.problems
            if not any(count.rows for counts in scanned.files.values() for count in counts):
                raise UnreadableRun(_nothing_readable(self.artifacts, scanned.problems), problems=scanned.problems)
            names = _short_names([Path(source.path) for source in sources["rollouts"]])
            assembled = assemble(
                scanned,
                target,
                names,
                Options(self.task_field, self.repeats),
                tuple(extractor.table for extractor in self.extractors),
            )
        meta = {
            "schema": SCHEMA_VERSION,
            "tables": [*TABLES, *(extractor.table for extractor in self.extractors)],
            "identity": asdict(assembled.identity),
            "reward_field": assembled.reward_field,
            "expected_source": assembled.plan.source,
            "stale_inputs": assembled.plan.stale_inputs,
            "own_fields": assembled.own_fields,
            "unlisted_problems": scanned.unlisted_problems,
            "damage": self.damage,
            "bytes": sum(source.size for source in sources["rollouts"]),
            "files": {role: [asdict(count) | {"rows": count.rows} for count in counts] for role, counts in scanned.files.items()},
        }
        (target / RUN_FILE).write_text(json.dumps(meta))


def _import_what_comes_next() -> None:
    """The tables are made by libraries that are slow to import; do it while the workers start."""
    if process_is_ours:
        import blade.runs.lean_arrow
    import blade.runs.assemble  # noqa: F401


class _kept_open:  # noqa: N801 (reads as a context)
    """An engine that belongs to the caller and stays open."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def __enter__(self) -> Engine:
        return self.engine

    def __exit__(self, *_: object) -> None: ...


def _nothing_readable(artifacts: Artifacts, problems: list[Problem]) -> str:
    first = problems[0] if problems else None
    other = looks_like(first_bytes(Path(first.path), HEAD)) if first and first.path and first.line else ""
    if other:
        what = f"{first.path} is {other}" if first and len(artifacts.rollouts) > 1 else f"it is {other}"
        return f"{artifacts.spec} holds no readable row: {what}, and not JSON lines"
    where = (
        f"{first.path}, line {first.line}: {first.message}" if first and first.line else first.message if first else "it is empty"
    )
    return f"{artifacts.spec} holds no readable row ({where})"


def _short_names(paths: list[Path]) -> list[str]:
    """A short name per file that tells them apart: its stem, after as many of its directories as that takes."""
    for depth in range(max(len(path.parts) for path in paths)):
        names = ["/".join([*path.parts[:-1][len(path.parts) - 1 - depth :], path.name.split(".jsonl")[0]]) for path in paths]
        if len(set(names)) == len(names):
            return names
    return [str(path) for path in paths]
