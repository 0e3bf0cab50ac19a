"""Write docs/checks.md: the fixed part of the page, and every rule as the registry has it.

python scripts/make_checks_page.py
"""

from __future__ import annotations

import json
from pathlib import Path

from plainmark.checks import Rule, all_rules
from plainmark.checks._plain_words import FILE
from plainmark.checks.glossary import entries
from plainmark.simplifier.plain.phrases import read_phrases
from plainmark.writing import write_atomically

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "checks.md"
JUDGEMENTS = ROOT / "tests" / "golden" / "checks_judgements.json"

INTRODUCTION = """\
# Checks for writers

<!-- plainmark: ignore-file PM102 PM105 PM203 PM301 PM302 PM401 PM402 the examples of the rules break them -->

`plainmark check` reads texts and documents and prints one line per finding. Rules for hard words, wordy phrases, passives and others
give hints; limits that you set make it fail, so that it can guard a website or a folder of leaflets.

```sh
plainmark check leaflet.md --grade 8 --cefr B1 --max-sentence 25 --words house.csv
plainmark check leaflet.docx --original study.docx      # also compares the facts
plainmark check *.docx --comments checked/              # copies with the findings as comments
```

In Python:

```pycon
>>> from plainmark.checks import Checker, Targets
>>> checker = Checker(Targets(max_sentence=20))
>>> result = checker.check("We will purchase the land. The form was signed by the nurse.")
>>> for finding in result.findings:
...     print(finding.rule, finding.message, [s.text for s in finding.suggestions])
PM101 “purchase” has a plainer word. ['buy']
PM202 “was signed” is a passive. “the nurse” does it: put that first, with the verb in the active. []

```

A `Checker` remembers sentences: after an edit only those that changed are analysed again. `result.measures` has the school grade, the
number of words and sentences and the share of passives, `result.targets` says which targets are met, and `result.costly` lists the
sentences that raise the grade most, each with what would help.

## Files

`.docx`, `.md`, `.html`, `.txt` and `.pdf` (with `pip install 'plainmark[documents]'` for PDF files and for comments in Word documents).
Code, addresses, front matter and markup are left out; places are lines and columns of the file, in Word documents paragraphs.
Nothing that a file refers to is opened. Macros, passwords, archives that unpack to much more than they are, damaged and binary files
are refused with one line and exit code 2. `--comments FOLDER` writes copies: Word comments in `.docx` files, HTML comments in `.md` and
`.html` files, a marked page for other texts.

## Limits, formats and exit codes

The exit code is 0, 1 if a limit is broken (`--fail-on hint`: if there is any finding, `--fail-on never`: not at all), or 2 for a mistake in
the call or a file. `--format` is `text`, `json`, `sarif` (2.1.0), `github` (annotations of GitHub Actions) or `junit`. The section `[check]` of
`plainmark.toml`, or `[tool.plainmark.check]` of `pyproject.toml`, holds the same options:

```toml
[check]
grade = 8
max_sentence = 25
words = "house.csv"
ignore = ["PM204"]
```

This repository checks its own README and docs with its `plainmark.toml`: wordy phrases, hidden verbs, double negations, link texts, numbers
in words, a list of house words (`docs/house.csv`), the grade and the share of passives. A test runs it. As a hook of pre-commit:

```yaml
- repo: REPOSITORY  # the address you would clone
  rev: main
  hooks: [{id: plainmark-check}]
```

In GitHub Actions:

```yaml
- run: pip install plainmark
- run: plainmark check content/*.md --format github
```

## Word lists

A CSV file with the columns `term`, `use instead`, `never use` and `explain`; each row has a term and one of the others. Plurals and regular
forms of verbs are found as well. A row that is not as expected is an error with its line.

```
term,use instead,never use,explain
utilise,use,,
leverage,,yes,
HMRC,,,the UK's tax office
```

## Leaving out findings

`<!-- plainmark: ignore PM101 -->` leaves out a rule in its line, or, on a line of its own, in the paragraph after it;
`<!-- plainmark: ignore-file PM101 PM202 -->` in the whole file. Without ids all rules are left out. For a large stock of old texts,
`--baseline known.json --update-baseline` writes down what there is, and `--baseline known.json` from then on shows only what is new.
"""


