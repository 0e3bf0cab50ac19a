"""What may import what: the layers of the architecture, and a light `import plainmark`."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import plainmark

PACKAGE = Path(plainmark.__file__).parent

# From the bottom up. A module imports only what stands before it, in its own layer as well.
LAYERS = {
    "core": """
        errors limits identity options plugins files inputs data reading systems table writing result kernels wordlists punkt
        segmentation treebank syllables languages text trees registry metric
    """,
    "tools": "documents operations wordnet tagger lm models judge asking lexicon aligners document faithfulness ucca",
    "components": "metrics families bundles perturbations datasets",
    "applications": """
        cautions engine scoring adapters evaluate_module distributions resampling significance tracks meta papers testbed simplifier checks explanation schema study
    """,
    "interfaces": "report api web cli",
}
ORDER = [name for names in LAYERS.values() for name in names.split()]
# Corpus.read is a convenience; it imports the reader when it is called.
LATE = {("data", "reading")}
HEAVY = {
    "torch",
    "transformers",
    "onnxruntime",
    "tokenizers",
    "huggingface_hub",
    "spacy",
    "lemminflect",
    "sqlalchemy",
    "starlette",
    "dask",
    "scipy",
    "pandas",
    "altair",
    "alembic",
    "uvicorn",
    "jinja2",
    "pydantic",
    "httpx",
    "yaml",
    "pyarrow",
    "docx",
    "pypdf",
}


def imports(path):
    """Modules of plainmark that a file imports, and whether it does so at the top."""
    tree = ast.parse(path.read_text("utf-8"))
    depth = len(path.relative_to(PACKAGE).parts)
    top = {id(n) for n in tree.body}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == depth:
            names = [node.module.split(".")[0]] if node.module else [a.name for a in node.names]
            yield from ((name, id(node) in top) for name in names)
        elif (
            isinstance(node, ast.ImportFrom)
            and node.level == 0
            and (node.module or "").startswith("plainmark")
        ):
            raise AssertionError(f"{path}: use relative imports inside the package")


FILES = [p for p in PACKAGE.rglob("*.py") if p.parent != PACKAGE or p.stem not in ("__init__", "__main__")]


def test_every_module_has_a_place():
    modules = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in FILES}
    assert modules == set(ORDER)


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_downwards(path):
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    for name, at_top in imports(path):
        if name == own or name.startswith("_") or ((own, name) in LATE and not at_top):
            continue
        assert ORDER.index(name) < ORDER.index(own), f"{own} imports {name}, which stands above it"


def test_heavy_packages_are_never_imported_at_the_top():
    for path in FILES:
        tree = ast.parse(path.read_text("utf-8"))
        # These are nothing without their packages; others import them inside functions only.
        if any(
            part in path.as_posix() for part in ("study/store", "study/definition", "plainmark/schema.py")
        ):
            continue
        if (
            path.relative_to(PACKAGE).parts[0] == "web"
        ):  # all of it is HTTP; whoever uses it imports it inside a function
            continue
        for node in tree.body:
            if "study" in path.parts and isinstance(node, ast.ImportFrom) and node.level:
                assert not (node.module or "").startswith("store"), path
            if isinstance(node, ast.ImportFrom) and node.level > 1:
                assert (node.module or "").split(".")[0] != "web", path
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module]
            assert not HEAVY & {n.split(".")[0] for n in names}, path


def test_every_verb_imports_without_the_extras():
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({sorted(HEAVY)!r})); "
        "from plainmark.cli import _main; "
        "[[_main.verb(f'{v} {w}') for w in _main.verbs(v)] if _main.is_group(v) else v for v in _main.verbs()]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("verb", ["check", "plan", "report", "export"])
def test_studies_without_their_extra_say_what_to_install(verb, tmp_path):
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['pydantic', 'sqlalchemy', 'yaml'])); "
        f"from plainmark.cli import main; sys.exit(main(['study', {verb!r}, {str(tmp_path)!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert "pip install 'plainmark[study]'" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_bare_import_costs_numpy_and_no_more():
    code = (
        "import sys, numpy; before = set(sys.modules); import plainmark; "
        "print(*sorted({m.split('.')[0] for m in set(sys.modules) - before}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    extra = set(done.stdout.split()) - set(sys.stdlib_module_names) - {"plainmark", "numpy"}
    assert not extra
