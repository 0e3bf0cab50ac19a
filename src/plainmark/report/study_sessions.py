"""Tables of a study with later sessions: results by session with their change, and who came back."""

from __future__ import annotations

import math

from ..study.analysis.sessions import RIGHT, Interval, Return, SessionResult, Sessions
from ..table import Cell, Table

SESSIONS = "What was remembered later"
RETURNS = "Who came back"


def session_tables(sessions: Sessions) -> list[tuple[str, Table]]:
    """The tables that there are data for, with their headings."""
    tables = [(SESSIONS, result_table(sessions.results))] if sessions.results else []
    return [*tables, (RETURNS, return_table(sessions.returns))]


def result_table(results: tuple[SessionResult, ...]) -> Table:
    """One row per measure, condition and later session."""
    rows = [
        [
            Cell(r.system),
            Cell("right answers, %" if r.measure == RIGHT else r.measure),
            Cell(str(r.session), float(r.session)),
            Cell(str(r.people), float(r.people)),
            Cell(_plain(r.first, r.measure), r.first),
            Cell(f"{_plain(r.mean, r.measure)} {_between(r.interval, r.measure)}", r.mean),
            Cell(_change(r), r.change),
        ]
        for r in results
    ]
    notes = [
        "Change: later session minus session 1, over answers that the same people gave to the same questions about the same items"
        " in both. Intervals resample participants. Only people who came back are in this table.",
    ]
    if any(r.paired < r.answers for r in results):
        notes.append(
            "Questions that session 1 did not ask count for the later session and not for the change."
        )
    headings = ["condition", "measure", "session", "people", "in session 1", "in this session", "change"]
    return Table(headings, rows, notes, text_columns=(0, 1))


def return_table(returns: tuple[Return, ...]) -> Table:
    """One row per later session: how many came back, and whether those who did not had understood less."""
    rows = [
        [
            Cell(str(r.session), float(r.session)),
            Cell(str(r.expected), float(r.expected)),
            Cell(str(r.began), float(r.began)),
            Cell(str(r.finished), float(r.finished)),
            Cell(_plain(r.lost), r.lost),
            Cell(_plain(r.delay_hours), r.delay_hours),
            Cell(_plain(r.right_returned), r.right_returned),
            Cell(_plain(r.right_lost), r.right_lost),
        ]
        for r in returns
    ]
    notes = [
        "Of the people who are analysed. Expected: finished the session before, also those who may still come. The last two"
        " columns are percent right in session 1, of those who began this session and of those who did not.",
    ]
    headings = [
        "session",
        "expected",
        "began",
        "finished",
        "not finished, %",
        "hours between (median)",
        "right, came back",
        "right, did not",
    ]
    return Table(headings, rows, notes)


def _plain(value: float, measure: str = RIGHT) -> str:
    return "–" if math.isnan(value) else f"{value:.{1 if measure == RIGHT else 2}f}"


def _between(interval: Interval, measure: str) -> str:
    low, high = interval
    return "" if math.isnan(low) else f"[{_plain(low, measure)}, {_plain(high, measure)}]"


def _change(result: SessionResult) -> str:
    if math.isnan(result.change):
        return "–"
    digits = 1 if result.measure == RIGHT else 2
    low, high = result.change_interval
    return f"{result.change:+.{digits}f} [{low:+.{digits}f}, {high:+.{digits}f}]"
