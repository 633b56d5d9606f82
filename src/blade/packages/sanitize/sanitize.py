"""The whole of it: find the files, learn the names, write clean copies aside, check them, and only then put them in their place."""

import os
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from blade.errors import UsageError
from blade.packages.sanitize.check import Ids, check_copy
from blade.packages.sanitize.learning import learn_users
from blade.packages.sanitize.ledger import Ledger
from blade.packages.sanitize.pseudonyms import Pseudonyms, load_key
from blade.packages.sanitize.sources import Chosen, Source, sources
from blade.packages.sanitize.values import Cleaner
from blade.packages.sanitize.withholding import Clearance
from blade.packages.sanitize.writing import Writer, Written
from blade.runs.build import Progress
from blade.untrusted.detection import KnownNames

SCHEMA = "blade.sanitization/1"


def sanitize(
    paths: Sequence[Path],
    out: Path,
    *,
    key_file: Path | None = None,
    private: Sequence[str] = (),
    share: Sequence[str] | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Write clean copies of the files below `out` and say what was replaced where.

    `share` lists the fields that `blade.yaml` clears; None where no such file was given, and then no field is withheld.
    Copies that are there already are replaced only with `overwrite`; whatever else lies in `out` stays and is named.
    """
    bar = progress or Progress()
    pseudonyms = load_key(key_file)
    names = KnownNames(private=tuple(name for name in private if name.strip()))
    found = sources(paths, out, names, pseudonyms)
    chosen = found.files
    _refuse_the_key(chosen, key_file)
    stays = _standing(chosen, out, overwrite)
    known = KnownNames(names.private, learn_users(source.path for source in chosen))
    ledger = Ledger()
    writer = Writer(Cleaner(pseudonyms, ledger, known), None if share is None else Clearance(tuple(share), pseudonyms, ledger))
    results: list[tuple[Source, Written, int]] = []
    bar.start("sanitizing", sum(source.size for source in chosen))
    try:
        with _aside(out) as folder:
            ids = Ids()
            for source in chosen:
                written = writer.write(source, folder / source.name, bar.advance)
                results.append((source, written, check_copy(source, folder / source.name, ids)))
            for source in chosen:
                (out / source.name).parent.mkdir(parents=True, exist_ok=True)
                (folder / source.name).replace(out / source.name)
    finally:
        bar.finish()
    return _report(results, ledger, found, pseudonyms, share) | {"stays": stays}


def _refuse_the_key(chosen: Sequence[Source], key_file: Path | None) -> None:
    if key_file is not None and any(source.path.resolve() == key_file.resolve() for source in chosen):
        raise UsageError("the key lies among the files to share", path=key_file, hint="keep it elsewhere")


def _standing(chosen: Sequence[Source], out: Path, overwrite: bool) -> list[str]:
    """What lies in the folder beside the copies and stays there; UsageError where a copy would replace something unasked."""
    names = {source.name for source in chosen}
    there = sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file() or path.is_symlink())
    taken = [name for name in there if name in names]
    if taken and not overwrite:
        more = f" and {len(taken) - 1:,} more" if len(taken) > 1 else ""
        raise UsageError(f"{out / taken[0]}{more} would be replaced", hint="--overwrite replaces copies, or name another --out")
    return [name for name in there if name not in names]


@contextmanager
def _aside(out: Path) -> Iterator[Path]:
    """A folder on the same file system, gone whatever happens."""
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file", hint="--out takes a folder")
    out.mkdir(parents=True, exist_ok=True)
    folder = out / f".sanitize-{os.getpid()}"
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _report(
    results: list[tuple[Source, Written, int]],
    ledger: Ledger,
    found: Chosen,
    pseudonyms: Pseudonyms,
    share: Sequence[str] | None,
) -> dict[str, Any]:
    files = [
        {
            "path": source.name,
            "kind": source.sidecar or {"rows": "rollouts", "json": "document", "text": "text"}[source.form],
            "lines": written.lines,
            "rows": written.rows,
            "changed": written.changed,
            "findings": ledger.counts(ledger.by_file.get(source.name, Counter())),
        }
        for source, written, _ in results
    ]
    return {
        "schema": SCHEMA,
        "key": pseudonyms.source,
        "withholding": share is not None,
        "shared_fields": None if share is None else list(share),
        "files": files,
        "left_out": found.no_text,
        "links_left_out": found.links,
        "totals": ledger.counts(),
        "kinds": dict(sorted(ledger.totals.items(), key=lambda pair: (-pair[1], pair[0]))),
        "checked_rows": sum(compared for *_, compared in results),
        "findings": ledger.listed,
        "not_listed": dict(ledger.not_listed),
    }
