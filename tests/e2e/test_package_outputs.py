"""What a command of `blade package` reads, it does not replace, by whatever name or link."""

from pathlib import Path

import pytest

from tests.e2e.support import blade

REPORT = "# Report\n\n## Results\n\nTask 3 passes in 2 of 4 attempts because the tool answers late.\n"


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    path = tmp_path / "golden.md"
    path.write_text(REPORT)
    return path


@pytest.mark.parametrize("name", ["golden.md", "link.md", "sub/../golden.md"])
@pytest.mark.parametrize(
    "command",
    [
        ["make-shallow", "--input", "{golden}", "--output", "{output}"],
        ["extract-anchor-facts", "--golden", "{golden}", "--benchmark", "b", "--model-name", "m", "--output", "{output}"],
    ],
    ids=lambda command: str(command[0]),
)
def test_an_output_that_is_the_input_is_refused(golden: Path, name: str, command: list[str]) -> None:
    (golden.parent / "sub").mkdir()
    (golden.parent / "link.md").symlink_to(golden)
    output = golden.parent / name
    result = blade("package", *(part.format(golden=golden, output=output) for part in command))
    assert result.code == 2
    assert "would replace the input" in result.err
    assert golden.read_text() == REPORT
    assert (golden.parent / "link.md").is_symlink()


def test_no_tampered_copy_replaces_the_input(golden: Path) -> None:
    first = blade("package", "make-shallow", "--input", golden, "--output", golden.parent / "x.md", "--adversarial", "--json")
    assert first.code == 0, first.err
    copies = [Path(path) for name, path in first.json["written"].items() if name != "shallow"]
    assert len(copies) > 3
    for copy in copies:
        said = copy.read_text()
        (golden.parent / "x.md").unlink(missing_ok=True)
        result = blade("package", "make-shallow", "--input", copy, "--output", golden.parent / "x.md", "--adversarial")
        assert result.code == 2, copy
        assert copy.read_text() == said
        assert not (golden.parent / "x.md").exists()
