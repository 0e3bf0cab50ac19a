"""Writes docs/metrics.md from the registry: every metric, its options, needs, range and reference.

python scripts/make_metric_pages.py > docs/metrics.md
"""

from inspect import cleandoc, getmodule

from plainmark import METRICS
from plainmark.cli.list import facts


def page():
    names = METRICS.names()
    lines = [
        "# Metrics",
        "",
        "<!-- Made by scripts/make_metric_pages.py from the registry; do not edit. -->",
        "",
    ]
    lines += ["| metric | what it is | needs | better |", "|---|---|---|---|"]
    known = {name: facts(METRICS.find(name)) for name in names}
    better = {True: "higher", False: "lower", None: "–"}
    for name, fact in known.items():
        needs = fact["needs"] or "output"
        lines.append(
            f"| [{name}](#{name}) | {fact['about']} | {needs} | {better[fact['higher_is_better']]} |"
        )
    for name, fact in known.items():
        text = cleandoc(getmodule(METRICS.find(name)).__doc__ or "")
        lines += ["", f"## {name}", "", "```text", text, "```", ""]
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
