"""A Run: what an evaluation left on disk, as facts that can be queried and trajectories that can be read.

The way data takes: `artifacts` finds the files, `sources` gives their bytes (compressed ones through `spool`), `lines` cuts
byte ranges into lines, `rows` decodes one line, `scan` turns a range into columns, `identity`, `settle` and `plan` decide
what each row is, `index` keeps the tables, and `run` is what everyone else holds.
"""
