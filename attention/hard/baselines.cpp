#include "attention/hard/baselines.h"

#include "attention/hard/hard_categorical.h"
#include "attention/scores/soft.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"
#include "nn/layers/losses.h"

namespace heed {

void MovingAverage::update(const Tensor& loss) {
    const Shapes in("MovingAverage", {{"loss", loss, "..."}});
    check(loss.numel() > 0, "a loss of shape {} holds no number", loss.shape());
    const double now = mean(detach(loss)).item();
    value = begun ? decay * value + (1 - decay) * now : now;
    begun = true;
}

LearnedBaseline::LearnedBaseline(Integer state_width, Rng& rng) {
    const UserCall named("LearnedBaseline");
    output = Linear(state_width, 1, rng);
}

Tensor LearnedBaseline::operator()(const Tensor& state) const {
    const Shapes in("LearnedBaseline", {{"state", state, "... D"}}, {{"D", output.in_features()}});
    return squeeze(output(detach(state)), -1);
}

Tensor LearnedBaseline::loss(const Tensor& predicted, const Tensor& loss) const {
    const Shapes in("LearnedBaseline", {{"loss", loss, "..."}, {"predicted", predicted, "... ?T"}},
                    {}, "there is one loss for each sample");
    const Tensor target = detach(loss);
    return mse(predicted, in.has("T") ? expand(unsqueeze(target, -1), predicted.shape()) : target);
}

Tensor leave_one_out(const Tensor& loss) {
    const Shapes in("leave_one_out", {{"loss", loss, "S ..."}});
    check(in["S"] >= 2, "loss {}; expected at least 2 samples S of each example", loss.shape());
    const Tensor l = detach(loss);
    return (sum(l, 0, true) - l) / static_cast<double>(in["S"] - 1);
}

Tensor optimal_baseline(const Tensor& loss, const Tensor& products, const Tensor& probability) {
    const Shapes in(
        "optimal_baseline",
        {{"loss", loss, "N"}, {"products", products, "N T"}, {"probability", probability, "? N"}});
    Tensor size = detach(products);  // [N, T]
    if (probability.defined()) size = size * unsqueeze(detach(probability), -1);
    return sum(unsqueeze(detach(loss), -1) * size, 0, true) / sum(size, 0, true);
}

Tensor log_prob_gradient_square(const Tensor& scores, const Indices& indices, const Tensor& mask) {
    const Shapes in("log_prob_gradient_square",
                    {{"scores", scores, "... K"}, {"indices", indices, "..."}});
    return 1 - 2 * exp(categorical_log_prob(scores, indices, mask)) +
           sum(square(attention_weights(scores, mask)), -1);
}

}  // namespace heed
