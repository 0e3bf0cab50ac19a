"""Systems on a named test set: its sources and references, its own systems and the user's, and baselines."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from ..data import Corpus
from ..datasets import REFERENCE, Dataset, dataset
from ..errors import IncompleteSystemWarning, InputError, NeedsError, OptionError, did_you_mean
from ..systems import Systems, split_name

BASELINES = {"copy": "copy of the source", "references": "references (leave one out)"}


def systems_of(
    outputs: Any,
    source: Any = None,
    references: Any = (),
    fields: Mapping[str, str] | None = None,
    *,
    data: str | Dataset = "",
    baselines: str | Sequence[str] = (),
    paths: bool = False,
) -> Systems:
    """The systems that the arguments describe, on the named test set if there is one, followed by the baselines."""
    names = _baselines(baselines)
    if not data:
        systems = Systems.of(outputs, source, references, fields, paths=paths)
        if not names:
            return systems
        corpora = systems.corpora()
        return _with_baselines(corpora[0], corpora, names)
    if source is not None or references:
        raise OptionError("a data set (-d) has its own sources and references; leave -s and -r out.")
    test_set = dataset(data)
    known = test_set.corpora()
    base = max(known.values(), key=len)
    known.pop(REFERENCE, None)
    selected = _on(test_set, base, known, outputs, fields)
    if not selected and not names:
        raise InputError(
            f"{test_set.spec} has texts, but no systems; name files with outputs, or use --baselines copy.{_rated(test_set)}"
        )
    if any(corpus.sources != selected[0].sources for corpus in selected):
        raise InputError(
            f"the systems of {test_set.spec} have different sources; name one of {', '.join(known)}.{_rated(test_set)}"
        )
    return _with_baselines(selected[0] if len(selected) == 1 else base, selected, names)


def _rated(data: Dataset) -> str:
    """A hint for a test set with human ratings: what else can be done with it."""
    return f" plainmark correlate -d {data.spec} uses its ratings." if len(data.ratings()) else ""


def _on(
    data: Dataset,
    base: Corpus,
    known: Mapping[str, Corpus],
    outputs: Any,
    fields: Mapping[str, str] | None,
) -> list[Corpus]:
    """One corpus per system, all on the same samples."""
    if outputs is None or (isinstance(outputs, Sequence) and not outputs):
        return _complete(data, known, base)
    if isinstance(outputs, (str, PathLike)):
        outputs = [outputs]
    if not isinstance(outputs, Sequence) or not all(isinstance(o, (str, PathLike)) for o in outputs):
        return [_placed(data, base, corpus) for corpus in Systems.of(outputs, fields=fields).corpora()]
    corpora: list[Corpus] = []
    for output in map(str, outputs):
        name, path = split_name(output)
        if path in known and Path(path).exists():
            raise InputError(
                f"{path}: both a system of {data.spec} and a file here; write ./{path} for the file."
            )
        if path in known:
            corpora.append(known[path].with_outputs(known[path].outputs, name=name or path))
        else:
            corpora += _from_files(data, base, output, known, fields)
    alone = len(corpora) == 1
    return [c if alone or len(c) == len(base) else _incomplete(data, c, base) for c in corpora]


def _from_files(
    data: Dataset, base: Corpus, output: str, known: Mapping[str, Corpus], fields: Mapping[str, str] | None
) -> list[Corpus]:
    try:
        read = Systems.of([output], fields=fields, paths=True).corpora()
    except InputError as problem:
        path = split_name(output)[1]
        if Path(path).exists() or not known or any(c in path for c in "/\\*?["):
            raise
        raise InputError(
            f"{output}: no such file, and no system of {data.spec}.{did_you_mean(output, known)}"
            f" Its systems are {', '.join(known)}."
        ) from problem
    return [_placed(data, base, corpus) for corpus in read]


def _placed(data: Dataset, base: Corpus, corpus: Corpus) -> Corpus:
    """The outputs of a corpus on the samples of the data set."""
    if len(corpus) != len(base):
        raise InputError(f"{corpus.name}: {len(corpus)} outputs, but {data.spec} has {len(base)} samples.")
    if corpus.sources is not None and base.sources is not None and corpus.sources != base.sources:
        row = next(
            i for i, pair in enumerate(zip(corpus.sources, base.sources, strict=True)) if len({*pair}) > 1
        )
        raise InputError(f"{corpus.name}: the source of sample {row + 1} is not that of {data.spec}.")
    return base.with_outputs(corpus.outputs, name=corpus.name)


def _complete(data: Dataset, known: Mapping[str, Corpus], base: Corpus) -> list[Corpus]:
    """The systems that cover all samples; a warning names the others."""
    partial = [f"{name} ({len(corpus)})" for name, corpus in known.items() if len(corpus) != len(base)]
    if partial:
        warnings.warn(
            f"{data.spec} has {len(base)} samples; left out, because they have fewer: {', '.join(partial)}.",
            IncompleteSystemWarning,
            stacklevel=2,
        )
    return [corpus for corpus in known.values() if len(corpus) == len(base)]


def _incomplete(data: Dataset, corpus: Corpus, base: Corpus) -> Corpus:
    raise InputError(
        f"{corpus.name}: {len(corpus)} outputs, but {data.spec} has {len(base)} samples; score it alone, or leave it out."
    )


def _baselines(names: str | Sequence[str]) -> list[str]:
    requested = [
        name.strip() for name in (names.split(",") if isinstance(names, str) else names) if name.strip()
    ]
    for name in requested:
        if name not in BASELINES:
            raise OptionError(
                f"--baselines {name}: no such baseline.{did_you_mean(name, BASELINES)} Expected {', '.join(BASELINES)}."
            )
    return requested


def _with_baselines(base: Corpus, corpora: list[Corpus], baselines: Sequence[str]) -> Systems:
    for name in baselines:
        build = copied if name == "copy" else leave_one_out
        corpora = [*corpora, build(base)]
    names = [corpus.name for corpus in corpora]
    if repeated := next((name for name in names if names.count(name) > 1), ""):
        raise InputError(f"two systems are called {repeated!r}. Name them: NAME=FILE.")
    return Systems.of({corpus.name: corpus for corpus in corpora})


def copied(corpus: Corpus) -> Corpus:
    """The system that copies the source."""
    if corpus.sources is None:
        raise NeedsError("the baseline copy needs the source texts; give them with -s FILE.")
    return corpus.with_outputs(corpus.sources, name=BASELINES["copy"])


def leave_one_out(corpus: Corpus) -> Corpus:
    """Use references as outputs, each scored against the others of its sample; sample k uses reference k
    modulo their number.

    >>> out = leave_one_out(Corpus(["a"] * 2, ["a"] * 2, [["b", "c"], ["d", "e"]]))
    >>> out.outputs, out.references
    (['b', 'e'], [('c',), ('d',)])
    """
    if corpus.references is None or min(map(len, corpus.references)) < 2:
        raise NeedsError("the baseline references needs two references or more for every sample.")
    picks = [k % len(references) for k, references in enumerate(corpus.references)]
    outputs = [references[pick] for references, pick in zip(corpus.references, picks, strict=True)]
    others = [
        references[:pick] + references[pick + 1 :]
        for references, pick in zip(corpus.references, picks, strict=True)
    ]
    return Corpus(corpus.sources, outputs, others, ids=corpus.ids, name=BASELINES["references"])


__all__ = ["BASELINES", "systems_of"]
