// Indices joined, cut, compared and converted.
#include "tests/autograd/compare.h"
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

TEST_CASE("bincount counts the values, nonzero says where they are") {
    CHECK(bincount({1, 3, 1, 0}) == Indices({1, 2, 0, 1}));
    CHECK(bincount(Indices({1, 3, 1, 0}, {2, 2}), 6) == Indices({1, 2, 0, 1, 0, 0}));
    CHECK(bincount({}) == Indices());
    CHECK(bincount({}, 2) == Indices({0, 0}));

    const Tensor x = tensor({0, 2, nan_value, 0, 0, -infinity}, {2, 3});
    CHECK(nonzero(x) == Indices({0, 1, 0, 2, 1, 2}, {3, 2}));
    CHECK(nonzero(transpose(x)) == Indices({1, 0, 2, 0, 2, 1}, {3, 2}));
    CHECK(nonzero(tensor({-0.0, 1, 0}, Dtype::float64)) == Indices({1}, {1, 1}));
    CHECK(nonzero(zeros({0, 3})).shape() == Shape{0, 2});
    CHECK(nonzero(zeros({2, 3})).shape() == Shape{0, 2});
    CHECK(nonzero(scalar(1)).shape() == Shape{1, 0});
    CHECK(nonzero(scalar(0)).shape() == Shape{0, 0});
}

TEST_CASE("Indices are concatenated and sliced as tensors are") {
    const Indices a({0, 1, 2, 3, 4, 5, 6, 7}, {2, 2, 2}), b({10, 11, 12, 13}, {2, 1, 2});
    const Indices both = concat({a, b}, 1);
    CHECK(both == Indices({0, 1, 2, 3, 10, 11, 4, 5, 6, 7, 12, 13}, {2, 3, 2}));
    CHECK(slice(both, 1, 0, 2) == a);
    CHECK(slice(both, -2, -1, 3) == b);
    CHECK(slice(a, 0, 1, 2) == Indices({4, 5, 6, 7}, {1, 2, 2}));
    CHECK(slice(a, 2, 1, 1).shape() == Shape{2, 2, 0});
    for (int axis : {0, 1, 2})  // as to_tensor() of them
        for (int64_t i : {0, 1})
            CHECK(same_bits(to_tensor(slice(a, axis, i, i + 1)),
                            slice(to_tensor(a), axis, i, i + 1)));
    CHECK(concat({Indices({1, 2}), Indices({3})}) == Indices({1, 2, 3}));
}

TEST_CASE("comparisons of Indices are masks") {
    const Indices ids({3, 0, 5, 0}, {2, 2});
    CHECK(equal(ids, 0).to_vector() == std::vector<double>{0, 1, 0, 1});
    CHECK(not_equal(ids, 0).to_vector() == std::vector<double>{1, 0, 1, 0});
    CHECK(less(ids, 3).to_vector() == std::vector<double>{0, 1, 0, 1});
    CHECK(greater(ids, 3).to_vector() == std::vector<double>{0, 0, 1, 0});
    CHECK(equal(ids, Indices({3, 1, 5, 2}, {2, 2})).to_vector() == std::vector<double>{1, 0, 1, 0});
    CHECK(not_equal(ids, ids, Dtype::float64).dtype() == Dtype::float64);
    CHECK(equal(ids, 0).shape() == Shape{2, 2});
}

TEST_CASE("tensors of whole numbers become Indices and come back") {
    const Indices ids({3, -1, 2147483647, 0}, {2, 2});
    CHECK(to_indices(to_tensor(ids, Dtype::float64)) == ids);
    CHECK(to_indices(transpose(tensor({1, 2, 3, 4}, {2, 2}))) == Indices({1, 3, 2, 4}, {2, 2}));
}

TEST_CASE("randperm is a permutation, another for another state of the generator") {
    Rng rng(1);
    const Indices first = randperm(50, rng), second = randperm(50, rng);
    CHECK_FALSE(first == second);
    CHECK(sort(to_tensor(first)).values.to_vector() == arange(50).to_vector());
    CHECK(randperm(0, rng).count() == 0);
}

}  // namespace
}  // namespace heed
