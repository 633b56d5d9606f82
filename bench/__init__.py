"""Benchmarks that print ratios, not seconds: `make bench`, or `python -m bench.run`."""