def page() -> str:
    """The page."""
    data = json.loads(JUDGEMENTS.read_text("utf-8"))
    offers = data["suggestions"]
    right = sum(row[-1] for row in offers)
    hard = sum(c["hard words"] for c in data["coverage"].values())
    helped = sum(c["with a suggestion"] for c in data["coverage"].values())
    words = sum(c["words"] for c in data["coverage"].values())
    figures = (
        "## How often they are right\n\n"
        "Hits on health texts, news and encyclopedia articles that the rules were not written on, judged in context by their author"
        " (author's figures are usually too high; docs/simplifier-card.md shows by how much blind readers differ). The judgements are in"
        " tests/golden/checks_judgements.json by text and offset. Rules without a figure count or compare and were not judged.\n\n"
        "| rule | name | right | of | precision |\n|---|---|---:|---:|---:|\n"
        + "".join(
            f"| {r.id} | {r.name} | {r.judged[0]} | {r.judged[1]} | {100 * r.judged[0] / r.judged[1]:.0f} % |\n"
            for r in all_rules()
            if r.judged[1]
        )
        + "\nPM302 was judged before it was mended: all eight of its errors were numbers such as “Two hundred and thirty-nine”, cut"
        " in two, or ranges such as “three to twelve”, which it now leaves alone. PM104 and PM303 were mended a little after they were"
        " judged (names of genes, words in quotation marks). PM303 has few hits in such texts: 24 in 9.5 million characters, and nine"
        " from before. PM203 was right in 55 of 72 hits on a first sample, was mended, and has the figure of a second one, mostly news and"
        " web pages. It was mended again after that: instructions such as “Do not convert unless …” (6 of the 88 right hits) and “without a"
        " fight” (4 of the 12 errors) are left alone, and conditions such as “cannot live without” (45 of the 88, and 2 errors) are worded as a"
        " question. PM106 was right in 57 of 100, was mended, and has the figure of a second sample; it still takes verbs for nouns and"
        " runs only if you ask for it. A second reader, who had written none of the rules, found 90 of 100 right for PM101, 98 for PM102,"
        " 79 for PM104 before it was mended, and 91 for PM105.\n\n"
        f"On 30 texts (10 of each kind, {words:,} words, drawn before the suggestions were extended) {hard} words were marked as hard or as"
        f" jargon, of which {helped} ({100 * helped / hard:.0f} %) had a suggestion:"
        + ",".join(
            f" {100 * c['with a suggestion'] / c['hard words']:.0f} % in {kind} texts"
            for kind, c in data["coverage"].items()
        )
        + f". Of all {len(offers)} suggestions {right} were right in context by their author ({100 * right / len(offers):.0f} %), 237 by a second reader who knew nothing of the rules (96 %); what caused"
        " the errors was mended afterwards. `python -m evaluation.checks` counts again and writes a sheet for other readers.\n\n"
        "Suggestions come from the simplifier's list of plain phrases, where their conditions hold; from a second list of"
        f" {len(read_phrases(FILE))} entries for a person to accept one by one; from a glossary of {len(entries())} terms of health care, government,"
        " science and society; from your word list; and from a few rules. Nothing to which the lexicon or the fact ledger objects (turned round, another unit, another term) is"
        " in the second list; the glossary replaces a term only if the lexicon does not object, and otherwise explains it in brackets."
        "\n\nWordNet is not asked, because too few of its words fit. For hard words without a suggestion, in texts other than"
        " the 30, the commonest synonym of the first sense was put in the same form into the sentence, if it is among the 5,000 commonest"
        " words and its place there is at most a quarter of the hard word's. 116 of 2,660 such words had one. By one reader, who had also"
        " written the procedure, 29 of 100 different pairs were right: grammatical, with the same meaning, and easier. Where the hard word"
        " has one sense only, which is also the first of the plainer word, 46 of 100 other pairs were right (16 from health texts, 84 from news"
        " and web pages). It would have been asked from 85 on.\n"
    )
    return "\n".join([INTRODUCTION, figures, "## The rules\n", *(_rule(r) for r in all_rules())])


def _rule(rule: Rule) -> str:
    kind = "" if rule.default else " Only with `--select`."
    return (
        f"### {rule.id}: {rule.name}\n\n{rule.explanation}{kind}\n\n- not: {rule.bad}\n- but: {rule.good}\n"
    )


if __name__ == "__main__":
    write_atomically(PAGE, page())
