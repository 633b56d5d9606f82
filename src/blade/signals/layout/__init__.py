"""The layout of a run: where its rows keep the gold, what was read, the options, the expected calls and the checks, learned by behaviour.

Names and shapes find these in most rows (`expectation`, `answer_rows`, `checks`, `choices`); here is what is done where they do not.
Before the scan, the first rows of the run are read (`learn`), and a field is known by how it behaves over tasks and repeats, not by what
it is called: gold is the same in all repeats and equals what passing rollouts answer (`gold`), what a verifier read varies with the
message and decides the reward (`taken`), expected calls are what passing rollouts do (`actions`), checks are what all hold where it passes
(`verdicts`), options are texts of the prompt one of which the gold names (`choice_lists`), and a tool of which nobody knows is judged by
its answers (`tool_kinds`). What was learned (`shape.Layout`) travels with the options of the extractors, is used where names found
nothing (`reading`), and is told in the diagnosis with the tasks that support it.

Learning is conservative, because a wrong gold would accuse a verifier: at least `support.MIN_TASKS` tasks, `support.AGREEING` of those
that could contradict, and less than `support.CHANCE` that so many agree by chance.
"""
