"""What the documents promise is what happens: every command they show runs, every link leads somewhere, every command is described."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from blade.cli.main import blade, gym
from blade.cli.reference import commands
from tests.docs.guides import run_line

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
BLOCK = re.compile(r"^```bash\n(.*?)^```", re.MULTILINE | re.DOTALL)
STORIES = ("running.md", "environments.md", "packages.md", "calibration.md")
"""Pages whose commands build on each other: tests of their own follow them from top to bottom."""
SETS_UP = (
    "make demo",
    "make example",
    "make test",
    "make setup",
    "make lint",
    "make bench",
    "make evidence",
    "make docs",
    "make lock",
)


def shown_commands() -> list[tuple[str, str]]:
    return [
        (page.name, line) for page in PAGES for block in BLOCK.findall(page.read_text()) for line in block.strip().splitlines()
    ]


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory that looks like a clone after `make example`, without setting everything up again; it has a cache, as a reader has."""
    folder = tmp_path_factory.mktemp("clone")
    (folder / ".venv").mkdir()
    (folder / ".venv" / "bin").symlink_to(Path(sys.executable).parent)
    example = [sys.executable, "-m", "blade.lab.example"]
    subprocess.run([*example, "example"], cwd=folder, check=True, capture_output=True)
    after = ["example-after", "--mend", "skipped_lookup", "--mend", "outage"]
    subprocess.run([*example, *after], cwd=folder, check=True, capture_output=True)
    return folder


def test_the_readme_shows_the_two_commands_that_set_everything_up() -> None:
    readme = [line for page, line in shown_commands() if page == "README.md"]
    assert readme[0] == "make demo"
    assert "make test" in readme
    assert "make test" in (ROOT / ".ci" / "run").read_text()


@pytest.mark.parametrize("line", sorted({line for page, line in shown_commands() if line not in SETS_UP and page not in STORIES}))
def test_every_shown_command_runs(clone: Path, line: str) -> None:
    done = run_line(line, clone, {"PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": str(clone / "cache")})
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_make_targets_that_are_shown_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for _, line in shown_commands():
        if line.startswith("make "):
            assert re.search(rf"^{line.split()[1]}:", makefile, re.MULTILINE), line


@pytest.mark.parametrize(
    ("position", "command"),
    [
        (0, "inspect example"),
        (1, "diagnose example --out example/report"),
        (2, "compare example example-after --out example-after/comparison"),
    ],
)
def test_the_readme_output_is_what_the_commands_print(clone: Path, position: int, command: str) -> None:
    printed = subprocess.run(
        [sys.executable, "-c", f"from blade.cli.main import main; main({command.split()})"],
        cwd=clone,
        capture_output=True,
        text=True,
        env={"PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": str(clone / "cache"), "PYTHONIOENCODING": "utf-8", "COLUMNS": "120"},
    ).stdout
    shown = re.findall(r"^```text\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)[position]
    lines = [line.rstrip() for line in printed.splitlines()]
    for line in shown.strip().splitlines():
        assert line in lines, f"{line!r} is not what `blade {command}` prints"


def test_shown_python_runs(clone: Path) -> None:
    """After the command that the page shows before it."""
    environment = {"PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": str(clone / "cache")}
    diagnose = [Path(sys.executable).parent / "blade", "diagnose", "example", "--out", "example/report"]
    subprocess.run(diagnose, cwd=clone, env=environment, check=True, capture_output=True)
    shown = [
        block
        for page in PAGES
        if page.name not in STORIES
        for block in re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    ]
    assert shown
    for block in shown:
        done = subprocess.run([sys.executable, "-c", block], cwd=clone, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert "0 of them do not hold" in done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_the_command_reference_is_up_to_date(tmp_path: Path) -> None:
    """In a process of its own, as `make docs` runs it: a command remembers the help option of whoever called it first."""
    subprocess.run([sys.executable, "-m", "blade.cli.reference", str(tmp_path / "cli.md")], check=True)
    assert (ROOT / "docs" / "cli.md").read_text() == (tmp_path / "cli.md").read_text(), "run make docs"


def test_every_command_is_in_the_reference_and_has_an_example_and_json() -> None:
    page = (ROOT / "docs" / "cli.md").read_text()
    for root, name in ((blade, "blade"), (gym, "gym")):
        for path, command in commands(root, (name,)):
            assert f"## {' '.join(path)}\n" in page
            assert command.epilog
            assert "Example:" in command.epilog
            if name == "blade":
                assert "--json" in {option for parameter in command.params for option in parameter.opts}
