"""The UCCA corpora, opened where they lie, and small graphs in brackets."""

import lzma
import re
import tarfile
from functools import cache

from plainmark.ucca import Edge, UccaGraph, Unit, parse_passage
from plainmark.ucca.graph import terminals
from support.requirements import SHARED

CORPORA = ("wiki-v1.2.4-train", "wiki-v1.2.4-dev", "lpp-v2.0")


@cache
def files(corpus):
    """Name and content of every passage of a corpus."""
    path = SHARED / "data" / "ucca" / f"{corpus}.tar.xz"
    with lzma.open(path) as packed, tarfile.open(fileobj=packed) as tar:
        return [(m.name, tar.extractfile(m).read()) for m in tar if m.name.endswith(".xml")]


@cache
def passages(corpus, every=1):
    return [parse_passage(content, name) for name, content in files(corpus)[::every]]


def bracketed(text):
    """A graph from "(H (A John) (P got) (A home)) (U .)".

    A unit is "(CATEGORY ...)"; "(A=he ...)" gives it a name, "(A*he)" is a remote edge to it, "(A-)" an implicit unit.
    """
    tokens = re.findall(r"[()]|[^\s()]+", text)
    words, units, names = [], [["1.1", [], "FN", False]], {}
    stack = [0]
    remote = []
    i = 0
    while i < len(tokens):
        if tokens[i] == "(":
            category, kind, name = re.fullmatch(r"([A-Z]+)([=*-]?)(\w*)", tokens[i + 1]).groups()
            if kind == "*":
                remote.append((stack[-1], len(units[stack[-1]][1]), category, name))
                units[stack[-1]][1].append(None)
                stack.append(stack[-1])
            else:
                unit_id = f"1.{len(units) + 1}"
                units.append([unit_id, [], "PNCT" if category == "U" else "FN", kind == "-"])
                units[stack[-1]][1].append(Edge(category, unit_id))
                if kind == "=":
                    names[name] = unit_id
                stack.append(len(units) - 1)
            i += 1
        elif tokens[i] == ")":
            stack.pop()
        else:
            words.append(tokens[i])
            units[stack[-1]][1].append(Edge("Terminal", f"0.{len(words)}"))
        i += 1
    for unit, place, category, name in remote:
        units[unit][1][place] = Edge(category, names[name], remote=True)
    marks = [not re.search(r"\w", w) for w in words]
    return UccaGraph(
        "test",
        terminals(words, marks),
        tuple(Unit(unit_id, tuple(edges), kind, implicit) for unit_id, edges, kind, implicit in units),
    )
