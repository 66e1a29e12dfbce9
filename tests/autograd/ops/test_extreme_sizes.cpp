// Sizes, counts and offsets near the ends of 64 bits: an operation either throws an Error or gives a
// tensor. Sums and products of such numbers overflow, which the undefined-behaviour sanitizer stops
// at; in an optimised build a wrong shape would come out.
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "autograd/autograd.h"
#include "tests/catch.h"

using namespace heed;

namespace {

constexpr int64_t least = std::numeric_limits<int64_t>::min();
constexpr int64_t most = std::numeric_limits<int64_t>::max();
const std::vector<int64_t> extremes{least, least + 1,        -(int64_t{1} << 62), -1,       0,
                                    1,     int64_t{1} << 60, int64_t{1} << 62,    most - 1, most};

struct Call {
    std::string name;
    std::function<Tensor(int64_t, int64_t)> of;
};

}  // namespace

TEST_CASE("operations refuse sizes near the ends of 64 bits, or give a tensor", "[errors]") {
    const NoGrad no_grad;
    const Tensor x = ones({2, 3}), image = ones({1, 2, 4, 4}), row = ones({1, 2, 5});
    const Tensor kernel = ones({2, 2, 2, 2}), kernel1 = ones({2, 2, 2});
    // Laid out by hand: one call a line.
    // clang-format off
    const std::vector<Call> calls{
        {"pad", [&](auto a, auto b) { return pad(x, 0, a, b); }},
        {"repeat", [&](auto a, auto b) { return repeat(x, {a, b}); }},
        {"repeat_interleave", [&](auto a, auto) { return repeat_interleave(x, a, 0); }},
        {"roll", [&](auto a, auto) { return roll(x, a, 1); }},
        {"slice", [&](auto a, auto b) { return slice(x, 1, a, b); }},
        {"slice, step", [&](auto a, auto b) { return slice(x, 1, 0, a, b); }},
        {"x[Slice]", [&](auto a, auto b) { return x[Slice{a, b}]; }},
        {"select", [&](auto a, auto) { return select(x, 1, a); }},
        {"split", [&](auto a, auto) { return split(x, a, 1).front(); }},
        {"split, sizes", [&](auto a, auto b) { return split(x, {a, b}, 1).front(); }},
        {"chunk", [&](auto a, auto) { return chunk(x, a, 1).front(); }},
        {"tril", [&](auto a, auto) { return tril(x, a); }},
        {"triu", [&](auto a, auto) { return triu(x, a); }},
        {"diagonal", [&](auto a, auto) { return diagonal(x, a); }},
        {"diag", [&](auto a, auto) { return diag(ones({2}), a); }},
        {"put_on_diagonal", [&](auto a, auto b) { return put_on_diagonal(ones({2}), {a, b}); }},
        {"put_on_diagonal, offset", [&](auto a, auto) { return put_on_diagonal(ones({2}), {2, 2}, a); }},
        {"reshape", [&](auto a, auto b) { return reshape(x, {a, b}); }},
        {"expand", [&](auto a, auto b) { return expand(ones({1, 1}), {a, b}); }},
        {"empty", [&](auto a, auto b) { return empty({a, b}); }},
        {"eye", [&](auto a, auto) { return eye(a); }},
        {"arange", [&](auto a, auto) { return arange(a); }},
        {"linspace", [&](auto a, auto) { return linspace(0, 1, a); }},
        {"one_hot", [&](auto a, auto) { return one_hot(Indices({0, 1}, {2}), a); }},
        {"topk", [&](auto a, auto) { return topk(x, a).values; }},
        {"conv2d, padding", [&](auto a, auto b) { return conv2d(image, kernel, {}, {.padding = {a, b}}); }},
        {"conv2d, dilation", [&](auto a, auto b) { return conv2d(image, kernel, {}, {.dilation = {a, b}}); }},
        {"conv2d, stride", [&](auto a, auto b) { return conv2d(image, kernel, {}, {.stride = {a, b}}); }},
        {"conv2d, stride and padding", [&](auto a, auto b) { return conv2d(image, kernel, {}, {.stride = a, .padding = b}); }},
        {"conv2d, groups", [&](auto a, auto) { return conv2d(image, kernel, {}, {.groups = a}); }},
        {"conv1d", [&](auto a, auto b) { return conv1d(row, kernel1, {}, {.padding = a, .dilation = b}); }},
        {"max_pool2d", [&](auto a, auto b) { return max_pool2d(image, {a, b}); }},
        {"max_pool2d, padding", [&](auto a, auto b) { return max_pool2d(image, 2, {.stride = a, .padding = b}); }},
        {"avg_pool1d", [&](auto a, auto b) { return avg_pool1d(row, a, {.padding = b}); }},
        {"adaptive_avg_pool1d", [&](auto a, auto) { return adaptive_avg_pool1d(row, a); }},
    };
    // clang-format on
    for (const Call& call : calls)
        for (int64_t a : extremes)
            for (int64_t b : extremes) {
                INFO(call.name << " with " << a << " and " << b);
                try {
                    const Tensor y = call.of(a, b);
                    for (int64_t size : y.shape()) CHECK(size >= 0);
                } catch (const Error&) {
                    SUCCEED();
                }
            }
}
