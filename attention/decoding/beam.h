// Beam search: the `beam` likeliest beginnings are kept and extended side by side (Sutskever,
// Vinyals, Le 2014, section 3.2).
//
//     auto hypotheses = beam_search(model, {.beam = 5, .length_penalty = 0.6});
//     const std::vector<int> best = hypotheses[0][0].tokens;    // of sentence 0, the likeliest
//
// At every step the `beam` best extensions of a sentence's hypotheses survive, those that end among
// them; so beam 1 is greedy decoding, and a beam as wide as there are sequences is exhaustive
// search. A sentence is done when no living hypothesis can still overtake its finished ones.
#pragma once

#include <vector>

#include "attention/decoding/decode.h"

namespace heed {

struct Beam {
    int beam = 5;
    // α of Wu et al. 2016, section 7: hypotheses are ranked by log-probability / length_penalty(T,
    // α). 0 ranks by log-probability, which favours short ones.
    double length_penalty = 0;
};

// ((5 + T) / 6)^α, T counting the end token.
double length_penalty(int64_t length, double alpha);

// What hypotheses are ranked by.
double ranking_score(const Hypothesis& hypothesis, double alpha);

// For every row of the model its hypotheses, at most `beam`, best first; those cut off at
// max_length come after all that are finished.
std::vector<std::vector<Hypothesis>> beam_search(const Decodable& model, const Beam& beam,
                                                 const DecodeOptions& options = {});

}  // namespace heed
