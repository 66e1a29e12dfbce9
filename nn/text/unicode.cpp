#include "nn/text/unicode.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "nn/text/unicode_tables.h"

namespace heed::unicode {
namespace {

constexpr char32_t points = 0x110000;

std::vector<std::uint16_t> table_of_classes() {
    std::vector<std::uint16_t> table(points);
    const auto mark = [&](const auto& ranges, Class one) {
        for (const Range& r : ranges)
            for (char32_t c = r.first; c <= r.last; ++c) table[c] |= one;
    };
    mark(letters, letter);
    mark(numbers, number);
    mark(digits, digit);
    mark(spaces, space);
    mark(punctuation_marks, punctuation);
    mark(removed_characters, removed);
    mark(cleaned_spaces, cleaned_space);
    mark(ideographs, ideograph);
    mark(accents, accent);
    return table;
}

// The row of a sorted table that begins with the code point; null if there is none.
template <class Row, std::size_t count>
const Row* row_of(const Row (&table)[count], char32_t point) {
    const Row* found = std::lower_bound(std::begin(table), std::end(table), point,
                                        [](const Row& row, char32_t c) { return row[0] < c; });
    return found != std::end(table) && (*found)[0] == point ? found : nullptr;
}

// Appends what the table has for a code point, up to the first 0; or the code point itself.
template <class Table>
void append(std::u32string& text, const Table& table, char32_t point) {
    const auto* row = point < 128 ? nullptr : row_of(table, point);
    if (!row) {
        text += point;
        return;
    }
    for (std::size_t i = 1; i < std::size(*row) && (*row)[i]; ++i) text += (*row)[i];
}

// 0: not a mark that moves.
int combining_class(char32_t point) {
    const ClassRange* after =
        std::upper_bound(std::begin(combining), std::end(combining), point,
                         [](char32_t c, const ClassRange& r) { return c < r.first; });
    if (after == std::begin(combining) || point > after[-1].last) return 0;
    return after[-1].value;
}

// Hangul syllables are computed and not in the table (Unicode Standard, section 3.12): a consonant, a
// vowel, and perhaps a consonant below.
constexpr char32_t first_syllable = 0xAC00, last_syllable = 0xD7A3;
constexpr int vowels = 21, below = 28;

void append_syllable(std::u32string& text, char32_t point) {
    const char32_t index = point - first_syllable;
    text += 0x1100 + index / (vowels * below);
    text += 0x1161 + index / below % vowels;
    if (index % below) text += 0x11A7 + index % below;
}

}  // namespace

std::uint16_t classes(char32_t point) {
    static const std::vector<std::uint16_t> table = table_of_classes();
    return point < points ? table[point] : 0;
}

std::u32string decomposed(std::u32string_view text) {
    std::u32string result;
    for (const char32_t c : text)
        if (c >= first_syllable && c <= last_syllable)
            append_syllable(result, c);
        else
            append(result, decompositions, c);

    // Marks behind a letter are sorted by their classes; those of one class keep their order.
    for (auto begin = result.begin(); begin != result.end();) {
        begin = std::find_if(begin, result.end(),
                             [](char32_t c) { return c >= 0x300 && combining_class(c) > 0; });
        const auto end =
            std::find_if(begin, result.end(), [](char32_t c) { return combining_class(c) == 0; });
        std::stable_sort(begin, end, [](char32_t a, char32_t b) {
            return combining_class(a) < combining_class(b);
        });
        begin = end;
    }
    return result;
}

std::u32string lower_case(std::u32string_view text) {
    std::u32string result;
    for (const char32_t c : text)
        if (c >= U'A' && c <= U'Z')
            result += c + (U'a' - U'A');
        else
            append(result, small_letters, c);
    return result;
}

}  // namespace heed::unicode
