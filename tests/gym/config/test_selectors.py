from pathlib import Path

import pytest

from blade.errors import UsageError
from blade.gym.config.inventory import count_rows
from blade.gym.config.selectors import BENCHMARK, ENVIRONMENT, MODEL_TYPE, RESOURCES_SERVER, Selector, names, select
from tests.gym.config.trees import write

FILES = [
    "benchmarks/aime24/config.yaml",
    "benchmarks/finance/config_web.yaml",
    "benchmarks/finance/config_plain.yaml",
    "benchmarks/deep/inner/config.yaml",
    "environments/garden/config.yaml",
    "resources_servers/sums/configs/sums.yaml",
    "resources_servers/sums/configs/hard.yaml",
    "responses_api_models/openai_model/configs/openai_model.yaml",
    "responses_api_models/openai_model/configs/maker/seven.yaml",
]


@pytest.fixture
def roots(tmp_path: Path) -> tuple[Path, ...]:
    write(tmp_path, dict.fromkeys(FILES, ""))
    return (tmp_path,)


@pytest.mark.parametrize(
    ("selector", "name", "path"),
    [
        (BENCHMARK, "aime24", "benchmarks/aime24/config.yaml"),
        (BENCHMARK, "finance/config_web", "benchmarks/finance/config_web.yaml"),
        (BENCHMARK, "deep/inner", "benchmarks/deep/inner/config.yaml"),
        (ENVIRONMENT, "garden", "environments/garden/config.yaml"),
        (RESOURCES_SERVER, "sums", "resources_servers/sums/configs/sums.yaml"),
        (RESOURCES_SERVER, "sums/hard", "resources_servers/sums/configs/hard.yaml"),
        (MODEL_TYPE, "openai_model/maker/seven", "responses_api_models/openai_model/configs/maker/seven.yaml"),
        (MODEL_TYPE, "openai_model", "responses_api_models/openai_model/configs/openai_model.yaml"),
    ],
)
def test_names_are_paths(roots: tuple[Path, ...], selector: Selector, name: str, path: str) -> None:
    assert select(selector, name, roots) == path
    assert name in names(selector, roots)


@pytest.mark.parametrize(
    ("selector", "name", "words"),
    [
        (BENCHMARK, "aime25", "did you mean aime24?"),
        (BENCHMARK, "finance", "did you mean|finance/config_plain, finance/config_web"),
        (BENCHMARK, "zzzz", "there are aime24, deep/inner"),
        (RESOURCES_SERVER, "summs", "did you mean sums?"),
        (BENCHMARK, "benchmarks/aime24/config.yaml", "write --config benchmarks/aime24/config.yaml"),
        (BENCHMARK, "../x", "takes the name of a benchmark"),
    ],
)
def test_names_that_lead_nowhere(roots: tuple[Path, ...], selector: Selector, name: str, words: str) -> None:
    with pytest.raises(UsageError) as error:
        select(selector, name, roots)
    assert any(part in str(error.value) for part in words.split("|"))


@pytest.mark.parametrize(("content", "rows"), [(b"", 0), (b"\n\n", 0), (b"{}", 1), (b"{}\n", 1), (b"{}\n \n{}\r\n{}", 3)])
def test_rows_are_lines_that_are_not_blank(tmp_path: Path, content: bytes, rows: int) -> None:
    (tmp_path / "a.jsonl").write_bytes(content)
    assert count_rows(tmp_path / "a.jsonl") == rows


def test_a_line_longer_than_a_block_is_one_row(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"x" * (3 << 20) + b"\n" + b"y" * (1 << 20))
    assert count_rows(tmp_path / "a.jsonl") == 2
