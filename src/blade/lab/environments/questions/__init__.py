"""Single questions, no tools: numbers, LaTeX fractions, multiple choice and short texts.

The row has `expected_answer` and what the verifier extracted (`extracted_answer`). The extractor takes the last \\boxed{} or a line
that begins with "Answer:", and compares strings, as many do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from blade.lab.desk import Call, dice
from blade.lab.environments.environment import Environment, timed_out
from blade.lab.environments.questions.question_bank import FACTS, PROBLEMS, Problem
from blade.lab.stage.play import Backend, Episode, Manner
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row, Script, Task, say

_BOXED = re.compile(r"\\boxed\{((?:[^{}]|\{[^{}]*\})*)\}")
_ANSWER_LINE = re.compile(r"^Answer: *(.+?) *$", re.MULTILINE)
_LEADS = (
    "Let me work through this.",
    "We can do this step by step.",
    "First I look at what is given.",
    "This is a matter of a few steps.",
    "Breaking it down:",
    "I'll reason it out.",
)
_STRICT = ("Put your final answer in \\boxed{}.", "Give the final answer inside \\boxed{} and nothing else in the box.")
_LINE = ("End with a line 'Answer: <your answer>'.", "Close with one line of the form 'Answer: ...'.")
_FREE = ("Show your reasoning and state the result at the end.", "Explain briefly, then give the result.")
_CLOSERS = {
    "strict": ("The final answer is \\boxed{{{}}}.", "\\boxed{{{}}}", "So we get \\boxed{{{}}}.", "Hence $\\boxed{{{}}}$"),
    "line": ("Answer: {}",),
    "free": ("Therefore \\boxed{{{}}}.", "Answer: {}", "The result is \\boxed{{{}}}."),
}
_UNBOXED = ("The result is {}.", "So the final answer is {}.", "This gives **{}**.", "Therefore, the answer is {}.")


@dataclass(frozen=True)
class Asked:
    """A question with its right answer in the verifier's notation, and what else might be said."""

    subject: str
    text: str
    answer: str
    mistaken: str
    wrong: tuple[str, ...]
    notations: tuple[str, ...]
    """The right answer as others would write it."""
    steps: tuple[str, ...]
    options: dict[str, str] | None = None
    metadata: str = ""
    """A field of the dataset that tells the right answer too, and its name."""


