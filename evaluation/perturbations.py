"""Tests whether the perturbed texts are acceptable: sheets of instances to judge, and the error rates of judged ones.

    PLAINMARK_DATA=PATH/TO/data python -m evaluation.perturbations --sheets FOLDER
    PLAINMARK_DATA=PATH/TO/data python -m evaluation.perturbations --merge FOLDER
    python -m evaluation.perturbations

The first writes a sheet for each perturbation without verdicts (NAME.tsv): 100 changes at full strength from texts that
were not judged before, in random order, with an empty column for the verdict. Its key, which has no text, is
tests/golden/perturbation_sheets.json. The second adds the verdicts of the files NAME.judged.tsv or NAME.JUDGE.judged.tsv
in FOLDER to the key, by id. The third prints the error rates of the key, and those of the first round,
tests/golden/perturbation_judgements.json, where an instance is a document (of PLABA unless the name says another data set),
a place in its candidate, a digest of what was inserted, and what is wrong with it, or nothing. Perturbations were developed
on the parts 0 and 1 of PLABA; what is judged is in part 2 or in other data sets.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from itertools import chain, islice, zip_longest
from pathlib import Path

import plainmark as pm
from plainmark import testbed
from plainmark.errors import InputError
from plainmark.perturbations import (
    FACTS,
    Edit,
    EditPerturbation,
    Perturbation,
    Replacement,
    TextDocument,
    generator,
    perturbation,
    sentence_spans,
    shuffled,
)

from .intervals import wilson

GOLDEN = Path(__file__).parents[1] / "tests" / "golden"
JUDGEMENTS = GOLDEN / "perturbation_judgements.json"
SHEETS = GOLDEN / "perturbation_sheets.json"
PARTS = 3
PER_DOCUMENT = 2
SEED = 1
COUNT = 100
# The number of instances by data set; missing ones are replaced with instances of the others.
SHARES = {"plaba": 50, "cochrane_pairs": 30, "onestop_reading": 20}
SIMPLER = {"plaba": 30, "onestop_reading": 35, "asset": 35}
VERDICTS = ("ok", "wrong", "unsure")
COLUMNS = ("id", "before", "after", "verdict", "reason")

# The question for judges, by the name of the sheet.
QUESTIONS = {
    "delete": "One sentence is deleted. Wrong if more or less than a whole sentence is gone, or if what is left is broken.",
    "add_out_of_domain": "A sentence of another field is added. Wrong if it is no whole sentence or might belong to this text.",
    "add_in_domain": "A sentence of another text of the same field is added. Wrong if it is no whole sentence, or says what this"
    " text says anyway.",
    "add_definitions": "A definition of a term is added after the sentence that mentions it. Wrong if the definition is of another"
    " sense, is false or not grammatical, or explains a word that every adult knows.",
    "simplify": "A sentence becomes a simpler version of it (or several sentences do). Wrong if the new text is not grammatical, is"
    " no simpler, or says something else; leaving out details is allowed.",
    "reorder": "Sentences change places; the marked one was moved. Wrong if it, or a neighbour, is no longer a whole sentence.",
    "numbers": "A figure becomes another. Wrong if the new one is impossible there (a p-value of 4, 130 %, an interval with its ends"
    " exchanged), or if it was no figure but part of a name, formula, reference or date.",
    "entities": "A term or name becomes another one of the same type (person, place, organisation, drug, disease, gene, quantity"
    " ...). Wrong if the type differs, the sentence is no longer grammatical, or makes no sense. It need not be true.",
    "verb_synonyms": "A verb becomes a synonym in the same form. Wrong if the meaning of the sentence changes, the verb does not fit"
    " its construction, or the sentence is not grammatical.",
    "verb_antonyms": "A verb becomes its opposite in the same form. Wrong if the new verb is no opposite in this sense, does not"
    " fit its construction, or the sentence is not grammatical or makes no sense. It need not be true.",
    "negate": "The main statement of the sentence is denied. Wrong if the sentence is not grammatical, or something else than its"
    " main statement is denied. It need not be true.",
    "add_clause": "A clause that the text does not support is added to a sentence. Wrong if the sentence is not grammatical or makes"
    " no sense with it. It need not be true.",
    "omit_clause": "A clause or a remark in brackets is left out. Wrong if what is left is not grammatical or says something else"
    " than before; saying less is the aim.",
    "wrong_pronoun": "A pronoun becomes one of another person or sex. Wrong if the sentence is not grammatical, or if the new pronoun"
    " could just as well be right.",
    "split_sentences": "One sentence becomes two. Wrong if one of them is no whole sentence, or the meaning changes.",
    "injected_fact": "Something false is put into the text: another figure, unit, name, term or role, a denial more or less, the"
    " opposite direction, a stronger or weaker claim, an added reason, event or number. The text before the change is true. Wrong"
    " if the new text is not grammatical or makes no sense, or if it does not contradict the old one and adds nothing to it.",
}
INSTRUCTIONS = """\
Please judge the sheets beside this file, one for each kind of change. A row is one change of a text: `before` and `after`, with
the changed words in ⟦brackets⟧ and a sentence of context on each side; nothing stands in the brackets where something was added
or deleted. Texts are abstracts of medicine, newspaper paragraphs and encyclopedia sentences; `before` is as published, and its own
mistakes do not count.

