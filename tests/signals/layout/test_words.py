"""What has to be said, and what must not be, by where a run's rows keep it."""

from blade.signals.example import call, says
from blade.signals.layout.words import pieces_of
from tests.signals.layout.support import layout, paths, row

CODES = ["Town [flat]", "Green+", "Harbour 7", "Mill Lane", "Quarry"]


def errands(told=True, **fields):
    """Errands without an answer, in which something is to be told; the last repeat of the first task fails."""
    rows = []
    for task, code in enumerate(CODES):
        for repeat in range(2):
            said = f"Your tariff is {code}." if told else "All done."
            items = (call("plan_of", code, account=f"A-{task}"), says(said))
            made = {name: make(code) for name, make in fields.items()}
            rows.append(row(task, repeat, not (task == 0 and repeat), *items, **made))
    return rows


def wants(code):
    return [{"constraint": "tool_call", "target": {"fn": "x"}}, {"constraint": "content_contains", "target": {"content": code}}]


def test_assertions_of_a_type_that_names_it():
    found = layout(errands(spec=wants))
    assert paths(found.said) == ["spec.constraint=content_contains"]
    assert found.unsaid == ()


def test_rollouts_that_pass_must_say_it():
    assert layout(errands(told=False, spec=wants)).said == ()


def test_what_must_not_be_said():
    found = layout(errands(minefields=lambda code: [{"constraint": "content_contains", "target": {"content": "refund"}}]))
    assert (found.said, paths(found.unsaid)) == ((), ["minefields"])


def test_words_that_passing_rollouts_say_are_not_forbidden():
    assert layout(errands(minefields=lambda code: ["tariff"])).unsaid == ()


def test_pieces_are_the_texts_and_not_what_tells_their_kind():
    assert pieces_of([{"constraint": "content_contains", "target": {"content": "refund"}}, "fee", "x"]) == ["refund", "fee"]
