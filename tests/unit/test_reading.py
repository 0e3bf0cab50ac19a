"""Every input format, and one clear line for every way a file can be wrong."""

import gzip
import io
import json
import lzma
import os

import pytest

import plainmark as pm
from plainmark.data import BLOCK
from plainmark.errors import InputError, OptionError
from plainmark.limits import Limits
from plainmark.reading import read_blocks, read_corpus, read_systems, stream_systems, system_names


@pytest.fixture
def put(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return str(path)

    return write


def error(**inputs):
    with pytest.raises(pm.PlainmarkError) as caught:
        read_corpus(**inputs)
    return str(caught.value)


def test_plain_text(put):
    corpus = read_corpus(
        source=put("s", "one\ntwo\n"),
        output=put("o", "1\n2\n"),
        references=[put("r.0", "a\nb\n"), put("r.1", "c\nd\n")],
    )
    assert corpus.sources == ["one", "two"]
    assert corpus.outputs == ["1", "2"]
    assert corpus.references == [("a", "c"), ("b", "d")]
    assert corpus.name == "o"
    assert corpus.ids == ["1", "2"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"a\nb", ["a", "b"]),  # no newline at the end
        (b"a\r\nb\r\n", ["a", "b"]),  # Windows
        (b"\xef\xbb\xbfa\nb\n", ["a", "b"]),  # byte order mark
        (b"a\n\nb\n", ["a", "", "b"]),  # an empty output is an output
        ("a\u2028b\x0bc\x85d\n".encode(), ["a\u2028b\x0bc\x85d"]),  # only \n ends a line
        (b"a\x00b\n", ["a\x00b"]),
        ("🦉 مرحبا\n".encode(), ["🦉 مرحبا"]),
    ],
)
def test_lines_are_read_exactly(put, content, expected):
    assert read_corpus(output=put("o.txt", content)).outputs == expected


def test_json_lines(put):
    rows = [
        {"source": "s1", "output": "o1", "references": ["r1", "r2"], "id": "x"},
        {"source": "s2", "output": "o2", "references": "r3", "id": 7},
    ]
    corpus = read_corpus(output=put("o.jsonl", "\n".join(map(json.dumps, rows))))
    assert corpus[0] == pm.Sample("s1", "o1", ("r1", "r2"), "x")
    assert corpus[1] == pm.Sample("s2", "o2", ("r3",), "7")
    assert corpus.reference_count == "1-2"


def test_json_lines_with_other_names(put):
    path = put("o.jsonl", '{"original": "s", "simplification": "o", "references": ["r"]}\n')
    corpus = read_corpus(output=path, fields={"source": "original", "output": "simplification"})
    assert corpus[0] == pm.Sample("s", "o", ("r",), "1")


@pytest.mark.parametrize(("name", "separator"), [("o.csv", ","), ("o.tsv", "\t")])
def test_tables(put, name, separator):
    cells = [
        ["id", "source", "output", "reference_2", "reference_10", "reference_1"],
        ["a", '"s ""quoted"""', "o", "second", "tenth", "first"],
    ]
    corpus = read_corpus(output=put(name, "\n".join(separator.join(row) for row in cells)))
    assert corpus[0] == pm.Sample('s "quoted"', "o", ("first", "second", "tenth"), "a")


def test_folders(put, tmp_path):
    for side in ("source", "out", "ref"):
        put(f"{side}/b.txt", f"{side} b\nsecond line\n")
        put(f"{side}/a.txt", f"{side} a\n")
    corpus = read_corpus(source=tmp_path / "source", output=tmp_path / "out", references=[tmp_path / "ref"])
    assert corpus.ids == ["a.txt", "b.txt"]
    assert corpus.outputs == ["out a", "out b\nsecond line"]
    assert corpus.references == [("ref a",), ("ref b\nsecond line",)]


def test_gzip(put):
    assert read_corpus(output=put("o.txt.gz", gzip.compress(b"a\nb\n"))).outputs == ["a", "b"]


def test_standard_input(put, monkeypatch):
    class Stream:
        buffer = io.BytesIO(b"a\nb\n")

    monkeypatch.setattr("sys.stdin", Stream())
    assert read_corpus(output="-", source=put("s", "x\ny\n")).outputs == ["a", "b"]


def test_standard_input_only_once():
    assert "only once" in error(output="-", source="-")


def test_a_stream_gives_what_the_whole_gives(put):
    n = BLOCK + 3
    texts = [f"text {i}" for i in range(n)]
    source, one, two = (put(name, "\n".join(texts)) for name in ("s", "a.txt", "b.txt"))
    blocks = list(stream_systems([one, two], source=source))
    assert [len(block[0]) for block in blocks] == [BLOCK, 3]
    assert blocks[1][0].ids == [str(BLOCK + 1), str(BLOCK + 2), str(BLOCK + 3)]
    first, second = read_systems([one, two], source=source)
    assert first.outputs == texts
    assert second.sources is first.sources
    assert first.ids[-1] == str(n)


