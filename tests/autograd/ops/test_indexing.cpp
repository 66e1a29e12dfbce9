#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

void check_gradient(const DifferentiableFunction& f, const std::vector<Tensor>& inputs) {
    const GradcheckReport report = gradcheck(f, inputs, {.order = 2});
    INFO(to_string(report));
    CHECK(report.pass);
}

double inner(const Tensor& a, const Tensor& b) { return sum(a * b).item(); }

}  // namespace

TEST_CASE("Indices hold integers with a shape", "[errors]") {
    const Indices i({1, 2, 3, 4, 5, 6}, {2, 3});
    CHECK(i.at({1, 0}) == 4);
    CHECK(i.at({-1, -1}) == 6);
    CHECK(i.position(5) == "[1, 2]");
    CHECK(i.reshaped({3, 2}).at({2, 0}) == 5);
    CHECK_THROWS_WITH(i.reshaped({4, 2}),
                      ContainsSubstring("[4, 2]") && ContainsSubstring("[2, 3]"));
    CHECK_THROWS_WITH(Indices({1, 2}, {3}), ContainsSubstring("[3]"));
    CHECK_THROWS_WITH(i.at({2, 0}), ContainsSubstring("index 2 is outside axis 0"));
}

TEST_CASE("embedding looks rows up and adds their gradients", "[grad]") {
    const Tensor table = numbers({5, 3});
    const Indices ids({4, 0, 4, 2}, {2, 2});
    const Tensor y = embedding(table, ids);
    REQUIRE(y.shape() == Shape{2, 2, 3});
    CHECK(y.at({1, 0, 1}) == table.at({4, 1}));
    CHECK(largest_difference(embedding(transpose(clone(transpose(table))), ids), y) == 0);

    // Every use adds to the same table: rows used twice get both gradients, row 1 and 3 none.
    Tensor leaf = clone(table).set_requires_grad();
    const Tensor c = numbers({2, 2, 3}, 2);
    backward(sum(embedding(leaf, ids) * c) + 10 * sum(embedding(leaf, {2})));
    const Tensor g = leaf.grad();
    for (int d = 0; d < 3; ++d) {
        CHECK(g.at({0, d}) == c.at({0, 1, d}));
        CHECK(g.at({1, d}) == 0);
        CHECK(g.at({2, d}) == Approx(c.at({1, 1, d}) + 10));
        CHECK(g.at({3, d}) == 0);
        CHECK(g.at({4, d}) == Approx(c.at({0, 0, d}) + c.at({1, 0, d})));
    }
    check_gradient([&](const auto& x) { return square(embedding(x[0], ids)); }, {table});
    check_gradient(
        [&](const auto& x) {
            return embedding(x[0], {1, 1}) * embedding(x[0], {1, 3}) * x[0].size(0);
        },
        {transpose(numbers({3, 5}))});
    CHECK(embedding(table, Indices(std::vector<int>{}, {0})).shape() == Shape{0, 3});
}

TEST_CASE("index_select and index_add are adjoint along every axis", "[grad]") {
    const Shape shape{4, 3, 5};
    for (int axis = 0; axis < 3; ++axis) {
        const Indices indices({2, 0, 2, 1});
        Shape picked = shape;
        picked[axis] = 4;
        const Tensor x = numbers(shape), s = numbers(picked, 2);
        const Tensor y = index_select(x, axis, indices);
        REQUIRE(y.shape() == picked);
        for (int i = 0; i < 4; ++i)
            CHECK(largest_difference(select(y, axis, i), select(x, axis, indices[i])) == 0);
        CHECK(inner(y, s) == Approx(inner(x, index_add(shape, axis, indices, s))));
        CHECK(largest_difference(index_select(transpose(clone(transpose(x))), axis - 3, indices),
                                 y) == 0);
        check_gradient([&](const auto& in) { return square(index_select(in[0], axis, indices)); },
                       {numbers({3, 3, 3})});
        check_gradient(
            [&](const auto& in) {
                return square(index_add({3, 3, 3}, axis, {1, 2, 1}, in[0]));
            },
            {numbers({3, 3, 3})});
    }
}

