#!/usr/bin/env python3
"""Writes nn/text/unicode_tables.h: what the package `tokenizers` knows about each code point.

    python3 tests/parity/unicode_tables.py > nn/text/unicode_tables.h

Published models were trained on the tokens of this package. Its parts know different versions of
Unicode, so the tables are asked of it and not of Unicode's own files.
"""
from tokenizers import Regex, normalizers, pre_tokenizers

points = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]


def ranges(values):
    """Sorted [first, last, value] of neighbours with the same value, which is not 0."""
    result = []
    for c in points:
        value = values(c)
        if result and result[-1][1] == c - 1 and result[-1][2] == value:
            result[-1][1] = c
        elif value:
            result.append([c, c, value])
    return result


def matches(pattern):
    split = pre_tokenizers.Split(Regex(pattern), "isolated")
    return lambda c: c > 1 and len(split.pre_tokenize_str("\x01" + chr(c) + "\x01")) > 1


def bert(**on):
    options = {"clean_text": False, "handle_chinese_chars": False, "strip_accents": False,
               "lowercase": False}
    return normalizers.BertNormalizer(**{**options, **on}).normalize_str


nfd, strip, clean = normalizers.NFD().normalize_str, bert(strip_accents=True), bert(clean_text=True)
lower = bert(lowercase=True)
bert_pieces = pre_tokenizers.BertPreTokenizer().pre_tokenize_str


def hangul(c):  # is computed
    return 0xAC00 <= c <= 0xD7A3


# The combining class of a mark is smaller than that of another one if the two are put in order. U+0345
# has the largest class there is, 240.
def swaps(a, b):
    return nfd(a + b) == b + a


marks = [c for c in points if nfd(chr(c)) == chr(c) and
         (c == 0x345 or swaps("\u0345", chr(c)) or swaps(chr(c), "\u0301"))]
one_of_each = []  # a mark of each class, sorted
for c in marks:
    if not any(not swaps(chr(c), r) and not swaps(r, chr(c)) for r in one_of_each):
        one_of_each.append(chr(c))
classes = {c: 1 + sum(swaps(chr(c), r) for r in one_of_each) for c in marks}


def row_of(numbers):
    return "{" + ", ".join(f"0x{n:x}" if n > 9 else str(n) for n in numbers) + "}"


def print_rows(comment, declaration, rows):
    print(f"\n// {comment}\n{declaration}{{")
    line = "   "
    for row in rows:
        if len(line) + len(row) + 2 > 100:
            print(line)
            line = "   "
        line += " " + row + ","
    print(line + "\n};")


def print_ranges(comment, name, values):
    print_rows(comment, f"inline constexpr Range {name}[]",
               [row_of(r[:2]) for r in ranges(lambda c: bool(values(c)))])


def print_map(comment, name, values, width):
    rows = [row_of([c] + [ord(x) for x in values(chr(c))]) for c in points if c >= 128 and
            not hangul(c) and values(chr(c)) != chr(c)]
    print_rows(comment, f"inline constexpr char32_t {name}[][{width}]", rows)


print("""\
// Tables of Unicode for unicode.cpp, written by tests/parity/unicode_tables.py. They are what the package
// `tokenizers` knows about each code point.
#pragma once

// clang-format off
namespace heed::unicode {

struct Range {
    char32_t first = 0, last = 0;
};
struct ClassRange {
    char32_t first = 0, last = 0;
    unsigned char value = 0;
};""")
print_ranges("Letters, \\p{L}.", "letters", matches(r"\p{L}"))
print_ranges("Numbers, \\p{N}.", "numbers", matches(r"\p{N}"))
print_ranges("Numbers where each digit is a token of its own.", "digits",
             lambda c: len(pre_tokenizers.Digits(True).pre_tokenize_str("a" + chr(c) + "a")) > 1)
print_ranges("White space, \\s.", "spaces", matches(r"\s"))
print_ranges("Punctuation for BERT.", "punctuation_marks",
             lambda c: len(bert_pieces("a" + chr(c) + "a")) == 3)
print_ranges("What BERT removes: control characters.", "removed_characters", lambda c: clean(chr(c)) == "")
print_ranges("What BERT reads as a space.", "cleaned_spaces", lambda c: clean(chr(c)) == " ")
print_ranges("Characters that are words for BERT: Chinese ones.", "ideographs",
             lambda c: len(bert(handle_chinese_chars=True)(chr(c))) == 3)
print_ranges("Accents.", "accents",
             lambda c: nfd(chr(c)) == chr(c) and strip(chr(c)) == "")
print_rows("Marks and the order in which they stand behind a letter: of combining classes, the smallest first.",
           "inline constexpr ClassRange combining[]",
           [row_of(r) for r in ranges(lambda c: classes.get(c, 0))])
print_map("A code point, and the letter and the marks that it is made of, by canonical decomposition.",
          "decompositions", nfd, 5)
print_map("A code point, and the small letter of it.", "small_letters", lower, 4)
print("\n}  // namespace heed::unicode\n// clang-format on")
