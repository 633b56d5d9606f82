"""Are the labels right: a label against its gloss, a task's cause against the diagnosis, a bucket against the outcomes, one place against another?

A diagnosis is an opinion too. A label is called wrong against it only where it is sure and the label is not the alternative that it
names itself; that a report gives one task two causes is found without it.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from blade.claims.reading.counts import CLAUSE_END, in_doubt
from blade.claims.reading.document import Passage, Span, leading_up
from blade.claims.reading.entities import is_task_head
from blade.claims.reading.facts import named
from blade.claims.reading.labels import Label, buckets, labels
from blade.claims.reading.reading import Read, Reading
from blade.claims.reading.references import Reference
from blade.claims.reading.scope import pair_of
from blade.claims.reading.tally import CONTRADICTS_ITSELF, UNCITED_DIAGNOSIS, WRONG_LABEL
from blade.signals.labels import LABELS

SURE = 0.9
"""Confidence of a diagnosis from which another label is called wrong."""
_LABEL = rf"(?:an?\s+)?[`*]*(?P<label>(?:{'|'.join(LABELS)})(?:\+(?:{'|'.join(LABELS)}))?)[`*]*(?:\s*\([^()]*\))?{CLAUSE_END}"
_LABELLED = re.compile(
    r"[`*]*(?:['’]s)?\s+(?:(?:is|was|has\s+been|gets|got)\s+(?:labelled|labeled|classified|diagnosed|tagged|marked|categorised|categorized|put\s+down)"
    r"(?:\s+(?:as|with|to|under))?|(?:(?:has|gets|got|carries)\s+(?:the\s+)?)?(?:root\s+|primary\s+)?(?:cause|label)(?:\s+(?:is|was)|:)?)\s+"
    + _LABEL
)
_CAUSE_OF = re.compile(r"\b(?:cause|label|diagnosis)\s+(?:of|for)\s+task\s+[#`*]*$", re.I)
_IS_LABEL = re.compile(rf"[`*]*\s*(?:is|was|:|=)\s*{_LABEL}")
_JOINT = re.compile(r"[`*]*\s*(?:,|,?\s*and|&)\s*(?:tasks?\s+)?[`*]*")
_UP_TO = re.compile(r"[`*]*\s*(?:(?:all|both|each|are|is|were)\s+){0,2}")
Given = tuple[str, Passage, Span, str]
"""Whose label, where, and which."""


def check_causes(reading: Reading) -> None:
    given = [*_in_sections(reading), *_in_sentences(reading), *_in_tables(reading)]
    for read in reading.everywhere():
        for one in read.labels:
            _gloss(reading, read, one)
    for subject, passage, span, label in given:
        if subject.startswith("task "):
            _against_diagnosis(reading, subject.removeprefix("task "), passage, span, label)
            if reading.tally.is_true(passage, span):
                _hold_named(reading, subject.removeprefix("task "), passage, span)
    _agree(reading, [*given, *_of_titles(reading)])
    _buckets(reading)
    _uncited(reading)


def _gloss(reading: Reading, read: Read, label: Label) -> None:
    if label.meant is not None:
        reading.tally.judge(
            label.meant == label.label,
            read.passage,
            label.span,
            CONTRADICTS_ITSELF,
            f"{label.meant} ({label.gloss})",
            found=f"{label.label} ({label.gloss})",
        )


def _in_sections(reading: Reading) -> Iterator[Given]:
    """`Cause KG` in the section of a task."""
    for read in reading.everywhere():
        task = reading.scopes.get(read.passage.number)
        if task is None or read.passage.kind in ("cell", "head"):
            continue
        primary = [label for label in read.labels if label.role == "primary"]
        for label in primary[:1]:
            yield f"task {task}", read.passage, label.span, label.label


def _in_sentences(reading: Reading) -> Iterator[Given]:
    """`Task 21 is labelled IR`, `the cause of task 21 is IR`, outside its own section."""
    for read in reading.everywhere():
        if read.passage.kind in ("cell", "head", "heading") or read.passage.number in reading.scopes:
            continue
        for one in read.tasks:
            sentence = read.passage.sentence_at(one.span.start)
            found = _LABELLED.match(read.text, one.span.end, sentence.end)
            if found is None and leading_up(_CAUSE_OF, read.text, one.span.start):
                found = _IS_LABEL.match(read.text, one.span.end, sentence.end)
            if found and not in_doubt(read.passage, sentence):
                yield f"task {one.name}", read.passage, Span(*found.span("label")), found["label"]


def _in_tables(reading: Reading) -> Iterator[Given]:
    """A row with a task and a label, or with a label and a list of tasks."""
    lists = {cell.number: cell for _, _, cell in reading.list_cells}
    for table in reading.report.tables:
        if any(re.search(r"alternative|second", head.text, re.I) for head in table.head):
            continue
        for row in table.rows:
            found = [
                (cell, label)
                for cell in row
                for label in labels(cell.text)
                if label.span.start <= 8 and label.span.end - label.span.start < 6
            ]
            listing = [cell for cell in row if cell.number in lists]
            if len(found) != 1 or len(listing) != 1:
                continue
            (cell, label), ids = found[0], reading.reads[listing[0].number].tasks
            alone = len(ids) == 1 and any(
                is_task_head(head.text) for head, one in zip(table.head, row, strict=False) if one is listing[0]
            )
            for one in ids:
                yield f"task {one.name}", (cell if alone else listing[0]), (label.span if alone else one.span), label.label


def _against_diagnosis(reading: Reading, task: str, passage: Passage, span: Span, label: str) -> None:
    causes = [one.cause for one in reading.facts.tasks(task) if one.cause is not None]
    said = set(label.split("+"))
    if any(said & set(cause.label.split("+")) for cause in causes):
        reading.tally.hold(passage, span)
    elif causes and all(
        cause.confidence >= SURE and cause.alternative not in said and cause.label != "unknown" for cause in causes
    ):
        expected = f"task {task}: {' or '.join(sorted({cause.label for cause in causes}))}"
        reading.tally.judge(False, passage, span, WRONG_LABEL, expected, found=f"task {task}: {label}")


def _hold_named(reading: Reading, task: str, passage: Passage, span: Span) -> None:
    """The task that a sentence names is named rightly where what the sentence says of it is right."""
    sentence = passage.sentence_at(span.start)
    for one in reading.reads[passage.number].tasks:
        if one.name == task and sentence.start <= one.span.start < sentence.end:
            reading.tally.hold(passage, one.span)


def _of_titles(reading: Reading) -> Iterator[Given]:
    """Labels of failure modes: `**Title** (KG)`, `M1 · Title · KG`, a row with a title and a label."""
    for read in reading.everywhere():
        if read.passage.kind in ("cell", "head") or read.passage.number in reading.scopes:
            continue
        title = read.passage.bold if read.passage.kind != "heading" else re.sub(r"^\s*(?:M?\d+\s*[·.:)]\s*)", "", read.text)
        for label in read.labels[:1]:
            plain = _title(title[: label.span.start] if read.passage.kind == "heading" else title)
            if len(plain) > 12 and label.role != "other":
                yield f"title {plain}", read.passage, label.span, label.label
    for table in reading.report.tables:
        for row in table.rows:
            found = [(cell, label) for cell in row for label in labels(cell.text) if cell.text.strip() == label.label]
            titles = [_title(cell.text) for cell in row if len(cell.text) > 12 and not reading.reads[cell.number].numbers]
            if len(found) == 1 and titles:
                yield f"title {titles[0]}", found[0][0], found[0][1].span, found[0][1].label


def _title(text: str) -> str:
    return named(re.split(r"\s[·|–—]\s", text.strip().rstrip(".:"))[0]).rstrip(" .:(·")


def _agree(reading: Reading, given: list[Given]) -> None:
    """One thing, one label: where a report gives several, the rarer one is named, and all of them where none is rarer."""
    by_subject: dict[tuple[str, str], list[Given]] = defaultdict(list)
    for one in given:
        by_subject[pair_of(one[1].section), one[0]].append(one)
    for (_, subject), several in by_subject.items():
        kinds = {one[3] for one in several}
        if len(kinds) < 2:
            continue
        times = {kind: sum(one[3] == kind for one in several) for kind in kinds}
        most = max(times.values())
        clear = sum(count == most for count in times.values()) == 1
        for _, passage, span, label in several:
            if not (clear and times[label] == most) and not any(
                set(label.split("+")) & set(other.split("+")) for other in kinds - {label}
            ):
                others = [f"line {one[1].line_at(one[2].start)}: {one[3]}" for one in several if one[3] != label]
                reading.tally.judge(
                    False,
                    passage,
                    span,
                    CONTRADICTS_ITSELF,
                    others[0].partition(": ")[2],
                    others[:5],
                    found=f"{subject}: {label}",
                )


def _buckets(reading: Reading) -> None:
    """Tasks under the name of a bucket: in a table's row, or in the sentence or heading that names both."""
    for table, row, cell in reading.list_cells:
        bucket = re.match(r"\s*\W*(always|sometimes|never)\b", row[0].text, re.I)
        column = next((head.text for head, one in zip(table.head, row, strict=False) if one is cell), "")
        if bucket and re.fullmatch(r"\s*(?:which|tasks?|task ids?|ids?|members|examples?)\s*", column, re.I):
            _in_bucket(reading, cell, bucket[1].lower())
    _rows(reading)
    for read in reading.everywhere():
        if read.passage.kind in ("cell", "head"):
            continue
        for span, bucket_name in _alone(read):
            sentence = read.passage.sentence_at(span.start)
            named_here = _named_together(read, sentence, span)
            if not any(label.role == "other" and sentence.overlaps(label.span) for label in read.labels):
                for one in named_here:
                    _one_bucket(reading, read.passage, span if len(named_here) == 1 else one.span, one.name, bucket_name)
                if len(named_here) == 1 and reading.tally.is_true(read.passage, span):
                    _hold_named(reading, named_here[0].name, read.passage, span)


