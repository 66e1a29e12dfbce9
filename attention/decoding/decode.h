// Decoding: from a model that says how likely each next token is, to a sequence.
//
// Any model can be decoded. It offers a DecodingState, and a step from state and last token to the
// logarithms of the probabilities of the next:
//
//     Decodable model = translator.decodable(source);      // or two lambdas of your own
//     Hypothesis best = greedy_decode(model)[0];                   // of the first sentence in the batch
//     auto five = beam_search(model, {.beam = 5, .length_penalty = 0.6});  // beam.h
//     auto verse = sample_decode(model, {.temperature = 0.8, .top_k = 40}, rng);
//
// The decoders know nothing of the model, and move its state about by rows. Nothing is recorded on
// the tape. Left out on purpose: dropping finished sentences from a batch; they wait for the
// longest one.
#pragma once

#include <functional>
#include <vector>

#include "autograd/ops/random.h"
#include "autograd/tensor/indices.h"
#include "autograd/tensor/tensor.h"

namespace heed {

// Where N sequences stand while being written. Row i of every tensor belongs to sequence i.
struct DecodingState {
    std::vector<Tensor> memory;  // [N, ...] what steps read and never change: the encoded source
    std::vector<Tensor> moving;  // [N, ...] what each step replaces: hidden states, caches
    int64_t place = 0;           // the number of tokens fed so far
};

// What a step gives.
struct DecodingStep {
    Tensor log_probabilities;  // [N, V]
    DecodingState state;               // after the tokens fed
    Tensor weights;            // [N, K] or [N, H, K], or not defined: whom the step attended to
};

// A model ready to write one sequence for each of its N rows.
struct Decodable {
    DecodingState start;
    std::function<DecodingStep(const DecodingState&, const Indices& tokens)> step;  // tokens [N]: the last ones
    int64_t rows = 1;                                               // N, the number of sentences
};

struct DecodeOptions {
    int start = 1;         // the token fed first
    int end = 2;           // the token that ends a sequence
    int max_length = 100;  // no sequence gets longer than this, its end token not counted
};

// A sequence and how likely the model finds it.
struct Hypothesis {
    std::vector<int> tokens;     // without start and end
    double log_probability = 0;  // of the tokens and the end
    bool finished = false;       // the end token was written; else max_length was reached
    Tensor weights;              // [T, K] or [T, H, K], T counting the end; or not defined
};

// The likeliest token at every step, the first of equals. One hypothesis a row.
std::vector<Hypothesis> greedy_decode(const Decodable& model, const DecodeOptions& options = {});

struct Sampling {
    double temperature = 1;  // below 1 sharper, above 1 flatter; 0 is greedy
    int top_k = 0;           // choose among the k likeliest only (Fan et al. 2018); 0: all
    double top_p = 1;  // among the fewest that together reach p (Holtzman et al. 2020, section 3.1)
};

// Every token drawn from the model's distribution, made sharper and shorter as the options say.
// log_probability is the model's own, before that.
std::vector<Hypothesis> sample_decode(const Decodable& model, const Sampling& sampling, Rng& rng,
                               const DecodeOptions& options = {});

// The distribution that sample_decode() draws from: non-negative and adding up to 1.
// temperature, then top_k, then top_p, as common elsewhere.
std::vector<double> sampling_distribution(const std::vector<double>& log_probabilities,
                                          const Sampling& sampling);

// Rows of the state in another order, some perhaps missing or several times: row i of the result is
// row rows[i]. The moving part alone, or all.
DecodingState select_rows(const DecodingState& state, const std::vector<int>& rows, bool memory_too);

}  // namespace heed
