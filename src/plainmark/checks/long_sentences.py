"""Sentences with more words than a reader can remember."""

from __future__ import annotations

from collections.abc import Iterator

from ._findings import Finding, Rule, Text

LONG = 25  # words; guides for plain language name 20 to 25 as the most


def _long(text: Text) -> Iterator[Finding]:
    most = text.targets.max_sentence or LONG
    for k, sentence in enumerate(text.sentences):
        size = sentence.words.count
        if size > most:
            start, end = text.spans[k]
            yield Finding(
                "PM201",
                start,
                end,
                f"{size} words; at most {most} are easier to follow. Could it be two sentences?",
                sentence=k,
                severity="hint" if text.targets.max_sentence is None else "limit",
            )


RULES = (
    Rule(
        "PM201",
        "long sentence",
        f"A sentence of more than {LONG} words, or of more than you set with --max-sentence. Say one thing in one sentence, or"
        " make a list.",
        "The council will write to you within ten days of your application to tell you whether you can have the permit and how"
        " much you will have to pay for it.",
        "The council will write to you within ten days. It will say if you can have the permit.",
        text=_long,
        english=False,
    ),
)
