"""A small environment and a small model for tests, written into a folder as a user would write them."""

from pathlib import Path
from textwrap import dedent

SHELF = """
    import os, pathlib, time
    from blade.gym.servers import JudgeFailed, ResourcesServer, ResourcesSettings, tool

    class ShelfSettings(ResourcesSettings):
        tool_timeout_seconds: float = 1.0
        verify_timeout_seconds: float = 1.0
        num_workers: int = 2

    class Shelf(ResourcesServer):
        Settings = ShelfSettings

        def seed_session(self, row):
            if row.get("bad_seed"):
                raise ValueError("no shelf")
            return {"books": list(row.get("books", []))}

        @tool
        def shelf_add(self, state, title: str, copies: int = 1) -> str:
            "Put a book on the shelf."
            state["books"] += [title] * copies
            return f"{len(state['books'])} books"

        @tool
        def shelf_list(self, state) -> dict:
            return {"books": state["books"], "\\u00fcmlaut": None}

        @tool
        async def shelf_count(self, state) -> int:
            return len(state["books"])

        @tool
        def shelf_raise(self, state) -> str:
            raise KeyError("gone")

        @tool
        def shelf_hang(self, state) -> str:
            time.sleep(60)

        @tool
        async def shelf_wait(self, state) -> str:
            import asyncio
            pathlib.Path(__file__).with_name("waiting").touch()
            await asyncio.sleep(60)

        @tool
        def shelf_die(self, state) -> str:
            os._exit(3)

        def verify(self, state, row, response):
            if row.get("judge") == "down":
                raise JudgeFailed("the judge is down")
            if row.get("verify") == "raise":
                raise ZeroDivisionError("oops")
            if row.get("verify") == "hang":
                time.sleep(60)
            if row.get("verify") == "nonsense":
                return {"reward": "good"}
            return {"reward": float(sorted(state["books"]) == sorted(row["wanted"]))}
"""
ECHO = """
    import os, uuid
    from blade.gym.models import ModelError
    from blade.gym.models.shape import function_call, message, response
    from blade.gym.servers import ModelServer

    class Echo(ModelServer):
        "Says what the last user said; `call NAME ARGUMENTS` calls a tool, `fail CATEGORY` fails."

        async def responses(self, params):
            given = params["input"]
            last = given if isinstance(given, str) else given[-1].get("content") or given[-1].get("output")
            text = last if isinstance(last, str) else "".join(part.get("text", "") for part in last)
            verb, _, rest = text.partition(" ")
            if verb == "fail":
                raise ModelError(rest, None, f"it failed: {rest}")
            if verb == "key":
                text = f"{self.settings.api_key} {os.environ.get('NEMO_GYM_CONFIG_DICT')}"
            if verb == "call":
                name, _, arguments = rest.partition(" ")
                items = [function_call(name, arguments, f"call_{uuid.uuid4().hex}")]
            else:
                items = [message(text)]
            usage = {"input_tokens": 7, "input_tokens_details": {"cached_tokens": 2}, "output_tokens": 3,
                     "output_tokens_details": {"reasoning_tokens": None}, "total_tokens": 10}
            return response(params, items, model="echo-1", usage=usage, incomplete="max_output_tokens" if verb == "cut" else None)
"""
CONFIG = """
    shelf:
      resources_servers:
        shelf:
          entrypoint: app.py
          domain: other
    echo:
      responses_api_models:
        echo_model:
          entrypoint: app.py
          api_key: sk-very-secret-value-1234567890
    shelf_agent:
      responses_api_agents:
        simple_agent:
          entrypoint: app.py
          resources_server: {type: resources_servers, name: shelf}
          model_server: {type: responses_api_models, name: echo}
          max_steps: 3
"""


def write_shelf(root: Path) -> Path:
    """The environment, the model and a configuration of both under a root; gives the configuration's path."""
    write(root / "resources_servers" / "shelf" / "app.py", SHELF)
    write(root / "responses_api_models" / "echo_model" / "app.py", ECHO)
    return write(root / "shelf.yaml", CONFIG)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(dedent(text), encoding="utf-8")
    return path
