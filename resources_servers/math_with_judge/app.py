"""Mathematics with a known answer: the library decides, and a judge may be asked where the library says no."""

from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, Field, model_validator

from blade.gym.collect.prompts import load_prompt
from blade.gym.metrics.pass_majority import NO_ANSWER, Answers, Scores, pass_majority
from blade.gym.servers import ResourcesServer, ResourcesSettings
from blade.gym.servers.resources import Row

from .grading import final_text, library_verdict
from .judge import Judge

HERE = Path(__file__).resolve().parent


class ServerName(BaseModel):
    """Another instance of the configuration."""

    type: str = "responses_api_models"
    name: str


class MathSettings(ResourcesSettings):
    domain: str = "math"
    should_use_judge: bool = False
    judge_model_server: ServerName | None = None
    judge_prompt_template_fpath: str = "prompts/judge.yaml"
    judge_responses_create_params: dict[str, Any] = Field(default_factory=dict)
    judge_timeout_seconds: float = 120.0

    @model_validator(mode="after")
    def _a_judge_has_a_model(self) -> Self:
        if self.should_use_judge and self.judge_model_server is None:
            raise ValueError("should_use_judge needs judge_model_server, the name of the model that judges")
        return self


class MathWithJudge(ResourcesServer):
    """The row needs `expected_answer`; it gains `extracted_answer`, `library_reward`, `judge_evaluations` and the reward."""

    Settings = MathSettings
    reverify_mode = "stateless"

    def __init__(self, name: str, settings: MathSettings, calls: Any) -> None:
        super().__init__(name, settings, calls)
        self._judge: Judge | None = None
        if settings.should_use_judge and settings.judge_model_server is not None:
            self._judge = Judge(
                calls,
                settings.judge_model_server.name,
                load_prompt(_beside_or_given(settings.judge_prompt_template_fpath)),
                settings.judge_responses_create_params,
                settings.judge_timeout_seconds,
            )

    async def verify(self, state: Any, row: Row, response: Row) -> Row:
        """The library's verdict, computed where it can be killed; the judge's only where the library says no to an answer."""
        expected = _expected(row)
        verdict: Row = await self.in_worker("library_verdict", final_text(response), expected)
        verdict |= {"reward": verdict["library_reward"], "expected_answer": row["expected_answer"], "judge_evaluations": None}
        if self._judge is None or verdict["library_reward"] or verdict["extracted_answer"] is None:
            return verdict
        said = await self._judge.evaluate(_question(row), expected, verdict["extracted_answer"])
        opinions = {evaluation["verdict"] for evaluation in said}
        return verdict | {
            "reward": float(opinions == {"same"}),
            "judge_evaluations": said,
            "judge_disagrees_with_itself": len(opinions) > 1,
        }

    def library_verdict(self, text: str, expected: str) -> Row:
        return library_verdict(text, expected)

    def compute_metrics(self, tasks: list[list[Row]]) -> Row:
        """pass@k, averages and majority@k of the reward; of the library alone too where a judge was asked."""
        scores: dict[str, list[Scores]] = {"accuracy": [[float(row["reward"]) for row in task] for task in tasks]}
        if any(row.get("judge_evaluations") for task in tasks for row in task):
            scores["library_accuracy"] = [[float(row.get("library_reward") or 0.0) for row in task] for task in tasks]
        said: list[Answers] = [[row.get("extracted_answer") for row in task] for task in tasks]
        no_answer: list[Scores] = [[float(answer is None) for answer in task] for task in said]
        return pass_majority({**scores, NO_ANSWER: no_answer}, dict.fromkeys(scores, said))

    def get_key_metrics(self, agent_metrics: Row) -> Row:
        """The pass@k, averages and majority of the largest k, and how often there was no answer."""
        largest = max((k for name in agent_metrics if (k := _k_of(name)) is not None), default=None)
        return {
            name: value
            for name, value in agent_metrics.items()
            if name == "mean/reward" or (_k_of(name) in (1, largest) and not name.endswith("_across_runs"))
        }


def _expected(row: Row) -> str:
    expected = row.get("expected_answer")
    if not isinstance(expected, str | int | float) or isinstance(expected, bool) or not str(expected).strip():
        raise ValueError(f"the row has no expected_answer to compare with, only {expected!r}")
    return str(expected)


def _question(row: Row) -> str:
    """The question as the row names it, or the last thing the user says."""
    for name in ("question", "problem"):
        if isinstance(row.get(name), str):
            return str(row[name])
    asked = (row.get("responses_create_params") or {}).get("input")
    if isinstance(asked, str):
        return asked
    said = [item.get("content") for item in asked or [] if isinstance(item, dict) and item.get("role") == "user"]
    last = said[-1] if said else ""
    return last if isinstance(last, str) else "".join(part.get("text", "") for part in last or [] if isinstance(part, dict))


def _beside_or_given(path: str) -> Path:
    """A template of one's own by its path, or one that stands beside this file."""
    given = Path(path)
    return given if given.is_absolute() or given.is_file() else HERE / given


def _k_of(name: str) -> int | None:
    """The k of `pass@k/…`, `pass@1[avg-of-k]/…` and `majority@k/…`."""
    kind, _, rest = name.partition("@")
    if kind not in ("pass", "majority"):
        return None
    column = rest.partition("/")[0]
    number = column.partition("[avg-of-")[2].removesuffix("]") or column
    return int(number) if number.isdecimal() else None
