"""What a RUN on the command line stands for: rollout files and the sidecars beside them.

A RUN is a file, a directory, a quoted glob, or `@list.txt` (one of the former a line). Sidecars are found by the naming
rules of the evaluation loop (`<stem>_materialized_inputs.jsonl`, ...); where a loose glob catches one, it is left out of the
rollouts and still found as the sidecar it is. A rollout file that is not there yet stands for a run all the same when its plan or
its failures lie beside it. What a file is, is decided here and nowhere else.
"""

import glob
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from blade.errors import UnreadableRun

COMPRESSIONS = (".gz", ".zst", ".bz2", ".xz")
SIDECAR_SUFFIXES = {
    "materialized_inputs": "_materialized_inputs.jsonl",
    "failures": "_failures.jsonl",
    "aggregate_metrics": "_aggregate_metrics.json",
    "reward_profile": "_reward_profiling.jsonl",
    "agent_metrics": "_agent_metrics.json",
    "manifest": "_run.json",
    "attempts": "_attempts.jsonl",
}
FACTS_SIDECARS = ("materialized_inputs", "failures", "manifest")
PROMISES = ("materialized_inputs", "failures")
"""Sidecars that tell of rollouts even where no rollout was written."""
CONFIG_SUFFIXES = ("_config.yaml", "_config.yml", ".yaml", ".yml")
NOTE_SUFFIXES = ("_notes.md", "_notes.txt", ".md")
ROLLOUT_FIELDS = frozenset(
    {"reward", "response", "responses_create_params", "messages", "score", "output", "trajectory", "completion", "conversation"}
)


@dataclass(frozen=True)
class Artifact:
    """One file of a run, present or expected."""

    kind: str
    path: str
    state: str = "read"
    note: str = ""
    rows: int | None = None


@dataclass(frozen=True)
class Artifacts:
    """All files of a run: the rollouts in path order, sidecars by kind, and what else was seen."""

    spec: str
    rollouts: tuple[Path, ...]
    sidecars: dict[str, tuple[Path, ...]] = field(default_factory=dict)
    others: tuple[Artifact, ...] = ()

    def facts_paths(self) -> list[Path]:
        """The files that the facts tables are made from; the other sidecars are read whenever the run is opened."""
        written = [path for path in self.rollouts if path.is_file()]
        return [*written, *(path for kind in FACTS_SIDECARS for path in self.sidecars.get(kind, ()))]

    def expected_sidecars(self, kind: str) -> list[str]:
        """The names a sidecar would have, for saying which one is missing."""
        return [str(path.with_name(bare_stem(path) + SIDECAR_SUFFIXES[kind])) for path in self.rollouts]


def uncompressed_name(path: Path) -> str:
    return path.name.removesuffix(path.suffix) if path.suffix in COMPRESSIONS else path.name


def bare_stem(path: Path) -> str:
    """The `<stem>` that sidecar names are made from."""
    return uncompressed_name(path).removesuffix(".jsonl")


def sidecar_kind(path: Path) -> str | None:
    name = uncompressed_name(path)
    return next((kind for kind, suffix in SIDECAR_SUFFIXES.items() if name.endswith(suffix)), None)


def owners(kind: str, sidecars: Sequence[str], rollouts: Sequence[str]) -> list[int]:
    """For each sidecar of a kind the number of the rollout file it stands beside; −1 where it was given for the whole run."""
    stems = [(Path(path).parent, bare_stem(Path(path))) for path in rollouts]
    found = []
    for path in map(Path, sidecars):
        stem = (path.parent, uncompressed_name(path).removesuffix(SIDECAR_SUFFIXES[kind]))
        found.append(0 if len(rollouts) == 1 else stems.index(stem) if stem in stems else -1)
    return found


def read_manifest(rollouts: Path) -> dict[str, Any] | None:
    """The manifest beside a rollout file; None where there is none or it cannot be read (the inventory says so)."""
    from blade.runs.sources import whole_text
    from blade.runs.spool import DamagedArchive

    for path in _existing([rollouts], SIDECAR_SUFFIXES["manifest"]):
        try:
            manifest = json.loads(whole_text(path))
        except (OSError, ValueError, RecursionError, DamagedArchive):
            return None
        return manifest if isinstance(manifest, dict) else None
    return None


