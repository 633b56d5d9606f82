"""Reading reports that others wrote: what they say is extracted from the Markdown, bound to facts of the runs, and checked.

The way of a report through this room: `markdown` makes a document of passages and tables; the extractors (`numbers`, `fractions`,
`references`, `quotes`, `labels`, `metrics`, `entities`), one concept each, find what is said, as pure functions over text; `facts`
and `transcripts` hold what the runs say; the checks (`checks/`) bind the one to the other, or the report to itself, and enter what
they find into the `tally`. What nothing can be held against stays `not_checkable`, and is never counted as true.
"""
