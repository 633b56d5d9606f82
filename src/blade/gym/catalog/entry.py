"""One line of the catalog, and what it says of itself."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

EntryType = Literal["benchmarks", "environments", "agents", "models", "resources-servers"]
TYPES: tuple[EntryType, ...] = ("benchmarks", "environments", "agents", "models", "resources-servers")
BROKEN = "broken"
WITHOUT_MANIFEST = "no-manifest"
EXPERIMENTAL = "experimental"


@dataclass(frozen=True)
class Entry:
    """`fields` are the keys of the listing's JSON beside the name; `details` are labels and texts for whoever looks closer."""

    name: str
    type: str
    """benchmark, environment, agent, model or resources server"""
    path: Path
    fields: dict[str, Any] = field(default_factory=dict)
    details: dict[str, str] = field(default_factory=dict)
    usage: str = ""
    reason: str | None = None
    """Why it is broken, where it is."""

    @property
    def domain(self) -> str | None:
        return self.fields.get("domain")

    @property
    def description(self) -> str | None:
        return self.fields.get("description")

    def listed(self) -> dict[str, Any]:
        """The object in a listing."""
        return {"name": self.name} | self.fields | ({"reason": self.reason} if self.reason else {})

    def inspected(self) -> dict[str, Any]:
        """The object of one entry alone."""
        details = {label: text for label, text in self.details.items() if text}
        return {
            "name": self.name,
            "type": self.type,
            "domain": self.domain,
            "description": self.description,
            "details": details | ({"broken": self.reason} if self.reason else {}),
            "usage_example": self.usage,
        }
