// The tensor itself: how it is made, read, viewed and changed.
#include "autograd/base/pool.h"
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

TEST_CASE("factories give the numbers, shape and dtype they promise") {
    for (Dtype dtype : both_dtypes) {
        CHECK(zeros({2, 3}, dtype).to_vector() == std::vector<double>(6, 0));
        CHECK(ones({2}, dtype).to_vector() == std::vector<double>(2, 1));
        CHECK(full({3}, -2.5, dtype).to_vector() == std::vector<double>(3, -2.5));
        CHECK(scalar(4, dtype).shape() == Shape{});
        CHECK(scalar(4, dtype).item() == 4);
        CHECK(arange(4, dtype).to_vector() == std::vector<double>{0, 1, 2, 3});
        CHECK(eye(2, dtype).to_vector() == std::vector<double>{1, 0, 0, 1});
        CHECK(empty({2, 0, 3}, dtype).numel() == 0);
        CHECK(zeros_like(full({2, 1}, 7, dtype)).to_vector() == std::vector<double>{0, 0});
        CHECK(ones_like(full({2, 1}, 7, dtype)).shape() == Shape{2, 1});
        CHECK(tensor({1, 2, 3, 4}, {2, 2}, dtype).at({1, 0}) == 3);
        CHECK(zeros({1}, dtype).dtype() == dtype);
    }
    const float values[] = {0.1f, 0.2f};
    CHECK(tensor(values, {2, 1}).at({1, 0}) == 0.2f);
    CHECK(tensor({1, 2, 3}).shape() == Shape{3});
    CHECK(tensor({1}).dtype() == Dtype::float32);
    CHECK(arange(0).numel() == 0);
}

TEST_CASE("elements are read by index; negative indices count from the end") {
    const Tensor x = tensor({1, 2, 3, 4, 5, 6}, {2, 3});
    CHECK(x.at({0, 2}) == 3);
    CHECK(x.at({-1, -3}) == 4);
    CHECK(transpose(x).at({2, 0}) == 3);
    CHECK(x.size(-1) == 3);
    CHECK(x.dim() == 2);
    CHECK(transpose(x).to_vector() == std::vector<double>{1, 4, 2, 5, 3, 6});
    CHECK(empty({3, 0}).to_vector().empty());
}

TEST_CASE("a tensor is a handle: copies are the same tensor") {
    Tensor x = zeros({2});
    const Tensor same = x;
    x.edit<float>()[1] = 5;
    CHECK(same.at({1}) == 5);
    CHECK_FALSE(Tensor().defined());
    Tensor moved = std::move(x);
    CHECK_FALSE(x.defined());  // NOLINT: what a move leaves behind is part of the contract
    CHECK(moved.defined());
    const Tensor& itself = moved;
    moved = itself;
    CHECK(moved.at({1}) == 5);
}

TEST_CASE("views look at the same memory and take none of their own") {
    Tensor x = zeros({64, 64});
    const std::size_t before = memory_use().in_use;
    const std::vector<Tensor> views{
        transpose(x),    reshape(x, {8, 512}), slice(x, 0, 3, 9, 2),   select(x, 1, 5),
        unsqueeze(x, 1), flip(x, 0),           expand(x, {5, 64, 64}), detach(x)};
    const std::size_t for_handles = 256 * views.size();
    CHECK(memory_use().in_use - before <= for_handles);
    x.edit<float>()[5 * 64 + 5] = 7;  // row 5, column 5
    for (const Tensor& view : views) {
        const std::vector<double> values = view.to_vector();
        CHECK(std::find(values.begin(), values.end(), 7) != values.end());
        CHECK(view.body()->storage == x.body()->storage);
    }
}

TEST_CASE("the memory of a tensor lives as long as its longest living view") {
    Tensor corner;
    {
        const Tensor x = tensor({1, 2, 3, 4}, {2, 2});
        corner = select(select(x, 0, 1), 0, 1);
    }
    const Tensor other = full({2, 2}, 9);
    CHECK(corner.item() == 4);
}

TEST_CASE("clone and to_dtype copy and are recorded, detach is neither") {
    Tensor x = tensor({1, 2, 3, 4}, {2, 2}, Dtype::float64).set_requires_grad();
    const Tensor copy = clone(x), cut = detach(x), narrow = to_dtype(transpose(x), Dtype::float32);
    x.edit<double>()[0] = 10;
    CHECK(copy.at({0, 0}) == 1);
    CHECK(cut.at({0, 0}) == 10);
    CHECK(copy.requires_grad());  // both are recorded; detach() leaves the graph
    CHECK(narrow.requires_grad());
    CHECK_FALSE(cut.requires_grad());
    CHECK_FALSE(copy_of(x).requires_grad());
    CHECK(narrow.dtype() == Dtype::float32);
    CHECK(narrow.to_vector() == std::vector<double>{1, 3, 2, 4});
    CHECK(to_dtype(tensor({0.1}), Dtype::float64).item() == static_cast<double>(0.1f));
}

