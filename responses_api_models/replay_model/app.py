"""Recorded rollouts as a model: what was answered then is answered again, turn by turn."""

import time
from typing import Any

from blade.gym.models import shape
from blade.gym.models.errors import ModelError
from blade.gym.models.prompts import rollout_name, seed
from blade.gym.models.recordings import Recordings
from blade.gym.servers import Calls, ModelServer, Settings


class ReplaySettings(Settings):
    rollouts_jsonl_fpath: str


class ReplayModel(ModelServer):
    Settings = ReplaySettings

    def __init__(self, name: str, settings: ReplaySettings, calls: Calls) -> None:
        super().__init__(name, settings, calls)
        self.settings: ReplaySettings = settings
        self._recordings: Recordings | None = None

    async def start(self) -> None:
        self._recordings = Recordings.read(self.settings.rollouts_jsonl_fpath)

    async def stop(self) -> None:
        if self._recordings is not None:
            self._recordings.close()

    async def responses(self, params: dict[str, Any]) -> dict[str, Any]:
        if self._recordings is None:
            await self.start()
        assert self._recordings is not None
        turn = self._recordings.next_turn(params, name=rollout_name(params), repeat=seed(params))
        if turn is None:
            raise ModelError("not_found", None, self._recordings.why_not(params))
        recorded = turn.response
        ended = {key: recorded[key] for key in ("status", "incomplete_details", "error") if key in recorded} if turn.last else {}
        answer = {"id": recorded.get("id"), "created_at": time.time(), "model": recorded.get("model"), "output": turn.items}
        return shape.whole(answer | {"status": "completed", "usage": turn.usage} | ended, params)
