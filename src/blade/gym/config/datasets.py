"""What a configuration says about data, checked where people write it."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from blade.gym.config.problems import did_you_mean, nearest

LICENSES = (
    "Apache 2.0",
    "MIT",
    "Creative Commons Attribution 4.0 International",
    "Creative Commons Attribution-ShareAlike 4.0 International",
    "CC BY-SA 4.0",
    "CC BY-NC 3.0",
    "NVIDIA Internal Use Only, Do Not Distribute",
    "NVIDIA Evaluation Dataset License Agreement",
    "TBD",
    "GNU General Public License v3.0",
)


class HuggingFaceSource(BaseModel):
    model_config = ConfigDict(extra="allow")
    type: Literal["huggingface"]
    repo_id: str
    artifact_fpath: str | None = None


class GitlabSource(BaseModel):
    model_config = ConfigDict(extra="allow")
    type: Literal["gitlab"]
    dataset_name: str
    version: str
    artifact_fpath: str


class Dataset(BaseModel):
    """One item of an agent's `datasets`. Keys that are not listed here are kept."""

    model_config = ConfigDict(extra="allow")
    name: str
    type: Literal["train", "validation", "example", "benchmark"]
    jsonl_fpath: str = ""
    num_repeats: int = Field(default=1, ge=1)
    license: str | None = None
    source: HuggingFaceSource | GitlabSource | None = Field(default=None, discriminator="type")
    prepare_script: str | None = None
    prompt_config: str | None = None

    @model_validator(mode="after")
    def _rules(self) -> "Dataset":
        if self.type in ("train", "validation") and not self.license:
            raise ValueError(f"data for {self.type} needs a license (one of: {', '.join(LICENSES)})")
        if self.license is not None and self.license not in LICENSES:
            near = did_you_mean(self.license, LICENSES)
            raise ValueError(f"the license {self.license!r} is not one of: {', '.join(LICENSES)}{near}")
        if self.type == "benchmark" and not self.prepare_script:
            raise ValueError("a benchmark needs a prepare_script, so that others can make the same data")
        if not self.jsonl_fpath:
            if self.type != "benchmark":
                raise ValueError("jsonl_fpath is missing: the file that holds the data")
            self.jsonl_fpath = str(PurePosixPath(self.prepare_script or "").parent / "data" / f"{self.name}_benchmark.jsonl")
        return self


def check_dataset(item: Any) -> tuple[dict[str, Any] | None, list[str]]:
    """The item with its defaults filled in, or what is wrong with it, a sentence each."""
    try:
        found = Dataset.model_validate(item)
    except ValidationError as error:
        return None, [_sentence(one) for one in error.errors(include_url=False, include_input=False)]
    given = dict(item)
    return given | {"jsonl_fpath": found.jsonl_fpath, "num_repeats": found.num_repeats}, []


def _sentence(error: Any) -> str:
    where = ".".join(str(part) for part in error["loc"])
    message = str(error["msg"]).removeprefix("Value error, ")
    return f"{where}: {message[:1].lower()}{message[1:]}" if where else message


def dataset_slips(dataset: Mapping[str, Any]) -> list[str]:
    """Keys of a dataset that it does not know and that look like ones it does."""
    known = list(Dataset.model_fields)
    close = {key: nearest(key, known, 0.85) for key in dataset if key not in known}
    return [f"has no key {key}; did you mean {meant}?" for key, meant in close.items() if meant]
