"""When a difference may be said to be because of a change."""

from blade.comparison.attribution import attribution
from blade.comparison.differences import Change, Differences
from blade.comparison.waterfall import Term

PROMPT = Differences((Change("prompt", "old", "new"),), ())


def term(name: str, delta: float) -> Term:
    return Term(name, delta, None, 3, 7)


def test_one_change_and_no_other_part() -> None:
    found = attribution(PROMPT, [term("change", 0.2), term("infrastructure", 0.0), term("truncation", -0.1)])
    assert found["assignable"] is True
    assert "because of the prompt" in found["sentence"]


def test_an_outage_in_one_run_is_not_the_prompts_doing() -> None:
    found = attribution(PROMPT, [term("change", 0.0), term("infrastructure", 0.275)])
    assert found["assignable"] is False
    assert "infrastructure (7 rollouts)" in found["sentence"]


def test_a_changed_verifier_makes_the_verifiers_part() -> None:
    verifier = Differences((Change("verifier", "v1", "v2"),), ())
    assert attribution(verifier, [term("verifier", 0.3), term("change", 0.0)])["assignable"] is True
    assert attribution(verifier, [term("verifier", 0.3), term("missing", 0.1)])["assignable"] is False


def test_something_unknown_forbids_it() -> None:
    assert attribution(Differences((Change("prompt", "old", "new"),), ("verifier",)), [])["assignable"] is False


def test_what_differs_is_not_called_unknown_in_the_same_sentence() -> None:
    differ = Differences((Change("agent", "one", "two"),), ("agent", "sampling"))
    said = attribution(differ, [])["sentence"]
    assert said.startswith(
        "The cause cannot be assigned: the agent differs, and the rest of the agent and sampling are not known on both sides."
    )
