"""Do infrastructure failures (IR) cluster: in time, in a file, on a host, in an attempt? A cluster names what to look at.

Each file, host and attempt is tested against the rest (Fisher, one-sided); time is scanned with windows of many lengths, and the best
window is held against the best windows of random orders (a scan statistic with a permutation p-value, seeded). All tests of a run
are adjusted together (Holm). Reward-blind: signals are read without looking at the score.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from blade.diagnosis.patterns.exact import fisher_greater
from blade.runs.quoting import identifier, literal
from blade.runs.run import Run
from blade.stats import holm
from blade.untrusted.redaction import redact

MIN_HITS: Final = 3
MOST_VALUES: Final = 500
MOST_BINS: Final = 128
DRAWS: Final = 1_999
SEED: Final = 20_240_601
SIGNIFICANT: Final = 0.05
POOLED: Final = "infrastructure"
_HOST: Final = re.compile(r"(?:^|[._])(?:host|hostname|node|node_id|worker|worker_id|server|endpoint|base_url|pod|machine|region|zone|gpu|rank|shard)$", re.IGNORECASE)  # fmt: skip

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class _Test:
    code: str
    by: str
    value: str
    hit: int
    of: int
    rest_hit: int
    rest_of: int
    p: float


def clusters(run: Run) -> list[dict[str, Any]]:
    """The places and times in which infrastructure failures are significantly more frequent than elsewhere."""
    if "signals" not in run.meta["tables"]:
        return []
    codes = [
        row[0]
        for row in run.query(
            "SELECT code, count(DISTINCT rollout) AS n FROM signals WHERE label = 'IR' AND class = 'scored' GROUP BY code HAVING n >= $1 ORDER BY n DESC, code",
            (MIN_HITS,),
        ).rows
    ]
    scopes = [(POOLED, "label = 'IR'")] + [(code, f"code = {literal(code)}") for code in codes if len(codes) > 1]
    tests = [test for code, condition in scopes for test in _tests(run, code, condition)]
    if not tests:
        return []
    adjusted = holm([test.p for test in tests])
    found = [(test, float(p)) for test, p in zip(tests, adjusted, strict=True) if p <= SIGNIFICANT]
    found.sort(key=lambda each: (each[1], each[0].code != POOLED, each[0].by, each[0].value))
    return [_entry(test, p) for test, p in found]


def _tests(run: Run, code: str, condition: str) -> Iterator[_Test]:
    hits = f"rollout IN (SELECT rollout FROM signals WHERE class = 'scored' AND {condition})"
    total, count = run.query(f"SELECT count(*), count(*) FILTER ({hits}) FROM rollouts WHERE class = 'scored'").rows[0]
    if count < MIN_HITS or count == total:
        return
    for by, column in _columns(run):
        rows = run.query(f"""
            SELECT CAST({column} AS VARCHAR) AS value, count(*) AS n, count(*) FILTER ({hits}) AS hit FROM rollouts
            WHERE class = 'scored' AND {column} IS NOT NULL GROUP BY 1 ORDER BY hit DESC, value LIMIT {MOST_VALUES}""").rows
        known, all_hits = sum(row[1] for row in rows), sum(row[2] for row in rows)
        if len(rows) < 2 or len(rows) > known // 2:
            continue
        for value, n, hit in rows:
            if hit >= MIN_HITS and hit * (known - n) > (all_hits - hit) * n:
                p = fisher_greater(hit, n, all_hits - hit, known - n)
                yield _Test(code, by, redact(value), hit, n, all_hits - hit, known - n, p)
    yield from _in_time(run, code, hits)


def _columns(run: Run) -> list[tuple[str, str]]:
    names = [row[0] for row in run.query("DESCRIBE rollouts").rows]
    hosts = [name for name in names if _HOST.search(name) and name != "path"]
    return [("file", "path"), ("attempt", "attempt"), *(("host", identifier(name)) for name in hosts[:8])]


def _in_time(run: Run, code: str, hits: str) -> Iterator[_Test]:
    """The densest stretch of time; without times, of the rows in their order, which is said."""
    timed = run.db.execute(f"""
        SELECT created_at AS at, {hits} AS hit FROM rollouts WHERE class = 'scored' AND created_at IS NOT NULL ORDER BY created_at, path, line""").fetchnumpy()
    at, hit = np.asarray(timed["at"], dtype=np.float64), np.asarray(timed["hit"], dtype=np.bool_)
    if at.size > 2 * MIN_HITS and at[0] < at[-1]:
        window = densest_window(hit)
        first, last = float(at[window.start]), float(at[window.stop - 1])
        value = f"{_time(first)} to {_time(last)}"
        yield _window_test(code, "time", value, hit, window)
        return
    rows = run.db.execute(f"SELECT {hits} AS hit FROM rollouts WHERE class = 'scored' ORDER BY path, line").fetchnumpy()
    hit = np.asarray(rows["hit"], dtype=np.bool_)
    if hit.size > 2 * MIN_HITS:
        window = densest_window(hit)
        yield _window_test(code, "order", f"rows {window.start + 1} to {window.stop}", hit, window)


@dataclass(frozen=True)
class Window:
    start: int
    stop: int
    p: float


def densest_window(hit: Bools) -> Window:
    """The stretch of neighbours with the most surprising number of hits, and how often a random order has one as surprising."""
    size = hit.size
    bins = min(MOST_BINS, max(2, size // 4))
    edges = np.linspace(0, size, bins + 1).astype(np.int64)
    sizes = np.diff(edges)
    counts = np.add.reduceat(hit.astype(np.int64), edges[:-1])
    total = int(counts.sum())
    best, start, width = _scan(counts[None, :], sizes, total)
    draws = np.random.default_rng(SEED).multivariate_hypergeometric(sizes, total, size=DRAWS, method="marginals")
    random, _, _ = _scan(draws, sizes, total)
    p = (1 + int((random >= best[0] - 1e-12).sum())) / (1 + DRAWS)
    return Window(int(edges[start[0]]), int(edges[start[0] + width[0]]), p)


def _scan(
    counts: npt.NDArray[np.int64], sizes: npt.NDArray[np.int64], total: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """For each row of counts: the greatest standardised excess over windows of 1, 2, 4, … bins, with its start and width."""
    rows, bins = counts.shape
    size = int(sizes.sum())
    rate = total / size
    sums = np.concatenate([np.zeros((rows, 1), dtype=np.int64), np.cumsum(counts, axis=1)], axis=1)
    lengths = np.concatenate([[0], np.cumsum(sizes)])
    best = np.full(rows, -np.inf)
    start, chosen = np.zeros(rows, dtype=np.int64), np.ones(rows, dtype=np.int64)
    width = 1
    while width <= bins // 2:
        inside, long = sums[:, width:] - sums[:, :-width], lengths[width:] - lengths[:-width]
        spread = np.sqrt(rate * (1 - rate) * long * (size - long) / max(size - 1, 1))
        excess = (inside - rate * long) / np.maximum(spread, 1e-9)
        where = np.argmax(excess, axis=1)
        value = excess[np.arange(rows), where]
        better = value > best
        best, start, chosen = np.where(better, value, best), np.where(better, where, start), np.where(better, width, chosen)
        width *= 2
    return best, start, chosen


def _window_test(code: str, by: str, value: str, hit: Bools, window: Window) -> _Test:
    inside, of = int(hit[window.start : window.stop].sum()), window.stop - window.start
    return _Test(code, by, value, inside, of, int(hit.sum()) - inside, int(hit.size) - of, window.p)


def _time(seconds: float) -> str:
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (OverflowError, OSError, ValueError):
        return f"{seconds:g}"


def _entry(test: _Test, p: float) -> dict[str, Any]:
    where = {"time": "from", "order": "in", "file": "in the file", "host": "on", "attempt": "in attempt"}[test.by]
    what = "infrastructure failures" if test.code == POOLED else test.code
    message = f"{what} {where} {test.value}: {test.hit:,} of {test.of:,} rollouts, elsewhere {test.rest_hit:,} of {test.rest_of:,} (adjusted p = {p:.2g})"
    return {
        "code": test.code,
        "by": test.by,
        "value": test.value,
        "hit": test.hit,
        "of": test.of,
        "rest_hit": test.rest_hit,
        "rest_of": test.rest_of,
        "p_adjusted": p,
        "message": message,
    }