Fill in the column `verdict` with one of
  ok      a careful editor would say that the change is what the sheet's first line describes
  wrong   the first line says what is wrong for this sheet
  unsure  if you cannot tell, even with effort
and the column `reason` with a few words for each `wrong` or `unsure`. Be strict: judge grammar, sense and kind of change, and
judge each row by itself. Please do not look at the program that made the changes, or at anybody else's verdicts.

Save the filled-in sheet as NAME.JUDGE.judged.tsv (numbers.second.judged.tsv) in the same folder: tab-separated, the same ids; the
columns `before` and `after` may be left out.
"""


@dataclass(frozen=True)
class Instance:
    """A change of a text: its replacements in the unperturbed text, and the surrounding text before and after."""

    data: str
    document: str
    pieces: Edit
    before: str
    after: str

    @property
    def place(self) -> tuple[str, int, str]:
        """The document, the start of the change, and a digest of the inserted text."""
        return places(self.document, self.pieces[:1])[0]


@dataclass
class Row:
    """A row of the key: an instance without its text, and the error that each judge found ("" if none)."""

    id: str
    data: str
    document: str
    start: int
    digest: str
    verdicts: dict[str, str] = field(default_factory=dict)


def places(document: str, pieces: Edit) -> list[tuple[str, int, str]]:
    """Document, start and a short hash of the inserted text, for each replacement."""
    return [(document, piece.start, sha256(piece.new.encode()).hexdigest()[:8]) for piece in pieces]


def part(document: str) -> int:
    """The part of the data that contains a document, by the hash of its id."""
    return int(sha256(document.encode()).hexdigest(), 16) % PARTS


@cache
def documents(data: str = "plaba") -> list[TextDocument]:
    """Candidates: oracle extracts of PLABA's abstracts, the sources of other data sets."""
    candidate: testbed.Candidate = "oracle" if data == "plaba" else "source"
    return testbed.from_dataset(pm.dataset(data), candidate=candidate).simplifying().documents


def judged_part(key: str) -> tuple[str, str]:
    """Perturbation and data set of a key of the first judgements: "simplify (onestop_reading)"."""
    name, _, data = key.rstrip(")").partition(" (")
    return name, data or "plaba"


def judgements() -> dict[str, list[list[object]]]:
    """The judgements of the first round."""
    rows: dict[str, list[list[object]]] = json.loads(JUDGEMENTS.read_text("utf-8"))
    return rows


def read_key() -> dict[str, list[Row]]:
    """The key of the sheets, with the verdicts that were merged into it."""
    return {name: [Row(*row) for row in rows] for name, rows in json.loads(SHEETS.read_text("utf-8")).items()}


def write_key(key: Mapping[str, list[Row]]) -> None:
    """Write the key, one row per line."""
    sheets = []
    for name, rows in key.items():
        lines = [json.dumps(list(vars(row).values()), ensure_ascii=False) for row in rows]
        sheets.append(f'"{name}": [\n' + ",\n".join(lines) + "\n]")
    SHEETS.write_text("{\n" + ",\n".join(sheets) + "\n}\n", "utf-8")


def sample(name: str, count: int = COUNT) -> list[Instance]:
    """Instances of a perturbation from texts that were not judged in the first round, in random order."""
    shares = SIMPLER if name == "simplify" else SHARES
    streams = {data: unseen(name, data) for data in shares}
    rows = [row for data, share in shares.items() for row in islice(streams[data], share)]
    rest = (row for turn in zip_longest(*streams.values()) for row in turn if row)
    rows += islice(rest, count - len(rows))
    return [rows[i] for i in shuffled(len(rows), generator(SEED, "sheet", name))]


