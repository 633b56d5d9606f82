"""Planted pairs: two runs whose difference has one known reason, made in the lab's environments, compared and scored.

- `world`    the tasks of a benchmark, how well a system does on each, and runs of that system;
- `files`    a run as the evaluation loop leaves it: rows, sidecars, manifest;
- `limits`   rollouts cut off at a limit on tokens;
- `bench`    a world with its first run, which all its pairs share;
- `truth`    what a comparison of a pair has to say;
- `planted`  the reasons themselves, one function each;
- `marking`  a comparison held against the truth;
- `exam`     pairs made, compared as the command does it, and marked.

The runs of a pair share their rollouts wherever the reason leaves them alone, so what it does to the score is known to the digit.
"""
