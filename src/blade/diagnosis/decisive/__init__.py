"""Which step of one failed rollout decided the failure, and whose it was, when there is no sibling to hold it against."""

from blade.diagnosis.decisive.ranking import NOTHING_SPEAKS, Candidate, decisive_agent, decisive_steps, decisive_window

__all__ = ["NOTHING_SPEAKS", "Candidate", "decisive_agent", "decisive_steps", "decisive_window"]
