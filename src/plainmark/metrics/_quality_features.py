"""The named features of `quality`: what a text looks like, what became of the source, and what an encoder says of both.

Every feature is a number that a person can check. Those of one text are computed for sources and outputs alike; the model
uses the output's and the gain over the source's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from .. import kernels, lm, models, text
from ..data import Corpus
from ..faithfulness.risk import FEATURES as WORD_EVIDENCE
from ..faithfulness.risk import by_entries, evidence
from ..kernels import COUNT_COLUMNS, Ints, Tokens
from ..metric import Floats, divide
from ..models import TokenVectors, plain_encoder
from ..models.plain_encoder import QUESTIONS, PlainEncoder
from ..punkt import split_sentences
from ..syllables import count_words
from ..wordlists import ranks
from ._kept import ComparedSample, compared_samples
from .entailment import nearest_sentences
from .lexical_complexity import log_ranks

_LONGER = 3.0  # times as long as the source and more is all the same
_UNLISTED = 40_000  # the rank of words that the list of frequent words does not have
_COMMONEST = 1000

# Patterns that are counted per word, in lower case.
_PATTERNS = {
    "commas": r"[,;:]",
    "brackets": r"[(\[]|-lrb-",
    "relatives": r"\b(?:which|who|whom|whose|that|where)\b",
    "linking": r"\b(?:although|though|while|whereas|because|since|if|unless|until|after|before|when|as)\b",
    "be": r"\b(?:is|are|was|were|be|been|being)\b",
    "pronouns": r"\b(?:he|she|it|they|him|her|them|his|their|its|this|these)\b",
    "ing": r"\b[a-z]{2,}ing\b",
    "nominal": r"\b[a-z]{3,}(?:tion|sion|ment|ness|ity|ance|ence|ism)s?\b",
    "hyphens": r"\w-\w",
    "digits": r"\d+",
    "of": r"\b(?:of|by|with|from|within|upon)\b",
}
_COMPILED = {name: re.compile(pattern) for name, pattern in _PATTERNS.items()}

TEXT = (
    *("words", "sentences", "sentence_length", "longest_sentence", "syllables", "letters", "long_words", "polysyllables"),
    *("unfamiliar", "grade", "rank", "rank_high", "rank_highest", "unlisted", "common", "surprise", "bits"),
    *_PATTERNS,
)  # fmt: skip
PAIR = (
    *(
        "length_ratio",
        "letters_ratio",
        "shorter",
        "longer",
        "similarity",
        "words_kept",
        "words_old",
        "pairs_kept",
        "pairs_old",
    ),
    *("copy", "sentence_ratio", "repeated_words", "repeated_pairs"),
)
FACTS = (
    *(
        "facts_lost",
        "facts_new",
        "facts_changed",
        "facts_checked",
        "facts_recall",
        "facts_precision",
        "alarm",
    ),
    *(name.replace(" ", "_") for name in WORD_EVIDENCE),
)
WRITING = ("faults", "new_surprise")
MATCHES = (
    *("precision", "recall", "f1", "cosine"),
    *("low_precision", "low_recall", "least_precision", "least_recall"),
    *("stretch_precision", "stretch_recall"),
)
JUDGED = tuple(f"judged_{name}" for name in QUESTIONS)
NEAREST = (
    "similarity",
    "words_kept",
    "words_old",
    "pairs_kept",
    "pairs_old",
)  # of PAIR, to the nearest reference

_LONGEST = 80  # words of a text that the encoder judges as a whole
_CERTAIN = 1e-4  # probabilities nearer to 0 or 1 than this are all the same

_ROWS = 1024  # token vectors of one text that are compared at one time
_LOW = 0.1  # a quantile of the tokens' best matches
_STRETCH = 16  # tokens of a stretch of text
_LOW_STRETCH = 0.25  # a quantile of the stretches' mean matches

_ENDED = re.compile(r"""[.!?]['")\]\s]*$""")
_DOUBLED = re.compile(r"\b([a-z]+) \1\b")
_MARKS = re.compile(r"\bunk\b|[<>#@*~|]")
_STOPS = re.compile(r"[,;.] ?[,;]|[,;] ?[.]")


def names(encoder: str, references: bool) -> tuple[str, ...]:
    """The columns of `rows`."""
    matches, judged = (MATCHES, JUDGED) if encoder != "none" else ((), ())
    nearest = (*NEAREST, *matches) if references else ()
    return (
        *(f"output_{name}" for name in TEXT),
        *(f"gain_{name}" for name in TEXT),
        *(*PAIR, *WRITING, *FACTS, *matches, *judged),
        *(f"reference_{name}" for name in nearest),
    )


def rows(corpus: Corpus, encoder: str, references: bool) -> Floats:
    """All features of each sample."""
    sources, outputs = corpus.texts("source"), corpus.outputs
    before = corpus.remember("source", "quality text features", lambda: text_features(sources))
    after = text_features(outputs)
    parts = [after, after - before, pair_features(sources, outputs), writing_features(sources, outputs)]
    parts.append(fact_features(corpus))
    if encoder != "none":
        parts += [matches(sources, outputs, encoder), judgements(sources, outputs)]
    if references:
        parts.append(reference_features(corpus, encoder))
    return np.hstack(parts)


def reference_features(corpus: Corpus, encoder: str) -> Floats:
    """How near each output is to the nearest of its references, the nearest by each feature."""
    counts = np.diff(corpus.reference_offsets())
    texts = corpus.texts("references")
    repeated = np.repeat(np.array(corpus.outputs, dtype=object), counts).tolist()
    nearest = [pair_features(texts, repeated)[:, [PAIR.index(name) for name in NEAREST]]]
    if encoder != "none":
        nearest.append(matches(texts, repeated, encoder))
    return np.asarray(np.maximum.reduceat(np.hstack(nearest), corpus.reference_offsets()[:-1], axis=0))


def text_features(texts: Sequence[str]) -> Floats:
    """What each text looks like, shape (texts, len(TEXT)); 0 for a text without words."""
    texts = [t.lower() for t in texts]
    counts = dict(zip(COUNT_COLUMNS, count_words(texts).T.astype(np.float64), strict=True))
    n, sentences = counts["words"], np.maximum(counts["sentences"], 1)
    tokens = kernels.tokenize(texts, "plain")
    rank = ranks(tokens.hashes)
    content = ~np.isnan(log_ranks(tokens.hashes)) | (rank < 0)
    log_rank = np.log(np.where(rank < 0, _UNLISTED, rank) + 10.0)
    mean, high, highest = _spread(log_rank[content], tokens.count(content))
    losses, tokens_seen = lm.embedded().log_likelihood(texts)
    length = np.array([len(t.strip()) for t in texts], np.float64)
    rows = [
        np.log1p(n),
        np.log(sentences),
        np.log1p(n / sentences),
        np.log1p(_longest_sentence(texts)),
        *(divide(counts[name], n, 0.0) for name in ("syllables", "letters", "long_words", "polysyllables", "unfamiliar")),
        0.39 * n / sentences + 11.8 * divide(counts["syllables"], n, 0.0),
        mean,
        high,
        highest,
        divide(tokens.count(rank < 0).astype(np.float64), n, 0.0),
        divide(tokens.count((rank >= 0) & (rank < _COMMONEST)).astype(np.float64), n, 0.0),
        divide(losses, np.asarray(tokens_seen, np.float64), 0.0),
        divide(losses, length, 0.0),
        *(divide(np.array([len(p.findall(t)) for t in texts], np.float64), n, 0.0) for p in _COMPILED.values()),
    ]  # fmt: skip
    return np.column_stack(rows)


def pair_features(sources: Sequence[str], outputs: Sequence[str]) -> Floats:
    """How much of the source's wording is left, shape (texts, len(PAIR))."""
    sources, outputs = ([t.lower() for t in texts] for texts in (sources, outputs))
    letters_ratio = [min(len(b) / max(len(a), 1), _LONGER) for a, b in zip(sources, outputs, strict=True)]
    source, output = (kernels.tokenize(texts, "plain") for texts in (sources, outputs))
    a, b = source.lengths.astype(np.float64), output.lengths.astype(np.float64)
    ratio = np.log((b + 1) / (a + 1))
    letters = [kernels.tokenize(texts, "all-char") for texts in (sources, outputs)]
    common = kernels.lcs(letters[0], letters[1]).astype(np.float64)
    shared = kernels.overlap(kernels.ngrams(source, 2), kernels.ngrams(output, 2)).reshape(len(a), -1)
    counts = [np.maximum(np.array([side.lengths, side.lengths - 1.0]), 0) for side in (source, output)]
    sentences = count_words([*sources, *outputs])[:, COUNT_COLUMNS.index("sentences")].reshape(2, -1)
    return np.column_stack(
        [
            ratio,
            letters_ratio,
            np.maximum(-ratio, 0),
            np.maximum(ratio, 0),
            divide(2 * common, (letters[0].lengths + letters[1].lengths).astype(np.float64), 1.0),
            *(
                divide(shared[:, k], counts[side][k], 1.0)
                for k in range(2)
                for side in range(2)
            ),
            [float(x.split() == y.split()) for x, y in zip(sources, outputs, strict=True)],
            np.log(np.maximum(sentences[1], 1) / np.maximum(sentences[0], 1)),
            *(1 - divide(_types(output, order), counts[1][order - 1], 1.0) for order in (1, 2)),
        ]
    )  # fmt: skip


def writing_features(sources: Sequence[str], outputs: Sequence[str]) -> Floats:
    """Faults of form, and the surprise per word that word pairs bring in which the source does not have."""
    faults = np.array([_faults(a.lower(), b.lower()) for a, b in zip(sources, outputs, strict=True)], float)
    before, after = (text.words(list(texts), "nltk-plain", lowercase=True) for texts in (sources, outputs))
    losses = np.split(lm.embedded().losses(after), np.cumsum([len(words) for words in after])[:-1])
    surprise = []
    for old, new, loss in zip(before, after, losses, strict=True):
        known = set(zip(["", *old], old, strict=False))
        fresh = [pair not in known for pair in zip(["", *new], new, strict=False)]
        surprise.append(float(loss[fresh].sum()) / max(len(new), 1))
    return np.column_stack([faults, surprise])


def _faults(source: str, output: str) -> int:
    """How many kinds of faults: no mark at the end, an open bracket, a doubled word, marks or stops that the source lacks."""
    return sum(
        (
            bool(_ENDED.search(source)) and not _ENDED.search(output),
            output.count("(") > output.count(")"),
            bool(_DOUBLED.search(output)),
            len(_MARKS.findall(output)) > len(_MARKS.findall(source)),
            len(_STOPS.findall(output)) > len(_STOPS.findall(source)),
        )
    )


def fact_features(corpus: Corpus) -> Floats:
    """What became of the facts and words of the sources, shape (samples, len(FACTS))."""
    rows = [_facts(sample) for sample in compared_samples(corpus)]
    return np.array(rows).reshape(len(corpus), len(FACTS))


def _facts(sample: ComparedSample) -> list[float]:
    entries = sample.ledger.entries
    rows, _ = evidence(sample.pair)
    before, after = sum(e.before is not None for e in entries), sum(e.after is not None for e in entries)
    kept = sum(e.verdict == "same" for e in entries)
    counts = [sum(e.verdict == verdict for e in entries) for verdict in ("gone", "new", "changed", "check")]
    return [
        *np.log1p(counts),
        kept / before if before else 1.0,
        kept / after if after else 1.0,
        by_entries(entries),
        *np.log1p(np.nan_to_num(rows).sum(axis=0)),
    ]


def _types(tokens: Tokens, order: int) -> Floats:
    """How many different n-grams of one length each text has."""
    grams = kernels.ngrams(tokens, order)
    offsets = grams.offsets.reshape(-1)
    per_order = np.diff(offsets).reshape(len(tokens), order)
    return per_order[:, order - 1].astype(np.float64)


def _spread(values: Floats, counts: Ints) -> tuple[Floats, Floats, Floats]:
    """Mean, third quartile and maximum of consecutive runs of values; 0 for an empty run."""
    n = len(counts)
    run = np.repeat(np.arange(n), counts)
    mean = divide(np.bincount(run, values, minlength=n).astype(np.float64), counts.astype(np.float64), 0.0)
    order = np.lexsort((values, run))
    ends = np.cumsum(counts)
    padded = np.append(values[order], 0.0)
    some = counts > 0
    third = np.where(some, ends - counts + (3 * (counts - 1)) // 4, len(values))
    last = np.where(some, ends - 1, len(values))
    return mean, padded[third], padded[last]


def _longest_sentence(texts: Sequence[str]) -> Floats:
    """Words of the longest sentence, where a sentence ends with a full stop and a space."""
    return np.array(
        [max(len(s.split()) for s in re.split(r"[.!?]['\")]*(?:\s|$)", t)) for t in texts], np.float64
    )


def judgements(sources: Sequence[str], outputs: Sequence[str]) -> Floats:
    """What the encoder says of each pair, in log-odds, shape (texts, len(JUDGED)); 0 for an empty text.

    It was trained on sentences: of a long text, each sentence of the output is judged beside the two sentences of the source
    that are nearest to it, and the mean counts.
    """
    encoder = plain_encoder.load()
    pieces = [_pieces(a, b, encoder) for a, b in zip(sources, outputs, strict=True)]
    flat = [pair for own in pieces for pair in own]
    answers = encoder.pairs([a for a, _ in flat], [b for _, b in flat])
    probable = np.clip(np.column_stack([answers[name] for name in QUESTIONS]), _CERTAIN, 1 - _CERTAIN)
    odds = np.log(probable / (1 - probable))
    counts = np.array([len(own) for own in pieces], dtype=np.int64)
    owner = np.repeat(np.arange(len(pieces)), counts)
    sums: Floats = np.zeros((len(pieces), len(QUESTIONS)))
    np.add.at(sums, owner, odds)
    return sums / np.maximum(counts, 1)[:, None]


def _pieces(source: str, output: str, encoder: PlainEncoder) -> list[tuple[str, str]]:
    """A short pair as it is; the sentences of a long output, each with the nearest of the source."""
    if not source.strip() or not output.strip():
        return []
    if max(len(source.split()), len(output.split())) <= _LONGEST:
        return [(source, output)]
    a, b = (split_sentences(text) for text in (source, output))
    similarity = encoder.embed(b) @ encoder.embed(a).T
    return [(nearest_sentences(a, row)[-1], sentence) for sentence, row in zip(b, similarity, strict=True)]


def matches(sources: Sequence[str], outputs: Sequence[str], encoder: str) -> Floats:
    """How well the tokens of each text find their like in the other, shape (texts, len(MATCHES)); 0 for an empty text."""
    vectors = models.encoder(encoder).token_vectors([*sources, *outputs])
    n = len(sources)
    return np.array([_matches(a, b) for a, b in zip(vectors[:n], vectors[n:], strict=True)]).reshape(n, -1)


def _matches(source: TokenVectors, output: TokenVectors) -> list[float]:
    if source.marks.all() or output.marks.all():
        return [0.0] * len(MATCHES)
    a, b = (x.vectors / np.linalg.norm(x.vectors, axis=1, keepdims=True) for x in (source, output))
    recalled, precise = np.full(len(a), -1.0), np.empty(len(b))
    for start in range(0, len(b), _ROWS):
        cosine = b[start : start + _ROWS] @ a.T
        precise[start : start + _ROWS] = cosine.max(axis=1)
        recalled = np.maximum(recalled, cosine.max(axis=0))
    precise, recalled = precise[~output.marks], recalled[~source.marks]
    p, r = float(precise.mean()), float(recalled.mean())
    means = [x.vectors.mean(axis=0) for x in (source, output)]
    lengths = np.linalg.norm(means[0]) * np.linalg.norm(means[1])
    return [
        *(p, r, 2 * p * r / (p + r) if p + r else 0.0, float(means[0] @ means[1] / lengths)),
        *(float(np.quantile(precise, _LOW)), float(np.quantile(recalled, _LOW))),
        *(float(precise.min()), float(recalled.min())),
        *(_low_stretch(precise), _low_stretch(recalled)),
    ]


def _low_stretch(matched: Floats) -> float:
    """The mean match of the tokens of a stretch of text that is worse than most others."""
    stretches = np.array_split(matched, max(1, round(len(matched) / _STRETCH)))
    return float(np.quantile([stretch.mean() for stretch in stretches], _LOW_STRETCH))
