"""The features of rules by name: the 33 of PPDB, the 9 for simplification of Xu et al. 2016, and a few more.

Features that depend only on the two phrases are computed in this module; those of PPDB's corpora (p(e|f), AGigaSim, ...)
come from its files, and are 0 for rules of other origins. A difference is the value of the target minus that of the source,
as in PPDB: in the authors' released configuration, the initial weights are -0.5 for the four differences in syllables,
letters and hard words, and 1 for GigaLMDiff. docs/scfg.md has the definitions and the reasons for them.
Reference: Xu et al. 2016, Optimizing Statistical Machine Translation for Text Simplification, TACL 4, section 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import kernels
from ...lm import LanguageModel
from ..arrays import Flags, Reals
from .table import Phrases, RuleTable, ones
from .word_facts import WordFacts, WordForms

PPDB = (
    "Abstract", "Adjacent", "CharCountDiff", "CharLogCR", "ContainsX", "GlueRule", "Identity", "Lex(e|f)", "Lex(f|e)",
    "Lexical", "LogCount", "Monotonic", "PhrasePenalty", "RarityPenalty", "SourceTerminalsButNoTarget", "SourceWords",
    "TargetTerminalsButNoSource", "TargetWords", "UnalignedSource", "UnalignedTarget", "WordCountDiff", "WordLenDiff",
    "WordLogCR", "p(LHS|e)", "p(LHS|f)", "p(e|LHS)", "p(e|f)", "p(e|f,LHS)", "p(f|LHS)", "p(f|e)", "p(f|e,LHS)",
    "AGigaSim", "GoogleNgramSim",
)  # fmt: skip
SIMPLIFICATION = (
    "SourceMaxWordSyl", "TargetMaxWordSyl", "MaxWordSylDiff", "MaxDiffWordSylDiff", "MaxDiffWordLenDiff",
    "HardWordDiff", "SourceGigaLM", "TargetGigaLM", "GigaLMDiff",
)  # fmt: skip
# Additional features of PPDB 2.0; a table has them only if a file does.
PPDB_2 = (
    "PPDB2.0Score", "PPDB1.0Score", "MVLSASim", "Equivalence", "ForwardEntailment", "ReverseEntailment", "Exclusion",
    "OtherRelated", "Independent",
)  # fmt: skip
EXTRA = (
    "Deletion", "Dropped", "New", "FrequencyDiff", "RarestDiff", "DifficultyDiff", "HardestDiff", "SourceDifficulty",
    "SourceFrequency", "FormsShared", "FormsClash", "SameStem", "SamePrefix", "Marks", "CommonOnly", "Cosine",
)  # fmt: skip
RULE_FEATURES = (*PPDB, *SIMPLIFICATION, *EXTRA)

# These depend only on the phrases; in a file, they have the same values.
_COMPUTED = frozenset(
    "CharCountDiff CharLogCR Lexical Monotonic PhrasePenalty SourceWords TargetWords WordCountDiff WordLenDiff "
    "WordLogCR".split()
) | {*SIMPLIFICATION, *EXTRA}


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Unit vectors of words, by an encoder."""

    words: Mapping[str, int]
    values: NDArray[np.floating[Any]]


def rule_features(
    table: RuleTable,
    facts: WordFacts,
    model: LanguageModel,
    forms: WordForms | None = None,
    vectors: WordVectors | None = None,
    gaps: tuple[Flags, Flags] | None = None,
) -> RuleTable:
    """The table with all of RULE_FEATURES; `facts` and `forms` belong to the table's words, `vectors` to any words.

    `gaps` says for each word of the sources and of the targets whether a nonterminal precedes it.
    """
    from_file = {name: table.features[:, k] for k, name in enumerate(table.names)}
    computed = (
        _from_phrases(table, facts)
        | _from_words(table, facts)
        | _from_model(table, model, gaps)
        | _agreement(table, forms, vectors)
    )
    zero = np.zeros(len(table), np.float32)
    columns = [computed[n] if n in _COMPUTED else from_file.get(n, zero) for n in RULE_FEATURES]
    others = [n for n in table.names if n not in RULE_FEATURES]
    matrix = np.stack([*columns, *(from_file[n] for n in others)], axis=1)
    return table.with_features((*RULE_FEATURES, *others), matrix)


