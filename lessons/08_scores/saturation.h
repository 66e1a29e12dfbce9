// How widely softmax spreads weights over random keys, and what is left of the gradient behind it.
#pragma once

#include <string>
#include <vector>

#include "autograd/ops/random.h"
#include "autograd/tensor/tensor.h"

// Of the scores of so many independent pairs q, k ~ N(0, 1) of a width: q·k and q·k / √D.
struct Variances {
    double dot, scaled;
};
Variances score_variances(int64_t width, int pairs, heed::Rng& rng);

enum class Scale { none, root };  // e = q·k, or divided by √D
enum class Match { none, one };   // no key has to do with the query, or one of them equals it

// Over so many queries, each with 32 keys of values of their own.
struct Saturation {
    double entropy;  // of the weights, in nats: at most ln 32 = 3.47
    double scores;   // norm of the gradient of the scores, for a random one of the weights
    double dead;     // the share of queries where that is below 0.001
    double values;  // norm of the gradient of the values, for a random one of the context, a number
};
Saturation saturation(int64_t width, int queries, Scale scale, Match match, heed::Rng& rng);

// Unscaled, scaled, and scaled with one key that matches, by width.
struct Sweep {
    std::string name;
    std::vector<double> entropy, scores;  // of each width
    Saturation first, last;               // of the smallest width and of the largest
};
std::vector<Sweep> sweep_widths(const std::vector<double>& widths, int queries, heed::Rng& rng);
