// Texts as sentences of words: one side of the corpus, or a file of the reader.
#pragma once

#include <string>
#include <vector>

#include "lessons/material/corpora/corpus.h"

namespace heed::course {

using Sentence = std::vector<std::string>;  // its words

struct Texts {
    std::vector<Sentence> train, test;
};

Texts english_of(const Corpus& corpus);
Texts korean_of(const Corpus& corpus);

// Lines of words separated by blanks. Lines without words are left out; every tenth line is a test
// sentence. Throws InputError, with the file, for fewer than 200 lines of words or 2,000 words.
Texts texts_of_file(const std::string& path);

// The sentences as lines of text, for Vocabulary.
std::vector<std::string> lines_of(const std::vector<Sentence>& sentences);

}  // namespace heed::course
