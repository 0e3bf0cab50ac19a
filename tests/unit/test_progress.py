"""The progress bar: on standard error, only on a terminal, only for long work."""

import io
from types import SimpleNamespace

import pytest

from plainmark.cli import _progress
from plainmark.cli._progress import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    class Clock:
        now = 100.0

    monkeypatch.setattr(_progress.time, "monotonic", lambda: Clock.now)
    return Clock


@pytest.fixture
def screen(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(_progress, "sys", SimpleNamespace(stderr=terminal))
    return terminal


def test_short_work_shows_nothing(clock, screen):
    with Progress("scoring", 10) as progress:
        clock.now += 1.9
        progress(5)
    assert screen.getvalue() == ""


def test_long_work_shows_share_and_time_left_and_cleans_up(clock, screen):
    with Progress("scoring", 10) as progress:
        clock.now += 4
        progress(5)
        assert "scoring [###############...............]  50%, 4 s left" in screen.getvalue()
    assert screen.getvalue().endswith("\r\x1b[K")


def test_unknown_total_shows_a_count(clock, screen):
    with Progress("scoring") as progress:
        clock.now += 4
        progress(12_345)
    assert "12,345 done, 4 s" in screen.getvalue()


def test_quiet_and_not_a_terminal_are_silent(clock, screen):
    with Progress("scoring", quiet=True) as progress:
        clock.now += 4
        progress(5)
    screen.isatty = lambda: False
    with Progress("scoring") as progress:
        clock.now += 4
        progress(5)
    assert screen.getvalue() == ""
