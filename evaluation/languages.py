"""The accuracy of language detection and sentence splitting, compared with other programs, for docs/laboratory.md.

    python -m evaluation.languages --help-pages FOLDER --part detection
    python -m evaluation.languages --help-pages FOLDER --part sentences

evaluation/help_pages.py says how to get the folder. Sentences are joined five at a time, and the boundaries between them
must be found: precision and recall, as F1. Texts of known sentences in ../shared are measured too. Other programs are used
if they are installed (pip install pysbd nupunkt langdetect py3langid lingua-language-detector). Syllables:
scripts/make_language_tables.py --check.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import plainmark as pm
from plainmark.data import Corpus
from plainmark.datasets import REFERENCE, dataset
from plainmark.errors import LanguageError, MissingResourceError
from plainmark.languages import LANGUAGES, language
from plainmark.languages.detection import detect

from . import help_pages
from .intervals import share

DETECTED = ("da", "de", "en", "es", "fr", "it", "ja", "nl", "pl", "pt", "ru", "sv")
LENGTHS = (40, 80)
TOGETHER = 5
Splitter = Callable[[str], list[str]]


def beginning(text: str, length: int) -> str:
    """The first words of a text, at least `length` characters."""
    end = text.find(" ", length)
    return text if end < 0 else text[:end]


def detectors() -> Iterator[tuple[str, Callable[[str], str]]]:
    """plainmark's detector and the other installed ones."""
    yield "plainmark", lambda text: detect(text).code
    try:
        langdetect = import_module("langdetect")
        langdetect.DetectorFactory.seed = 0
        yield "langdetect", lambda text: str(langdetect.detect(text)).split("-")[0]
    except ImportError:
        pass
    try:
        langid = import_module("py3langid")
        yield "py3langid", lambda text: str(langid.classify(text)[0])
    except ImportError:
        pass
    try:
        lingua = import_module("lingua").LanguageDetectorBuilder.from_all_languages().build()

        def by_lingua(text: str) -> str:
            detected = lingua.detect_language_of(text)
            return detected.iso_code_639_1.name.lower() if detected else ""

        yield "lingua", by_lingua
    except ImportError:
        pass


def measure_detection(folder: Path, count: int) -> None:
    """Shares of texts whose language is detected correctly, and of those that an English formula refuses."""
    english = help_pages.paragraphs(folder, "en")
    texts = {code: help_pages.sentences(folder, code, english, 20 * count) for code in DETECTED}
    programs = list(detectors())
    fkgl = pm.metric("fkgl")
    for length in LENGTHS:
        print(f"\nright in percent (95 % interval), {count} texts each, cut after {length} characters")
        print("language", *(name for name, _ in programs), "refused by fkgl", sep="\t")
        for code in DETECTED:
            needed = length // 2 if code == "ja" else length
            cut = [beginning(t, length) for t in texts[code] if len(t) >= needed][:count]
            row = [share(sum(call(t) == code for t in cut), len(cut)) for _, call in programs]
            print(code, *row, share(sum(_refuses(fkgl, t) for t in cut), len(cut)), sep="\t")


def _refuses(formula: Any, text: str) -> bool:
    try:
        formula.check(Corpus(None, [text]))
    except LanguageError:
        return True
    return False


def splitters(code: str) -> Iterator[tuple[str, Splitter | None]]:
    """plainmark's rules and the installed programs; None if a program does not support the language."""
    yield "plainmark", language(code).sentences
    try:
        pysbd = import_module("pysbd")
        try:
            yield "pysbd", pysbd.Segmenter(language=code, clean=False).segment
        except ValueError:
            yield "pysbd", None
    except ImportError:
        pass
    with suppress(ImportError):
        yield "nupunkt", import_module("nupunkt").sent_tokenize
    yield "every stop", re.compile(r"(?<=[.!?…])\s+").split


def f1(sentences: Sequence[str], split: Splitter) -> float:
    """F1 of the boundaries between sentences that were joined five at a time, in percent."""
    right = expected = predicted = 0
    for start in range(0, len(sentences) - TOGETHER + 1, TOGETHER):
        group = sentences[start : start + TOGETHER]
        places, known = _places(split(" ".join(group))), _places(group)
        right, expected, predicted = (
            right + len(places & known),
            expected + len(known),
            predicted + len(places),
        )
    return 200 * right / (expected + predicted)


def _places(sentences: Sequence[str]) -> set[int]:
    """The ends of sentences, in characters that are not white space, except the end of the text."""
    places, place = set(), 0
    for sentence in sentences:
        place += len("".join(sentence.split()))
        places.add(place)
    return places - {place}


def known_sentences(folder: Path, count: int) -> Iterator[tuple[str, str, list[str]]]:
    """Language, name and sentences of each set of texts."""
    english = help_pages.paragraphs(folder, "en")
    for code in LANGUAGES[1:]:
        yield code, "help pages", help_pages.sentences(folder, code, english, count)
    for code, name in (
        ("de", "textcomplexity_de"),
        ("fr", "readme_pp(language='fr')"),
        ("ru", "readme_pp(language='ru')"),
    ):
        try:
            corpora = dataset(name).corpora()
        except MissingResourceError as error:
            print(f"{name}: {error}")
            continue
        corpus = corpora.get(REFERENCE) or next(iter(corpora.values()))
        texts = [" ".join(str(s).split()) for s in corpus.outputs]
        yield code, name.partition("(")[0], [t for t in texts if t and help_pages.is_complete(t)]


def measure_sentences(folder: Path, count: int) -> None:
    """F1 of each program on each set of texts."""
    for code, name, sentences in known_sentences(folder, count):
        scores = {
            program: round(f1(sentences, split), 1) if split else None for program, split in splitters(code)
        }
        print(code, name, len(sentences), json.dumps(scores), sep="\t", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--help-pages", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--part", choices=("detection", "sentences"), required=True)
    parser.add_argument("--count", type=int, help="texts per language (default: 200 and 1,000)")
    options = parser.parse_args()
    if options.part == "detection":
        measure_detection(options.help_pages, options.count or 200)
    else:
        measure_sentences(options.help_pages, options.count or 1000)


if __name__ == "__main__":
    main()
