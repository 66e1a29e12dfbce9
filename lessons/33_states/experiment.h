// The experiments of the lesson: pairs written into a matrix and read back; and eight models on two tasks.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lessons/33_states/model.h"
#include "lessons/course/course.h"

namespace heed::lesson33 {

// --- without training ---------------------------------------------------------------------------

// From a state [d, d] to the next one, when key and value [1, d] are written.
using Write = std::function<Tensor(const Tensor& state, const Tensor& key, const Tensor& value)>;

struct Rule {
    std::string name;
    Write write;
};

struct Pairs {
    Tensor key, value;  // [n, d]: keys of length 1 in random directions, values normal
};
// With `twice`, n keys are written, and then the same keys again with new values: [2 n, d].
Pairs random_pairs(int64_t count, int64_t d, bool twice, Rng& rng);

// What the state holds for the last `count` keys: for each its squared error over the mean square of the
// values; and the share of the keys whose own value is nearest to what was read, of all values written.
struct ReadBack {
    std::vector<double> errors;
    double error = 0, share = 0;
};
ReadBack read_back(const Pairs& pairs, int64_t count, const Write& write);
// The mean over twenty draws.
ReadBack mean_read_back(int64_t count, int64_t d, bool twice, const Write& write, Rng rng);

// --- trained ------------------------------------------------------------------------------------

struct Result {
    std::vector<Mixer> mixer;         // of each layer
    std::vector<double> recall = {};  // of recall_pairs
    double parity = 0, longer = 0;    // of parity_bits, and of twice as many
    double four_times = 0;            // of four times as many
    int64_t parameters = 0;
};
inline const std::vector<int> recall_pairs{4, 8, 16, 32};

Result train_both(const std::vector<Mixer>& mixers, int steps, uint64_t seed);

}  // namespace heed::lesson33
