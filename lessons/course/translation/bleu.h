// How close translations come to their references: BLEU (Papineni et al. 2002, section 2).
//
//     BLEU = BP · exp(¼ Σₙ ln pₙ), n = 1..4        BP = min(1, e^(1 - r/c))
//
// pₙ is the share of the output's n-grams that stand in the reference, none counted more often than it
// stands there; c and r are the lengths of all outputs and of all references. Counts are added up over
// the corpus before dividing. Nothing is smoothed: without a single common 4-gram BLEU is 0.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace heed::course {

struct Bleu {
    std::array<long, 4> matches{}, total{};  // n-grams of length 1 to 4
    long output_length = 0, reference_length = 0;

    void add(const std::vector<std::string>& output, const std::vector<std::string>& reference);
    double brevity_penalty() const;
    double score() const;  // 0 to 1; usually quoted times 100
};

}  // namespace heed::course
