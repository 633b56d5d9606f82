"""Anchor facts: what a report as good as the golden one must have found, with the numbers, ids and evidence kept.

`anchor` is the fact and its file, `ranking` chooses facts from a golden report by how much they need reading the data, `checks` makes
each one executable, over the run's tables (`query`) or its transcripts (`read`), `said` holds a fact's own words against its checks.
"""
