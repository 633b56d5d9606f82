"""Two runs side by side: what differs between them, how the score change splits into parts, and whether it is real.

`rules` holds the rules of the verdict, `verdict` puts it into words, `paired_tests` has the figures; all are about the tasks that the two
runs have in common. The statistics themselves live in `blade.stats`.
"""
