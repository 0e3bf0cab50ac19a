"""Sentence links for training: those of SWiPE and PLABA, and further texts generated from them.

PLABA gives the adaptation of each sentence of an abstract; the sentences of that adaptation are its links, and an empty one
means that the sentence was dropped. In both data sets most sentences keep their order, and in PLABA nearly all are kept, so
further texts are generated in which sentences are dropped, added or moved, and longer ones from several documents.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from plainmark.document import sentences

WEIGHTS = {"swipe": 4.0, "plaba": 1.0, "made": 1.0}


@dataclass(frozen=True)
class Linked:
    """Two texts as sentences and the links between them; a `group` is never split between two folds."""

    data: str
    group: str
    source: tuple
    output: tuple
    links: frozenset

    @property
    def labels(self):
        out = np.zeros((len(self.source), len(self.output)))
        for i, j in self.links:
            out[i, j] = 1
        return out


def swipe(path):
    """Documents of links_val.jsonl; both labels, aligned and partial, count as links."""
    for line in Path(path).read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["complex"] and row["simple"]:
            links = frozenset((i, j) for i, j, _ in row["links"])
            yield Linked("swipe", str(row["id"]), tuple(row["complex"]), tuple(row["simple"]), links)


def plaba(path):
    """Adaptations of data.json; those of one question, and so of one abstract, form a group."""
    for question, contents in json.loads(Path(path).read_text("utf-8")).items():
        for abstract in contents.values():
            if not isinstance(abstract, dict):
                continue
            numbers = sorted(abstract["abstract"], key=int)
            source = tuple(abstract["abstract"][k] for k in numbers)
            for adaptation in abstract["adaptations"].values():
                output, links = [], set()
                for i, k in enumerate(numbers):
                    for sentence in sentences(adaptation.get(k) or ""):
                        links.add((i, len(output)))
                        output.append(sentence)
                if source and output:
                    yield Linked("plaba", f"plaba {question}", source, tuple(output), frozenset(links))


def made(documents, fold, rng, *, changed=600, replaced=400, joined=150):
    """Further texts, and their folds.

    Some sentences are dropped, added or moved, or sentences of other documents stand in their place: place alone is no
    evidence. Or several documents are joined. What is put together is of one fold.
    """
    choices = [d for d, document in enumerate(documents) if document.data == "plaba"]
    for d in rng.choice(choices, changed, replace=False):
        change = (_without_output, _without_source, _moved)[rng.integers(3)]
        if (text := change(documents[d], rng)).source and text.output:
            yield text, fold[d]
    for d in rng.choice(len(documents), replaced, replace=False):
        others = [e for e in np.flatnonzero(fold == fold[d]) if documents[e].source != documents[d].source]
        yield _replaced(documents[d], [documents[e] for e in rng.choice(others, 5)], rng), fold[d]
    for _ in range(joined):
        k = rng.choice(fold)
        some = rng.choice(np.flatnonzero(fold == k), rng.integers(2, 5), replace=False)
        yield _joined([documents[d] for d in some]), k


def _chosen(text, rows, columns):
    """The sentences with these numbers, in this order."""
    row, column = ({k: place for place, k in enumerate(some)} for some in (rows, columns))
    links = frozenset((row[i], column[j]) for i, j in text.links if i in row and j in column)
    source, output = tuple(text.source[i] for i in rows), tuple(text.output[j] for j in columns)
    return Linked("made", text.group, source, output, links)


def _without_output(text, rng):
    """Drop the simplifications of some source sentences."""
    dropped = rng.random(len(text.source)) < rng.uniform(0.1, 0.5)
    gone = {j for i, j in text.links if dropped[i]}
    return _chosen(text, range(len(text.source)), [j for j in range(len(text.output)) if j not in gone])


def _without_source(text, rng):
    """Drop source sentences, so that their simplifications seem added."""
    remaining = rng.random(len(text.source)) > rng.uniform(0.1, 0.5)
    return _chosen(text, np.flatnonzero(remaining).tolist(), range(len(text.output)))


def _moved(text, rng):
    """Exchange the two halves of the output."""
    start = int(rng.integers(len(text.output)))
    columns = [*range(start, len(text.output)), *range(start)]
    return _chosen(text, range(len(text.source)), columns)


def _replaced(text, others, rng):
    """Replace the simplifications of some source sentences with sentences of other documents."""
    strange = [sentence for other in others for sentence in other.output]
    replaced = {i for i in range(len(text.source)) if rng.random() < rng.uniform(0.1, 0.6)}
    gone = {j for i, j in text.links if i in replaced}
    output = tuple(
        strange[rng.integers(len(strange))] if j in gone else sentence
        for j, sentence in enumerate(text.output)
    )
    return Linked(
        "made", text.group, text.source, output, frozenset((i, j) for i, j in text.links if j not in gone)
    )


def _joined(texts):
    """The texts, concatenated."""
    source, output, links = [], [], set()
    for text in texts:
        links |= {(i + len(source), j + len(output)) for i, j in text.links}
        source += text.source
        output += text.output
    return Linked("made", "", tuple(source), tuple(output), frozenset(links))
