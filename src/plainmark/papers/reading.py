"""Agrawal and Carpuat 2024, Do Text Simplification Systems Preserve Meaning?, TACL 12.

Readers answered three questions on each of 60 paragraphs in eleven versions. Calls and thresholds are those of the authors'
notebook (All_Analysis.ipynb, released with the answers), including its mistakes where a cell says so; the definitions of
Support(A) and Support(Q) in Figure 4 were found by trial and give all six printed rates.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..data import Corpus
from ..datasets import dataset
from ..datasets.ats_eval import FILE, QUESTIONS, ATSEval, ReaderAnswer
from ..errors import InputError
from ..files import table_rows
from ..meta.coefficients import coefficient
from ..meta.detection import Roc, roc
from ..metric import Floats, metric
from ..punkt import nltk
from ..treebank import word_tokenize
from . import (
    Gap,
    Paper,
    PaperPart,
    PublishedCell,
    grid,
    missing_punkt,
    missing_stop_words,
    rows_of,
    stop_words,
)

DATA = "ats_eval"
HUMAN = ("Original", "Elementary")

TABLE_1 = grid(
    ("words", "sents", "fkgl", "sari"),
    {
        "Original": "137.4 5.1 10.5 -",
        "Elementary": "118.1 5.7 7.4 -",
        "MUSS-SUP": "126.8 7.3 7.0 45.07",
        "ControlT5-Wiki": "135.0 7.7 6.6 44.76",
        "ControlSup-Grade7": "132.8 5.9 9.0 29.27",
        "ControlSup-Grade5": "124.1 7.3 6.8 38.35",
        "EditCL-Grade7": "134.7 6.1 9.0 30.49",
        "EditCL-Grade5": "131.0 8.3 6.1 39.69",
        "ChatGPT": "123.0 5.1 10.5 41.41",
        "MUSS-Unsup": "124.7 5.7 9.1 40.67",
        "KIS": "73.6 3.3 9.1 33.06",
    },
)
TABLE_2 = grid(
    ("A", "B", "C", "D"),
    {
        "Original": "78.33 6.11 2.22 1.11",
        "Elementary": "77.22 5.56 2.78 0.00",
        "MUSS-SUP": "76.11 6.67 1.67 1.67",
        "ControlT5-Wiki": "74.44 6.11 2.78 1.67",
        "ControlSup-Grade7": "70.56 3.89 2.78 2.78",
        "EditCL-Grade7": "69.44 10.56 2.22 0.56",
        "EditCL-Grade5": "69.44 10.00 2.22 0.00",
        "ControlSup-Grade5": "67.78 11.11 3.89 0.00",
        "ChatGPT": "74.44 9.44 1.11 0.00",
        "MUSS-Unsup": "73.33 6.67 2.78 1.11",
        "KIS": "20.50 7.22 3.89 3.89",
    },
)
# The last column repeats the first one: the row as computed by the notebook, and as it should have been.
TABLE_3 = grid(
    (
        "bleu_notebook",
        "levsim_simp",
        "levsim_orig",
        "add",
        "keep",
        "dele",
        "sari",
        "fkgl",
        "BLEU correct call",
    ),
    {
        "ALL": "-0.193 -0.142 -0.159 0.686 -0.134 0.301 0.728 0.126 -0.193",
        "ALL-KIS": "0.157 -0.634 -0.659 0.719 -0.622 0.707 0.778 0.335 0.157",
    },
)
FIGURE_4 = grid(("tpr", "fpr"), {"roc_A": "0.675 0.406", "roc_Q": "0.565 0.612", "roc_QA": "0.605 0.353"})
FIGURE_5 = {  # in the notebook's output, and 35.56 in the text
    "Original/answerability": "87.78",
    "MUSS-SUP/answerability": "86.11",
    "Elementary/answerability": "85.56",
    "KIS/answerability": "35.56",
}
# Text of section 5.3.
ANSWERABLE = {"KIS/answerable in both": "53"}
VERBATIM = {"Support(A)=1/right": "93"}

FKGL = "mean(fkgl(variant='textstat', rounded=True))"
NOTES = {  # "table: cell" -> the reason for a difference, or a comment on the printed figure
    "Table 2: EditCL-Grade7/A": "one right answer ends in a line break and was counted as wrong; with 70.00 the"
    " system no longer ties with EditCL-Grade5",
    "Table 2: KIS/A": "37 of 180 answers: 20.56 rounded, 20.55 cut off; why 20.50 is printed is not known",
    "Table 3: ALL/bleu_notebook": "the authors' call with its faults: outputs and references are swapped, and texts"
    " stand where lists of texts should, so that every character counts as a reference",
    "Table 3: ALL-KIS/bleu_notebook": "the authors' call with its faults, as above",
    "Table 3: ALL/BLEU correct call": "the right value; the printed one is of a faulty call (bleu_notebook)",
    "Table 3: ALL-KIS/BLEU correct call": "the right value; the printed one is of a faulty call (bleu_notebook) and"
    " has the wrong sign",
    "Table 3: ALL/levsim_simp": "called LevDist, but a similarity: more is closer",
    "Table 3: ALL/levsim_orig": "called LevDist, but a similarity: more is closer",
    "Table 3: ALL-KIS/levsim_simp": "called LevDist, but a similarity: more is closer",
    "Table 3: ALL-KIS/levsim_orig": "called LevDist, but a similarity: more is closer",
} | {
    f"Table 1: {cell}": "EASSE's SARI of all passages of a system together, with one reference"
    for cell in TABLE_1
    if cell.endswith("/sari")
}


@dataclass(frozen=True)
class ReadingPaper(Paper):
    """Readers' answers to questions on eleven versions of a text, and metrics of these versions."""

    id = "5-reading"
    citation = "Agrawal and Carpuat 2024, Do Text Simplification Systems Preserve Meaning?, TACL 12"
    notes = NOTES
    explained = frozenset(
        (
            "Table 2: EditCL-Grade7/A",
            "Table 3: ALL/BLEU correct call",
            "Table 3: ALL-KIS/BLEU correct call",
            "Sec 5.3: KIS/answerable in both",
            "Sec 5.3: Support(A)=1/right",
        )
    )
    gaps = (
        Gap("Tables 1 and 3, BERTScore", "the weights of roberta-large"),
        Gap("Table 3, QAFactEval", "the weights of its models for asking and answering questions"),
        Gap("Section 5.1, agreement 0.437", "the second answers on six paragraphs are not released"),
        Gap("Figure 2", "means over 50 random subsets, whose seed is not given"),
        Gap("Figure 3", "a picture of single questions; no figures are printed"),
        Gap("Section 7 and Figure 6", "the weights of unifiedqa-v2-t5-3b"),
    )

    @cached_property
    def data(self) -> ReaderAnswers:
        """The answers, read once."""
        return read_answers()

    def parts(self) -> list[PaperPart]:
        return [
            PaperPart(("Table 1",), self.lengths, (DATA,), (missing_punkt,)),
            PaperPart(("Table 1", "Table 2", "Table 3"), self.tables, (DATA,)),
            PaperPart(("Fig 4",), self.support, (DATA,), (missing_punkt,)),
            PaperPart(("Fig 4",), self.support_of_question, (DATA,), (missing_punkt, missing_stop_words)),
            PaperPart(("Fig 5", "Sec 5.3"), self.answerability, (DATA,)),
            PaperPart(("Sec 5.3",), self.supported, (DATA,), (missing_punkt,)),
        ]

    def lengths(self) -> Iterator[PublishedCell]:
        """NLTK's words and sentences in Table 1; punctuation marks are words."""
        count = {
            "words": lambda text: len(word_tokenize(text, nltk())),
            "sents": lambda text: len(nltk().spans(text)),
        }
        for cell, system, column, printed in rows_of(TABLE_1):
            if column in count:
                counts = [count[column](text) for text in self.data.corpora[system].outputs]
                yield self.cell("Table 1", cell, printed, float(np.mean(counts)))

    def tables(self) -> Iterator[PublishedCell]:
        """Tables that need only the answers and texts; in Table 1, a passage's grade is rounded before the mean."""
        data = self.data
        specs = {"fkgl": FKGL, "sari": "sari"}
        for cell, system, column, printed in rows_of(TABLE_1):
            if column in specs:
                yield self.cell(
                    "Table 1", cell, printed, metric(specs[column]).score(data.corpora[system]).value
                )
        for cell, system, letter, printed in rows_of(TABLE_2):
            yield self.cell("Table 2", cell, printed, data.share(system, letter))
        scores = {s: system_scores(data.corpora[s]) for s in data.automatic()}
        for cell, systems, column, printed in rows_of(TABLE_3):
            selected = data.automatic(("KIS",) if systems == "ALL-KIS" else ())
            values = np.array([scores[s][column] for s in selected])
            rho = coefficient("spearman", values, np.array([data.accuracy(s) for s in selected]))
            yield self.cell("Table 3", cell, printed, rho)

    def support(self) -> Iterator[PublishedCell]:
        """The operating point of Support(A)."""
        yield from self.operating_point("roc_A", answer_support(self.data))

    def support_of_question(self) -> Iterator[PublishedCell]:
        """Support(Q) as it must have been computed, and its product with Support(A)."""
        of_passage = repetition(self.data)
        as_described = answer_curve(self.data, question_support(self.data)).area
        note = (
            "does not look at the question; what gives both printed rates is the share of different words among the passage's words (area"
            f" {{:.3f}}); the overlap of question and passage, as described, has area {as_described:.3f}"
        )
        yield from self.operating_point("roc_Q", of_passage, note)
        yield from self.operating_point(
            "roc_QA", of_passage * answer_support(self.data), "the product of roc_A's and roc_Q's"
        )

    def answerability(self) -> Iterator[PublishedCell]:
        """Answerable questions: of all, and of those that the human versions answer."""
        data = self.data
        for cell, system, _, printed in rows_of(FIGURE_5):
            yield self.cell("Fig 5", cell, printed, 100 - data.share(system, ""))
        for cell, system, _, printed in rows_of(ANSWERABLE):
            right, wrong = answerable_in_both(data, system)
            note = (
                f"{wrong:.1f} divides what is not answerable by all 180 questions, not by those of the subset"
            )
            yield self.cell("Sec 5.3", cell, printed, right, note)

    def supported(self) -> Iterator[PublishedCell]:
        """How often an answer is right if all of its words are in the passage."""
        same_text, same_words = verbatim(self.data, answer_support(self.data))
        note = f"{same_text:.1f} where the passage has the answer letter for letter but for case"
        for cell, printed in VERBATIM.items():
            yield self.cell("Sec 5.3", cell, printed, same_words, note)

    def operating_point(self, name: str, support: Floats, note: str = "") -> Iterator[PublishedCell]:
        """The threshold with the largest geometric mean of both rates; little support means "not answerable"."""
        curve = answer_curve(self.data, support)
        best = int(np.argmax(curve.true_rate * (1 - curve.false_rate)))
        for rate, values in (("tpr", curve.true_rate), ("fpr", curve.false_rate)):
            cell = f"{name}/{rate}"
            yield self.cell("Fig 4", cell, FIGURE_4[cell], values[best], note.format(curve.area))


