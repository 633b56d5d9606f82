"""The negative control: it looks like a report, with the headings and the tables of figures, and diagnoses nothing.

Tables stay that only count: no cell names a rollout, quotes or gives a cause. Each heading gets a sentence that could stand in any
report, so that what is missing is the diagnosis and not the form.
"""

import re

from blade.packages.controls.lines import Line, joined, lines

_EVIDENCE = re.compile(
    r"\b[\w./-]+:\d+\b|[“”]|\b(?:KG|UK|BI|TI|IR|DA)\b|\bstep\s+\d+|\b(?:cause|why|fix|evidence|recommend\w*|mode)\b", re.I
)
_DIVES = re.compile(r"deep dive|failure mode|recommend|intervention|root cause|claims", re.I)
_FILL = (
    (re.compile(r"summary", re.I), "This report gives the results of the run. The figures are in the tables below."),
    (re.compile(r"artifact|inventory", re.I), "The artifacts of the run were read."),
    (re.compile(r"aggregate|result|metric", re.I), "The following table lists the metrics of the run."),
    (re.compile(r"funnel", re.I), "The table shows how many rollouts reached each stage."),
    (re.compile(r"bucket|outcome", re.I), "Tasks are grouped by how often they passed."),
    (re.compile(r"failure|mode", re.I), "Some rollouts failed for different reasons."),
    (re.compile(r"sometimes", re.I), "Some tasks passed in some of their repeats and failed in others."),
    (re.compile(r"never", re.I), "Some tasks did not pass in any repeat."),
    (re.compile(r"compar|cross", re.I), "The run can be compared with other runs."),
    (re.compile(r"recommend|intervention", re.I), "The model and the environment could be improved."),
    (re.compile(r"reproduc", re.I), "The figures were computed from the rollout files."),
)


def shallow(text: str) -> str:
    """The shallow baseline of a golden report."""
    out: list[str] = []
    table: list[Line] = []
    diving = False
    for line in [*lines(text), Line("", "blank")]:
        if line.kind in ("table", "rule"):
            table.append(line)
            continue
        if table and not diving and not any(_EVIDENCE.search(row.text) for row in table if row.kind == "table"):
            out += ["", *(row.text for row in table), ""]
        table = []
        if line.kind == "heading" and line.level <= 2:
            diving = bool(_DIVES.search(line.text))
            out += [line.text, ""]
            out += [sentence for pattern, sentence in _FILL if line.level == 2 and pattern.search(line.text)][:1]
            out.append("")
    return re.sub(r"\n{3,}", "\n\n", joined(out))