def test_names():
    assert system_names(["x/access.txt", "PBMT-R", "out.jsonl.gz"]) == ["access", "PBMT-R", "out"]
    assert system_names(["a/out.txt", "b/out.txt"]) == ["a/out", "b/out"]
    assert system_names(["a/x/out.txt", "b/x/out.txt", "c/other.txt"]) == ["a/x/out", "b/x/out", "c/other"]
    assert system_names(["out.txt", "out.jsonl"]) == ["out.txt", "out.jsonl"]
    assert system_names(["a.txt", "a.txt"]) == ["a.txt", "a.txt"]  # refused later


# What is wrong, and the words that must be in the one line.
def test_wrong_number_of_lines(put):
    message = error(
        output=put("access.txt", "a\n"), source=put("test.orig", "a\nb\n"), references=[put("r", "a\nb\n")]
    )
    assert "access.txt: 1 lines, but" in message
    assert "test.orig has 2" in message


def test_one_blank_line_too_many(put):
    message = error(output=put("o", "a\nb\n\n"), source=put("s", "a\nb\n"), references=[put("r", "a\nb\n")])
    assert "o: 3 lines" in message
    assert "last line is empty" in message


def test_empty_file(put):
    assert "o.txt: empty, expected" in error(output=put("o.txt", ""))


def test_no_such_file():
    assert error(output="nowhere.txt") == "nowhere.txt: no such file."


def test_undecodable_bytes(put):
    assert "o.txt, line 2: byte 0xe9 is not UTF-8" in error(output=put("o.txt", b"fine\ncaf\xe9\n"))
    assert "o.jsonl, line 2: byte 0xe9" in error(
        output=put("o.jsonl", b'{"output": "a"}\n{"output": "\xe9"}\n')
    )


def test_utf16(put):
    assert "looks like UTF-16" in error(output=put("o.txt", "hello\n".encode("utf-16")))


def test_transposed_references(put):
    references = [put(f"r.{i}", "a\nb\nc\n") for i in range(2)]
    message = error(output=put("o", "1\n2\n"), source=put("s", "1\n2\n"), references=references)
    assert "references look transposed: found 2 files of 3 lines, expected 3 files of 2 lines" in message
    assert "paste" in message


def test_broken_json(put):
    assert "o.jsonl, line 2: not JSON" in error(output=put("o.jsonl", '{"output": "a"}\n{"output": \n'))
    assert "line 1: found list, expected a JSON object" in error(output=put("o.jsonl", "[]\n"))
    assert "line 2: empty" in error(output=put("o.jsonl", '{"output": "a"}\n\n'))
    assert "not JSON" in error(output=put("o.jsonl", "[" * 100_000 + "\n"))


def test_missing_and_wrong_fields(put):
    assert "it has text. Say which is which: --fields" in error(output=put("o.jsonl", '{"text": "a"}\n'))
    assert "no field 'output'" in error(output=put("o.jsonl", '{"source": "a"}\n'))
    assert "output is int, expected text" in error(output=put("o.jsonl", '{"output": 3}\n'))
    assert "references must be" in error(output=put("o.jsonl", '{"output": "a", "references": []}\n'))
    path = put("o.jsonl", '{"output": "a"}\n')
    assert "no field 'simple'; it has output" in error(output=path, fields={"output": "simple"})
    assert "unknown field 'hyp'" in error(output=path, fields={"hyp": "x"})


def test_broken_table(put):
    assert "line 3: not as many cells" in error(output=put("o.csv", "source,output\na,b\nc\n"))


def test_folders_that_do_not_match(put, tmp_path):
    put("a/one.txt", "x")
    put("b/two.txt", "x")
    assert "is in only one of them" in error(output=tmp_path / "a", source=tmp_path / "b")
    (tmp_path / "c").mkdir()
    assert "an empty folder" in error(output=tmp_path / "c")


def test_broken_gzip(put):
    assert "cannot be read" in error(output=put("o.gz", b"not gzip"))


def test_different_sources(put):
    a = put("a.jsonl", '{"source": "x", "output": "a"}\n')
    b = put("b.jsonl", '{"source": "y", "output": "b"}\n')
    with pytest.raises(pm.PlainmarkError, match="do not have the same sources"):
        read_systems([a, b])


