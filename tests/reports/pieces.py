"""The pieces of a diagnosis document, made by hand: evidence, findings, tasks with their repeats, modes."""

from typing import Any

Json = dict[str, Any]


def evidence(rollout: str, step: int | None, quote: str) -> Json:
    return {"rollout": rollout, "step": step, "quote": quote, "redacted": False}


def finding(code: str, label: str, subject: str, step: int | None, quote: str = "", detail: str = "") -> Json:
    return {"code": code, "label": label, "subject": subject, "step": step, "quote": quote, "detail": detail}


def repeats(task: str, passed: str, findings: dict[int, list[Json]] | None = None) -> list[Json]:
    """`passed` has a + for each passing repeat and a - for each failing one."""
    return [
        {
            "rollout": f"{task}:{number}",
            "reward": 1.0 if mark == "+" else 0.0,
            "passed": mark == "+",
            "steps": 17 + number,
            "findings": (findings or {}).get(number, []),
        }
        for number, mark in enumerate(passed)
    ]


def task(name: str, passed: str, cause: Json | None, modes: list[str], findings: dict[int, list[Json]] | None = None) -> Json:
    count = passed.count("+")
    bucket = "always" if count == len(passed) else "sometimes" if count else "never"
    return {
        "task": name,
        "bucket": bucket,
        "n": len(passed),
        "passed": count,
        "mean_reward": count / len(passed),
        "cause": cause,
        "modes": modes,
        "repeats": repeats(name, passed, findings),
    }


def unknown_cause() -> Json:
    return {
        "label": "unknown",
        "code": None,
        "subject": None,
        "confidence": 0.0,
        "alternative": "BI",
        "why": "no finding explains it",
        "detail": None,
        "decisive": None,
        "evidence": [],
    }


def mode(identity: str, title: str, label: str, failed: int, count: int, listed: list[str], **more: Any) -> Json:
    code, _, subject = identity.partition(".")
    return {
        "id": identity,
        "title": title,
        "label": label,
        "signal": code,
        "code": code,
        "subject": subject,
        "rollouts": failed,
        "tasks": count,
        "failed_rollouts": failed,
        "passed_rollouts": 0,
        "failed_total": 9,
        "share_of_loss": failed / 9,
        "lift": None,
        "lift_ci": None,
        "p_adjusted": None,
        "backed": True,
        "gain": {"lower": 0.0, "estimate": None, "upper": failed / 24, "ci": None},
        "why": "",
        "examples": [],
        "tasks_listed": listed,
    } | more
