#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"contrastive_loss", "info_nce", "unit_vectors", "ContrastivePair", "cross_entropy"});
    const auto f64 = [](std::vector<double> numbers, Shape shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const Tensor a = f64({3, 4, 1, 0}, {2, 2}), b = f64({1, 0, 0, 2}, {2, 2});
    judge.given({{"a", a}, {"b", b}});
    judge.equal("the pictures (3, 4) and (1, 0), the captions (1, 0) and (0, 2), tau = 0.5",
                [&] { return my_scores(a, b, 0.5); }, f64({1.2, 1.6, 2, 0}, {2, 2}),
                {.formula = "s_ij = a_i . b_j / (|a_i| |b_j| tau)",
                 .mistakes = {
                     {"the vectors are not divided by their lengths", f64({6, 16, 2, 0}, {2, 2})},
                     {"the cosines are not divided by tau", f64({0.6, 0.8, 1, 0}, {2, 2})},
                     {"the cosines are multiplied by tau", f64({0.3, 0.4, 0.5, 0}, {2, 2})},
                     {"rows and columns are exchanged: a row belongs to a picture",
                      f64({1.2, 2, 1.6, 0}, {2, 2})},
                     {"the lengths are taken over the wrong axis",
                      matmul(a / norm(a, 2, 0, true), transpose(b / norm(b, 2, 0, true))) / 0.5}}});
    const Tensor table = f64({0.9, 0.1, 0.3, 0.2, 0.8, 0.4, 0.5, 0.3, 0.7}, {3, 3}) / 0.5;
    const Tensor turned = transpose(table), loss = contrastive_loss(table);
    judge.given({{"scores", table}});
    judge.equal(
        "the three pairs of the lesson: 0.570", [&] { return my_loss(table); }, loss,
        {.formula = "the mean of the losses of all rows and all columns",
         .mistakes = {{"only the rows are asked", info_nce(table)},
                      {"only the columns are asked", info_nce(turned)},
                      {"the two directions are added, and their mean is asked", 2. * loss},
                      {"the losses are summed over the pairs, and their mean is asked", 3. * loss},
                      {"the losses are summed over the pairs, and their mean is asked", 6. * loss},
                      {"the sign: this is the mean logarithm of the probabilities", -loss},
                      {"the mean is over the whole table, not over its diagonal",
                       -0.5 * (mean(log_softmax(table, 1)) + mean(log_softmax(table, 0)))}}});
    judge.equal(
        "one pair: there is nothing to confuse it with",
        [&] {
            return my_loss(f64({3}, {1, 1}));
        },
        f64({0}, {}));
    judge.equal("scores of 1,000 in float32",
                [&] {
                    return my_loss(tensor({1000, 998, 1001, 1000}, {2, 2}));
                },
                contrastive_loss(tensor({1000, 998, 1001, 1000}, {2, 2})),
                {.formula = "-s_ii plus the logarithm of the sum; take it without overflow"});
    Rng rng(5);
    const Tensor x = normal({7, 4}, 0, 2, rng, Dtype::float64),
                 y = normal({7, 4}, 0, 2, rng, Dtype::float64);
    judge.equal(
        "seven random pairs of width 4, tau = 0.07", [&] { return my_loss(my_scores(x, y, 0.07)); },
        contrastive_loss(matmul(unit_vectors(x), transpose(unit_vectors(y))) / 0.07));
    judge.gradient("the gradients of pictures and captions",
                   [](const auto& in) { return my_loss(my_scores(in[0], in[1], 0.5)); }, {x, y});
}
