// Sentence pairs from the reader's files, for the lessons on translation: the options beside
// --data, reading the pairs, and evaluating and showing their translations.
//
//     PairFiles files;
//     add_options(lesson, files);                               // --swap, --valid, --test ...
//     ... lesson.run(argc, argv, [&] {
//         check_options(files, lesson);
//         const ParallelText text = read_own_pairs(lesson, files);   // prints what was read
//         word_bleu(text, evaluate(model, text, text.test), text.test).score();
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lessons/course/lesson/lesson.h"
#include "lessons/material/translation/translation.h"

namespace heed::course {

struct PairFiles {
    bool swap = false;        // translate from the second column to the first
    std::string valid, test;  // without one of them, a random split of --data
    std::string source_level = "auto", target_level = "auto";  // or "word", "char", "piece"
    int pieces = TextFiles{}.pieces;
};
void add_options(Lesson& lesson, PairFiles& files);
// Throws if one of them is given without --data.
void check_options(const PairFiles& files, const Lesson& lesson);

// Reads --data and prints the number of pairs and the kind of tokens. With the level "auto", tokens
// are words if at most a tenth of all words in the text would be unknown (they occur once),
// otherwise characters. Throws InputError, with file and line, for anything malformed.
ParallelText read_own_pairs(Lesson& lesson, const PairFiles& files);

// BLEU of words. Characters and pieces are joined to words first.
metrics::Bleu word_bleu(const ParallelText& text, const Evaluation& result, const TextSet& set);

// The indices of `count` different sentences drawn at random, or all if there are fewer.
std::vector<int> drawn_at_random(const TextSet& set, int count, std::uint64_t seed);
// The tokens as a line of text, safe to print.
std::string line_of(const std::vector<std::string>& tokens, Unit unit);
// The attention weights of one translation: output tokens as rows, source tokens as columns. A
// blank is shown as ␣.
HeatMap alignment_map(const Shown& shown);

// The vocabularies of a text, to be saved with a model. check_vocabularies throws, naming the file,
// if the model in the file was saved with other vocabularies.
std::map<std::string, std::string> vocabularies(const ParallelText& text);
void check_vocabularies(const std::string& path, const ParallelText& text);

}  // namespace heed::course
