"""Scripted environments with planted faults: what a diagnosis is shown, and what it is measured against.

`example` (with `desk`, `tasks`, `behaviours`, `rows`) writes the example run of the guide. For the self-test, `environments` hold worlds,
tasks and verifiers, `stage` plays scripts in them, `faults` say what can be planted, `plan` and `cases` make runs of it, `judging`,
`scoring` and `calibration` hold a diagnosis against the truth, and `selftest` does all that many times. `transplant` plants into copies
of anyone's run; `seeds_run` is the run with the seeds' two findings.
"""
