"""What a plan comes to, in sentences: above all when the wish is out of reach."""

from typing import Any, Final

from blade.comparison.spread import ENDLESS, Spread
from blade.comparison.units import units
from blade.stats.detectable import FEWEST_MOVED
from blade.stats.paired import RULE_OF_THREE
from blade.stats.planning import MOST_TASKS

WELL_CHANCE: Final = 0.8
ONE_REPEAT: Final = "With one repeat of each task, noise cannot be told from what the tasks are"


def says(plan: dict[str, Any], spread: Spread | None, *, one_repeat: bool) -> list[str]:
    """The sentences for a plan whose other keys are computed."""
    current, target, of = plan["current"], plan["target"], units(plan)
    size = of.size(target)
    if current["tasks"] < FEWEST_MOVED:
        return [
            f"{current['tasks']} tasks are too few for any plan: no test of fewer than {FEWEST_MOVED} tasks finds any change."
        ]
    said = [
        "Two runs like these would find no change at all."
        if current["mde"] is None
        else f"Two runs like these ({current['tasks']:,} tasks × {current['repeats']}) find a change of {of.size(current['mde'])} in 4 of 5 cases."
    ]
    reaching = [way for way in plan["options"] if way["finds"]]
    here = [way for way in reaching if way["tasks"] == current["tasks"]]
    if current["finds"]:
        said.append(f"That is enough for {size}.")
    elif here:
        said.append(
            f"For {size} the same tasks do with {here[0]['repeats']} repeats each ({here[0]['rollouts']:,} rollouts in both runs)."
        )
    else:
        most = max((way["repeats"] for way in plan["options"]), default=0)
        if spread is not None and spread.never_finds(target, current["tasks"]):
            bound = spread.effect(current["tasks"], ENDLESS)
            rest = "" if bound is None else f"; repeats without end would find {of.size(bound)}"
            said.append(f"For {size} more repeats of these tasks cannot do it: the tasks change differently{rest}.")
        else:
            said.append(f"For {size} these {current['tasks']:,} tasks do not do it even with {most} repeats each.")
    if not current["finds"] and not here:
        said.append(_more_tasks(reaching, size))
    if one_repeat:
        worst = (
            ", and all that the tasks differ by is taken for noise, the worst case"
            if spread is not None and spread.worst_case
            else ""
        )
        said.append(f"{ONE_REPEAT}{worst}: a second repeat would make this plan surer.")
    return [*said, *_equivalence(plan, size)]


def _more_tasks(reaching: list[dict[str, Any]], size: str) -> str:
    if not reaching:
        return f"No plan of up to {MOST_TASKS:,} tasks finds {size}: the wish is out of reach."
    cheapest = min(reaching, key=lambda way: way["rollouts"])
    return f"The cheapest that does: {cheapest['tasks']:,} tasks × {cheapest['repeats']} ({cheapest['rollouts']:,} rollouts in both runs)."


def _equivalence(plan: dict[str, Any], size: str) -> list[str]:
    known = [way for way in plan["options"] if way["equivalent"] is not None and way["tasks"] == plan["current"]["tasks"]]
    if not known:
        return []
    best = max(known, key=lambda way: (way["equivalent"], way["repeats"]))
    if best["equivalent"] >= WELL_CHANCE:
        return []
    least = -int(-RULE_OF_THREE // plan["target"])
    fewer = f" (at least {least:,} tasks are needed)" if plan["current"]["tasks"] < least else ""
    return [
        f"To call two runs of one system equivalent within ±{size} is rarely possible with these tasks: "
        f"the chance is {100 * best['equivalent']:.0f} % even with {best['repeats']} repeats{fewer}."
    ]
