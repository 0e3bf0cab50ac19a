"""Finding things by name: "sari", "sari(variant='hf')", "mean(bleu)", "mypackage.MyMetric".

A specification is read with `ast`, never evaluated. Built-in things are modules of a package, one per thing, the
file name being the thing's name; third parties add theirs through an entry-point group of the same shape.
"""

from __future__ import annotations

import ast
import importlib
import math
import pkgutil
import re
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from inspect import isabstract
from typing import (
    Annotated,
    Any,
    ClassVar,
    Generic,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from .errors import OptionError, UnknownNameError, did_you_mean

T = TypeVar("T")

LONGEST_SPEC = 10_000


@dataclass(frozen=True)
class Between:
    """What a number may be, as part of an option's type: Annotated[int, Between(1, 100)]."""

    low: float
    high: float = math.inf

    def __str__(self) -> str:
        return f"of at least {self.low}" if self.high == math.inf else f"from {self.low} to {self.high}"


@dataclass(frozen=True)
class Named:
    """A thing with a name and options; the options are the fields of its frozen dataclass."""

    name: ClassVar[str]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" not in cls.__dict__:
            cls.name = cls.__module__.rpartition(".")[2]

    def __post_init__(self) -> None:
        for option, hint in option_types(type(self)).items():
            value = getattr(self, option)
            if isinstance(value, str) and (registry := Registry.of(hint)):
                object.__setattr__(self, option, registry.parse(value))
            else:
                check_option(self.name, option, value, hint)

    def spec_options(self) -> dict[str, object]:
        """The options that differ from their defaults."""
        return {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}

    @property
    def spec(self) -> str:
        """Text from which the registry makes an equal thing."""
        return call(self.name, [option(k, v) for k, v in self.spec_options().items()])

    def __str__(self) -> str:
        return self.spec


def option(name: str, value: object) -> str:
    """An option as a specification has it."""
    return f"{name}={value.spec if isinstance(value, Named) else repr(value)}"


def call(name: str, options: Sequence[str]) -> str:
    """A name with its options, if there are any."""
    return f"{name}({', '.join(options)})" if options else name


class Registry(Generic[T]):
    """All things of one kind, built in or added by others."""

    _all: ClassVar[list[Registry[Any]]] = []

    def __init__(self, kind: str, base: type[T], package: str) -> None:
        self.kind = kind
        self.base = base
        self.package = package
        self._all.append(self)

    @classmethod
    def of(cls, hint: Any) -> Registry[Any] | None:
        """The registry of a type, for options that are things themselves: agg(sari, aligner=tfidf)."""
        if not isinstance(hint, type):
            return None
        return next((r for r in cls._all if issubclass(hint, r.base)), None)

    def names(self) -> list[str]:
        """Every registered name, sorted."""
        return sorted({*self._modules(self.package), *self._others()})

    def find(self, name: str) -> type[T]:
        """The class of that name."""
        name = name.replace("-", "_")
        if "." in name:
            return self._import(name)
        if name in self._modules(self.package):
            return self._class_in(importlib.import_module(f"{self.package}.{name}"), name)
        others = self._others()
        if name in others:
            return others[name]
        raise UnknownNameError(
            f"no {self.kind} is called {_shorten(name)!r}.{did_you_mean(name, self.names())}"
            f" `plainmark list {self.kind}s` shows all."
        )

    def parse(self, spec: str) -> T:
        """The thing that a specification describes."""
        if len(spec) > LONGEST_SPEC:
            raise OptionError(
                f"cannot read {_shorten(spec)!r}; found {len(spec)} characters, expected a name."
            )
        parts = re.split(r"""('[^']*'|"[^"]*")""", spec.strip())
        # Names may be written with hyphens (coleman-liau) and words that begin with a digit without quotes
        # (tokenizer=13a); inside quotes everything is the user's own.
        parts[::2] = [re.sub(r"(?<=[a-zA-Z0-9])-(?=[a-zA-Z])", "_", part) for part in parts[::2]]
        parts[::2] = [re.sub(r"(?<==)\s*([0-9]\w*)(?![\w.+-])", _quote, part) for part in parts[::2]]
        try:
            tree = ast.parse("".join(parts), mode="eval").body
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            raise OptionError(
                f"cannot read {_shorten(spec)!r}; expected a name, or name(option=value), such as sari(variant='hf')."
            ) from None
        try:
            return self._build(tree, spec)
        except RecursionError:
            raise OptionError(f"cannot read {_shorten(spec)!r}; it is nested too deeply.") from None

    def _build(self, node: ast.expr, spec: str) -> T:
        if isinstance(node, ast.Call):
            cls = self.find(self._dotted(node.func, spec))
            return self._call(cls, node, spec)
        return self._call(self.find(self._dotted(node, spec)), ast.Call(node, [], []), spec)

    def _call(self, cls: type[T], node: ast.Call, spec: str) -> T:
        name = getattr(cls, "name", cls.__name__)
        if isabstract(cls):
            raise UnknownNameError(
                f"{cls.__module__}.{cls.__name__} is the base of others, not a {self.kind}."
            )
        allowed = [f.name for f in fields(cls) if f.init]  # type: ignore[arg-type]
        if len(node.args) > len(allowed):
            raise OptionError(f"{name}: {len(node.args)} values given, but it has {len(allowed)} options.")
        given = dict(zip(allowed, node.args, strict=False))
        for keyword in node.keywords:
            if keyword.arg is None or keyword.arg not in allowed:
                raise OptionError(
                    f"{name}: no option {_shorten(keyword.arg or '**')!r}.{did_you_mean(keyword.arg or '', allowed)}"
                    f" Its options are: {', '.join(allowed) or 'none'}."
                )
            if keyword.arg in given:
                raise OptionError(f"{name}: option {keyword.arg!r} is given twice.")
            given[keyword.arg] = keyword.value
        hints = option_types(cls)
        return cls(**{k: self._value(v, hints[k], spec) for k, v in given.items()})

    def _value(self, node: ast.expr, hint: Any, spec: str) -> Any:
        if registry := Registry.of(hint):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                return registry.parse(node.value)
            return registry._build(node, spec)
        if isinstance(node, ast.Name):  # an unquoted word: variant=hf
            return node.id.replace("_", "-") if node.id not in choices(hint) else node.id
        try:
            value = ast.literal_eval(node)
            return str(value) if str(value) in choices(hint) else value  # kind=2 where the choice is '2'
        except (ValueError, TypeError, MemoryError, RecursionError):
            raise OptionError(
                f"cannot read the option {_shorten(ast.unparse(node))!r} in {_shorten(spec)!r}."
            ) from None

    def _dotted(self, node: ast.expr, spec: str) -> str:
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.Attribute):
            return f"{self._dotted(node.value, spec)}.{node.attr}"
        raise OptionError(f"cannot read {_shorten(spec)!r}; expected the name of a {self.kind}.")

    def _import(self, path: str) -> type[T]:
        module_name, _, attribute = path.rpartition(".")
        # Importing runs a module; one with a private part to its name (package.__main__) is no place for metrics.
        public = all(part.isidentifier() and not part.startswith("_") for part in path.split("."))
        for module_path, name in ((module_name, attribute), (path, attribute)) if public else ():
            try:
                module = importlib.import_module(module_path)
            except ImportError:
                continue
            found = getattr(module, name, None)
            if isinstance(found, type) and issubclass(found, self.base):
                return found
            if module_path == path:
                return self._class_in(module, attribute)
        raise UnknownNameError(
            f"cannot import {_shorten(path)!r}; expected package.module.Class of a {self.kind}."
        )

    def _class_in(self, module: types.ModuleType, name: str) -> type[T]:
        for found in vars(module).values():
            if (
                isinstance(found, type)
                and issubclass(found, self.base)
                and found.__module__ == module.__name__
            ):
                return found
        raise UnknownNameError(f"{module.__name__} defines no {self.kind} {name!r}.")

    @staticmethod
    @cache
    def _modules(package: str) -> frozenset[str]:
        path = importlib.import_module(package).__path__
        return frozenset(m.name for m in pkgutil.iter_modules(path) if not m.name.startswith("_"))

    @cache  # noqa: B019 - registries live as long as the program
    def _others(self) -> dict[str, type[T]]:
        from importlib.metadata import entry_points  # slow to import, and mostly not needed

        found: dict[str, type[T]] = {}
        for point in entry_points(group=self.package):
            if point.value == self.package:
                continue
            thing = point.load()
            if isinstance(thing, types.ModuleType):
                for name in self._modules(point.value):
                    found[name] = self._class_in(importlib.import_module(f"{point.value}.{name}"), name)
            elif isinstance(thing, type) and issubclass(thing, self.base):
                found[point.name] = thing
        return found


