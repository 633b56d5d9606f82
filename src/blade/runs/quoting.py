"""What stands in SQL that we write: texts and names, whatever characters they are made of."""

from pathlib import Path


def literal(text: str | Path) -> str:
    """A text (or a path) as an SQL string."""
    return "'" + str(text).replace("'", "''") + "'"


def identifier(name: str) -> str:
    """A name of a column or table as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'
