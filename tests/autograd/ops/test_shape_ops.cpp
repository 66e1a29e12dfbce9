// Operations that move elements about, each against index arithmetic: element `index` of the result
// is an element of the operand.
#include "tests/autograd/oracle.h"
#include "tests/skipped.h"

namespace heed {
namespace {

bool shares_memory(const Tensor& a, const Tensor& b) {
    return a.body()->storage == b.body()->storage;
}

// y has the shape, and y[index] = x[source(index)] everywhere.
template <class Source>
void require_moved(const Tensor& y, const Shape& shape, const Tensor& x, Source source) {
    REQUIRE(to_string(y.shape()) == to_string(shape));
    std::vector<double> expected;
    each_index(shape, [&](Axes index) { expected.push_back(at(x, source(index))); });
    require_close(y, expected, 0);
}

TEST_CASE("reshape keeps the row-major order, whatever the strides") {
    const Shape shapes[] = {{24},       {4, 6},       {2, 3, 4}, {2, 1, 12},
                            {1, 24, 1}, {2, 2, 2, 3}, {3, 8},    {1, 2, 1, 3, 2, 2}};
    for (const Shape& from : shapes)
        for (const NamedLayout& layout : layouts_of(draw(from)))
            for (const Shape& to : shapes) {
                INFO(layout.name << " " << to_string(from) << " to " << to_string(to));
                const Tensor y = reshape(layout.x, to);
                CHECK(y.shape() == to);
                require_close(y, layout.x.to_vector(), 0);
                if (layout.x.is_contiguous()) CHECK(shares_memory(y, layout.x));
            }
}

TEST_CASE("reshape of permuted and expanded tensors") {
    const Tensor x = draw({2, 3, 4});
    const Axes orders[] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (const Axes& order : orders)
        for (const Shape& to :
             {Shape{24}, Shape{6, 4}, Shape{4, 6}, Shape{2, 12}, Shape{2, 2, 6}}) {
            const Tensor view = permute(x, order);
            require_close(reshape(view, to), view.to_vector(), 0);
        }
    const Tensor wide = expand(draw({3, 1, 4}), {3, 5, 4});
    require_close(reshape(wide, {15, 4}), wide.to_vector(), 0);
    require_close(reshape(expand(draw({1, 1}), {4, 6}), {24}),
                  expand(draw({1, 1}), {24, 1}).to_vector(), 0);
}

TEST_CASE("reshape copies only where the strides make it") {
    const Tensor x = draw({4, 6});
    CHECK(shares_memory(reshape(slice(x, 1, 0, 3), {2, 2, 3}), x));  // rows kept apart
    CHECK(shares_memory(reshape(slice(x, 0, 1, 3), {12}), x));       // whole rows
    CHECK(shares_memory(reshape(transpose(x), {2, 3, 4}), x));       // one axis cut in two
    CHECK(shares_memory(reshape(unsqueeze(transpose(x), 1), {6, 4}), x));
    CHECK_FALSE(shares_memory(reshape(transpose(x), {24}), x));
    CHECK_FALSE(shares_memory(reshape(slice(x, 1, 0, 3), {12}), x));
}

TEST_CASE("reshape computes one size") {
    const Tensor x = draw({2, 3, 4});
    CHECK(reshape(x, {-1}).shape() == Shape{24});
    CHECK(reshape(x, {4, -1}).shape() == Shape{4, 6});
    CHECK(reshape(x, {-1, 8}).shape() == Shape{3, 8});
    CHECK(reshape(scalar(1), {-1}).shape() == Shape{1});
    CHECK(reshape(ones({1, 1}), {}).shape() == Shape{});
    CHECK(reshape(empty({0, 3}), {-1, 3}).shape() == Shape{0, 3});
}

TEST_CASE("flatten merges a run of axes") {
    const Tensor x = draw({2, 3, 4, 5});
    CHECK(flatten(x).shape() == Shape{120});
    CHECK(flatten(x, 1).shape() == Shape{2, 60});
    CHECK(flatten(x, 1, 2).shape() == Shape{2, 12, 5});
    CHECK(flatten(x, -2).shape() == Shape{2, 3, 20});
    CHECK(flatten(x, 1, 1).shape() == x.shape());
}

TEST_CASE("transpose and permute") {
    const Tensor x = draw({2, 3, 4});
    require_moved(transpose(x), {2, 4, 3}, x, [](Axes p) { return Axes{p[0], p[2], p[1]}; });
    require_moved(transpose(x, 0, -1), {4, 3, 2}, x, [](Axes p) { return Axes{p[2], p[1], p[0]}; });
    require_moved(permute(x, {2, 0, 1}), {4, 2, 3}, x, [](Axes p) {
        return Axes{p[1], p[2], p[0]};
    });
    require_moved(permute(x, {-1, 0, -2}), {4, 2, 3}, x, [](Axes p) {
        return Axes{p[1], p[2], p[0]};
    });
    CHECK(shares_memory(permute(x, {1, 2, 0}), x));
}

TEST_CASE("slice and select") {
    for (const NamedLayout& layout : layouts_of(draw({5, 7}))) {
        const Tensor& x = layout.x;
        require_moved(slice(x, 0, 1, 4), {3, 7}, x, [](Axes p) { return Axes{p[0] + 1, p[1]}; });
        require_moved(slice(x, 1, 0, 7, 3), {5, 3}, x, [](Axes p) { return Axes{p[0], 3 * p[1]}; });
        require_moved(slice(x, 1, 1, 6, 2), {5, 3}, x, [](Axes p) {
            return Axes{p[0], 1 + 2 * p[1]};
        });
        require_moved(slice(x, -1, -3, -1), {5, 2}, x, [](Axes p) { return Axes{p[0], p[1] + 4}; });
        require_moved(select(x, 0, 3), {7}, x, [](Axes p) { return Axes{3, p[0]}; });
        require_moved(select(x, 1, -2), {5}, x, [](Axes p) { return Axes{p[0], 5}; });
        CHECK(slice(x, 0, 2, 2).shape() == Shape{0, 7});
        CHECK(slice(x, 0, 5, 5).numel() == 0);
        CHECK(shares_memory(slice(x, 1, 1, 6, 2), x));
    }
}

TEST_CASE("expand, squeeze and unsqueeze") {
    const Tensor x = draw({3, 1, 4});
    require_moved(expand(x, {2, 3, 5, 4}), {2, 3, 5, 4}, x, [](Axes p) {
        return Axes{p[1], 0, p[3]};
    });
    require_moved(squeeze(x, 1), {3, 4}, x, [](Axes p) { return Axes{p[0], 0, p[1]}; });
    require_moved(unsqueeze(x, -1), {3, 1, 4, 1}, x, [](Axes p) { return Axes{p[0], p[1], p[2]}; });
    require_moved(unsqueeze(x, 0), {1, 3, 1, 4}, x, [](Axes p) { return Axes{p[1], p[2], p[3]}; });
    CHECK(expand(scalar(2), {3}).to_vector() == std::vector<double>{2, 2, 2});
    CHECK(expand(ones({1, 3}), {0, 3}).numel() == 0);
}

TEST_CASE("split, chunk and unbind give views; concat and stack join them again") {
    for (const NamedLayout& layout : layouts_of(draw({4, 6}))) {
        const Tensor& x = layout.x;
        const auto parts = split(x, {1, 0, 5}, 1);
        REQUIRE(parts.size() == 3);
        CHECK(parts[1].shape() == Shape{4, 0});
        CHECK(shares_memory(parts[2], x));
        CHECK(same_bits(concat(parts, 1), x));
        CHECK(same_bits(concat(chunk(x, 2), 0), x));
        CHECK(same_bits(concat(chunk(x, 3, -1), 1), x));
        const auto fours = split(x, 4, 1);  // sizes, as in PyTorch: 4 and the remaining 2
        REQUIRE(fours.size() == 2);
        CHECK(fours[0].shape() == Shape{4, 4});
        CHECK(fours[1].shape() == Shape{4, 2});
        CHECK(same_bits(concat(fours, 1), x));
        CHECK(split(x, 9).size() == 1);
        CHECK(same_bits(stack(unbind(x, 0), 0), x));
        CHECK(same_bits(stack(unbind(x, 1), -1), x));
        CHECK(stack(unbind(x, 1), 0).shape() == Shape{6, 4});
        CHECK(unbind(x, -1).size() == 6);
    }
    CHECK(stack({scalar(1), scalar(2)}).to_vector() == std::vector<double>{1, 2});
    CHECK(concat({ones({2, 1}), zeros({2, 2})}, -1).to_vector() ==
          std::vector<double>{1, 0, 0, 1, 0, 0});
}

TEST_CASE("flip, pad and contiguous") {
    for (const NamedLayout& layout : layouts_of(draw({4, 6}))) {
        const Tensor& x = layout.x;
        require_moved(flip(x, 0), {4, 6}, x, [](Axes p) { return Axes{3 - p[0], p[1]}; });
        require_moved(flip(flip(x, 1), -1), {4, 6}, x, [](Axes p) { return p; });
        CHECK(same_bits(contiguous(x), x));
        CHECK(contiguous(x).is_contiguous());
        const Tensor padded = pad(x, 1, 2, 3, 9);
        CHECK(padded.shape() == Shape{4, 11});
        CHECK(same_bits(slice(padded, 1, 2, 8), x));
        CHECK(padded.at({0, 1}) == 9);
        CHECK(padded.at({3, 8}) == 9);
        CHECK(padded.at({3, 10}) == 9);
    }
    const Tensor x = draw({2, 3});
    CHECK(contiguous(x).body() == x.body());
    CHECK(pad(empty({0, 2}), 0, 1, 1, 3).to_vector() == std::vector<double>(4, 3));
    CHECK(flip(empty({0, 2}), 0).numel() == 0);
}

TEST_CASE("x[i] and x[Slice] are views of the first axis, x[indices] picks from it") {
    for (const NamedLayout& layout : layouts_of(draw({5, 3, 2}))) {
        const Tensor& x = layout.x;
        CHECK(same_bits(x[3], select(x, 0, 3)));
        CHECK(same_bits(x[-1], select(x, 0, 4)));
        CHECK(x[1][2][0].item() == x.at({1, 2, 0}));
        CHECK(same_bits(x[Slice{1, 4}], slice(x, 0, 1, 4)));
        CHECK(same_bits(x[Slice{.begin = 2}], slice(x, 0, 2, 5)));
        CHECK(same_bits(x[Slice{.end = -1}], slice(x, 0, 0, 4)));
        CHECK(same_bits(x[Slice{.step = 2}], slice(x, 0, 0, 5, 2)));
        CHECK(shares_memory(x[2], x));
        CHECK(shares_memory(x[Slice{1, 4}], x));
        require_moved(x[Indices({4, 0, 4, 1}, {2, 2})], {2, 2, 3, 2}, x, [](Axes p) {
            return Axes{p[0] == 1 && p[1] == 1 ? 1 : p[0] == 0 && p[1] == 1 ? 0 : 4, p[2], p[3]};
        });
    }
    Tensor x = draw({4, 2}).set_requires_grad();
    backward(sum(x[1] * 3) + sum(x[Slice{1, 3}]));
    CHECK(x.grad().to_vector() == std::vector<double>{0, 0, 4, 4, 1, 1, 0, 0});
}

TEST_CASE("a += b gives the handle a new tensor and changes no other") {
    Tensor x = tensor({1, 2, 3});
    const Tensor before = x;
    x += 1;
    x *= tensor({2, 2, 2});
    x -= tensor({1});
    x /= 3.0;
    CHECK(x.to_vector() == std::vector<double>{1, 5 / 3.0f, 7 / 3.0f});
    CHECK(before.to_vector() == std::vector<double>{1, 2, 3});
    Tensor leaf = tensor({1, 2}).set_requires_grad();
    Tensor total = scalar(0);
    for (int i = 1; i <= 3; ++i) total += static_cast<double>(i) * sum(leaf);
    backward(total);
    CHECK(leaf.grad().to_vector() == std::vector<double>{6, 6});
}

TEST_CASE("unflatten, roll, repeat and repeat_interleave") {
    for (const NamedLayout& layout : layouts_of(draw({4, 6}))) {
        const Tensor& x = layout.x;
        require_moved(unflatten(x, 1, {2, -1}), {4, 2, 3}, x, [](Axes p) {
            return Axes{p[0], 3 * p[1] + p[2]};
        });
        for (int64_t shift : {0, 1, -2, 4, 15, -13})
            require_moved(roll(x, shift, 1), {4, 6}, x, [=](Axes p) {
                return Axes{p[0], ((p[1] - shift) % 6 + 6) % 6};
            });
        require_moved(repeat(x, {3, 2}), {12, 12}, x, [](Axes p) {
            return Axes{p[0] % 4, p[1] % 6};
        });
        require_moved(repeat(x, {2, 1, 2}), {2, 4, 12}, x, [](Axes p) {
            return Axes{p[1], p[2] % 6};
        });
        CHECK(repeat(x, {0, 1}).shape() == Shape{0, 6});
        require_moved(repeat_interleave(x, 3, 0), {12, 6}, x, [](Axes p) {
            return Axes{p[0] / 3, p[1]};
        });
        require_moved(repeat_interleave(x, 2, -1), {4, 12}, x, [](Axes p) {
            return Axes{p[0], p[1] / 2};
        });
    }
    CHECK(repeat(tensor({1, 2}), {2}).to_vector() == std::vector<double>{1, 2, 1, 2});
    CHECK(repeat_interleave(tensor({1, 2}), 2, 0).to_vector() == std::vector<double>{1, 1, 2, 2});
    CHECK(repeat(scalar(3), {2}).to_vector() == std::vector<double>{3, 3});
}

TEST_CASE("tril and triu, whatever the other elements are") {
    for (int64_t d : {-5, -1, 0, 1, 3, 9})
        for (const NamedLayout& layout : layouts_of(draw({2, 3, 4}))) {
            const Tensor low = tril(layout.x, d), high = triu(layout.x, d);
            each_index(Shape{2, 3, 4}, [&](const Axes& p) {
                CHECK(at(low, p) == (p[2] - p[1] <= d ? at(layout.x, p) : 0));
                CHECK(at(high, p) == (p[2] - p[1] >= d ? at(layout.x, p) : 0));
            });
        }
    CHECK(tril(full({2, 2}, NAN, Dtype::float64), -1).at({0, 1}) == 0);
}

TEST_CASE("diagonals are views, and put_on_diagonal is the adjoint of diagonal") {
    for (const NamedLayout& layout : layouts_of(draw({4, 2, 3})))
        for (int64_t d : {-4, -2, 0, 1, 2, 7}) {
            const Tensor& x = layout.x;
            const int64_t row = std::max<int64_t>(-d, 0), column = std::max<int64_t>(d, 0);
            const int64_t length = std::max<int64_t>(std::min(4 - row, 3 - column), 0);
            const Tensor y = diagonal(x, d, 0, 2);
            require_moved(y, {2, length}, x, [=](Axes p) {
                return Axes{p[1] + row, p[0], p[1] + column};
            });
            CHECK(shares_memory(y, x));
            const Tensor c = draw({2, length}, Dtype::float64, 3);
            CHECK(sum(y * c).item() ==
                  Approx(sum(x * put_on_diagonal(c, {4, 2, 3}, d, 0, 2)).item()));
        }
    CHECK(diag(tensor({1, 2})).to_vector() == std::vector<double>{1, 0, 0, 2});
    CHECK(diag(tensor({5}), 1).to_vector() == std::vector<double>{0, 5, 0, 0});
    CHECK(diag(tensor({5}), -1).to_vector() == std::vector<double>{0, 0, 5, 0});
    CHECK(diag(tensor({1, 2, 3, 4}, {2, 2})).to_vector() == std::vector<double>{1, 4});
    CHECK(diag(tensor({1, 2, 3, 4}, {2, 2}), 1).to_vector() == std::vector<double>{2});
}

TEST_CASE("the largest views are copied by threads without mistake") {
    const Tensor x = draw({300, 500}, Dtype::float32);
    require_moved(clone(transpose(x)), {500, 300}, x, [](Axes p) { return Axes{p[1], p[0]}; });
    CHECK(same_bits(concat({slice(x, 1, 0, 123), slice(x, 1, 123, 500)}, 1), x));
}

TEST_CASE("appending step by step equals concatenating") {
    for (Dtype dtype : both_dtypes)
        for (int axis : {0, 1, -1}) {
            const Shape piece = axis == 0   ? Shape{1, 2, 3}
                                : axis == 1 ? Shape{2, 1, 3}
                                            : Shape{2, 3, 1};
            Tensor grown = draw(piece, dtype, 0);
            std::vector<Tensor> pieces{grown};
            for (uint64_t i = 1; i < 70; ++i) {
                pieces.push_back(draw(piece, dtype, i));
                grown = append(grown, pieces.back(), axis);
                CHECK(same_bits(grown, concat(pieces, axis)));
            }
        }
}

TEST_CASE("appending does not change its input, and uses its spare capacity once") {
    const Tensor x = draw({2, 3}, Dtype::float32, 1), a = draw({2, 1}, Dtype::float32, 2),
                 b = draw({2, 2}, Dtype::float32, 3);
    const Tensor trunk = append(x, a, 1), copy = clone(trunk);
    const Tensor first = append(trunk, b, 1), second = append(trunk, a, 1);
    CHECK(same_bits(trunk, copy));
    CHECK(same_bits(first, concat({x, a, b}, 1)));
    CHECK(same_bits(second, concat({x, a, a}, 1)));
    CHECK(first.data<float>() == trunk.data<float>());   // the same memory
    CHECK(second.data<float>() != trunk.data<float>());  // a copy
    // A slice or a transposed view has no spare capacity: it is copied.
    CHECK(same_bits(append(slice(first, 1, 1, 6), a, 1), concat({slice(first, 1, 1, 6), a}, 1)));
    CHECK(same_bits(append(transpose(first), draw({1, 2}, Dtype::float32), 0),
                    concat({transpose(first), draw({1, 2}, Dtype::float32)}, 0)));
    CHECK_THROWS_WITH(append(x, draw({3, 1}, Dtype::float32), 1),
                      Catch::Matchers::ContainsSubstring("differ along another axis"));
}

// What was appended behind a slice is written over if nobody can see it, and is kept if somebody can.
TEST_CASE("a sequence goes back by a slice, and grows from there") {
    const Tensor a = draw({2, 3}, Dtype::float32, 1), b = draw({2, 2}, Dtype::float32, 2),
                 c = draw({2, 1}, Dtype::float32, 3);
    for (bool seen : {false, true}) {
        Tensor grown = append(append(a, b, 1), b, 1);
        const float* const memory = grown.data<float>();
        const Tensor all = seen ? grown : Tensor(), copy = clone(grown);
        grown = slice(grown, 1, 0, 4);
        grown = append(grown, c, 1);
        CHECK(same_bits(grown, concat({slice(copy, 1, 0, 4), c}, 1)));
        CHECK((grown.data<float>() == memory) == !seen);
        if (seen) CHECK(same_bits(all, copy));
        grown = append(grown, b, 1);
        CHECK(same_bits(grown, concat({slice(copy, 1, 0, 4), c, b}, 1)));
    }
}

TEST_CASE("a reserved sequence grows without a copy") {
    Tensor grown = reserve(draw({2, 3}, Dtype::float32, 1), 1, 40);
    const Tensor before = clone(grown);
    CHECK(same_bits(before, draw({2, 3}, Dtype::float32, 1)));
    const float* const memory = grown.data<float>();
    for (int i = 0; i < 37; ++i) grown = append(grown, draw({2, 1}, Dtype::float32, 2), 1);
    CHECK(grown.data<float>() == memory);
    CHECK(same_bits(slice(grown, 1, 0, 3), before));
    CHECK(reserve(grown, 1, 40).data<float>() == memory);  // it has it
    const Tensor longer = reserve(grown, 1, 41);
    CHECK(longer.data<float>() != memory);
    CHECK(same_bits(longer, grown));
    CHECK_THROWS_WITH(reserve(grown, 1, 39),
                      Catch::Matchers::ContainsSubstring("expected at least its size"));
}

TEST_CASE("a sequence of 1000 appended rows is moved at most 8 times", "[unsanitized]") {
    if (sanitized && skipped("the pool gives no spare capacity there")) return;
    Tensor grown = draw({1, 4}, Dtype::float32);
    const Tensor piece = draw({1, 4}, Dtype::float32);
    int moves = 0;
    for (int i = 0; i < 1000; ++i) {
        const Tensor longer = append(grown, piece, 0);
        moves += longer.data<float>() != grown.data<float>();
        grown = longer;
    }
    CHECK(moves <= 8);
}

TEST_CASE("empty tensors are reshaped, divided and joined, too") {
    const Tensor x = empty({2, 0, 3});
    CHECK(reshape(x, {0}).numel() == 0);
    CHECK(reshape(x, {5, 0}).shape() == Shape{5, 0});
    CHECK(transpose(x, 0, 1).shape() == Shape{0, 2, 3});
    CHECK(clone(transpose(x)).numel() == 0);
    CHECK(concat({x, ones({2, 1, 3})}, 1).to_vector() == std::vector<double>(6, 1));
    CHECK(unbind(x, 1).empty());
    Tensor leaf = clone(x).set_requires_grad();
    backward(sum(reshape(transpose(leaf, 0, 1), {0})));
    CHECK(leaf.grad().shape() == x.shape());
}

}  // namespace
}  // namespace heed
