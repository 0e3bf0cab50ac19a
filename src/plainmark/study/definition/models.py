"""The models of study.yaml, from which the published JSON Schema is generated."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Annotated, Any, Literal

from pydantic import Field

from ...schema import StrictModel, json_schema
from .fields import AddedKey, Flag, Matching, Name, Names, Range, Text, Texts, Word
from .pages import BlockPage, LaterPages, PageDefinition, Pages, RecallPage, SurveyPage
from .questions import Mcq, Question, Questions

Outcome = Literal["complete", "screened_out", "no_consent", "full", "failed_checks"]
OUTCOMES: tuple[Outcome, ...] = ("complete", "screened_out", "no_consent", "full", "failed_checks")

PROLIFIC = "https://app.prolific.com/submissions/complete?cc={code}"


class Design(StrictModel):
    """Who sees what."""

    kind: Literal["within", "between"] = Field(
        default="within", description="a participant sees several conditions, or one"
    )
    per_participant: Annotated[int, Range(1, 1000)] = Field(
        default=6, description="items that each participant sees"
    )
    replicates: Annotated[int, Range(1, 1000)] = Field(
        default=1, description="participants who answer each item in each condition"
    )
    overlap: Annotated[int, Range(0, 100000)] = Field(
        default=0, description="items whose conditions are all answered once more, to measure agreement"
    )
    order: Literal["random", "latin", "fixed"] = Field(
        default="random", description="order of the items of a participant"
    )
    block_order: Annotated[Literal["fixed", "random"], AddedKey()] = Field(
        default="fixed", description="order of several blocks: as listed, or drawn for each participant"
    )
    fill: Flag = Field(
        default=True,
        description="fill the last blocks with cells that are answered already, so that everyone has the same work",
    )
    seed: Annotated[int, Range(0, 2**31)] = Field(default=0, description="seed of all random choices")


class Attention(StrictModel):
    """A trial that everyone who reads it answers correctly."""

    after: Annotated[int, Range(1, 1000)] = Field(description="number of items before it")
    question: Mcq = Field(description="a question with a key")
    text: Text = Field(default="", description="what is read")
    others: Annotated[Questions, AddedKey()] = Field(
        default=(),
        description="questions before it that check nothing, so that the trial asks as many as others do",
    )

    @property
    def asked(self) -> tuple[Question, ...]:
        """All questions of the trial; the last one counts."""
        return (*self.others, self.question)


class Checks(StrictModel):
    """Checks of attention."""

    attention: tuple[Attention, ...] = Field(default=(), description="trials with a known answer")
    allowed_failures: Annotated[int, Range(0, 100)] = Field(
        default=0, description="wrong attention trials that are forgiven"
    )
    minimum_seconds: Annotated[float, Range(0, 86400)] = Field(
        default=0.0, description="a trial answered faster is flagged"
    )
    minimum_reading_seconds: Annotated[float, Range(0, 86400), AddedKey()] = Field(
        default=0.0, description="a text read faster is flagged (blocks whose reading is first or apart)"
    )
    straightlining: Annotated[float, Range(0, 1)] = Field(
        default=0.9, description="share of answers at one position from which a participant is flagged"
    )
    on_failure: Literal["flag", "replace"] = Field(
        default="replace",
        description="when too many attention trials are wrong: only flag, or also ask someone else",
    )
    review: Annotated[int, Range(0, 1000)] = Field(
        default=0, description="number of first answers of each participant that are reviewed"
    )


class Parameters(StrictModel):
    """Names of the recruiter's parameters in the link."""

    participant: Word = Field(
        default="PROLIFIC_PID", description="name of the parameter with the participant's id"
    )
    study: Word = Field(default="STUDY_ID", description="name of the parameter with the study's id")
    session: Word = Field(default="SESSION_ID", description="name of the parameter with the session's id")


class Codes(StrictModel):
    """Completion codes by outcome; without one, participants are thanked and not sent back."""

    complete: Text = Field(default="", description="finished")
    screened_out: Text = Field(default="", description="not eligible")
    no_consent: Text = Field(default="", description="did not agree")
    full: Text = Field(default="", description="no places left")
    quota: Annotated[Text, AddedKey()] = Field(
        default="",
        description="no places left for people with the same survey answer; without it that of full",
    )
    failed_checks: Text = Field(default="", description="too many wrong attention trials")


class Recruit(StrictModel):
    """Where participants come from and where they are sent back to."""

    parameters: Parameters = Field(default=Parameters(), description="names in the link")
    return_url: Annotated[
        str, Matching("https://[^\\s{}]+\\{code\\}[^\\s{}]*", "an https:// address with {code}")
    ] = Field(default=PROLIFIC, description="where participants are sent at the end")
    codes: Codes = Field(default=Codes(), description="a code for each outcome")
    required: Flag = Field(
        default=False, description="refuse participants who come without the recruiter's parameter"
    )
    returning: Annotated[Literal["same_browser", "any_browser"], AddedKey()] = Field(
        default="same_browser",
        description="whether people without a signed link begin a later session only in the browser of the first",
    )