def _from_phrases(table: RuleTable, facts: WordFacts) -> dict[str, Reals]:
    f, e = table.sources, table.targets
    nf, ne = f.lengths.astype(np.float32), e.lengths.astype(np.float32)
    # Characters with the spaces between words, as PPDB counts them.
    cf = _sum(facts.letters, f) + np.maximum(nf - 1, 0)
    ce = _sum(facts.letters, e) + np.maximum(ne - 1, 0)
    ones_column = np.ones(len(table), np.float32)
    return {
        "CharCountDiff": ce - cf,
        "CharLogCR": np.log(np.maximum(ce, 1) / np.maximum(cf, 1)),
        "Lexical": ones_column,
        "Monotonic": ones_column,
        "PhrasePenalty": ones_column,
        "SourceWords": nf,
        "TargetWords": ne,
        "WordCountDiff": ne - nf,
        "WordLenDiff": _mean(facts.letters, e) - _mean(facts.letters, f),
        "WordLogCR": np.log(np.maximum(ne, 1) / np.maximum(nf, 1)),
        "Deletion": (ne == 0).astype(np.float32),
        "Dropped": table.dropped_counts.astype(np.float32),
        "New": table.new_counts.astype(np.float32),
    }


def _from_words(table: RuleTable, facts: WordFacts) -> dict[str, Reals]:
    f, e = table.sources, table.targets
    gone = (
        e.lengths == 0
    )  # a deletion has no difference in difficulty, because no word is easier than an empty phrase

    def both(values: Reals, aggregate: str) -> tuple[Reals, Reals]:
        pick = {"max": _max, "mean": _mean, "sum": _sum}[aggregate]
        source, target = pick(values, f), pick(values, e)
        return source, np.where(gone, source, target)

    def of_changed_words(values: Reals) -> Reals:
        """The difference between the largest value of the new words of the target and that of the words they replace."""
        excess: Reals = np.maximum(_max(values, e, table.is_new) - _max(values, f, table.is_dropped), 0)
        return np.where(gone, np.float32(0), excess)

    syllables_f, syllables_e = both(facts.syllables, "max")
    hard_f, hard_e = both(facts.hard.astype(np.float32), "mean")
    mean_f, mean_e = both(facts.frequency, "mean")
    rare_f, rare_e = both(-facts.frequency, "max")
    difficulty_f, difficulty_e = both(facts.difficulty, "mean")
    hardest_f, hardest_e = both(facts.difficulty, "max")
    marks = (~facts.alphabetic & ~facts.digits).astype(np.float32)
    return {
        "SourceMaxWordSyl": syllables_f,
        "TargetMaxWordSyl": syllables_e,
        "MaxWordSylDiff": syllables_e - syllables_f,
        "MaxDiffWordSylDiff": of_changed_words(facts.syllables),
        "MaxDiffWordLenDiff": of_changed_words(facts.letters),
        "HardWordDiff": hard_e - hard_f,
        "FrequencyDiff": mean_e - mean_f,
        "RarestDiff": rare_f - rare_e,
        "DifficultyDiff": difficulty_f - difficulty_e,
        "HardestDiff": hardest_f - hardest_e,
        "SourceDifficulty": hardest_f,
        "SourceFrequency": mean_f,
        "Marks": _sum(marks, f) + _sum(marks, e),
        "CommonOnly": (_mean(facts.common.astype(np.float32), f) == 1).astype(np.float32),
    }


def _from_model(table: RuleTable, model: LanguageModel, gaps: tuple[Flags, Flags] | None) -> dict[str, Reals]:
    """The language model's features of the two phrases; a deletion has no difference."""
    before = (None, None) if gaps is None else gaps
    source, target = (
        _log_probability(table.words, phrases, model, gap)
        for phrases, gap in zip((table.sources, table.targets), before, strict=True)
    )
    target = np.where(table.targets.lengths == 0, source, target)
    return {"SourceGigaLM": source, "TargetGigaLM": target, "GigaLMDiff": target - source}


