// Beam search: at every step the `beam` most probable partial sequences are kept and extended
// (Sutskever, Vinyals, Le 2014, section 3.2).
//
//     Hypothesis best = beam_search(model, {.beam = 5, .length_penalty = 0.6})[0];   // of row 0
//     auto five = beam_search_n_best(model, {.beam = 5})[0];    // all that were found, best first
//
// At every step the `beam` best extensions of a row's hypotheses survive, and those that end with
// the end token are finished; those of probability 0 do not survive (decode.h). So a beam of 1 is greedy
// decoding, and a beam as wide as the number of sequences is exhaustive search. A row is done when no
// unfinished hypothesis can still overtake its finished ones.
#pragma once

#include <vector>

#include "attention/decoding/decode.h"

namespace heed {

struct BeamOptions {
    int beam = 5;
    // α of Wu et al. 2016, section 7: hypotheses are ranked by log-probability / length_penalty(T,
    // α). 0 ranks by log-probability, which favours short ones.
    double length_penalty = 0;
};

// ((5 + T) / 6)^α, T counting the end token (Wu et al. 2016, equation 14).
double length_penalty(Integer length, double alpha);

// What hypotheses are ranked by: log-probability / length_penalty.
double ranking_score(const Hypothesis& hypothesis, double alpha);

// The best hypothesis of each row of the model, as greedy_decode() returns it. Throws when beam or
// max_length is below 1, and for a step that does not return [N, V].
std::vector<Hypothesis> beam_search(Decodable model, const BeamOptions& beam = {},
                                    const DecodeOptions& options = {});

// For each row of the model its hypotheses, at most `beam`, best first. Those cut off at max_length
// come after all that are finished.
std::vector<std::vector<Hypothesis>> beam_search_n_best(Decodable model,
                                                        const BeamOptions& beam = {},
                                                        const DecodeOptions& options = {});

}  // namespace heed
