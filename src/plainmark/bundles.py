"""Bundles: the metrics that a program or a shared task reports, under one name.

`-m @easse` stands for the metrics of the bundle easse, each with the options that give that program's numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

from .errors import UnknownNameError, did_you_mean

MARK = "@"


@dataclass(frozen=True)
class Bundle:
    """Metrics with their options, the program or task that they reproduce, and how their numbers differ from its own."""

    name: str
    about: str
    specs: tuple[str, ...]
    notes: tuple[str, ...] = ()
    reference: str = ""


BUNDLES = {
    bundle.name: bundle
    for bundle in (
        Bundle(
            "easse",
            "the default metrics of `easse evaluate`: SARI, BLEU, FKGL",
            ("sari", "bleu(lowercase=True)", "fkgl(variant='easse')"),
            (
                "The same numbers as EASSE 0.2.4, to nine decimals on ASSET and TurkCorpus.",
                "EASSE gives an output without words the grade 0; here it is undefined and does not count.",
            ),
            "Alva-Manchego et al. 2019, EASSE: Easier Automatic Sentence Simplification Evaluation",
        ),
        Bundle(
            "huggingface",
            "what Hugging Face evaluate calls sari, sacrebleu and rouge",
            (
                "sari(variant='hf')",
                "bleu",
                "rouge(kind='1')",
                "rouge(kind='2')",
                "rouge(kind='L')",
                "rouge(kind='Lsum')",
            ),
            (
                "evaluate 0.4.6 gives ROUGE as shares of 1; here all are percentages.",
                "This SARI ranks copying the input first: add --baselines copy.",
            ),
            "the library evaluate",
        ),
        Bundle(
            "appls",
            "of APPLS's metrics those that need no download from a hub",
            (
                "sari",
                "bleu",
                "rouge(kind='mean')",
                "meteor",
                "bertscore",
                "perplexity(model='smollm2', scale='log')",
            ),
            (
                "ROUGE is the mean of 1, 2 and L; perplexity is on the log scale, as in the figures of the paper.",
                "Perplexity is SmolLM2's, which the extra models installs; the paper uses GPT-2. The embedded n-gram model is "
                "perplexity(scale='log').",
                "BERTScore is that of the embedded encoder minilm; the paper uses RoBERTa.",
                "Not included: QAEval, LENS and GPT-4's scores, which are metrics of their own, with weights or an endpoint to name.",
            ),
            "Guo et al. 2024, APPLS: Evaluating Evaluation Metrics for Plain Language Summarization",
        ),
        Bundle(
            "tsar2025",
            "of the TSAR 2025 shared task what can be computed here: reading level, similarity to source and reference",
            ("cefr", "bertscore(against='source')", "bertscore", "compression"),
            (
                "BERTScore is that of the embedded encoder minilm; name the task's encoder for its numbers.",
                "Levels are estimated by plainmark's own encoder, not by the task's classifiers; --track tsar2025 compares them "
                "with the target level.",
                "Not included: MeaningBERT.",
                "Compression is no metric of the task; it shows which outputs keep meaning by keeping everything.",
            ),
            "Alva-Manchego et al. 2025, Findings of the TSAR 2025 Shared Task",
        ),
        Bundle(
            "biolaysumm",
            "of BioLaySumm the relevance and readability metrics",
            (
                "rouge(kind='1', stemmer=True)",
                "rouge(kind='2', stemmer=True)",
                "rouge(kind='Lsum', stemmer=True)",
                "bertscore",
                "mean(fkgl(variant='textstat', rounded=True))",
                "mean(dale_chall(variant='textstat', rounded=True))",
                "mean(coleman_liau(variant='textstat', rounded=True))",
            ),
            (
                "ROUGE-Lsum treats the lines of a text as its sentences; the task splits at NLTK's sentence ends.",
                "BERTScore is that of the embedded encoder minilm; name the task's encoder for its numbers.",
                "Not included: AlignScore and SummaC. LENS is a metric of its own, with weights to download.",
            ),
            "Goldsack et al. 2024, Overview of the BioLaySumm 2024 Shared Task",
        ),
    )
}


def expand(spec: str) -> tuple[str, ...]:
    """The specifications that a bundle stands for; any other specification stands for itself.

    >>> expand("@easse")
    ('sari', 'bleu(lowercase=True)', "fkgl(variant='easse')")
    >>> expand("bleu")
    ('bleu',)
    """
    if not spec.startswith(MARK):
        return (spec,)
    name = spec.removeprefix(MARK)
    if name not in BUNDLES:
        known = ", ".join(MARK + bundle for bundle in BUNDLES)
        raise UnknownNameError(f"no bundle {spec!r}.{did_you_mean(name, BUNDLES)} Expected one of {known}.")
    return BUNDLES[name].specs


__all__ = ["BUNDLES", "Bundle", "expand"]
