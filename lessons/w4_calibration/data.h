// Generated weather: six measurements of today, and whether tomorrow brings sun, clouds or rain.
// Because it is generated, the true probability of each outcome is known for every day, and a
// forecast can be compared with it.
//
//     Climate climate(rng);
//     Days days = climate.days(300, rng);
//     days.x                              // [300, 6], the measurements
//     days.outcome[0]                     // 0 sun, 1 clouds, 2 rain
//     climate.probabilities(days.x)       // [300, 3], the true ones
//
// An outcome is drawn: sun with probability 0.5, clouds 0.3, rain 0.2. Each outcome has two
// patterns, say rain from a warm and from a cold front. One of the two is drawn, and the
// measurements are those of the pattern plus normal noise. Patterns of different outcomes overlap,
// so no forecaster can always be right.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "autograd/autograd.h"

namespace heed::workshop4 {

inline constexpr int outcomes = 3, measurements = 6, patterns = 2;
inline const std::vector<std::string> outcome_names{"sun", "clouds", "rain"};
inline constexpr std::array<double, outcomes> how_often{0.5, 0.3, 0.2};

struct Days {
    Tensor x;         // [N, measurements]
    Indices outcome;  // [N]
};

struct Climate {
    Tensor
        centre;  // [outcomes * patterns, measurements], float64; the patterns of an outcome adjoin

    explicit Climate(Rng& rng);  // patterns are drawn, too
    Days days(int count, Rng& rng) const;

    // ln p(outcome) + ln p(x | outcome) for each outcome, up to a number that all outcomes share:
    // logits whose softmax is p(outcome | x), by Bayes' rule. [N, outcomes], float64.
    Tensor logits(const Tensor& x) const;
    Tensor probabilities(const Tensor& x) const;
};

}  // namespace heed::workshop4
