"""Which step of one failed rollout decided the failure, and whose it was, when there is no sibling to hold it against."""

from blade.diagnosis.decisive.ranking import Candidate, decisive_agent, decisive_steps, decisive_window

__all__ = ["Candidate", "decisive_agent", "decisive_steps", "decisive_window"]
