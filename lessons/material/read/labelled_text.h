// Lines of text with labels, in the format of the TREC question classes (Li and Roth 2002):
//
//     NUM:dist How far is it from Denver to Aspen ?
//
// a coarse class in capital letters, a colon, a finer class, a blank, and the text as words
// separated by blanks. A file without a single character of UTF-8 beyond ASCII, but with other bytes,
// is read as Latin-1, the encoding of the published files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heed::course {

struct LabelledText {
    std::string label, detail;  // NUM, dist
    std::vector<std::string> words;
};

// Throws InputError, with file and line, for malformed lines and for texts of more than 5,000 words.
// Empty lines are allowed at the end only. parse_labelled() reads bytes in memory, which errors call
// `name`; read_labelled() a file of at most most_text bytes (text_data.h).
std::vector<LabelledText> parse_labelled(std::string_view bytes, const std::string& name);
std::vector<LabelledText> read_labelled(const std::string& path);

}  // namespace heed::course
