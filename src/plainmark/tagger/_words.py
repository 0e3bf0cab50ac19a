"""The tagger's tables: words of closed classes, endings, and weights of pairs of tags.

Weights are logarithms of estimates: 0 is usual, -1 less usual, -9 impossible; pairs that are not listed get -6.
"""

from __future__ import annotations

import re
from functools import cache

LISTED: dict[str, tuple[str, ...]] = {}


def _list(tags: str, words: str) -> None:
    for word in words.split():
        LISTED[word] = (*LISTED.get(word, ()), *tags.split())


_list(
    "DT",
    "the a an this that these those each every some any no all both another either neither my your his her its "
    "our their whose which many several few most more such other own enough what various numerous certain",
)
_list(
    "PRP3",
    "he she it this that one everyone everybody someone somebody anyone nobody everything something nothing "
    "each another much neither either little",
)
_list("PRPX", "i we they you these those both many few several all some most others")
_list("EX", "there")
_list("OBJ", "him her them us me himself herself itself themselves it you each")
_list(
    "IN",
    "of in on at by for from with about against between into through during above below to over under within "
    "without among across behind beyond near off onto per since toward towards upon via despite except like "
    "around along as than before after until outside inside throughout versus regarding concerning including "
    "following according unlike amid beside besides due such up down out plus",
)
_list("VBP VB", "like")
_list(
    "SC",
    "because although though if when while since after before as until unless whereas whether that once "
    "wherever whenever why how where so than lest provided",
)
_list("WP", "who which that whom whose what")
_list("CC", "and or but nor yet plus &")
_list("TO", "to")
_list("MD", "can could may might must shall should will would 'll ’ll cannot ought")
_list("BE", "is are was were am 'm ’m 're ’re")
_list("HV", "has have had 've ’ve")
_list("DO", "do does did")
_list("BEN", "be been being")
_list(
    "RB",
    "not n't n’t never also often always usually sometimes already still just only even very too quite rather "
    "almost about then thus therefore however moreover furthermore here now today again soon well more most less "
    "least so perhaps maybe ever yet once together instead indeed nevertheless nonetheless hence meanwhile "
    "otherwise else there away back far long early later all both either neither up down out off over "
    "approximately further first second finally lastly additionally overall that no much",
)
_list(
    "CD",
    "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand "
    "million billion dozen",
)
_list(
    "JJ",
    "other such own same many few much several more most less least different first second last next due likely "
    "able unable",
)
_list("NN", "one others something")
# Words that are verbs in WordNet, but hardly ever in texts.
_list("UH", "yes please oh")

PURE_ADVERBS = frozenset(
    "not n't n’t never also often always usually sometimes already still just even very too quite almost then thus "
    "therefore however moreover furthermore now again soon perhaps maybe ever nevertheless nonetheless hence meanwhile "
    "otherwise indeed instead finally lastly additionally together else recently".split()
)
NOT_ADVERBS = frozenset(
    "family early daily apply supply reply rely imply comply multiply fly likely elderly friendly "
    "assembly anomaly monthly weekly yearly only unlikely deadly costly lonely lovely silly ally "
    "rally tally bully belly jelly butterfly comply homely lively leisurely timely orderly".split()
)

