// Labelled texts (labelled_text.h) as training, validation and test set.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lessons/material/read/labelled_text.h"

namespace heed::course {

struct LabelledSets {
    std::string train_path, test_path;  // equal if there is one file only
    std::vector<LabelledText> train, valid, test;
};

// `path` is a file of lines, of which a tenth becomes the test set, or a folder with the two files of
// the TREC questions, train_5500.label and TREC_10.label. A tenth of the training file becomes the
// validation set. Every label of the validation and test set occurs in the training set. Throws
// InputError for malformed files, for fewer than 20 lines, and when there are not two labels that occur
// five times.
LabelledSets read_labelled_sets(const std::string& path, std::uint64_t seed);

}  // namespace heed::course