def _log_probability(
    words: Sequence[str], phrases: Phrases, model: LanguageModel, gap: Flags | None
) -> Reals:
    """log10 P of each phrase; the words after a gap form a phrase of their own, and the values are added."""
    starts = np.zeros(len(phrases.ids) + 1, dtype=np.bool_) if gap is None else np.append(gap, False)
    starts[phrases.offsets] = True
    first = np.flatnonzero(starts[:-1])
    texts = [words[w] for w in phrases.ids.tolist()]
    # a word made of spaces would not be a token
    pieces = [
        " ".join(w if w.strip() else "?" for w in texts[a:b])
        for a, b in pairwise([*first.tolist(), len(texts)])
    ]
    owner = np.searchsorted(phrases.offsets, first, side="right") - 1
    return np.bincount(owner, model.score(pieces, sentence=False), len(phrases)).astype(np.float32)


def _agreement(table: RuleTable, forms: WordForms | None, vectors: WordVectors | None) -> dict[str, Reals]:
    """How the words of a rule from one word to one word are related in form and, with vectors, in meaning."""
    single = np.flatnonzero((table.sources.lengths == 1) & (table.targets.lengths == 1))
    a = table.sources.ids[table.sources.offsets[:-1][single]]
    b = table.targets.ids[table.targets.offsets[:-1][single]]
    shared, clash, stem, prefix, cosine = (np.zeros(len(table), np.float32) for _ in range(5))
    if forms is not None:
        common = ones(forms.bits[a] & forms.bits[b])
        own = np.maximum(ones(forms.bits[a]), 1)
        known = (forms.bits[a] > 0) & (forms.bits[b] > 0)
        shared[single] = common / own
        clash[single] = known & (common == 0)
    used = np.unique(np.concatenate([a, b]))
    stems = {int(w): kernels.stem(table.words[w]) for w in used}
    stem[single] = [stems[x] == stems[y] for x, y in zip(a.tolist(), b.tolist(), strict=True)]
    prefix[single] = [
        table.words[x][:4] == table.words[y][:4] for x, y in zip(a.tolist(), b.tolist(), strict=True)
    ]
    if vectors is not None:
        rows = np.array([vectors.words.get(w, -1) for w in table.words], dtype=np.int64)
        both = np.flatnonzero((rows[a] >= 0) & (rows[b] >= 0))
        for start in range(0, len(both), 50_000):
            part = both[start : start + 50_000]
            left, right = (vectors.values[rows[side[part]]].astype(np.float32) for side in (a, b))
            cosine[single[part]] = np.einsum("ij,ij->i", left, right)
    return {
        "FormsShared": shared,
        "FormsClash": clash,
        "SameStem": stem,
        "SamePrefix": prefix,
        "Cosine": cosine,
    }


def _sum(values: Reals, phrases: Phrases) -> Reals:
    before = np.concatenate([[0], np.cumsum(values[phrases.ids].astype(np.float64))])
    sums: Reals = (before[phrases.offsets[1:]] - before[phrases.offsets[:-1]]).astype(np.float32)
    return sums


def _mean(values: Reals, phrases: Phrases) -> Reals:
    return (_sum(values, phrases) / np.maximum(phrases.lengths, 1)).astype(np.float32)


def _max(values: Reals, phrases: Phrases, among: Flags | None = None) -> Reals:
    """The largest value of each phrase's words, or of some of them; 0 if there are none."""
    out = np.zeros(len(phrases), np.float32)
    filled = np.flatnonzero(phrases.lengths)
    if len(filled):
        of_words = values[phrases.ids] if among is None else np.where(among, values[phrases.ids], 0)
        out[filled] = np.maximum.reduceat(of_words, phrases.offsets[:-1][filled])
    return out
