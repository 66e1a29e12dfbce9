#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"graph_attention", "GraphAttentionV2", "GraphAttention", "additive_scores"});
    judge.choice(
        "the broken law", my_broken_law, "own favourite",
        {{"to doubt the sum; a softmax divides by it, whatever the scores are", "distribution"},
         {"to doubt the order; a source takes its own number along wherever it stands",
          "permutation"},
         {"to doubt the rows; the score of a pair contains no other target", "targets apart"}});
    const auto f64 = [](std::vector<double> numbers, Shape shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const Tensor i = eye(2, Dtype::float64), a = f64({1, 1}, {2}), t = f64({0, -1, -1, 0}, {2, 2}),
                 s = f64({2, 0, 0, 2}, {2, 2});
    judge.given({{"targets", t}, {"sources", s}, {"W_t", i}, {"W_s", i}, {"a", a}});
    judge.equal(
        "the four scores of the example: 1.8 and 1, 1 and 1.8",
        [&] { return my_scores(t, s, i, i, a); }, f64({1.8, 1, 1, 1.8}, {2, 2}),
        {.formula = "a . LeakyReLU(W_t x_i + W_s x_j), slope 0.2",
         .mistakes = {{"the vector a is applied before the LeakyReLU", f64({1, 1, 1, 1}, {2, 2})},
                      {"LeakyReLU is applied to both summands; it has to see their sum",
                       f64({1.8, 1.8, 1.8, 1.8}, {2, 2})},
                      {"the slope is 0.01, not 0.2", f64({1.99, 1, 1, 1.99}, {2, 2})},
                      {"this is tanh, as in additive attention, and not LeakyReLU",
                       f64({std::tanh(2.) - std::tanh(1.), std::tanh(1.), std::tanh(1.),
                            std::tanh(2.) - std::tanh(1.)},
                           {2, 2})}}});
    Rng rng(2);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64);
    };
    const Tensor targets = random({7, 4}), sources = random({5, 4}), W_t = random({3, 4}),
                 W_s = random({3, 4}), v = random({3});
    Tensor expected = zeros({7, 5}, Dtype::float64);
    for (int f = 0; f < 3; ++f)
        expected = expected + leaky_relu(unsqueeze(matmul(targets, select(W_t, 0, f)), 1) +
                                             matmul(sources, select(W_s, 0, f)),
                                         0.2) *
                                  select(v, 0, f);
    judge.equal("seven targets and five sources",
                [&] { return my_scores(targets, sources, W_t, W_s, v); }, expected,
                {.mistakes = {{"target and source are exchanged: W_s belongs to the sources", [&] {
                                   Tensor turned = zeros({7, 5}, Dtype::float64);
                                   for (int f = 0; f < 3; ++f)
                                       turned =
                                           turned +
                                           leaky_relu(
                                               unsqueeze(matmul(targets, select(W_s, 0, f)), 1) +
                                                   matmul(sources, select(W_t, 0, f)),
                                               0.2) *
                                               select(v, 0, f);
                                   return turned;
                               }()}}});
    judge.holds(
        "of seven targets, not all have the same favourite",
        [&] {
            const Indices favourite = argmax(my_scores(targets, sources, W_t, W_s, v), 1);
            for (int f : favourite)
                if (f != favourite[0]) return true;
            return false;
        },
        "All targets give the largest weight to the same source.");
    judge.gradient("the gradients of all five inputs",
                   [](const auto& x) { return my_scores(x[0], x[1], x[2], x[3], x[4]); },
                   {targets, sources, W_t, W_s, v});
}
