"""What happened to one task, told from its repeats: cause, where passing and failing part, symptoms, luck, fix.

Cause and symptom stand apart: the cause is what the diagnosis decided on, with its confidence and the alternative; whatever else
the failing repeats show is named after it with how many failing and how many passing repeats show it, because what passing
repeats show too explains nothing by itself.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from blade.diagnosis.catalogue import NOT_MADE, SYMPTOM, entry
from blade.diagnosis.catalogue import title as code_title
from blade.diagnosis.decisive import NOTHING_SPEAKS
from blade.reports.citations import Cite, Document
from blade.reports.wording import (
    QUOTE,
    bullets,
    capital,
    clause,
    joined,
    label,
    name,
    number,
    place,
    plural,
    quoted,
    sentence,
    shown,
    words,
)

MOST_ROLLOUTS = 6
MOST_EVIDENCE = 4
MOST_SYMPTOMS = 3
MOST_PLACES = 4
MOST_CONTRASTS = 2
ABSENCE = re.compile(r"no \S+ before (its end|step \d+)")
"""What is told of a call that a rollout did not make."""
Task = Mapping[str, Any]


def by_importance(document: Document, tasks: Iterable[Task]) -> list[Task]:
    """Tasks by what they cost the score times how sure their cause is; equal ones stay in their order.

    A pass that was luck counts as lost: the right behaviour was not there.
    """
    lucky = Counter(task for task, _ in {(item["task"], item["rollout"]) for item in document.get("luck") or ()})

    def importance(task: Task) -> float:
        cause = task.get("cause") or {}
        if not task["n"] or cause.get("label", "unknown") == "unknown":
            return 0.0
        earned = max((task["passed"] or 0) - lucky[task["task"]], 0)
        return float((1 - earned / task["n"]) * (cause.get("confidence") or 0.0))

    return sorted(tasks, key=lambda task: -importance(task))


def most_telling(ordered: Sequence[Task], most: int) -> list[Task]:
    """The tasks to tell at length, in the given order: one of each cause before a second of the same."""
    seen: Counter[tuple[Any, Any]] = Counter()
    ranked: list[tuple[int, int, Task]] = []
    for task in ordered:
        cause = task.get("cause") or {}
        kind = (cause.get("code"), cause.get("subject"))
        ranked.append((seen[kind] if kind[0] else most, len(ranked), task))
        seen[kind] += 1
    chosen = sorted(ranked, key=lambda item: item[:2])[:most]
    return [task for _, _, task in sorted(chosen, key=lambda item: item[1])]


def heading(task: Task) -> str:
    """`Task 26 · 2 of 4 pass · skips get_user_details…`."""
    if task["passed"] is None:
        return f"Task {shown(task['task'], 80)} · {plural(task['n'], 'scored repeat')}, no pass rule"
    cause = task.get("cause") or {}
    about = f" · {cause_title(task)}" if cause.get("code") else " · cause unknown" if cause else ""
    return f"Task {shown(task['task'], 80)} · {task['passed']} of {task['n']} pass{about}"


def cause_title(task: Task) -> str:
    """What the cause is called: its code with the subject of the finding that carries it."""
    cause = task["cause"]
    if not cause.get("code"):
        return ""
    subject = cause.get("subject")
    if subject is None:
        found = (item for repeat in _repeats(task) if not repeat["passed"] for item in repeat["findings"])
        subject = next((item["subject"] for item in found if item["code"] == cause["code"]), "")
    return clause(code_title(cause["code"], subject or ""), 160)


def story(document: Document, task: Task, cite: Cite) -> list[str]:
    """The blocks below a task's heading."""
    passed = cite("task." + task["task"] + ".passed")
    if len(_repeats(task)) == 1 and task.get("cause"):  # who fails is plain: the cause begins the story
        blocks = [f"{block}{passed}" for block in _cause(task, cite)]
    else:
        blocks = [f"{outcomes(task)}{passed}".strip(), *_cause(task, cite)]
    contrasts = [item for item in document.get("contrasts") or () if item["task"] == task["task"]]
    blocks += [f"**Where they part.** {_contrast(item, cite)}" for item in contrasts[:MOST_CONTRASTS]]
    if evidence := (task.get("cause") or {}).get("evidence"):
        blocks.append(bullets(_evidence(evidence, task["cause"].get("code"))))  # nothing where no words stand there
    if symptoms := _symptoms(task):
        blocks.append(symptoms)
    luck = [item for item in document.get("luck") or () if item["task"] == task["task"]]
    if luck:
        lucky = []
        for item in luck[:MOST_ROLLOUTS]:
            seen = f" {quoted(item['quote'], 140)}." if item.get("quote") else ""
            lucky.append(f"{place(item['rollout'], item['step'])}: {clause(item['why'], 400)}.{seen}")
        blocks.append(f"**{'A pass that was luck' if len(luck) == 1 else 'Passes that were luck'}.** {' '.join(lucky)}")
    if fix := _fix(document, task):
        blocks.append(f"**Fix.** {fix}")
    return [block for block in blocks if block]


