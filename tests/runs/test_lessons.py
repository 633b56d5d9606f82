"""What extractors learn of a run before the scan: from a bounded sample, once, and kept with the run."""

import gzip
import json
from typing import Final

from blade.runs.lessons import MAX_ROWS, sample
from blade.runs.run import open_run
from tests.runs.support import encoded, row, write_jsonl


class Counting:
    """A table of one column that says how many rows were seen beforehand; learning is counted."""

    table = "seen"
    columns: Final = {"before": "int64"}
    learned = 0

    def __init__(self, before=None):
        self.before = before
        self.version = f"1:{before}"

    @property
    def learner(self):
        return self

    def learn(self, rows, threshold):
        type(self).learned += 1
        return json.dumps([len(rows), threshold])

    def taught(self, learned):
        return type(self)(json.loads(learned)[0])

    def extract(self, view):
        yield (self.before,)


def test_the_sample_is_the_first_whole_rows(tmp_path):
    path = write_jsonl(tmp_path / "rollouts.jsonl", [row(number) for number in range(MAX_ROWS + 5)])
    assert sample([path]) == [encoded(row(number)) for number in range(MAX_ROWS)]


def test_rows_of_several_files_and_compressed_ones_are_sampled(tmp_path):
    one = write_jsonl(tmp_path / "a.jsonl", [row(1)])
    other = tmp_path / "b.jsonl.gz"
    other.write_bytes(gzip.compress(encoded(row(2)) + b"\n\n" + encoded(row(3))))
    assert sample([one, other]) == [encoded(row(1)), encoded(row(2)), encoded(row(3))]


def test_a_file_that_is_longer_than_the_sample_ends_with_a_whole_row(tmp_path, monkeypatch):
    path = write_jsonl(tmp_path / "a.jsonl", [row(number) for number in range(9)])
    monkeypatch.setattr("blade.runs.lessons.MAX_BYTES", path.stat().st_size - 3)
    assert sample([path]) == [encoded(row(number)) for number in range(8)]


def test_extractors_are_taught_and_the_run_says_what_was_learned(tmp_path):
    path = write_jsonl(tmp_path / "rollouts.jsonl", [row(number) for number in range(3)])
    with open_run(path, index_dir=tmp_path / "cache", extractors=(Counting(),), pass_threshold=0.5) as run:
        assert run.query("SELECT DISTINCT before FROM seen").rows == [(3,)]
        assert json.loads(run.learned) == [3, 0.5]


def test_a_run_is_learned_from_once(tmp_path):
    path = write_jsonl(tmp_path / "rollouts.jsonl", [row(number) for number in range(3)])
    Counting.learned = 0
    for _ in range(2):
        with open_run(path, index_dir=tmp_path / "cache", extractors=(Counting(),)):
            pass
    assert Counting.learned == 1


def test_without_learners_nothing_is_learned(tmp_path):
    path = write_jsonl(tmp_path / "rollouts.jsonl", [row()])
    with open_run(path, use_index=False) as run:
        assert run.learned == ""
