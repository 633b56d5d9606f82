"""A diagnosis as something to read: Markdown with the eleven sections of a BLADE report."""
