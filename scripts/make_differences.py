"""Writes docs/differences.md: what the versions of SARI, BLEU and FKGL give for the same outputs, and why.

    python scripts/make_differences.py PATH/TO/shared > docs/differences.md

The folder holds data/asset (test set with ten references), data/outputs (systems' outputs) and data/nltk_data (Punkt's
parameters, which variant agg needs).
"""

import os
import sys
from itertools import combinations
from pathlib import Path

import plainmark as pm

SYSTEMS = ["ACCESS", "SBMT-SARI", "DMASS-DCSS", "PBMT-R", "EditNTS", "Dress-Ls", "UNTS", "Hybrid"]
COPY = "copying the input"

SARI = {
    "easse": ("sari", "EASSE, corpus_sari"),
    "easse-delprec": ("sari(variant='easse-delprec')", "EASSE with deletion precision"),
    "mean of easse": ("mean(sari)", "EASSE, mean over sentences"),
    "xu2016": ("sari(variant='xu2016')", "SARI.py, the authors' program"),
    "hf": ("sari(variant='hf')", "Hugging Face evaluate"),
    "agg": ("sari(variant='agg')", "“modified” SARI of the Agg paper"),
    "equation": ("sari(variant='equation')", "the paper's equations as printed"),
    "equation-counts": ("sari(variant='equation-counts')", "the equations with counts and corrected recall"),
}
BLEU = {
    "13a": ("bleu", "sacreBLEU's default"),
    "13a, lowercase": ("bleu(lowercase=True)", "sacreBLEU -lc, and EASSE's default"),
    "intl": ("bleu(tokenizer='intl')", "sacreBLEU --tokenize intl"),
    "none": ("bleu(tokenizer='none')", "split at white space, for text that is already tokenised"),
    "mean": ("mean(bleu)", "mean of sentence BLEU"),
}

FKGL = {
    "plainmark": ("fkgl", "running text, syllables of CMUdict"),
    "easse": ("fkgl(variant='easse')", "EASSE, corpus_fkgl"),
    "textstat": ("fkgl(variant='textstat')", "textstat 0.7.3's counts, summed over the corpus"),
    "mean of textstat": (
        "mean(fkgl(variant='textstat', rounded=True))",
        "what textstat 0.7.3 prints, averaged",
    ),
    "textstat 0.7.13": (
        "fkgl(variant='textstat-0.7.13')",
        "textstat 0.7.13's counts, summed over the corpus",
    ),
    "TextDescriptives": (
        "fkgl(variant='textdescriptives')",
        "TextDescriptives 2.8.4's counts on spaCy's blank English pipeline, summed over the corpus",
    ),
    "fk": ("fk", "Xu et al. 2016, each text one sentence, averaged"),
}
COUNTING = ("plainmark", "easse", "textstat", "textstat 0.7.13", "TextDescriptives")

FORMULAS = ["flesch", "ari", "coleman_liau", "smog", "gunning_fog", "dale_chall", "spache", "linsear"]
NOT_IN_TEXTDESCRIPTIVES = ("dale_chall", "spache", "linsear")

# From one program to the next, one switch at a time; every row keeps the switches above it.
START = {"variant": "xu2016"}
TO_HF = [
    ("SARI.py: split at single spaces", {}),
    ("13a tokens", {"tokenizer": "13a"}),
    ("0/0 counts as 1", {"empty_ratio": 1}),
    ("recall of kept n-grams from summed counts: Hugging Face", {"keep_recall": "sum"}),
]
TO_EASSE = [
    ("SARI.py on 13a tokens", {"tokenizer": "13a"}),
    (
        "kept n-grams: precision and recall from summed counts",
        {"keep_precision": "sum", "keep_recall": "sum"},
    ),
    ("well deleted: deleted by both, not beyond the references' count", {"delete_good": "intersection"}),
    ("deleted n-grams: from summed counts", {"delete_average": "sum"}),
    ("deletion counts as F1, not as precision", {"delete_score": "f1"}),
    ("counts pooled over the corpus: EASSE", {"pooling": "corpus"}),
]


