"""Gold and extracted answers that no name tells, by how they behave over tasks and repeats."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blade.signals.example import says
from blade.signals.layout.shape import BY_TEXT, FROM_ONE, FROM_ZERO
from tests.signals.layout.support import PLACES, layout, paths, questions, row

GOLD = {
    "at the top": ({"zeta": lambda task, gold, said: gold}, ["zeta"]),
    "in an object": ({"box": lambda task, gold, said: {"q": {"zeta": gold}}}, ["box.q.zeta"]),
    "in JSON text": ({"box": lambda task, gold, said: json.dumps({"zeta": gold})}, ["box.zeta"]),
    "in a list of its own": ({"zeta": lambda task, gold, said: [gold]}, ["zeta"]),
    "in the entry of a list": ({"notes": lambda task, gold, said: [{"zeta": gold, "no": task}]}, ["notes.0.zeta"]),
    "in other letters": ({"zeta": lambda task, gold, said: gold.upper()}, ["zeta"]),
    "among assertions": (
        {"expect": lambda task, gold, said: [{"that": "answer_is", "text": gold}, {"that": "within", "seconds": 9 + task}]},
        ["expect.that=answer_is.text"],
    ),
    "what was said is none": ({"zeta": lambda task, gold, said: said}, []),
    "one value for all tasks is none": ({"zeta": lambda task, gold, said: "Oslo"}, []),
    "the gold of other tasks is none": ({"zeta": lambda task, gold, said: PLACES[(task + 1) % 10]}, []),
    "what is mentioned beside the answer is none": ({"zeta": lambda task, gold, said: "I looked it up."}, []),
    "empty in one repeat, not in another": ({"zeta": lambda task, gold, said: gold if said == gold else None}, []),
}


@pytest.mark.parametrize(("fields", "expected"), GOLD.values(), ids=GOLD)
def test_gold(fields, expected):
    assert paths(layout(questions(**fields)).expected) == expected


def test_a_tidied_copy_of_what_was_said_is_no_gold():
    rows = questions(tasks=10, repeats=1, wrong_in=(), zeta=lambda task, gold, said: said.lower())
    rows += [row(task, 0, False, says(f"Answer: {PLACES[task % 10]}"), zeta=PLACES[task % 10].lower()) for task in range(20, 30)]
    assert paths(layout(rows).expected) == []


def test_the_tasks_that_support_it_are_counted():
    found = layout(questions(tasks=9, zeta=lambda task, gold, said: gold)).expected[0]
    assert (found.tasks, found.agreeing) == (9, 9)


def test_gold_is_learned_for_tasks_that_never_pass_too():
    rows = questions(tasks=6, zeta=lambda task, gold, said: gold)
    rows += [row(9, repeat, False, says("Answer: Paris"), zeta="Sofia") for repeat in range(3)]
    assert paths(layout(rows).expected) == ["zeta"]


@pytest.mark.parametrize("tasks", [1, 4])
def test_too_few_tasks_teach_nothing(tasks):
    assert not layout(questions(tasks=tasks, wrong_in=(0,), zeta=lambda task, gold, said: gold)).found


def test_where_a_name_tells_the_gold_nothing_is_learned():
    same = lambda task, gold, said: gold  # noqa: E731
    assert layout(questions(expected_answer=same, zeta=same)).expected == ()


def test_what_restates_the_gold_gives_way_to_what_the_reward_goes_by():
    def restated(task, gold, said):  # right where the gold of a task is wrong
        return "Paris" if task == 1 else gold

    rows = questions(wrong_in=(2,), alpha=restated, zeta=lambda task, gold, said: gold)
    rows += [row(1, repeat, False, says("Answer: Paris"), alpha="Paris", zeta="Lima") for repeat in range(3, 6)]
    assert paths(layout(rows).expected)[0] == "zeta"


OPTIONS = ("copper", "silver", "iron", "lead")


def choosing(names):
    """Questions with four options, answered by letter; the gold names the option in another way."""
    rows = []
    for task in range(12):
        right = (3 * task + task // 4) % 4
        listed = [f"{word} {task}" for word in OPTIONS]
        asked = "Which? " + " ".join(f"{letter}) {text}" for letter, text in zip("ABCD", listed, strict=True))
        for repeat in range(3):
            chosen = (right + 1) % 4 if repeat == 2 and task % 3 == 0 else right
            rows.append(
                row(
                    task,
                    repeat,
                    chosen == right,
                    says(f"Answer: {'ABCD'[chosen]}"),
                    asked=asked,
                    zeta=names(right, listed),
                    pool=listed,
                )
            )
    return rows


@pytest.mark.parametrize(
    ("names", "how"),
    [
        (lambda right, listed: "ABCD"[right], ""),
        (lambda right, listed: right, FROM_ZERO),
        (lambda right, listed: right + 1, FROM_ONE),
        (lambda right, listed: listed[right], BY_TEXT),
    ],
    ids=["letter", "from zero", "from one", "text"],
)
def test_gold_names_an_option(names, how):
    found = layout(choosing(names))
    assert [(one.path, one.names) for one in found.expected] == [(("zeta",), how)]


def test_letters_that_agree_by_chance_are_not_enough():
    """Five tasks are enough for words, and not for letters: every fourth agrees with anything."""
    rows = []
    for task in range(5):
        letter = "ABCDA"[task]
        rows += [
            row(task, repeat, repeat < 2, says(f"Answer: {letter if repeat < 2 else 'B'}"), zeta=letter) for repeat in range(3)
        ]
    assert layout(rows).expected == ()


TAKEN = {
    "what was said": (lambda task, gold, said: said, ["eta"]),
    "in an object": (lambda task, gold, said: {"deep": said}, ["eta.deep"]),
    "empty where nothing was found": (lambda task, gold, said: said if said == gold else None, ["eta"]),
    "a copy of the message is none": (lambda task, gold, said: f"I looked it up.\nAnswer: {said}", []),
    "a number of its own is none": (lambda task, gold, said: task, []),
    "a judge's word is none": (lambda task, gold, said: "good" if said == gold else "bad", []),
}


@pytest.mark.parametrize(("make", "expected"), TAKEN.values(), ids=TAKEN)
def test_taken(make, expected):
    assert paths(layout(questions(zeta=lambda task, gold, said: gold, eta=make)).extracted) == expected


def test_the_answer_told_again():
    rows = questions(zeta=lambda task, gold, said: gold, how=lambda task, gold, said: f"By rail one comes to {gold} in the end.")
    assert paths(layout(rows).retold) == ["how"]


def _sentences(task, gold, said):
    return ["One goes by rail.", f"It ends in {gold}."]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"box": lambda task, gold, said: {"zeta": gold, "how": _sentences(task, gold, said)}}, ["box.how"]),  # beside the gold
        ({"zeta": lambda task, gold, said: gold, "facts": _sentences}, ["facts"]),  # named after telling it
        (
            {"zeta": lambda task, gold, said: gold, "box": lambda *given: {"how": _sentences(*given)}},
            [],
        ),  # who judges lists them too
    ],
)
def test_the_answer_told_again_among_several_sentences(fields, told):
    assert paths(layout(questions(**fields)).retold) == told


def test_lists_of_single_words_and_of_others_tell_nothing_again():
    rows = questions(
        zeta=lambda task, gold, said: gold,
        how=lambda task, gold, said: [gold, "another"],
        wrong_ways=lambda task, gold, said: ["It is not here.", f"It is no {gold}."],
    )
    assert layout(rows).retold == ()


def test_what_the_prompt_shows_tells_nothing_again():
    rows = questions(zeta=lambda task, gold, said: gold, how=lambda task, gold, said: "Where?")
    assert layout(rows).retold == ()


def test_what_stands_only_where_a_rollout_fails_was_written_by_who_judged():
    rows = questions(tasks=10, zeta=lambda task, gold, said: gold, more=lambda task, gold, said: None)
    for task in range(20, 30):  # nobody passes these, so that no repeat says otherwise
        said = f"observed Paris, expected {PLACES[task % 10]}"
        rows += [row(task, n, False, says("Answer: Paris"), zeta=PLACES[task % 10], more=said) for n in range(3)]
    assert layout(rows).retold == ()


names = st.text(st.characters(codec="ascii", categories=["Ll"]), min_size=3, max_size=9).filter(
    lambda name: (
        name
        not in (
            "reward",
            "usage",
            "messages",
            "tools",
            "spans",
            "label",
            "gold",
            "target",
            "answer",
            "ideal",
            "parsed",
            "extracted",
        )
    )
)


@settings(max_examples=25, deadline=None)
@given(names, names, names)
def test_whatever_the_fields_are_called(first, second, third):
    """The same fields are found under all names, unless a name tells one already."""
    if len({first, second, third}) < 3 or {first, second, third} & {
        "task",
        "repeat",
        "passed",
        "asked",
        "tools",
        "tasks",
        "repeats",
        "response",
    }:
        return
    made = {
        first: lambda task, gold, said: gold,
        second: lambda task, gold, said: said,
        third: lambda task, gold, said: f"n{task % 3}",
    }
    found = layout(questions(**made))
    assert (paths(found.expected), paths(found.extracted)) == ([first], [second])


@settings(max_examples=25, deadline=None)
@given(st.randoms(use_true_random=False))
def test_noise_is_never_gold(random):
    """Fields of random words, the same in all repeats, never pass for the gold of a run that has none."""
    words = {task: random.choice(PLACES) for task in range(8)}
    found = layout(questions(zeta=lambda task, gold, said: words[task]))
    agreeing = sum(words[task] == PLACES[task] for task in range(8))
    assert bool(found.expected) <= (agreeing >= 7)


def test_the_order_of_the_fields_changes_nothing():
    same, said = (lambda task, gold, said: gold), (lambda task, gold, said: said)
    one, other = layout(questions(zeta=same, eta=said)), layout(questions(eta=said, zeta=same))
    assert one == other


def test_assertions_are_told_apart_by_their_type_though_all_have_the_same_keys():
    def checks(task, gold, said):
        return [{"type": "calls", "value": []}, {"type": "equals", "value": gold}, {"type": "icontains", "value": "the"}]

    rows = questions(asserts=checks)
    assert paths(layout(rows).expected) == ["asserts.type=equals.value"]


def test_what_stands_in_the_object_of_the_verdict_comes_last():
    rows = questions(
        wrong_in=(1, 2),
        outcome=lambda task, gold, said: {"line": gold},
        result=lambda task, gold, said: {"line": gold, "correct": gold == said},
    )
    assert paths(layout(rows).expected) == ["outcome.line"]


def test_a_note_named_so_needs_two_tasks_only():
    def told(task, gold, said):
        return f"It lies in {gold}" if task < 3 else "see the map"

    rows = questions(gold=lambda task, gold, said: gold, why=told, zeta=told)
    assert paths(layout(rows).retold) == ["why"]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"box": lambda task, gold, said: {"key": {"zeta": gold}, "ground": {"text": _little(task, gold)}}}, ["box.ground.text"]),
        ({"problem": lambda task, gold, said: {"zeta": gold, "ground": {"text": _little(task, gold)}}}, ["problem.ground.text"]),
        ({"problem": lambda task, gold, said: {"zeta": gold, "question": {"text": _little(task, gold)}}}, []),
        ({"zeta": lambda task, gold, said: gold, "ground": lambda task, gold, said: _little(task, gold)}, []),
        (
            {"box": lambda task, gold, said: {"zeta": gold}, "heard": lambda task, gold, said: {"text": _little(task, gold)}},
            [],
        ),
    ],
    ids=["in the field of the gold", "in a problem with its gold", "in what is asked there", "anywhere", "in another field"],
)
def test_what_stands_in_the_field_of_the_gold_needs_two_tasks_only(fields, told):
    assert paths(layout(questions(**fields)).retold) == told


def _little(task, gold):
    return f"It lies in {gold}" if task < 3 else f"see map {task}"
