// Texts in which people marked the words that show the label, in the layout of the film reviews of
// Zaidan, Eisner and Piatko (2007) as columns separated by tabs:
//
//     negR_000    NEG    3-5,9-12    0,8    a plot : dull and slow . it is not a film to see .
//
// a name, the label in capital letters, the marked words, the words at which sentences begin, and
// the words separated by blanks. Words are counted from 0; 3-5 are the words 3 and 4. Nothing needs
// to be marked.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed::course {

struct MarkedText {
    std::string label;
    std::vector<std::string> words;
    std::vector<bool> marked;  // for each word
};

// Throws InputError, with file and line, for malformed lines, for spans that do not rise or end
// beyond the text, for texts of more than 5,000 words, and for files without a text.
// parse_marked() reads bytes in memory, which errors call `name`; read_marked() a file of at most
// most_text bytes (text_data.h).
std::vector<MarkedText> parse_marked(std::string_view bytes, const std::string& name);
std::vector<MarkedText> read_marked(const std::string& path);

struct MarkedSets {
    std::vector<std::string> labels;  // sorted; at least two
    std::vector<MarkedText> train, valid, test;
};

// A folder with train.tsv, val.tsv and test.tsv. Throws as read_marked() does, for a training set
// of fewer than two labels, and for labels in the other sets that it does not have.
MarkedSets read_marked_sets(const std::string& folder);

}  // namespace heed::course