def read(path):
    return path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")


def corpora(data):
    """System -> its outputs on ASSET test."""
    sources = read(data / "asset" / "asset.test.orig")
    references = list(zip(*(read(data / "asset" / f"asset.test.simp.{i}") for i in range(10)), strict=True))
    copied = pm.Corpus(sources, sources, references)
    return {s: copied.with_outputs(read(data / "outputs" / s)) for s in SYSTEMS} | {COPY: copied}


def ranks(scores, lower_is_better=False):
    """1 for the best; equal scores share the better rank."""
    scores = [-score for score in scores] if lower_is_better else scores
    return [1 + sum(other > score for other in scores) for score in scores]


def kendall(a, b):
    """Kendall's tau-b of two lists of scores."""
    pairs = list(combinations(range(len(a)), 2))
    first, second = ([(x[i] > x[j]) - (x[i] < x[j]) for i, j in pairs] for x in (a, b))
    agreement = sum(x * y for x, y in zip(first, second, strict=True))
    return agreement / (sum(x * x for x in first) * sum(y * y for y in second)) ** 0.5


def table(header, rows):
    yield "| " + " | ".join(header) + " |"
    yield "|" + "---|" * len(header)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def comparison(versions, systems, lower_is_better=False):
    """Scores with ranks, one row per system, and how each version's ranking agrees with the first one's."""
    scores = {
        v: [pm.metric(spec).score(c).value for c in systems.values()] for v, (spec, _) in versions.items()
    }
    order = {v: ranks(values, lower_is_better) for v, values in scores.items()}
    rows = [
        [system, *(f"{scores[v][i]:.2f} ({order[v][i]})" for v in versions)]
        for i, system in enumerate(systems)
    ]
    first = next(iter(versions))
    rows.append([f"tau with {first}", *(f"{kendall(scores[first], scores[v]):.2f}" for v in versions)])
    return table(["", *versions], rows)


def path(steps, systems):
    options = dict(START)
    rows = []
    for what, change in steps:
        options |= change
        metric = pm.METRICS.find("sari")(**options)
        rows.append([what, *(f"{metric.score(systems[s]).value:.2f}" for s in ("ACCESS", "SBMT-SARI", COPY))])
    rows[-1][0] = f"**{rows[-1][0]}**"
    return table(["switch", "ACCESS", "SBMT-SARI", COPY], rows)


def counts(versions, systems):
    """What the versions of FKGL count in one system's outputs."""
    rows = []
    for name, (spec, _) in versions.items():
        parts = pm.metric(spec).score(systems["ACCESS"]).parts
        words, sentences, syllables = (parts[part] for part in ("words", "sentences", "syllables"))
        numbers = [f"{n:,.0f}" for n in (words, sentences, syllables)]
        rows.append([name, *numbers, f"{words / sentences:.2f}", f"{syllables / words:.3f}"])
    return table(
        ["version", "words", "sentences", "syllables", "words per sentence", "syllables per word"], rows
    )


def formulas(systems):
    """The other readability formulas by all counts, on one system's outputs and on the sources."""
    variants = ("plainmark", "textstat", "textstat-0.7.13", "textdescriptives")
    rows = []
    for system in ("ACCESS", COPY):
        for name in FORMULAS:
            row = [system, f"`{name}`"]
            for variant in variants:
                known = variant != "textdescriptives" or name not in NOT_IN_TEXTDESCRIPTIVES
                metric = pm.metric(f"{name}(variant={variant!r})") if known else None
                row.append(f"{metric.score(systems[system]).value:.2f}" if metric else "–")
            rows.append(row)
    return table(["texts", "formula", *(f"`{v}`" for v in variants)], rows)


def listing(versions, reference_count):
    rows = [
        [name, origin, f"`{spec}`", f"`{pm.metric(spec).signature(reference_count)}`".replace("|", "\\|")]
        for name, (spec, origin) in versions.items()
    ]
    return table(["version", "origin", "in plainmark", "signature"], rows)