class SessionCodes(StrictModel):
    """Completion codes of a later session; without one, participants are thanked and not sent back."""

    complete: Text = Field(default="", description="finished this session")
    late: Text = Field(default="", description="came when it was closed")


class Session(StrictModel):
    """A later session: people come back with the same link, and are asked about the items that they had."""

    opens: Annotated[float, Range(0, 100000)] = Field(
        default=24.0, description="hours after the session before was finished from which it may begin"
    )
    closes: Annotated[float, Range(0, 100000)] = Field(
        default=168.0, description="hours after the session before was finished until which it may begin"
    )
    pages: LaterPages = Field(description="its pages: recall and survey")
    codes: SessionCodes = Field(default=SessionCodes(), description="a code for each outcome")


class Privacy(StrictModel):
    """What is stored, and for how long. Ids are always keyed hashes; addresses are never stored."""

    retention_days: Annotated[int, Range(0, 36500)] = Field(
        default=0, description="answers older than this are purged on demand; 0: never"
    )
    contact: Text = Field(default="", description="whom participants may contact")


class Payment(StrictModel):
    """For the plan: how long the study takes and what is paid."""

    per_hour: Annotated[float, Range(0, 10000)] = Field(default=0.0, description="pay per hour")
    currency: Text = Field(default="USD", description="such as USD")
    fee: Annotated[float, Range(0, 10)] = Field(
        default=0.0, description="the recruiter's fee as a share of the pay"
    )
    minutes: Annotated[float, Range(0, 1440)] = Field(
        default=0.0, description="minutes per participant; 0: estimated from the length of the texts"
    )
    drop_out: Annotated[float, Range(0, 0.99)] = Field(
        default=0.12, description="share of participants expected not to finish"
    )


class ScoreDefinition(StrictModel):
    """A mean of answers, such as SAMSA's P: the mean of Qb and Qc, inverted."""

    id: Name = Field(description="its name")
    of: Texts = Field(description="questions of the block, or scores before this one")
    invert: Flag = Field(default=False, description="swap the two ends of the scale")


Device = Literal["phone", "tablet", "desktop"]
Factor = Literal["participant", "item", "question", "text"]


class SurveyRule(StrictModel):
    """Answers to a survey question that exclude who gave them."""

    question: Text = Field(description="id of a question of a survey page")
    equals: Texts = Field(description="answers (letters, numbers, yes or no), each of which excludes")


class Exclusions(StrictModel):
    """Whose answers the analysis leaves out; results are always shown with and without them."""

    incomplete: Flag = Field(default=False, description="who did not finish")
    minimum_seconds: Annotated[float, Range(0, 86400)] = Field(
        default=0.0, description="whose median trial took less; 0: no rule"
    )
    minimum_reading_seconds: Annotated[float, Range(0, 86400)] = Field(
        default=0.0, description="whose median reading page took less; 0: no rule"
    )
    minimum_minutes: Annotated[float, Range(0, 1440)] = Field(
        default=0.0, description="who took less for the whole study; 0: no rule"
    )
    attention: Flag = Field(
        default=False, description="who failed more attention trials than checks.allowed_failures"
    )
    straightlining: Annotated[float, Range(0, 1)] = Field(
        default=0.0, description="who gave this share of answers at one position; 0: no rule"
    )
    devices: tuple[Device, ...] = Field(default=(), description="who used one of these devices")
    answers: tuple[SurveyRule, ...] = Field(default=(), description="who gave certain survey answers")
    duplicates: Flag = Field(
        default=False,
        description="who took part in the pilot as well, or wrote the same long texts as an earlier participant",
    )


class Quota(StrictModel):
    """How many people with certain survey answers may take part; whoever comes later is told that all places are taken."""

    question: Text = Field(description="id of a question of a survey page before the block")
    equals: Texts = Field(description="answers (letters, numbers, yes or no), one of which was given")
    people: Annotated[int, Range(1, 100000)] = Field(description="most people who finish or are at work")


class AnalysisPlan(StrictModel):
    """How the answers will be analysed; part of what is preregistered."""

    hypotheses: Texts = Field(default=(), description="what is expected, in words")
    baseline: Text = Field(
        default="",
        description="the condition that others are compared with; without it the original, or the first",
    )
    contrasts: Texts = Field(
        default=(), description="comparisons as 'one|other'; without it every condition with the baseline"
    )
    random: tuple[Factor, ...] = Field(
        default=("participant", "item", "question"),
        description="random intercepts of the mixed model; text: an item in one condition",
    )
    subgroups: Texts = Field(default=(), description="survey questions by whose answers results are shown")
    smallest_group: Annotated[int, Range(1, 100000)] = Field(
        default=20, description="participants below which a subgroup is called small"
    )
    smallest_difference: Annotated[float, Range(0, 100)] = Field(
        default=10.0, description="percentage points that would matter; the plan looks for them"
    )
    level: Annotated[float, Range(0, 1)] = Field(default=0.95, description="of intervals and tests")


