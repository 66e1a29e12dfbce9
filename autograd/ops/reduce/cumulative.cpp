#include "autograd/ops/reduce/cumulative.h"

#include <algorithm>
#include <array>
#include <vector>

#include "autograd/base/user_call.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/ops/support/rows.h"
#include "autograd/record/record.h"

namespace heed {
namespace {

// y[i] = step(y[i - 1], i, xs...) along the axis, from y[-1] = start on; xs are the numbers of the
// tensors, and the y[i - 1] that is handed on has double precision: a float would round away most of
// what a long sum gets.
template <class Step, class... Others>
Tensor running(int axis, double start, const Step& step, const Tensor& x, const Others&... others) {
    Tensor y = empty(x.shape(), x.dtype());
    int64_t after = 1;  // how many numbers lie between two neighbours along the axis
    for (int i = axis + 1; i < x.dim(); ++i) after *= x.shape()[i];
    const int64_t size = x.shape()[axis], blocks = y.numel() == 0 ? 0 : y.numel() / (size * after);
    with_dtype(x.dtype(), [&]<class T>(T) {
        T* out = y.edit<T>();
        const auto run = [&](const auto&... from) {
            parallel_for(blocks, rows_per_chunk(size * after), [&](int64_t begin, int64_t end) {
                std::vector<double> last(after);
                for (int64_t block = begin; block < end; ++block) {
                    std::fill(last.begin(), last.end(), start);
                    for (int64_t k = 0; k < size; ++k)
                        for (int64_t j = 0; j < after; ++j) {
                            const int64_t i = (block * size + k) * after + j;
                            last[j] = step(last[j], i, from.template data<T>()...);
                            out[i] = static_cast<T>(last[j]);
                        }
                }
            });
        };
        run(contiguous(detach(x)), contiguous(detach(others))...);
    });
    return y;
}

}  // namespace

// y[i] = x[0] + ... + x[i]          dL/dx[i] = g[i] + ... + g[n - 1]: a cumulative sum from the end
Tensor cumsum(const Tensor& x, Integer axis) {
    check_defined("cumsum", x);
    const int a = x.shape().axis(axis, "cumsum");
    const auto add = [](double total, int64_t i, const auto* in) { return total + in[i]; };
    return record("cumsum", running(a, 0, add, x), x,
                  [a](const Tensor& g) { return flip(cumsum(flip(g, a), a), a); });
}

// y[i] = x[0] ... x[i]          dL/dx[i] = y[i - 1] r[i], r[i] = g[i] + x[i + 1] r[i + 1]
// Nothing is divided by x, so zeros do no harm.
Tensor cumprod(const Tensor& x, Integer axis) {
    check_defined("cumprod", x);
    const int a = x.shape().axis(axis, "cumprod");
    if (x.size(a) < 2) return x;
    const auto multiply = [](double total, int64_t i, const auto* in) { return total * in[i]; };
    const auto backward = [=](const Tensor& g, const Tensor& y) {
        const int64_t size = x.size(a);
        // The factors one further on, and the products one further back; at the ends 0 and 1.
        const Tensor next = pad(slice(x, a, 1, size), a, 0, 1, 0);
        const Tensor before = pad(slice(y, a, 0, size - 1), a, 1, 0, 1);
        const auto step = [](double r, int64_t i, const auto* gs, const auto* xs) {
            return gs[i] + xs[i] * r;
        };
        return std::array{before * flip(running(a, 0, step, flip(g, a), flip(next, a)), a)};
    };
    return record_fused(
        "cumprod", running(a, 1, multiply, x), std::array{x},
        [a](const Tensor& x1) { return cumprod_definition(x1, a); }, backward);
}

Tensor cumprod_definition(const Tensor& x, Integer axis) {
    const UserCall named("cumprod_definition");
    check_defined("cumprod_definition", x);
    const int a = x.shape().axis(axis, "cumprod_definition");
    if (x.size(a) < 2) return x;
    std::vector<Tensor> y = unbind(x, a);
    for (std::size_t i = 1; i < y.size(); ++i) y[i] = y[i - 1] * y[i];
    return stack(y, a);
}

}  // namespace heed