def page(shared):
    systems = corpora(shared / "data")
    count = systems[COPY].reference_count
    head, *texts = TEXT.split("@@\n")
    tables = [
        comparison(SARI, systems),
        listing(SARI, count),
        path(TO_HF, systems),
        path(TO_EASSE, systems),
        comparison(BLEU, systems),
        comparison(FKGL, systems, lower_is_better=True),
        counts({name: FKGL[name] for name in COUNTING}, systems),
        listing(FKGL, count),
        formulas(systems),
    ]
    parts = ("\n".join(made) + "\n" + text for made, text in zip(tables, texts, strict=True))
    return head + "".join(parts)


TEXT = """\
# Which programs give which numbers

<!-- Made by scripts/make_differences.py; do not edit. -->

Programs that compute SARI, BLEU or FKGL give different numbers for the same texts. This page shows how different, and why, so that
you can choose a version and know which published numbers you can compare with yours.

All tables are on the test set of ASSET (359 sentences with ten references each) and the published outputs of eight systems. The
number in parentheses is the rank of a system among the nine rows. plainmark computed every number. For the SARI of EASSE, Hugging
Face and its authors, for the BLEU of sacreBLEU, and for the FKGL of EASSE, textstat and TextDescriptives, tests compare plainmark
with the programs themselves, to nine decimals.

## SARI

@@

The last row is Kendall's tau between each version's ranking and EASSE's: 1 means the same order, -1 the reverse. Hugging Face's
version puts copying the input first, far ahead of every system; all others put it last. Among the eight systems, ACCESS leads in
every version, but hardly any other rank is safe: PBMT-R is last in one version of EASSE and third in the other.

@@

### From SARI.py to Hugging Face

Each row changes one setting and keeps the changes of the rows above it.

@@

- **13a tokens.** If a text is split at spaces only, "cat." and "cat" are different words, and a new last word takes its full stop
  with it.
- **0/0 = 1.** A copy adds nothing and deletes nothing. Which share of nothing is right? SARI.py and EASSE say 0. Hugging Face says 1,
  which is a perfect mark for doing nothing. This moves copying from last place to first. Systems that often copy gain, too:
  Dress-Ls, a quarter of whose outputs are copies, gains far more than ACCESS.
- **Recall of kept n-grams.** SARI.py averages over distinct n-grams. Hugging Face divides the summed counts of n-grams that were
  rightly kept by the summed counts of those that should be kept, so that frequent words weigh more.

### From SARI.py to EASSE

@@

- **Sums instead of means.** For kept and deleted n-grams, EASSE adds up counts instead of averaging over n-grams, so that frequent
  n-grams weigh more.
- **Well deleted.** Suppose that the source has a word twice, and the output and the references have it once. Deleting one is right,
  but SARI.py subtracts the references' count from the deleted count, and nothing is left. EASSE takes what both delete. If the
  source has the word only once, the two agree.
- **F1 of deletions.** The paper scores deletions by precision only, because deleting too much hurts more than deleting too little.
  EASSE uses F1, and so also asks whether everything was deleted that should be. This costs ACCESS six points.
- **Pooling.** EASSE adds counts over the corpus, so long sentences weigh more than in a mean of sentence scores.

Three versions remain. *agg* starts from SARI.py, uses NLTK's words, and counts an added n-gram as good only if it has a new word or
its words stand in a new order. *equation* follows the equations of the paper to the letter, and *equation-counts* follows them with
counts and with corrected recall. The authors' own program departs from the equations in three ways:

- **F of averages.** Equation 7 averages precision and recall over n and takes F of the averages. SARI.py takes F for each n and
  averages those.
- **Indicators.** In the paper's equations, an n-gram either is in a text or is not, and its weight in the references is the share
  of references that have it. The program counts how often it occurs. The two differ if a word occurs twice in a sentence.
- **Recall of additions.** In the paper's equations, both sums run over the output's n-grams. Recall is then 1 as soon as one addition
  is good, and missing additions cost nothing. The program divides by what the references add. We take the equation for a
  misprint: `add_recall='references'` corrects it, as *equation-counts* does.

The scores that the paper prints for its example come from the program, not from the equations. For the first two outputs, the program
gives 26.83 and 58.90, the equations give 27.66 and 69.22, and the equations with corrected recall give 27.11 and 61.89. For the second
and third output, the paper prints 0.7594 and 0.5890. The program gives 0.5890 and 0.5072, as an earlier version of the paper does.

## BLEU

@@

The capitals of UNTS are often wrong, so ignoring case raises its score by eleven points. Different tokens change scores by up to nine
points. Copying the input comes first in every version: BLEU rewards staying close to the source, because the references are close to
it. Never rank simplification systems by BLEU alone. EASSE ignores case by default, so its BLEU is the second column,
`bleu(lowercase=True)`.

## FKGL

@@

The lowest grade has rank 1. All columns but the last use one formula, and yet their grades differ by as much as three years, because
the programs count different things. In the outputs of ACCESS they find:

@@

- **Words.** For EASSE every token is a word, even a comma or a full stop, and these have no syllables. In the outputs of ACCESS, this
  makes sentences longer, which raises the grade by 0.9, and words shorter, which lowers it by 2.3. TextDescriptives takes spaCy's
  tokens without punctuation and without tokens that have an apostrophe.
- **Sentences.** EASSE tokenises first, so that every full stop stands alone and ends a sentence: "U.S. Army" becomes three
  sentences. textstat does not count sentences of one or two words. TextDescriptives takes the sentences of spaCy's rule-based
  sentencizer; with a trained pipeline, whose parser finds the sentences, it gives other numbers.
- **Syllables.** EASSE counts groups of vowels, and corrects them by a rule and a short list of words. textstat 0.7.3 and
  TextDescriptives count the places where a word may be hyphenated, which are too few: "area" and "city" have one syllable
  there. plainmark looks words up in the pronouncing dictionary CMUdict, and uses a rule for words that it does not have. textstat
  0.7.13 also uses CMUdict, and hyphenation for other words.
- **Limits.** EASSE's grade is never below 0, and it is 0 for a text without words. In plainmark, a text without words has no grade.

These programs print a grade for each text, and papers report the mean of the grades. `mean(fkgl(variant='textstat-0.7.13'))` is 9.12
for ACCESS and 11.64 for the sources; `mean(fkgl(variant='textdescriptives'))` is 7.15 and 9.44.

@@

**Why the default is not EASSE's.** The formula was fitted to words and syllables as people count them, so its result is a grade only
if a program counts in the same way. plainmark takes syllables from a dictionary, does not count punctuation as words, and gives
tokenised and plain text the same grade. If you compare with papers that used EASSE, `variant='easse'` gives its numbers. The order
of the systems is nearly the same in all versions but the last (tau is 0.94 or more), but a grade of one version cannot be
compared with a grade of another.

### Flesch and the others

Scores of the other formulas, with counts summed over the corpus. textstat is version 0.7.3 unless another is named, and
TextDescriptives is 2.8.4:

@@

EASSE has none of these formulas, and TextDescriptives lacks some. From textstat 0.7.3 to 0.7.13, `flesch` falls by nine points because
syllables now come from CMUdict. `gunning_fog`, `dale_chall` and `spache` rise, also because difficult words now count as often as they
occur, and not once per text. [Readability](readability.md) says what each program counts as a word, a sentence and a hard word.

## What to do

- Report the variant **and the signature** with every score. `plainmark score` prints it.
- Compare only numbers with equal signatures. If two papers differ by less than the versions on this page do, the difference may be
  one between programs, not between systems.
- Use `easse`, the default of `sari`, unless you must match numbers from elsewhere. Never rank systems by `hf` without a row for
  copying. For EASSE's numbers of all three metrics, use `-m @easse`.
- Read the parts of SARI (add, keep, del), and include the copied input in every table.
- Test differences with `plainmark compare` instead of comparing decimals.
"""

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    os.environ["NLTK_DATA"] = str(folder / "data" / "nltk_data")
    print(page(folder), end="")