def locate(spec: str | Path | Sequence[str | Path]) -> Artifacts:
    """The artifacts that a RUN names, or an error that says what is there instead."""
    specs = [spec] if isinstance(spec, str | Path) else list(spec)
    rollouts: list[Path] = []
    others: list[Artifact] = []
    for one in specs:
        found, passed_over = _expand(str(one))
        rollouts += found
        others += passed_over
    unique = sorted({path.resolve(): path for path in rollouts}.values(), key=str)
    for path in unique:
        _refuse_a_name_that_is_no_text(path)
    name = " ".join(str(one) for one in specs)
    if not unique:
        raise UnreadableRun(f"{name} names no rollout file", hint="give a .jsonl file, a directory, a quoted glob or @list.txt")
    return Artifacts(name, tuple(unique), _sidecars_of(unique), tuple(others))


def _expand(spec: str, within: tuple[Path, ...] = ()) -> tuple[list[Path], list[Artifact]]:
    if not spec:
        raise UnreadableRun(
            "the RUN is empty", hint="give a .jsonl file, a directory, a quoted glob or @list.txt; is a variable unset?"
        )
    if spec.startswith("@"):
        return _from_list(_at_home(Path(spec[1:])), within)
    path = _at_home(Path(spec))
    if path.is_dir():
        return _from_directory(path)
    if path.exists():
        if not path.is_file():
            raise UnreadableRun(
                f"{spec} is a pipe or a device, not a file", hint="save it as a file first: rows are read back by their place"
            )
        _refuse_what_is_no_rollout_file(path)
        return [path], []
    if _is_promised(path):
        return [path], []
    if glob.has_magic(spec):
        matches = [Path(match) for match in sorted(glob.glob(str(path), recursive=True)) if Path(match).is_file()]
        return _rollouts_among(matches, spec)
    raise UnreadableRun(f"{spec} does not exist", hint=_did_you_mean(path))