def option_types(cls: type) -> dict[str, Any]:
    """The declared type of each option, without its help text."""
    return {k: _without_help(v) for k, v in _hints(cls).items()}


def option_help(cls: type) -> dict[str, str]:
    """The help text of each option, from Annotated[type, "help"]."""
    return {
        k: next((h for h in getattr(v, "__metadata__", ()) if isinstance(h, str)), "")
        for k, v in _hints(cls).items()
    }


def check_option(owner: str, name: str, value: object, hint: Any) -> None:
    """Raise OptionError unless the value is one that the type allows."""
    if not _fits(value, hint):
        found = _shorten(repr(value))
        raise OptionError(f"{owner}: option {name}={found} is not allowed; expected {describe_type(hint)}.")


def describe_type(hint: Any) -> str:
    """A type in words for people: "one of 'a', 'b'", "a whole number from 1 to 100"."""
    if limits := _limits(hint):
        return " ".join([describe_type(_plain(hint)), *map(str, limits)])
    hint = _plain(hint)
    if get_origin(hint) is Literal:
        return "one of " + ", ".join(repr(c) for c in get_args(hint))
    if get_origin(hint) in (Union, types.UnionType):
        parts = [describe_type(a) for a in get_args(hint) if a is not type(None)]
        return " or ".join(parts)
    if get_origin(hint) is tuple:
        return "a list"
    named = {bool: "True or False", int: "a whole number", float: "a number", str: "text"}
    return named.get(hint, getattr(hint, "__name__", str(hint)).lower())


