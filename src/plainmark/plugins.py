"""Classes that are not built in, loaded by their dotted path or from entry points of other packages."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

from .errors import PluginWarning, UnknownNameError, did_you_mean
from .options import shorten


@dataclass(frozen=True)
class Plugin:
    """A name that another package has registered, and the location of its class."""

    name: str
    package: str  # with its version
    module: str
    attribute: str = ""  # empty stands for the only class of the module

    @property
    def top(self) -> str:
        """The top-level package or module that contains it."""
        return self.module.partition(".")[0]

    @property
    def path(self) -> str:
        """The dotted path of the class or module."""
        return f"{self.module}.{self.attribute}" if self.attribute else self.module

    def broken(self, why: str) -> UnknownNameError:
        """The error that names the package."""
        return UnknownNameError(f"the package {self.package} has a broken entry point {self.name!r}: {why}")

    def load(self) -> Any:
        """The class or module."""
        try:
            loaded: Any = importlib.import_module(self.module)
            for part in filter(None, self.attribute.split(".")):
                loaded = getattr(loaded, part)
        except (Exception, SystemExit) as problem:  # importing a module may raise anything
            raise self.broken(f"{self.module} fails with {in_words(problem)}.") from None
        return loaded


def plugins(group: str) -> Iterator[Plugin]:
    """The entry points of a group; an entry point for a package of modules is replaced by one per module."""
    from importlib.metadata import entry_points  # slow to import, and rarely needed

    for point in entry_points(group=group):
        if point.value == group:
            continue
        package = f"{point.dist.name} {point.dist.version}" if point.dist else point.value
        plugin = Plugin(point.name.replace("-", "_").lower(), package, point.module, point.attr)
        try:
            names = [] if point.attr else modules(point.value)
        except (Exception, SystemExit):  # loading it raises the error
            names = []
        if names:
            yield from (Plugin(name, package, f"{point.module}.{name}") for name in sorted(names))
        elif plugin.name.isidentifier():
            yield plugin
        else:
            warn_of_plugin(
                f"the package {package} has an entry point {point.name!r}; expected a name of letters, digits and _."
            )


def modules(package: str) -> frozenset[str]:
    """The public modules of a package; none if it is a module itself."""
    path = getattr(importlib.import_module(package), "__path__", [])
    return frozenset(m.name for m in pkgutil.iter_modules(path) if not m.name.startswith("_"))


def import_path(path: str, kind: str) -> Any:
    """The module or class of a dotted path; errors name the module that fails and the reason."""
    parts = path.split(".")
    # Importing runs a module; one with a private part to its name (package.__main__) is no place for metrics.
    public = [p for p in parts if p.isidentifier() and not p.startswith("_")]
    if public != (parts[1:] if parts[0] == "__main__" else parts):
        raise UnknownNameError(f"cannot import {shorten(path)!r}; expected package.module.Class of a {kind}.")
    loaded: Any = _import_module(parts[0], path, kind)
    for i, part in enumerate(parts[1:], 1):
        if isinstance(getattr(loaded, part, None), type) or not hasattr(loaded, "__path__"):
            try:
                loaded = getattr(loaded, part)
            except AttributeError:
                raise UnknownNameError(
                    f"cannot import {shorten(path)!r}: {shorten('.'.join(parts[:i]))} has no {shorten(part)!r}."
                    f"{did_you_mean(part, [n for n in dir(loaded) if not n.startswith('_')])}"
                ) from None
        else:
            loaded = _import_module(".".join(parts[: i + 1]), path, kind)
    return loaded


def _import_module(name: str, path: str, kind: str) -> types.ModuleType:
    """A module, also from the current folder, which is not on the path of an installed command."""
    try:
        if "." not in name and name not in sys.modules and importlib.util.find_spec(name) is None:
            folder = str(Path.cwd())
            if PathFinder.find_spec(name, [folder]) is not None:
                # The entry stays, in last position, because worker processes and late imports of the module need it.
                sys.path.append(folder)
        return importlib.import_module(name)
    except ModuleNotFoundError as problem:
        if problem.name == name:
            raise UnknownNameError(
                f"cannot import {shorten(path)!r}: no module {shorten(name)!r} in the current folder or among the "
                f"installed packages; expected package.module.Class of a {kind}."
            ) from None
        why = in_words(problem)
    except (Exception, SystemExit) as problem:  # importing a module may raise anything
        why = in_words(problem)
    raise UnknownNameError(f"cannot import {shorten(path)!r}: {shorten(name)} fails with {why}.") from None


def in_words(problem: BaseException) -> str:
    """An error as one short line."""
    text = " ".join(str(problem).split())[:200].rstrip(".")
    return f"{type(problem).__name__}: {text}" if text else type(problem).__name__


@cache
def warn_of_plugin(message: str) -> None:
    """Warn once about a package whose plug-in cannot be loaded."""
    warnings.warn(message, PluginWarning, stacklevel=3)