_GOOD: dict[str, str] = {
    "START": "DT PRP3 PRPX EX IN SC NN NNS NNP JJ CD VBG CC TO WP RB-.7 UH BE DO HV MD VB-1.5 VBN-1.5 PU OBJ-4",
    "DT": "NN NNS JJ NNP CD VBN-1.5 VBG-1 DT-1.5 RB IN-3 PU-3 OBJ-9 VBZ-9 VBP-9 VBD-9 VB-9 MD-6 BE-5 HV-6 DO-9 CC-4 POS-9",
    "PRP3": "VBZ VBD BE HV MD DO RB VBP-6 VB-7 NN-5 JJ-3.5 IN-1.5 PU-1.5 WP-1.5 VBN-4 VBG-4 CC-2 TO-2.5 DT-4 NNS-6 SC-2",
    "PRPX": "VBP VBD BE HV MD DO RB VBZ-6 VB-7 NN-5 NNS-3 JJ-3 IN-1 PU-1.5 WP-1 VBN-3 VBG-3.5 CC-2 TO-2.5 DT-3.5 SC-2",
    "EX": "BE MD HV VBZ-1.5 VBP-1.5 VBD-1.5 RB-2",
    "OBJ": "IN PU CC TO RB VB-1 VBG-1 JJ-1 SC DT-1 VBN-1 NN-3 NNS-3 VBZ-6 VBP-6 VBD-6 MD-6 BE-6 HV-6 WP-1 CD-2 END",
    "IN": "DT NN NNS NNP JJ CD VBG OBJ PRP3-2.5 PRPX-2.5 WP-1.5 IN-1.5 RB-1 SC-2 VBN-3 TO-4 VB-9 VBP-9 VBZ-9 VBD-8 MD-9 BE-8 "
          "HV-9 DO-9 PU-2 CC-3",
    "SC": "DT PRP3 PRPX EX NN NNS NNP JJ CD VBG-1 VBN-1 IN-1.5 TO-1 RB MD-5 BE-4 VBZ-6 VBP-6 VBD-6 SC-2 PU-1.5 VB-7 HV-4 DO-3",
    "WP": "VBZ VBP VBD BE HV MD DO PRP3 PRPX DT-1 NN-1.5 NNS-1.5 NNP-1 JJ-1.5 IN-2 RB VB-8 VBN-6 VBG-6 PU-2 CD-2 OBJ-5",
    "CC": "DT NN NNS NNP JJ CD VBG VBN VBD VBZ VBP VB-.5 PRP3 PRPX IN RB SC WP TO MD BE HV DO EX OBJ-1",
    "TO": "VB BEN HV-.5 DO-.5 DT-1.5 NN-1.8 NNS-1.5 NNP-1 JJ-1.8 CD-1 OBJ-1 RB-1 VBG-2 PRP3-3 PRPX-3 VBN-5 VBZ-9 VBP-9 VBD-9 "
          "MD-9 BE-9",
    "MD": "VB BEN HV DO RB PRP3-1 PRPX-1 DT-2 NN-4 NNS-3 NNP-2 VBZ-9 VBP-9 VBD-8 VBN-6 PU-2 IN-3 TO-3 JJ-5 EX-1 CD-5 VBG-8",
    "BE": "VBN VBG JJ DT RB IN TO-.5 NN-1.2 NNS-1.5 NNP-1 CD PRP3-.7 PRPX-.7 EX SC BEN-.5 OBJ-2 PU-1 WP-1 CC-2 VB-8 VBZ-9 "
          "VBP-9 VBD-7 MD-9 BE-9 HV-9",
    "HV": "VBN BEN DT RB JJ-.5 NN-.7 NNS-.5 NNP-1 CD-.3 TO-.5 OBJ-1 PRP3-1 PRPX-1 HV-1 DO-2 IN-1.5 PU-1.5 VBD-7 VBZ-9 VBP-9 "
          "VB-7 VBG-4 CC-2",
    "DO": "VB RB PRP3 PRPX DT-.5 NN-1 NNS-1 NNP-1 JJ-1 CD-1 HV-1 DO-1.5 OBJ-1 IN-1.5 PU-1 BEN-2 TO-3 VBN-5 VBZ-9 VBD-9 VBG-4",
    "BEN": "VBN VBG JJ DT RB IN NN-1.2 NNS-1.5 NNP-1.5 CD-1 TO-1 VB-9 VBZ-9 VBP-9 VBD-7 PU-1 CC-1.5 SC-1 OBJ-2 HV-9 DO-9",
    "CD": "NN NNS JJ NNP-1 CD IN PU CC VBG-2 VBN-1.5 VBZ-2 VBP-1.5 VBD-1.5 BE HV MD-1 RB-1 TO-.5 DT-3 SC-2 WP-1.5 DO-3 VB-6 POS-2",
    "JJ": "NN NNS JJ NNP-1 CC IN PU TO-.3 VBG-1.5 VBN-2 CD-1.5 SC-.7 RB-1 DT-3 OBJ-3 PRP3-2.5 PRPX-2.5 WP-1.5 BE-1.5 HV-2.5 "
          "MD-2.5 VBZ-3.5 VBP-3 VBD-3 VB-7 DO-4",
    "NN": "IN PU CC NN-.4 NNS-.4 VBZ BE HV MD VBD DO-.5 VBN-.7 TO-.3 WP-.2 SC RB JJ-1.5 VBG-.8 NNP-2 CD-1.5 POS DT-2.5 "
          "PRP3-2.2 PRPX-2.2 EX-3 OBJ-5 VBP-4.5 VB-5.5",
    "NNS": "IN PU CC VBP BE HV MD VBD DO-.5 VBN-.5 TO-.3 WP-.2 SC RB JJ-1.2 VBG-.7 NN-2.2 NNS-2.5 NNP-2 CD-1.5 POS DT-2.5 "
           "PRP3-2.2 PRPX-2.2 EX-3 OBJ-5 VBZ-5 VB-5",
    "NNP": "NNP IN PU CC VBZ VBD BE HV MD DO-.5 NN-.5 NNS-.5 VBN-.7 TO-.4 WP-.3 SC-.5 RB JJ-1.5 VBG-1 CD-.7 POS DT-2.5 VBP-2 "
           "PRP3-2.5 PRPX-2.5 VB-5.5 OBJ-5",
    "POS": "NN NNS JJ NNP CD VBG-1 VBN-1.5 RB-2 DT-4 IN-2.5 PU-2 CC-3 BE-4 VBZ-5 VBD-5 MD-5",
    "VB": "DT NN-.3 NNS-.2 NNP-.4 JJ-.3 IN OBJ CD-.3 TO RB SC PU VBG-.5 VBN-1.2 PRP3-1 PRPX-1 CC-.5 WP-.5 EX-2 BEN-4 MD-6 BE-6 "
          "VBZ-7 VBP-7 VBD-7 HV-6 VB-2.5",
    "VBN": "IN PU CC TO-.2 RB SC-.3 DT-.8 NN-1 NNS-.8 NNP-.8 JJ-.9 CD-.8 OBJ-1 VBG-.8 VBN-1.5 PRP3-1.5 PRPX-1.5 WP-1 BE-1.5 HV-2 "
           "MD-2 VBZ-3.5 VBP-3 VBD-3 VB-5",
    "VBG": "DT NN-.3 NNS-.2 NNP-.4 JJ-.4 IN OBJ CD-.4 TO-.4 RB SC-.4 PU CC-.3 VBN-1 VBG-1.2 PRP3-1 PRPX-1 WP-.6 BE-.7 HV-1.2 "
           "MD-.8 VBZ-1.3 VBP-1.5 VBD-1.5 VB-5.5",
    "RB": "JJ VBN VBG VBD VBZ VBP VB RB IN PU CC DT NN-1.2 NNS-1.2 NNP-.7 CD PRP3-.5 PRPX-.5 EX-.5 SC TO MD-.5 BE-.5 HV-.5 DO-1 "
          "OBJ-2 WP-1",
    "PU": "DT PRP3 PRPX EX IN SC WP CC TO MD-.7 BE-.7 HV-.7 DO-.7 RB JJ NN NNS NNP CD VBG VBN VBD-.6 VBZ-.6 VBP-.6 VB-1.2 PU OBJ-2 UH "
          "BEN-3",
    "UH": "VB PU DT PRP3 PRPX BE DO MD NN NNS",
}  # fmt: skip
for _finite, _like in (("VBZ", "VB"), ("VBP", "VB"), ("VBD", "VB")):
    _GOOD[_finite] = _GOOD[_like]


@cache
def pairs() -> dict[tuple[str, str], float]:
    """The weight of each pair of tags."""
    table = {}
    for left, rights in _GOOD.items():
        for item in rights.split():
            match = re.fullmatch(r"([A-Z0-9]+?)(-[\d.]+)?", item)
            if match:
                table[left, match[1]] = float(match[2] or 0)
    return table


WEIGHTS: dict[str, dict[str, float]] = {
    "that": {"SC": 0.0, "WP": -0.3, "DT": -0.8, "PRP3": -1.5, "RB": -4.0},
}

SUBJECT_CLITICS = frozenset(
    "it he she that there what who here where this how let one everyone everything".split()
)


ENDINGS = (
    ("ing", "VBG NN"), ("ed", "VBD VBN JJ"), ("ly", "RB"), ("ous", "JJ"), ("ic", "JJ"), ("al", "JJ NN"), ("ive", "JJ"),
    ("able", "JJ"), ("ible", "JJ"), ("ful", "JJ"), ("ary", "JJ NN"), ("ss", "NN"), ("sis", "NN"), ("us", "NN"), ("s", "NNS"),
)  # fmt: skip
