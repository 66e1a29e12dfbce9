// Measures the entropy of softmax weights over random keys, and the gradient behind the softmax.
#pragma once

#include <string>
#include <vector>

#include "autograd/tensor/random.h"
#include "autograd/tensor/tensor.h"

namespace heed::lesson10 {

// The variance of the score q·k of independent pairs q, k ~ N(0, 1) of a width.
double score_variance(int64_t width, int pairs, Rng& rng);

enum class Scale { none, root };  // e = q·k, or divided by √D
enum class Match { none, one };   // all keys are independent of the query, or one equals it

// Means over `queries` queries, each with 32 keys and values of its own.
struct Saturation {
    double entropy;   // of the weights, in nats: at most ln 32 = 3.47
    double scores;    // norm of the scores' gradient, for a random gradient of the weights
    double vanished;  // the share of queries where that is below 0.001
    double values;    // norm of the values' gradient, for a context of one number with gradient 1
};
Saturation saturation(int64_t width, int queries, Scale scale, Match match, Rng& rng);

// The results by width, for three cases: unscaled, scaled, and scaled with one key that matches.
struct Sweep {
    std::string name;
    std::vector<double> entropy, vanished;  // of each width
    Saturation first, last;                 // of the smallest width and of the largest
};
std::vector<Sweep> sweep_widths(const std::vector<double>& widths, int queries, Rng& rng);

}  // namespace heed::lesson10
