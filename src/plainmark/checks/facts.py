"""Facts of the original that the text changes, loses or adds, according to the fact ledger."""

from __future__ import annotations

from collections.abc import Iterator

from ._findings import Finding, Rule, Text

_RULES = {"changed": "PM601", "gone": "PM602", "new": "PM603", "check": "PM604"}


def _facts(text: Text, verdict: str) -> Iterator[Finding]:
    if text.ledger is None:
        return
    for entry in text.ledger.entries:
        if entry.verdict != verdict:
            continue
        place = entry.after
        start, end = (place.start, place.end) if place else (0, 0)
        before = f"“{entry.before.text}”" if entry.before else ""
        after = f"“{entry.after.text}”" if entry.after else ""
        says = {
            "changed": f"{before} of the original is {after} here"
            if after
            else f"{before} of the original is not here",
            "gone": f"{before} of the original is not here",
            "new": f"{after} is not in the original",
            "check": f"Compare {before or after} with {'this text' if before and not after else 'the original'}"
            + (f" ({after} here)" if before and after else ""),
        }[verdict]
        yield Finding(
            _RULES[verdict],
            start,
            end,
            f"{says} ({entry.kind}).",
            severity="limit" if verdict == "changed" else "hint",
            explanation=entry.reason,
        )


def _changed(text: Text) -> Iterator[Finding]:
    return _facts(text, "changed")


def _gone(text: Text) -> Iterator[Finding]:
    return _facts(text, "gone")


def _new(text: Text) -> Iterator[Finding]:
    return _facts(text, "new")


def _check(text: Text) -> Iterator[Finding]:
    return _facts(text, "check")


_ORIGINAL = "Patients must take 5 mg of the drug daily. The trial had 40 patients."
_SAME = "Patients must take 5 mg of the drug daily. The trial had 40 patients."
RULES = (
    Rule(
        "PM601",
        "fact changed",
        "A number, name, negation or other fact of the original is not the same here. Correct it, or make sure that the change is"
        " meant.",
        "Patients must take 50 mg of the drug daily. The trial had 40 patients.",
        _SAME,
        text=_changed,
        english=False,
        options={"original": _ORIGINAL},
    ),
    Rule(
        "PM602",
        "fact gone",
        "A fact of the original is not in this text. That may be what simplifying is for; readers may also need it.",
        "Patients must take 5 mg of the drug daily.",
        _SAME,
        text=_gone,
        english=False,
        options={"original": _ORIGINAL},
    ),
    Rule(
        "PM603",
        "fact new",
        "A fact of this text is not in the original. Make sure that it is true.",
        _SAME + " It took 3 weeks.",
        _SAME,
        text=_new,
        english=False,
        options={"original": _ORIGINAL},
    ),
    Rule(
        "PM604",
        "fact to check",
        "A fact may not be the same as in the original; the ledger is not certain. Compare the two places.",
        "Patients can take 5 mg of the drug daily. The trial had 40 patients.",
        _SAME,
        text=_check,
        english=False,
        options={"original": _ORIGINAL},
    ),
)