def test_ratings(put):
    path = put("r.csv", "system,sample,dimension,rater,value\nA,1,fluency,x,4\nA,1,fluency,y,5\n")
    ratings = pm.Ratings.read(path)
    assert ratings[1] == pm.Rating("A", "1", "fluency", "y", 5.0)
    with pytest.raises(pm.PlainmarkError, match="no column rater"):
        pm.Ratings.read(put("bad.csv", "system,sample,dimension,value\n"))
    with pytest.raises(pm.PlainmarkError, match="line 2: value 'four' is not a number"):
        pm.Ratings.read(put("bad2.csv", "system,sample,dimension,rater,value\nA,1,f,x,four\n"))


GROWTH = ["grows", "is replaced", "is rewritten in place", "is touched"]


def change(path, how):
    """What others may do to a file while it is read."""
    lines = path.read_bytes()
    if how == "grows":
        path.write_bytes(lines + b"One more line.\n")
    elif how == "is replaced":
        other = path.with_suffix(".new")
        other.write_bytes(lines.replace(b"word 7 ", b"word 8 "))
        other.replace(path)
    elif how == "is rewritten in place":
        path.write_bytes(lines.replace(b"word 7 ", b"word 8 "))
        os.utime(path, ns=(1, 1))
    else:
        os.utime(path, ns=(1, 1))


@pytest.mark.parametrize("how", GROWTH[:3])
def test_a_file_that_changes_between_two_blocks_is_refused(tmp_path, how):
    path = tmp_path / "o.txt"
    path.write_text("".join(f"word {i} .\n" for i in range(9)))
    blocks = read_blocks([path], block=3)
    assert next(blocks).read()[0].outputs[0] == "word 0 ."
    change(path, how)
    with pytest.raises(InputError, match=r"o\.txt: changed during the run"):
        [block.read() for block in blocks]


@pytest.mark.parametrize("how", [GROWTH[0], *GROWTH[2:]])
@pytest.mark.parametrize("name", ["o.csv", "o.jsonl.gz"])
def test_a_stream_that_changes_while_it_is_read_is_refused(tmp_path, how, name):
    path = tmp_path / name
    text = (
        "".join(f'{{"output": "word {i} ."}}\n' for i in range(9))
        if "json" in name
        else "output\n" + "x\n" * 9
    )
    path.write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())
    blocks = read_blocks([path], block=3)
    next(blocks)
    change(path, how)
    with pytest.raises(InputError, match="changed during the run"):
        list(blocks)


def test_a_folder_that_changes_is_refused(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    for i in range(4):
        (folder / f"{i}.txt").write_text(f"Document {i}.")
    blocks = list(read_blocks([folder], block=2))
    (folder / "3.txt").write_text("Document 4.")
    assert blocks[0].read()[0].outputs[1] == "Document 1."
    with pytest.raises(InputError, match="another content from file 3 on"):
        blocks[1].read()
    (folder / "5.txt").write_text("")
    with pytest.raises(InputError, match="4 files at first, 5 now"):
        blocks[0].read()


@pytest.mark.parametrize("name", ["o.txt", "o.jsonl", "o.csv", "o.txt.gz", "o.txt.xz", "o.jsonl.gz"])
def test_a_giant_line_is_refused(tmp_path, name, monkeypatch):
    monkeypatch.setenv("PLAINMARK_LIMITS", "line=1")
    line = {"o.jsonl": '{"output": "%s"}', "o.csv": 'output\n"%s"'}.get(name.removesuffix(".gz"), "%s")
    data = f"{line % ('x' * (1 << 20))}\n".encode()
    pack = {".gz": gzip.compress, ".xz": lzma.compress}.get(name[-3:], bytes)
    path = tmp_path / name
    path.write_bytes(pack(data))
    with pytest.raises(InputError, match=r"line \d: (longer than 1 MB|not a table .field larger)"):
        read_corpus(output=path)
    monkeypatch.setenv("PLAINMARK_LIMITS", "line=2")
    assert len(read_corpus(output=path)) == 1


@pytest.mark.parametrize("name", ["o.txt.gz", "o.txt.xz"])
def test_a_bomb_is_refused_by_its_ratio(tmp_path, name, monkeypatch):
    monkeypatch.setenv("PLAINMARK_LIMITS", "free=1")
    pack = gzip.compress if name.endswith("gz") else lzma.compress
    path = tmp_path / name
    path.write_bytes(pack(b"a word\n" * 300_000))
    with pytest.raises(
        InputError, match=r"o.txt...: unpacks to more than [\d,]+ bytes, over 20 times its packed"
    ):
        read_corpus(output=path)
    monkeypatch.setenv("PLAINMARK_LIMITS", "free=1,ratio=9999")
    assert len(read_corpus(output=path)) == 300_000


@pytest.mark.parametrize(
    "text", ["line", "line=0", "lines=3", "ratio=-1", "line=1e3", "line=99999999999", "=3"]
)
def test_limits_that_are_none(text):
    with pytest.raises(OptionError, match="expected free=N, line=N, ratio=N"):
        Limits.parse(text)
