"""Syllables: the dictionary's for its words, a rule for others."""

import re
import sys

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import plainmark as pm
from conftest import SHARED
from plainmark import kernels, syllables, wordlists
from plainmark.errors import MissingResourceError
from plainmark.kernels import WordTable


def test_every_word_of_cmudict(shared):
    first = {}
    path = SHARED / "data" / "nltk_data" / "corpora" / "cmudict" / "cmudict"
    for line in path.read_text("latin-1").splitlines():
        word, _, *sounds = line.split()
        first.setdefault(word.lower(), sum(sound[-1].isdigit() for sound in sounds))
    assert len(first) == 123455
    assert wordlists.are_pronounced(list(first)).all()
    counts = syllables.syllables(list(first))
    wrong = [(w, int(n)) for (w, right), n in zip(first.items(), counts, strict=True) if n != right]
    assert not wrong
    capitals = syllables.syllables([w.upper() for w in first])
    assert (capitals == counts).all()


def test_the_tables_are_small():
    sizes = {p.name: p.stat().st_size for p in wordlists.FOLDER.glob("*.bin")}
    assert sizes.pop("pronounced.bin") == 4 * 123_454  # words of CMUdict, two of which have one hash
    assert set(sizes) == {"syllables.bin", "familiar.bin", "ranks.bin"}
    assert sum(sizes.values()) < 350_000


@pytest.mark.parametrize(
    ("word", "count"),
    [
        ("blurbification", 5),  # no dictionary has it
        ("unputdownable", 5),
        ("café", 2),  # an accent makes the e sound
        ("cafés", 2),
        ("CAFÉ", 2),
        ("cafe\u0301", 2),
        ("résumé", 3),
        ("resume", 2),  # the verb, the first pronunciation in the dictionary
        ("naïve", 2),
        ("fiancée", 3),
        ("Zürich", 2),
        ("church's", 2),  # a possessive after a hiss
        ("cat's", 1),
        ("cat\u2019s", 1),
        ("students'", 2),
        ("long-term", 2),
        ("blurb-like", 2),
        ("bbc", 3),  # no vowel: letter by letter
        ("www", 9),
        ("hmmm", 1),
        ("1998", 1),
        ("1,200.5", 1),
        ("21st", 1),
        ("1990s", 1),
        ("mp3", 3),
        ("h1n1", 4),
        ("u.s.", 2),
        ("u.s", 1),  # the dictionary's U's
        ("привет", 1),  # other scripts: one for a word
        ("مرحبا", 1),
        ("", 0),
        ("--", 1),
    ],
)
def test_hand_counted(word, count):
    assert syllables.syllables([word]).tolist() == [count]


# A slow, obvious version of the rule, on the same table.

ENTRIES = {int(s) >> 8: int(s) & 255 for s in wordlists.table("syllables").slots}


def look_up(text):
    return ENTRIES.get(int(kernels.tokenize([text], "space").hashes[0]) >> 8)


def oracle(word):
    known = look_up(word)
    if known is not None:
        return known
    if len(word) > 2 and word.endswith("'s"):
        stem = word[:-2]
        return oracle(stem) + bool(re.search("(s|x|z|ch|sh|ce|ge|se|ze|che)$", stem))
    if len(word) > 2 and word.endswith("s'"):
        return oracle(word[:-1])
    total = 0
    for part in re.findall(r"[0-9](?:[0-9]|[,.](?=[0-9]))*(?:(?:st|nd|rd|th|s)$)?|[a-z']+", word):
        if part[0].isdigit():
            total += 1
        elif part != word:
            total += oracle(part)
        else:
            total += oracle_letters(part)
    return max(total, 1)


def oracle_letters(part):
    groups = len(re.findall("[aeiouy]+", part))
    if groups == 0:
        letters = part.replace("'", "")
        return len(letters) if len(letters) < 2 else len(letters) + 2 * letters.count("w")
    marked = f"^{part}$"
    pieces = (marked[i : i + n] for i in range(len(marked)) for n in range(1, 8) if i + n <= len(marked))
    return max(1, groups + sum((look_up(f"~{piece}") or 100) - 100 for piece in pieces))


@given(st.text("aeiouybcdlmnrstw'-.,019", min_size=1, max_size=14))
@example("s's")
@example("ases's")
def test_the_kernel_follows_the_rule(word):
    assert syllables.syllables([word])[0] == oracle(word)


WITHOUT_SPACES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=" "))


@given(entries=st.dictionaries(WITHOUT_SPACES, st.integers(0, 255)))
def test_tables_find_what_was_put_in(entries, tmp_path_factory):
    table = WordTable.words(list(entries), np.array(list(entries.values()), dtype=np.uint8))
    path = tmp_path_factory.mktemp("table") / "t.bin"
    table.write(path)
    again = WordTable.read(path)
    assert (again.slots == table.slots).all()
    words = [*entries, "not in it"]
    found = again.holds(hashes(words))
    assert found.tolist() == [int(w in entries) for w in words]


def hashes(words):
    return np.concatenate([kernels.tokenize([w], "space").hashes[:1] for w in words])


def test_without_pyphen_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyphen", None)
    syllables.hyphenation.cache_clear()
    expected = r"pip install 'plainmark\[textstat\]'"
    with pytest.raises(MissingResourceError, match=f"^this needs the package pyphen.*{expected}$"):
        syllables.count_words(["A text."], "textstat")
    metric = pm.metric("fkgl(variant='textstat')")
    with pytest.raises(MissingResourceError, match=f"^fkgl needs the package pyphen.*{expected}$"):
        metric.score(pm.Corpus(None, ["A text."]))
    assert pm.metric("fkgl").missing() == ""
