"""Whose answers the analysis leaves out, by which rule of the definition. Everyone's answers stay in the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..definition.loading import Study
from ..definition.questions import chosen
from ..straightlining import straightlining
from .descriptives import in_words

if TYPE_CHECKING:
    from ..store.answer_rows import AnswerRow, PersonRow

RULES = {
    "incomplete": "did not finish",
    "minimum_seconds": "median trial too fast",
    "minimum_reading_seconds": "median text read too fast",
    "minimum_minutes": "whole study too fast",
    "attention": "failed attention trials",
    "straightlining": "answered alike",
    "devices": "device",
    "answers": "survey answer",
    "duplicates": "took part or wrote the same before",
}


@dataclass(frozen=True)
class Excluded:
    """One participant and one rule that excludes them."""

    participant: str
    rule: str  # a key of RULES
    detail: str


@dataclass(frozen=True)
class Exclusion:
    """What the rules of a definition do to its participants."""

    participants: tuple[str, ...]  # everyone with a counted answer in the block
    excluded: tuple[Excluded, ...]
    rules: tuple[str, ...]  # that the definition has
    uncounted: int = 0  # further participants, none of whose answers count: replaced, or rejected

    @property
    def out(self) -> frozenset[str]:
        """Who is excluded."""
        return frozenset(e.participant for e in self.excluded)

    @property
    def kept(self) -> tuple[str, ...]:
        """Who is analysed."""
        return tuple(p for p in self.participants if p not in self.out)

    @property
    def everyone(self) -> bool:
        """Whether nobody is left."""
        return bool(self.participants) and not self.kept

    def counts(self) -> dict[str, tuple[int, int]]:
        """How many participants each rule excludes, and how many no other rule excludes."""
        by_rule = {rule: {e.participant for e in self.excluded if e.rule == rule} for rule in self.rules}
        times = Counter(p for people in by_rule.values() for p in people)
        return {rule: (len(people), sum(times[p] == 1 for p in people)) for rule, people in by_rule.items()}


def exclude(study: Study, rows: Sequence[AnswerRow], people: Sequence[PersonRow]) -> Exclusion:
    """Apply the rules of the definition to everyone who has a counted answer in a block; later sessions exclude nobody."""
    by_person: dict[str, list[AnswerRow]] = {}
    for row in (r for r in rows if r.session == 1):
        by_person.setdefault(row.participant, []).append(row)
    known = {p.participant: p for p in people}
    answered = {r.participant for r in rows if r.page == "block" and r.counted}
    order = [p.participant for p in people if p.participant in answered]
    excluded = [e for person in order for e in _against(study, known[person], by_person[person])]
    rules = study.definition.exclusions.model_dump()
    lost = {r.participant for r in rows if r.page == "block"} - answered
    uncounted = sum(
        p.participant in lost and (p.outcome == "failed_checks" or p.review == "rejected") for p in people
    )
    return Exclusion(tuple(order), tuple(excluded), tuple(r for r in RULES if rules[r]), uncounted)


def _against(study: Study, person: PersonRow, rows: Sequence[AnswerRow]) -> Iterator[Excluded]:
    """Every rule that excludes a participant."""
    definition = study.definition
    rules, checks = definition.exclusions, definition.checks
    name = person.participant
    if rules.incomplete and person.outcome != "complete":
        yield Excluded(name, "incomplete", person.outcome.replace("_", " ") or "not finished")
    seconds, minutes = person.trial_seconds, person.minutes
    if rules.minimum_seconds and seconds is not None and seconds < rules.minimum_seconds:
        yield Excluded(
            name, "minimum_seconds", f"median {seconds:.1f} s, less than {rules.minimum_seconds:g} s"
        )
    reading, least = person.reading_seconds, rules.minimum_reading_seconds
    if least and reading is not None and reading < least:
        yield Excluded(name, "minimum_reading_seconds", f"median {reading:.1f} s, less than {least:g} s")
    if rules.minimum_minutes and minutes is not None and minutes < rules.minimum_minutes:
        yield Excluded(name, "minimum_minutes", f"{minutes:.1f} min, less than {rules.minimum_minutes:g} min")
    wrong = sum(r.page == "attention" and r.correct is False for r in rows)
    if rules.attention and wrong > checks.allowed_failures:
        yield Excluded(name, "attention", f"{wrong} of {len(checks.attention)} wrong")
    if rules.straightlining:
        questions = {q.id: q for q in definition.block_questions}
        places = [(r.question.partition("[")[0], r.shown, r.value) for r in rows if r.page == "block"]
        for question, share, count in straightlining(places, questions):
            if share >= rules.straightlining:
                yield Excluded(name, "straightlining", f"{question}: {share:.0%} of {count} answers alike")
    for device in person.devices:
        if device in rules.devices:
            yield Excluded(name, "devices", device)
    given = {r.question: r.value for r in rows if r.page == "survey" and r.asked}
    for rule in rules.answers:
        asked = definition.survey_question(rule.question)
        if set(chosen(asked, given.get(rule.question, ""))) & set(rule.equals):
            yield Excluded(name, "answers", f"{rule.question}: {in_words(asked, given[rule.question])}")
    if rules.duplicates and person.duplicate_of:
        yield Excluded(name, "duplicates", f"same as {person.duplicate_of}")


def described(study: Study) -> list[tuple[str, str]]:
    """The rules of a definition in words, for people who preregister or read them: (name, sentence)."""
    rules, definition = study.definition.exclusions, study.definition
    sentences: Mapping[str, str] = {
        "incomplete": "participants who did not finish",
        "minimum_seconds": f"participants whose median trial took less than {rules.minimum_seconds:g} seconds",
        "minimum_reading_seconds": "participants who read their median text in less than "
        f"{rules.minimum_reading_seconds:g} seconds",
        "minimum_minutes": f"participants who took less than {rules.minimum_minutes:g} minutes in all",
        "attention": "participants who answered more than "
        f"{definition.checks.allowed_failures} of {len(definition.checks.attention)} attention trials wrong",
        "straightlining": f"participants of whose closed answers (at least five) {rules.straightlining:.0%} or more "
        "have one position on the screen, or one value of a scale",
        "devices": f"participants who answered a page on a {' or a '.join(rules.devices)}",
        "answers": "; ".join(_survey_rule(study, r.question, r.equals) for r in rules.answers),
        "duplicates": "participants who took part in the pilot as well, or whose written answers (20 characters or more)"
        " all equal those of an earlier participant",
    }
    stated = rules.model_dump()
    return [(rule, sentences[rule]) for rule in RULES if stated[rule]]


def _survey_rule(study: Study, name: str, values: Sequence[str]) -> str:
    question = study.definition.survey_question(name)
    said = " or ".join(f"“{in_words(question, v)}”" for v in values)
    return f"participants who answered {said} to “{question.text if question else name}”"
