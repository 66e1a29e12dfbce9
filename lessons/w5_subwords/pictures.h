// The tables and figures of a run.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "lessons/course/course.h"
#include "lessons/w5_subwords/data.h"
#include "lessons/w5_subwords/experiment.h"

namespace heed::workshop5 {

// Random batches, bucketing and sorting, as a table and a figure, with claims. Returns the cost of
// random batches of 32.
BatchCost show_batch_costs(course::AtCall lesson, const std::vector<int>& lengths);

// The share of unknown words and characters by the size of the training text. Returns the share of words
// for a vocabulary from 100 sentences, by language.
std::map<std::string, double> show_unknown(course::AtCall lesson,
                                           const std::vector<Language>& languages);

// The merges of the example in the text, and some words spelled with them.
void show_few_merges(course::AtCall lesson, const std::vector<Merge>& merges,
                     const std::function<Pieces(const std::string&)>& spell);

// The first and last merges of a language, and how some words are spelled with them.
void show_merges(course::AtCall lesson, const Language& language, const std::vector<Merge>& merges,
                 const std::function<Pieces(const std::string&)>& spell);

// Words, characters, bytes, and bytes with merges: how many tokens a test sentence has, and how many of
// them are unknown. `plot` has the tokens by the number of merges, `learned` says how many merges there were
// to learn. With two languages also claims.
void show_languages(course::AtCall lesson, const std::vector<Language>& languages,
                    const course::LinePlot& plot, const std::map<std::string, int64_t>& learned,
                    course::Prediction guess);

}  // namespace heed::workshop5