def _fix(document: Document, task: Task) -> str:
    """The task's own fix, else the recommendation for the mode of its cause, else the first one that is for the task."""
    cause = task.get("cause") or {}
    if cause.get("fix"):
        return sentence(cause["fix"])
    held = set(task.get("modes") or ())
    code, subject = (str(cause.get(name) or "") for name in ("code", "subject"))
    of_cause = {mode for mode in held if mode == f"{code}.{subject}" or (subject and mode.endswith(f".{subject}"))}
    items = document.get("interventions") or ()
    for item in (
        *(item for item in items if of_cause & set(item.get("modes") or ())),
        *(item for item in items if task["task"] in (item.get("tasks") or ()) or held & set(item.get("modes") or ())),
    ):
        return f"{capital(clause(item['title'], 240))} (recommendation {item['rank']})."
    return ""


def outcomes(task: Task) -> str:
    """Who passes and who fails, by name."""
    repeats = _repeats(task)
    if not repeats:
        return ""
    if task["passed"] is None:
        told = [f"{shown(repeat['rollout'])} {number(repeat['reward'])}" for repeat in repeats[:MOST_ROLLOUTS]]
        more = f" and {len(repeats) - MOST_ROLLOUTS} more" if len(repeats) > MOST_ROLLOUTS else ""
        rewards = f"{'Reward' if len(repeats) == 1 else 'Rewards'}: {', '.join(told)}{more}"
        return f"{rewards}. No pass rule fits the rewards of this run, so nothing passes or fails: give `--pass-threshold X`."
    passing = [repeat["rollout"] for repeat in repeats if repeat["passed"]]
    failing = [repeat["rollout"] for repeat in repeats if repeat["passed"] is False]
    sides = [f"{_rollouts(names)} {'passes' if len(names) == 1 else 'pass'}" for names in (passing,) if names]
    sides += [f"{_rollouts(names)} {'fails' if len(names) == 1 else 'fail'}" for names in (failing,) if names]
    if len(sides) == 1 and len(repeats) > 1:
        return f"All {len(repeats)} repeats {'pass' if passing else 'fail'}."
    return f"{', '.join(sides)}."


def _cause(task: Task, cite: Cite) -> Iterable[str]:
    cause = task.get("cause")
    if not cause:
        return
    confidence = cause.get("confidence")
    sure = "" if confidence is None else f", confidence {confidence:.2f}"
    if cause["label"] == "unknown":
        head = "**Cause unknown.**"
    else:
        head = f"**Cause {label(cause['label'])}{sure}.**"
    told = [told for told in (_why(task),) if told]
    if cause.get("detail") and str(cause["detail"]) not in str(cause.get("why")):
        told.append(sentence(cause["detail"]))
    named = cause.get("alternative")
    if named in cause["label"].split("+"):
        named = None  # the label names both
    if task["n"] == 1 and cause["label"] == "KG+UK":
        told.append("Tried once, so what is never known (KG) and what is known unreliably (UK) look alike.")
    other = _alternative(named, "Nearest" if cause["label"] == "unknown" else "The alternative")
    yield f"{head} {' '.join(told)}{_decisive(cause)}{other}".rstrip()


def _decisive(cause: Mapping[str, Any]) -> str:
    """The step that decided it; a step that one trajectory alone points at is a guess, and told as where to begin reading."""
    found = cause.get("decisive") or {}
    if found.get("step") is None:
        return ""
    at, guess = place(found["rollout"], found["step"]), found.get("guess")
    if guess is None:
        return "" if cause["label"] == "unknown" else f" Decisive: {at}."
    return "" if guess == NOTHING_SPEAKS else f" Where to begin reading is a guess: {at} ({clause(guess, 160)})."


def _why(task: Task) -> str:
    """Why, without the words that the heading has said already."""
    told, heading_said = sentence(task["cause"].get("why") or ""), capital(cause_title(task))
    return told if not heading_said else capital(told.removeprefix(heading_said).lstrip(" .:;,"))


def _alternative(given: Any, word: str) -> str:
    if not given:
        return ""
    if isinstance(given, Mapping):
        why = given.get("why") or given.get("detail")
        named = label(given["label"]) if given.get("label") else ""
        code = words(given["code"]) if given.get("code") else ""
        return f" {word}: {', '.join(part for part in (named, code) if part)}{f'; {clause(why)}' if why else ''}."
    text = str(given)
    return f" {word}: {label(text) if len(text) <= 8 else clause(text)}."


