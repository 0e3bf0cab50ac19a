"""A small ledger, as the fact ledger would give it, for tests of what shows ledgers."""

from plainmark.faithfulness.ledger import Entry, Ledger, Place

SOURCE = (
    "Do not stop taking the tablets.\nTake 5 mg before meals for 12 days. Dr Amin may help.\n"
    "Call us if you are ill or in 1998 Street."
)
OUTPUT = "Stop taking the tablets.\nTake 5 g before meals. Dr Amin can help.\nCall us if you are ill. It costs 9 pounds."


def place(text, words, sentence=0, start=0):
    start = text.index(words, start)
    return Place(words, start, start + len(words), sentence)


def ledger():
    """Two alarms, something to check, something gone and new, and facts that are the same; spans overlap."""
    return Ledger(
        (
            Entry(
                "negation",
                "changed",
                0.93,
                place(SOURCE, "Do not stop"),
                place(OUTPUT, "Stop"),
                "The original denies it.",
                "polarity",
                True,
            ),
            Entry(
                "number",
                "changed",
                0.97,
                place(SOURCE, "5 mg", 1),
                place(OUTPUT, "5 g", 1),
                "Another unit.",
                "unit",
                True,
            ),
            Entry(
                "direction",
                "same",
                0.9,
                place(SOURCE, "before", 1),
                place(OUTPUT, "before", 1),
                "Both texts have it.",
                "same",
            ),
            Entry("number", "gone", 0.8, place(SOURCE, "12 days", 1), None, "Not in the other text.", "gone"),
            Entry(
                "name",
                "same",
                0.9,
                place(SOURCE, "Dr Amin", 2),
                place(OUTPUT, "Dr Amin", 2),
                "Both texts have it.",
                "same",
            ),
            Entry(
                "modality",
                "check",
                0.5,
                place(SOURCE, "Amin may", 2),
                place(OUTPUT, "Amin can", 2),
                "“may” is weaker than “can”.",
                "weaker",
            ),
            Entry(
                "condition",
                "same",
                0.9,
                place(SOURCE, "if", 3),
                place(OUTPUT, "if", 3),
                "Both texts have it.",
                "same",
            ),
            Entry("number", "gone", 0.8, place(SOURCE, "1998", 3), None, "Not in the other text.", "gone"),
            Entry("number", "new", 0.6, None, place(OUTPUT, "9 pounds", 4), "Not in the original.", "new"),
        ),
        0.83,
        ("Terms: no dictionary of this field.",),
    )


def facts(source, output, kinds=None, language=""):
    """Stands in for plainmark.faithfulness.facts: the ledger, restricted to kinds."""
    whole = ledger() if source == SOURCE else Ledger((), 0.05)
    return Ledger(
        tuple(e for e in whole.entries if kinds is None or e.kind in kinds), whole.risk, whole.notes
    )
