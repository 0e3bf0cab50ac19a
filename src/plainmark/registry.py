"""Finding metrics, aligners, ... by name: "sari", "sari(variant='hf')", "mean(bleu)", "mymodule.MyMetric".

A specification is read with `ast`, never evaluated. Built-in classes are modules of a package, named after
the file; other packages register theirs in an entry-point group with the package's name. Any other class is
called by the dotted path that loads it, so that a name, a specification or a signature can always be read
back.
"""

from __future__ import annotations

import ast
import importlib
import re
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from inspect import isabstract
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from .errors import InputError, OptionError, UnknownNameError, did_you_mean
from .identity import join_digests, origin, short_digest
from .options import (
    check_option,
    choices,
    literal,
    option_contents,
    option_types,
    shorten,
    signed,
    unsigned,
)
from .plugins import Plugin, import_path, modules, plugins, warn_of_plugin

T = TypeVar("T")

LONGEST_SPEC = 10_000
_OWN = __name__.partition(".")[0]
_SHORT = {"tokenizer": "tok"}  # names of options in signatures
_LONG = {short: long for long, short in _SHORT.items()}
_DIGEST = re.compile(r"(.*)#([0-9a-f]+)", re.DOTALL)


class _Name:
    """The name of a class, determined on first use, so that entry points are not searched earlier."""

    def __get__(self, instance: object, owner: type) -> str:
        return _name_of(owner)