def system_scores(corpus: Corpus) -> dict[str, float]:
    """The values for the columns of Table 3, for one system."""
    sari = metric("sari").score(corpus)
    similarity = metric("levenshtein")
    return {
        "bleu_notebook": faulty_bleu(corpus),
        "levsim_simp": similarity.score(Corpus(corpus.texts("references"), corpus.outputs)).value,
        "levsim_orig": similarity.score(corpus).value,
        "add": sari.parts["add"],
        "keep": sari.parts["keep"],
        "dele": sari.parts["del"],
        "sari": sari.value,
        "fkgl": metric(FKGL).score(corpus).value,
        "BLEU correct call": metric("bleu").score(corpus).value,
    }


def faulty_bleu(corpus: Corpus) -> float:
    """BLEU of the references against the characters of the outputs, with every passage three times, once per question.

    A list of texts was passed instead of a list of lists: text k supplies its i-th character as a reference of the i-th
    output, and anything beyond the length of the shortest text is ignored.
    """
    outputs = [text for text in corpus.texts("references") for _ in range(3)]
    streams = [text for text in corpus.outputs for _ in range(3)]
    shortest = min(len(outputs), *map(len, streams))
    characters = [[text[i] for text in streams] for i in range(shortest)]
    return metric("bleu").score(Corpus(None, outputs[:shortest], characters)).value


