// Lines of text with labels, in the format of the TREC question classes (Li and Roth 2002):
//
//     NUM:dist How far is it from Denver to Aspen ?
//
// a coarse class in capital letters, a colon, a finer class, a blank, and the text as words
// separated by blanks. A file that is not valid UTF-8 is read as Latin-1, the encoding of the
// published files.
#pragma once

#include <string>
#include <vector>

namespace heed::course {

struct LabelledText {
    std::string label, detail;  // NUM, dist
    std::vector<std::string> words;
};

// Throws InputError, with file and line, for malformed lines. Empty lines are allowed at the end
// only.
std::vector<LabelledText> read_labelled(const std::string& path);

}  // namespace heed::course
