"""The accuracy of the ledger's changes of numbers in other languages: alarms on faithful pairs, and recall of injected
changes.

    python -m evaluation.numbers_by_language [--show]

--show prints every change that asks for a check, with its places, and every injected change that was not found.
Pairs: DEplain and TextComplexityDE (German, original and person's simplification); MultiCochrane (Spanish, French): a
person's text and a system's text of the same English sentence, and the English sentence with the person's text. Injected:
one number of the output that the original has, too, is changed by 1 to 5 in its last place, or a month of a date. The
alarms were judged by a language model: tests/golden/number_judgements.json.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator

from plainmark.datasets import dataset
from plainmark.faithfulness import facts
from plainmark.faithfulness.ledger import Entry, Ledger

SETS = ("deplain", "textcomplexity_de(part='pairs')", "systems es", "systems fr", "english es", "english fr")
MULTI = "multicochrane(language='{}')"


def pairs(name: str) -> list[tuple[str, str, str, str]]:
    """Id, original, text and language."""
    if name in ("deplain", "textcomplexity_de(part='pairs')"):
        (corpus,) = dataset(name).corpora().values()
        return [
            (i, s, o, "de")
            for i, s, o in zip(corpus.ids, corpus.texts("source"), corpus.outputs, strict=True)
        ]
    kind, code = name.split()
    corpora = dataset(MULTI.format(code)).corpora()
    gold = next(c for n, c in corpora.items() if "gold" in n.lower() or "reference" in n.lower())
    if kind == "english":
        return [(i, s, o, code) for i, s, o in zip(gold.ids, gold.texts("source"), gold.outputs, strict=True)]
    by_source = {}
    for n, c in corpora.items():
        if c is not gold:
            for s, o in zip(c.texts("source"), c.outputs, strict=True):
                by_source.setdefault(s, []).append((n, o))
    return [
        (f"{i} {n}", o, other, code)
        for i, s, o in zip(gold.ids, gold.texts("source"), gold.outputs, strict=True)
        for n, other in by_source.get(s, [])
    ]


def ledgers(name: str) -> Iterator[tuple[str, str, str, str, Ledger]]:
    """Each pair of a set with its language and the ledger of its numbers."""
    for sample, before, after, code in pairs(name):
        yield sample, before, after, code, facts(before, after, kinds=("number",), language=code)


def alarms(ledger: Ledger) -> list[Entry]:
    """The numbers and dates that were reported as changed, or to be checked."""
    return [e for e in ledger.entries if e.verdict in ("changed", "check")]


def place(entry: Entry) -> tuple[int, int, int, int]:
    """The place of a change in the original and in the text."""
    assert entry.before
    assert entry.after
    return entry.before.start, entry.before.end, entry.after.start, entry.after.end


def injected(text: str, start: int, end: int, rng: random.Random) -> str:
    """The text with another number at a place; the unchanged text if the place has no digits."""
    digits = list(re.finditer(r"\d", text[start:end]))
    if not digits:
        return text
    # the last digit of the first run, which is not part of the unit
    run = re.match(r"\d[\d.,\u00a0 ]*\d|\d", text[start + digits[0].start() :])
    assert run
    place = start + digits[0].start() + run.end() - 1
    new = str((int(text[place]) + rng.randint(1, 5)) % 10)
    return text[:place] + new + text[place + 1 :]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    rng = random.Random(1)
    for name in SETS:
        counts: Counter[str] = Counter()
        for sample, before, after, code, ledger in ledgers(name):
            counts["pairs"] += 1
            counts["words"] += len(after.split())
            counts.update(e.pattern if e.pattern in ("place", "alone") else e.verdict for e in ledger.entries)
            for e in alarms(ledger) if options.show else ():
                print(f"    {sample} {place(e)} {e.reason} | {before} | {after}")
            for e in ledger.entries:
                if e.verdict != "same" or not e.before or not e.after:
                    continue
                broken = injected(after, e.after.start, e.after.end, rng)
                if broken == after:
                    continue
                counts["injected"] += 1
                entries = facts(before, broken, kinds=("number",), language=code).entries
                hit = [
                    f
                    for f in entries
                    if f.after and f.after.start < e.after.end and e.after.start < f.after.end
                ]
                counts["injected: " + (hit[0].pattern if hit else "unread")] += 1
                if options.show and (not hit or hit[0].verdict == "same"):
                    print(f"    {sample} missed: {hit[0].reason if hit else 'unread'} | {before} | {broken}")
        print(name, dict(counts))
        changes = counts["place"] + counts["alone"]
        recall = counts["injected: place"] + counts["injected: alone"]
        print(
            f"    changes per 1,000 words {1000 * changes / counts['words']:.2f}; injected found {recall} of {counts['injected']}"
        )


if __name__ == "__main__":
    main()
