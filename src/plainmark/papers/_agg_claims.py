"""The conclusions of the Agg paper, checked against its own data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from . import Claim, PublishedCell
from ._agg_printed import COLUMNS

DWIKI = COLUMNS[1:4]
COHERENCE = "peturb_coherence_v2/coherence"
# Rows whose scores, or those of the same metric with another model, are known.
IN_ORDER = ("BLEU", "SARI", "DSARI", "BERTScore", "Agg-SARI", "Agg-BERTScore")
# Rows whose arrows in Table 2 point up although the aggregated version has the lower figure.
ARROWS = ("peturb_deletion/deletion", "peturb_copy_v2/copy")


def claims(cells: Sequence[PublishedCell]) -> list[Claim]:
    """The conclusions that the computed cells decide."""
    return list(_claims({(c.table, c.cell): c for c in cells}))


def _claims(cells: dict[tuple[str, str], PublishedCell]) -> Iterator[Claim]:
    columns = [c for c in COLUMNS if ("Table 1", f"BLEU/{c}") in cells]
    if len(columns) == len(COLUMNS):
        beaten = []
        for column in columns:
            printed = [c for (t, name), c in cells.items() if t == "Table 1" and name.endswith(f"/{column}")]
            top, baseline = max(printed, key=lambda c: c.published), printed[0].baseline
            if baseline and baseline.value > top.published:
                beaten.append(
                    f"{column}: {baseline.name} {baseline.value:.3f} [{baseline.low:.3f}, {baseline.high:.3f}],"
                    f" best printed {top.cell.partition('/')[0]} {top.printed}"
                )
        yield Claim(
            "The best metrics of Table 1 say more than the length of a text or how much of the source it copies.",
            not beaten,
            f"In {len(beaten)} of {len(columns)} columns a trivial baseline is above every printed metric. "
            + "; ".join(beaten),
        )
    rows = [cells.get(("Table 1", f"{row}/{c}")) for row in ("BERTScore", "Agg-BERTScore") for c in DWIKI]
    if all(c is not None and c.stand_in for c in rows):
        before, after = ([c.stand_in for c in half if c and c.stand_in] for half in (rows[:3], rows[3:]))
        shown = [" / ".join(f"{f.value:.3f}" for f in half) for half in (before, after)]
        higher = sum(b.value > a.value for a, b in zip(before, after, strict=True))
        yield Claim(
            "Aggregation raises BERTScore's correlations on D-WIKI (fluency, meaning, simplicity).",
            higher == len(DWIKI),
            f"Printed .017 / .037 / .012 and .235 / .418 / .498, the first with scores of which some are given to the wrong texts. With {before[0].name}"
            f" and the right ones: {shown[0]} for whole texts, {shown[1]} aggregated; higher in {higher} of 3.",
        )
    coherence = [
        c for row in IN_ORDER if (c := cells.get(("Table 2", f"{row}/{COHERENCE}"))) is not None and c.strict
    ]
    if coherence:
        parts = [
            f"{c.cell.partition('/')[0]} {c.printed} printed, {c.strict.value:.1f} strictly ({c.strict.name}"
            f"{f', by {c.stand_in.name}' if c.stand_in else ''})"
            for c in coherence
            if c.strict
        ]
        yield Claim(
            "Metrics detect texts whose sentences are out of order, aggregated ones best (Table 2, Coherence).",
            all(c.strict is not None and c.strict.value > 50 for c in coherence),
            "Equal scores count as detected. Of 60 pairs: " + "; ".join(parts),
        )
    if all(("Table 2", f"BERTScore/{error}") in cells for error in ARROWS):
        pairs = [(cells["Table 2", f"BERTScore/{e}"], cells["Table 2", f"Agg-BERTScore/{e}"]) for e in ARROWS]
        yield Claim(
            "Every metric but SARI detects deletion better when it is aggregated, and the arrows of Table 2 say so.",
            all(b.published > a.published for a, b in pairs),
            "BERTScore has arrows up in two cells that are lower by the printed figures: "
            + "; ".join(f"{b.cell.rpartition('/')[2]} {a.printed} to {b.printed}" for a, b in pairs),
        )
    grouped = [
        cells.get(("Table 3", f"Agg-SARI, {way}/{key}"))
        for key in ("dwiki", "qa")
        for way in ("many to many", "best source", "best output")
    ]
    figures = [c.stand_in for c in grouped if c is not None and c.stand_in]
    if len(figures) == 6:
        holds = all(figures[k].value > figures[k + j].value for k in (0, 3) for j in (1, 2))
        ways = ("many to many", "best source", "best output")
        shown = [
            ", ".join(
                f"{way} {f.value:.3f} [{f.low:.3f}, {f.high:.3f}]" for way, f in zip(ways, some, strict=True)
            )
            for some in (figures[:3], figures[3:])
        ]
        yield Claim(
            "Groups of aligned sentences serve better than pairs of best partners (Table 3).",
            holds,
            f"Agg-SARI with the aligner `context`. D-WIKI: {shown[0]}; ONESTOPQA: {shown[1]}.",
        )
    readers = [
        c for (t, name), c in cells.items() if t == "Table 1" and "/qa." in name and "without KIS" in c.note
    ]
    if readers:
        left = [float(c.note.split("; ")[-1].split()[0]) for c in readers]
        yield Claim(
            "On ONESTOPQA metrics tell how much of a text readers understand.",
            max(map(abs, left)) > 0.15,
            f"One system, KIS, carries the correlations: without it the computed rows have {min(left):.3f} to {max(left):.3f}.",
        )