def _contrast(item: Mapping[str, Any], cite: Cite) -> str:
    parting = item.get("divergence") or {}
    pair = f"{shown(item['passing'])} (passes) and {shown(item['failing'])} (fails)"
    if item.get("code") is None:
        tried = f" {sentence(parting['summary'])}" if parting.get("summary") else ""
        return f"No decisive divergence was found between {pair}.{tried}"
    steps = ""
    if parting.get("step_passing") is not None and parting.get("step_failing") is not None:
        steps = f" at step {parting['step_passing']} and step {parting['step_failing']}"
    elif parting.get("step_failing") is not None:
        steps = f" at step {parting['step_failing']} of the failing one"
    elif parting.get("step_passing") is not None:
        steps = f" at step {parting['step_passing']} of the passing one"
    said = f"{pair} part{steps}: {clause(parting.get('summary') or words(item['code']))}."
    counts = item.get("counts") or {}
    if counts.get("failing") and counts.get("passing"):
        failing = f"{counts['failing_with']} of {counts['failing']} failing"
        passing = f"{counts['passing_with']} of {counts['passing']} passing"
        theirs = counts["passing_with"] / counts["passing"] > counts["failing_with"] / counts["failing"]
        done = f"{name(item['subject'])} is called" if "lookup" in item["code"] and item.get("subject") else "Done"
        said += f" {done} in {passing} repeats and {failing} ones." if theirs else f" So in {failing} repeats and {passing} ones."
    if item.get("strength") == "weak" and item.get("note"):
        said += f" Weak evidence: {clause(item['note'], 240)}."
    return said


def evidence_line(item: Mapping[str, Any], code: str | None) -> str:
    """One item of evidence: where, the words there, and what was concluded from them."""
    said = [quoted_evidence(item, code)] if str(item["quote"]).strip() else []
    said += [clause(item["detail"], 240)] if item.get("detail") else []
    return f"{place(item['rollout'], item['step'])}{': ' if said else ''}{'; '.join(said)}"


def quoted_evidence(item: Mapping[str, Any], code: str | None, limit: int = QUOTE) -> str:
    """The words of an item of evidence, in quotation marks where they stand in the rollout.

    A call that was never made is quoted from what was expected, and said to be; that something is not there is told in our own words.
    """
    if ABSENCE.fullmatch(item["quote"]):
        return clause(item["quote"], limit)
    return f"{'expected ' if item.get('expected', code in NOT_MADE) else ''}{quoted(item['quote'], limit)}"


def _evidence(evidence: Sequence[Mapping[str, Any]], code: str | None) -> list[str]:
    """Evidence by its words: what several repeats say alike is quoted once, with every place."""
    places: dict[str, list[str]] = defaultdict(list)
    for item in evidence:
        if str(item["quote"]).strip():
            places[quoted_evidence(item, code)].append(place(item["rollout"], item["step"]))
    return [f"{joined(where[:MOST_PLACES])}: {quote}" for quote, where in list(places.items())[:MOST_EVIDENCE]]


def _symptoms(task: Task) -> str:
    """What else failing repeats show, apart from the cause: first what only they show."""
    repeats, cause = _repeats(task), task.get("cause") or {}
    failing = [repeat for repeat in repeats if repeat["passed"] is False]
    passing = [repeat for repeat in repeats if repeat["passed"]]
    places: dict[tuple[str, str], dict[str, str]] = {}
    told: dict[str, str] = {}
    for repeat in failing:
        for found in repeat["findings"]:
            subject = found.get("subject") or ""
            if _restates(found, cause) or (subject and told.setdefault(subject, found["code"]) != found["code"]):
                continue  # of several readings of one argument the first is enough
            places.setdefault((found["code"], subject), {}).setdefault(repeat["rollout"], place(repeat["rollout"], found["step"]))
    only, both = [], []
    for (code, subject), seen in sorted(places.items(), key=lambda item: -len(item[1])):
        elsewhere = sum(
            any((f["code"], f.get("subject") or "") == (code, subject) for f in repeat["findings"]) for repeat in passing
        )
        named = clause(code_title(code, subject), 140)
        if elsewhere:
            both.append(f"{named} ({len(seen)} of {len(failing)} failing, {elsewhere} of {len(passing)} passing)")
        else:
            where = ", ".join(list(seen.values())[:MOST_PLACES])
            only.append(f"{named} ({where})" if len(repeats) == 1 else f"{named} ({len(seen)} of {len(failing)}: {where})")
    parts = []
    if only:
        whom = ", in failing repeats only" if passing else ", in its failing repeats" if len(repeats) > 1 else ""
        parts.append(f"Beside it{whom}: {'; '.join(only[:MOST_SYMPTOMS])}.")
    if both:
        parts.append(f"In passing repeats too, so no cause by itself: {'; '.join(both[:MOST_SYMPTOMS])}.")
    return " ".join(parts)


def _restates(found: Mapping[str, Any], cause: Mapping[str, Any]) -> bool:
    """Whether a finding is the cause itself, or its symptom on the same tool and argument."""
    if found["code"] == cause.get("code"):
        return True
    return entry(found["code"]).rank == SYMPTOM and bool(found.get("subject")) and found["subject"] == cause.get("subject")


def _rollouts(names: Sequence[str]) -> str:
    if len(names) <= MOST_ROLLOUTS:
        return joined([shown(rollout) for rollout in names])
    return f"{', '.join(shown(rollout) for rollout in names[:MOST_ROLLOUTS])} and {len(names) - MOST_ROLLOUTS} more"


def _repeats(task: Task) -> Sequence[Mapping[str, Any]]:
    return task.get("repeats") or ()
