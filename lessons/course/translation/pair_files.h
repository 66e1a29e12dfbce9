// The reader's own pairs of sentences, as the lessons that translate take them: the options that go
// with --data, what is read, and how its translations are judged and shown.
//
//     PairFiles files;
//     add_options(lesson, files);                               // --swap, --valid, --test ...
//     ... lesson.run(argc, argv, [&] {
//         check_options(files, lesson);
//         const ParallelText text = read_own_pairs(lesson, files);   // says what was read
//         word_bleu(text, evaluate(model, text, text.test), text.test).score();
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lessons/course/lesson/lesson.h"
#include "lessons/course/translation/translation.h"

namespace heed::course {

struct PairFiles {
    bool swap = false;        // translate from the second column to the first
    std::string valid, test;  // without one of them, a seeded split of --data
    std::string source_level = "auto", target_level = "auto";  // or "word", "char"
};
void add_options(Lesson& lesson, PairFiles& files);
// Throws where one of them is given and --data is not.
void check_options(const PairFiles& files, const Lesson& lesson);

// Reads --data and says how much of it there is, and what the tokens are: where the level is
// "auto", words if at most a tenth of the running ones would be unknown (seen once), else
// characters. Throws InputError, by file and line, for anything malformed.
ParallelText read_own_pairs(Lesson& lesson, const PairFiles& files);

// BLEU by words: characters are scored as the words they make up.
metrics::Bleu word_bleu(const ParallelText& text, const Evaluation& result, const TextPart& part);

// `count` different sentences of a part, as indices, or all if there are fewer.
std::vector<int> drawn_at_random(const TextPart& part, int count, std::uint64_t seed);
// Tokens as a line of text, safe to print.
std::string line_of(const std::vector<std::string>& tokens, TokenLevel level);
// Where a model looked, the source across and what it wrote downwards; a blank reads ␣.
HeatMap alignment_map(const Shown& shown);

// The vocabularies of a text, to be saved with a model that was trained on it; and whether those
// that a file was saved with are the text's: throws, naming the file, if they are not.
std::map<std::string, std::string> vocabularies(const ParallelText& text);
void check_vocabularies(const std::string& path, const ParallelText& text);

}  // namespace heed::course