@dataclass(frozen=True)
class Named:
    """Something with a name and options; the options are the fields of its frozen dataclass."""

    if TYPE_CHECKING:
        name: ClassVar[str]
    else:
        name = _Name()  # the dataclass decorator would read the value of an annotated one immediately

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if isinstance(cls.__dict__.get("name"), str) and not _is_own(cls):
            # Only the registry and the import system know the name by which a class can be found again.
            del cls.name

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
        """Text from which the registry makes an equal object."""
        return call(self.name, [option(k, v) for k, v in self.spec_options().items()])

    def __str__(self) -> str:
        return self.spec

    def signature_options(self) -> dict[str, object]:
        """The options that the signature shows."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def contents(self) -> dict[str, str]:
        """For each option that names a file or a model, or an object that does, the digest of the content."""
        digests = {k: v.contents_digest() for k, v in vars(self).items() if isinstance(v, Named)}
        for name, content in option_contents(type(self)).items():
            if isinstance(value := getattr(self, name), str):
                digests[name] = content.digest(value)
        return {name: digest for name, digest in digests.items() if digest}

    def contents_digest(self) -> str:
        """The digest of what the specification does not show: contents, and the origin if that is not plainmark."""
        code = "" if _is_own(type(self)) else short_digest(origin(type(self)))
        return join_digests([*self.contents().values(), code])

    def identity(self) -> str:
        """Everything that its results depend on besides the texts, as one line; the key of all caches."""
        return "|".join([self.name, *self._signed_options(), origin(type(self))])

    def _signed_options(self) -> list[str]:
        """The options as the signature shows them: "tok:13a", "model:minilm#53aa51172d"."""
        digests, hints = self.contents(), option_types(type(self))
        defaults = {f.name: f.default for f in fields(self)}
        shown = []
        for name, value in self.signature_options().items():
            if value is None and defaults.get(name) is None:
                continue
            if isinstance(value, Named):
                text = value.spec.replace("|", "\\x7c")
            else:
                text = signed(value, hints.get(name, Any))
            content = f"#{digests[name]}" if name in digests else ""
            shown.append(f"{_SHORT.get(name, name)}:{text}{content}")
        return shown


def option(name: str, value: object) -> str:
    """An option in the notation of a specification."""
    return f"{name}={value.spec if isinstance(value, Named) else literal(value)}"


def call(name: str, options: Sequence[str]) -> str:
    """A name with its options in parentheses, if there are any."""
    return f"{name}({', '.join(options)})" if options else name


@cache
def _name_of(cls: type) -> str:
    """The name that finds a class: that of the registry, or the dotted path that loads it."""
    if _is_own(cls):
        return cls.__module__.rpartition(".")[2]
    registry = Registry.of(cls)
    path = f"{cls.__module__}.{cls.__name__ if '<' in cls.__qualname__ else cls.__qualname__}"
    return (registry and registry.entry_name(cls)) or path


def _is_own(cls: type) -> bool:
    return cls.__module__.partition(".")[0] == _OWN


class Registry(Generic[T]):
    """All metrics, aligners, ... that are built in or added by other packages."""

    _all: ClassVar[list[Registry[Any]]] = []

    def __init__(self, kind: str, base: type[T], package: str) -> None:
        self.kind = kind
        self.base = base
        self.package = package
        self._all.append(self)

    @classmethod
    def of(cls, hint: Any) -> Registry[Any] | None:
        """The registry of a type, for options that are metrics, aligners, ... themselves: agg(sari, aligner=tfidf)."""
        if not isinstance(hint, type):
            return None
        return next((r for r in cls._all if issubclass(hint, r.base)), None)

    def names(self) -> list[str]:
        """Every registered name, sorted; entry points that cannot be loaded are left out with a warning."""
        return sorted({*self._modules(), *(name for name, _ in self._loaded())})

    def find(self, name: str) -> type[T]:
        """The class of that name."""
        if "." in name:
            return self._class_of(import_path(name, self.kind), name)
        name = name.replace("-", "_").lower()
        if name in self._modules():
            module = f"{self.package}.{name}"
            return self._class_of(importlib.import_module(module), module)
        if plugin := self._plugins().get(name):
            return self._class_of_plugin(plugin)
        raise UnknownNameError(
            f"no {self.kind} is called {shorten(name)!r}.{did_you_mean(name, self.names())}"
            f" `plainmark list {self.kind}s` shows all."
        )

    def parse(self, spec: str) -> T:
        """The object that a specification describes."""
        if len(spec) > LONGEST_SPEC:
            raise OptionError(
                f"cannot read {shorten(spec)!r}; found {len(spec)} characters, expected a name."
            )
        parts = re.split(r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""", spec.strip())
        # Names may be written with hyphens (coleman-liau), and words that begin with a digit without quotes
        # (tokenizer=13a); text inside quotes is not changed.
        parts[::2] = [re.sub(r"(?<=[a-zA-Z0-9])-(?=[a-zA-Z])", "_", part) for part in parts[::2]]
        parts[::2] = [re.sub(r"(?<==)\s*([0-9]\w*)(?![\w.+-])", _quote, part) for part in parts[::2]]
        try:
            tree = ast.parse("".join(parts), mode="eval").body
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            raise OptionError(
                f"cannot read {shorten(spec)!r}; expected a name, or name(option=value), such as sari(variant='hf')."
            ) from None
        try:
            return self._build(tree, spec)
        except RecursionError:
            raise OptionError(f"cannot read {shorten(spec)!r}; it is nested too deeply.") from None

    def parse_signature(self, signature: str) -> T:
        """The object that printed a signature; InputError if a file that it names has another content now.

        The version is not compared: a signature of an older version makes the metric of this one.
        """
        name, *pairs = signature.split("|")
        cls = self.find(name)
        hints = option_types(cls)
        options: dict[str, Any] = {}
        digests: dict[str, str] = {}
        for key in ("src", "v"):
            if pairs and pairs[-1].startswith(f"{key}:"):
                pairs.pop()
        for pair in pairs:
            key, _, text = pair.partition(":")
            key = key if key in hints else _LONG.get(key, key)
            if key == "refs" and key not in hints:
                continue
            if key not in hints:
                raise OptionError(
                    f"{name}: the signature has {shorten(key)!r}, which is not an option of it."
                )
            registry = Registry.of(hints[key])
            if (registry or key in option_contents(cls)) and (match := _DIGEST.fullmatch(text)):
                text, digests[key] = match.groups()
            options[key] = registry.parse(text) if registry else unsigned(text, hints[key])
        parsed = cls(**options)
        for key, digest in parsed.contents().items() if isinstance(parsed, Named) else ():
            if digests.get(key, digest) != digest:
                raise InputError(
                    f"{name}: the content of {key}={shorten(str(options[key]))} has the digest {digest}, but the "
                    f"signature has {digests[key]}; expected the file or model that the score was computed with."
                )
        return parsed

    def entry_name(self, cls: type) -> str:
        """The name under which another package has registered a class; empty if it has not."""
        top = cls.__module__.partition(".")[0]
        return next((name for name, loaded in self._loaded(top) if loaded is cls), "")

    def _build(self, node: ast.expr, spec: str) -> T:
        if isinstance(node, ast.Call):
            return self._call(self.find(self._dotted(node.func, spec)), node, spec)
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
        values = dict(zip(allowed, node.args, strict=False))
        for keyword in node.keywords:
            if keyword.arg is None or keyword.arg not in allowed:
                raise OptionError(
                    f"{name}: no option {shorten(keyword.arg or '**')!r}.{did_you_mean(keyword.arg or '', allowed)}"
                    f" Its options are: {', '.join(allowed) or 'none'}."
                )
            if keyword.arg in values:
                raise OptionError(f"{name}: option {keyword.arg!r} is given twice.")
            values[keyword.arg] = keyword.value
        hints = option_types(cls)
        return cls(**{k: self._value(v, hints[k], spec) for k, v in values.items()})

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
                f"cannot read the option {shorten(ast.unparse(node))!r} in {shorten(spec)!r}."
            ) from None

    def _dotted(self, node: ast.expr, spec: str) -> str:
        if isinstance(node, ast.Name):
            return node.id
        if isinstance(node, ast.Attribute):
            return f"{self._dotted(node.value, spec)}.{node.attr}"
        raise OptionError(f"cannot read {shorten(spec)!r}; expected the name of a {self.kind}.")

    def _class_of(self, loaded: object, path: str) -> type[T]:
        """The class that a path names: the class itself, or the only one that a module defines."""
        if isinstance(loaded, type) and issubclass(loaded, self.base):
            return loaded
        if not isinstance(loaded, types.ModuleType):
            what = "another class" if isinstance(loaded, type) else type(loaded).__name__
            raise UnknownNameError(
                f"{shorten(path)} is no {self.kind}; found {what}, expected a class derived from "
                f"{self.base.__module__}.{self.base.__name__}."
            )
        classes = {
            cls.__name__: cls
            for cls in vars(loaded).values()
            if isinstance(cls, type) and issubclass(cls, self.base) and cls.__module__ == loaded.__name__
        }
        if len(classes) > 1:
            paths = ", ".join(f"{loaded.__name__}.{name}" for name in classes)
            raise UnknownNameError(
                f"{shorten(path)} has {len(classes)} {self.kind}s; expected one of {shorten(paths)}."
            )
        if not classes:
            raise UnknownNameError(f"{shorten(path)} defines no {self.kind}.")
        return next(iter(classes.values()))

    def _class_of_plugin(self, plugin: Plugin) -> type[T]:
        loaded = plugin.load()
        try:
            return self._class_of(loaded, plugin.path)
        except UnknownNameError as problem:
            raise plugin.broken(str(problem)) from None

    def _loaded(self, top: str = "") -> Iterator[tuple[str, type[T]]]:
        """The plugins of one top-level package, or all of them, with their classes; a broken one raises a warning."""
        for name, plugin in self._plugins().items():
            if not top or plugin.top == top:
                try:
                    yield name, self._class_of_plugin(plugin)
                except UnknownNameError as problem:
                    warn_of_plugin(str(problem))

    @cache  # noqa: B019 - registries live as long as the program
    def _modules(self) -> frozenset[str]:
        return modules(self.package)

    @cache  # noqa: B019
    def _plugins(self) -> dict[str, Plugin]:
        by_name: dict[str, Plugin] = {}
        for plugin in plugins(self.package):
            if plugin.name in by_name or plugin.name in self._modules():
                owner = by_name[plugin.name].package if plugin.name in by_name else _OWN
                warn_of_plugin(
                    f"the package {plugin.package} has a {self.kind} {plugin.name!r}, which {owner} has already; it is "
                    "left out and can be named by its path."
                )
            else:
                by_name[plugin.name] = plugin
        return by_name


def split_specs(text: str, separator: str = ",") -> Iterator[str]:
    """Specifications separated by commas; those in parentheses or quotation marks do not separate.

    >>> list(split_specs("sari, agg(sari, aligner='context'),bleu"))
    ['sari', "agg(sari, aligner='context')", 'bleu']
    """
    depth, quote, start = 0, "", 0
    for i, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == separator and depth == 0:
            yield text[start:i].strip()
            start = i + 1
    yield text[start:].strip()


def _quote(match: re.Match[str]) -> str:
    """A word that begins with a digit, in quotes unless it is a number."""
    try:
        ast.literal_eval(match[1])
    except (SyntaxError, ValueError):
        return repr(match[1])
    return match[0]
