// Writing with a model of characters, and what can be said of the writing.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "attention/transformer/language_model.h"
#include "lessons/20_language_model/characters.h"

namespace heed::lesson20 {

// What a model did while it wrote.
struct Work {
    std::int64_t tokens = 0;           // that went through the layers
    std::int64_t multiplications = 0;  // of numbers, in all products of matrices
    double seconds = 0;
};

// The model with a cache, as the library has it, and without: every step reads all that was written
// so far again. Both count what they do.
Decodable with_cache(const LanguageModel& model, const Indices& prompt, Work& work);
Decodable without_cache(const LanguageModel& model, const Indices& prompt, Work& work);

// `rows` texts of `length` characters that go on from the prompt. When the places run out, the
// model begins anew from the later half of what it can see.
std::vector<std::string> write(const LanguageModel& model, const Characters& text,
                               const std::string& prompt, int rows, int length,
                               const SamplingOptions& sampling, Rng& rng);

// Runs of letters (and of apostrophes, and of whatever is not ASCII) with something else before and
// behind them.
std::vector<std::string> whole_words(const std::string& text);

struct Quality {
    double real = 0;     // share of the words that stand in the training text
    double variety = 0;  // share of different ones among all runs of three words
};
Quality quality_of(const std::vector<std::string>& texts, const std::set<std::string>& known);

}  // namespace heed::lesson20
