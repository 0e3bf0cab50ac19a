"""The models of the pages of study.yaml: what people see, one after the other."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ...schema import StrictModel, Tagged
from .fields import AddedKey, Flag, Range, Text, Texts, Word
from .questions import Questions

Show = Literal["text", "source+text", "pair", "grid"]
Screens = Literal["never", "phone", "always"]


class PageBase(StrictModel):
    """What all pages have in common."""

    kind: str
    title: Text = Field(default="", description="its heading")
    text: Text = Field(default="", description="its text; an empty line starts a new paragraph")


class ConsentPage(PageBase):
    """Asks for informed consent."""

    kind: Literal["consent"] = "consent"
    agree: Text = Field(default="I agree to take part", description="the answer that starts the study")
    decline: Text = Field(default="I do not agree", description="the answer that ends it")


class Example(StrictModel):
    """An item of a practice page."""

    texts: Texts = Field(default=(), description="the texts shown, as many as the page shows")
    source: Text = Field(default="", description="the source, if the page shows one")


class PracticePage(PageBase):
    """A trial with feedback that is not counted."""

    kind: Literal["practice"] = "practice"
    show: Show = Field(default="text", description="what is shown")
    labels: Texts = Field(default=(), description="headings of the texts")
    item: Example = Field(default=Example(), description="what is read")
    questions: Questions = Field(default=(), description="what is asked; all in full, none from fields")


class ItemChoice(StrictModel):
    """Some of the items."""

    field: Text = Field(description="field of the items")
    equals: Texts = Field(description="its values, one of which an item must have")


class BlockPage(PageBase):
    """The trials: one page for each item that a participant is assigned."""

    kind: Literal["block"] = "block"
    id: Annotated[Word, AddedKey()] = Field(
        default="", description="its name in exports; needed if there are several blocks"
    )
    per_participant: Annotated[int, Range(0, 1000), AddedKey()] = Field(
        default=0, description="items of this block that each participant sees; 0: design.per_participant"
    )
    items: Annotated[ItemChoice | None, AddedKey()] = Field(
        default=None, description="the items that it is about; without it all"
    )
    show: Show = Field(
        default="text",
        description="one text, source and text, two conditions side by side, or all conditions",
    )
    source: Flag = Field(
        default=False, description="show the source above the texts of a pair or a grid, too"
    )
    labels: Texts = Field(default=(), description="headings of the texts")
    sides: Literal["random", "fixed"] = Field(
        default="random", description="order of the texts of a pair or a grid"
    )
    pairs: Texts = Field(default=(), description="pairs to show as 'one|other'; without it all")
    questions: Questions = Field(description="what is asked about each item")
    reading: Annotated[Literal["together", "first", "apart"], AddedKey()] = Field(
        default="together",
        description="texts and questions on one page; texts on a page of their own first, and again with the questions;"
        " or first and not again",
    )
    questions_title: Annotated[Text, AddedKey()] = Field(
        default="", description="heading of the questions after a text on a page of its own; without it title"
    )
    questions_text: Annotated[Text, AddedKey()] = Field(
        default="", description="text above these questions; without it text"
    )
    one_per_screen: Annotated[Screens, AddedKey()] = Field(
        default="never",
        description="whether each question has a screen of its own: never, on phones, or always",
    )
    back: Annotated[Flag, AddedKey()] = Field(
        default=True, description="whether one may go back to the question before (with one_per_screen)"
    )

    def words(self, *, asking: bool) -> tuple[str, str]:
        """Heading and text of a page with a text, or of the questions that come `asking` about it afterwards."""
        if not asking:
            return self.title, self.text
        return self.questions_title or self.title, self.questions_text or self.text

    @property
    def shows_source(self) -> bool:
        """Whether participants see the source beside its versions."""
        return self.source or self.show == "source+text"


class SurveyPage(PageBase):
    """Questions about the participant or the task; without questions, a page to read."""

    kind: Literal["survey"] = "survey"
    questions: Questions = Field(default=(), description="what is asked")
    one_per_screen: Annotated[Screens, AddedKey()] = Field(
        default="never",
        description="whether each question has a screen of its own: never, on phones, or always",
    )
    back: Annotated[Flag, AddedKey()] = Field(
        default=True, description="whether one may go back to the question before (with one_per_screen)"
    )


class RecallPage(PageBase):
    """Asks, in a later session, about the items that a participant was given in a block: one page for each."""

    kind: Literal["recall"] = "recall"
    block: Text = Field(default="", description="id of the block; without it the first")
    show: Literal["nothing", "text"] = Field(
        default="nothing", description="only the questions, or the texts again as the block shows them"
    )
    title_field: Text = Field(
        default="",
        description="field of the item that is the heading, so that people know which text is meant",
    )
    order: Literal["random", "same"] = Field(
        default="random", description="order of the items: a new one, or that of the block"
    )
    questions: Questions = Field(
        default=(), description="what is asked about each item; without it what the block asks"
    )
    one_per_screen: Screens = Field(
        default="never",
        description="whether each question has a screen of its own: never, on phones, or always",
    )
    back: Flag = Field(
        default=True, description="whether one may go back to the question before (with one_per_screen)"
    )


PageDefinition = ConsentPage | PracticePage | BlockPage | SurveyPage
Pages = tuple[Annotated[PageDefinition, Field(discriminator="kind"), Tagged("kind")], ...]
LaterPages = tuple[Annotated[RecallPage | SurveyPage, Field(discriminator="kind"), Tagged("kind")], ...]