def unseen(name: str, data: str) -> Iterator[Instance]:
    """A few instances of each document that was not judged before, in random order.

    Simpler versions of PLABA's part 2 were all judged; those of the other parts were not used to make rules either.
    """
    specs = [spec for spec in FACTS if spec.startswith(name)] if name == "injected_fact" else [name]
    rows = {key: rows for key, rows in judgements().items() if judged_part(key) == (name, data)}
    judged = {row[0] for row in chain.from_iterable(rows.values())}
    texts = [d for d in documents(data) if d.id not in judged]
    if data == "plaba" and name != "simplify":
        texts = [d for d in texts if part(d.id) == PARTS - 1]
    for turn, i in enumerate(shuffled(len(texts), generator(SEED, "blind", name))):
        # Kinds of errors alternate, so that each has its share.
        kinds = specs[turn % len(specs) :] + specs[: turn % len(specs)]
        every = next(filter(None, (of_document(perturbation(s), texts[i], data) for s in kinds)), [])
        order = shuffled(len(every), generator(SEED, "blind", texts[i].id))
        yield from (every[k] for k in order[: PER_DOCUMENT if len(specs) == 1 else 1])


def of_document(p: Perturbation, document: TextDocument, data: str = "plaba") -> list[Instance]:
    """All instances of a perturbation in a document, at full strength."""
    rng = generator(SEED, p, document.id)
    if isinstance(p, EditPerturbation):
        plan = p.plan(document, rng)
        return [_edited(data, document, edit) for edit in plan.edits[: plan.units]]
    perturbed = p.apply(document, 1.0, rng)  # sentences that moved
    now = sentence_spans(perturbed.text)
    out = []
    for span in perturbed.spans:
        old, new = (span.was_start, span.was_end), (span.start, span.end)
        moved = Replacement(*old, perturbed.text[slice(*new)])
        before = _marked(document.text, [(*old, document.text[slice(*old)])], document.sentences)
        after = _marked(perturbed.text, [(*new, moved.new)], now)
        out.append(Instance(data, document.id, (moved,), before, after))
    return out


def _edited(data: str, document: TextDocument, edit: Edit) -> Instance:
    pieces = tuple(sorted(edit))
    unchanged = [(a, b, document.text[a:b]) for a, b, _ in pieces]
    before = _marked(document.text, unchanged, document.sentences)
    return Instance(
        data, document.id, pieces, before, _marked(document.text, list(pieces), document.sentences)
    )


def _marked(text: str, pieces: list[tuple[int, int, str]], sentences: list[tuple[int, int]]) -> str:
    """The changed sentences and their neighbours on one line, with the replacements in brackets."""
    first, last = pieces[0][0], pieces[-1][1]
    touched = [i for i, (a, b) in enumerate(sentences) if a <= last and first <= b]
    if touched:
        window = sentences[max(touched[0] - 1, 0)][0], sentences[min(touched[-1] + 1, len(sentences) - 1)][1]
        first, last = min(first, window[0]), max(last, window[1])
    out, position = "", first
    for start, end, new in pieces:
        bare = new.strip()
        gap = new[: len(new) - len(new.lstrip())], new[len(new.rstrip()) :] if bare else ""
        out += f"{text[position:start]}{gap[0]}⟦{bare}⟧{gap[1]}"
        position = end
    return re.sub(r"\s+", " ", out + text[position:last]).strip()


def write_sheets(folder: Path) -> None:
    """Write instructions, a sheet for each perturbation without verdicts, and the key; rows with verdicts stay in it."""
    key = read_key() if SHEETS.exists() else {}
    names = [name for name in QUESTIONS if not any(row.verdicts for row in key.get(name, ()))]
    if not names:
        raise InputError(f"{SHEETS.name}: has verdicts for every perturbation; QUESTIONS has no other one.")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "INSTRUCTIONS.txt").write_text(INSTRUCTIONS, "utf-8")
    for name in names:
        lines, key[name] = [f"# {QUESTIONS[name]}", "\t".join(COLUMNS)], []
        for number, instance in enumerate(sample(name), 1):
            row = Row(f"{name}-{number:03}", instance.data, *instance.place)
            key[name].append(row)
            lines.append("\t".join([row.id, instance.before, instance.after, "", ""]))
        (folder / f"{name}.tsv").write_text("\n".join(lines) + "\n", "utf-8")
        print(f"{name}: {len(key[name])} instances", flush=True)
    write_key(key)


