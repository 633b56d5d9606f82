"""An office assistant with a mailbox, a calendar, site analytics, project boards and a customer database: 27 tools, graded by the state they leave.

The tools are in `tools/`, the databases in `state.py`, the comparison in `replay.py`; `generate.py` makes the data and the tasks.
"""

from collections import Counter
from math import isfinite
from statistics import fmean
from typing import Any

from blade.gym.servers import ResourcesServer
from blade.gym.servers.tools import checked, tools_of

from .replay import Replay, differing, net_changes, predicted_calls, replay, told
from .state import Workplace
from .tools.analytics import AnalyticsTools
from .tools.calendar import CalendarTools
from .tools.customers import CustomerTools
from .tools.directory import DirectoryTools
from .tools.email import EmailTools
from .tools.projects import ProjectTools

MOST_DIFFERENCES = 10
Row = dict[str, Any]


class WorkplaceAssistant(CustomerTools, ProjectTools, AnalyticsTools, CalendarTools, EmailTools, DirectoryTools, ResourcesServer):
    """Tools are offered with parents last first: the directory, then email, and so on."""

    reverify_mode = "stateless"

    def seed_session(self, row: Row) -> Workplace:
        return Workplace()

    def use(self, state: Workplace, name: str, arguments: Row) -> Any:
        """Run a tool as the server would: arguments checked first, an unknown tool is a KeyError."""
        method = tools_of(type(self))[name]
        return method(self, state, **checked(method, arguments))

    def verify(self, state: Any, row: Row, response: Row) -> Row:
        """1.0 when the predicted calls leave the five databases as the expected calls do.

        `missing_calls` and `extra_calls` compare what single calls did: expected effects that no call had, and effects that were not
        expected (also those taken back later). `failed_calls` could not run at all.
        """
        done = replay(self.use, predicted_calls(response))
        wanted = self._expected(row)
        found, expected = net_changes(done.workplace), net_changes(wanted.workplace)
        differ = differing(found, expected)
        did, should = Counter(done.workplace.effects), Counter(wanted.workplace.effects)
        differences = told(found, expected)
        return {
            "reward": 0.0 if differ else 1.0,
            "tables_differ": differ,
            "missing_calls": (should - did).total(),
            "extra_calls": (did - should).total(),
            "failed_calls": len(done.failed),
            "differences": differences[:MOST_DIFFERENCES],
            "differences_in_all": len(differences),
        }

    def _expected(self, row: Row) -> Replay:
        """The databases as they should be; a task that cannot be graded is an error and not a verdict."""
        calls = row.get("ground_truth")
        if not isinstance(calls, list):
            raise ValueError("the row has no ground_truth, a list of expected calls; verify rows that carry it")
        wanted = replay(self.use, calls)
        if wanted.failed:
            raise ValueError(f"an expected call cannot run, so the task is of other data or broken: {wanted.failed[0]}")
        return wanted

    def compute_metrics(self, tasks: list[list[Row]]) -> Row:
        """The pass rate of each category in percent: the mean over its tasks of the share of rollouts that passed."""
        by_category: dict[str, list[float]] = {}
        for rollouts in tasks:
            rewards = [
                float(row["reward"]) for row in rollouts if isinstance(row.get("reward"), int | float) and isfinite(row["reward"])
            ]
            category = next((row["category"] for row in rollouts if row.get("category")), None)
            if rewards and category:
                by_category.setdefault(str(category), []).append(fmean(rewards))
        return {f"{category}/pass_rate": 100.0 * fmean(rates) for category, rates in sorted(by_category.items())}

    def get_key_metrics(self, agent_metrics: Row) -> Row:
        """The reward, and the pass rate of each category."""
        return {name: value for name, value in agent_metrics.items() if name == "mean/reward" or name.endswith("/pass_rate")}
