#include "attention/hard/hard_categorical.h"

#include "attention/scores/mask.h"
#include "attention/scores/soft.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/fused/softmax.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"

namespace heed {

namespace {

constexpr double impossible = -1e30;  // for ln 0, but finite: it may be multiplied by 0

}  // namespace

Tensor log_weights(const Tensor& scores, const Tensor& mask) {
    const Shapes in("log_weights", {{"scores", scores, "... K"}});
    check(in["K"] > 0, "scores {}; expected at least one in each row", scores.shape());
    check_mask(mask, scores.shape(), "log_weights");
    return log_softmax(mask.defined() ? masked_fill(scores, 1 - mask, impossible) : scores);
}

Tensor categorical_log_prob(const Tensor& scores, const Indices& indices, const Tensor& mask) {
    const Shapes in("categorical_log_prob",
                    {{"scores", scores, "... K"}, {"indices", indices, "..."}});
    check_range(indices, in["K"], "categorical_log_prob", "the number of scores");
    Shape one_each = in.any();
    one_each.push(1);
    return squeeze(gather(log_weights(scores, mask), -1, indices.reshaped(one_each)), -1);
}

CategoricalSample sample_categorical(const Tensor& scores, Rng& rng, const Tensor& mask) {
    const Shapes in("sample_categorical", {{"scores", scores, "... K"}});
    check(in["K"] > 0, "scores {}; expected at least one in each row", scores.shape());
    const Tensor weights = attention_weights(detach(scores), mask);
    check(!mask.defined() || all(sum(weights, -1) > 0.0).item() == 1,
          "the mask {} allows nothing in a row of the scores {}", ShapeOf{mask}, scores.shape());
    Indices indices = categorical(weights, rng);
    Tensor log_p = categorical_log_prob(scores, indices, mask);
    return {std::move(indices), std::move(log_p)};
}

Indices most_likely(const Tensor& scores, const Tensor& mask) {
    const Shapes in("most_likely", {{"scores", scores, "... K"}});
    return argmax(log_weights(detach(scores), mask));
}

Tensor categorical_entropy(const Tensor& scores, const Tensor& mask) {
    const Shapes in("categorical_entropy", {{"scores", scores, "... K"}});
    return -sum(weighted(attention_weights(scores, mask), log_weights(scores, mask)), -1);
}

Tensor values_at(const Tensor& value, const Indices& indices) {
    const Shapes in("values_at", {{"value", value, "B K D"}, {"indices", indices, "B ?Q"}});
    check_range(indices, in["K"], "values_at", "the number of values");

    // All sequences as one table of B K rows.
    const int64_t batch = in["B"], keys = in["K"];
    const int64_t each = indices.count() / std::max<int64_t>(batch, 1);
    std::vector<int> rows(indices.begin(), indices.end());
    for (int64_t i = 0; i < indices.count(); ++i) rows[i] += static_cast<int>(i / each * keys);
    return embedding(reshape(value, {batch * keys, in["D"]}),
                     Indices(std::move(rows), indices.shape()));
}

HardAttentionOutput hard_attention(const Tensor& scores, const Tensor& value, Rng& rng,
                                   const Tensor& mask) {
    const Shapes in("hard_attention", {{"scores", scores, "B Q K"}, {"value", value, "B K D"}});
    CategoricalSample sample = sample_categorical(scores, rng, mask);
    return {values_at(value, sample.indices), attention_weights(scores, mask), sample.indices,
            sample.log_prob};
}

}  // namespace heed
