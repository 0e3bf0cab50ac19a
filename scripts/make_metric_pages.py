"""Writes docs/metrics.md and docs/metrics-FAMILY.md from the registry: every metric, its options, needs, range and reference.

python scripts/make_metric_pages.py
"""

import re
from inspect import cleandoc, getmodule
from pathlib import Path

from plainmark import METRICS
from plainmark.cli.list import facts
from plainmark.families import FAMILIES

BETTER = {True: "higher", False: "lower", None: "–"}
DOCS = Path(__file__).resolve().parent.parent / "docs"
MANY = 12  # allowed values that are listed at the end instead of in each table
PAGES = {  # what docstrings refer to
    "differences.md": "Differences",
    "encoder-card.md": "the card of the encoder",
    "faithfulness.md": "the page on the fact ledger",
    "quality.md": "the page on quality",
    "samsa.md": "the page on SAMSA",
    "wordlists.md": "Word lists",
}
GENERATED = "<!-- Made by scripts/make_metric_pages.py from the registry; do not edit. -->"
IGNORED = "<!-- plainmark: ignore-file PM102 PM302 definitions quote words and phrases -->"
INTRODUCTION = f"""\
# Metrics

{GENERATED}

Ask for a metric by name, and set its options in brackets: `-m "sari(variant='hf')"`. In the folder `examples`:

```console
$ plainmark score careful.txt hasty.txt copy.txt -s source.txt -r reference.0 -r reference.1 -m sari,bleu,fkgl
system   sari ↑   bleu ↑   fkgl ↓
careful   69.31*   71.90*    6.09
hasty     38.10     8.86     5.72*
copy      11.47    23.58    13.70
…
```

No metric measures everything that makes a simplification good, so combine metrics of several families. Each family says what it is for and
what it is not for; [Which metric should I trust?](trust.md) has the evidence. `plainmark list metrics` shows what works on your machine, and
`plainmark list metrics sari` the options of one metric.
"""


def pages():
    """The text of each page by its name: the overview, and a page for each family."""
    known = {name: facts(METRICS.find(name)) for name in METRICS.names()}
    families = {key: [n for n, fact in known.items() if fact["family"] == key] for key in FAMILIES}
    families = {key: members for key, members in families.items() if members}
    long_lists = {}
    written = {page_of(key): family_page(key, names, known, long_lists) for key, names in families.items()}
    lines = [INTRODUCTION, "| family | metrics |", "|---|---|"]
    for key, members in families.items():
        links = ", ".join(link(name, key) for name in members)
        lines.append(f"| [{FAMILIES[key].title}]({page_of(key)}) | {links} |")
    for key, members in families.items():
        lines += ["", f"## {FAMILIES[key].title}", "", *purpose(key), ""]
        lines += ["| metric | what it is | needs | better |", "|---|---|---|---|"]
        for name in members:
            fact = known[name]
            needs, better = fact["needs"] or "output", BETTER[fact["higher_is_better"]]
            lines.append(f"| {link(name, key)} | {fact['about']} | {needs} | {better} |")
    lines += ["", "## Values of options", "", "Options that many metrics share take one of these values:", ""]
    for (option, values), names in long_lists.items():
        shared = ", ".join(link(name, known[name]["family"]) for name in names)
        lines += [f"- `{option}` of {shared}: {values}"]
    lines += ["", "```{toctree}", ":hidden:", "", *(page_of(key)[:-3] for key in families), "```"]
    return {"metrics.md": "\n".join(lines) + "\n", **written}


def page_of(family):
    """The page that describes the metrics of a family."""
    return f"metrics-{family}.md"


def link(name, family):
    """A metric, linked to its section."""
    return f"[{name}]({page_of(family)}#{name})"


def purpose(key):
    """What the metrics of a family are for."""
    return [f"- **For** {FAMILIES[key].use_for}.", f"- **Not for** {FAMILIES[key].not_for}."]


def family_page(key, members, known, long_lists):
    """A page with all metrics of a family."""
    lines = [f"# {FAMILIES[key].title}", "", GENERATED, IGNORED, ""]
    lines += ["This page says how each of these metrics is computed, and which options it has.", ""]
    lines += [*purpose(key), ""]
    lines += [f"On this page: {' · '.join(f'[{name}](#{name})' for name in members)}", ""]
    lines += ["This command prints the entry of one metric:", ""]
    lines += [f"    plainmark list metrics {members[0]}", ""]
    lines += ["[Metrics](metrics.md) has all families, and the values of options that many metrics share."]
    for name in members:
        lines += metric_section(name, known[name], long_lists)
    return "\n".join(lines) + "\n"


def metric_section(name, fact, long_lists):
    """A metric with its definition, range, signature and options."""
    text = cleandoc(getmodule(METRICS.find(name)).__doc__ or "")
    lines = ["", f"## {name}", "", *markdown(text), ""]
    extent = fact["range"].replace("unbounded to unbounded", "not bounded")
    parts = ", ".join(fact["parts"]) or "none"
    lines += [f"Range: {extent}. Parts: {parts}. Signature with all defaults:", ""]
    lines += [f"    {fact['signature']}"]
    if fact["options"]:
        lines += ["", "| option | default | allowed | meaning |", "|---|---|---|---|"]
    for option in fact["options"]:
        allowed = option["type"]
        if allowed.startswith("one of ") and allowed.count(", ") >= MANY:
            long_lists.setdefault((option["name"], allowed), []).append(name)
            allowed = f"one of {allowed.count(', ') + 1} [values](metrics.md#values-of-options)"
        cells = [f"`{option['name']}`", f"`{option['default']}`", allowed, option["help"]]
        lines.append("| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
    return lines


def markdown(docstring):
    """A docstring as Markdown: formulas as blocks of text, columns as lists, the reference by itself."""
    docstring = re.sub(r"\s(?=References?: )", "\n\n", docstring)
    lines = []
    for paragraph in re.split(r"\n{2,}", docstring):
        if paragraph.startswith("    "):
            if lines[-2:] == ["```", ""]:
                del lines[-2:]
                lines.append("")
            else:
                lines.append("```text")
            lines += [line[4:] for line in paragraph.split("\n")]
            lines += ["```", ""]
        elif columns := re.match(r"\S+ {2,}(?=\S)", paragraph):
            lines += [*listed(paragraph, columns.end()), ""]
        else:
            lines += [prose(paragraph), ""]
    return lines[:-1]


def listed(paragraph, start):
    """Lines of two columns as list items; the second column begins at `start`."""
    items = []
    for line in paragraph.split("\n"):
        key, text = line[:start].strip(), line[start:].strip()
        if key:
            items.append(f"- `{key}`: {text}")
        else:
            items[-1] += f" {text}"
    return [prose(item) for item in items]


def prose(text):
    """Text in which settings are code, pages are links, and signs of Markdown mean themselves."""
    parts = re.split(r"(`[^`]*`|\b\w+=(?:\"[^\"]*\"|'[^']*'|True|False|NAME|FILE)|docs/[\w-]+\.md)", text)
    for k, part in enumerate(parts):
        if k % 2 == 0:
            parts[k] = re.sub(r"([*<|]|(?<!\w)_|_(?!\w))", r"\\\1", part)
        elif part.startswith("docs/"):
            parts[k] = f"[{PAGES[part[5:]]}]({part[5:]})"
        elif not part.startswith("`"):
            parts[k] = f"`{part}`"
    return "".join(parts)


if __name__ == "__main__":
    for page, text in pages().items():
        (DOCS / page).write_text(text, "utf-8")
