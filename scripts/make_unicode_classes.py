"""Writes native/text/unicode_classes.hpp: the code points of \\p{P}, \\p{S} and \\p{N} as the `regex` package has them.

The international tokeniser of sacreBLEU is written with these three classes. Run with `regex` installed:
    python scripts/make_unicode_classes.py > native/text/unicode_classes.hpp
"""

import sys

import regex


def ranges(pattern):
    """Inclusive ranges of the code points that match a class."""
    start = previous = None
    for match in regex.finditer(pattern, "".join(map(chr, range(sys.maxunicode + 1)))):
        point = ord(match.group())
        if previous is not None and point == previous + 1:
            previous = point
            continue
        if start is not None:
            yield start, previous
        start = previous = point
    yield start, previous


print("// Made by scripts/make_unicode_classes.py; do not edit.")
print("#pragma once\n\n#include <cstdint>\n\nnamespace plainmark {\n")
print("struct CodeRange {\n  uint32_t first, last;\n};\n")
for name, pattern in (("kPunctuation", r"\p{P}"), ("kSymbols", r"\p{S}"), ("kNumbers", r"\p{N}")):
    rows = [f"{{0x{a:X}, 0x{b:X}}}" for a, b in ranges(pattern)]
    print(f"inline constexpr CodeRange {name}[] = {{")
    for i in range(0, len(rows), 6):
        print("    " + ", ".join(rows[i : i + 6]) + ",")
    print("};")
print("\n}  // namespace plainmark")