def _fits(value: object, hint: Any) -> bool:
    limits = _limits(hint)
    hint = _plain(hint)
    if limits:
        # A comparison with NaN is false, so NaN is outside all limits.
        within = isinstance(value, (int, float)) and all(x.low <= value <= x.high for x in limits)
        return within and _fits(value, hint)
    origin = get_origin(hint)
    if origin is Literal:
        return any(value == c and type(value) is type(c) for c in get_args(hint))
    if origin in (Union, types.UnionType):
        return any(_fits(value, a) for a in get_args(hint))
    if origin is tuple:
        return isinstance(value, tuple)
    if hint is Any:
        return True
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, hint)


def _limits(hint: Any) -> list[Between]:
    return [m for m in getattr(hint, "__metadata__", ()) if isinstance(m, Between)]


def _without_help(hint: Any) -> Any:
    plain = _plain(hint)
    for limit in _limits(hint):
        plain = Annotated[plain, limit]
    return plain


def _plain(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def choices(hint: Any) -> Iterator[Any]:
    """The values that a type lists, if it does."""
    hint = _plain(hint)
    if get_origin(hint) is Literal:
        yield from get_args(hint)
    elif get_origin(hint) in (Union, types.UnionType):
        for part in get_args(hint):
            yield from choices(part)


@cache
def _hints(cls: type) -> dict[str, Any]:
    hints = get_type_hints(cls, include_extras=True)
    return {f.name: hints[f.name] for f in fields(cls)}


def _quote(match: re.Match[str]) -> str:
    """A word that begins with a digit, in quotes unless it is a number."""
    try:
        ast.literal_eval(match[1])
    except (SyntaxError, ValueError):
        return repr(match[1])
    return match[0]


def _shorten(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."
