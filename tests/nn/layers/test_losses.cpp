#include "nn/nn.h"
#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("mse averages, sums or keeps the squares") {
    const Tensor x = tensor({1, 2, 3, 5}, {2, 2}), y = tensor({1, 4, 0, 4}, {2, 2});
    CHECK(mse(x, y).item() == Approx(14.0 / 4));
    CHECK(mse(x, y, Reduction::sum).item() == Approx(14));
    CHECK(mse(x, y, Reduction::none).to_vector() == std::vector<double>{0, 4, 9, 1});
    CHECK_THROWS_WITH(mse(zeros({3}), zeros({3, 1})),
                      "mse: \"...\" is [3] in prediction [3] and [3, 1] in target [3, 1]; "
                      "expected prediction [...] and target [...]");
}

TEST_CASE("l1, Huber and smooth l1 take the values of their formulas") {
    const Tensor x = tensor({1, 2, 3, 5}), y = tensor({1, 4, 2.5, 4});
    CHECK(l1_loss(x, y).item() == Approx(3.5 / 4));
    CHECK(l1_loss(x, y, Reduction::none).to_vector() == std::vector<double>{0, 2, 0.5, 1});
    CHECK(huber_loss(x, y, 1, Reduction::none).to_vector() ==
          std::vector<double>{0, 1.5, 0.125, 0.5});
    CHECK(huber_loss(x, y, 0.5, Reduction::sum).item() == Approx(0.875 + 0.125 + 0.375));
    CHECK(smooth_l1_loss(x, y, 2, Reduction::none).to_vector() ==
          std::vector<double>{0, 1, 0.0625, 0.25});
    CHECK_THROWS_WITH(huber_loss(x, y, 0), "huber_loss: delta is 0; expected a positive number");
    CHECK_THROWS_WITH(smooth_l1_loss(x, y, -1),
                      "smooth_l1_loss: beta is -1; expected a positive number");
    CHECK_THROWS_WITH(
        l1_loss(zeros({3}), zeros({3, 1})),
        ContainsSubstring("l1_loss: \"...\" is [3] in prediction [3] and [3, 1] in target"));
}

TEST_CASE("binary cross-entropy of logits is that of probabilities, and overflows nowhere") {
    const Tensor x = tensor({0.3, -1.2, 2.0}, Dtype::float64);
    const Tensor t = tensor({1, 0, 0.25}, Dtype::float64);
    const Tensor p = sigmoid(x);
    const Tensor plain = neg(t * log(p) + (1 - t) * log(1 - p));
    CHECK(largest_difference(binary_cross_entropy(p, t, Reduction::none), plain) < 1e-14);
    CHECK(largest_difference(binary_cross_entropy_with_logits(x, t, Reduction::none), plain) <
          1e-14);
    const Tensor far = tensor({1000, -1000, 1000}), label = tensor({1, 0, 0});
    CHECK(binary_cross_entropy_with_logits(far, label, Reduction::none).to_vector() ==
          std::vector<double>{0, 0, 1000});

    // Certain and wrong: 100, as in PyTorch, with a finite gradient.
    Tensor certain = tensor({1, 0, 1, 0}).set_requires_grad();
    const Tensor loss = binary_cross_entropy(certain, tensor({1, 0, 0, 1}), Reduction::none);
    CHECK(loss.to_vector() == std::vector<double>{0, 0, 100, 100});
    backward(sum(loss));
    for (double g : certain.grad().to_vector()) CHECK(std::isfinite(g));
    CHECK_THROWS_WITH(
        binary_cross_entropy(tensor({0.5, 2}), tensor({0, 1})),
        "binary_cross_entropy: expected probabilities from 0 to 1, got numbers from 0.5 to 2; "
        "for logits use binary_cross_entropy_with_logits");
}

