"""What a study is: the keys of study.yaml as frozen dataclasses, from which the published JSON Schema is made."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Annotated, Any, ClassVar, Literal

from ...options import Between
from .questions import Mcq, Name, Question, Word
from .yaml_reader import Pattern, schema_of

Show = Literal["text", "source+text", "pair", "grid"]
Outcome = Literal["complete", "screened_out", "no_consent", "full", "failed_checks"]
OUTCOMES: tuple[Outcome, ...] = ("complete", "screened_out", "no_consent", "full", "failed_checks")

PROLIFIC = "https://app.prolific.com/submissions/complete?cc={code}"


@dataclass(frozen=True)
class Design:
    """Who sees what."""

    kind: Annotated[Literal["within", "between"], "a person sees several conditions, or one"] = "within"
    per_participant: Annotated[int, Between(1, 1000), "items that one person sees"] = 6
    replicates: Annotated[int, Between(1, 100), "people who answer each item in each condition"] = 1
    overlap: Annotated[
        int, Between(0, 100_000), "items of which each condition is answered once more, for agreement"
    ] = 0
    order: Annotated[Literal["random", "latin", "fixed"], "of the items of one person"] = "random"
    fill: Annotated[
        bool, "fill the last blocks with cells that are done, so that everyone has the same work"
    ] = True
    seed: Annotated[int, Between(0, 2**31), "of all that is drawn by lot"] = 0


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """What all pages have."""

    tag_key: ClassVar[str] = "kind"
    tag: ClassVar[str]
    title: Annotated[str, "its heading"] = ""
    text: Annotated[str, "what it says; an empty line begins a paragraph"] = ""


@dataclass(frozen=True, kw_only=True)
class Consent(Sheet):
    """What a person agrees to, or not."""

    tag: ClassVar[str] = "consent"
    agree: Annotated[str, "the answer that goes on"] = "I agree to take part"
    decline: Annotated[str, "the answer that ends"] = "I do not agree"


@dataclass(frozen=True)
class Example:
    """An item of a practice page."""

    texts: Annotated[tuple[str, ...], "the texts shown, as many as the page shows"] = ()
    source: Annotated[str, "the source, if the page shows one"] = ""


@dataclass(frozen=True, kw_only=True)
class Practice(Sheet):
    """A trial with feedback that counts for nothing."""

    tag: ClassVar[str] = "practice"
    show: Annotated[Show, "what is shown"] = "text"
    labels: Annotated[tuple[str, ...], "headings of the texts"] = ()
    item: Annotated[Example, "what is read"] = field(default_factory=Example)
    questions: Annotated[tuple[Question, ...], "what is asked; all in full, none from fields"] = ()


@dataclass(frozen=True, kw_only=True)
class Block(Sheet):
    """The trials: one page for each item that a person is given."""

    tag: ClassVar[str] = "block"
    show: Annotated[Show, "one text, source and text, two conditions side by side, or all conditions"] = (
        "text"
    )
    source: Annotated[bool, "show the source above the texts of a pair or a grid, too"] = False
    labels: Annotated[tuple[str, ...], "headings of the texts"] = ()
    sides: Annotated[Literal["random", "fixed"], "order of the texts of a pair or a grid"] = "random"
    pairs: Annotated[tuple[str, ...], "pairs to show as 'one|other'; without it all"] = ()
    questions: Annotated[tuple[Question, ...], "what is asked of each"]


@dataclass(frozen=True, kw_only=True)
class Survey(Sheet):
    """Questions about the person or the task; without questions, a page to read."""

    tag: ClassVar[str] = "survey"
    questions: Annotated[tuple[Question, ...], "what is asked"] = ()


PageDefinition = Consent | Practice | Block | Survey


@dataclass(frozen=True)
class Attention:
    """A trial that everyone who reads answers right."""

    after: Annotated[int, Between(1, 1000), "after so many items"]
    question: Annotated[Mcq, "with its key"]
    text: Annotated[str, "what is read"] = ""


@dataclass(frozen=True)
class Checks:
    """Whether people paid attention."""

    attention: Annotated[tuple[Attention, ...], "trials with a known answer"] = ()
    allowed_failures: Annotated[int, Between(0, 100), "wrong attention trials that are forgiven"] = 0
    minimum_seconds: Annotated[float, Between(0, 86_400), "a trial answered faster is flagged"] = 0.0
    straightlining: Annotated[
        float, Between(0, 1), "share of answers at one position from which a person is flagged"
    ] = 0.9
    on_failure: Annotated[Literal["flag", "replace"], "of attention: only flag, or also ask someone else"] = (
        "replace"
    )
    review: Annotated[
        int, Between(0, 1000), "first answers of each person that someone accepts or rejects"
    ] = 0


@dataclass(frozen=True)
class Parameters:
    """Names of the recruiter's parameters in the link."""

    participant: Annotated[Word, "of the participant"] = "PROLIFIC_PID"
    study: Annotated[Word, "of the study"] = "STUDY_ID"
    session: Annotated[Word, "of the session"] = "SESSION_ID"


