"""Runs: from a request to rollouts on disk, and from stored rollouts to new grades.

Rooms: `request` (what is asked for), `expansion` and `prompts` (the plan), `manifest` (where the numbers come from), `durable` (files
that survive), `standing` (what is done and what was tried), `schedule` (rollouts under way), `tally` (for those who watch), `run`
(all of it in order), `reverify` (grading again), `prepare` (a benchmark's data), `hooks` (an environment's own figures, offline).
"""
