from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blade.stats import ImpossibleCounts, TooFewAttempts, expected_majority_at_k, majority_at_k, plurality_score

Attempt = tuple[str | None, float]
attempts = st.lists(st.tuples(st.sampled_from(["a", "b", "c", None]), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=6)


def split(tasks: list[list[Attempt]]) -> tuple[list[list[str | None]], list[list[float]]]:
    return [[answer for answer, _ in task] for task in tasks], [[score for _, score in task] for task in tasks]


def vote(task: list[Attempt]) -> float:
    """The vote, told without the code under test: rank answers by count, average the winners' mean scores."""
    ranked = Counter(answer for answer, _ in task if answer is not None).most_common()
    winners = [answer for answer, count in ranked if count == ranked[0][1]]
    means = [[score for given_answer, score in task if given_answer == answer] for answer in winners]
    return sum(sum(scores) / len(scores) for scores in means) / len(means) if means else 0.0


@pytest.mark.parametrize(
    ("answers", "scores", "expected"),
    [
        (["4", "4", "5"], [1, 1, 0], 1.0),
        (["4", "5"], [1, 0], 0.5),  # a tie shares the win
        (["4", None, None], [1, 0, 0], 1.0),  # silence does not vote
        ([None, None], [0, 0], 0.0),
        ([], [], 0.0),
        (["4", "4", "5", "5"], [1, 0, 0, 0], 0.25),  # a judge that contradicts itself does not split the vote for 4
        ([4, 4.0, "4"], [1, 1, 0], 1.0),
    ],
)
def test_plurality_score(answers: list[str | None], scores: list[float], expected: float) -> None:
    assert plurality_score(answers, scores) == expected


def test_pairs_as_answers_give_the_reference_helpers_vote() -> None:
    """NeMo Gym counts (answer, score) pairs: 4/pass, 4/fail and 5/fail stand at one vote each."""
    answers, scores = ["4", "4", "5"], [1.0, 0.0, 0.0]
    assert plurality_score(answers, scores) == 0.5
    assert plurality_score(list(zip(answers, scores, strict=True)), scores) == pytest.approx(1 / 3)


@given(tasks=st.lists(attempts, min_size=1, max_size=4), data=st.data())
def test_the_first_k_attempts_vote(tasks: list[list[Attempt]], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, max(map(len, tasks))))
    enough = [vote(task[:k]) for task in tasks if len(task) >= k]
    result = majority_at_k(*split(tasks), k)
    assert result.value == pytest.approx(sum(enough) / len(enough))
    assert result.tasks == len(enough)


@given(task=attempts, data=st.data())
def test_the_expected_vote_is_the_mean_over_every_choice_of_k(task: list[Attempt], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, len(task)))
    votes = [vote(list(chosen)) for chosen in combinations(task, k)]
    assert expected_majority_at_k(*split([task]), k).value == pytest.approx(sum(votes) / len(votes))


@given(task=attempts)
def test_with_all_attempts_there_is_one_choice(task: list[Attempt]) -> None:
    answers, scores = split([task])
    assert expected_majority_at_k(answers, scores, len(task)).value == pytest.approx(
        majority_at_k(answers, scores, len(task)).value
    )


@pytest.mark.parametrize("k", [0, 3])
def test_k_beyond_the_attempts_is_refused(k: int) -> None:
    for metric in (majority_at_k, expected_majority_at_k):
        with pytest.raises(TooFewAttempts):
            metric([["4", "5"]], [[1.0, 0.0]], k)


def test_answers_without_scores_are_refused() -> None:
    with pytest.raises(ImpossibleCounts):
        plurality_score(["4"], [])
