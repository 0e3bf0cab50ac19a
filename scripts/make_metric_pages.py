"""Writes docs/metrics.md from the registry: every metric, its options, needs, range and reference.

python scripts/make_metric_pages.py > docs/metrics.md
"""

from inspect import cleandoc, getmodule

from plainmark import METRICS
from plainmark.cli.list import facts
from plainmark.families import FAMILIES


def page():
    names = METRICS.names()
    lines = [
        "# Metrics",
        "",
        "<!-- Made by scripts/make_metric_pages.py from the registry; do not edit. -->",
        "",
        "Ask for a metric by name (`-m sari`) and set its options in brackets (`-m \"sari(variant='hf')\"`); `plainmark list metrics`",
        "shows what works on your machine. No metric measures everything that makes a simplification good, so each family",
        "says what it is for and what it is not for. [Which metric should I trust?](trust.md) has the evidence.",
        "",
    ]
    known = {name: facts(METRICS.find(name)) for name in names}
    better = {True: "higher", False: "lower", None: "–"}
    families = {
        key: [n for n, fact in known.items() if fact["family"] == key]
        for key in FAMILIES
        if any(fact["family"] == key for fact in known.values())
    }
    for key, members in families.items():
        family = FAMILIES[key]
        lines += [
            f"**{family.title}**",
            "",
            f"- Use them for {family.use_for}.",
            f"- Not for {family.not_for}.",
            "",
        ]
        lines += ["| metric | what it is | needs | better |", "|---|---|---|---|"]
        for name in members:
            fact = known[name]
            needs = fact["needs"] or "output"
            lines.append(
                f"| [{name}](#{name}) | {fact['about']} | {needs} | {better[fact['higher_is_better']]} |"
            )
        lines.append("")
    lines.pop()
    for name, fact in ((n, known[n]) for members in families.values() for n in members):
        text = cleandoc(getmodule(METRICS.find(name)).__doc__ or "")
        lines += ["", f"## {name}", "", "```text", text, "```", ""]
        lines += [f"Family: {FAMILIES[fact['family']].title.lower()}.", ""]
        lines += [f"Range {fact['range']}. Parts: {', '.join(fact['parts']) or 'none'}.", ""]
        lines += [f"    {fact['signature']}"]
        if fact["options"]:
            lines += ["", "| option | default | allowed | meaning |", "|---|---|---|---|"]
            for option in fact["options"]:
                cells = [f"`{option['name']}`", f"`{option['default']}`", option["type"], option["help"]]
                lines.append("| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")
