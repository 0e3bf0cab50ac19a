"""Small studies for the tests, and people who walk through them."""

import json

import yaml

from plainmark.study import load

MCQ = {
    "id": "q1",
    "type": "mcq",
    "text_field": "question",
    "options_field": "options",
    "key": "A",
    "unanswerable": "The text does not say.",
}


def definition(**changes):
    """A definition with three pages; keys are replaced by `changes`."""
    made = {
        "id": "tiny",
        "title": "A tiny study",
        "items": "items.jsonl",
        "conditions": ["plain", "hard", "odd"],
        "design": {"per_participant": 3, "seed": 1},
        "pages": [
            {"kind": "consent", "text": "May we?"},
            {"kind": "block", "show": "text", "questions": [MCQ]},
            {
                "kind": "survey",
                "questions": [{"id": "age", "type": "count", "text": "How old are you?", "high": 120}],
            },
        ],
        "recruit": {"codes": {"complete": "C1", "full": "F1"}},
        "lease": 10,
    }
    made.update(changes)
    return {k: v for k, v in made.items() if v is not None}


def items(count=6, conditions=("plain", "hard", "odd")):
    return [
        {
            "id": f"i{k}",
            "source": f"Source number {k} is long.",
            "texts": {c: f"Text {k}, the {c} one." for c in conditions},
            "question": f"What is {k}?",
            "options": [f"right {k}", f"near {k}", f"far {k}"],
        }
        for k in range(count)
    ]


def write(folder, made=None, rows=None):
    """A study's folder, read and checked."""
    folder.mkdir(exist_ok=True, parents=True)
    (folder / "study.yaml").write_text(
        yaml.safe_dump(made or definition(), sort_keys=False, allow_unicode=True)
    )
    (folder / "items.jsonl").write_text(
        "".join(json.dumps(r) + "\n" for r in (items() if rows is None else rows))
    )
    return load(folder)


def fill(page, pick=None):
    """A form for a page: what `pick` says of a question, or its first choice."""
    form = {}
    for asked in page.questions:
        value = pick(asked) if pick else None
        if asked.type == "multiselect":
            form[f"{asked.name}.{value or asked.choices[0].value}"] = "1"
        elif asked.type == "spans" and not str(value).startswith("["):
            form[f"{asked.name}.nothing"] = "yes"
        elif value is not None:
            form[asked.name] = value
        elif asked.choices:
            form[asked.name] = asked.choices[0].value
        else:
            form[asked.name] = {"count": "1", "slider": "50"}.get(asked.type, "Something in other words.")
    return form


def stored(asked, letter):
    """The form value that stands for a stored answer."""
    return next(c.value for c in asked.choices if c.stored == letter)


def walk(store, external, now=0.0, pick=None, stop_after=None, step=5.0):
    """A person goes through the study; the end, or None if they leave after so many pages."""
    session = store.enrol(external, now)
    if session.outcome:
        return store.finished(session.outcome)
    count = 0
    while True:
        now += step
        page = store.next_page(session.token, now)
        if not hasattr(page, "token"):
            return page
        if stop_after is not None and count >= stop_after:
            return None
        now += step
        done = store.submit(session.token, page.token, fill(page, pick), now)
        assert done.status == "stored", done
        count += 1
