//! # Which baseline lets a hard choice learn?
//! Part: Hard attention
//!
//! Eight boxes; one of them is marked. The network opens a single one, names the letter in it, and
//! hears only what that costs: 3 for opening a box, and 1 more if the letter is wrong (lesson
//! {reinforce}). You say what helps it to learn where to look: a baseline, more samples, a bonus
//! for entropy. Everything in this file may be changed.
#include "lessons/course/exercise/write.h"

enum class Baseline { none, average, leave_one_out };

struct Setting {
    Baseline baseline = Baseline::average;
    std::int64_t samples = 2;  // of each problem
    double entropy = 0;        // how much it counts
    int steps = 60;
    double rate = 5e-3;
};

// The share of 1,000 problems in which the marked box is the most probable one.
double looks_right(const Setting& setting, std::uint64_t seed) {
    constexpr std::int64_t boxes = 8, width = 6, problems = 16;
    Rng rng(seed);
    const Sequential look(Linear(width, 16, rng), Tanh{}, Linear(16, 1, rng));
    const Tensor mark = normal({width}, 0, 1, rng);
    const auto draw = [&](std::int64_t count, std::vector<int>& marked) {
        Tensor at = zeros({count, boxes});
        marked.clear();
        for (std::int64_t b = 0; b < count; ++b) {
            marked.push_back(static_cast<int>(rng.below(boxes)));
            at.edit<float>()[b * boxes + marked.back()] = 1;
        }
        return unsqueeze(at, 2) * mark + normal({count, boxes, width}, 0, 1, rng);
    };
    Adam adam(parameters(look), {.lr = setting.rate});
    MovingAverage average;
    std::vector<int> marked;
    for (int step = 0; step < setting.steps; ++step) {
        const Tensor scores = squeeze(look(draw(problems, marked)), 2);  // [B, K]
        std::vector<double> losses;
        std::vector<Tensor> log_probs;
        for (std::int64_t s = 0; s < setting.samples; ++s) {
            const CategoricalSample sample = sample_categorical(scores, rng);
            for (std::int64_t b = 0; b < problems; ++b)
                losses.push_back(sample.indices.at({b}) == marked[static_cast<std::size_t>(b)] ? 3
                                                                                               : 4);
            log_probs.push_back(sample.log_prob);
        }
        const Tensor loss = tensor(losses, {setting.samples, problems});
        const Tensor baseline = setting.baseline == Baseline::none      ? Tensor()
                                : setting.baseline == Baseline::average ? scalar(average.value)
                                                                        : leave_one_out(loss);
        adam.zero_grad();
        backward(score_function_term(loss, stack(log_probs, 0), baseline) -
                 setting.entropy * mean(categorical_entropy(scores)));
        adam.step();
        average.update(loss);
    }
    const NoGrad no_grad;
    const Tensor scores = squeeze(look(draw(1000, marked)), 2);
    return metrics::accuracy(scores, Indices(marked));
}

// 1. The hypothesis: one sentence that could turn out to be wrong, such as
//    "A moving average as the baseline lets 10 % more boxes be found after 60 steps."
const char* const hypothesis = "";

// 2. The bar: first() is larger than second() by at least `by`, with at least `seeds` of twenty
// seeds.
const double by = 0;
const int seeds = 0;

// 3. The two ways, for one seed. What they return is a share of problems.
double first(std::uint64_t seed) { return looks_right({.baseline = Baseline::average}, seed); }
double second(std::uint64_t seed) { return looks_right({.baseline = Baseline::none}, seed); }
