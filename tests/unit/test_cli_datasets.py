"""The verb `datasets`: the table, cards, and downloads from a server of our own in place of the real ones."""

import hashlib
import io
import json
import threading
import zipfile
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

import plainmark as pm
from plainmark import cli
from plainmark.datasets import DATASETS, Source, _download, sources
from plainmark.datasets._download import OnlyHttps, download
from plainmark.errors import InputError, MissingResourceError


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A user without data."""
    monkeypatch.delenv("PLAINMARK_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home" / "plainmark" / "data"


@pytest.fixture
def run(home, capsys):
    def call(*words):
        code = cli.main(["datasets", *words])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def serve(monkeypatch):
    """serve({address path: bytes}): answers requests for https addresses; also a list of what was asked for."""
    pages, asked = {}, []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            body = pages.get(self.path)
            self.send_response(200 if body is not None else 404)
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *words):
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()

    @contextmanager
    def open_url(url):
        _download.check_address(url)
        with urlopen(f"http://127.0.0.1:{server.server_port}{urlsplit(url).path}") as answer:
            yield answer

    monkeypatch.setattr(_download, "open_url", open_url)

    def put(found):
        pages.update(found)
        return asked

    yield put
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def real_files(serve, shared):
    """Every file that can be downloaded, at its address."""
    pages = {}
    for source in sources().values():
        data = (shared / "data" / source.path).read_bytes()
        if source.archive:
            packed = io.BytesIO()
            with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("__MACOSX/._x", b"")
                archive.writestr(source.path.rpartition("/")[2], data)
            data = packed.getvalue()
        if source.url:
            pages[urlsplit(source.url).path] = data
    return serve(pages)


def made(data, **changes):
    given = {"path": "some/file.txt", "url": "https://example.org/some/file.txt", "licence": "MIT"}
    return Source(**{**given, "sha256": hashlib.sha256(data).hexdigest(), "size": len(data), **changes})


# The table and the card.

BY_HAND = ("cells", "clear", "multicochrane", "plaba", "readme_pp")


def test_the_table_names_every_set(run, home):
    code, out, _ = run()
    assert code == 0
    lines = {line.split()[0]: line for line in out.splitlines() if line}
    for name in DATASETS.names():
        assert DATASETS.find(name).card.licence in lines[name]
        assert ("by hand" if name in BY_HAND else "get") in lines[name]
    assert "9,000" in lines["dwiki"]
    assert "simplicity-overall" in lines["dwiki"]
    assert str(home) in out
    assert not home.exists()


def test_the_table_says_what_is_ready(run, data_sets):
    _, out, _ = run("list", "--format", "json")
    records = json.loads(out)
    assert [r["name"] for r in records] == DATASETS.names()
    assert {r["state"] for r in records} == {"ready"}
    assert records[0]["files"][0].keys() >= {"url", "sha256", "size", "licence", "path"}


def test_cards(run, data_sets, shared):
    _, out, _ = run("show", "onestopqa", "samsa_human")
    for text in (
        "KIS",
        "doc-meta/qa.jsonl",
        "sha256 2ae139e0",
        "id 1",
        "accuracy by 2: 100",
        "structural simplicity by A",
    ):
        assert text in out
    _, out, _ = run("show", "dwiki", "--folder", str(shared / "data" / "doc-meta"), "--format", "json")
    assert json.loads(out)[0]["state"] == "ready"


def test_a_card_without_its_data_says_what_to_do(run, home):
    code, out, _ = run("show", "cells")
    assert code == 0
    assert (
        f"state: needs cells/cells_validated_fullpairs.csv in {home}, put there by hand: released as spreadsheets"
        in out
    )
    _, out, _ = run("show", "dwiki")
    assert "get it with: plainmark datasets get dwiki" in out


def test_a_card_says_when_a_file_is_another(run, home, shared):
    (home / "doc-meta").mkdir(parents=True)
    path = home / "doc-meta" / "dwiki_final.jsonl"
    path.write_bytes((shared / "data" / "doc-meta" / "dwiki_final.jsonl").read_bytes())
    assert "another" not in run("show", "dwiki")[1]
    path.write_bytes(path.read_bytes() + b"\n")
    code, _, err = run("show", "dwiki")
    assert (code, err.count("\n")) == (2, 1)  # its last line is no JSON
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:6]))
    code, out, _ = run("show", "dwiki")
    assert code == 0
    assert ", but the file here is another" in out


def test_mistakes(run):
    assert run("show")[0] == 2
    assert "no data set named; `plainmark datasets get NAME`, one of asset," in run("get")[2]
    assert "no dataset is called 'dwikki'. Did you mean 'dwiki'?" in run("get", "dwikki")[2]


def test_the_general_list_has_them(capsys):
    assert cli.main(["list", "datasets"]) == 0
    assert "onestop_reading" in capsys.readouterr().out
    assert cli.main(["list", "datasets", "dwiki"]) == 0
    assert "reference: Sun et al. 2021" in capsys.readouterr().out


# Downloads.


def test_every_set_that_can_be_downloaded_is_ready_afterwards(run, home, real_files):
    names = [n for n in DATASETS.names() if n not in BY_HAND]
    code, out, err = run("get", *names)
    assert (code, err) == (0, "")
    assert f"dwiki: 1 files in {home}. Licence: none stated." in out
    assert "turkcorpus: 49 files" in out
    for name in names:
        for variant in pm.dataset(name).variants():
            assert variant.missing() == ""
    assert len(pm.dataset("onestop_reading").questions()) == 486  # unpacked
    assert len(pm.dataset("dwiki").ratings()) == 9000
    assert not [p for p in home.rglob("*") if p.name.startswith(".")]


def test_options_get_their_files_only(run, home, real_files):
    assert run("get", "turkcorpus(split='tune')")[0] == 0
    assert len([p for p in home.rglob("*") if p.is_file()]) == 9
    assert pm.dataset("turkcorpus(split='tune')").missing() == ""
    assert "and 16 more files" in pm.dataset("turkcorpus").missing()


def test_a_second_get_asks_for_nothing(run, home, real_files):
    assert run("get", "dwiki", "--format", "json")[0] == 0
    asked = len(real_files)
    code, out, _ = run("get", "dwiki", "--format", "json")
    assert json.loads(out)[0]["files"] == 1
    assert (code, len(real_files)) == (0, asked)


def test_a_folder_to_put_it_in(run, home, real_files, tmp_path):
    code, out, _ = run("get", "perturbed(error='copy')", "--folder", "here")
    assert code == 0
    assert "1 files in here" in out
    assert not home.exists()
    assert len(pm.dataset("perturbed(error='copy', folder='here')").ratings()) == 120


def test_what_cannot_be_downloaded_is_said_after_the_others_came(run, home, real_files):
    code, out, err = run("get", "cells", "dwiki")
    assert code == 2
    assert "dwiki: 1 files" in out
    assert "cells/cells_validated_fullpairs.csv cannot be downloaded: released as spreadsheets" in err
    assert str(home / "cells" / "cells_validated_fullpairs.csv") in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (lambda data: data[:-1] + b"!", "expected 3efea5"),
        (lambda data: data[:-1], "bytes), expected"),
        (lambda data: data + b"more", "more than 1,359,470 bytes; rejected, and nothing was stored"),
        (lambda data: b"", "(0 bytes), expected"),
    ],
    ids=["another byte", "too short", "too long", "empty"],
)
def test_a_file_that_differs_is_refused_and_nothing_kept(run, home, serve, shared, body, complaint):
    source = sources()["doc-meta/dwiki_final.jsonl"]
    data = (shared / "data" / source.path).read_bytes()
    complaint = complaint.replace("3efea5", source.sha256[:12])
    serve({urlsplit(source.url).path: body(data)})
    code, out, err = run("get", "dwiki")
    assert (code, out) == (2, "")
    assert complaint in err
    assert "nothing was stored" in err
    assert err.count("\n") == 1
    assert not home.exists()


def test_a_wrong_file_that_is_there_is_replaced_only_by_the_right_one(run, home, serve, shared):
    source = sources()["doc-meta/dwiki_final.jsonl"]
    (home / "doc-meta").mkdir(parents=True)
    (home / source.path).write_bytes(b"mine")
    serve({urlsplit(source.url).path: b"theirs"})
    assert run("get", "dwiki")[0] == 2
    assert (home / source.path).read_bytes() == b"mine"
    serve({urlsplit(source.url).path: (shared / "data" / source.path).read_bytes()})
    assert run("get", "dwiki")[0] == 0
    assert len(pm.dataset("dwiki").ratings()) == 9000
    assert [p.name for p in (home / "doc-meta").iterdir()] == ["dwiki_final.jsonl"]


def test_no_network_says_which_file_to_put_where(run, home, monkeypatch):
    @contextmanager
    def unreachable(url):
        raise URLError("Name or service not known")
        yield

    monkeypatch.setattr(_download, "open_url", unreachable)
    code, _, err = run("get", "dwiki")
    assert code == 2
    url = sources()["doc-meta/dwiki_final.jsonl"].url
    assert f"{url}: cannot be reached (Name or service not known)" in err
    assert f"put it at {home / 'doc-meta' / 'dwiki_final.jsonl'}" in err
    assert not home.exists()


def test_a_server_that_does_not_have_it(run, home, serve):
    serve({})
    code, _, err = run("get", "dwiki")
    assert code == 2
    assert "the server says 404 Not Found" in err
    assert not home.exists()


def test_a_connection_that_breaks(tmp_path, monkeypatch):
    class Broken(io.BytesIO):
        def read(self, size=-1):
            raise TimeoutError("timed out")

    monkeypatch.setattr(_download, "open_url", lambda url: Broken())
    with pytest.raises(MissingResourceError, match=r"cannot be reached \(timed out\)"):
        download(made(b"abc"), tmp_path)
    assert not list(tmp_path.iterdir())


def test_progress_is_told(tmp_path, serve):
    data = b"x" * 200_000
    serve({"/some/file.txt": data})
    told = []
    download(made(data), tmp_path, lambda done, total: told.append((done, total)))
    assert told[-1] == (200_000, 200_000)
    assert len(told) > 2


# What must never happen.


@pytest.mark.parametrize(
    "url", ["http://example.org/f", "ftp://example.org/f", "file:///etc/passwd", "//example.org/f"]
)
def test_only_https(url, tmp_path):
    with pytest.raises(InputError, match="not an https address; refused"):
        download(made(b"abc", url=url), tmp_path)
    with pytest.raises(InputError, match="not an https address; refused"):
        OnlyHttps().redirect_request(Request("https://example.org"), io.BytesIO(), 302, "", {}, url)
    assert not list(tmp_path.iterdir())


def test_a_redirection_to_https_is_followed():
    found = OnlyHttps().redirect_request(
        Request("https://example.org"), io.BytesIO(), 302, "Found", {}, "https://example.com/f"
    )
    assert found.full_url == "https://example.com/f"


@pytest.mark.parametrize("path", ["../file", "a/../../file", "/etc/file"])
def test_files_stay_below_the_folder(path, tmp_path):
    with pytest.raises(InputError, match="expected a path below the data folder"):
        download(made(b"abc", path=path), tmp_path / "data")
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written(tmp_path, serve):
    serve({"/some/file.txt": b"abc"})
    (tmp_path / "data").write_text("a file, not a folder")
    with pytest.raises(InputError, match=r"cannot write here \((Not a directory|File exists)\)"):
        download(made(b"abc"), tmp_path / "data")


def packed(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


def test_an_archive_gives_the_file_of_its_name_wherever_that_claims_to_be(tmp_path, serve):
    serve({"/x.zip": packed([("../../file.txt", b"abc"), ("/etc/other.txt", b"no")])})
    source = made(b"abc", url="https://example.org/x.zip", archive="zip")
    assert download(source, tmp_path / "data") == tmp_path / "data" / "some" / "file.txt"
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == ["file.txt"]


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (packed([("other.txt", b"abc")]), "0 files called file.txt in it, expected one"),
        (packed([("a/file.txt", b"abc"), ("b/file.txt", b"abc")]), "2 files called file.txt"),
        (packed([("file.txt", b"abd")]), "rejected, and nothing was stored"),
        (
            packed([("file.txt", b"a" * 10**6)]),
            "more than 3 bytes; rejected",
        ),  # a bomb is stopped at its size
        (b"PK not really", "not a ZIP archive that can be read"),
        (packed([("file.txt", b"abc")])[:-30], "not a ZIP archive that can be read"),
    ],
    ids=["absent", "twice", "another", "bomb", "no archive", "cut"],
)
def test_archives_that_are_refused(body, complaint, tmp_path, serve):
    serve({"/x.zip": body})
    with pytest.raises(InputError, match=complaint):
        download(made(b"abc", url="https://example.org/x.zip", archive="zip"), tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_large_archive_is_not_read_to_its_end(tmp_path, serve, monkeypatch):
    monkeypatch.setattr(_download, "LARGEST_ARCHIVE", 1000)
    serve({"/x.zip": b"x" * 2000})
    with pytest.raises(InputError, match="more than 1,000 bytes"):
        download(made(b"abc", url="https://example.org/x.zip", archive="zip"), tmp_path)


def test_importing_opens_nothing():
    """The package of data sets must not import the network until something is asked for."""
    import subprocess
    import sys

    code = "import sys, plainmark as pm; pm.dataset('dwiki'); print('urllib.request' in sys.modules, 'ssl' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