def _at_home(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:  # no such user
        return path


def _from_list(path: Path, within: tuple[Path, ...]) -> tuple[list[Path], list[Artifact]]:
    if path.resolve() in within:
        raise UnreadableRun(f"the list {path} names itself")
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableRun(f"the list {path} cannot be read: {_reason(error)}") from error
    rollouts: list[Path] = []
    others: list[Artifact] = []
    for number, line in enumerate(lines, start=1):
        entry = line.strip()
        if not entry or entry.startswith("#"):
            continue
        mark, name = ("@", entry[1:]) if entry.startswith("@") else ("", entry)
        try:
            found, passed_over = _expand(mark + str(path.parent / _at_home(Path(name))), (*within, path.resolve()))
        except UnreadableRun as error:
            raise UnreadableRun(
                f"{error.message} (line {number} of the list {path})", hint=error.hint, problems=error.problems
            ) from error
        rollouts += found
        others += passed_over
    return rollouts, others


def _from_directory(directory: Path) -> tuple[list[Path], list[Artifact]]:
    try:
        files = sorted(path for path in directory.iterdir() if path.is_file())
    except OSError as error:
        raise UnreadableRun(f"{directory} cannot be read: {_reason(error)}") from error
    if not any(is_jsonl(path) and sidecar_kind(path) is None for path in files):
        files = sorted(path for path in directory.rglob("*") if path.is_file())
    rollouts, others = _rollouts_among(files, str(directory))
    kinds = {".yaml": "config", ".yml": "config", ".md": "notes", ".txt": "notes"}
    others += [Artifact(kinds[path.suffix], str(path)) for path in files if path.suffix in kinds]
    return rollouts, others


def _rollouts_among(paths: Sequence[Path], spec: str) -> tuple[list[Path], list[Artifact]]:
    rollouts: list[Path] = []
    others: list[Artifact] = []
    for path in paths:
        if not is_jsonl(path) or sidecar_kind(path) is not None:
            continue
        fields = _fields_of_first_rows(path)
        if fields is None or fields & ROLLOUT_FIELDS:
            rollouts.append(path)
        else:
            others.append(Artifact("notes", str(path), note=f"not rollouts: {_held(fields)}neither a reward nor a response"))
    rollouts = rollouts or _promised_by(paths)
    if not rollouts:
        seen = f"; it holds {others[0].path}, which is {others[0].note}" if others else ""
        raise UnreadableRun(f"no rollout file in {spec}{seen}", hint="rollouts are .jsonl files, plain or compressed")
    return rollouts, others


def _is_promised(path: Path) -> bool:
    """Whether a rollout file that is not there was to be written: everything failed, or the run was killed before its first row."""
    if not is_jsonl(path) or sidecar_kind(path) is not None:
        return False
    return any(True for kind in PROMISES for _ in _existing([path], SIDECAR_SUFFIXES[kind]))


def _promised_by(paths: Iterable[Path]) -> list[Path]:
    """The rollout files that these sidecars belong to."""
    kinds = ((path, sidecar_kind(path)) for path in paths)
    stems = [
        path.with_name(uncompressed_name(path).removesuffix(SIDECAR_SUFFIXES[kind])) for path, kind in kinds if kind in PROMISES
    ]
    return list(dict.fromkeys(stem.with_name(f"{stem.name}.jsonl") for stem in stems))


def _refuse_a_name_that_is_no_text(path: Path) -> None:
    """Tables and reports name the files: a name that is not UTF-8 cannot stand in them."""
    try:
        str(path.resolve()).encode()
    except UnicodeEncodeError:
        shown = str(path).encode("utf-8", "backslashreplace").decode()
        raise UnreadableRun(f"the name of {shown} is not UTF-8", hint="rename the file or its folder") from None


def _refuse_what_is_no_rollout_file(path: Path) -> None:
    """A file named outright must be rollouts; anything else is named for what it is."""
    kind = sidecar_kind(path)
    if kind is not None:
        hint = f"give the rollouts it belongs to: {path.with_name(uncompressed_name(path).removesuffix(SIDECAR_SUFFIXES[kind]) + '.jsonl')}"
        raise UnreadableRun(f"{path} is a sidecar ({kind}), not a rollout file", hint=hint)
    try:
        with path.open("rb") as file:
            head = file.read(4)
    except OSError as error:
        raise UnreadableRun(f"{path} cannot be read: {_reason(error)}") from error
    if head[:4] == b"PK\x03\x04":
        raise UnreadableRun(
            f"{path} is a zip archive (an Inspect .eval log?), not rollout JSONL", hint="export its samples as JSON lines first"
        )
    if head[:4] == b"PAR1":
        raise UnreadableRun(f"{path} is a Parquet file, not rollout JSONL", hint="export it as JSON lines first")
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise UnreadableRun(f"{path} is UTF-16 text", hint="convert it to UTF-8, for example with iconv -f UTF-16 -t UTF-8")
    fields = _fields_of_first_rows(path)
    if fields is not None and not fields & ROLLOUT_FIELDS:
        what = "label" if any("label" in name for name in fields) or "label" in path.name else "data"
        raise UnreadableRun(
            f"{path} is a {what} file, not rollouts: {_held(fields)}neither a reward nor a response",
            hint="give the rollout .jsonl that an evaluation wrote",
        )


def _fields_of_first_rows(path: Path, rows: int = 20, most_bytes: int = 1 << 22) -> set[str] | None:
    """The top-level fields of the first readable rows; None when no row could be read (the scan will say why)."""
    from blade.runs.sources import first_bytes

    fields: set[str] = set()
    read = 0
    for line in first_bytes(path, most_bytes).split(b"\n"):
        if read >= rows:
            break
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            fields |= set(row)
            read += 1
    return fields if read else None


def _sidecars_of(rollouts: Sequence[Path]) -> dict[str, tuple[Path, ...]]:
    sidecars = {kind: tuple(_existing(rollouts, suffix)) for kind, suffix in SIDECAR_SUFFIXES.items()}
    sidecars["config"] = tuple(_existing(rollouts, *CONFIG_SUFFIXES))
    sidecars["notes"] = tuple(_existing(rollouts, *NOTE_SUFFIXES))
    return {kind: paths for kind, paths in sidecars.items() if paths}


def _existing(rollouts: Sequence[Path], *suffixes: str) -> Iterator[Path]:
    for path in rollouts:
        for suffix in suffixes:
            for ending in ("", *COMPRESSIONS):
                candidate = path.with_name(bare_stem(path) + suffix + ending)
                if candidate.is_file():
                    yield candidate


def is_jsonl(path: Path) -> bool:
    return uncompressed_name(path).endswith(".jsonl")


def _held(fields: Iterable[str]) -> str:
    named = _listed(fields)
    return f"its rows hold {named} and " if named else "its rows hold no fields, "


def _listed(names: Iterable[str], most: int = 6) -> str:
    ordered = sorted(names)
    return ", ".join(ordered[:most]) + (f" and {len(ordered) - most} more" if len(ordered) > most else "")


def _did_you_mean(path: Path) -> str:
    try:
        names = [other.name for other in path.parent.iterdir()]
    except OSError:
        return f"the directory {path.parent} does not exist either"
    close = get_close_matches(path.name, names, n=1)
    return f"did you mean {path.with_name(close[0])}?" if close else f"{path.parent} holds {_listed(names)}" if names else ""


def _reason(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
