"""Combines rules from several sources in one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Hashes, Ints, Reals, look_up, offsets_of
from .extraction import ExtractedRules, Phrase
from .table import LONGEST, Evidence, Phrases, RuleTable, phrase_hashes


def phrase_keys(phrases: Sequence[Phrase]) -> Hashes:
    """The hashes of phrases that are given as words."""
    words = sorted({w for p in phrases for w in p})
    return phrase_hashes(words, _phrases(phrases, {w: i for i, w in enumerate(words)}))


@dataclass(frozen=True, eq=False)
class RuleSource:
    """Rules of one origin, before they are put into a table; `names` and `features` are specific to the origin."""

    origin: str
    pairs: Sequence[tuple[Phrase, Phrase]]
    names: tuple[str, ...] = ()
    features: Reals | None = None
    extracted: ExtractedRules | None = None  # counts for the same pairs, in the same order


def build_table(sources: Sequence[RuleSource]) -> RuleTable:
    """One table of all rules; a rule of several origins occurs once, with the features and counts of each."""
    rows: dict[tuple[Phrase, Phrase], int] = {}
    for source in sources:
        for f, e in source.pairs:
            if f != e and 0 < len(f) <= LONGEST and len(e) <= 255:
                rows.setdefault((f, e), len(rows))
    rules = list(rows)
    words = tuple(sorted({w for f, e in rules for w in (*f, *e)}))
    number = {w: i for i, w in enumerate(words)}
    f_side = _phrases([f for f, _ in rules], number)
    e_side = _phrases([e for _, e in rules], number)
    keys = phrase_hashes(words, f_side)
    by_text = sorted(range(len(rules)), key=rules.__getitem__)
    rank = np.empty(len(rules), np.int64)
    rank[by_text] = np.arange(len(rules))
    order = np.lexsort((rank, keys)).astype(np.int64)
    place = np.empty(len(rules), np.int64)
    place[order] = np.arange(len(rules))

    names = tuple(dict.fromkeys(n for s in sources for n in s.names))
    features = np.zeros((len(rules), len(names)), np.float32)
    origins = tuple(dict.fromkeys(s.origin for s in sources))
    origin = np.zeros(len(rules), np.uint16)
    sets = tuple(dict.fromkeys(s.origin for s in sources if s.extracted is not None))
    counts = np.zeros((len(rules), len(sets)), np.float32)
    source_counts = np.zeros((len(rules), len(sets)), np.float32)
    seen: list[tuple[Ints, Hashes, int, Reals]] = []
    for source in sources:
        rows_used = [k for k, pair in enumerate(source.pairs) if pair in rows]
        at = place[[rows[source.pairs[k]] for k in rows_used]] if rows_used else np.zeros(0, np.int64)
        origin[at] |= np.uint16(1 << origins.index(source.origin))
        if source.features is not None:
            columns = np.array([names.index(n) for n in source.names])
            features[np.ix_(at, columns)] = source.features[rows_used]
        if source.extracted is not None:
            column = sets.index(source.origin)
            counts[at, column] += source.extracted.totals[rows_used]
            # Counts cover all rules, seen in the set or not: it is also evidence that a phrase occurred and was not
            # rewritten in this way.
            source_counts[:, column] += look_up(*source.extracted.spans, keys[order])
            lengths = np.diff(source.extracted.offsets)[rows_used]
            inner = offsets_of(lengths)
            k = np.arange(inner[-1]) + np.repeat(
                source.extracted.offsets[:-1][rows_used] - inner[:-1], lengths
            )
            seen.append(
                (np.repeat(at, lengths), source.extracted.sentences[k], column, source.extracted.counts[k])
            )
    return RuleTable(
        words,
        f_side.take(order),
        e_side.take(order),
        names,
        features,
        origins,
        origin,
        sets,
        counts,
        source_counts,
        _evidence(seen, len(rules)),
        keys[order],
    )


def _phrases(phrases: Sequence[Phrase], number: dict[str, int]) -> Phrases:
    ids = np.array([number[w] for p in phrases for w in p], dtype=np.int32)
    return Phrases(ids, offsets_of(np.array([len(p) for p in phrases], dtype=np.int64)))


def _evidence(seen: list[tuple[Ints, Hashes, int, Reals]], rules: int) -> Evidence:
    if not seen:
        return Evidence.none(rules)
    rule = np.concatenate([s[0] for s in seen])
    sets = np.concatenate([np.full(len(s[0]), s[2], np.uint8) for s in seen])
    order = np.argsort(rule, kind="stable")
    return Evidence(
        offsets_of(np.bincount(rule, minlength=rules)),
        np.concatenate([s[1] for s in seen])[order],
        sets[order],
        np.concatenate([s[3] for s in seen])[order],
    )
