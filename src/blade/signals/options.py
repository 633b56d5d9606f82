"""What a user may say about a benchmark so that its rows are read right; it travels with the extractors into worker processes."""

from dataclasses import dataclass

from blade.signals.layout.shape import NOTHING, Layout


@dataclass(frozen=True)
class Options:
    """`expected_fields`: where the rows hold the expected calls (`verifier.calls`, a path of keys), tried before the usual places.

    `answer_fields`, `extracted_fields`: likewise for the expected answer and for what the verifier took for the answer.
    `mutations`: tools whose kind is known, as (name, `read` | `change` | `unknown`); this outweighs every clue.
    `layout` is what nobody said and the run itself shows (`blade.signals.layout`); it is asked last.
    """

    expected_fields: tuple[str, ...] = ()
    answer_fields: tuple[str, ...] = ()
    extracted_fields: tuple[str, ...] = ()
    mutations: tuple[tuple[str, str], ...] = ()
    layout: Layout = NOTHING

    @property
    def version(self) -> str:
        """One text for equal options: part of what an index was built with."""
        said = (self.expected_fields, self.answer_fields, self.extracted_fields, self.mutations)
        learned = self.layout.as_text() if self.layout.found else ""
        return (repr(said) if any(said) else "") + learned


USUAL = Options()
"""Nothing said: everything is found by its shape."""
