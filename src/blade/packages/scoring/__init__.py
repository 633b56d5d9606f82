"""How good a report is, truth first: what it states is held against the run, the golden report and its anchor facts.

The way of a report through this room: `sentences` cuts it into sentences with what each speaks of; `prose` says which of them read as
language; `polarity` says what is denied; `stated` makes small statements of them (who, what, which value), which do not depend on the
wording; `restating` finds sentences that follow one of the golden report and differ in what matters. `anchored`, `diagnoses`, `claims`
and `structure` are the parts of a score, and `score` puts them together. Nothing here knows how the controls of a calibration are made.
"""
