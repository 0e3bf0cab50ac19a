"""The texts that users and maintainers read, the private terms that they must not have, and their size and reading grade.

cd tests && python -m support.words    prints the table: words, reading grade and private terms of each kind of text
"""

import ast
import contextlib
import io
import json
import re
import statistics
import sys
import tokenize
from pathlib import Path

ROOT = Path(__file__).parents[2]
UNIT = "system|sample|sentence|item|line|metric|text|document|word|subject|reference|dimension|person|row|key"
TERMS = rf"""
    anew|not to be had|whose they are|explains nothing|foretells?|spine|unharmed|texts harmed|within-sample
    (?:computes?|computed) again|(?:made|worded|trained|written) again from scratch
    (?:goes|go) along with (?:people|ratings)|(?:goes|go) against people|words in their place|can be killed
    peers?(?!-)|(?:same|open|only|plug-in|field's) doors?|doors? (?:that|of) plug-ins?|robots
    stands? in for|at hand|(?:metric|number|score)s? (?:may|should|can) (?:I|you|one) believe|you believe in
    (?:one|a|two|three|few|many|each|\d|JSON) (?:rows?|lines?|files?|objects?|values?|scores?|numbers?|words?|ms|seconds?) an? (?:{UNIT})
    systems that share a letter do not differ(?! significantly| at)
"""
PRIVATE = re.compile(
    rf"\b(?:{'|'.join(TERMS.split(chr(10))[1:-1])})\b|^#+ Mind$|^\| mind \|".replace("    ", "").replace(
        " ", r"[ \n]"
    ),
    re.IGNORECASE | re.MULTILINE,
)
TABLE_OF_TERMS = "style.md"  # which lists them
PAGES = sorted([*ROOT.glob("*.md"), ROOT / "tests" / "README.md", *ROOT.glob("docs/*.md")])
MODULES = sorted(
    path
    for folder in ("src/plainmark", "benchmarks", "evaluation", "scripts", "training")
    for path in ROOT.glob(f"{folder}/**/*.py")
)
PACKAGE = [path for path in MODULES if ROOT / "src" in path.parents]
COMPILED = sorted([*ROOT.glob("native/**/*.cpp"), *ROOT.glob("native/**/*.hpp")])
TEMPLATES = sorted(ROOT.glob("src/plainmark/**/templates/*.html"))
SCRIPTS = sorted([*ROOT.glob("editor/source/*.js"), *ROOT.glob("src/plainmark/*/*/static/*.js")])
SCRIPTS = [path for path in SCRIPTS if path.name != "editor.js"]  # bundled from editor/source
MESSAGES = sorted(ROOT.glob("src/plainmark/study/messages/en.toml"))


def private_terms(text):
    return [match[0] for match in PRIVATE.finditer(text)]


def docstrings(code):
    """The docstrings of a module and of all its classes, methods and functions."""
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    nodes = (node for node in ast.walk(ast.parse(code)) if isinstance(node, documented))
    return [text for node in nodes if (text := ast.get_docstring(node))]


def comments(code):
    """The comments of a Python module; adjacent lines are one text."""
    last, lines = 0, []
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.COMMENT:
            if lines and token.start[0] > last + 1:
                yield "\n".join(lines)
                lines = []
            last = token.start[0]
            lines.append(token.string.lstrip("#: "))
    yield "\n".join(lines)


def compiled_comments(code):
    """The comments of a C++ file."""
    return re.findall(r"//(.*)", code)


def messages(code):
    """The sentences and phrases among the strings of a Python module; values that are put in become "0"."""
    tree = ast.parse(code)
    own = {id(n.body[0].value) for n in ast.walk(tree) if _has_docstring(n)}
    inside = {id(part) for n in ast.walk(tree) if isinstance(n, ast.JoinedStr) for part in n.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "0" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in own | inside:
            text = node.value
        else:
            continue
        if " " in text and re.search(r"[.;:?!()](?:\s|$)", text):
            yield text


def _has_docstring(node):
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    return isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None


def page_texts(html):
    """What a template shows: its text, and attributes that are read out or shown."""
    html = re.sub(r"\{#.*?#\}", "", html, flags=re.DOTALL)
    yield re.sub(r"<[^>]+>", "", html)
    yield from re.findall(r'(?:aria-label|title|placeholder|alt)="([^"]+)"', html)


def script_texts(code):
    """The strings of a script that have a space."""
    return [text for text in re.findall(r"[\"`]([^\"`\n]*)[\"`]", code) if " " in text]


def terms_by_file(paths, texts):
    return {
        str(path.relative_to(ROOT)): terms
        for path in paths
        if (terms := [term for text in texts(path.read_text("utf-8")) for term in private_terms(text)])
    }


def site_parts():
    """The pages of each part of the site, by its caption in docs/index.md."""
    index = (ROOT / "docs" / "index.md").read_text("utf-8")
    parts = {
        caption: [ROOT / "docs" / f"{name}.md" for name in names.split()]
        for caption, names in re.findall(r"^:caption: ([^\n]*)\n\n(.*?)^```", index, re.DOTALL | re.MULTILINE)
    }
    parts["Reference"] = [*parts["Reference"], *sorted(ROOT.glob("docs/metrics-*.md"))]
    return {"Start page": [ROOT / "docs" / "index.md"], **parts}


def grades(paths):
    """The school grade of each page, as `plainmark check` measures it."""
    from plainmark.cli import main

    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        main(["check", *map(str, paths), "--format", "json", "--fail-on", "never"])
    return [page["measures"]["grade"] for page in json.loads(out.getvalue())]


def rows():
    """For each kind of text: how many files, words, median and highest grade, and private terms."""
    pages = {
        "README.md": [ROOT / "README.md"],
        "CONTRIBUTING.md": [ROOT / "CONTRIBUTING.md"],
        "CHANGELOG.md": [ROOT / "CHANGELOG.md"],
        **{f"site: {caption}": paths for caption, paths in site_parts().items()},
    }
    for name, paths in pages.items():
        texts = [p.read_text("utf-8") for p in paths if p.name != TABLE_OF_TERMS]
        found = sum(len(private_terms(text)) for text in texts)
        measured = grades(paths)
        yield name, len(paths), texts, f"{statistics.median(measured):.1f}", f"{max(measured):.1f}", found
    for name, paths, texts_of in (
        ("messages", PACKAGE, messages),
        ("web pages", TEMPLATES, page_texts),
        ("scripts of web pages", SCRIPTS, script_texts),
        ("messages of studies", MESSAGES, lambda text: [text]),
        ("docstrings and help texts", MODULES, docstrings),
        ("comments", MODULES, comments),
        ("comments of compiled code", COMPILED, compiled_comments),
    ):
        texts = [text for path in paths for text in texts_of(path.read_text("utf-8"))]
        yield name, len(paths), texts, "–", "–", sum(len(private_terms(text)) for text in texts)


def table():
    """The rows as a Markdown table."""
    lines = [
        "| text | files | words | median grade | highest grade | private terms |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, files, texts, median, highest, terms in rows():
        words = sum(len(text.split()) for text in texts)
        lines.append(f"| {name} | {files} | {words:,} | {median} | {highest} | {terms} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.stdout.write(table() + "\n")
