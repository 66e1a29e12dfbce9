// Contrastive losses by plain loops, the temperature, retrieval, and zero-shot classification.
#include <cmath>

#include "attention/modalities/contrastive.h"
#include "autograd/autograd.h"
#include "nn/module/module.h"
#include "tests/attention/float64.h"
#include "tests/autograd/compare.h"
#include "tests/catch.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("the contrastive loss is the mean of two cross-entropies, by plain loops",
          "[attention]") {
    const Tensor s = 3 * numbers({4, 4});
    const auto half = [&](const auto& at) {
        double loss = 0;
        for (int64_t i = 0; i < 4; ++i) {
            double total = 0;
            for (int64_t j = 0; j < 4; ++j) total += std::exp(at(i, j));
            loss -= std::log(std::exp(at(i, i)) / total) / 4;
        }
        return loss;
    };
    const double rows = half([&](int64_t i, int64_t j) { return s.at({i, j}); });
    const double columns = half([&](int64_t i, int64_t j) { return s.at({j, i}); });
    CHECK(info_nce(s).item() == Approx(rows));
    CHECK(contrastive_loss(s).item() == Approx((rows + columns) / 2));
    // Equal scores tell nothing: ln N.
    CHECK(contrastive_loss(ones({4, 4}, f64)).item() == Approx(std::log(4.0)));
    CHECK_THROWS_WITH(contrastive_loss(ones({4, 3})), ContainsSubstring("[N, N]"));
    CHECK_THROWS_WITH(info_nce(ones({4, 3})), ContainsSubstring("[N, N]"));
}

TEST_CASE("the scores of a pair of encoders are cosines over the temperature", "[attention]") {
    Rng rng(1);
    ContrastivePair pair({.first_width = 3, .second_width = 2, .width = 4}, rng);
    to_dtype(pair, f64);
    CHECK(pair.temperature() == Approx(0.07));
    const Tensor a = numbers({3, 3}, 1), b = numbers({2, 2}, 2);
    const Tensor s = pair.scores(a, b);
    REQUIRE((s.shape() == Shape{3, 2}));
    for (int64_t i = 0; i < 3; ++i)
        for (int64_t j = 0; j < 2; ++j) {
            double dot = 0, aa = 0, bb = 0;
            for (int64_t d = 0; d < 4; ++d) {
                double x = 0, y = 0;
                for (int64_t k = 0; k < 3; ++k)
                    x += pair.first_projection.weight.at({d, k}) * a.at({i, k});
                for (int64_t k = 0; k < 2; ++k)
                    y += pair.second_projection.weight.at({d, k}) * b.at({j, k});
                dot += x * y, aa += x * x, bb += y * y;
            }
            CHECK(s.at({i, j}) == Approx(dot / std::sqrt(aa * bb) / 0.07));
        }
    // Lengths do not count.
    CHECK(largest_difference(pair.scores(a * 7.0, b), s) < 1e-10);
    CHECK(parameter_count(pair) == 3 * 4 + 2 * 4 + 1);
    CHECK_THROWS_WITH(pair.loss(a, b), ContainsSubstring("row i of a and row i of b are a pair"));
    CHECK_THROWS_WITH(ContrastivePair({.first_width = 3, .second_width = 2}, rng),
                      ContainsSubstring("expected a positive number"));
    CHECK((unit_vectors(zeros({1, 3})).to_vector() == std::vector<double>(3, 0.0)));
}

TEST_CASE("the temperature is limited, and can come back from its limit", "[attention]") {
    Rng rng(1);
    ContrastivePair pair({.first_width = 2, .second_width = 2, .width = 2}, rng);
    pair.clip();
    CHECK(pair.temperature() == Approx(0.07));
    pair.log_scale.assign(scalar(9));
    pair.clip();
    CHECK(pair.temperature() == Approx(0.01));
    // Wrong pairs: the loss falls when the temperature grows.
    const Tensor a = tensor({1, 0, 0, 1}, {2, 2}), b = tensor({0, 1, 1, 0}, {2, 2});
    pair.first_projection.weight.assign(eye(2));
    pair.second_projection.weight.assign(eye(2));
    backward(pair.loss(a, b));
    CHECK(pair.log_scale.grad().item() > 1);
}

TEST_CASE("recall counts the partner among the best, and ties help nobody", "[attention]") {
    const Tensor s = tensor({9, 1, 2, 8, 5, 7, 1, 2, 3}, {3, 3});
    CHECK(recall_at(s, 1) == Approx(2.0 / 3));  // row 1: 8 and 7 before its own 5
    CHECK(recall_at(s, 2) == Approx(2.0 / 3));
    CHECK(recall_at(s, 3) == 1);
    CHECK(recall_at(ones({3, 3}), 1) == 0);
    CHECK(recall_at(ones({3, 3}), 2) == 0);
    CHECK(recall_at(full({3, 3}, nan_value), 1) == 0);
    // With labels any column of the row's label is right.
    CHECK(recall_at(s, 1, {0, 1, 2}, {1, 1, 2}) == Approx(2.0 / 3));
    CHECK(recall_at(s, 1, {5, 1, 2}, {1, 1, 2}) == Approx(2.0 / 3));
    CHECK(recall_at(tensor({3, 3, 1}, {1, 3}), 1, {0}, {0, 0, 1}) == 1);
    CHECK_THROWS_WITH(recall_at(ones({2, 3}), 1), ContainsSubstring("as many columns as rows"));
    CHECK_THROWS_WITH(recall_at(s, 1, {0, 1}, {0, 1, 2}),
                      ContainsSubstring("N is 3 in scores [3, 3] and 2 in row_labels [2]"));
    CHECK_THROWS_WITH(recall_at(s, 0), ContainsSubstring("k is 0"));
}

TEST_CASE("zero-shot: the class whose vector is nearest", "[attention]") {
    const Tensor classes = class_vectors(tensor({2, 0, 0, 5, 0, -1}, {3, 2}, f64), {0, 1, 2}, 3);
    CHECK(largest_difference(classes, tensor({1, 0, 0, 1, 0, -1}, {3, 2}, f64)) < 1e-12);
    CHECK((nearest(tensor({3, 1, -1, 9, 0.1, -0.2}, {3, 2}, f64), classes).values() ==
           std::vector<int>{0, 1, 2}));
    // Several vectors of one class: each counts the same, whatever its length.
    const Tensor mean_of_two = class_vectors(tensor({9, 0, 0, 1}, {2, 2}, f64), {0, 0}, 1);
    CHECK(largest_difference(mean_of_two, full({1, 2}, std::sqrt(0.5), f64)) < 1e-12);
    CHECK_THROWS_WITH(class_vectors(ones({2, 2}), {0, 2}, 2),
                      ContainsSubstring("index 2 at [1] is outside [0, 2), the number of classes"));
    CHECK_THROWS_WITH(class_vectors(ones({2, 2}), {0, 0}, 2), ContainsSubstring("class 1"));
    CHECK_THROWS_WITH(nearest(ones({2, 2}), ones({2, 3})), ContainsSubstring("[M, D]"));
}
