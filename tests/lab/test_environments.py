"""What holds in every environment that was written to be judged in: sound work passes, faults strike as they say, and rows are as the format has them.

What a kind shows in one environment stands in the environment's own tests.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from blade.lab.environments import ENVIRONMENTS
from blade.lab.faults.catalogue import KIND
from blade.signals.labels import LABELS
from tests.lab.support import (
    check_burst,
    check_clean,
    check_fields,
    check_gap_or_shakiness,
    check_labels,
    check_rows_are_read,
    check_scripts,
    check_strikes,
    kinds_at,
    planted,
)


class Place(NamedTuple):
    tasks: int
    """How many tasks hold every kind of script, so many of each at least as `occasions` says."""
    occasions: int
    of_each_label: int
    damaged: str
    """A kind whose rows are read without a problem all the same."""
    verdict: str
    """The fields in which a verifier tells what it saw."""
    on_a_host: tuple[str, ...] = ()
    """Trouble that strikes on one host all the time, and not everywhere for a while."""


PLACES = {
    "payments": Place(64, 4, 2, "lost_column", "extracted_answer predicted_calls"),
    "harbour": Place(72, 4, 2, "mangled_encoding", "outcome", ("egress_blocked",)),
    "clinic": Place(84, 4, 2, "old_schema_gold", "unexpected_actions parsed_answer"),
    "garage": Place(96, 1, 5, "shuffled_letter", "extra_calls extracted_answer"),
    "railway": Place(90, 1, 5, "no_right_option", "evaluation"),
    "cloud": Place(90, 1, 5, "unfilled_gold", "eval_result", ("clock_skew",)),
    "insurer": Place(90, 1, 5, "list_as_text", "grading", ("outdated_client",)),
    "radio": Place(96, 1, 6, "sexagesimal_gold", "scores", ("lost_mount",)),
    "market": Place(96, 1, 6, "date_through_utc", "assessment", ("unreset_state",)),
    "conservatory": Place(96, 1, 6, "negative_gold", "gradingResult", ("arguments_lost",)),
    "rescue": Place(96, 1, 6, "untranslated_gold", "outputs", ("handler_broken",)),
    "brewery": Place(96, 1, 7, "code_as_date", "test_result", ("corrupted_store",)),
    "assay": Place(96, 1, 7, "id_through_double", "eval_case_result", ("handles_exhausted",)),
    "publisher": Place(96, 1, 7, "percent_as_fraction", "results", ("handles_exhausted", "missing_secret")),
    "arboretum": Place(108, 1, 7, "annotators_joined", "outputs", ("handles_exhausted", "missing_secret", "library_missing")),
    "ferry": Place(108, 1, 9, "html_escaped_gold", "output", ("handles_exhausted", "results_unawaited")),
    "theatre": Place(108, 1, 9, "boolean_for_word", "completed_events", ("handles_exhausted", "missing_secret")),
    "dairy": Place(108, 1, 9, "annotators_joined", "reward_extra_info", ("handles_exhausted", "missing_secret")),
    "payroll": Place(
        108, 1, 10, "two_digit_year_gold", "function_calls extracted_answer", ("handles_exhausted", "missing_secret")
    ),
}
everywhere = pytest.mark.parametrize("place", PLACES)


@everywhere
def test_sound_scripts_pass_and_faulty_ones_fail(place: str) -> None:
    check_scripts(place, ENVIRONMENTS[place].tasks(3, PLACES[place].tasks))


@everywhere
def test_all_labels_have_kinds(place: str) -> None:
    kinds = kinds_at(place)
    check_labels(kinds)
    assert all(sum(KIND[name].label == label for name in kinds) >= PLACES[place].of_each_label for label in LABELS)


@everywhere
def test_some_tasks_give_occasion(place: str) -> None:
    tasks = ENVIRONMENTS[place].tasks(3, PLACES[place].tasks)
    found = {kind: sum(bool(task.faulty.get(kind)) for task in tasks) for kind in kinds_at(place, "script")}
    assert {kind: count for kind, count in found.items() if count < PLACES[place].occasions} == {}


@pytest.mark.parametrize(("place", "kind"), [(place, kind) for place in PLACES for kind in kinds_at(place)])
def test_a_kind_strikes_as_it_says_and_shows_in_nothing_else(place: str, kind: str) -> None:
    check_strikes(place, kind)
    check_fields(place, kind)
    if KIND[kind].means == "script" and KIND[kind].label in ("KG", "UK"):
        check_gap_or_shakiness(place, kind, PLACES[place].verdict)
    if KIND[kind].means == "weather" and kind not in PLACES[place].on_a_host:
        check_burst(planted(place, kind, "severe", 2))


@everywhere
def test_clean_runs_pass_but_for_noise(place: str) -> None:
    check_clean(place)


@everywhere
def test_rows_are_read_without_a_problem(place: str, tmp_path: Path) -> None:
    check_rows_are_read(place, PLACES[place].damaged, tmp_path)
