"""How strongly something is stated: obligation (must, should, may) and certainty (will, probably, perhaps).

`may`, `can` and `could` are at the lower end of both scales. The classes are

    must        must, have to, is required to           should      should, ought to, is advised to
    may         may, might, could, perhaps              can         can, is able to: also plain ability
    likely      probably, appears to, suggests          reported    is thought to, allegedly, claims
    will        will, shows, demonstrates               certain     certainly, proves, guarantees
    free        need not, do not have to                hint        possible, risk, would: never asked for, but an excuse

A negated operator ("must not") keeps its class and is marked as such; the kind `negation` compares denials, but this kind
distinguishes "must not" and "need not".
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..alignment import Link, Pair
from ..passage import Passage
from . import Finding, Mention, group_of
from ._cues import Cue, ScaleKind, about, cues, firm, heads, phrases
from ._lost import sentence_without
from ._pending import settled
from ._view import is_certain

_TABLE = phrases(
    {
        "must": "must|have to|has to|had to|having to|need to|needs to|needed to|required to|requires to|shall|obliged to|"
        "obligated to|obligatory|mandatory|compulsory|got to|gotta|it is necessary|is necessary to|are necessary to|"
        "it is essential|is essential to|is essential that|it is vital|forced to|mandated|requirement",
        "should": "should|ought to|had better|recommended|recommend|recommends|recommending|recommendation|recommendations|"
        "advised|advise|advises|advisable|it is important|is important to|supposed to|encouraged to|urged to|"
        "consider|considered",
        "may": "may|might|maybe|perhaps|possibly|potentially|conceivably|could|it is possible|is possible that|may be|"
        "optional|optionally|allowed to|permitted to|is allowed|are allowed|is permitted|are permitted|free to|"
        "is considering|are considering|was considering|were considering|has the potential|have the potential|may or may not",
        "can": "can|able to|capable of|it is possible to|is possible to|are possible",
        "likely": "look like|looks like|looked like|look to be|looks to be|reputedly|probably|likely|seem|seems|seemed|seemingly|appear to|appears to|appeared to|appearing to|it appears|"
        "it appeared|apparently|presumably|suggest|suggests|suggested|suggesting|suggestive|indicate|indicates|indicated|"
        "indicating|tend to|tends to|tended to|tendency|in all likelihood|imply|implies|implied|expected to|most likely|"
        "arguably",
        "reported": "suspect that|suspects that|suspected that|think that|thinks that|thought to|thought that|is thought|are thought|was thought|were thought|suspected of|believed to|is believed|are believed|it is believed|believe|believes|believed|"
        "reportedly|allegedly|alleged|alleges|allege|claim|claims|claimed|supposedly|said to|rumoured|"
        "rumored|assumed to|is assumed|considered to be|hypothesised|hypothesized|hypothesise|hypothesize|speculate|"
        "speculates|speculated|suspected|suspects|suspect|think|thinks|thought|proposed|propose|purportedly|presume|presumes|presumed|assume|assumes|assumed|postulate|postulates|postulated|understood to|deemed|rumoured to|widely believed",
        "will": "will|'ll|wo|show|shows|showed|shown|showing|demonstrate|demonstrates|demonstrated|demonstrating|found that|"
        "going to|find that|finds that|reveal|reveals|revealed|is known to|are known to|known to|established",
        "certain": "certainly|definitely|undoubtedly|doubtless|surely|without doubt|no doubt|proves|prove|proved|proven|"
        "is certain|are certain|it is certain|certain to|bound to|guaranteed to|guarantee|guarantees|guaranteed|inevitably|"
        "confirm|confirms|confirmed|conclusively|sure to|for sure",
        "require": "warrant|warrants|warranted|need|needs|needed|require|requires|required|requiring|oblige|obliges|compel|compels|force|forces|forced|mandate|mandates|demand|"
        "demands|demanded|liable to|liable for",
        "allow": "allow|allows|allowed|allowing|permit|permits|permitted|let|lets|enable|enables|entitled to|entitle|entitles",
        "free": "need not|needn't|not have to|n't have to|not need to|n't need to|no need to|not required to|n't required to|"
        "not required|not necessary|n't necessary|not obliged to|not necessarily|unnecessary|not mandatory|not compulsory|"
        "no obligation|voluntary|never have to|not need|n't need|without having to|instead of having to",
        "possible": "possible|possibility|possibilities|potential|chance|chances",
        "saying": "according to|say|says|said|state|states|stated|note|notes|noted|report|reports|reported",
        "hint": "risk|risks|unclear|uncertain|uncertainty|would|"
        "'d|whether|evidence|hypothesis|theory|suspicion|estimated|estimate|estimates|apparent|probability|probable|"
        "likelihood|opportunity|option|options|whether or not|not certain|not sure|not known|unknown|doubt|doubts|hope|"
        "hopes|hoped|hopefully|if|predict|predicts|predicted|sometimes|often|usually|in some cases|prone|susceptible|"
        "at risk|ability|capacity|impossible|question|expect|expects|expected|permission|right to|unlikely|some|generally|"
        "typically|guess|feel|feels|felt|trend|point to|points to|used to|accused|accuse|accuses|consider whether|"
        "prospect|prospects|plan|plans|planned|doubtful|likely than|indeed|doubtlessly|validated|verified|ensure|needed|necessity|"
        "prohibited|forbidden|banned|illegal|seen as|seen to|regarded as|viewed as|perceived|described as",
    }
)
_NOT = frozenset({"not", "n't", "n’t", "never", "no"})
_NOUN_BEFORE = {
    "recommended": frozenset("the a an their its above below of daily".split()),
    "will": frozenset(
        "the a his her their my your our free good ill living last own of political strong iron".split()
    ),
    "might": frozenset("the its his their all military full with of economic".split()),
    "can": frozenset("a the tin beer watering trash garbage oil spray".split()),
    "must": frozenset(("a", "the", "-")),
    "may": frozenset("in of early late last next since until during mid every".split()),
    "think": frozenset(("-",)),
    "claim": frozenset("a the insurance his her their this that any no each".split()),
    "claims": frozenset("the insurance of these those any no all".split()),
    "show": frozenset("a the tv his her talk radio television".split()),
    "shows": frozenset("the tv his her".split()),
    "suspect": frozenset("a the one prime this".split()),
    "suspects": frozenset("the two three of these".split()),
    "thought": frozenset("a the this that of his her".split()),
    "confirmed": frozenset("a the".split()),
    "established": frozenset("well long a the an".split()),
    "expected": frozenset(("than", "as")),
    "accused": frozenset(("the", "an")),
}
_NAMES = {
    "must": "an obligation",
    "should": "a recommendation",
    "may": "a possibility",
    "can": "a possibility",
    "likely": "a tendency or a cautious statement",
    "reported": "somebody's claim",
    "will": "a fact",
    "certain": "a certainty",
    "deduced": "a conclusion",
    "free": "something that nobody has to do",
}
# Classes that differ in strength, and the pattern under which the precision is measured.
_DIFFERENT: dict[frozenset[str], str] = {
    frozenset({"must", "may"}): "strength",
    frozenset({"must", "can"}): "strength",
    frozenset({"must", "likely"}): "strength",
    frozenset({"will", "may"}): "strength",
    frozenset({"certain", "may"}): "strength",
    frozenset({"certain", "likely"}): "strength",
    frozenset({"certain", "reported"}): "strength",
    frozenset({"should", "may"}): "strength",
    frozenset({"should", "can"}): "strength",
    frozenset({"must", "should"}): "degree",
    frozenset({"deduced", "may"}): "degree",
    frozenset({"will", "can"}): "ability",
    frozenset({"will", "likely"}): "degree",
}
_EPISTEMIC = frozenset({"may", "likely", "reported", "will", "certain"})
_NEVER_ASKED = frozenset({"hint", "saying", "require", "allow", "possible"})
_CLASS = {"require": "must", "allow": "may", "possible": "may"}


class Modality(ScaleKind):
    """Obligation, permission, certainty and hedging."""

    name = "modality"

    def find(self, passage: Passage) -> list[Mention]:
        words = passage.words
        located = [cue for cue in cues(passage, _TABLE) if _is_operator(passage, cue)]
        skip = {
            i
            for cue in located
            if cue.label == "reported"
            or (cue.label not in _NEVER_ASKED and words[cue.first].lower not in _WEAK)
            for i in range(cue.first, cue.last + 1)
        }
        return [_mention(passage, cue, skip) for cue in located]

    def differ(self, a: Mention, b: Mention, pair: Pair) -> tuple[str, str] | None:
        class_a, class_b = (_CLASS.get(str(m.value[0]), str(m.value[0])) for m in (a, b))
        not_a, not_b = a.value[1], b.value[1]
        pattern = None
        if "free" in (class_a, class_b) and {class_a, class_b} & {"must", "should"}:
            forbidden = not_b if class_a == "free" else not_a
            pattern = "prohibition" if forbidden else "strength"
        elif not_a == not_b:
            pattern = _DIFFERENT.get(frozenset({class_a, class_b}))
            if not_a and not {class_a, class_b} <= _EPISTEMIC and not _inability(a, b):
                pattern = None
        if pattern is None:
            return None
        first, second = pair.source.text[a.start : a.end], pair.output.text[b.start : b.end]
        return pattern, (
            f"The original says “{first}” ({_NAMES[class_a]}); "
            f"the simplified text says “{second}” ({_NAMES[class_b]})."
        )

    def compare(self, pair: Pair, before: Sequence[Mention], after: Sequence[Mention]) -> Iterable[Finding]:
        opened = list(settled(pair))
        places = [range(f.before.first, f.before.last + 1) for f in opened if f.before]
        findings = list(super().compare(pair, before, after))
        paired = {id(f.after) for f in findings if f.before and f.after}
        strong = [b for b in after if not b.weak and id(b) not in paired]
        for f in findings:
            if f.before and any(f.before.first in place for place in places):
                continue
            if f.outcome == "gone" and f.before and _lost(pair, f.before, strong):
                text = pair.source.text[f.before.start : f.before.end]
                reason = f"The original says “{text}”; the simplified text says it as a fact."
                f = Finding("changed", f.before, None, "hedge lost", reason)
            yield f
        yield from opened

    def confirms(self, mention: Mention) -> bool:
        return mention.value[0] in _CLASS

    def decisive(self, pattern: str) -> bool:
        return pattern not in ("ability", "degree")

    def excuses(self, a: Mention, b: Mention, pair: Pair) -> bool:
        if self.differ(a, b, pair) is not None:
            return False
        if not (a.weak or b.weak):
            return True
        if "saying" in (a.value[0], b.value[0]) and not {a.value[0], b.value[0]} & {"reported", "likely"}:
            return False
        weak, strong, passage, other = (
            (b, a, pair.output, pair.source) if b.weak else (a, b, pair.source, pair.output)
        )
        word = passage.words[weak.first].base
        if word == "evidence" and _of_evidence(other, strong):
            return True  # "evidence suggests" and "there is evidence that"
        group = pair.groups[group_of(pair, 0, a)]
        return not any(  # a hint that both texts have is no excuse
            other.words[i].base == word and not strong.first <= i <= strong.last
            for sentence in (group.source if b.weak else group.output)
            for i in other.sentence_words(sentence)
        )

    def dropped(self, a: Mention, partners: Sequence[Link], pair: Pair) -> tuple[str, str] | None:
        label = str(a.value[0])
        text = pair.source.text[a.start : a.end]
        if label != "may":  # the source of the statement may be left out together with it
            a = replace(a, about=tuple(i for i in a.about if i > a.last) or a.about)
        pattern = "hedge dropped"
        if not firm(a, [link for link in partners if link.i in a.about], 0):
            words = [w.lower for w in pair.source.words[a.first : a.last + 2]]
            verbal = "to" in words or words[0] in ("may", "might", "could")
            near = {link.i for link in partners if link.relation != "replaced"}
            if not is_certain(pair) or _share_kept(pair) < _MOST or not (verbal or near & {*heads(a)[:1]}):
                return None
            pattern = "hedge dropped, reworded"
        if text.lower() == "could" and _ability(pair.source, a):
            return None
        if label in ("may", "likely", "reported") and text.lower() not in _NOT_HEDGES:
            return pattern, f"The original says “{text}”; the simplified text says it as a fact."
        return None

    def added(self, b: Mention, partners: Sequence[Link], pair: Pair) -> tuple[str, str] | None:
        label, text = b.value[0], pair.output.text[b.start : b.end]
        if b.value[1] or not firm(b, partners, 1) or not _same_clause(b, partners, pair.source):
            return None
        if label in ("must", "certain") and text.lower() not in ("had to", "needed to"):
            return "strength added", f"The simplified text says “{text}”; the original does not."
        if label == "may":
            return "hedge added", f"The simplified text says “{text}”; the original says it as a fact."
        return None


def _mention(passage: Passage, cue: Cue, skip: set[int]) -> Mention:
    words = passage.words
    word, label = words[cue.first], cue.label
    sentence = passage.sentence_words(word.sentence)
    around = [
        words[i].lower for i in range(max(cue.first - 1, sentence.start), min(cue.last + 3, sentence.stop))
    ]
    denials = sum(w in _NOT for w in around) - (("not", "only") in itertools.pairwise(around))
    negative = label != "free" and denials > 0
    if label == "must" and negative and word.lower in ("have", "need", "required"):
        label, negative = "free", False
    if label == "likely" and {word.lower, around[0]} & _COMPARED:
        label = "hint"
    if word.lower == "must" and _deduced(passage, cue.last):
        label = "deduced"
    weak = (
        label in _NEVER_ASKED
        or (word.lower in _WEAK and cue.first == cue.last)
        or (label in _ASSERTIVE and _asked_or_denied(passage, cue))
        or (label == "must" and cue.first > sentence.start and around[0] in ("may", "might", "could"))
    )
    return Mention(
        word.start,
        words[cue.last].end,
        cue.first,
        cue.last,
        (label, negative, word.lower),
        about(passage, cue.first, cue.last, skip),
        weak,
    )


def _lost(pair: Pair, a: Mention, after: Sequence[Mention]) -> bool:
    """Whether the output makes a statement without its hedge: it has the words next to the hedge, and half of the rest."""
    if a.value[0] not in ("may", "likely", "reported") or pair.source.text[a.start : a.end] in _NOT_HEDGES:
        return False
    nearest = heads(a)[:1]
    return (
        bool(nearest)
        and (link := pair.after.get(nearest[0])) is not None
        and link.relation in ("same", "form", "synonym")
        and not (a.value[2] == "could" and _ability(pair.source, a))
        and sentence_without(pair, a, a.about, after) is not None
    )


def _of_evidence(passage: Passage, mention: Mention) -> bool:
    """Whether the statement rests on evidence: "low-quality evidence suggests", "evidence from one trial indicates"."""
    words = passage.words
    first = max(passage.first_word[words[mention.first].sentence], mention.first - _SUBJECT)
    return words[mention.first].base in ("suggest", "indicate") and any(
        word.lower == "evidence" for word in words[first : mention.first]
    )


def _share_kept(pair: Pair) -> float:
    """The share of the content words of the output that the source has as well."""
    content = [j for j, word in enumerate(pair.output.words) if word.content]
    count = sum((link := pair.linked(1, j)) is not None and link.relation != "replaced" for j in content)
    return count / len(content) if content else 0.0


def _same_clause(b: Mention, partners: Sequence[Link], source: Passage) -> bool:
    """Whether words before and after an operator of the output are close together in the source, in the same order."""
    before = [link.i for link in partners if link.j < b.first]
    after = [link.i for link in partners if link.j > b.last]
    return bool(before and after) and 0 < min(after[0] - i for i in before) <= _NEAR


def _inability(a: Mention, b: Mention) -> bool:
    """Whether one of two denied operators expresses an inability ("could not") and the other a prohibition."""
    return a.value[2] != b.value[2] and {"could", "must"} == {a.value[2], b.value[2]}


def _ability(passage: Passage, mention: Mention) -> bool:
    """Whether "could" expresses an ability: could only, could not, could be found."""
    following = [word.lower for word in passage.words[mention.last + 1 : mention.last + 4]]
    return not _ABILITY.isdisjoint(following)


def _deduced(passage: Passage, last: int) -> bool:
    """Whether "must" draws a conclusion, as in "she must have left" and "it must be that"."""
    words = passage.words
    following = [word.lower for word in words[last + 1 : last + 3] if word.sentence == words[last].sentence]
    return (
        len(following) == 2
        and following[0] == "have"
        and (following[1].endswith(("ed", "en")) or following[1] in _PARTICIPLES)
    )


_PARTICIPLES = frozenset(
    "been gone done made had come seen known lost found left felt kept met sat begun come run become begun heard held "
    "meant sent told thought brought bought caught built fallen".split()
)


def _asked_or_denied(passage: Passage, cue: Cue) -> bool:
    """Whether the statement is in a question ("to see whether it will work") or a denial ("no data suggest")."""
    words = passage.words
    clause = words[cue.first].clause
    for i in range(cue.first - 1, passage.first_word[words[cue.first].sentence] - 1, -1):
        if words[i].clause != clause:
            return False
        if words[i].lower in _QUESTIONS or (
            cue.label == "likely" and words[i].lower in ("no", "insufficient")
        ):
            return True
    return False


_QUESTIONS = frozenset(("whether", "if", "how", "why", "what", "until", "so", "before"))
_ASSERTIVE = frozenset(("will", "may", "can", "likely"))
_COMPARED = frozenset(("more", "less", "as", "equally", "most", "least"))
# "Is needed to assess" states a purpose, "the number needed to treat" an amount.
_NEEDED_FOR = frozenset("is are was were be been being number numbers".split())
_ABILITY = frozenset("only not n't n’t found seen hear see feel smell remember hardly barely".split())
_FINITE = frozenset("is was has had 's ’s lives".split())
_NEAR = 5
_SUBJECT = 6
_MOST = 0.6
_NOT_HEDGES = frozenset({"optional", "optionally", "allowed to", "permitted to", "free to", "tended to"})
_WEAK = frozenset(
    "show shows showed shown showing demonstrate demonstrates demonstrated demonstrating found find finds reveal reveals "
    "revealed known consider considered think thinks established propose suspected "
    "proposed tendency requirement indicated indicate indicates indicating suspect suspects".split()
)


def _is_operator(passage: Passage, cue: Cue) -> bool:
    """Whether a cue is an operator: not the month of May, a will, or a tin can."""
    words = passage.words
    word = words[cue.first]
    sentence = passage.sentence_words(word.sentence)
    before = words[cue.first - 1] if cue.first > sentence.start else None
    after = words[cue.last + 1] if cue.last + 1 < sentence.stop else None
    if cue.first != cue.last:
        return not (word.lower == "needed" and before is not None and before.lower in _NEEDED_FOR)
    lower = word.lower
    if before is not None and before.lower in _NOUN_BEFORE.get(lower, ()):
        return False
    if lower in ("may", "will", "might"):
        if word.text[0].isupper() and before is not None and not word.text.isupper():
            return False
        if lower == "may" and ((before and before.text[0].isdigit()) or (after and after.text[0].isdigit())):
            return False
        if before is None and after is not None and (after.lower.endswith("ed") or after.lower in _FINITE):
            return False  # a person or the month: "May earned his degree"
    if lower in ("must", "can", "will") and after is not None and after.text == "-":
        return False
    if lower == "will" and after is not None and after.lower in ("probably", "likely", "possibly", "perhaps"):
        return False
    if lower == "wo":
        return after is not None and after.lower in _NOT
    # "Should you feel sick" is a condition.
    return not (lower == "should" and before is None and after is not None and not after.content)


KIND = Modality()
