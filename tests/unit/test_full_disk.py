"""The real server on a disk that fills: what was acknowledged is kept, people are told, and the server goes on."""

import os
import resource
import subprocess
import sys
from contextlib import contextmanager

import httpx
import pytest

from plainmark.cli import main
from plainmark.study import load, open_store
from plainmark.study.store.answer_rows import answer_rows
from plainmark.web.simulation.participants import PageParser
from plainmark.web.simulation.server import ServerProcess
from support import studies
from support.study_server import answered, finish, page_of

linux = pytest.mark.skipif(
    sys.platform != "linux", reason="Linux only: limits of other processes, small disks"
)


@contextmanager
def small_disk(folder, kilobytes):
    """A disk of that size, of which the caller may fill the rest."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("only root may mount a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(path):
    """Use what room is left."""
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(512))
        except OSError:
            pass


@contextmanager
def running(folder):
    server = ServerProcess(folder, "")
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def person(server, name):
    with httpx.Client(base_url=f"http://127.0.0.1:{server.port}", timeout=60) as client:
        client.link = f"/?PROLIFIC_PID={name}"
        client.get(client.link)
        yield client


def rows(folder):
    with open_store(load(folder), create=False) as store:
        assert store.database.intact()
        return answer_rows(store)


@linux
def test_a_full_disk(tmp_path, capsys):
    with small_disk(tmp_path / "disk", 1500) as disk:
        folder, rest = disk / "study", disk / "rest"
        studies.write(folder)
        with running(folder) as server, person(server, "ann") as ann, person(server, "bob") as bob:
            finish(ann)
            bob.post("/study", data=answered(page_of(bob)))
            form = answered(page_of(bob))
            fill(rest)
            for _ in range(3):
                refused = bob.post("/study", data=form)
                assert refused.status_code == 503
                assert "There is no room left where answers are stored." in refused.text
                assert PageParser(refused.text).hidden == form
            assert page_of(bob).hidden["page"] == form["page"], "pages are still shown"
            with person(server, "cleo") as cleo:
                assert cleo.post("/study", data=answered(page_of(cleo))).status_code == 503
            server.crash()
            assert len(rows(folder)) == 6, "ann's five answers and bob's consent"
            # A server that is started now says what is wrong.
            assert main(["study", "serve", str(folder), "--port", "0"]) == 2
            said = capsys.readouterr().err
            assert said.count("\n") == 1
            assert "no room left on the disk" in said
            assert main(["study", "backup", str(folder), str(disk / "copy.db")]) == 2
            said = capsys.readouterr().err
            assert said.count("\n") == 1
            assert "no room left on the disk" in said
            assert not list(disk.glob("*copy*"))
            rest.unlink()
            server.start()
            assert bob.post("/study", data=form).status_code == 303
            assert "Thank you!" in finish(bob).text
        assert len(rows(folder)) == 10


@linux
def test_a_file_that_may_not_grow(tmp_path):
    """A quota instead of a full disk: the database cannot be written, for another reason."""
    studies.write(tmp_path / "study")
    with running(tmp_path / "study") as server, person(server, "ann") as ann:
        process = server._process.pid
        ann.post("/study", data=answered(page_of(ann)))
        form = answered(page_of(ann))
        resource.prlimit(process, resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
        refused = ann.post("/study", data=form)
        assert refused.status_code == 503
        assert PageParser(refused.text).hidden == form
        assert page_of(ann).hidden["page"] == form["page"]
        resource.prlimit(process, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert "Thank you!" in finish(ann).text
        assert server._process.poll() is None
    assert len(rows(tmp_path / "study")) == 5
