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

`plainmark check` reads texts and documents and prints one line per finding. Its rules look for hard words, wordy phrases, passives and
more, and give hints. If you set limits, a text that breaks one makes the command fail, so you can use it to guard a website or a
folder of leaflets.

```sh
plainmark check leaflet.md --grade 8 --max-sentence 25 --words house.csv
plainmark check leaflet.docx --original study.docx  # also compares the facts
plainmark check *.docx --comments checked/          # writes copies with comments
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

A `Checker` remembers sentences: after an edit, it analyses only those that changed. `result.measures` has the school grade, the number
of words and sentences, and the share of passives. `result.targets` says which targets the text meets. `result.costly` lists the
sentences that raise the grade most, each with what would help.

## Files

The command reads .docx, .md, .html, .txt and .pdf files. PDF files, and comments in Word documents, need the extra `documents`. It skips
code, addresses, front matter and markup, and never opens anything that a file refers to. Places are lines and columns of the
file, or paragraphs of a Word document. Files with macros or passwords, archives that unpack to far more than their size, and damaged
or binary files are refused with one line and exit code 2.

`--comments FOLDER` writes a copy of each file with the findings as comments: Word comments in .docx files, HTML comments in .md and
.html files, and a marked page for other texts.

## Limits, formats and exit codes

| exit code | meaning |
|---|---|
| 0 | no limit is broken |
| 1 | a limit is broken; with `--fail-on hint`, there is a finding; with `--fail-on never`, this code is not used |
| 2 | the command or a file has a mistake |

`--format` is `text`, `json`, `sarif` (2.1.0), `github` (annotations of GitHub Actions) or `junit`. You can write all options into the
section `[check]` of `plainmark.toml`, or `[tool.plainmark.check]` of `pyproject.toml`:

```toml
[check]
grade = 8
max_sentence = 25
words = "house.csv"
ignore = ["PM204"]
```

This repository checks its own README and docs, and a test runs the check. Its `plainmark.toml` sets limits for the grade and the
share of passives, and selects the rules for wordy phrases, hidden verbs, double negations, link texts, numbers in words and house
words (`docs/house.csv`).

To run the checks before each commit, add them to the configuration of pre-commit:

```yaml
- repo: REPOSITORY  # the address you would clone
  rev: main
  hooks: [{id: plainmark-check}]
```

In GitHub Actions:

```yaml
- run: pip install git+REPOSITORY
- run: plainmark check content/*.md --format github
```

## Word lists

A word list is a CSV file with the columns `term`, `use instead`, `never use` and `explain`. Each row has a term and a value in exactly
one of the other columns. Plurals and regular forms of verbs are found as well. If a row has a mistake, an error names its line.

```
term,use instead,never use,explain
utilise,use,,
leverage,,yes,
HMRC,,,the UK's tax office
```

## Leaving out findings

A comment in the text switches rules off:

| comment | where it applies |
|---|---|
| `<!-- plainmark: ignore PM101 -->` | its line; if it stands on a line of its own, the paragraph after it |
| `<!-- plainmark: ignore-file PM101 PM202 -->` | the whole file |
| `<!-- plainmark: ignore -->` | all rules, in the same places |

If you have many old texts, `--baseline known.json --update-baseline` records their findings. After that, `--baseline known.json` shows only
new ones.
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
        "All judges on this page, the author of the rules among them, are language models that were asked to judge as an editor would; no person"
        " has checked these figures yet.\n\n"
        "The author of the rules judged their hits in context, on health texts, news and encyclopedia articles that the rules were not"
        " written on. Figures by an author are usually too high; [the card of the simplifier](simplifier-card.md) shows how far blind judges"
        " differ. Rules that are not in the table count or compare, and were not judged.\n\n"
        "| rule | name | right | of | precision |\n|---|---|---:|---:|---:|\n"
        + "".join(
            f"| {r.id} | {r.name} | {r.judged[0]} | {r.judged[1]} | {100 * r.judged[0] / r.judged[1]:.0f} % |\n"
            for r in all_rules()
            if r.judged[1]
        )
        + "\nA second judge, which had written none of the rules, found 90 of 100 hits right for PM101, 98 for PM102, 79 for PM104 before that"
        " rule was corrected, and 91 for PM105. PM106 still takes verbs for nouns, so it runs only if you select it. The"
        " [laboratory notes](laboratory.md#precision-of-the-checks) say which rules were corrected after they were judged.\n\n"
        "## Where suggestions come from\n\n"
        "- the simplifier's list of plain phrases, if the conditions of a phrase hold;\n"
        f"- a second list of {len(read_phrases(FILE))} entries, which a person accepts one by one;\n"
        f"- a glossary of {len(entries()):,} terms of health care, government, science and society;\n"
        "- your word list;\n"
        "- a few rules.\n\n"
        "The second list has no entry to which the lexicon or the fact ledger objects because it reverses the meaning or changes a unit or a"
        " term. The glossary replaces a term only if the lexicon does not object; otherwise it explains the term in brackets.\n\n"
        f"Not every marked word has a suggestion. This was measured on 30 texts (10 of each kind, {words:,} words), which were chosen before the"
        f" suggestions were extended. Of {hard} words that were marked as hard or as jargon, {helped} ({100 * helped / hard:.0f} %) had one:"
        + ",".join(
            f" {100 * c['with a suggestion'] / c['hard words']:.0f} % in {kind} texts"
            for kind, c in data["coverage"].items()
        )
        + f". Of all {len(offers)} suggestions, {right} were right in context according to their author ({100 * right / len(offers):.0f} %), and 237"
        " according to a second judge that knew nothing of the rules (96 %). What caused the errors was corrected afterwards."
        " `python -m evaluation.checks` repeats the count and writes a sheet for other judges.\n"
    )
    return "\n".join([INTRODUCTION, figures, "## The rules\n", *(_rule(r) for r in all_rules())])


def _rule(rule: Rule) -> str:
    kind = "" if rule.default else " Only with `--select`."
    return (
        f"### {rule.id}: {rule.name}\n\n{rule.explanation}{kind}\n\n- not: {rule.bad}\n- but: {rule.good}\n"
    )


if __name__ == "__main__":
    write_atomically(PAGE, page())
