"""The servers of an evaluation: models, agents and resources (environments), in one process or in many.

Rooms: `server` (what every server is), `resources` (state, tools, verifier), `agent` (the loop), `model` (inference), `tools` (methods
that a model may call), `sessions` (one rollout's state), `workers` with `lanes`, `worker_handles` and `worker_process` (processes that can
be killed), `deadlines` (which stand still while a call waits for one), `values` (what may come back), `calls` (how servers reach each other),
`components` (from a folder to a class), `local` (all in one process), `gymnasium` (environments with reset and step), `dialects` (what a
model server speaks besides the Responses API).

In processes of their own: `process` (one server's main function), `http` and `http_calls` (the two ends of a call), `wire` (what both agree
on), `processes` and `child` (who starts and watches them), `ports`, `endpoints` (waiting for models), `head` (where they are found), `connect`
(using servers that run already).
"""

from blade.gym.servers.agent import AgentServer, AgentSettings
from blade.gym.servers.calls import CallFailed, Calls, Reply
from blade.gym.servers.model import ModelServer
from blade.gym.servers.resources import JudgeFailed, ResourcesServer, ResourcesSettings
from blade.gym.servers.server import Server
from blade.gym.servers.tools import tool, tool_schemas
from blade.gym.settings import Settings

__all__ = [
    "AgentServer",
    "AgentSettings",
    "CallFailed",
    "Calls",
    "JudgeFailed",
    "ModelServer",
    "Reply",
    "ResourcesServer",
    "ResourcesSettings",
    "Server",
    "Settings",
    "tool",
    "tool_schemas",
]