def _alone(read: Read) -> Iterator[tuple[Span, str]]:
    """The buckets that are the only one in their sentence: what a sentence with several says of which is left open."""
    found = list(buckets(read.text))
    sentences = [read.passage.sentence_at(span.start) for span, _ in found]
    yield from (one for one, sentence in zip(found, sentences, strict=True) if sentences.count(sentence) == 1)


def _named_together(read: Read, sentence: Span, bucket: Span) -> list[Reference]:
    """The task that a sentence names, or the tasks that it lists right before the bucket (`tasks 3, 5 and 7 never pass`)."""
    named_here = [one for one in read.tasks if sentence.start <= one.span.start < sentence.end]
    if len(named_here) < 2:
        return named_here
    between = [read.text[one.span.end : other.span.start] for one, other in pairwise(named_here)]
    listed = all(_JOINT.fullmatch(text) for text in between)
    return named_here if listed and _UP_TO.fullmatch(read.text, named_here[-1].span.end, bucket.start) else []


def _rows(reading: Reading) -> None:
    """A row of one task that gives its bucket."""
    for table in reading.report.tables:
        for row in table.rows:
            tasks = [
                one
                for head, cell in zip(table.head, row, strict=False)
                if is_task_head(head.text)
                for one in reading.reads[cell.number].tasks
            ]
            for cell in row:
                found = re.fullmatch(r"\W*(always|sometimes|never)(?:[- ]pass(?:es|ing)?)?\W*", cell.text, re.I)
                if found and len(tasks) == 1:
                    _one_bucket(reading, cell, Span(*found.span(1)), tasks[0].name, found[1].lower())


