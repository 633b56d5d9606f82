"""What a user may say about a benchmark so that its rows are read right; it travels with the extractors into worker processes."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    """`expected_fields`: where the rows hold the expected calls (`verifier.calls`, a path of keys), tried before the usual places.

    `mutations`: tools whose kind is known, as (name, `read` | `change` | `unknown`); this outweighs every clue.
    """

    expected_fields: tuple[str, ...] = ()
    mutations: tuple[tuple[str, str], ...] = ()

    @property
    def version(self) -> str:
        """One text for equal options: part of what an index was built with."""
        return repr((self.expected_fields, self.mutations)) if self.expected_fields or self.mutations else ""


USUAL = Options()
"""Nothing said: everything is found by its shape."""
