"""A file is written whole or not at all."""

import os
import threading

import pytest

from plainmark.errors import InputError
from plainmark.writing import write_atomically


def test_writes_utf8_and_leaves_nothing_else_behind(tmp_path):
    write_atomically(tmp_path / "a.txt", "naïve 🦉\r\n")
    assert (tmp_path / "a.txt").read_bytes() == "naïve 🦉\r\n".encode()
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_replaces_a_file_and_follows_a_link(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("a.txt")
    write_atomically(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "a.txt").read_text() == "new"


def test_a_failure_leaves_the_old_file(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(tmp_path / "a.txt", "new \ud800")
    assert (tmp_path / "a.txt").read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_a_missing_folder_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match=r"a\.txt: cannot write here \(No such file or directory\)\."):
        write_atomically(tmp_path / "nowhere" / "a.txt", "x")


def test_a_folder_is_not_a_file(tmp_path):
    with pytest.raises(InputError, match="a folder, expected the name of a file to write"):
        write_atomically(tmp_path, "x")
    assert list(tmp_path.iterdir()) == []


def test_a_pipe_is_written_to_directly(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    got = []
    reader = threading.Thread(target=lambda: got.append((tmp_path / "pipe").read_text()))
    reader.start()
    write_atomically(tmp_path / "pipe", "through")
    reader.join()
    assert got == ["through"]


def test_permissions_follow_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "a.txt", "x")
    finally:
        os.umask(before)
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == 0o640
