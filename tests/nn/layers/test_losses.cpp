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
                      "mse: prediction and target must have the same shape, got [3] and [3, 1]");
}

TEST_CASE("binary cross-entropy is right where a formula with logarithms would overflow") {
    const Tensor x = tensor({0.3, -1.2, 2.0}, Dtype::float64);
    const Tensor t = tensor({1, 0, 0.25}, Dtype::float64);
    const Tensor p = sigmoid(x);
    const Tensor plain = neg(t * log(p) + (1 - t) * log(1 - p));
    CHECK(largest_difference(binary_cross_entropy(x, t, Reduction::none), plain) < 1e-14);
    const Tensor far = tensor({1000, -1000, 1000}), label = tensor({1, 0, 0});
    CHECK(binary_cross_entropy(far, label, Reduction::none).to_vector() ==
          std::vector<double>{0, 0, 1000});
}

TEST_CASE("sequence cross-entropy is the mean over real tokens") {
    const Tensor logits = numbers({2, 3, 4});
    const Indices ids({2, 3, 1, 1, 0, 0}, {2, 3});
    double sum = 0;
    for (auto [b, t] : {std::pair{0, 0}, {0, 1}, {0, 2}, {1, 0}})
        sum -= log_softmax(logits).at({b, t, ids.at({b, t})});
    CHECK(sequence_cross_entropy(logits, ids).item() == Approx(sum / 4).epsilon(1e-12));

    Tensor leaf = clone(logits).set_requires_grad();
    backward(sequence_cross_entropy(leaf, ids, 0, 0.1));
    CHECK(heed::sum(abs(slice(select(leaf.grad(), 0, 1), 0, 1, 3))).item() == 0);
    CHECK_THROWS_WITH(
        sequence_cross_entropy(logits, ids.reshaped({3, 2})),
        ContainsSubstring("expected logits [B, T, V] and ids [B, T], got [2, 3, 4] and [3, 2]"));
}
