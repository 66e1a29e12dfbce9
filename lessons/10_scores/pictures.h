// The three words of lesson {attention} with which the lesson begins, and the measurements, as tables and
// plots.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lessons/10_scores/experiment.h"
#include "lessons/course/course.h"

namespace heed::lesson10 {

// --- three words --------------------------------------------------------------------------------

Tensor three_words();  // [3, 2]: 나는, 학생 and 이다; how much of a person, and how much of a verb

// The largest weights of 32 random words under the dot product, the mean of many queries, beside those of words
// that fit equally well.
course::BarChart weights_of_random_words(std::uint64_t seed);

// The query (0, 2), and the shadow that each word throws on its direction.
course::Arrows shadows();

// The answers to queries near (0, 2): the value of the best key, and the weighted mean.
void show_answers(course::AtCall lesson, const Tensor& words);

// The scores of the three words and the weights they lead to, for each formula.
void show_scores(course::AtCall lesson, const std::vector<std::pair<std::string, Tensor>>& scores);

// How the scores dot, general and additive are computed, as diagrams.
std::vector<course::Diagram> score_diagrams();

// The gradient of two scores for weights from equal to nearly 1 and 0, for a loss
// that is the first weight: by the formula and by the library. Returns the largest difference.
double show_gradients(course::AtCall lesson);

// --- measurements -------------------------------------------------------------------------------

// The variance of q·k by width: the largest distance of variance / width from 1, and the variance
// at width 64.
struct VarianceResult {
    double over_width, at_64;
};
VarianceResult show_variances(course::AtCall lesson, const std::vector<double>& widths, Rng& rng);

// Entropy and vanished gradients by width: unscaled, scaled, and scaled with one key that matches.
std::vector<Sweep> show_saturation(course::AtCall lesson, const std::vector<double>& widths,
                                   Rng& rng);

}  // namespace heed::lesson10
