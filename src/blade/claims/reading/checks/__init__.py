"""The checks: each holds one kind of statement against the runs, or against the rest of the report, and enters it into the tally.

A check is a function of a `Reading`. It says `hold` where a statement came out right, `judge` where it decided, and nothing where it
could not decide: a statement is only called wrong where its words leave no other reading.
"""
