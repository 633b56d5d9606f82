"""Why a model gave no usable answer.

The categories are those that the format of model-call captures uses, so that a failure means the same wherever it is counted. A
`ModelError` is what is left after the retries: it ends one model call, never a run, and it carries what each try met.
"""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

Category = Literal[
    "timeout", "rate_limit", "auth", "not_found", "client_error", "upstream_error", "connection", "exception", "incomplete"
]

_OF_STATUS: Final[dict[int, Category]] = {
    401: "auth",
    403: "auth",
    404: "not_found",
    408: "timeout",
    429: "rate_limit",
    504: "timeout",
}


class Try(NamedTuple):
    """One request to an endpoint: what it met (`None`: an answer), the HTTP status if there was one, and how long it took."""

    category: Category | None
    status: int | None
    seconds: float


class ModelError(Exception):
    """A model call without a usable answer. `status` is the HTTP status of the last try, `None` when none came back."""

    def __init__(self, category: Category, status: int | None, message: str, tries: Sequence[Try] = ()) -> None:
        super().__init__(category, status, message, tuple(tries))  # the arguments themselves: this is what pickling calls again
        self.category = category
        self.status = status
        self.message = message
        self.tries = tuple(tries)

    def __str__(self) -> str:
        return self.message


def category_of_status(status: int) -> Category:
    """The category of an answer that is an HTTP error (or a redirect, which is a wrong address)."""
    if status in _OF_STATUS:
        return _OF_STATUS[status]
    return "upstream_error" if status >= 500 else "client_error"
