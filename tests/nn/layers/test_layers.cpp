#include "nn/nn.h"
#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("Linear multiplies by the transposed weight and adds the bias") {
    Rng rng(1);
    Linear layer(3, 2, rng);
    layer.weight.assign(tensor({1, 2, 3, 4, 5, 6}, {2, 3}));
    layer.bias.assign(tensor({10, 20}));
    CHECK(layer(tensor({1, 0, -1, 2, 1, 0}, {2, 3})).to_vector() ==
          std::vector<double>{8, 18, 14, 33});
    CHECK(Linear(3, 2, rng, false).bias.defined() == false);
    CHECK(Linear(3, 2, rng)(zeros({4, 5, 3})).shape() == Shape{4, 5, 2});
    CHECK_THROWS_WITH(layer(zeros({4, 2})),
                      "Linear: expected [..., 3], the width this layer was made for, got [4, 2]");
    CHECK_THROWS_WITH(Linear()(zeros({4, 2})), ContainsSubstring("construct it with its sizes"));
    CHECK_THROWS_WITH(Linear(0, 2, rng), "Linear: expected positive sizes, got 0 to 2");
}

TEST_CASE("the padding row of an Embedding is zero and gets no gradient") {
    Rng rng(1);
    Embedding table(4, 2, rng, 0);
    CHECK(sum(abs(select(table.weight, 0, 0))).item() == 0);
    const Tensor y = table(Indices({0, 2, 3, 0, 2, 2}, {2, 3}));
    CHECK(y.shape() == Shape{2, 3, 2});
    backward(sum(y));
    CHECK(table.weight.grad().to_vector() == std::vector<double>{0, 0, 0, 0, 3, 3, 1, 1});

    Embedding free(4, 2, rng);
    backward(sum(free({0, 0, 1})));
    CHECK(free.weight.grad().to_vector() == std::vector<double>{2, 2, 1, 1, 0, 0, 0, 0});
    CHECK_THROWS_WITH(Embedding(4, 2, rng, 4),
                      "Embedding: the padding id 4 is outside a vocabulary of 4");
    CHECK_THROWS_AS(table({4}), Error);
    CHECK_THROWS_AS(table({-1}), Error);
}

TEST_CASE("LayerNorm gives each row mean 0 and variance 1, then scales and shifts") {
    LayerNorm norm(4);
    norm.weight.assign(full({4}, 2));
    norm.bias.assign(ones({4}));
    const Tensor y = norm(tensor({1, 2, 3, 4, -7, 0, 0, 7}, {2, 4}));
    CHECK(mean(select(y, 0, 0)).item() == Approx(1));
    CHECK(var(select(y, 0, 1), {}, false, 0).item() == Approx(4).epsilon(1e-4));
    CHECK_THROWS_WITH(norm(zeros({2, 3})), "LayerNorm: expected [..., 4], got [2, 3]");
}

TEST_CASE("Dropout drops a share p in training, nothing otherwise") {
    const Dropout dropout(0.25);
    const Tensor x = ones({200, 100});
    CHECK(largest_difference(dropout(x), x) == 0);
    Rng rng(1);
    const Tensor y = dropout(x, &rng);
    int64_t dropped = 0;
    for (double value : y.to_vector()) {
        CHECK((value == 0 || std::abs(value - 4.0 / 3) < 1e-6));
        dropped += value == 0;
    }
    CHECK(dropped / 20000.0 == Approx(0.25).margin(4 * std::sqrt(0.25 * 0.75 / 20000)));
    CHECK(mean(y).item() == Approx(1).margin(0.02));
    Rng same(1), other(2);
    CHECK(largest_difference(dropout(x, &same), y) == 0);
    CHECK(largest_difference(dropout(x, &other), y) > 0);
    CHECK_THROWS_WITH(Dropout(1), "Dropout: expected a probability in [0, 1), got 1");
}

TEST_CASE("initialisers have the spread they promise") {
    Rng rng(4);
    const auto deviation = [](const Tensor& x) { return std::sqrt(mean(square(x)).item()); };
    const auto largest = [](const Tensor& x) { return max(abs(x)).item(); };
    const Shape shape{300, 200};  // fan_in 200, fan_out 300
    CHECK(deviation(xavier_uniform(shape, rng)) == Approx(std::sqrt(2.0 / 500)).epsilon(0.02));
    CHECK(deviation(xavier_normal(shape, rng, 3)) ==
          Approx(3 * std::sqrt(2.0 / 500)).epsilon(0.02));
    CHECK(deviation(kaiming_uniform(shape, rng)) == Approx(std::sqrt(2.0 / 200)).epsilon(0.02));
    CHECK(deviation(kaiming_normal(shape, rng, 1)) == Approx(std::sqrt(1.0 / 200)).epsilon(0.02));
    CHECK(largest(xavier_uniform(shape, rng)) <= std::sqrt(6.0 / 500));
    CHECK(deviation(kaiming_normal({30, 20, 10}, rng, 1)) ==
          Approx(std::sqrt(1.0 / 200)).epsilon(0.05));
    const Linear layer(16, 400, rng);
    CHECK(largest(layer.weight) <= 0.25);
    CHECK(largest(layer.weight) > 0.24);
    CHECK(largest(layer.bias) > 0.24);
    const RecurrentCell cell(CellKind::gru, 9, 16, rng);
    CHECK(largest(cell.weight_ih) <= 0.25);
    CHECK(largest(cell.weight_ih) > 0.24);
    CHECK_THROWS_WITH(xavier_uniform({3}, rng),
                      "xavier_uniform: a weight needs at least 2 axes, [out, in], got shape [3]");
}

TEST_CASE("orthogonal gives orthonormal rows or columns") {
    Rng rng(4);
    for (const Shape& shape : {Shape{4, 9}, Shape{9, 4}, Shape{5, 5}}) {
        const Tensor w = orthogonal(shape, rng, 2, Dtype::float64);
        const Tensor product =
            shape[0] <= shape[1] ? matmul(w, transpose(w)) : matmul(transpose(w), w);
        CHECK(largest_difference(product, eye(product.size(0), Dtype::float64) * 4) < 1e-12);
    }
}
