// The wrong answers that people give to an exercise, each an edit of the solution. wrong.txt beside
// solution.h holds them, with blank lines between; lines that begin with # are comments:
//
//     # The scale keeps the softmax away from its flat ends.
//     no_root: the scores are not divided by the root of the width
//     - return matmul(keys, q) / std::sqrt(static_cast<double>(q.size(0)));
//     + return matmul(keys, q);
//
// An answer begins with its name and the words that the judge must find for it. Then come its edits,
// one or more: lines of the solution (-), and what stands there instead (+; an empty + deletes). The
// old text is found without regard to indentation. Its first line may be the end of a line of the
// solution, its last line the beginning of one, and it occurs there once; if a line occurs several
// times, the line before or after it tells which is meant. Of several edits, each applies to what
// the one before it has left.
#pragma once

#include <string>
#include <vector>

#include "lessons/course/exercise/exercise.h"

namespace heed::course {

struct WrongAnswer {
    std::string name;    // "no_root"
    std::string words;   // "the scores are not divided by the root of the width"
    std::string source;  // the solution with the edits
};

// In the order of the file. Throws InputError "name: line N: message" if the text is malformed or an
// old text does not occur exactly once.
std::vector<WrongAnswer> parse_wrong(const std::string& text, const std::string& name,
                                     const std::string& solution);
std::vector<WrongAnswer> wrong_answers(const Exercise& exercise);

}  // namespace heed::course