class Definition(StrictModel):
    """A study of simplified texts with people."""

    id: Annotated[
        str, Matching("[a-z0-9][a-z0-9-]{0,63}", "lower-case letters, digits and - (at most 64)")
    ] = Field(description="its name")
    title: Text = Field(description="what participants see")
    items: Text = Field(
        description="file of items beside this one: .jsonl, .csv or .tsv, with id, source, and the texts"
    )
    conditions: Names = Field(description="the versions of each item: systems, people, the original")
    pages: Pages = Field(description="the pages in their order, at least one of kind block")
    sessions: Annotated[tuple[Session, ...], AddedKey()] = Field(
        default=(), description="later sessions, for which people come back with the same link"
    )
    mode: Literal["pilot", "live"] = Field(
        default="pilot", description="answers of a pilot are never counted with live ones"
    )
    language: Annotated[str, Matching("[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*", "a language tag such as en")] = (
        Field(default="en", description="language of the pages, with buttons and messages in it")
    )
    messages: Text = Field(
        default="",
        description="file beside this one (.toml) with words for buttons and messages, in place of those of the language",
    )
    texts: dict[str, Text] = Field(
        default_factory=dict,
        description="a condition's file: one line per item, or .jsonl/.csv with id and text",
    )
    original: Text = Field(
        default="", description="the condition that is the source of all others, if items have no source"
    )
    references: Texts = Field(
        default=(), description="conditions that people wrote; metrics take them as references"
    )
    incomplete: Flag = Field(
        default=False, description="items may lack a text for some conditions; these cells are left out"
    )
    design: Design = Field(default=Design(), description="who sees what")
    checks: Checks = Field(default=Checks(), description="checks of attention")
    recruit: Recruit = Field(default=Recruit(), description="where participants come from")
    quotas: Annotated[tuple[Quota, ...], AddedKey()] = Field(
        default=(), description="how many people with certain survey answers may take part"
    )
    lease: Annotated[float, Range(1, 100000)] = Field(
        default=60.0, description="minutes without an answer after which the work is given to others"
    )
    privacy: Privacy = Field(default=Privacy(), description="what is stored, and for how long")
    payment: Payment = Field(default=Payment(), description="for the plan")
    scores: tuple[ScoreDefinition, ...] = Field(default=(), description="means of answers for the report")
    exclusions: Exclusions = Field(default=Exclusions(), description="whose answers the analysis leaves out")
    analysis: AnalysisPlan = Field(default=AnalysisPlan(), description="how the answers will be analysed")

    @property
    def blocks(self) -> tuple[BlockPage, ...]:
        """The pages of the trials."""
        return tuple(p for p in self.pages if isinstance(p, BlockPage))

    @property
    def block_questions(self) -> tuple[Question, ...]:
        """What all blocks ask; no two questions have the same id."""
        return tuple(q for block in self.blocks for q in block.questions)

    def block_at(self, index: int) -> BlockPage:
        """The block of a page: itself, or the next one; after the last block the last."""
        after = (p for p in self.pages[index:] if isinstance(p, BlockPage))
        return next(after, self.blocks[-1])

    def block_named(self, name: str) -> BlockPage:
        """The block with that id, or the first: an older revision may have had others."""
        return next((b for b in self.blocks if b.id == name), self.blocks[0])

    def size_of(self, block: BlockPage) -> int:
        """How many items of a block each participant sees."""
        return block.per_participant or self.design.per_participant

    @property
    def per_participant(self) -> int:
        """How many items each participant sees in all blocks."""
        return sum(map(self.size_of, self.blocks))

    def pages_of(self, session: int) -> tuple[PageDefinition | RecallPage, ...]:
        """The pages of a session, the first of which is 1."""
        return self.pages if session == 1 else self.sessions[session - 2].pages

    def recalled(self, page: RecallPage) -> BlockPage:
        """A recall page as the block whose items it asks about would show it."""
        block = self.block_named(page.block)
        changes: dict[str, Any] = {
            "title": page.title,
            "text": page.text,
            "questions": page.questions or block.questions,
            "reading": "together",
            "one_per_screen": page.one_per_screen,
            "back": page.back,
        }
        if page.show == "nothing":
            changes |= {"show": "text", "source": False, "labels": ()}
        return block.model_copy(update=changes)

    @property
    def baseline(self) -> str:
        """The condition that others are compared with."""
        return self.analysis.baseline or self.original or self.conditions[0]

    @property
    def contrasts(self) -> tuple[tuple[str, str], ...]:
        """The comparisons of the analysis: (baseline, other), or as the definition lists them."""
        listed = tuple((a, b) for a, _, b in (c.partition("|") for c in self.analysis.contrasts))
        return listed or tuple((self.baseline, c) for c in self.conditions if c != self.baseline)

    def survey_question(self, name: str) -> Question | None:
        """The question of a survey page with that id."""
        pages = (p for p in self.pages if isinstance(p, SurveyPage))
        return next((q for p in pages for q in p.questions if q.id == name), None)


def schema() -> dict[str, Any]:
    """The JSON Schema of study.yaml; study.schema.json is its published copy."""
    return {**json_schema(Definition), "title": "plainmark study"}


def published_schema() -> dict[str, Any]:
    """The JSON Schema as it is shipped."""
    document: dict[str, Any] = json.loads(files(__package__).joinpath("study.schema.json").read_text("utf-8"))
    return document
