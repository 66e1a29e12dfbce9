// Products of matrices against the three plain loops, in every layout and broadcast.
#include "tests/autograd/oracle.h"

namespace heed {
namespace {

// The sum over k of a[..., i, k] b[..., k, j], in long double.
std::vector<double> plain_product(const Tensor& a, const Tensor& b, const Shape& shape) {
    std::vector<double> result;
    each_index(shape, [&](const Axes& index) {
        Axes from_a = index, from_b = index;
        long double total = 0;
        for (int64_t k = 0; k < a.size(-1); ++k) {
            from_a[index.count - 1] = k;
            from_b[index.count - 2] = k;
            total += static_cast<long double>(at(a, from_a)) * at(b, from_b);
        }
        result.push_back(static_cast<double>(total));
    });
    return result;
}

struct Sizes {
    Shape a, b, result;
};

TEST_CASE("matmul equals the plain loops, in every layout") {
    const Sizes all[] = {{{1, 1}, {1, 1}, {1, 1}},          {{3, 4}, {4, 2}, {3, 2}},
                         {{1, 17}, {17, 1}, {1, 1}},        {{17, 1}, {1, 19}, {17, 19}},
                         {{33, 40}, {40, 31}, {33, 31}},    {{130, 9}, {9, 70}, {130, 70}},
                         {{2, 3, 4}, {2, 4, 5}, {2, 3, 5}}, {{2, 3, 4}, {4, 5}, {2, 3, 5}},
                         {{3, 4}, {2, 4, 5}, {2, 3, 5}},    {{2, 1, 3, 4}, {3, 4, 2}, {2, 3, 3, 2}},
                         {{1, 3, 4}, {2, 4, 2}, {2, 3, 2}}};
    for (Dtype dtype : both_dtypes)
        for (const Sizes& sizes : all)
            for (const NamedLayout& a : layouts_of(draw(sizes.a, dtype, 1)))
                for (const NamedLayout& b : layouts_of(draw(sizes.b, dtype, 2))) {
                    INFO(to_string(sizes.a) << " " << a.name << " x " << to_string(sizes.b) << " "
                                            << b.name << " in " << name_of(dtype));
                    const Tensor c = matmul(a.x, b.x);
                    REQUIRE(to_string(c.shape()) == to_string(sizes.result));
                    require_close(c, plain_product(a.x, b.x, sizes.result), 10 * rounding(dtype));
                }
}

TEST_CASE("matmul of transposed and expanded views") {
    const Tensor a = draw({2, 3, 4}), b = draw({2, 3, 4}, Dtype::float64, 2);
    require_close(matmul(a, transpose(b)), plain_product(a, transpose(b), {2, 3, 3}), 1e-14);
    require_close(matmul(transpose(a), b), plain_product(transpose(a), b, {2, 4, 4}), 1e-14);
    const Tensor one = expand(draw({3, 1}), {3, 4});  // every column the same
    require_close(matmul(one, transpose(one)), plain_product(one, transpose(one), {3, 3}), 1e-14);
    const Tensor head = permute(draw({2, 5, 3, 4}), {0, 2, 1, 3});  // as attention splits its heads
    require_close(matmul(head, transpose(head)), plain_product(head, transpose(head), {2, 3, 5, 5}),
                  1e-14);
}

TEST_CASE("vectors take part as rows and columns") {
    const Tensor m = draw({3, 4}), v = draw({4}), u = draw({3}), batch = draw({2, 3, 4});
    CHECK(matmul(v, v).shape() == Shape{});
    require_close(matmul(v, v), sum(v * v), 1e-14);
    require_close(matmul(m, v), sum(m * v, 1), 1e-14);
    require_close(matmul(u, m), sum(m * unsqueeze(u, 1), 0), 1e-14);
    require_close(matmul(batch, v), sum(batch * v, 2), 1e-14);
    require_close(matmul(u, batch), sum(batch * unsqueeze(u, 1), 1), 1e-14);
}

TEST_CASE("matmul with an inner size of 0 is all zeros, and other sizes may be 0 as well") {
    CHECK(matmul(empty({2, 0}), empty({0, 3})).to_vector() == std::vector<double>(6, 0));
    CHECK(matmul(empty({2, 3, 0}), empty({0, 4})).to_vector() == std::vector<double>(24, 0));
    CHECK(matmul(empty({2, 3, 0}), empty({2, 0, 4})).to_vector() == std::vector<double>(24, 0));
    CHECK(matmul(empty({0, 3}), ones({3, 2})).shape() == Shape{0, 2});
    CHECK(matmul(empty({0, 2, 3}), ones({3, 4})).shape() == Shape{0, 2, 4});
    CHECK(matmul(empty({0, 2, 3}), empty({0, 3, 4})).shape() == Shape{0, 2, 4});
    CHECK(linear(empty({0, 3}), ones({2, 3}), ones({2})).shape() == Shape{0, 2});
    CHECK(linear(empty({2, 5, 0}), empty({3, 0}), ones({3})).to_vector() ==
          std::vector<double>(30, 1));
}

// Σ c f(xs) with a fixed random c, differentiated by every x.
template <class F>
std::vector<Tensor> weighed_gradients(F f, const std::vector<Tensor>& xs,
                                      bool create_graph = false) {
    std::vector<Tensor> leaves;
    for (const Tensor& x : xs) leaves.push_back(detach(x).set_requires_grad());
    const Tensor y = f(leaves);
    return grad(y, leaves, create_graph, draw(y.shape(), y.dtype(), 99));
}

TEST_CASE("the gradients of matmul are G Bᵀ and Aᵀ G, summed over broadcast batches") {
    for (const Sizes& sizes : {Sizes{{3, 4}, {4, 2}, {3, 2}}, Sizes{{2, 3, 4}, {4, 2}, {2, 3, 2}},
                               Sizes{{5, 1, 3, 4}, {2, 4, 3}, {5, 2, 3, 3}}}) {
        const Tensor a = draw(sizes.a), b = draw(sizes.b, Dtype::float64, 2);
        const auto found = weighed_gradients([](auto& x) { return matmul(x[0], x[1]); }, {a, b});
        const Tensor g = draw(sizes.result, Dtype::float64, 99);
        const Tensor full_a = matmul(g, transpose(b)), full_b = matmul(transpose(a), g);
        require_close(found[0], sum_to(full_a, a.shape()), 1e-13);
        require_close(found[1], sum_to(full_b, b.shape()), 1e-13);
    }
}

TEST_CASE("linear equals its definition: values, gradients, with a graph and without") {
    for (Dtype dtype : both_dtypes)
        for (const Shape& shape : {Shape{4}, Shape{3, 4}, Shape{2, 3, 4}, Shape{50, 4}})
            for (bool with_bias : {true, false})
                for (bool create_graph : {false, true})
                    for (const NamedLayout& x : layouts_of(draw(shape, dtype))) {
                        const std::vector<Tensor> inputs =
                            with_bias
                                ? std::vector{x.x, draw({5, 4}, dtype, 2), draw({5}, dtype, 3)}
                                : std::vector{x.x, draw({5, 4}, dtype, 2)};
                        const auto fused = [](const std::vector<Tensor>& in) {
                            return linear(in[0], in[1], in.size() > 2 ? in[2] : Tensor());
                        };
                        const auto plain = [](const std::vector<Tensor>& in) {
                            return linear_definition(in[0], in[1],
                                                     in.size() > 2 ? in[2] : Tensor());
                        };
                        const double tolerance = 10 * rounding(dtype);
                        require_close(fused(inputs), plain(inputs), tolerance);
                        const auto found = weighed_gradients(fused, inputs, create_graph);
                        const auto expected = weighed_gradients(plain, inputs, create_graph);
                        for (std::size_t i = 0; i < inputs.size(); ++i)
                            require_close(found[i], expected[i], tolerance);
                    }
}

TEST_CASE("a second factor used at several steps gathers the gradients of all of them") {
    // As a decoder reads the encoder's states: the second factor whole, a view of it, or broadcast.
    struct Case {
        Shape a, b;
    };
    for (const auto& [a, b] :
         {Case{{3, 1, 5}, {3, 5, 4}}, Case{{3, 2, 5}, {5, 4}}, Case{{3, 2, 5}, {1, 5, 4}},
          Case{{2, 5}, {3, 5, 4}}, Case{{2, 2, 3, 1}, {2, 1, 1, 6}}, Case{{4, 7}, {7, 1}},
          Case{{3, 0, 5}, {3, 5, 4}}}) {
        INFO(to_string(a) << " x " << to_string(b));
        const Tensor x = draw(a), y = draw(a, Dtype::float64, 3), w = draw(b, Dtype::float64, 2);
        for (bool turned : {false, true}) {
            const auto second = [turned](const Tensor& t) {
                return turned ? transpose(contiguous(transpose(t))) : t;
            };
            const auto in_place = weighed_gradients(
                [&](auto& in) {
                    const Tensor m = second(in[2]);
                    return matmul(in[0], m) + tanh(matmul(in[1], m)) * matmul(in[0] * in[1], m);
                },
                {x, y, w});
            // The definition: every product is a sum over the middle axis.
            const auto product = [](const Tensor& p, const Tensor& q) {
                return sum(unsqueeze(p, -1) * unsqueeze(q, -3), -2);
            };
            const auto plain = weighed_gradients(
                [&](auto& in) {
                    const Tensor& m = in[2];
                    return product(in[0], m) + tanh(product(in[1], m)) * product(in[0] * in[1], m);
                },
                {x, y, w});
            for (int i = 0; i < 3; ++i) require_close(in_place[i], plain[i], 1e-12);
        }
    }
}

TEST_CASE("a weight used at several steps gathers the gradients of all of them") {
    const Tensor x = draw({3, 4}), w = draw({4, 4}, Dtype::float64, 2);
    const auto fused = weighed_gradients(
        [](auto& in) { return linear(tanh(linear(tanh(linear(in[0], in[1])), in[1])), in[1]); },
        {x, w});
    const auto plain = weighed_gradients(
        [](auto& in) {
            const Tensor wt = transpose(in[1]);
            return matmul(tanh(matmul(tanh(matmul(in[0], wt)), wt)), wt);
        },
        {x, w});
    require_close(fused[0], plain[0], 1e-13);
    require_close(fused[1], plain[1], 1e-13);
}

}  // namespace
}  // namespace heed
