"""Documents made readable: the Markdown report, one task's deep dive, and the summary that fits a screen.

Everything here is a pure function from the diagnosis document (`blade.diagnosis/1`) to text. Numbers are printed as the document
has them; nothing is computed a second time in another way. Words of rollouts pass through `wording` on their way in.
"""