TEST_CASE("gather and scatter_add are adjoint along every axis", "[grad]") {
    const Shape shape{3, 4, 2};
    for (int axis = 0; axis < 3; ++axis) {
        // Longer than x along the axis, shorter along another.
        Shape picked = shape;
        picked[axis] = 5;
        picked[(axis + 1) % 3] -= 1;
        Rng rng(7);
        std::vector<int> values(picked.numel());
        for (int& value : values) value = static_cast<int>(rng.below(shape[axis]));
        const Indices indices(values, picked);

        const Tensor x = numbers(shape), s = numbers(picked, 2);
        const Tensor y = gather(x, axis, indices);
        for (int64_t i = 0; i < picked[0]; ++i)
            for (int64_t j = 0; j < picked[1]; ++j)
                for (int64_t k = 0; k < picked[2]; ++k) {
                    int64_t at[3] = {i, j, k};
                    at[axis] = indices.at({i, j, k});
                    CHECK(y.at({i, j, k}) == x.at({at[0], at[1], at[2]}));
                }
        CHECK(inner(y, s) == Approx(inner(x, scatter_add(shape, axis, indices, s))));
        CHECK(largest_difference(gather(transpose(clone(transpose(x, 0, 2)), 0, 2), axis, indices),
                                 y) == 0);
        check_gradient([&](const auto& in) { return square(gather(in[0], axis, indices)); }, {x});
        check_gradient(
            [&](const auto& in) { return square(scatter_add(shape, axis, indices, in[0])); }, {s});
    }
}

TEST_CASE("masked_fill and one_hot", "[grad]") {
    const Tensor mask = tensor({0, 1, 0}, Dtype::float64);
    const Tensor y =
        masked_fill(tensor({1, nan_value, 3, 4, 5, 6}, {2, 3}, Dtype::float64), mask, -9);
    CHECK(y.to_vector() == std::vector<double>{1, -9, 3, 4, -9, 6});
    check_gradient([&](const auto& x) { return square(masked_fill(x[0], mask, 2)); },
                   {numbers({2, 3})});
    CHECK(one_hot(Indices({2, 0}, {2, 1}), 3).to_vector() == std::vector<double>{0, 0, 1, 1, 0, 0});
    CHECK(one_hot({1}, 2, Dtype::float64).dtype() == Dtype::float64);
}

TEST_CASE("masked_select picks in row-major order and broadcasts", "[grad]") {
    const Tensor x = tensor({1, nan_value, 3, 4, 5, infinity}, {2, 3}, Dtype::float64);
    const Tensor mask = tensor({1, 0, 1}, Dtype::float64);
    CHECK(masked_select(x, mask).to_vector() == std::vector<double>{1, 3, 4, infinity});
    CHECK(masked_select(transpose(x), tensor({0, 1}, Dtype::float64)).to_vector() ==
          std::vector<double>{4, 5, infinity});
    CHECK(masked_select(tensor({7, 8, 9}), ones({2, 3})).to_vector() ==
          std::vector<double>{7, 8, 9, 7, 8, 9});
    CHECK(masked_select(x, zeros({2, 1})).shape() == Shape{0});
    CHECK(masked_select(zeros({0, 3}), ones({3})).shape() == Shape{0});
    CHECK(masked_select(scalar(5), scalar(1)).to_vector() == std::vector<double>{5});
    // What is not selected gets no gradient, and its NaN does no harm.
    const Tensor leaf = clone(x).set_requires_grad();
    CHECK(grad(sum(masked_select(leaf, mask)), {leaf})[0].to_vector() ==
          std::vector<double>{1, 0, 1, 1, 0, 1});
}

TEST_CASE("indexing says what is wrong", "[errors]") {
    const Tensor x = numbers({4, 3});
    CHECK_THROWS_WITH(embedding(x, Indices({0, 1, 2, 4}, {2, 2})),
                      ContainsSubstring("embedding: index 4 at [1, 1] is outside [0, 4)"));
    CHECK_THROWS_WITH(embedding(x, {-1}), ContainsSubstring("index -1 at [0]"));
    CHECK_THROWS_WITH(embedding(numbers({4}), {0}), ContainsSubstring("[V, D]"));
    CHECK_THROWS_WITH(index_select(x, 1, {3}),
                      ContainsSubstring("index 3 at [0] is outside [0, 3)"));
    CHECK_THROWS_WITH(gather(x, 0, {1}), ContainsSubstring("as many axes"));
    CHECK_THROWS_WITH(gather(x, 0, Indices({0, 0, 0, 0}, {1, 4})),
                      ContainsSubstring("[1, 4]") && ContainsSubstring("[4, 3]"));
    CHECK_THROWS_WITH(scatter_add({4}, 0, {0, 1}, numbers({3})), ContainsSubstring("[2], got [3]"));
    CHECK_THROWS_WITH(index_add({4, 2}, 0, {0, 1}, numbers({3, 2})),
                      ContainsSubstring("need a source [2, 2]"));
    CHECK_THROWS_WITH(masked_fill(x, ones({4}, Dtype::float64), 0), ContainsSubstring("[4]"));
    CHECK_THROWS_WITH(one_hot({0, 3}, 3), ContainsSubstring("index 3 at [1]"));
}
