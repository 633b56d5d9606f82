"""The screen as data, and the few lines of a step summary."""

import pytest

from blade.cli.comparison_screen import print_screen
from blade.reports.comparison.markdown import comparison_report
from blade.reports.comparison.step_summary import step_summary
from blade.reports.comparison.summary import screen
from blade.reports.comparison.waterfall import signed_bar
from tests.reports.comparison.support import document, flip, mode, pair, term


def test_the_screen_has_the_terms_that_are_there_and_names_the_others() -> None:
    found = screen(document())
    assert [(term.name, term.figure, term.rollouts) for term in found.terms] == [
        ("infrastructure", "+10.0", "4 in 1 task"),
        ("truncation", "−2.0", "7 in 6 tasks"),
        ("change", "+12.0", "60 in 8 tasks"),
    ]
    assert found.none_found == "task set, missing rows, verifier (12 of 76 outputs recur), remainder"
    assert found.total == "+20.0"
    assert [(mover.gained, mover.task, mover.rates, mover.chance) for mover in found.movers] == [
        (True, "7", "0/4 → 4/4", ".99"),
        (True, "3", "0/4 → 4/4", ".98"),
        (False, "5", "3/4 → 1/4", ".04"),
    ]
    assert [mode.clear for mode in found.modes] == [True, False]
    assert dict(found.notes)["used"] == "per rollout: input tokens 1,000 → 1,500 (×1.50)"
    assert "blade diagnose B --task 5" in dict(found.notes)["read on"]


def test_what_differs_never_says_more_than_is_known() -> None:
    assert dict(screen(document()).facts)["differs in"] == (
        "prompt (system:1 → system:2); not known: verifier; the cause cannot be assigned"
    )
    known = pair(cause={"assignable": True, "sentence": "x"}, unknown=[])
    assert dict(screen(document(known)).facts)["differs in"].startswith("only the prompt (system:1 → system:2)")


def test_bars_are_signed_and_centred() -> None:
    assert signed_bar(0.5, 1.0, 4) == "    │██  "
    assert signed_bar(-1.0, 1.0, 4) == "████│    "
    assert signed_bar(0.0, 0.0, 4) == "    │    "


def test_the_step_summary_is_short_and_names_the_gate() -> None:
    text = step_summary(document(), "gate not-equivalent: after.jsonl falls short")
    assert text.startswith("## Comparison of `after.jsonl` with `before.jsonl`\n")
    assert "**Gate not-equivalent: after.jsonl falls short.**" in text
    assert "✅ **Improved.** B scores 20 points higher" in text
    assert "Lost 1 task of 10: 5 (3 of 4 → 1 of 4, P .04)." in text
    assert "Fails less often with BI lookup of `find_member` skipped (9 → 2 failed rollouts, more than chance)." in text
    assert len(text.splitlines()) < 20


def test_an_id_in_a_command_is_quoted() -> None:
    held = document(pair(flips=[flip("5; rm -rf ~", 1.0, 0.0, 0.04)]))
    assert "blade diagnose B --task '5; rm -rf ~'" in dict(screen(held).notes)["read on"]


def test_a_step_is_worth_points_of_a_rate_and_units_of_a_reward() -> None:
    step = pair()["interventions"][0] | {"gain": {"upper": 0.125}}
    assert screen(document(pair(interventions=[step]))).steps == ("Run the 4 rollouts again (harness, in B at most 12.5 points)",)
    rewards = pair(metric="mean_reward", interventions=[step])
    assert screen(document(rewards)).steps == ("Run the 4 rollouts again (harness, in B at most 0.125)",)


def test_of_nothing_there_is_no_at_most() -> None:
    parts = [term("truncation", 0.0, [0.0, 0.0], 3, 10, at_most=True, few_tasks=True), term("change", 0.2, None, 8, 60)]
    (found, _) = screen(document(pair(waterfall=parts))).terms
    assert (found.figure, found.note) == ("0.0", "few tasks")
    assert "at most" not in "".join(
        comparison_report(document(pair(waterfall=parts))).partition("What it is made of")[2].partition("Who drove")[0]
    )
    cut = [term("truncation", -0.02, None, 3, 10, at_most=True), *parts[1:]]
    assert screen(document(pair(waterfall=cut))).terms[0].note == "at most"
    assert "at most −2.0" in comparison_report(document(pair(waterfall=cut)))


def test_modes_stand_by_the_size_of_their_change_clear_ones_first() -> None:
    modes = [mode("one", "BI", 4, 0, 0.3), mode("two", "BI", 0, 2, 0.01), mode("three", "IR", 9, 0, 0.4)]
    assert [one.title for one in screen(document(pair(modes=modes))).modes] == ["two", "three", "one"]


@pytest.mark.parametrize(("p_adjusted", "stars"), [(0.3, False), (0.01, True)])
def test_a_star_is_explained_where_one_stands(p_adjusted: float, stars: bool, capsys: pytest.CaptureFixture[str]) -> None:
    print_screen(document(pair(modes=[mode("one", "BI", 9, 0, p_adjusted)])), ())
    assert ("* more than chance" in capsys.readouterr().out) is stars