def _in_bucket(reading: Reading, cell: Passage, bucket: str) -> None:
    for one in reading.reads[cell.number].tasks:
        found = {task.bucket for task in reading.facts.tasks(one.name)} - {None}
        if found:
            expected = f"task {one.name} is {' or '.join(sorted(str(name) for name in found))}-pass"
            reading.tally.judge(bucket in found, cell, one.span, WRONG_LABEL, expected, found=f"task {one.name} under {bucket}")


def _one_bucket(reading: Reading, passage: Passage, span: Span, task: str, bucket: str) -> None:
    found = {one.bucket for one in reading.facts.tasks(task)} - {None}
    if found:
        expected = f"task {task} is {' or '.join(sorted(str(name) for name in found))}-pass"
        reading.tally.judge(bucket in found, passage, span, WRONG_LABEL, expected, found=f"task {task} {bucket}-pass")


def _uncited(reading: Reading) -> None:
    """A task's own section that gives it a cause and shows nothing: no rollout, step, quotation, or name of a call or field."""
    sections: dict[str, list[Read]] = defaultdict(list)
    for read in reading.everywhere():
        if (task := reading.scopes.get(read.passage.number)) is not None and read.passage.kind not in ("cell", "head"):
            sections[task].append(read)
    for task, reads in sections.items():
        primary = [(read, label) for read in reads for label in read.labels if label.role == "primary"]
        shown = any(read.rollouts or read.steps or read.quotes or read.code or read.passage.kind == "quote" for read in reads)
        if primary and not shown:
            read, label = primary[0]
            reading.tally.judge(
                False, read.passage, label.span, UNCITED_DIAGNOSIS, f"evidence for the cause of task {task}", found=label.label
            )
