#include "autograd/ops/fused/cross_entropy.h"

#include <array>
#include <cmath>
#include <limits>

#include "autograd/base/user_call.h"
#include "autograd/kernels/sums.h"
#include "autograd/kernels/vec_math.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/fused/softmax.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/ops/support/rows.h"
#include "autograd/record/record.h"

namespace heed {
namespace {

// Throws unless logits, labels and options fit together. Returns how many rows count.
int64_t check_labels(const Tensor& logits, const Indices& labels,
                     const CrossEntropyOptions& options) {
    check(logits.defined(), "cross_entropy: the logits are not defined");
    check(logits.dim() > 0, "cross_entropy: logits need a last axis, the classes; got shape []");
    Shape rows = logits.shape();
    const int64_t classes = rows[--rows.count];
    check(labels.shape() == rows,
          "cross_entropy: logits {} need labels of shape {}, one per row; got {}", logits.shape(),
          rows, labels.shape());
    check(options.smoothing >= 0 && options.smoothing <= 1,
          "cross_entropy: smoothing is a share, from 0 to 1; got {}", options.smoothing);
    int64_t counting = 0;
    for (int64_t i = 0; i < labels.count(); ++i) {
        if (labels[i] == options.ignored_index) continue;
        if (labels[i] < 0 || labels[i] >= classes)
            fail(
                "cross_entropy: label {} at {} is outside [0, {}), the classes of logits {}; rows "
                "that should not count have the label {} (ignored_index)",
                labels[i], labels.position(i), classes, logits.shape(), options.ignored_index);
        ++counting;
    }
    return counting;
}

// What backward needs of a row besides the logits: m = max x and t = Σ e^(x - m).
template <class T>
struct RowSums {
    T m, t;
};

// -Σ q ln p = ln t - (1 - s) (x[label] - m) - s/C Σ (x - m)
// The largest number passes over a NaN, but t does not: a NaN or +∞ among the logits makes it NaN, and
// with it the loss and the whole row of the gradient.
template <class T>
T row_loss(const T* x, int64_t n, int label, double smoothing, RowSums<T>& kept) {
    constexpr T lowest = -std::numeric_limits<T>::infinity();
    Vec<T> tops(lowest);
    each_register<T>(
        n, [&](int64_t i, auto count) { tops = maximum(take<T>(x + i, count, lowest), tops); });
    const T m = largest(tops);
    const auto [total, distance] = row_sums<T, 2>(n, [&](int64_t i, auto count, auto& sums) {
        const Vec<T> shifted = take<T>(x + i, count, lowest) - Vec<T>(m);
        sums[0] += exp(shifted);
        sums[1] += first_lanes<T>(shifted, count, 0);
    });
    kept = {m, total};
    T loss = std::log(kept.t);
    if (smoothing < 1) loss -= static_cast<T>(1 - smoothing) * (x[label] - m);
    if (smoothing > 0) loss -= static_cast<T>(smoothing / n) * distance;
    return loss;
}

// dL/dx = g (p - q) = g (e^(x - m) / t - s/C - (1 - s) [label])
template <class T>
void row_backward(T g, const T* x, T* dx, int64_t n, int label, double smoothing,
                  const RowSums<T>& kept) {
    const Vec<T> m(kept.m), scale(g / kept.t), spread(g * smoothing / n);
    each_register<T>(n, [&](int64_t i, auto count) {
        put(exp(take(x + i, count) - m) * scale - spread, dx + i, count);
    });
    dx[label] -= g * static_cast<T>(1 - smoothing);
}

struct Result {
    Tensor loss;
    Tensor sums;  // [rows, 2], the RowSums
};

Result forward(const Tensor& logits, const Indices& labels, int64_t counting,
               const CrossEntropyOptions& options) {
    const int64_t n = logits.shape().back();
    Tensor losses = empty(labels.shape(), logits.dtype());
    const Tensor sums = empty({labels.count(), 2}, logits.dtype());
    return with_dtype(logits.dtype(), [&]<class T>(T) -> Result {
        const Rows<T> x(logits);
        T* loss = losses.edit<T>();
        auto* kept = reinterpret_cast<RowSums<T>*>(sums.body()->bytes);
        for_each_row(logits.shape(), [&](int64_t r) {
            const bool counts = labels[r] != options.ignored_index;
            loss[r] = counts ? row_loss(x[r], n, labels[r], options.smoothing, kept[r]) : 0;
        });
        if (options.reduction == Reduction::none) return {losses, sums};
        double total = 0;
        for (int64_t r = 0; r < labels.count(); ++r) total += loss[r];
        if (options.reduction == Reduction::mean && counting > 0) total /= counting;
        return {scalar(total, logits.dtype()), sums};
    });
}

Tensor backward(const Tensor& g, const Tensor& logits, const Tensor& sums, const Indices& labels,
                int64_t counting, const CrossEntropyOptions& options) {
    const int64_t n = logits.shape().back();
    Tensor gradient = empty(logits.shape(), logits.dtype());
    with_dtype(logits.dtype(), [&]<class T>(T) {
        const Rows<T> x(logits);
        const Tensor weights = contiguous(g);
        const T* weight = weights.data<T>();
        const bool one_weight = options.reduction != Reduction::none;
        const T share = options.reduction == Reduction::mean ? T(1) / counting : T(1);
        const auto* kept = reinterpret_cast<const RowSums<T>*>(sums.body()->bytes);
        T* dx = gradient.edit<T>();
        for_each_row(logits.shape(), [&](int64_t r) {
            if (labels[r] == options.ignored_index)
                std::fill(dx + r * n, dx + (r + 1) * n, T(0));
            else
                row_backward(weight[one_weight ? 0 : r] * share, x[r], dx + r * n, n, labels[r],
                             options.smoothing, kept[r]);
        });
    });
    return gradient;
}

}  // namespace

Tensor reduce_losses(const Tensor& losses, Reduction reduction, Integer counting) {
    const UserCall named("reduce_losses");
    check_defined("reduce_losses", losses);
    if (reduction == Reduction::none) return losses;
    if (reduction == Reduction::sum) return sum(losses);
    const int64_t divisor = counting < 0 ? losses.numel() : counting.value;
    return sum(losses) / static_cast<double>(std::max<int64_t>(divisor, 1));
}

Tensor cross_entropy(const Tensor& logits, const Indices& labels,
                     const CrossEntropyOptions& options) {
    check_defined("cross_entropy", logits);
    const int64_t counting = check_labels(logits, labels, options);
    Result result = forward(logits, labels, counting, options);
    return record_fused(
        "cross_entropy", std::move(result.loss), std::array{logits},
        [=](const Tensor& x) { return cross_entropy_definition(x, labels, options); },
        [=, sums = result.sums](const Tensor& g) {
            return std::array{backward(g, logits, sums, labels, counting, options)};
        });
}

Tensor cross_entropy_definition(const Tensor& logits, const Indices& labels,
                                const CrossEntropyOptions& options) {
    const UserCall named("cross_entropy_definition");
    const int64_t counting = check_labels(logits, labels, options);

    // Ignored rows are not read: logits of 0 and class 0 stand for them, and their loss is 0.
    std::vector<int> classes = labels.values();
    std::vector<double> counts(classes.size(), 1.0);
    for (std::size_t i = 0; i < classes.size(); ++i)
        if (classes[i] == options.ignored_index) classes[i] = 0, counts[i] = 0;
    Shape column = labels.shape();
    column.push(1);

    const Tensor counted = tensor(counts, labels.shape(), logits.dtype());
    Tensor losses = sum(slice(logits, -1, 0, 0), -1);  // [...], zeros
    if (counting > 0) {
        const Tensor read = where(unsqueeze(counted, -1), logits, 0.0);
        const Tensor log_p = log_softmax_definition(read);  // [..., C]
        const Tensor at_label = squeeze(gather(log_p, -1, Indices(classes, column)), -1);  // [...]
        if (options.smoothing < 1) losses = losses - (1 - options.smoothing) * at_label;
        if (options.smoothing > 0) losses = losses - options.smoothing * mean(log_p, -1);
        losses = where(counted, losses, 0.0);
    }
    return reduce_losses(losses, options.reduction, counting);
}

}  // namespace heed