def answer_support(data: ReaderAnswers) -> Floats:
    """The share of the right answer's words that the passage has; stop words are words here."""
    pairs = zip(data.answers, data.passage_words, strict=True)
    return np.array([overlap(words(a.correct), passage) for a, passage in pairs])


def question_support(data: ReaderAnswers) -> Floats:
    """The share of the question's words, except stop words, that the passage has: Support(Q) as described."""
    stop, pairs = stop_words(), zip(data.answers, data.passage_words, strict=True)
    return np.array([overlap(without(words(a.question), stop), passage) for a, passage in pairs])


def repetition(data: ReaderAnswers) -> Floats:
    """The share of the passage's own words, except stop words, that the passage has: Support(Q) as computed.

    It is below 1 because a repeated word counts once in the numerator and each time in the denominator.
    """
    stop = stop_words()
    return np.array([overlap(without(passage, stop), passage) for passage in data.passage_words])


def without(some: tuple[str, ...], stop: frozenset[str]) -> tuple[str, ...]:
    """The words that are not stop words."""
    return tuple(w for w in some if w not in stop)


def overlap(some: tuple[str, ...], others: tuple[str, ...]) -> float:
    """The number of different words of `some` that are among the others, divided by all words of `some`; 0 if there are
    none.
    """
    return len(set(some) & set(others)) / len(some) if some else 0.0


