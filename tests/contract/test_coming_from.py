"""The page "coming from" names every option of the programs that are installed, and the commands of ours on it exist."""

import argparse
import re
import shlex
import signal

import pytest
from sacrebleu.metrics import BLEU

from conftest import ROOT
from plainmark.cli._main import parser_for, verbs

PAGE = (ROOT / "docs" / "coming-from.md").read_text("utf-8")
TEXT = re.sub(r"^```.*?^```$", "", PAGE, flags=re.DOTALL | re.MULTILINE)
CODE = re.findall(r"`([^`]+)`", TEXT)
SACREBLEU = TEXT.split("## sacreBLEU")[1].split("\n## ")[0]


def sacrebleu_options(monkeypatch):
    """The parser of sacreBLEU's command line, caught where it would read the arguments."""
    before = signal.getsignal(signal.SIGPIPE)
    from sacrebleu import sacrebleu  # from then on, a broken pipe ends the process that imported it

    signal.signal(signal.SIGPIPE, before)
    caught = []

    def parse(parser, *arguments):
        caught.append(parser)
        raise SystemExit

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse)
    with pytest.raises(SystemExit):
        sacrebleu.parse_args()
    return [a.option_strings for a in caught[0]._actions if a.option_strings]


def test_every_option_of_sacrebleu(monkeypatch):
    options = sacrebleu_options(monkeypatch)
    assert len(options) > 30
    words = set(re.findall(r"(?<![\w-])--?[\w-]+", " ".join(re.findall(r"`([^`]+)`", SACREBLEU))))
    assert [o for option in options for o in option if o not in words] == []


def test_every_tokeniser_of_sacrebleu():
    assert [
        name for name in BLEU.TOKENIZERS if not re.search(rf"`(-tok |--tokenize )?{name}`", SACREBLEU)
    ] == []


@pytest.mark.evaluate
def test_every_function_of_evaluate():
    import evaluate

    functions = "load combine evaluator save list_evaluation_modules inspect_evaluation_module push_to_hub"
    functions += " EvaluationSuite enable_progress_bar disable_progress_bar is_progress_bar_enabled"
    for name in functions.split():
        assert hasattr(evaluate, name)
        assert name in TEXT
    module = evaluate.EvaluationModule
    methods = [n for n in vars(module) if not n.startswith("_") and callable(getattr(module, n))]
    assert {"add", "add_batch", "compute"} <= set(methods)
    for name in ("add", "add_batch", "compute"):
        assert f".{name}(" in TEXT


def test_our_commands_on_the_page_can_be_read():
    commands = [c for c in CODE if c.startswith("plainmark ") and c.split()[1] in verbs("")]
    assert len(commands) > 8
    for command in commands:
        _, verb, *words = shlex.split(command)
        if words and verb in ("score", "compare", "report") and words != ["--workers", "N"]:
            parser_for(verb).parse_args(words)
