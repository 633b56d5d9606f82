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
    for name in ("dates/SKILL.md", "dates/leap.txt", "money/SKILL.md", "secret.txt"):
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
        ("love", "SKILL.md", "Error: no skill is called 'love'; the skills are dates, money"),
        (None, None, "Error: no skill is called None"),
    ],
)
def test_only_files_of_a_skill_are_opened(folder: Path, name: object, file: object, starts: str) -> None:
    assert load_skills(str(folder)).read(name, file).startswith(starts)


def test_a_skill_without_a_name_is_refused(folder: Path) -> None:
    (folder / "dates" / "SKILL.md").write_text("no front matter")
    with pytest.raises(UsageError, match="has a name"):
        load_skills(str(folder))


def test_a_folder_without_skills_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no skills"):
        load_skills(str(tmp_path))
