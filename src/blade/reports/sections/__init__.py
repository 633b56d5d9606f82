"""The eleven sections of the report, each a function from the document to Markdown blocks."""
