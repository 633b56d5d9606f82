"""The attribution figures as the section of `docs/diagnosis-accuracy.md` that a person reads."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

METRICS: Final = ("exact", "within 1", "within 3", "agent")

PUBLISHED_BY_OTHERS: Final = (
    (
        "Who&When",
        "best single method of the benchmark's authors, GPT-4o",
        "agent 53.5 %, step 14.2 % (not by the same method)",
        "2505.00212",
    ),
    ("Who&When", "reasoning models, zero-shot", "step generally below 10 %", "2509.03312"),
    ("Who&When", "AgenTracer-8B, trained on injected faults", "agent above 69 %, step above 20 %", "2509.03312"),
    ("Who&When", "FALAT, a pipeline of model calls", "step 46.0 % (generated part), 29.1 % (hand-crafted part)", "2606.00765"),
    ("TRAIL", "Gemini 2.5 Pro", "joint 11 % overall, 18.3 % on the GAIA part", "2505.08638"),
    ("TRAIL, GAIA part", "GPT-5.2, one pass", "category F1 .438, location .478, joint .186", "a public experiment log"),
    ("TRAIL", "Percival", "joint .17", "its authors' post"),
)


def block(figures: Mapping[str, Any]) -> str:
    return "\n".join([*_whowhen(figures["whowhen"]), "", *_trail(figures["trail"]), "", *_others()])


def _whowhen(found: Mapping[str, Any]) -> Iterator[str]:
    read, held_out = found["halves"]
    yield "## One failed rollout with no sibling: which step decided it? (Who&When)"
    yield ""
    yield (
        f"{found['rollouts']} failed multi-agent rollouts of the algorithm-generated part, in which people marked the decisive step and its agent "
        "(the hand-crafted part is not among the data at hand). Steps are counted as the labels count them, by `item.step`, the numbered "
        f"item of the prompt included. `blade.diagnosis.decisive` ranks the steps by {len(found['weights']['in the source'])} cues; it sees neither the "
        f"reward nor the expected answer. The rollouts are split by a hash of their task id into {read} and {held_out}; each half is scored with "
        "weights, constants and frequencies taken from the other. Shares with Wilson's 95 % interval."
    )
    yield ""
    yield (
        f"**Only the held-out half is a fair test.** Which cues to use was chosen on the labels of the other {read} ({found['history']['tried']}), so figures "
        f"that include them are optimistic although the weights are cross-fitted. The held-out half was scored {found['history']['scored_on_held_out']} time before the cues "
        f"were fixed; seen of it before: {found['history']['seen_of_held_out']}. Changed since: {found['history']['changed_after_scoring']}."
    )
    yield ""
    yield f"On the held-out half, the one step that *blade* names: {'; '.join(_verdicts(found))}."
    for group, methods in found["groups"].items():
        yield ""
        yield f"**{group[0].upper()}{group[1:]}**, n = {next(iter(methods.values()))['exact']['of']}:"
        yield ""
        yield "| method | step exact | within ±1 | within ±3 | agent |"
        yield "|---|---|---|---|---|"
        for name, scores in methods.items():
            yield f"| {name} | {' | '.join(_share(scores[metric]) for metric in METRICS)} |"
    yield ""
    yield (
        "*blade* names one step, the likeliest, and its agent. *blade, by reach* names for each tolerance the step that most likely has the decisive one "
        "within it, and the agent whose steps are together the likeliest; the best constant is likewise chosen for each tolerance."
    )
    yield ""
    yield "Against the best baseline of each column, case by case (exact McNemar test, not corrected for the number of rows):"
    yield ""
    yield "| cases | figure | best baseline | only ours right | only it right | p |"
    yield "|---|---|---|---|---|---|"
    for group, tests in found["against"].items():
        for name, test in tests.items():
            cells = (group, name, test["best_baseline"], test["only_ours"], test["only_the_baseline"], f"{test['p']:.4f}")
            yield f"| {' | '.join(map(str, cells))} |"
    yield ""
    yield (
        f"What stays out of reach: in {found['label_on_machine_step']} rollouts the marked step is a machine's output, which the ranking never names, and in "
        f"{found['label_on_other_agent']} the marked agent does not speak at the marked step."
    )
    yield ""
    yield "Weights of the cues (conditional logit, ridge penalty 1); where the halves disagree in sign, the cue says little:"
    yield ""
    columns = list(found["weights"])
    yield f"| cue | {' | '.join(columns)} |"
    yield "|---|" + "---|" * len(columns)
    for cue in found["weights"]["in the source"]:
        values = " | ".join(f"{found['weights'][column][cue]:+.2f}" for column in columns)
        yield f"| `{cue}` | {values} |"


def _verdicts(found: Mapping[str, Any]) -> Iterator[str]:
    """Each figure of the held-out half against its best baseline, in words; 0.05 is where a difference is called one."""
    scores = found["groups"]["held-out half"]
    for metric in METRICS:
        test = found["against"]["held-out half"][f"{metric}, blade"]
        mine, best = scores["blade"][metric]["rate"], scores[test["best_baseline"]][metric]["rate"]
        if test["p"] >= 0.05:
            verdict = "not told apart from"
        else:
            verdict = "better than" if mine > best else "worse than"
        yield f"{metric} {100 * mine:.1f} %, {verdict} the best baseline ({test['best_baseline']}, {100 * best:.1f} %, p = {test['p']:.3f})"


def _trail(found: Mapping[str, Any]) -> Iterator[str]:
    yield "## Errors of single traces by category and place (TRAIL)"
    yield ""
    yield (
        f"{found['traces']} software-engineering traces ({found['traces_without_error']} without an error). Of {found['labels']} error labels "
        f"{found['labels_at_hand']} belong to a trace at hand; {found['labels_at_agent_spans']} of those stand at a span of the agent, "
        "the others at spans that a finding never names and count as missed. What gives the answer away is stripped from the rows (these hold none). "
        "Signals and cues go into TRAIL's categories by the map in `evidence/trail.py`. Three habits of the annotators, read off half 0 of the "
        "traces, are applied and shown apart: a failed execution is a formatting error, marked in the span that is shown it, and an end without a "
        "result is lost context. The rows hold no output of code that worked, so nothing can be found in it."
    )
    yield ""
    tried = "; ".join(
        f"{variant['what']} (joint F1 {variant['joint_f1_all_traces']:.3f})" for variant in found["history"]["tried"]
    )
    yield (
        f"**No half of these traces is untouched**: {found['history']['scored_on_held_out']} variants were scored on all of them, one after the other: {tried}. "
        f"Dropped: {found['history']['dropped']}. Read the figures as what the map can reach here, not as what to expect elsewhere; without the habits, "
        "hardly anything is found."
    )
    for group, methods in found["groups"].items():
        yield ""
        yield f"**{group[0].upper()}{group[1:]}** (precision, recall, F1; *both / predicted / labelled*):"
        yield ""
        yield "| method | category of the trace | span | span and category | weighted category F1 |"
        yield "|---|---|---|---|---|"
        for name, scores in methods.items():
            cells = " | ".join(_overlap(scores[what]) for what in ("category", "location", "joint"))
            yield f"| {name} | {cells} | {scores['weighted_category_f1']:.3f} |"
    most = list(found["categories"].items())
    yield ""
    yield (
        "Published location and joint accuracies are recalls: marking every span has the highest, so precision stands beside it. "
        f"Labels by category: {', '.join(f'{name} {count}' for name, count in most)}. For {most[0][0]} (of those read, most about one sentence of the prompt) "
        "there is no detector that fires on these traces."
    )


def _others() -> Iterator[str]:
    yield "### What others report"
    yield ""
    yield "Others' figures, by their own protocols and mostly with large models that read the whole transcript; for orientation only, not measured by us."
    yield ""
    yield "| benchmark | method | figure | source |"
    yield "|---|---|---|---|"
    for row in PUBLISHED_BY_OTHERS:
        yield f"| {' | '.join(row)} |"


def _share(score: Mapping[str, Any]) -> str:
    return f"{100 * score['rate']:.1f} % ({100 * score['low']:.0f}–{100 * score['high']:.0f})"


def _overlap(score: Mapping[str, Any]) -> str:
    precision, recall = (f"{score[name]:.2f}" if score[name] is not None else "–" for name in ("precision", "recall"))
    return f"{precision}, {recall}, {score['f1']:.2f}; {score['both']} / {score['predicted']} / {score['labelled']}"
