"""Prompt configs: fields become messages, and a template cannot do anything else."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.errors import UsageError
from blade.gym.collect.prompts import Prompt, load_prompt


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "prompt.yaml"
    path.write_text(text)
    return path


def test_a_prompt_makes_the_messages_and_keeps_the_rest_of_the_row(tmp_path: Path) -> None:
    prompt = load_prompt(written(tmp_path, "system: You are {role}.\nuser: |\n  {question}\n  Put it in \\boxed{{}}.\n"))
    row = {"question": "What is {2}?", "role": "careful", "expected_answer": "2", "responses_create_params": {"temperature": 0.5}}
    assert prompt.apply(row) == {
        **row,
        "responses_create_params": {
            "temperature": 0.5,
            "input": [
                {"role": "system", "content": "You are careful."},
                {"role": "user", "content": "What is {2}?\nPut it in \\boxed{}.\n"},
            ],
        },
    }
    assert row["responses_create_params"] == {"temperature": 0.5}, "the row itself is left alone"


@pytest.mark.parametrize("params", [None, {}, {"input": []}, {"input": ""}, {"input": None}])
def test_an_empty_input_is_no_input(params: Any) -> None:
    row = Prompt(user="{a}").apply({"a": 1, "responses_create_params": params})
    assert row["responses_create_params"]["input"] == [{"role": "user", "content": "1"}]


def test_no_system_template_no_system_message() -> None:
    assert [message["role"] for message in Prompt(user="hello").messages({})] == ["user"]


@pytest.mark.parametrize("own", ["text", [{"role": "user", "content": "text"}]])
def test_a_row_with_an_input_of_its_own_is_refused(own: Any) -> None:
    with pytest.raises(UsageError, match="already has an input"):
        Prompt(user="x").apply({"responses_create_params": {"input": own}})


def test_a_missing_field_is_named_with_the_nearest_one() -> None:
    with pytest.raises(UsageError, match=r"asks for \{qestion\}.*did you mean 'question'\?"):
        Prompt(user="{qestion}").apply({"question": "x", "_ng_task_index": 3})
    with pytest.raises(UsageError, match="there is question"):
        Prompt(user="{zzz}").apply({"question": "x", "_ng_task_index": 3})


def test_null_is_not_a_word_to_show_a_model() -> None:
    with pytest.raises(UsageError, match="null in this row"):
        Prompt(user="{hint}").apply({"hint": None})


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{question.__class__}", "reaches into a value"),
        ("{question[0]}", "reaches into a value"),
        ("{a:{b}}", "format that is not allowed"),
        ("{a:>99999}", "format that is not allowed"),
        ("{}", "without the name"),
        ("{0}", "without the name"),
        ("{", "broken"),
        ("a } b", "broken"),
        ('{"key": {question}}', "format that is not allowed|broken"),
    ],
)
def test_templates_that_are_refused_when_they_are_loaded(tmp_path: Path, template: str, said: str) -> None:
    path = written(tmp_path, f"user: |\n  {template}\n")
    with pytest.raises(UsageError, match=said) as caught:
        load_prompt(path)
    assert caught.value.path == str(path)


@pytest.mark.parametrize(
    ("template", "value", "said"), [("{n:.2f}", 2, "2.00"), ("{n:>4}|", "a", "   a|"), ("{n!r}", "a", "'a'")]
)
def test_harmless_formats_are_allowed(tmp_path: Path, template: str, value: Any, said: str) -> None:
    assert (
        load_prompt(written(tmp_path, f"user: '{template.replace(chr(39), chr(39) * 2)}'")).messages({"n": value})[0]["content"]
        == said
    )


def test_a_format_that_does_not_fit_the_value_is_a_sentence() -> None:
    with pytest.raises(UsageError, match="does not fit this row"):
        Prompt(user="{n:d}").apply({"n": "seven"})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("system: x\n", "needs the key 'user'"),
        ("user: x\nsytem: y\n", "no key 'sytem'; did you mean 'system'"),
        ("user: {question}\n", "user must be text"),
        ("- user\n", "is a mapping"),
        ("user: [\n", "not valid YAML"),
        ("", "is a mapping"),
    ],
)
def test_files_that_are_no_prompt(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        load_prompt(written(tmp_path, text))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere.yaml: cannot read the prompt config: No such file"):
        load_prompt(tmp_path / "nowhere.yaml")


@given(st.text())
def test_what_a_row_says_is_never_read_as_a_template(value: str) -> None:
    assert Prompt(user="<{a}>").messages({"a": value})[0]["content"] == f"<{value}>"
