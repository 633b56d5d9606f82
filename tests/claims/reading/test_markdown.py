"""A report as a document: passages with their lines and headings, tables with their headers."""

from blade.claims.reading.labels import labels
from blade.claims.reading.markdown import read_report

TEXT = """# Title

Some words
over *two* lines with `code_name` and \\[brackets\\].

## Second

- an item
- **Bold lead.** more

> quoted words

| a | b |
|---|--:|
| x \\| y | 1 |
| z | 2 |

```
pass@1 is 99 %
```

Setext
------
last
"""


def test_passages_have_their_lines_and_sections() -> None:
    report = read_report(TEXT)
    told = [(passage.kind, passage.line, passage.text) for passage in report.passages]
    assert told == [
        ("heading", 1, "Title"),
        ("text", 3, "Some words\nover two lines with `code_name` and [brackets]."),
        ("heading", 6, "Second"),
        ("item", 8, "an item"),
        ("item", 9, "Bold lead. more"),
        ("quote", 11, "quoted words"),
        ("head", 13, "a"),
        ("head", 13, "b"),
        ("cell", 15, "x | y"),
        ("cell", 15, "1"),
        ("cell", 16, "z"),
        ("cell", 16, "2"),
        ("heading", 22, "Setext"),
        ("text", 24, "last"),
    ]
    assert report.passages[1].line_at(report.passages[1].text.index("two")) == 4
    assert report.passages[4].bold == "Bold lead."
    assert report.passages[3].section == ("Title", "Second")


def test_tables_bind_cells_to_headers() -> None:
    [table] = read_report(TEXT).tables
    assert [head.text for head in table.head] == ["a", "b"]
    assert [[cell.text for cell in row] for row in table.rows] == [["x | y", "1"], ["z", "2"]]


def test_sentences_end_where_a_reader_ends_them() -> None:
    [passage] = read_report("The score is 59.4 %. It e.g. covers `a.b` and v1.2 too; 90 passed. pass@1 is low.").passages
    told = [passage.text[span.start : span.end].strip() for span in passage.sentences]
    assert told == ["The score is 59.4 %.", "It e.g. covers `a.b` and v1.2 too;", "90 passed.", "pass@1 is low."]


def test_labels_with_their_roles() -> None:
    text = "Cause KG (knowledge gap). The alternative: BI (behaviour). Nothing was not looked up (IR). DATA and KGB are none."
    assert [(label.label, label.role) for label in labels(text)] == [("KG", "primary"), ("BI", "other"), ("IR", "primary")]
