// Lines of text with a label each, in the format of the TREC question classes (Li and Roth 2002):
//
//     NUM:dist How far is it from Denver to Aspen ?
//
// a coarse class in capital letters, a colon, a finer class, a blank, and the text as words with
// blanks between them. UTF-8; a file that is not is taken for Latin-1, as the published one is.
#pragma once

#include <string>
#include <vector>

namespace heed::course {

struct LabelledText {
    std::string label, detail;  // NUM, dist
    std::vector<std::string> words;
};

// Throws InputError, by file and line, for whatever is malformed. Empty lines are allowed at the
// end only.
std::vector<LabelledText> read_labelled(const std::string& path);

}  // namespace heed::course