TEST_CASE("nll_loss of log-probabilities is cross_entropy of logits") {
    const Tensor logits = numbers({2, 3, 5});
    const Indices labels({1, 4, -100, 0, 0, 2}, {2, 3});
    for (Reduction reduction : {Reduction::mean, Reduction::sum, Reduction::none})
        CHECK(largest_difference(nll_loss(log_softmax(logits), labels, -100, reduction),
                                 cross_entropy(logits, labels, {.reduction = reduction})) < 1e-13);
    CHECK(nll_loss(log_softmax(logits), Indices(std::vector<int>(6, 3), {2, 3}), 3).item() == 0);
    CHECK_THROWS_WITH(nll_loss(logits, Indices({0, 1, 2, 3, 4, 5}, {2, 3})),
                      ContainsSubstring("nll_loss"));
    CHECK_THROWS_WITH(nll_loss(logits, Indices{1, 2}),
                      "nll_loss: labels are [2]; expected [2, 3], one for each row of [2, 3, 5]");
}

TEST_CASE("kl_divergence is 0 for equal distributions, and its mean is over the rows") {
    const Tensor p = softmax(numbers({3, 4})), t = softmax(numbers({3, 4}, 2));
    CHECK(kl_divergence(log(t), t).item() == Approx(0).margin(1e-14));
    const Tensor rows = sum(t * (log(t) - log(p)), -1);
    CHECK(largest_difference(kl_divergence(log(p), t, Reduction::none), rows) < 1e-14);
    CHECK(kl_divergence(log(p), t).item() == Approx(mean(rows).item()));
    const Tensor sure = tensor({0, 1, 0, 0}, {1, 4}, Dtype::float64);
    CHECK(kl_divergence(log(slice(p, 0, 0, 1)), sure).item() == Approx(-std::log(p.at({0, 1}))));
}

TEST_CASE("losses in float32 are what they are in float64") {
    const Tensor x = numbers({6, 5}), t = numbers({6, 5}, 2), p = softmax(x), q = softmax(t);
    const auto holds = [](auto loss, const Tensor& a, const Tensor& b) {
        std::vector<Tensor> gradients[2];
        double values[2];
        for (Dtype dtype : {Dtype::float32, Dtype::float64}) {
            const int i = dtype == Dtype::float64;
            const Tensor u = to_dtype(detach(a), dtype).set_requires_grad();
            const Tensor v = to_dtype(detach(b), dtype).set_requires_grad();
            const Tensor l = loss(u, v);
            values[i] = l.item();
            gradients[i] = grad(l, {u, v});
        }
        CHECK(values[0] == Approx(values[1]).epsilon(1e-5));
        for (int i = 0; i < 2; ++i)
            CHECK(largest_difference(to_dtype(gradients[0][i], Dtype::float64), gradients[1][i]) <
                  1e-5);
    };
    using X = const Tensor&;
    holds([](X a, X b) { return mse(a, b); }, x, t);
    holds([](X a, X b) { return l1_loss(a, b); }, x, t);
    holds([](X a, X b) { return huber_loss(a, b, 0.5); }, x, t);
    holds([](X a, X b) { return smooth_l1_loss(a, b, 0.5); }, x, t);
    holds([](X a, X b) { return binary_cross_entropy(a, b); }, p, q);
    holds([](X a, X b) { return binary_cross_entropy_with_logits(a, b); }, x, q);
    holds([](X a, X b) { return kl_divergence(log_softmax(a), b); }, x, q);
    holds([](X a, X b) { return nll_loss(log_softmax(a + b), Indices{0, 1, 2, 3, 4, 0}); }, x, t);
}

TEST_CASE("sequence cross-entropy is the mean over the tokens that are not ignored") {
    const Tensor logits = numbers({2, 3, 4});
    const Indices ids({2, 3, 1, 1, 0, 0}, {2, 3});
    double sum = 0;
    for (auto [b, t] : {std::pair{0, 0}, {0, 1}, {0, 2}, {1, 0}})
        sum -= log_softmax(logits).at({b, t, ids.at({b, t})});
    CHECK(sequence_cross_entropy(logits, ids, 0).item() == Approx(sum / 4).epsilon(1e-12));

    Tensor leaf = clone(logits).set_requires_grad();
    backward(sequence_cross_entropy(leaf, ids, 0, 0.1));
    CHECK(heed::sum(abs(slice(select(leaf.grad(), 0, 1), 0, 1, 3))).item() == 0);
    CHECK_THROWS_WITH(
        sequence_cross_entropy(logits, ids.reshaped({3, 2}), 0),
        ContainsSubstring("ids are [3, 2]; expected [B, T] for logits [B, T, V], here [2, 3, 4]"));
}
