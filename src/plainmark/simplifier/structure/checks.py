"""Objections to operations: facts that change, sentences without subject or verb, and words that do not fit together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ...faithfulness import facts
from ...lm.model import embedded
from ...tagger import FINITE
from .sentence import Sentence, plain, tagged

# Kinds of facts that may be neither lost nor added; others may be found again in other words.
_STRICT = frozenset({"number", "name", "negation", "condition", "quotation", "modality", "direction"})
# Largest loss of mean log10 probability of a new sentence compared with the source.
_LM_MARGIN = 1.0
_RAREST = -6.5
_SUBJECT_TAGS = frozenset({"NN", "NNS", "NNP", "PRP3", "PRPX", "CD", "EX", "DT", "VBG", "JJ", "PU"})


def objection(source: str, output: str, pieces: Sequence[str], *, dropping: bool = False) -> str:
    """The objection to replacing the source with the output; empty if there is none.

    With `dropping`, facts may be lost, because the user asked for it.
    """
    for piece in pieces:
        if reason := malformed(piece):
            return reason
    for entry in facts(plain(source), plain(output)).entries:
        if dropping and entry.verdict == "gone":
            continue
        if entry.verdict == "changed" or entry.red:
            return f"the ledger says that a {entry.kind} changed"
        if entry.verdict in ("gone", "new") and entry.kind in _STRICT:
            return f"the ledger says that a {entry.kind} is {entry.verdict}"
    old = _score(source)
    for piece in pieces:
        if _score(piece) < old - _LM_MARGIN:
            return "the language model finds a sentence improbable"
    return ""


def malformed(sentence: str) -> str:
    """Why a text is not a sentence; empty if it has a subject before a finite verb."""
    tokens = tagged(sentence)
    words = [t for t in tokens if t.tag != "PU"]
    if len(words) < 3:
        return "a sentence has fewer than three words"
    verb = next(
        (
            i
            for i, t in enumerate(tokens)
            if t.tag in FINITE and (i == 0 or t.text[:1].islower() or t.text[:1] in "'’")
        ),
        None,
    )
    if verb is None:
        return "a sentence has no finite verb"
    if not any(t.tag in _SUBJECT_TAGS - {"PU"} for t in tokens[:verb]):
        return "a sentence has no subject"
    if tokens[-1].tag == "PU" and len(tokens) > 1 and tokens[-2].tag in ("CC", "DT", "SC"):
        return "a sentence breaks off"
    return ""


@lru_cache(8192)
def _score(text: str) -> float:
    """Mean log10 probability of the words of a text; unknown ones count like very rare ones."""
    words = " ".join(t.text.lower() for t in tagged(text) if t.tag != "PU")
    logs, _ = embedded().token_scores([words])
    return float(np.maximum(logs[:-1], _RAREST).mean()) if len(logs) > 1 else 0.0  # the model knows no ends


# A report clause must apply to the whole sentence: "The shop is closed, and it will not open again, she said."
_SAYING = frozenset(
    "said says say told tells added adds explained explains warns warned claims claimed argues argued".split()
)


def _is_report(s: Sentence) -> bool:
    """Whether the sentence ends in a report clause."""
    comma = max((i for i in range(s.stop) if s.tag(i) == "PU" and s.word(i) in (",", '"', "”")), default=-1)
    return (
        comma > 0
        and s.stop - comma <= 10
        and any(s.word(i) in _SAYING for i in range(comma + 1, min(comma + 5, s.stop)))
    )


def is_sentence(s: Sentence) -> bool:
    """Whether a text is a sentence that operations can process, and not a heading, a list item, code or an address."""
    return (
        s.stop > 5
        and not _is_report(s)
        and not any(
            t.text in ("?", "!", "…", "|", "\\", "`", "_", "*", "•")
            or (t.text in ("=", "<", ">") and not s.enclosed[i])
            for i, t in enumerate(s.tokens)
        )
    )