def answer_curve(data: ReaderAnswers, support: Floats) -> Roc:
    """The ROC curve of little support, which separates "not answerable" from right answers of the automatic systems."""
    letters = np.array(data.letters)
    automatic = np.array([a.system not in HUMAN for a in data.answers])
    counted = automatic & ((letters == "A") | (letters == ""))
    return roc(-support[counted], letters[counted] == "")


def answerable_in_both(data: ReaderAnswers, system: str) -> tuple[float, float]:
    """The share of the questions answered in both human versions that this one answers: correctly divided, and as printed."""
    answered = {(a.system, a.sample, a.number): a.is_answered for a in data.answers}
    original, elementary = HUMAN
    both = [
        (sample, number)
        for (version, sample, number), is_answered in answered.items()
        if version == original and is_answered and answered.get((elementary, sample, number))
    ]
    lost = sum(not answered[system, sample, number] for sample, number in both)
    asked = sum(s == system for s, _, _ in answered)
    return 100 * (1 - lost / len(both)), 100 * (1 - lost / asked)


def verbatim(data: ReaderAnswers, support: Floats) -> tuple[float, float]:
    """Right answers in percent of these and "not answerable", where the passage has the answer's text, or all its words."""
    cases = [
        (letter == "A", a.correct.strip().lower() in passage.lower(), share == 1)
        for a, letter, passage, share in zip(data.answers, data.letters, data.passages, support, strict=True)
        if a.system not in HUMAN and letter in ("A", "")
    ]
    return tuple(  # type: ignore[return-value]
        100 * float(np.mean([right for right, *supported in cases if supported[k]])) for k in (0, 1)
    )


@dataclass(frozen=True, eq=False)
class ReaderAnswers:
    """All answers with the letters of their options and the passages that were read."""

    corpora: dict[str, Corpus]
    answers: tuple[ReaderAnswer, ...]
    letters: tuple[str, ...]  # A (right) to D, or "" for "not supported by the passage"
    passages: tuple[str, ...]

    def share(self, system: str, letter: str) -> float:
        """The percentage of a system's answers with this letter."""
        own = [option for a, option in zip(self.answers, self.letters, strict=True) if a.system == system]
        return 100 * own.count(letter) / len(own)

    def accuracy(self, system: str) -> float:
        return self.share(system, "A")

    @cached_property
    def passage_words(self) -> list[tuple[str, ...]]:
        """The words of every answer's passage."""
        known = {text: words(text) for text in dict.fromkeys(self.passages)}
        return [known[text] for text in self.passages]

    def automatic(self, but: tuple[str, ...] = ()) -> list[str]:
        """The systems without the human versions."""
        return [s for s in self.corpora if s not in (*HUMAN, *but)]


def read_answers() -> ReaderAnswers:
    """Read the answers of the released file."""
    data = dataset(DATA)
    assert isinstance(data, ATSEval)
    answers, corpora, options = data.answers(), data.corpora(), _options(data.path(FILE))
    if len(answers) != len(options):
        raise InputError(f"{FILE}: {len(answers)} answers, but options of {len(options)} questions.")
    texts = {(s, i): text for s, c in corpora.items() for i, text in zip(c.ids, c.outputs, strict=True)}
    letters = [_letter(a, o) for a, o in zip(answers, options, strict=True)]
    return ReaderAnswers(
        corpora, tuple(answers), tuple(letters), tuple(texts[a.system, a.sample] for a in answers)
    )


def _letter(answer: ReaderAnswer, options: list[str]) -> str:
    if not answer.is_answered:
        return ""
    response = answer.response.strip()
    # Options are listed from A to D; the right one is compared with the response itself, because spaces differ.
    return "A" if answer.is_correct else "ABCD"[options.index(response)] if response in options[:4] else "?"


def _options(path: str) -> list[list[str]]:
    columns = [f"all_options_{k}" for k in QUESTIONS]
    options = []
    for location, row in table_rows(path, columns):
        for column in columns:
            try:
                listed = ast.literal_eval(row[column])
                options.append([str(option).strip() for option in listed])
            except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
                raise InputError(f"{location}: {column} is not a list of options.") from None
    return options


def words(text: str) -> tuple[str, ...]:
    """NLTK's words of the lower-cased text."""
    return tuple(word_tokenize(text.lower(), nltk()))
