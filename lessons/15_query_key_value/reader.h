// The reader of lesson 15: one attention that looks something up, with values of its own or with
// its keys as values.
#pragma once

#include <vector>

#include "attention/scores/soft.h"
#include "lessons/15_query_key_value/lookup.h"
#include "nn/nn.h"

namespace heed::lesson15 {

struct Reader {
    Linear query, key, value, output;  // without value: the keys are the values

    Reader(int64_t width, bool keys_as_values, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("query", query), f("key", key), f("value", value), f("output", output);
    }
    AttentionOutput attend(const Tensor& asking, const Tensor& asked) const;  // [B, Q, D], [B, K, D]
};

// Who is the query: the question, as it should be; or the tokens, the question being the only key
// (the contexts of all tokens are then averaged).
enum class Asking { question, tokens };

// Trains on fresh batches of 64 and returns the share of 2,000 fresh lookups it gets right.
double learn(Reader& reader, Asking asking, int steps, Rng rng);

// The same for readers of several widths, each from several seeds: seed, seed + 1, ...
struct Sweep {
    std::vector<int64_t> widths;
    std::vector<double> parameters;               // of each width
    std::vector<std::vector<double>> accuracies;  // [seeds][widths]
    std::vector<double> of_width(std::size_t i) const;
};
Sweep by_width(bool keys_as_values, const std::vector<int64_t>& widths, int steps, uint64_t seed,
               int seeds);

}  // namespace heed::lesson15