@dataclass(frozen=True)
class Codes:
    """Completion codes by outcome; without one, people are thanked and not sent back."""

    complete: Annotated[str, "finished"] = ""
    screened_out: Annotated[str, "not of those who are asked"] = ""
    no_consent: Annotated[str, "did not agree"] = ""
    full: Annotated[str, "nothing left to do"] = ""
    failed_checks: Annotated[str, "too many wrong attention trials"] = ""


@dataclass(frozen=True)
class Recruit:
    """Where people come from and where they are sent back to."""

    parameters: Annotated[Parameters, "names in the link"] = field(default_factory=Parameters)
    return_url: Annotated[
        str,
        Pattern(r"https://[^\s{}]+\{code\}[^\s{}]*", "an https:// address with {code}"),
        "where people are sent at the end",
    ] = PROLIFIC
    codes: Annotated[Codes, "a code for each outcome"] = field(default_factory=Codes)
    required: Annotated[bool, "refuse people who come without the recruiter's parameter"] = False


@dataclass(frozen=True)
class Privacy:
    """What is kept, and for how long. Ids are always keyed hashes; addresses are never stored."""

    retention_days: Annotated[
        int, Between(0, 36_500), "answers older than this are purged on demand; 0: never"
    ] = 0
    contact: Annotated[str, "whom people may ask"] = ""


@dataclass(frozen=True)
class Payment:
    """For the plan: how long it takes and what is paid."""

    per_hour: Annotated[float, Between(0, 10_000), "pay of one hour"] = 0.0
    currency: Annotated[str, "such as USD"] = "USD"
    fee: Annotated[float, Between(0, 10), "the recruiter's fee as a share of the pay"] = 0.0
    minutes: Annotated[
        float, Between(0, 1440), "of one person; 0: estimated from the length of the texts"
    ] = 0.0
    drop_out: Annotated[float, Between(0, 0.99), "share of people expected not to finish"] = 0.12


@dataclass(frozen=True)
class ScoreDefinition:
    """A mean of answers, such as SAMSA's P: the mean of Qb and Qc, inverted."""

    id: Annotated[Name, "its name"]
    of: Annotated[tuple[str, ...], "questions of the block, or scores before this one"]
    invert: Annotated[bool, "the scale's two ends change places"] = False


@dataclass(frozen=True, kw_only=True)
class Definition:
    """A study of simplified texts with people."""

    id: Annotated[
        str, Pattern(r"[a-z0-9][a-z0-9-]{0,63}", "lower-case letters, digits and - (at most 64)"), "its name"
    ]
    title: Annotated[str, "what people see"]
    items: Annotated[
        str, "file of items beside this one: .jsonl, .csv or .tsv, with id, source, and the texts"
    ]
    conditions: Annotated[tuple[Name, ...], "the versions of each item: systems, people, the original"]
    pages: Annotated[tuple[PageDefinition, ...], "what people go through, one block among them"]
    mode: Annotated[Literal["pilot", "live"], "answers of a pilot are never counted with live ones"] = "pilot"
    language: Annotated[
        str, Pattern(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*", "a language tag such as en"), "of the pages"
    ] = "en"
    texts: Annotated[
        dict[str, str], "a condition's file: a line for each item, or .jsonl/.csv with id and text"
    ] = field(default_factory=dict)
    original: Annotated[str, "the condition that is the source of all others, if items have no source"] = ""
    references: Annotated[
        tuple[str, ...], "conditions that people wrote; metrics take them as references"
    ] = ()
    incomplete: Annotated[bool, "items may lack a text for some conditions; these cells are left out"] = False
    design: Annotated[Design, "who sees what"] = field(default_factory=Design)
    checks: Annotated[Checks, "whether people paid attention"] = field(default_factory=Checks)
    recruit: Annotated[Recruit, "where people come from"] = field(default_factory=Recruit)
    lease: Annotated[
        float, Between(1, 100_000), "minutes without an answer after which work is given to others"
    ] = 60.0
    privacy: Annotated[Privacy, "what is kept"] = field(default_factory=Privacy)
    payment: Annotated[Payment, "for the plan"] = field(default_factory=Payment)
    scores: Annotated[tuple[ScoreDefinition, ...], "means of answers for the report"] = ()

    @property
    def shows_source(self) -> bool:
        """Whether people see the source beside its versions."""
        return self.block.source or self.block.show == "source+text"

    @property
    def block(self) -> Block:
        """The page of the trials."""
        return next(p for p in self.pages if isinstance(p, Block))


def schema() -> dict[str, Any]:
    """The JSON Schema of study.yaml, made from the dataclasses; study.schema.json is this, written down."""
    return {"title": "plainmark study", **schema_of(Definition)}


def published_schema() -> dict[str, Any]:
    """The JSON Schema as it ships."""
    found: dict[str, Any] = json.loads(files(__package__).joinpath("study.schema.json").read_text("utf-8"))
    return found