TEST_CASE("ranges, and tensors like another") {
    CHECK(arange(3).to_vector() == std::vector<double>{0, 1, 2});
    CHECK(arange(2, 5).to_vector() == std::vector<double>{2, 3, 4});
    CHECK(arange(0, 1, 0.25).to_vector() == std::vector<double>{0, 0.25, 0.5, 0.75});
    CHECK(arange(3, 0, -2).to_vector() == std::vector<double>{3, 1});
    CHECK(arange(3, 0, 1).numel() == 0);
    CHECK(arange(0, 2, 1, Dtype::float64).dtype() == Dtype::float64);
    CHECK(linspace(0, 1, 5).to_vector() == std::vector<double>{0, 0.25, 0.5, 0.75, 1});
    CHECK(linspace(2, -2, 3).to_vector() == std::vector<double>{2, 0, -2});
    CHECK(linspace(3, 9, 1).to_vector() == std::vector<double>{3});
    CHECK(linspace(0.1, 0.7, 4, Dtype::float64).at({3}) == 0.7);
    const Tensor x = zeros({2, 3}, Dtype::float64);
    Rng rng(1);
    for (const Tensor& like :
         {empty_like(x), zeros_like(x), ones_like(x), full_like(x, 7), uniform_like(x, 0, 1, rng),
          normal_like(x, 0, 1, rng), bernoulli_like(x, 0.5, rng)}) {
        CHECK(like.shape() == x.shape());
        CHECK(like.dtype() == x.dtype());
    }
    CHECK(full_like(x, 7).at({1, 2}) == 7);
    Rng a(3), b(3);
    CHECK(same_bits(normal_like(x, 1, 2, a), normal({2, 3}, 1, 2, b, Dtype::float64)));
}

TEST_CASE("assign copies numbers into a leaf, also from a view of the leaf itself") {
    Tensor x = tensor({1, 2, 3, 4}, {2, 2});
    x.assign(transpose(x));
    CHECK(x.to_vector() == std::vector<double>{1, 3, 2, 4});
    Tensor w = zeros({2, 2}).set_requires_grad();
    w.assign(x);
    CHECK(w.to_vector() == x.to_vector());
    CHECK(w.requires_grad());
}

TEST_CASE("contiguous means row-major without gaps") {
    const Tensor x = draw({3, 4});
    CHECK(x.is_contiguous());
    CHECK_FALSE(transpose(x).is_contiguous());
    CHECK(transpose(transpose(x)).is_contiguous());
    CHECK(slice(x, 0, 1, 3).is_contiguous());
    CHECK_FALSE(slice(x, 1, 1, 3).is_contiguous());
    CHECK_FALSE(flip(x, 0).is_contiguous());
    CHECK_FALSE(expand(unsqueeze(select(x, 0, 0), 0), {2, 4}).is_contiguous());
    CHECK(transpose(draw({3, 1})).is_contiguous());  // the stride of a size-1 axis says nothing
    CHECK(unsqueeze(x, 1).is_contiguous());
}

TEST_CASE("set_requires_grad makes a leaf, and a constant again") {
    Tensor x = ones({2});
    CHECK_FALSE(x.requires_grad());
    CHECK_FALSE(x.grad().defined());
    x.set_requires_grad();
    x.set_requires_grad();  // once more changes nothing
    backward(sum(x * 3.0));
    CHECK(x.grad().to_vector() == std::vector<double>{3, 3});
    x.clear_grad();
    CHECK_FALSE(x.grad().defined());
    x.set_requires_grad(false);
    CHECK_FALSE((x * 3.0).requires_grad());
}

TEST_CASE("memory is unshared while one tensor alone refers to it") {
    const Tensor x = draw({2, 3});
    CHECK(is_unshared(x));
    const Tensor same = x;
    CHECK_FALSE(is_unshared(x));
    const Tensor y = clone(x);
    {
        const Tensor view = transpose(y);
        CHECK_FALSE(is_unshared(y));
        CHECK_FALSE(is_unshared(view));
    }
    CHECK(is_unshared(y));
}

TEST_CASE("six axes work, as does none") {
    const Tensor x = draw({2, 1, 3, 1, 2, 2});
    const Tensor y = draw({1, 2, 1, 3, 1, 1}, Dtype::float64, 2);
    const Tensor z = x * y;
    CHECK(z.shape() == Shape{2, 2, 3, 3, 2, 2});
    CHECK(z.at({1, 1, 2, 2, 1, 0}) == x.at({1, 0, 2, 0, 1, 0}) * y.at({0, 1, 0, 2, 0, 0}));
    CHECK(scalar(3).at({}) == 3);
}

}  // namespace
}  // namespace heed