def read_verdicts(path: Path) -> dict[str, str]:
    """The error by id ("" if none) in a judged sheet; rows without a verdict are left out."""
    lines = [
        (n, line.split("\t"))
        for n, line in enumerate(path.read_text("utf-8-sig").splitlines(), 1)
        if line.strip() and not line.startswith("#")
    ]
    columns = [cell.strip().lower() for cell in lines[0][1]] if lines else []
    if not {"id", "verdict"} <= set(columns):
        raise InputError(f"{path.name}: expected a first row with the columns id and verdict.")
    verdicts: dict[str, str] = {}
    for number, cells in lines[1:]:
        row = dict(zip(columns, (cell.strip() for cell in cells), strict=False))
        verdict = row.get("verdict", "").lower()
        if not verdict:
            continue
        if verdict not in VERDICTS:
            raise InputError(
                f"{path.name}, line {number}: verdict {verdict!r}, expected {', '.join(VERDICTS)}."
            )
        if row["id"] in verdicts:
            raise InputError(f"{path.name}, line {number}: {row['id']} has a verdict already.")
        verdicts[row["id"]] = "" if verdict == "ok" else f"{verdict}: {row.get('reason', '') or 'no reason'}"
    return verdicts


def merge(folder: Path, key: dict[str, list[Row]]) -> int:
    """Add the verdicts of judged sheets to the key, and return how many there are."""
    by_id = {row.id: row for rows in key.values() for row in rows}
    total = 0
    for path in sorted(folder.glob("*.judged.tsv")):
        judge = path.name.removesuffix(".judged.tsv").partition(".")[2] or "second"
        for number, verdict in read_verdicts(path).items():
            if number not in by_id:
                raise InputError(f"{path.name}: no instance {number!r}; expected ids of the sheets.")
            by_id[number].verdicts[judge] = verdict
            total += 1
    return total


def still_made(name: str, rows: list[Row]) -> list[Row]:
    """The rows of a sheet whose instances the perturbation still produces."""
    specs = [spec for spec in FACTS if spec.startswith(name)] if name == "injected_fact" else [name]
    current = set()
    for data in {row.data for row in rows}:
        judged = {row.document for row in rows if row.data == data}
        for document in (d for d in documents(data) if d.id in judged):
            for spec in specs:
                for instance in of_document(perturbation(spec), document, data):
                    current |= {(data, *place) for place in places(document.id, instance.pieces)}
    return [row for row in rows if (row.data, row.document, row.start, row.digest) in current]


def rates(rows: Mapping[str, list[list[object]]]) -> list[tuple[str, int, int, float, float]]:
    """For each perturbation: the number of judged and of wrong instances, and the 95 % interval of the share."""
    out = []
    for name, judged in rows.items():
        wrong = sum(1 for row in judged if row[3])
        out.append((name, len(judged), wrong, *wilson(wrong, len(judged))))
    return out


def judges(key: Mapping[str, list[Row]]) -> dict[str, dict[str, list[list[object]]]]:
    """The judged rows of each judge by perturbation, for `rates`; unsure counts as wrong."""
    out: dict[str, dict[str, list[list[object]]]] = {}
    for name, rows in key.items():
        for row in rows:
            for judge, verdict in row.verdicts.items():
                out.setdefault(judge, {}).setdefault(name, []).append(
                    [row.document, row.start, row.digest, verdict]
                )
    return out


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m evaluation.perturbations",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--sheets", metavar="FOLDER", type=Path, help="write sheets to judge, and their key")
    parser.add_argument("--merge", metavar="FOLDER", type=Path, help="add the verdicts of judged sheets")
    parser.add_argument("--today", action="store_true", help="also count the instances that are still made")
    options = parser.parse_args(arguments)
    if options.sheets:
        write_sheets(options.sheets)
        return
    key = read_key()
    if options.merge:
        print(f"{merge(options.merge, key)} verdicts")
        write_key(key)
    rounds = {"first round": judgements()} | {f"sheets, {r}": rows for r, rows in judges(key).items()}
    for title, rows in rounds.items():
        print(title)
        for name, judged, wrong, low, high in rates(rows):
            print(f"  {name:26} {wrong} of {judged} wrong, {wrong / judged:.0%} ({low:.0%} to {high:.0%})")
    if options.today:
        print("sheets, of the instances that are made today")
        for name, sheet in key.items():
            left = still_made(name, sheet)
            print(f"  {name:26} {sum(any(row.verdicts.values()) for row in left)} of {len(left)} wrong")


if __name__ == "__main__":
    main(sys.argv[1:])