def _figure(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"\\frac{{{value.numerator}}}{{{value.denominator}}}"


def _notations(value: Fraction, rng: Random) -> tuple[str, ...]:
    if value.denominator > 1:
        return (f"{value.numerator}/{value.denominator}", f"\\dfrac{{{value.numerator}}}{{{value.denominator}}}")
    plain = str(value.numerator)
    spaced = f"{value.numerator:,}" if value.numerator >= 1_000 else f"{plain}.0"
    return (spaced, f"{plain}.00", f"{spaced.replace(',', chr(0x2009))}" if "," in spaced else f"+{plain}")


def _near(problem: Problem, rng: Random) -> tuple[str, ...]:
    """Wrong results that slips of the pen give, all different."""
    value = problem.answer
    if value.denominator > 1:
        shifts = rng.sample((1, 2, 3, -1, 4), 4)
        found = [Fraction(value.numerator + shift, value.denominator) for shift in shifts]
    else:
        found = [value + shift for shift in rng.sample((1, -1, 10, -10, 2, 9, -9, 100, 5), 6) if value + shift > 0]
    return tuple(dict.fromkeys(_figure(one) for one in found if one not in (value, problem.mistaken)))


def _from_problem(problem: Problem, rng: Random) -> Asked:
    solution = ". ".join(step[0].upper() + step[1:] for step in problem.steps)
    value = problem.answer
    return Asked(
        problem.subject, problem.text, _figure(value), _figure(problem.mistaken), _near(problem, rng), _notations(value, rng),
        problem.steps, metadata=f"{solution}. The result is {_figure(value)}.",
    )  # fmt: skip


def _from_fact(fact: tuple[str, str, str, tuple[str, ...]], rng: Random) -> Asked:
    subject, text, right, wrong = fact
    notations = tuple(dict.fromkeys((right.lower(), f"{right}.", right.upper())))
    shuffled = rng.sample(wrong, len(wrong))
    return Asked(
        subject,
        text,
        right,
        shuffled[0],
        tuple(shuffled[1:]),
        notations,
        (f"I recall what is known of {subject}",),
        metadata=right,
    )


def _from_choice(fact: tuple[str, str, str, tuple[str, ...]], rng: Random) -> Asked:
    subject, text, right, wrong = fact
    shown = rng.sample((right, *wrong[:3]), 4)
    options = dict(zip("ABCD", shown, strict=True))
    letter = "ABCD"[shown.index(right)]
    others = rng.sample([key for key in "ABCD" if key != letter], 3)
    listed = "\n".join(f"{key}) {option}" for key, option in options.items())
    steps = (f"I go through the options {', '.join(shown)}",)
    return Asked(
        subject, f"{text}\n{listed}", letter, others[0], tuple(others[1:] + others[:1]), (f"({letter})", letter.lower()), steps, options, right
    )  # fmt: skip


def _reply(
    rng: Random, asked: Asked, manner: str, answer: str, closers: Sequence[str] | None = None, decisive: bool = True
) -> Script:
    closing = rng.choice(closers or _CLOSERS[manner]).format(answer)
    steps = ". ".join(step[0].upper() + step[1:] for step in asked.steps) if asked.options or rng.random() < 0.3 else ""
    told = " ".join(part for part in (rng.choice(_LEADS), f"{steps}." if steps else "") if part)
    return (say(f"{told}\n\n{closing}", thought=_pondering(rng, asked), decisive=decisive),)


def _pondering(rng: Random, asked: Asked) -> str:
    """Thoughts that name no figures, so that right and wrong rollouts think alike."""
    return rng.choice(
        (
            f"A question about {asked.subject}. I should read it carefully and then answer.",
            f"This is {asked.subject}. What exactly is asked for?",
            "Let me make sure that I use everything that is given.",
            f"{asked.subject.capitalize()}, not too hard. I will check the result once.",
        )
    )


def _gold(asked: Asked, answer: str, truth: str | None = None) -> Row:
    gold: Row = {"question": asked.text, "subject": asked.subject, "expected_answer": answer}
    if asked.options:
        gold["options"] = asked.options
        gold["answer_text"] = truth or asked.options.get(answer, "")
    elif asked.metadata.endswith("."):
        gold["solution"] = truth or asked.metadata.replace(f"is {asked.answer}.", f"is {answer}.")
    return gold


def _task(index: int, asked: Asked, rng: Random) -> Task:
    manner = rng.choice(("strict", "strict", "line", "free"))
    instruction = rng.choice({"strict": _STRICT, "line": _LINE, "free": _FREE}[manner])
    if asked.options:
        instruction = instruction.replace("final answer", "letter of the right option").replace("<your answer>", "<letter>")
    sound = tuple(_reply(rng, asked, manner, asked.answer, decisive=False) for _ in range(4))
    mistaken = tuple(_reply(rng, asked, manner, asked.mistaken) for _ in range(4))
    wrong = tuple(_reply(rng, asked, manner, answer) for answer in asked.wrong)
    faulty: dict[str, tuple[Script, ...]] = {
        "format_rejected": tuple(_reply(rng, asked, manner, notation) for notation in asked.notations),
        "wrong_option" if asked.options else "wavering_fact" if not asked.metadata.endswith(".") else "scattered_numbers": wrong,
        "wrong_unit" if asked.metadata.endswith(".") else "wrong_fact": mistaken,
    }
    if manner == "free":
        faulty["answer_not_extracted"] = tuple(_reply(rng, asked, manner, asked.answer, _UNBOXED) for _ in range(3))
    elif not asked.options:
        faulty["wrong_format"] = tuple(_reply(rng, asked, manner, asked.answer, _UNBOXED) for _ in range(3))
    truth = asked.metadata or (asked.options or {}).get(asked.answer)
    leading = _reply(rng, asked, manner, asked.mistaken, decisive=False)
    return Task(
        index, asked.subject, "", f"{asked.text}\n\n{instruction}", sound, _gold(asked, asked.answer), faulty,
        other_gold=_gold(asked, asked.mistaken), other_script=leading,
        contradicted_gold=_gold(asked, asked.mistaken, truth) if asked.options or asked.metadata.endswith(".") else None,
        facts={"answer_field": "expected_answer", "options": asked.options},
    )  # fmt: skip


class Questions(Environment):
    name = "questions"
    hosts = ("worker-0", "worker-1", "worker-2")
    setting = Setting("questions_simple_agent", "lyra-2-70b", (), temperature=1.0)
    manner = Manner(thinks=0.6, pace=(3.0, 14.0))

    def tasks(self, seed: int, count: int) -> list[Task]:
        draw = dice(seed, self.name, "order")
        facts = iter(draw.sample(FACTS, len(FACTS)))
        made = []
        for index in range(count):
            rng = dice(seed, self.name, "task", index)
            fact = next(facts, None) if index % 5 in (1, 3) else None
            if fact is None:
                asked = _from_problem(PROBLEMS[(index + seed) % len(PROBLEMS)](rng), rng)
            else:
                asked = (_from_choice if index % 5 == 3 else _from_fact)(fact, rng)
            made.append(_task(index, asked, rng))
        return made

    def backend(self, task: Task) -> Backend:
        return _no_tools

    def verify(self, episode: Episode, flaw: str | None, rng: Random) -> Row:
        expected = str(episode.task.gold["expected_answer"])
        boxed = _BOXED.findall(episode.final)
        line = _ANSWER_LINE.findall(episode.final)
        extracted = boxed[-1] if boxed else line[-1] if line else None
        right = extracted is not None and extracted.strip() == expected
        if flaw == "verifier_timeout":
            return {"reward": 0.0, "extracted_answer": extracted, "verifier_error": timed_out(rng)}
        if flaw in ("flaky_verifier", "inverted_verifier"):
            wrong = right if flaw == "flaky_verifier" else extracted is not None
            return {"reward": 0.0 if wrong else 1.0, "extracted_answer": extracted, "library_reward": 0.0 if wrong else 1.0}
        if flaw == "reward_contradicts_checks":
            return {"reward": 0.0, "extracted_answer": extracted, "library_reward": 1.0 if right else 0.0}
        score = 1.0 if right else 0.0
        return {"reward": score, "extracted_answer": extracted, "library_reward": score}


def _no_tools(made: Call) -> str:
    return f"Error: there is no tool named '{made.name}'."
