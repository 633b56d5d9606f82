"""From `resources_servers/<implementation>/app.py` to its class.

An implementation is a folder under one of the roots. Its `app.py` is imported under the name `<kind>.<implementation>.app`, so that
`from .tables import …` works, whatever the working directory; the first root that holds the folder wins.
"""

import importlib
import inspect
import sys
import traceback
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import ValidationError

from blade.errors import UsageError
from blade.gym.config import Instance
from blade.gym.servers.calls import Calls
from blade.gym.servers.server import Server
from blade.gym.settings import Settings


@dataclass(frozen=True)
class Component:
    """Which code an instance runs: enough to load it again in another process."""

    kind: str
    implementation: str
    folder: str
    entrypoint: str = "app.py"


def find(kind: str, implementation: str, roots: Sequence[Path], entrypoint: str = "app.py") -> Component:
    """The folder of an implementation; a name that no root holds is an error that says where it was looked for."""
    for root in roots:
        if (root / kind / implementation / entrypoint).is_file():
            return Component(kind, implementation, str((root / kind / implementation).resolve()), entrypoint)
    looked = ", ".join(str(root) for root in roots)
    raise UsageError(
        f"{kind}/{implementation}/{entrypoint} was not found", hint=f"looked under {looked}; --search-dir adds a folder"
    )


def component_of(instance: Instance, roots: Sequence[Path]) -> Component:
    """The code that an instance of a configuration runs."""
    return find(instance.kind, instance.implementation, roots, str(instance.settings.get("entrypoint") or "app.py"))


def load(component: Component) -> type[Server]:
    """The one server class that the implementation's module defines."""
    package = f"{component.kind}.{component.implementation}"
    _package(component.kind, [])
    _package(package, [component.folder])
    module = _imported(package, component)
    found = [
        value
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, Server) and value.__module__ == module.__name__
    ]
    leaves = [cls for cls in found if not any(other is not cls and issubclass(other, cls) for other in found)]
    if len(leaves) != 1:
        named = ", ".join(cls.__name__ for cls in leaves) or "none"
        raise UsageError(f"an implementation defines exactly one server class, here: {named}", path=module.__file__)
    return leaves[0]


def _imported(package: str, component: Component) -> ModuleType:
    """The implementation's module; whatever its code raises is told with the place in it."""
    path = Path(component.folder) / component.entrypoint
    try:
        with redirect_stdout(sys.stderr):  # what a module prints is no result of the command
            return importlib.import_module(f"{package}.{path.stem}")
    except SyntaxError as error:
        raise UsageError(f"the code cannot be read: {error.msg}", path=error.filename or path, line=error.lineno) from error
    except (Exception, SystemExit) as error:
        place = next(
            (frame for frame in reversed(traceback.extract_tb(error.__traceback__)) if component.folder in frame.filename), None
        )
        message = f"the code cannot be loaded: {type(error).__name__}: {error}"
        raise UsageError(message, path=place.filename if place else path, line=place.lineno if place else None) from error


def slips(component: Component, name: str, settings: dict[str, Any]) -> list[str]:
    """Settings that the implementation does not know and that look like ones it does."""
    known = list(load(component).Settings.model_fields)
    unknown = [key for key in settings if key not in known]
    close = {key: get_close_matches(key, known, n=1, cutoff=0.85) for key in unknown}
    return [f"{name} has no setting {key}; did you mean {found[0]}?" for key, found in close.items() if found]


def check(component: Component, name: str, settings: dict[str, Any]) -> Settings:
    """The settings as the implementation's class takes them, or one sentence on each that does not fit."""
    try:
        checked: Settings = load(component).Settings.model_validate(settings)
        return checked
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        raise UsageError(f"{name}: {faults}", hint=f"these are settings of {component.kind}/{component.implementation}") from None


def build(component: Component, name: str, settings: dict[str, Any], calls: Calls) -> Server:
    """An instance with checked settings."""
    server = load(component)(name, check(component, name, settings), calls)
    server.component = component
    return server


def _package(name: str, path: list[str]) -> None:
    """A package without a file of its own, whose modules are looked for in `path`; another folder of the same name replaces it."""
    known = sys.modules.get(name)
    if known is not None and (not path or list(getattr(known, "__path__", [])) == path):
        return
    for loaded in [key for key in sys.modules if path and (key == name or key.startswith(f"{name}."))]:
        del sys.modules[loaded]
    module = ModuleType(name)
    module.__path__ = path
    sys.modules[name] = module
    parent, _, leaf = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], leaf, module)
