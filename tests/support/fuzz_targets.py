"""What `make fuzz` feeds with bytes: every reader of files that others have written, and one small example of each file.

A target may raise an error of plainmark's; anything else is a defect. `python -m support.fuzz_targets NAME` runs one under
Atheris, guided by coverage; without arguments it lists them.
"""

import gc
import gzip
import io
import struct
import sys
import tempfile
import warnings
from pathlib import Path
from types import FunctionType


def _targets():
    from plainmark import errors, kernels, text
    from plainmark.files import json_object, read_json, table_rows
    from plainmark.lm import LanguageModel
    from plainmark.models._gguf import read_gguf
    from plainmark.models._safetensors import read_file
    from plainmark.reading import read_corpus
    from plainmark.simplifier.arrays import read_arrays
    from plainmark.simplifier.scfg.grammar import Grammar

    folder = tempfile.TemporaryDirectory(prefix="plainmark-fuzz-")  # removed with the functions that use it

    def at(suffix, read):
        """A reader of files as a function of bytes."""

        def run(data):
            place = Path(folder.name) / f"file{suffix}"
            place.write_bytes(data)
            read(place)

        return run

    def tokenizers(data):
        string = data.decode("utf-8", "surrogateescape")
        for mode in kernels.MODES:
            for lowercase in (False, True):
                text.words([string], mode, lowercase=lowercase)

    def corpus(place):
        read_corpus(output=str(place))

    def lines_of(data):
        json_object(data.decode("utf-8", "replace"), "line 1")

    targets = {
        "tokenizers": (tokenizers, b"The cat's 3.5% -- \xc3\xbc\xe4\xb8\xad, U.S.A. don't!"),
        "text": (at(".txt", corpus), b"A cat.\r\n\xef\xbb\xbfA dog.\n"),
        "jsonl": (at(".jsonl", corpus), b'{"output": "A cat.", "references": ["x"], "id": 3}\n'),
        "csv": (at(".csv", corpus), b'output,source,id\n"A, ""cat""",b,1\n'),
        "packed": (at(".txt.gz", corpus), gzip.compress(b"A cat.\n" * 9)),
        "table": (at(".tsv", lambda p: list(table_rows(str(p), ("system",)))), b"system\tx\na\t1\n"),
        "json": (at(".json", lambda p: read_json(str(p))), b'{"a": [1, 2e3, "x", null]}'),
        "json_line": (lines_of, b'{"a": {"b": [true]}}'),
        "language_model": (at(".lm", lambda p: _scored(LanguageModel.load(p))), _model(LanguageModel)),
        "arpa": (at(".arpa", lambda p: _scored(LanguageModel.load(p))), _arpa()),
        "safetensors": (at(".safetensors", read_file), _tensors()),
        "gguf": (at(".gguf", read_gguf), _gguf()),
        "npz": (at(".npz", lambda p: read_arrays(p, "arrays")), _arrays()),
        "grammar": (at(".npz", Grammar.load), _grammar(Grammar)),
    }
    return targets, errors.PlainmarkError


def _scored(model):
    model.score(["the cat sat", "a b", ""])


def _model(language_model):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.lm"
        language_model.train(["the cat sat", "the cat slept", "a cat sat"], order=2).save(path)
        return path.read_bytes()


def _arpa():
    return b"\\data\\\nngram 1=4\nngram 2=1\n\n\\1-grams:\n-1 <unk>\n-99 <s> -0.3\n-1 </s>\n-0.5 the -0.2\n\n\\2-grams:\n-0.3 <s> the\n\n\\end\\\n"


def _tensors():
    header = b'{"a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},"b":{"dtype":"BF16","shape":[2],"data_offsets":[16,20]}}'
    return len(header).to_bytes(8, "little") + header + bytes(range(20))


def _gguf():
    def name(string):
        return struct.pack("<Q", len(string)) + string

    facts = (
        name(b"a")
        + struct.pack("<II", 4, 7)
        + name(b"l")
        + struct.pack("<IIQ", 9, 8, 2)
        + name(b"x")
        + name(b"y")
    )
    tensor = name(b"t") + struct.pack("<IQIQ", 1, 32, 8, 0)
    head = b"GGUF" + struct.pack("<IQQ", 3, 1, 2) + facts + tensor
    return head + bytes(-len(head) % 32) + bytes(34)


def _arrays():
    import numpy as np

    out = io.BytesIO()
    np.savez_compressed(out, a=np.arange(5), b=np.eye(2, dtype=np.float32))
    return out.getvalue()


def _grammar(grammar):
    rules = (Path(__file__).parents[2] / "examples" / "rules.ppdb").read_text("utf-8").splitlines()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "g.npz"
        grammar.parse(rules[:3]).save(path)
        return path.read_bytes()


def run(name, data, targets=None):
    """One execution; whatever escapes is a defect."""
    functions, allowed = targets or _targets()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            functions[name][0](data)
        except allowed:
            return


def main():
    import atheris

    name = sys.argv.pop(1) if len(sys.argv) > 1 else ""
    targets = _targets()
    if not name:
        print("\n".join(targets[0]))  # noqa: T201
        return
    corpus = Path(sys.argv[-1])
    if corpus.is_dir():
        (corpus / "example").write_bytes(targets[0][name][1])

    # Not `instrument_imports`, which the loader of an editable installation escapes.
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and str(thing.__module__).startswith(
            ("plainmark.", "json.", "zipfile")
        ):
            atheris.instrument_func(thing)

    def one(data):
        run(name, data, targets)

    atheris.Setup(sys.argv, one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
