"""Sources of rules: files of pairs, PPDB's grammars, rules extracted from parallel text, WordNet.

The first line of a file shows its kind: `|||` separates the fields of a grammar, `# plainmark rules` begins a file that
`plainmark rules extract` wrote, and other files have pairs (two words with a tab between them) or lists (a word and its
synonyms), used in both directions. Malformed lines are counted, and the first of them is shown.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TextIO

import numpy as np

from ... import wordnet
from ...errors import InputError
from ...files import open_bytes, open_text
from ...lm import LanguageModel
from ..arrays import Ints, rank_in_group
from .building import RuleSource, build_table, phrase_keys
from .extraction import ExtractedRules, Phrase
from .features import PPDB, PPDB_2, rule_features
from .ppdb import read_rules
from .table import RuleTable
from .word_facts import DifficultyLexicon, WordFacts, WordForms

_HEADER = "# plainmark rules 1"
_LOG = logging.getLogger("plainmark")
Pair = tuple[Phrase, Phrase]
# The features by which rules are selected; the last one only if a file has it.
SELECTION_FEATURES = (
    "FormsShared", "FormsClash", "RarestDiff", "SameStem", "CommonOnly", "AGigaSim", "GoogleNgramSim",
    "PPDB2.0Score",
)  # fmt: skip


def file_kind(path: str) -> str:
    """The kind of a file, by its first line: "grammar", "extracted" or "pairs"."""
    with open_bytes(path) as lines:
        first = next((line for line in lines if line.strip()), b"")
    if not first:
        raise InputError(f"{path}: empty, expected rules.")
    return "grammar" if b"|||" in first else "extracted" if first.startswith(_HEADER.encode()) else "pairs"


def read_rule_file(path: str) -> RuleSource:
    """The rules of a file of any of the three kinds."""
    kind = file_kind(path)
    if kind == "grammar":
        return _read_grammar(path)
    with open_text(path) as lines:
        stream = iter(lines)
        whole = chain([next(line for line in stream if line.strip())], stream)
        return _read_extracted(path, whole) if kind == "extracted" else _read_pairs(path, whole)


def _read_grammar(path: str) -> RuleSource:
    """The rules without nonterminals; those with nonterminals are for the decoder of synchronous grammars."""
    rules = read_rules(path)
    pairs: dict[Pair, dict[str, float]] = {}
    structured = 0
    for rule in rules:
        if rule.changes_meaning:
            continue
        if rule.nonterminals:
            structured += 1
            continue
        pair = tuple(str(w).lower() for w in rule.source), tuple(str(w).lower() for w in rule.target)
        pairs.setdefault(pair, rule.features)
    if rules.problems:
        _LOG.warning(rules.problems)
    if structured:
        _LOG.warning(
            "%s: %d rules with nonterminals are left out; the lattice cannot use them.",
            path,
            structured,
        )
    if not pairs:
        raise InputError(f"{path}: no rule without nonterminals among {rules.read:,} lines.")
    names = (*PPDB, *(n for n in PPDB_2 if any(n in f for f in pairs.values())))
    features = np.array([[f.get(n, 0.0) for n in names] for f in pairs.values()], dtype=np.float32)
    return RuleSource("ppdb", list(pairs), names, features)


def _read_pairs(path: str, lines: Iterable[str]) -> RuleSource:
    pairs: dict[Pair, None] = {}
    bad, read, problem = 0, 0, ""
    for number, line in enumerate(lines, 1):
        words = line.lower().split("\t") if "\t" in line else line.lower().split()
        words = [w.strip() for w in words if w.strip()]
        if not words:
            continue
        read += 1
        if len(words) < 2 or any("\0" in w for w in words):
            bad += 1
            problem = problem or f"line {number} is {line.strip()[:60]!r}, expected a word and its synonyms"
            continue
        first = tuple(words[0].split())
        for word in words[1:]:
            other = tuple(word.split())
            if other != first:
                pairs[first, other] = pairs[other, first] = None
    if not pairs:
        raise InputError(f"{path}: no pairs of words among {read:,} lines.")
    if bad:
        _LOG.warning(
            "%s: %s of %s lines are no pairs and left out; %s.", path, f"{bad:,}", f"{read:,}", problem
        )
    return RuleSource("ppdb", sorted(pairs))


def write_extracted(file: TextIO, extracted: ExtractedRules, name: str) -> None:
    """Write extracted rules as readable lines: source, target, count, source count, sentence:share ..."""
    file.write(f"{_HEADER} set={name}\n")
    keys, many = extracted.spans
    known = dict(zip(keys.tolist(), many.tolist(), strict=True))
    source_counts = [known.get(k, 0.0) for k in phrase_keys(extracted.sources).tolist()]
    totals = extracted.totals
    for r, (f, e) in enumerate(zip(extracted.sources, extracted.targets, strict=True)):
        k = slice(extracted.offsets[r], extracted.offsets[r + 1])
        seen = zip(extracted.sentences[k].tolist(), extracted.counts[k].tolist(), strict=True)
        evidence = " ".join(f"{s:x}:{c:.4g}" for s, c in seen)
        file.write(f"{' '.join(f)}\t{' '.join(e)}\t{totals[r]:.4g}\t{source_counts[r]:.4g}\t{evidence}\n")


def _read_extracted(path: str, lines: Iterator[str]) -> RuleSource:
    name = next(lines).rpartition("set=")[2].strip() or "extracted"
    rows: list[tuple[Phrase, Phrase, float, list[tuple[int, float]]]] = []
    bad, problem = 0, ""
    for number, line in enumerate(lines, 2):
        try:
            f, e, _, source_count, evidence = line.rstrip("\r\n").split("\t")
            seen = [(int(s, 16), float(c)) for s, _, c in (x.partition(":") for x in evidence.split())]
            if not f.strip() or not seen or any(not 0 <= s < 2**64 for s, _ in seen):
                raise ValueError
            rows.append((tuple(f.split()), tuple(e.split()), float(source_count), seen))
        except ValueError:
            bad += 1
            problem = problem or f"line {number} is {line.strip()[:60]!r}"
    if not rows:
        raise InputError(f"{path}: no rules in it; make them with: plainmark rules extract PAIRS -o {path}.")
    if bad:
        _LOG.warning("%s: %s lines are no rules and left out; the first: %s.", path, f"{bad:,}", problem)
    keys, first = np.unique(phrase_keys([r[0] for r in rows]), return_index=True)
    extracted = ExtractedRules(
        [r[0] for r in rows],
        [r[1] for r in rows],
        np.concatenate([[0], np.cumsum([len(r[3]) for r in rows])]).astype(np.int64),
        np.array([s for r in rows for s, _ in r[3]], dtype=np.uint64),
        np.array([c for r in rows for _, c in r[3]], dtype=np.float32),
        (keys, np.array([rows[i][2] for i in first], dtype=np.float32)),
    )
    return from_extracted(name, extracted)


def from_extracted(name: str, extracted: ExtractedRules) -> RuleSource:
    """Extracted rules as a source of a table."""
    return RuleSource(name, list(zip(extracted.sources, extracted.targets, strict=True)), extracted=extracted)


def without_harder_rules(
    source: RuleSource, model: LanguageModel, lexicon: DifficultyLexicon, *, most: int = 15
) -> RuleSource:
    """The rules of a source that has no counts, without those that make a text harder or do not fit the same context.

    The selection depends only on the rules: if it used counts, a rule would reveal the sentence it was counted in.
    """
    table = build_table([source])
    table = rule_features(table, WordFacts.of(table.words, model, lexicon), model, WordForms.of(table.words))

    rows = best_rules(table, most)
    pairs = [tuple(tuple(side.split()) for side in table.text(int(r))) for r in rows]
    columns = np.array([table.names.index(n) for n in source.names])
    features = table.features[np.ix_(rows, columns)] if source.names else None
    return RuleSource(source.origin, pairs, source.names, features)  # type: ignore[arg-type]


def best_rules(table: RuleTable, most: int, among: Ints | None = None) -> Ints:
    """The best rules for each source phrase, out of those that do not make a text harder and fit the same context."""

    def column(name: str) -> np.ndarray:
        return table.features[:, table.names.index(name)]

    merit = (
        0.01 * column("FormsShared")
        + 0.002 * np.clip(column("RarestDiff"), -4, 4)
        - 0.01 * column("SameStem")
    )
    merit += 0.1 * column("AGigaSim") + 0.1 * column("GoogleNgramSim")
    if "PPDB2.0Score" in table.names:
        merit += 0.05 * column("PPDB2.0Score")  # fitted to human ratings from about 1 to 6
    bad = (column("FormsClash") > 0) | (column("RarestDiff") < -1.5) | (column("CommonOnly") > 0)
    rows = np.arange(len(table)) if among is None else among
    order = rows[np.lexsort((rows, -merit[rows], table.keys[rows]))]
    rank = np.full(len(table), most)
    rank[order] = rank_in_group(table.keys[order])
    return np.flatnonzero((rank < most) & ~bad)


def without_rare_rules(table: RuleTable, *, most: int = 20) -> RuleTable:
    """The table without rules that were counted but hardly ever used; common words have many of them."""
    share = (table.counts / (table.source_counts + 1)).sum(axis=1)
    order = np.lexsort((np.arange(len(table)), -share, table.keys))
    rank = np.empty(len(table), np.int64)
    rank[order] = rank_in_group(table.keys[order])
    counted = (table.origin & ~np.uint16(table.counting_bits)) == 0
    common = table.features[:, table.names.index("CommonOnly")] > 0
    often = table.source_counts.sum(axis=1) > 300
    rare = (rank >= most) | (common & (share < 0.004)) | (often & (share < 0.01))
    return table.subset(np.flatnonzero(~(counted & rare)))


def wordnet_names(words: Sequence[str]) -> list[str]:
    """The words that WordNet always capitalises; empty if WordNet is not installed."""
    if wordnet.find() is None:
        return []
    net = wordnet.load()

    def is_name(word: str) -> bool:
        spelled = [w for s in net.synsets(word) for w in s.words if w.lower() == word]
        return bool(spelled) and not any(w.islower() for w in spelled)

    return [w for w in words if w.isalpha() and is_name(w)]
