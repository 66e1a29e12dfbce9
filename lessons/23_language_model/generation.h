// Generating text with a character-level model, its cost, and measures of its quality.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "attention/transformer/language_model.h"
#include "lessons/23_language_model/characters.h"

namespace heed::lesson23 {

// The cost of generating text.
struct Cost {
    std::int64_t tokens = 0;           // computed by the layers
    std::int64_t multiplications = 0;  // of two numbers, in all matrix products
    double seconds = 0;
};

// Decoding with the key/value cache of the library, and without a cache, where every step computes
// all tokens so far again. Both add to `cost`.
Decodable with_cache(const LanguageModel& model, const Indices& prompt, Cost& cost);
Decodable without_cache(const LanguageModel& model, const Indices& prompt, Cost& cost);

// Generates `rows` texts of `length` characters that continue the prompt. When the context is full,
// generation continues from the later half of the context.
std::vector<std::string> generate(const LanguageModel& model, const Characters& text,
                                  const std::string& prompt, int rows, int length,
                                  const SamplingOptions& sampling, Rng& rng);

// The words of a text: maximal runs of letters, apostrophes and characters outside ASCII. A word at
// the start or at the end of the text is left out, because it may be incomplete.
std::vector<std::string> whole_words(const std::string& text);

struct Quality {
    double real = 0;     // share of the words that occur in the training text
    double variety = 0;  // number of different runs of three words over the number of all
};
Quality quality_of(const std::vector<std::string>& texts, const std::set<std::string>& known);

}  // namespace heed::lesson23
