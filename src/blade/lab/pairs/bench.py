"""A bench: a world with its first run, from which all pairs of the world are made.

Half of the worlds are `told`: a manifest beside every run states all that a comparison asks for, so a single change may be blamed.
In the others only the rows speak, and what they do not tell (the verifier) stays unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from blade.lab.pairs.files import RunFiles, manifest
from blade.lab.pairs.world import REPEATS, Plan, Rollout, World
from blade.lab.stage.play import OUTPUT_LIMIT
from blade.lab.stage.rows import Setting
from blade.lab.stage.script import Row

VERIFIER: Final = "checks:1"


@dataclass(frozen=True)
class Bench:
    """The first run is made once, whatever is planted beside it."""

    world: World

    @property
    def told(self) -> bool:
        return self.world.seed % 2 == 0

    @property
    def setting(self) -> Setting:
        return self.world.place.setting

    @cached_property
    def plan(self) -> Plan:
        return self.world.plan("a")

    @cached_property
    def rollouts(self) -> list[Rollout]:
        return self.world.run(self.plan, "a")

    @cached_property
    def rows(self) -> list[Row]:
        return self.world.rows(self.rollouts, "a")

    def manifest(
        self, setting: Setting | None = None, *, verifier: str = VERIFIER, tokens: int = OUTPUT_LIMIT, prompt: str = "v1",
        dataset: str = "d1",
    ) -> Row | None:  # fmt: skip
        """What stands beside a run of a told world."""
        if not self.told:
            return None
        return manifest(setting or self.setting, verifier, tokens=tokens, repeats=REPEATS, prompt=prompt, dataset=dataset)

    @cached_property
    def a(self) -> RunFiles:
        return RunFiles(self.rows, self.manifest())

    def single(self, changes: int) -> bool | None:
        return changes == 1 if self.told else None
