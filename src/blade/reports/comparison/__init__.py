"""A comparison made readable: the Markdown report, the screen, the step summary of a CI job, JUnit.

Everything here is a pure function from the comparison document (`blade.comparison/1`) to text or to plain data. Numbers are printed as
the document has them. "Because of" is said only by the document's own sentence, which says it only where the cause can be assigned.
"""
