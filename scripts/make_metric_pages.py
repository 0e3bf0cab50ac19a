"""Writes docs/metrics.md from the registry: every metric, its options, needs, range and reference.

python scripts/make_metric_pages.py > docs/metrics.md
"""

import re
from inspect import cleandoc, getmodule

from plainmark import METRICS
from plainmark.cli.list import facts
from plainmark.families import FAMILIES

BETTER = {True: "higher", False: "lower", None: "–"}
MANY = 12  # allowed values that are listed at the end instead of in each table
PAGES = {  # what docstrings refer to
    "differences.md": "Differences",
    "encoder-card.md": "the card of the encoder",
    "faithfulness.md": "the page on the fact ledger",
    "quality.md": "the page on quality",
    "samsa.md": "the page on SAMSA",
    "wordlists.md": "Word lists",
}
INTRODUCTION = """\
# Metrics

<!-- Made by scripts/make_metric_pages.py from the registry; do not edit. -->

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


def slug(heading):
    """The anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def page():
    """The whole page."""
    known = {name: facts(METRICS.find(name)) for name in METRICS.names()}
    families = {key: [n for n, fact in known.items() if fact["family"] == key] for key in FAMILIES}
    families = {key: members for key, members in families.items() if members}
    long_lists = {}
    lines = [INTRODUCTION, "| family | metrics |", "|---|---|"]
    for key, members in families.items():
        title = FAMILIES[key].title
        links = ", ".join(f"[{name}](#{name})" for name in members)
        lines.append(f"| [{title}](#{slug(title)}) | {links} |")
    for key, members in families.items():
        lines += family_section(key, {name: known[name] for name in members})
        for name in members:
            lines += metric_section(name, known[name], long_lists)
    lines += ["", "## Values of options", ""]
    lines += ["Options that many metrics share take one of these values:", ""]
    for (option, values), names in long_lists.items():
        lines += [f"- `{option}` of {', '.join(f'[{n}](#{n})' for n in names)}: {values}"]
    return "\n".join(lines) + "\n"


def family_section(key, members):
    """What a family is for, and a table of its metrics."""
    family = FAMILIES[key]
    lines = ["", f"## {family.title}", ""]
    lines += [f"- **For** {family.use_for}.", f"- **Not for** {family.not_for}.", ""]
    lines += ["| metric | what it is | needs | better |", "|---|---|---|---|"]
    for name, fact in members.items():
        needs = fact["needs"] or "output"
        lines.append(
            f"| [{name}](#{name}) | {fact['about']} | {needs} | {BETTER[fact['higher_is_better']]} |"
        )
    return lines


def metric_section(name, fact, long_lists):
    """A metric with its definition, range, signature and options."""
    text = cleandoc(getmodule(METRICS.find(name)).__doc__ or "")
    lines = ["", f"### {name}", "", *markdown(text), ""]
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
            allowed = f"one of {allowed.count(', ') + 1} [values](#values-of-options)"
        cells = [f"`{option['name']}`", f"`{option['default']}`", allowed, option["help"]]
        lines.append("| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
    return lines


def markdown(docstring):
    """A docstring as Markdown: formulas as blocks of text, columns as lists, the reference by itself."""
    docstring = re.sub(r"\n(?=References?: )", "\n\n", docstring)
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
    print(page(), end="")
