"""Writes src/plainmark/wordlists/familiar.bin from the list of familiar words that textstat ships.

    python scripts/make_familiar_words.py          (with textstat 0.7.3 installed)

The table holds hashes, not the words.
"""

from importlib.util import find_spec
from pathlib import Path

from plainmark.kernels import WordTable

OUT = Path(__file__).parent.parent / "src" / "plainmark" / "wordlists" / "familiar.bin"

if __name__ == "__main__":
    package = Path(find_spec("textstat").origin).parent
    listed = (package / "resources" / "en" / "easy_words.txt").read_text("utf-8").split()
    made = WordTable.words(listed)
    made.write(OUT)
    print(f"{len(made)} words: {OUT}")
