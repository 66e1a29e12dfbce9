// Speculative decoding: a small model drafts some tokens, and the large one judges all of them in one pass
// (Leviathan, Kalman, Matias 2023, algorithm 1; Chen et al. 2023, algorithm 2). The result has exactly
// the distribution of the large model, whatever the draft is; a good draft saves passes.
//
//     Speculation s = speculative_decode(target.decodable(prompt), draft.decodable(prompt),
//                                        {.draft = 4}, rng, {.end = -1, .max_length = 100});
//     const std::vector<int> text = s.hypothesis.tokens;           // as from sample_decode(target)
//     const double share = double(s.accepted) / double(s.judged);  // of the draft's tokens
//
// The draft samples a token x with probability q(x); the target would sample it with probability p(x).
// It is accepted with probability min(1, p(x) / q(x)). Otherwise it and the rest of the draft are thrown
// away, and a token is sampled from max(0, p - q), divided by its sum. A token comes out with probability
//
//     q min(1, p / q) + (1 - Σ min(p, q)) (p - min(p, q)) / Σ (p - min(p, q))
//         =  min(p, q) + (p - min(p, q))  =  p,                   since Σ (p - min(p, q)) = 1 - Σ min(p, q).
//
// So the share of accepted tokens is Σ min(p, q) = 1 - TV(p, q), one minus the total variation distance.
// If all are accepted, the same pass of the target gives one more token.
#pragma once

#include "attention/decoding/decode.h"

namespace heed {

struct SpeculativeOptions {
    int draft = 4;                  // tokens drafted for each pass of the target
    SamplingOptions sampling = {};  // of both models; temperature 0 gives greedy_decode()
};

struct Speculation {
    Hypothesis hypothesis;
    int64_t passes = 0;    // of the target
    int64_t proposed = 0;  // tokens that the draft has sampled
    int64_t judged = 0;    // of these, those up to the first that was not accepted, in each draft
    int64_t accepted = 0;  // of these, those that stand in the hypothesis
    double overlap = 0;    // Σ min(p, q), summed over the judged tokens: the mean of `accepted`
};

// The rule by itself, for p of the target and q of the draft, both [V]: min(1, p / q) of a token;
// max(0, p - q) / Σ max(0, p - q), which is sampled from if it is not accepted; and TV = ½ Σ |p - q|.
// Throw for two sizes, and for a token with q = 0.
double acceptance(const std::vector<double>& p, const std::vector<double>& q, int token);
std::vector<double> residual_distribution(const std::vector<double>& p,
                                          const std::vector<double>& q);
double total_variation(const std::vector<double>& p, const std::vector<double>& q);

// Both models have one row, and begin with the same token. Throws if they do not, for vocabularies that
// differ and options outside their range. The target is fed no more tokens than sample_decode() would
// feed; the draft no more than the target.
Speculation speculative_decode(Decodable target, Decodable draft,
                               const SpeculativeOptions& speculative, Rng& rng,
                               const DecodeOptions& options = {});

}  // namespace heed
