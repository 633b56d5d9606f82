"""majority@k: the score of the answer that most of k attempts agree on.

A vote is a plurality vote among the answers that are there: an attempt without an answer (None) does not vote, a vote nobody
takes part in scores 0, and answers that tie share the win equally. An answer's score is the mean score of the attempts that
gave it, so a judge that contradicts itself on one answer does not split its votes. (The reference helper of NeMo Gym counts
(answer, score) pairs instead; pass the pairs as answers to `plurality_score` to get its figure.)
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from math import comb

from .errors import ImpossibleCounts, TooFewAttempts
from .repeats import TaskMean

Answers = Sequence[Hashable | None]
Scores = Sequence[float]


def majority_at_k(answers: Sequence[Answers], scores: Sequence[Scores], k: int) -> TaskMean:
    """Plurality score of the first k attempts (self-consistency, Wang et al. 2023), averaged over the tasks with at least k."""
    return _mean((plurality_score(said[:k], got[:k]) for said, got in _tasks_with(answers, scores, k)), k, answers)


def expected_majority_at_k(answers: Sequence[Answers], scores: Sequence[Scores], k: int) -> TaskMean:
    """majority@k averaged over every choice of k attempts, as pass@k is: the order of the attempts does not matter."""
    return _mean((_expected_plurality_score(said, got, k) for said, got in _tasks_with(answers, scores, k)), k, answers)


def plurality_score(answers: Answers, scores: Scores) -> float:
    """Score of the most common answer; ties averaged; 0 when there is no answer at all."""
    votes = _votes(answers, scores)
    most = max(map(len, votes.values()), default=0)
    winners = [sum(got) / most for got in votes.values() if len(got) == most]
    return sum(winners) / len(winners) if winners else 0.0


def _votes(answers: Answers, scores: Scores) -> dict[Hashable, list[float]]:
    if len(answers) != len(scores):
        raise ImpossibleCounts(f"{len(answers)} answers for {len(scores)} scores")
    votes: defaultdict[Hashable, list[float]] = defaultdict(list)
    for answer, score in zip(answers, scores, strict=True):
        if answer is not None:
            votes[answer].append(score)
    return votes


def _expected_plurality_score(answers: Answers, scores: Scores, k: int) -> float:
    """Sum over the answers and over the votes j each may win with: the ways the other answers stay at or below j.

    By symmetry the j votes drawn from an answer score its overall mean, whichever j they are.
    """
    votes = _votes(answers, scores)
    silent = len(answers) - sum(map(len, votes.values()))
    expected = 0.0
    for answer, got in votes.items():
        others = [len(theirs) for other, theirs in votes.items() if other != answer]
        for j in range(1, min(len(got), k) + 1):
            for (drawn, ties), ways in _ways_to_stay_at_or_below(j, others, k - j).items():
                chosen = ways * comb(len(got), j) * comb(silent, k - j - drawn)
                expected += sum(got) / len(got) * (chosen / (comb(len(answers), k) * (ties + 1)))
    return expected


def _ways_to_stay_at_or_below(most: int, others: list[int], room: int) -> Counter[tuple[int, int]]:
    """Ways to draw votes from the other answers, none above `most`, by (votes drawn, answers that tie at `most`)."""
    ways: Counter[tuple[int, int]] = Counter({(0, 0): 1})
    for votes in others:
        longer: Counter[tuple[int, int]] = Counter()
        for (drawn, ties), count in ways.items():
            for more in range(min(votes, most, room - drawn) + 1):
                longer[drawn + more, ties + (more == most)] += count * comb(votes, more)
        ways = longer
    return ways


def _tasks_with(answers: Sequence[Answers], scores: Sequence[Scores], k: int) -> Iterable[tuple[Answers, Scores]]:
    return ((said, got) for said, got in zip(answers, scores, strict=True) if len(said) >= k)


def _mean(values: Iterable[float], k: int, answers: Sequence[Answers]) -> TaskMean:
    most = max(map(len, answers), default=0)
    if k < 1 or k > most:
        raise TooFewAttempts(k, most=most)
    scores = list(values)
    return TaskMean(sum(scores) / len(scores), tasks=len(scores))
