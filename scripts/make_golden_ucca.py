"""Writes tests/golden/ucca_scores.json: the official UCCA evaluation of small pairs of graphs.

    pip install --no-deps ucca==1.3.11 tqdm && PYTHONPATH=tests python scripts/make_golden_ucca.py

The package is used as a program to compare with (GPL-3) and is no dependency: its requirements can no longer be installed,
but its evaluation does not need them.
"""

import json
import xml.etree.ElementTree as ElementTree
from importlib.metadata import version
from pathlib import Path

from ucca import convert, evaluation

from plainmark.ucca import write_passage
from support.ucca_data import bracketed

# What differs, the parsed graph, the gold graph.
PAIRS = [
    ("nothing", "(H (A John) (P got) (A home)) (U .)", "(H (A John) (P got) (A home)) (U .)"),
    ("a label", "(H (A John) (P got) (A home)) (U .)", "(H (A John) (P got) (D home)) (U .)"),
    ("a bracket", "(H (A He) (P ran) (A (R into) (E the) (C park)))", "(H (A He) (P ran) (A (R into) (C (E the) (C park))))"),
    ("where a Function hangs", "(H (A He) (F has) (P run))", "(H (A He) (P (F has) (C run)))"),
    ("a Center in a Center", "(H (A (E big) (C (E brown) (C dogs))) (P ran))", "(H (A (E big) (E brown) (C dogs)) (P ran))"),
    ("two Centers", "(H (A (C (C cats) (N and) (C dogs))) (P ran))", "(H (A (C cats) (N and) (C dogs)) (P ran))"),
    ("an only Center", "(H (A (C Dogs)) (P ran) (D fast))", "(H (A Dogs) (P ran) (D fast))"),
    ("an only Center before the full stop", "(H (P ran) (A (C home))) (U .)", "(H (P ran) (A home)) (U .)"),
    ("a root that is a Scene", "(A He) (P ran)", "(H (A He) (P ran))"),
    ("loose Participants beside Scenes", "(A He) (H (P ran)) (L and) (H (P fell))", "(H (A He) (P ran)) (L and) (H (P fell))"),
    ("a Scene of Scenes", "(H (H (P ran)) (L and) (H (P fell)))", "(H (P ran)) (L and) (H (P fell))"),
    ("a Function with structure", "(H (A He) (F (F has) (C been)) (P running))", "(H (A He) (F has) (F been) (P running))"),
    ("a Function alone", "(H (A It) (P (F is)) (A late))", "(H (A It) (P is) (A late))"),
    ("a Participant alone", "(H (A (A It)) (P is) (A late))", "(H (A It) (P is) (A late))"),
    ("a remote edge", "(H (A=j John) (P came)) (L and) (H (A*j) (P left))", "(H (A=j John) (P came)) (L and) (H (P left) (A*j))"),
    ("no remote edge", "(H (A John) (P came)) (L and) (H (P left))", "(H (A=j John) (P came)) (L and) (H (A*j) (P left))"),
    ("a remote edge elsewhere", "(H (A=j John) (P met) (A Ann)) (L and) (H (A*j) (P left))", "(H (A John) (P met) (A=a Ann)) (L and) (H (A*a) (P left))"),
    ("an implicit unit", "(H (A travelling) (S fun))", "(H (A-) (A travelling) (S fun))"),
    ("an implicit unit without a main relation", "(H (A (A-) (C home)) (P went))", "(H (A home) (P went))"),
    ("a unary chain", "(H (P Run))", "(P Run)"),
    ("all labels", "(A (P John) (A got) (P home))", "(H (A John) (P got) (A home))"),
    ("everything", "(H John got home)", "(H (A John) (P got) (A home))"),
    ("punctuation inside", "(H (A well (U -) known) (P sings) (U .))", "(H (A (D well) (U -) (C known)) (P sings)) (U .)"),
]  # fmt: skip


def passage(text):
    return convert.from_standard(ElementTree.fromstring(write_passage(bracketed(text))))


def main():
    rows = []
    for name, parsed, gold in PAIRS:
        evaluated = evaluation.evaluate(passage(parsed), passage(gold))
        counts = {
            f"{ours} {kind}": [x.num_matches, x.num_guessed, x.num_ref]
            for ours, theirs in (("labelled", "labeled"), ("unlabelled", "unlabeled"))
            for kind, x in ((str(k), v) for k, v in evaluated[theirs].results.items())
        }
        rows.append({"name": name, "parsed": parsed, "gold": gold, "counts": counts})
    contents = {
        "tool": f"ucca {version('ucca')}",
        "command": "python scripts/make_golden_ucca.py",
        "pairs": rows,
    }
    path = Path(__file__).parent.parent / "tests" / "golden" / "ucca_scores.json"
    path.write_text(json.dumps(contents, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
