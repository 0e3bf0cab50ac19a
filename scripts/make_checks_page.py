"""Write docs/checks.md: the fixed part of the page, and every rule as the registry has it.

python scripts/make_checks_page.py
"""

from __future__ import annotations

import json
from pathlib import Path

from plainmark.checks import Rule, all_rules
from plainmark.checks.glossary import entries
from plainmark.writing import write_atomically

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "checks.md"
JUDGEMENTS = ROOT / "tests" / "golden" / "checks_judgements.json"

INTRODUCTION = """\
# Checks for writers

<!-- plainmark: ignore-file PM301 the examples of the rules break them -->

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

This repository checks its own README and docs with its `plainmark.toml`. As a hook of pre-commit:

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
        " in two, or ranges such as “three to twelve”, which it now leaves alone. PM203 and PM303 have few hits in such texts; the"
        " three errors of PM203 came from two patterns that were taken out. PM106 takes verbs for nouns and runs only if you ask for it."
        " PM104 was mended after a first sample (63 % right) and judged on a second one, mostly of health texts. A second reader, who had written none of the rules, found 90 of 100 right for PM101, 98 for PM102, 79 for PM104 before it was mended, and 91 for PM105.\n\n"
        f"On 30 texts (10 of each kind, {words:,} words) {hard} words were marked as hard or as jargon, of which {helped}"
        f" ({100 * helped / hard:.0f} %) had a suggestion; of all {len(offers)} suggestions {right} were right in context"
        f" ({100 * right / len(offers):.0f} %). Suggestions come from the simplifier's list of plain phrases, where their conditions hold,"
        f" from a glossary of {len(entries())} terms of health care and government, from your word list, and from a few rules. The entries of the"
        " list were checked by the lexicon and the fact ledger when it was built, the glossary's and your word list's by the lexicon;"
        f" tried in their sentences, the ledger objects to none of the {len(offers)}.\n"
    )
    return "\n".join([INTRODUCTION, figures, "## The rules\n", *(_rule(r) for r in all_rules())])


def _rule(rule: Rule) -> str:
    kind = "" if rule.default else " Only with `--select`."
    return (
        f"### {rule.id}: {rule.name}\n\n{rule.explanation}{kind}\n\n- not: {rule.bad}\n- but: {rule.good}\n"
    )


if __name__ == "__main__":
    write_atomically(PAGE, page())
