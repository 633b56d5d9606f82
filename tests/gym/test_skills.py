from hashlib import sha256
from pathlib import Path

import pytest

from blade.errors import UsageError
from blade.gym.skills import load_skills


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("dates", "Count days by hand."), ("money", "Never round.")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "SKILL.md").write_text(f"---\nname: {name}\ndescription: About {name}.\nversion: 2\n---\n{text}\n")
    (tmp_path / "dates" / "leap.txt").write_text("2024")
    (tmp_path / "dates" / "deep").mkdir()
    (tmp_path / "dates" / "deep" / "down.txt").write_text("far")
    (tmp_path / "dates" / "out.txt").symlink_to("../secret.txt")
    (tmp_path / "secret.txt").write_text("not a skill")
    return tmp_path


def test_the_reference_and_the_introduction_name_every_skill(folder: Path) -> None:
    skills = load_skills(str(folder))
    assert skills.reference()["skills"] == [
        {"name": "dates", "description": "About dates.", "version": "2"},
        {"name": "money", "description": "About money.", "version": "2"},
    ]
    assert "- dates: About dates." in skills.introduction()


def test_the_hash_is_over_paths_and_bytes_in_order(folder: Path) -> None:
    digest = sha256()
    for name in ("dates/SKILL.md", "dates/deep/down.txt", "dates/leap.txt", "dates/out.txt", "money/SKILL.md", "secret.txt"):
        digest.update(name.encode() + b"\0" + (folder / name).read_bytes() + b"\0")
    assert load_skills(str(folder)).hash == digest.hexdigest()[:12]
    (folder / "dates" / "leap.txt").write_text("2028")
    assert load_skills(str(folder)).hash != digest.hexdigest()[:12]


@pytest.mark.parametrize(
    ("name", "file", "starts"),
    [
        ("dates", "SKILL.md", "---\nname: dates"),
        ("dates", "leap.txt", "2024"),
        ("dates", "../secret.txt", "Error: skill dates has no file '../secret.txt'"),
        ("dates", "/etc/passwd", "Error: skill dates has no file"),
        ("dates", "", "Error: skill dates has no file"),
        ("dates", "out.txt", "Error: skill dates has no file 'out.txt'"),
        ("love", "SKILL.md", "Error: no skill is called 'love'; the skills are dates, money"),
        (None, None, "Error: no skill is called None"),
        ("dates", "./leap.txt", "2024"),
        ("dates", "deep/../leap.txt", "2024"),
        ("dates", "deep", "Error: skill dates has no file 'deep'; its files are SKILL.md, deep/down.txt, leap.txt"),
        ("dates", "leap.txt\0", "Error: skill dates has no file 'leap.txt\\x00'"),
        ("da\0tes", "SKILL.md", "Error: no skill is called 'da\\x00tes'"),
        ("dates", "x" * 5_000, f"Error: skill dates has no file '{'x' * 200}…';"),
        ("dates", "x/" * 5_000, "Error: skill dates has no file 'x/x/"),
        ("x" * 5_000, "SKILL.md", f"Error: no skill is called '{'x' * 200}…';"),
        ("dates", "\ud800", "Error: skill dates has no file '\\ud800'"),
        ("dates", 5, "Error: skill dates has no file of type int"),
        ([["dates"]], {}, "Error: no skill is called of type list"),
        ("dates", ["SKILL.md"], "Error: skill dates has no file of type list"),
    ],
)
def test_only_files_of_a_skill_are_opened(folder: Path, name: object, file: object, starts: str) -> None:
    assert load_skills(str(folder)).read(name, file).startswith(starts)


def test_a_number_too_long_to_print_is_no_skill(folder: Path) -> None:
    skills = load_skills(str(folder))
    assert skills.read(10**5_000).startswith("Error: no skill is called of type int")
    assert skills.read("dates", 10**5_000).startswith("Error: skill dates has no file of type int")


def test_what_was_loaded_stays_as_it_was(folder: Path) -> None:
    skills = load_skills(str(folder))
    (folder / "dates" / "leap.txt").write_text("2028")
    (folder / "dates" / "SKILL.md").unlink()
    assert skills.read("dates", "leap.txt") == "2024"
    assert skills.read("dates").endswith("Count days by hand.\n")


def test_a_linked_skill_counts_like_any_other(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "linked").symlink_to(folder / "money", target_is_directory=True)
    skills = load_skills(str(elsewhere))
    assert skills.read("money").endswith("Never round.\n")
    (folder / "money" / "SKILL.md").write_text("---\nname: money\n---\nRound.\n")
    assert load_skills(str(elsewhere)).hash != skills.hash


def test_a_folder_that_is_too_large_is_refused(folder: Path) -> None:
    with (folder / "money" / "data.bin").open("wb") as file:
        file.truncate(65 << 20)
    with pytest.raises(UsageError, match="are larger than 64 MB together"):
        load_skills(str(folder))


def test_a_long_file_is_shown_in_part(folder: Path) -> None:
    (folder / "money" / "long.txt").write_text("x" * 300_000)
    assert load_skills(str(folder)).read("money", "long.txt") == "x" * (256 << 10)


def test_a_skill_without_a_name_is_refused(folder: Path) -> None:
    (folder / "dates" / "SKILL.md").write_text("no front matter")
    with pytest.raises(UsageError, match="has a name"):
        load_skills(str(folder))


def test_a_folder_without_skills_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no skills"):
        load_skills(str(tmp_path))
