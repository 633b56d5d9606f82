"""Where components, configurations and data are looked for: a list of folders, the first that has a thing wins."""

import os
from collections.abc import Sequence
from pathlib import Path

import blade
from blade.errors import UsageError

EXTRA_ROOTS = "NEMO_GYM_EXTRA_ROOTS"


def install_root() -> Path:
    """Where the components that come with BLADE lie: the clone, or a folder inside the installed package."""
    package = Path(blade.__file__).resolve().parent
    clone = package.parents[1]
    return clone if (clone / "resources_servers").is_dir() else package / "gym" / "installed"


def search_roots(search_dirs: Sequence[str] = ()) -> tuple[Path, ...]:
    """`--search-dir`s, then those of the environment variable, the working directory, and what is installed."""
    for folder in search_dirs:
        if not Path(folder).is_dir():
            raise UsageError(f"--search-dir {folder} is not a folder")
    extra = [folder for folder in os.environ.get(EXTRA_ROOTS, "").split(os.pathsep) if folder]
    listed = [Path(folder).expanduser().resolve() for folder in (*search_dirs, *extra, ".")] + [install_root()]
    return tuple(dict.fromkeys(listed))


def holders(relative: str, roots: Sequence[Path]) -> list[Path]:
    """Every file or folder of this relative path, in the order of the roots."""
    given = Path(relative).expanduser()
    if given.is_absolute():
        return [given] if given.exists() else []
    return list(dict.fromkeys(root / given for root in roots if (root / given).exists()))


def find_below(relative: str, roots: Sequence[Path]) -> Path:
    """The first of them; a UsageError that says where it was looked for."""
    found = holders(relative, roots)
    if not found:
        raise UsageError(
            f"{relative} is not there", hint=f"looked in {', '.join(map(str, roots))}; add a folder with --search-dir"
        )
    return found[0]


def shown(path: Path, roots: Sequence[Path] = ()) -> str:
    """A path as short as it can be said: relative to the working directory or to a root."""
    for base in (Path.cwd(), *roots):
        if path.is_relative_to(base):
            return str(path.relative_to(base))
    return str(path)
