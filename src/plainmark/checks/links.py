"""Link texts that do not say where they lead."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ._findings import Finding, Rule, Text

_CLICK = re.compile(
    r"\b(?:click|tap|press)\s+(?:on\s+)?(?:here|this\s+link|the\s+link(?:\s+below)?|the\s+following\s+link)\b",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"(?:please\s+)?(?:(?:click|see|go|tap)\s+)?(?:here|this|this\s+(?:link|page|site|website|document|article)|link|more|"
    r"(?:read|see|learn|find\s+out|discover)\s+more|more\s+(?:info|information|details)|details|info|continue|download|"
    r"website|page|visit|view)[\s.…»>→]*",
    re.IGNORECASE,
)
_MARKDOWN = re.compile(r"(?<!!)\[([^\]\n]{1,80})\]\(")


def _links(text: Text) -> Iterator[Finding]:
    done = []
    markdown = [m.span(1) for m in _MARKDOWN.finditer(text.text)]
    for start, end in [*text.links, *markdown]:
        if _EMPTY.fullmatch(text.text[start:end].strip()):
            done.append((start, end))
            yield Finding(
                "PM301",
                start,
                end,
                f"The link text “{text.text[start:end].strip()}” does not say where it leads.",
            )
    for match in _CLICK.finditer(text.text):
        if all(match.end() <= a or b <= match.start() for a, b in done):
            yield Finding(
                "PM301",
                *match.span(),
                f"“{match.group()}” does not say where the link leads. Link the words that name the page.",
            )


RULES = (
    Rule(
        "PM301",
        "link text",
        "A link text such as “here” or “read more” means nothing to somebody who reads the links of a page alone, as screen readers"
        " let people do. Link the words that name what is behind it.",
        "To apply for a permit, click here.",
        "Apply for a permit on the council's website.",
        text=_links,
    ),
)
