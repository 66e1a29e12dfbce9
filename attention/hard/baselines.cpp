#include "attention/hard/baselines.h"

#include "attention/hard/hard_categorical.h"
#include "attention/scores/soft.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/reductions.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/ops/unary.h"
#include "nn/layers/losses.h"

namespace heed {

void MovingAverage::update(const Tensor& loss) {
    const UserCall named("MovingAverage");
    check_defined("MovingAverage", loss);
    check(loss.numel() > 0, "MovingAverage: a loss of shape {} holds no number", loss.shape());
    const double now = mean(detach(loss)).item();
    value = begun ? decay * value + (1 - decay) * now : now;
    begun = true;
}

LearnedBaseline::LearnedBaseline(Integer state_width, Rng& rng) {
    const UserCall named("LearnedBaseline");
    output = Linear(state_width, 1, rng);
}

Tensor LearnedBaseline::operator()(const Tensor& state) const {
    const UserCall named("LearnedBaseline");
    check_defined("LearnedBaseline", state);
    return squeeze(output(detach(state)), -1);
}

Tensor LearnedBaseline::loss(const Tensor& predicted, const Tensor& loss) const {
    const UserCall named("LearnedBaseline");
    check_defined("LearnedBaseline", predicted, loss);
    const Tensor target = detach(loss);
    const bool steps = predicted.dim() == loss.dim() + 1;
    Shape samples = predicted.shape();
    if (steps) --samples.count;
    check(samples == loss.shape(),
          "LearnedBaseline: predictions {} and loss {}; expected one loss a sample, [...], and "
          "predictions [...] or [..., T]",
          predicted.shape(), loss.shape());
    return mse(predicted, steps ? expand(unsqueeze(target, -1), predicted.shape()) : target);
}

Tensor leave_one_out(const Tensor& loss) {
    const UserCall named("leave_one_out");
    check_defined("leave_one_out", loss);
    check(loss.dim() >= 1 && loss.size(0) >= 2,
          "leave_one_out: loss {}; expected [S, ...] with at least 2 samples S of each example",
          loss.shape());
    const Tensor l = detach(loss);
    return (sum(l, 0, true) - l) / static_cast<double>(l.size(0) - 1);
}

Tensor optimal_baseline(const Tensor& loss, const Tensor& products, const Tensor& probability) {
    const UserCall named("optimal_baseline");
    check_defined("optimal_baseline", loss, products);
    check(loss.dim() == 1 && products.dim() == 2 && products.size(0) == loss.size(0) &&
              (!probability.defined() || probability.shape() == loss.shape()),
          "optimal_baseline: loss {}, products {}, probability {}; expected [N], [N, T] and [N]",
          loss.shape(), products.shape(), probability.defined() ? probability.shape() : Shape());
    Tensor size = detach(products);  // [N, T]
    if (probability.defined()) size = size * unsqueeze(detach(probability), -1);
    return sum(unsqueeze(detach(loss), -1) * size, 0, true) / sum(size, 0, true);
}

Tensor log_prob_gradient_square(const Tensor& scores, const Indices& indices, const Tensor& mask) {
    const UserCall named("log_prob_gradient_square");
    check_defined("log_prob_gradient_square", scores);
    return 1 - 2 * exp(categorical_log_prob(scores, indices, mask)) +
           sum(square(attention_weights(scores, mask)), -1);
}

}  // namespace heed
