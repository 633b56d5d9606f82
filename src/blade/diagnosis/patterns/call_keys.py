"""The calls of a run with keys in the place of their texts: for questions whether two calls, or two answers, are the same.

Arguments and outputs are most of what a run has, and a window or a group over them takes all of it through memory. Over keys of 64 bits it
takes next to nothing, and the few texts that an answer needs are fetched afterwards by their place.
"""

from typing import Final

from blade.runs.run import Run

SHORT: Final = 30
"""Characters up to which an answer is a word or two, or the beginning of one that broke off."""
BEGINS: Final = r'^\s*(?:\{\s*"|\[\s*\{\s*"|\[\s*")'
CLOSES: Final = r"[\]}]\s*$"
"""How data in JSON begins and ends."""
_KEYED: Final = f"""
CREATE TEMP TABLE IF NOT EXISTS call_keys AS
SELECT task, rollout, step, name, coalesce(mutation <> 'read', false) AND error_class IS NULL AS done, error_class IS NULL AS succeeded,
       hash(arguments) AS arguments, CASE WHEN output IS NOT NULL THEN hash(output) END AS output,
       length(output) AS length, length(output) < {SHORT} AND regexp_matches(output, '{BEGINS}') AND NOT regexp_matches(output, '{CLOSES}') AS begun,
       (hash(name, arguments) % 1000000007)::BIGINT AS made,
       CASE WHEN succeeded THEN ('0x' || left(md5(concat_ws('|', task, name, arguments, output)), 16))::UBIGINT END AS place
FROM calls WHERE class = 'scored' AND name <> ''
"""
"""Whether a call may have changed something is `done`; `begun` tells of few characters of data that end before it is closed, `made` stands for the call in a sum of what was done so far, `place` for its place in an order that has nothing to do with it."""
SAME_CALL: Final = """c.class = 'scored' AND c.rollout = k.rollout AND c.step = k.step AND c.name = k.name
    AND hash(c.arguments) = k.arguments AND hash(c.output) = k.output"""
"""Whether a row `k` of keys is that of the call `c`."""


def key_calls(run: Run) -> None:
    """Make the table `call_keys` on this connection, where it is not there."""
    run.db.execute(_KEYED)
