"""Which booked rows are set aside, told from the tables and never from the reward.

*Infrastructure* has to have ended the rollout. A failure on the row itself (its error, its judge) did, and so did one after which the
assistant neither said nor called anything. Where it went on, calls decide: the rollout's last calls all failed by infrastructure, and it
shows that there was no way on (it had tried again, no call had ever worked, or it said that it gave up). A call failed if the failure is
all that came back, or if a line of it came back each time that the very same call was made. A hiccup after which some call worked was
recovered from. Handing the case over is no work.

*Truncation* is a limit that was reached: of the output, of the context or of the steps. A limit that the rollout came up against and
then went on from is none, and one that ends a rollout just after a single failure is the limit's doing.
"""

from typing import Final

LIMITS: Final = ("output_truncated", "context_overflow", "steps_exhausted")
"""Signals that tell of a limit."""
GIVEN_UP: Final = ("gave_up", "handed_over")
"""Signals that tell of somebody who saw no way on."""
FILTERED: Final = "content_filter"
"""The one way to be incomplete that is no limit."""

SET_ASIDE: Final = f"""
WITH
booked AS (SELECT rollout, incomplete FROM rollouts WHERE class = 'scored'),
last_acts AS (SELECT rollout, coalesce(last_act, -1) AS last_act FROM outputs WHERE class = 'scored'),
told AS (SELECT rollout, code, label, step FROM signals WHERE class = 'scored'),
limited AS (
    SELECT rollout FROM booked WHERE incomplete IS NOT NULL AND incomplete <> '{FILTERED}'
    UNION SELECT rollout FROM told JOIN last_acts USING (rollout) WHERE code IN {LIMITS} AND (step IS NULL OR step >= last_act)),
failures AS (SELECT rollout, code, step FROM told WHERE label = 'IR'),
answered AS (
    SELECT rollout, step, output_step, error_class, coalesce(name, '') || ' ' || coalesce(arguments, '') AS made
    FROM calls WHERE class = 'scored' AND output_step IS NOT NULL AND rollout IN (SELECT rollout FROM failures)
      AND (rollout, step) NOT IN (SELECT (rollout, step) FROM told WHERE code = 'handed_over' AND step IS NOT NULL)),
struck AS (
    SELECT *, EXISTS (SELECT 1 FROM failures AS f WHERE f.rollout = a.rollout AND (f.step = a.output_step OR f.code = a.error_class)) AS hit
    FROM answered AS a),
worked AS (
    SELECT rollout, step, hit AND (error_class IS NOT NULL OR count(*) FILTER (hit) OVER (PARTITION BY rollout, made) > 1) AS failed
    FROM struck),
last_success AS (SELECT rollout, max(step) FILTER (NOT failed) AS step FROM worked GROUP BY rollout),
last_failures AS (
    SELECT w.rollout, count(*) AS calls, bool_and(s.step IS NULL) AS none_worked FROM worked AS w JOIN last_success AS s USING (rollout)
    WHERE w.step > coalesce(s.step, -1) GROUP BY w.rollout),
ended AS (
    SELECT rollout FROM failures WHERE step IS NULL
    UNION SELECT rollout FROM failures JOIN last_acts USING (rollout)
        WHERE step >= last_act AND rollout NOT IN (SELECT rollout FROM limited)
    UNION SELECT rollout FROM last_failures
        WHERE calls > 1 OR none_worked OR rollout IN (SELECT rollout FROM told WHERE code IN {GIVEN_UP}))
SELECT rollout, rollout IN (SELECT rollout FROM ended) AS infrastructure, rollout IN (SELECT rollout FROM limited) AS truncation
FROM booked
"""
"""A row per booked rollout with the two flags; over the tables of a run that was opened with the diagnosis' extractors."""
