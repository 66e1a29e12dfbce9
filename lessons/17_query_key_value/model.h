// The model of lesson {query_key_value}: one attention layer for the lookup task, with separate
// values or with its keys as values.
#pragma once

#include <functional>
#include <vector>

#include "attention/scores/soft.h"
#include "lessons/17_query_key_value/data.h"
#include "nn/nn.h"

namespace heed::lesson17 {

struct LookupModel {
    Linear query, key, value, output;  // `value` is undefined if the keys are the values

    LookupModel(int64_t width, bool keys_as_values, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("query", query), f("key", key), f("value", value), f("output", output);
    }
    // question [B, 1, D], tokens [B, K, D] -> context [B, 1, D], weights [B, 1, K]
    AttentionOutput attend(const Tensor& question, const Tensor& tokens) const;
};

// How a model reads: from question and tokens to context and weights, as in attend().
using Reading = std::function<AttentionOutput(const LookupModel&, const Tensor& question,
                                              const Tensor& tokens)>;

// Trains on new random batches of 64 and returns the accuracy on 2,000 new lookups.
double train_lookup(LookupModel& model, const Reading& read, int steps, Rng rng);

// The same for models of several widths, each with several seeds: seed, seed + 1, ...
struct Sweep {
    std::vector<int64_t> widths;
    std::vector<double> parameters;               // of each width
    std::vector<std::vector<double>> accuracies;  // [seeds][widths]
    std::vector<double> of_width(std::size_t i) const;
};
Sweep by_width(bool keys_as_values, const std::vector<int64_t>& widths, int steps, uint64_t seed,
               int seeds);

}  // namespace heed::lesson17
