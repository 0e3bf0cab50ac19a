"""Settings from plainmark.toml, or from [tool.plainmark] in pyproject.toml; the command line takes precedence.

    metrics = ["sari", "bleu"]            of score, compare, report, stress and correlate
    source = "test.source"                of score, compare, report, stress and explain, like references and fields
    references = "test.reference.*"
    fields = {output = "simplification"}
    format = "markdown"                   of every command that prints a table
    seed, resamples, level, test          of every command that has the option
    [check]                               of check: grade, cefr, max_sentence, max_passive, words, select, ignore, baseline, fail_on

Paths are relative to the file. It is looked for in the current folder and upwards, as far as the root of the
repository.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import OptionError, did_you_mean
from ..result import FORMATS
from ..systems import split_name

_TESTS = ("bootstrap", "randomisation")
_USING_METRICS = ("score", "compare", "report", "stress", "correlate")
_USING_TEST_SET = ("score", "compare", "report", "stress", "explain")
_SCALARS = ("seed", "resamples", "level", "test")


def _is_texts(value: Any) -> bool:
    return isinstance(value, str) or (
        isinstance(value, list) and bool(value) and all(isinstance(v, str) for v in value)
    )


# What each key may be: a check, and its description for messages.
KEYS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "metrics": (_is_texts, "a text or a list of texts"),
    "source": (lambda v: isinstance(v, str), "a path"),
    "references": (_is_texts, "a path or a list of paths"),
    "fields": (
        lambda v: isinstance(v, dict) and all(isinstance(f, str) for f in v.values()),
        'a table such as {output = "simplification"}',
    ),
    "format": (lambda v: v in FORMATS, f"one of {', '.join(FORMATS)}"),
    "seed": (lambda v: type(v) is int, "a whole number"),
    "resamples": (lambda v: type(v) is int, "a whole number"),
    "level": (lambda v: type(v) in (int, float), "a number"),
    "test": (lambda v: v in _TESTS, f"one of {', '.join(_TESTS)}"),
}


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


CHECK_KEYS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "grade": (_is_number, "a number"),
    "cefr": (lambda v: isinstance(v, str), "a CEFR level such as B1"),
    "max_sentence": (lambda v: type(v) is int, "a whole number"),
    "max_passive": (_is_number, "a number"),
    "words": (lambda v: isinstance(v, str), "a path"),
    "select": (_is_texts, "a rule or a list of rules"),
    "ignore": (_is_texts, "a rule or a list of rules"),
    "baseline": (lambda v: isinstance(v, str), "a path"),
    "fail_on": (lambda v: v in ("limit", "hint", "never"), "one of limit, hint, never"),
}
KEYS["check"] = (lambda v: isinstance(v, dict), "a section [check]")


@dataclass(frozen=True)
class Configuration:
    """The settings of one file; empty if there is none."""

    path: Path | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def parse(self, parser: argparse.ArgumentParser, command: str, words: list[str]) -> argparse.Namespace:
        """Parse a command line; settings supply the options it leaves out, and a notice names those that were used."""
        defaults = {action.dest for action in parser._actions}
        scalars = [key for key in _SCALARS if key in self.settings and key in defaults]
        parser.set_defaults(**dict.fromkeys(scalars))
        options = parser.parse_intermixed_args(words)
        used = [key for key in scalars if getattr(options, key) is None]
        for key in used:
            setattr(options, key, self.settings[key])
        # these options define what is scored and how, so the notice names them
        track = getattr(options, "track", None)
        if command in _USING_METRICS and not track and not getattr(options, "scores", None):
            used += self._fill(options, "metrics", _as_list)
        if command in _USING_TEST_SET and not track and not getattr(options, "dataset", None):
            used += self._fill(options, "source", self._resolved)
            used += self._fill(options, "references", lambda v: [self._resolved(r) for r in _as_list(v)])
            used += self._fill(options, "fields", lambda v: ",".join(f"{k}={f}" for k, f in v.items()))
        if command == "check":
            used += self._fill_check(options)
        if "format" in self.settings and {"format", "output"} <= defaults:
            options.configuration = {"format": self.settings["format"]}
            used += ["format"] if not options.format and not options.output else []
        if used and self.path and not getattr(options, "quiet", False):
            print(f"plainmark: {', '.join(used)} from {self.path}", file=sys.stderr)
        return options

    def _fill(self, options: argparse.Namespace, key: str, convert: Callable[[Any], Any]) -> list[str]:
        if key not in self.settings or getattr(options, key, True):
            return []
        setattr(options, key, convert(self.settings[key]))
        return [key]

    def _fill_check(self, options: argparse.Namespace) -> list[str]:
        """Fill in the options of [check] that the command line leaves out."""
        used = []
        for key, value in self.settings.get("check", {}).items():
            if getattr(options, key) is None:
                path = key in ("words", "baseline")
                setattr(
                    options,
                    key,
                    self._resolved(value)
                    if path
                    else _as_list(value)
                    if key in ("select", "ignore")
                    else value,
                )
                used.append(key)
        return used

    def _resolved(self, text: str) -> str:
        """A path from the file, made relative to the current folder; a prefix NAME= stays."""
        name, path = split_name(text)
        folder = self.path.parent if self.path else Path()
        return (f"{name}=" if name else "") + str(folder / path)


def find_configuration() -> Configuration:
    """The nearest configuration file, from the current folder up to the root of the repository."""
    current = Path.cwd()
    for folder in (current, *current.parents):
        near = Path() if folder == current else folder  # relative, so that paths in messages are short
        own, project = near / "plainmark.toml", near / "pyproject.toml"
        if own.is_file():
            return _read(own, [])
        if project.is_file() and "tool.plainmark" in project.read_text("utf-8", "replace"):
            return _read(project, ["tool", "plainmark"])
        if (folder / ".git").exists():
            break
    return Configuration()


def _read(path: Path, section: list[str]) -> Configuration:
    import tomllib

    try:
        settings: Any = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise OptionError(f"{path}: not a TOML file ({problem}).") from None
    for name in section:
        settings = settings.get(name, {}) if isinstance(settings, dict) else {}
    _validate(str(path), settings, KEYS)
    _validate(f"{path}, [check]", settings.get("check", {}), CHECK_KEYS)
    return Configuration(path, settings)


def _validate(
    place: str, settings: Mapping[str, Any], keys: Mapping[str, tuple[Callable[[Any], bool], str]]
) -> None:
    for key, value in settings.items():
        if key not in keys:
            raise OptionError(
                f"{place}: unknown key {key!r}.{did_you_mean(key, keys)} Expected one of {', '.join(keys)}."
            )
        is_valid, description = keys[key]
        if not is_valid(value):
            raise OptionError(f"{place}: {key} is {value!r}, expected {description}.")


def _as_list(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value
