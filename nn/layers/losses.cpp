#include "nn/layers/losses.h"

#include "autograd/base/user_call.h"
#include "autograd/ops/indexing.h"
#include "autograd/ops/reductions.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/ops/unary.h"

namespace heed {
namespace {

void check_same_shape(const Tensor& prediction, const Tensor& target, const char* who) {
    check(prediction.defined() && target.defined(), "{}: an input is not defined", who);
    check(prediction.shape() == target.shape(),
          "{}: prediction and target must have the same shape, got {} and {}", who,
          prediction.shape(), target.shape());
    check_same_dtype(prediction, target, who);
}

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
    check_same_shape(prediction, target, "mse");
    return reduce_losses(square(prediction - target), reduction);
}

Tensor l1_loss(const Tensor& prediction, const Tensor& target, Reduction reduction) {
    check_same_shape(prediction, target, "l1_loss");
    return reduce_losses(abs(prediction - target), reduction);
}

// One formula for both parts: with m = min(d, delta) it is m (d - m / 2).
Tensor huber_loss(const Tensor& prediction, const Tensor& target, double delta,
                  Reduction reduction) {
    const UserCall named("huber_loss");
    check_same_shape(prediction, target, "huber_loss");
    check(delta > 0, "huber_loss: expected a positive delta, got {}", delta);
    const Tensor d = abs(prediction - target), m = minimum(d, delta);
    return reduce_losses(m * (d - m * 0.5), reduction);
}

Tensor smooth_l1_loss(const Tensor& prediction, const Tensor& target, double beta,
                      Reduction reduction) {
    const UserCall named("smooth_l1_loss");
    check_same_shape(prediction, target, "smooth_l1_loss");
    check(beta > 0, "smooth_l1_loss: expected a positive beta, got {}", beta);
    return huber_loss(prediction, target, beta, reduction) * (1 / beta);
}

// --- yes or no ----------------------------------------------------------------------------------

Tensor binary_cross_entropy(const Tensor& p, const Tensor& target, Reduction reduction) {
    const UserCall named("binary_cross_entropy");
    check_same_shape(p, target, "binary_cross_entropy");
    const auto lowest = [](const Tensor& x) { return min(detach(x)).item(); };
    const auto highest = [](const Tensor& x) { return max(detach(x)).item(); };
    if (p.numel() > 0) {
        check(lowest(p) >= 0 && highest(p) <= 1,
              "binary_cross_entropy: expected probabilities, got numbers from {} to {}; for logits "
              "use binary_cross_entropy_with_logits",
              lowest(p), highest(p));
        check(lowest(target) >= 0 && highest(target) <= 1,
              "binary_cross_entropy: expected targets from 0 to 1, got numbers from {} to {}",
              lowest(target), highest(target));
    }
    return reduce_losses(-(target * bounded_log(p)) - (1 - target) * bounded_log_of_rest(p),
                         reduction);
}

Tensor binary_cross_entropy_with_logits(const Tensor& logits, const Tensor& target,
                                        Reduction reduction) {
    check_same_shape(logits, target, "binary_cross_entropy_with_logits");
    return reduce_losses(elementwise(LossOfLogits{}, logits, target), reduction);
}

// --- classes ------------------------------------------------------------------------------------

Tensor nll_loss(const Tensor& log_probabilities, const Indices& labels, Integer ignored_index,
                Reduction reduction) {
    const UserCall named("nll_loss");
    check(log_probabilities.defined() && log_probabilities.dim() > 0,
          "nll_loss: expected log-probabilities [..., C]");
    Shape rows = log_probabilities.shape();
    const int64_t classes = rows[--rows.count];
    check(labels.shape() == rows,
          "nll_loss: log-probabilities {} need labels of shape {}, one per row; got {}",
          log_probabilities.shape(), rows, labels.shape());

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
        check_range(all, classes, "nll_loss", "the number of classes");
        const Tensor picked = squeeze(gather(log_probabilities, -1, all.reshaped(column)), -1);
        losses = where(tensor(counts, rows, log_probabilities.dtype()), -picked, 0.0);
    }
    return reduce_losses(losses, reduction, counting);
}

Tensor kl_divergence(const Tensor& log_probabilities, const Tensor& target, Reduction reduction) {
    const UserCall named("kl_divergence");
    check_same_shape(log_probabilities, target, "kl_divergence");
    check(target.dim() > 0, "kl_divergence: expected distributions [..., C], got shape []");
    // What has no probability in the target adds nothing: t ln t = 0, and t ln p even where p = 0.
    const Tensor log_target = log(where(target > 0.0, target, 1.0));
    return reduce_losses(sum(weighted(target, log_target - log_probabilities), -1), reduction);
}

Tensor sequence_cross_entropy(const Tensor& logits, const Indices& ids, Integer ignored_id,
                              double smoothing) {
    const UserCall named("sequence_cross_entropy");
    check_defined("sequence_cross_entropy", logits);
    check(logits.dim() == 3 && ids.shape().dim() == 2 && logits.size(0) == ids.size(0) &&
              logits.size(1) == ids.size(1),
          "sequence_cross_entropy: expected logits [B, T, V] and ids [B, T], got {} and {}",
          logits.shape(), ids.shape());
    return cross_entropy(logits, ids,
                         {.smoothing = smoothing, .ignored_index = static_cast<int>(ignored_id)});
}

}  // namespace heed
