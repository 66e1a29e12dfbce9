#include "nn/layers/losses.h"

#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"

namespace heed {
namespace {

// y = t softplus(-x) + (1 - t) softplus(x) = ln(1 + e^-|x|) + (1 - t) x where x > 0, else -t x
// dy/dx = (1 - t) σ(x) - t σ(-x)          dy/dt = -x
// Written as softplus(x) - t x it would lose the digits of a small loss: for t = 1 and x = 20 it is 2e-9.
struct LossOfLogits {
    static constexpr auto name = "binary_cross_entropy_with_logits";
    template <class T>
    T value(T x, T t) const {
        return weighted(where(x > 0.0, 1 - t, -t), x) + log1p(exp(-abs(x)));
    }
    static constexpr auto saved_a = Saved::a | Saved::b;
    template <class T>
    T slope_a(T g, T x, T t) const {
        return g * ((1 - t) * sigmoid(x) - t * sigmoid(-x));
    }
    static constexpr auto saved_b = Saved::a;
    template <class T>
    T slope_b(T g, T x) const {
        return -g * x;
    }
};

void check_from_0_to_1(const char* what, const Tensor& x, const char* hint) {
    if (x.numel() == 0) return;
    const double lowest = min(detach(x)).item(), highest = max(detach(x)).item();
    check(lowest >= 0 && highest <= 1,
          "binary_cross_entropy: expected {} from 0 to 1, got numbers from {} to {}{}", what,
          lowest, highest, hint);
}

// ln p and ln(1 - p), at least -100. Where a logarithm would be infinite its gradient is 0.
Tensor bounded_log(const Tensor& p) {
    return maximum(where(p > 0.0, log(where(p > 0.0, p, 1.0)), -100.0), -100.0);
}
Tensor bounded_log_of_rest(const Tensor& p) {
    return maximum(where(p < 1.0, log1p(-where(p < 1.0, p, 0.0)), -100.0), -100.0);
}

}  // namespace

// --- numbers ------------------------------------------------------------------------------------

Tensor mse(const Tensor& prediction, const Tensor& target, Reduction reduction) {
    const Shapes in("mse", {{"prediction", prediction, "..."}, {"target", target, "..."}});
    return reduce_losses(square(prediction - target), reduction);
}

Tensor l1_loss(const Tensor& prediction, const Tensor& target, Reduction reduction) {
    const Shapes in("l1_loss", {{"prediction", prediction, "..."}, {"target", target, "..."}});
    return reduce_losses(abs(prediction - target), reduction);
}

// One formula for both parts: with m = min(d, delta) it is m (d - m / 2).
Tensor huber_loss(const Tensor& prediction, const Tensor& target, double delta,
                  Reduction reduction) {
    const Shapes in("huber_loss", {{"prediction", prediction, "..."}, {"target", target, "..."}});
    check_positive("huber_loss", {{"delta", delta}});
    const Tensor d = abs(prediction - target), m = minimum(d, delta);
    return reduce_losses(m * (d - m * 0.5), reduction);
}

Tensor smooth_l1_loss(const Tensor& prediction, const Tensor& target, double beta,
                      Reduction reduction) {
    const Shapes in("smooth_l1_loss",
                    {{"prediction", prediction, "..."}, {"target", target, "..."}});
    check_positive("smooth_l1_loss", {{"beta", beta}});
    return huber_loss(prediction, target, beta, reduction) * (1 / beta);
}

// --- yes or no ----------------------------------------------------------------------------------

Tensor binary_cross_entropy(const Tensor& p, const Tensor& target, Reduction reduction) {
    const Shapes in("binary_cross_entropy",
                    {{"probabilities", p, "..."}, {"target", target, "..."}});
    check_from_0_to_1("probabilities", p, "; for logits use binary_cross_entropy_with_logits");
    check_from_0_to_1("targets", target, "");
    return reduce_losses(-(target * bounded_log(p)) - (1 - target) * bounded_log_of_rest(p),
                         reduction);
}

Tensor binary_cross_entropy_with_logits(const Tensor& logits, const Tensor& target,
                                        Reduction reduction) {
    const Shapes in("binary_cross_entropy_with_logits",
                    {{"logits", logits, "..."}, {"target", target, "..."}});
    return reduce_losses(elementwise(LossOfLogits{}, logits, target), reduction);
}

// --- classes ------------------------------------------------------------------------------------

Tensor nll_loss(const Tensor& log_probabilities, const Indices& labels, Integer ignored_index,
                Reduction reduction) {
    const Shapes in("nll_loss", {{"log_probabilities", log_probabilities, "... C"}});
    const Shape& rows = in.any();
    check(labels.shape() == rows, "nll_loss: labels are {}; expected {}, one for each row of {}",
          labels.shape(), rows, log_probabilities.shape());

    // Ignored rows look up class 0 and are then left out.
    std::vector<int> looked_up = labels.values();
    std::vector<double> counts(looked_up.size(), 1.0);
    int64_t counting = labels.count();
    for (std::size_t i = 0; i < looked_up.size(); ++i)
        if (looked_up[i] == ignored_index) looked_up[i] = 0, counts[i] = 0, --counting;

    Tensor losses = sum(slice(log_probabilities, -1, 0, 0), -1);  // zeros
    if (counting > 0) {
        Shape column = rows;
        column.push(1);
        const Indices all(std::move(looked_up), labels.shape());
        check_range(all, in["C"], "nll_loss", "the number of classes");
        const Tensor picked = squeeze(gather(log_probabilities, -1, all.reshaped(column)), -1);
        losses = where(tensor(counts, rows, log_probabilities.dtype()), -picked, 0.0);
    }
    return reduce_losses(losses, reduction, counting);
}

Tensor kl_divergence(const Tensor& log_probabilities, const Tensor& target, Reduction reduction) {
    const Shapes in("kl_divergence", {{"log_probabilities", log_probabilities, "... C"},
                                      {"target", target, "... C"}});
    // What has no probability in the target adds nothing: t ln t = 0, and t ln p even where p = 0.
    const Tensor log_target = log(where(target > 0.0, target, 1.0));
    return reduce_losses(sum(weighted(target, log_target - log_probabilities), -1), reduction);
}

Tensor sequence_cross_entropy(const Tensor& logits, const Indices& ids, Integer ignored_id,
                              double smoothing) {
    const Shapes in("sequence_cross_entropy", {{"logits", logits, "B T V"}});
    check(ids.shape() == Shape{in["B"], in["T"]},
          "sequence_cross_entropy: ids are {}; expected [B, T] for logits [B, T, V], here {}",
          ids.shape(), logits.shape());
    return cross_entropy(logits, ids,
                         {.smoothing = smoothing, .ignored_index = static_cast<int>(ignored_id)});
}

}  // namespace heed
