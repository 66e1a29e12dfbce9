// Reductions, views, products, indexing and the fused kernels.
#include <limits>

#include "tests/gradcheck/registry.h"

namespace heed {
namespace {

using Xs = std::vector<Tensor>;

// A function of one tensor in the layouts that matter: row-major, transposed, and with gaps.
template <class F>
void add_unary(std::vector<Case>& cases, const std::string& name, F f, const Shape& shape) {
    cases.push_back({name, [=](const Xs& x) { return f(x[0]); }, {sample(shape)}});
    if (shape.dim() < 2) return;
    Shape turned = shape;
    std::swap(turned[0], turned[1]);
    cases.push_back({name + " of a transposed view",
                     [=](const Xs& x) { return f(transpose(x[0], 0, 1)); },
                     {sample(turned)}});
    Shape wide = shape;
    wide[shape.dim() - 1] *= 2;
    cases.push_back({name + " of every second column",
                     [=](const Xs& x) { return f(slice(x[0], -1, 0, wide.back(), 2)); },
                     {sample(wide)}});
}

std::vector<Case> reductions() {
    std::vector<Case> cases;
    const auto add = [&](const char* name, auto reduce) {
        for (const AxesOrAll& axes :
             {AxesOrAll{}, AxesOrAll{0}, AxesOrAll{-1}, AxesOrAll{0, 2}, AxesOrAll{1, 2}})
            for (bool keepdim : {false, true})
                add_unary(
                    cases,
                    fmt::format("{} over {}{}", name, axes.count ? to_string(axes) : "everything",
                                keepdim ? ", keepdim" : ""),
                    [=](const Tensor& x) { return reduce(x, axes, keepdim); }, {2, 3, 4});
        add_unary(cases, fmt::format("{} of [1, 1]", name),
                  [=](const Tensor& x) {
                      return reduce(concat({x, 2 * x}, 0), AxesOrAll{}, false);
                  },
                  {1, 1});
    };
    add("sum", [](auto... a) { return sum(a...); });
    add("mean", [](auto... a) { return mean(a...); });
    add("var", [](const Tensor& x, const AxesOrAll& r, bool k) { return var(x, r, k); });
    add("stddev", [](const Tensor& x, const AxesOrAll& r, bool k) {
        return stddev(x, r, k, x.numel() > 2 ? 1 : 0);
    });
    add("norm", [](const Tensor& x, const AxesOrAll& r, bool k) { return norm(x, 2, r, k); });
    add("centred", [](const Tensor& x, const AxesOrAll& r, bool k) {
        return sum(centred(x, r) * like(x, sample(x.shape(), -1, 1, 2)), r, k);
    });
    add("prod", [](auto... a) { return prod(a...); });
    add("max", [](auto... a) { return max(a...); });
    add("min", [](auto... a) { return min(a...); });
    add("logsumexp", [](auto... a) { return logsumexp(a...); });
    add_unary(cases, "var with divisor n", [](const Tensor& x) { return var(x, 1, false, 0); },
              {3, 4});
    for (double p : {1.0, 2.5, 3.0, std::numeric_limits<double>::infinity()})
        add_unary(cases, fmt::format("norm with p = {}", p),
                  [p](const Tensor& x) { return norm(x + sign(x), p, 1); }, {3, 4});  // not near 0
    // A product of others where one factor is 0, and 0 everywhere where two are.
    cases.push_back({"prod with zeros",
                     [](const Xs& x) { return prod(x[0], 1); },
                     {tensor({2, 0, 3, 0, 5, 0, 1, 2, 3}, {3, 3}, Dtype::float64)}});
    cases.push_back({"norm of two rows, the first far from 0",
                     [](const Xs& x) { return norm(x[0], 2, -1, true); },
                     {sample({2, 5}, 1, 2)}});
    for (int axis : {0, 1, -1})
        add_unary(cases, fmt::format("cumsum along {}", axis),
                  [axis](const Tensor& x) { return cumsum(x, axis); }, {2, 3, 4});
    for (int axis : {0, 1, -1}) {
        add_unary(cases, fmt::format("cumprod along {}", axis),
                  [axis](const Tensor& x) { return cumprod(x, axis); }, {2, 3, 4});
        add_unary(cases, fmt::format("cumprod_definition along {}", axis),
                  [axis](const Tensor& x) { return cumprod_definition(x, axis); }, {2, 3, 4});
    }
    cases.push_back({"cumprod with zeros",
                     [](const Xs& x) { return cumprod(x[0], 1); },
                     {tensor({2, 0, 3, 4, 0, 5, 0, 2, 1, 2, 3, 4}, {3, 4}, Dtype::float64)}});
    add_unary(cases, "sum_to [3, 1]", [](const Tensor& x) { return sum_to(x, {3, 1}); }, {2, 3, 4});
    return cases;
}

std::vector<Case> views() {
    std::vector<Case> cases;
    const auto add = [&](const std::string& name, auto f, const Shape& shape) {
        add_unary(cases, name, f, shape);
    };
    add("reshape [3, 4] to [2, 6]", [](const Tensor& x) { return reshape(x, {2, -1}); }, {3, 4});
    add("flatten [2, 3, 2]", [](const Tensor& x) { return flatten(x, 1); }, {2, 3, 2});
    add("transpose", [](const Tensor& x) { return transpose(x); }, {3, 4});
    add("permute", [](const Tensor& x) { return permute(x, {2, 0, 1}); }, {2, 3, 2});
    add("unflatten", [](const Tensor& x) { return unflatten(x, 1, {2, -1}); }, {3, 4});
    add("at_index, a view", [](const Tensor& x) { return x[1] * x[-1] + x[Slice{1, 3}]; }, {3, 4});
    add("at_index with repeats",
        [](const Tensor& x) {
            return x[Indices({2, 0, 2, 1}, {2, 2})];
        },
        {3, 4});
    add("slice", [](const Tensor& x) { return slice(x, 1, 1, 3); }, {3, 4});
    add("slice with a step", [](const Tensor& x) { return slice(x, 0, 0, 5, 2); }, {5, 2});
    add("slice, overlapping", [](const Tensor& x) { return slice(x, 0, 0, 2) * slice(x, 0, 1, 3); },
        {3, 4});
    add("select", [](const Tensor& x) { return select(x, 1, -1) * select(x, 1, 0); }, {3, 4});
    add("expand", [](const Tensor& x) { return expand(unsqueeze(x, 1), {3, 2, 4}); }, {3, 4});
    add("squeeze", [](const Tensor& x) { return squeeze(slice(x, 1, 1, 2), 1); }, {3, 4});
    add("unsqueeze", [](const Tensor& x) { return unsqueeze(x, -1); }, {3, 4});
    add("split",
        [](const Tensor& x) {
            const auto pieces = split(x, {1, 3}, 1);
            return pieces[0] * pieces[1];
        },
        {3, 4});
    add("split of equal size",
        [](const Tensor& x) { return split(x, 3, 1)[1] * split(x, 2, 0)[1]; }, {3, 4});
    add("chunk", [](const Tensor& x) { return chunk(x, 2, 1)[0] * chunk(x, 2, 1)[1]; }, {3, 4});
    add("roll", [](const Tensor& x) { return roll(x, -1, 1); }, {3, 4});
    add("repeat", [](const Tensor& x) { return repeat(x, {2, 1, 3}); }, {3, 4});
    add("repeat_interleave", [](const Tensor& x) { return repeat_interleave(x, 2, 0); }, {3, 4});
    for (int d : {-1, 0, 2}) {
        add(fmt::format("tril {}", d), [d](const Tensor& x) { return tril(x, d); }, {3, 4});
        add(fmt::format("triu {}", d), [d](const Tensor& x) { return triu(x, d); }, {2, 3, 4});
        add(fmt::format("diagonal {}", d), [d](const Tensor& x) { return diagonal(x, d, 0, -1); },
            {4, 2, 3});
        add(fmt::format("put_on_diagonal {}", d),
            [d](const Tensor& x) {
                return put_on_diagonal(slice(x, 1, 0, d == 0 ? 3 : 2), {3, 2, 4}, d, 0, 2);
            },
            {2, 3});
        add(fmt::format("diag of a matrix, {}", d), [d](const Tensor& x) { return diag(x, d); },
            {3, 4});
        add(fmt::format("diag of a vector, {}", d), [d](const Tensor& x) { return diag(x, d); },
            {3});
    }
    add("sort", [](const Tensor& x) { return sort(x, 0).values; }, {3, 4});
    add("sort, descending", [](const Tensor& x) { return sort(x, -1, true).values; }, {3, 4});
    add("topk", [](const Tensor& x) { return topk(x, 2, 1).values; }, {3, 4});
    add("max_with_indices", [](const Tensor& x) { return max_with_indices(x, 0).values; }, {3, 4});
    add("min_with_indices", [](const Tensor& x) { return min_with_indices(x, 1, true).values; },
        {3, 4});
    add("unbind",
        [](const Tensor& x) {
            const auto rows = unbind(x, 0);
            return rows.at(0) * rows.at(1) + rows.at(2);
        },
        {3, 4});
    add("flip", [](const Tensor& x) { return flip(x, 1); }, {3, 4});
    add("pad", [](const Tensor& x) { return pad(x, 0, 1, 2, 0.5); }, {3, 4});
    add("contiguous", [](const Tensor& x) { return contiguous(transpose(x)); }, {3, 4});
    add("clone", [](const Tensor& x) { return clone(transpose(x)); }, {3, 4});
    add("to_dtype", [](const Tensor& x) { return to_dtype(x, x.dtype()); }, {3, 4});
    cases.push_back({"concat [2, 3], [2, 1], [2, 2]",
                     [](const Xs& x) {
                         return concat({x[0], x[1], square(x[2])}, 1);
                     },
                     {sample({2, 3}), sample({2, 1}), sample({2, 2})}});
    cases.push_back({"append",
                     [](const Xs& x) { return append(append(x[0], x[1], 1), x[2], 1); },
                     {sample({2, 3}), sample({2, 1}), sample({2, 2})}});
    cases.push_back({"stack along the last axis",
                     [](const Xs& x) {
                         return stack({x[0], x[1], x[0]}, -1);
                     },
                     {sample({2, 3}), sample({2, 3}, -1, 1, 2)}});
    return cases;
}

std::vector<Case> products() {
    std::vector<Case> cases;
    const auto add = [&](const char* name, auto f, const Shape& a, const Shape& b) {
        cases.push_back(
            {name, [=](const Xs& x) { return f(x[0], x[1]); }, {sample(a), sample(b, -1, 1, 2)}});
    };
    const auto plain = [](const Tensor& a, const Tensor& b) { return matmul(a, b); };
    add("matmul [3, 4] x [4, 2]", plain, {3, 4}, {4, 2});
    add("matmul [1, 4] x [4, 1]", plain, {1, 4}, {4, 1});
    add("matmul [2, 3, 4] x [2, 4, 2]", plain, {2, 3, 4}, {2, 4, 2});
    add("matmul [2, 3, 4] x [4, 2]", plain, {2, 3, 4}, {4, 2});
    add("matmul [2, 1, 3, 2] x [3, 2, 4] (batches broadcast)", plain, {2, 1, 3, 2}, {3, 2, 4});
    add("matmul vector x matrix", plain, {3}, {3, 2});
    add("matmul matrix x vector", plain, {2, 3}, {3});
    add("matmul of transposed views",
        [](const Tensor& a, const Tensor& b) { return matmul(transpose(a), transpose(b)); }, {4, 3},
        {2, 4});
    add("matmul of strided batches",
        [](const Tensor& a, const Tensor& b) { return matmul(transpose(a, 0, 1), b); }, {3, 2, 4},
        {2, 4, 2});
    add("matmul of a tensor with itself",
        [](const Tensor& a, const Tensor& b) { return matmul(a, transpose(a)) + b; }, {3, 4},
        {3, 3});
    add("dot", [](const Tensor& a, const Tensor& b) { return dot(a, b); }, {4}, {4});
    add("outer", [](const Tensor& a, const Tensor& b) { return outer(a, b); }, {3}, {4});
    const auto add_einsum = [&](const char* formula, const std::vector<Shape>& shapes) {
        Xs inputs;
        for (std::size_t i = 0; i < shapes.size(); ++i)
            inputs.push_back(sample(shapes[i], -1, 1, i + 1));
        cases.push_back({fmt::format("einsum {}", formula),
                         [=](const Xs& x) { return einsum(formula, x); }, inputs});
    };
    add_einsum("ij,jk->ik", {{2, 3}, {3, 4}});
    add_einsum("bhqd,bhkd->bhqk", {{2, 1, 3, 2}, {2, 1, 2, 2}});
    add_einsum("bij,kj->ikb", {{2, 2, 3}, {2, 3}});
    add_einsum("ii->i", {{3, 3}});
    add_einsum("iji->", {{2, 3, 2}});
    add_einsum("i,j->ji", {{2}, {3}});
    add_einsum("ij,j,ik->k", {{2, 3}, {3}, {2, 4}});
    for (const Shape& rows : {Shape{3, 4}, Shape{2, 3, 4}, Shape{4}})
        cases.push_back({fmt::format("linear {}", rows),
                         [](const Xs& x) { return linear(x[0], x[1], x[2]); },
                         {sample(rows), sample({2, 4}, -1, 1, 2), sample({2}, -1, 1, 3)}});
    cases.push_back(
        {"linear without bias, of a transposed view, used twice",
         [](const Xs& x) { return linear(transpose(x[0]), x[1]) * linear(transpose(x[0]), x[1]); },
         {sample({4, 3}), sample({2, 4}, -1, 1, 2)}});
    Rng rng(1);
    const QuantisedMatrix w = quantise(normal({2, 32}, 0, 1, rng), BlockFormat::q8_0);
    cases.push_back({"linear with quantised weights",
                     [=](const Xs& x) { return linear(x[0], w, x[1]); },
                     {sample({3, 32}), sample({2})}});
    cases.push_back({"linear_definition with quantised weights",
                     [=](const Xs& x) { return linear_definition(x[0], w, x[1]); },
                     {sample({3, 32}), sample({2})}});
    return cases;
}

const bool added_reductions = add_cases(reductions);
const bool added_views = add_cases(views);
const bool added_products = add_cases(products);

}  // namespace
}  // namespace heed
