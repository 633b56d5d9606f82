"""Two runs side by side: what differs between them, how the score change splits into parts, and whether it is real.

`verdict` holds the rules of the verdict, `paired_tests` the figures they are held against; both are about the tasks that the two
runs have in common. The statistics themselves live in `blade.stats`.
"""
