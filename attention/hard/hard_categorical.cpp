#include "attention/hard/hard_categorical.h"

#include "attention/scores/mask.h"
#include "attention/scores/soft.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/indexing.h"
#include "autograd/ops/reductions.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/unary.h"

namespace heed {

namespace {

constexpr double impossible = -1e30;  // a finite stand-in for ln 0: 0 times it is 0, not NaN

Shape without_last(Shape shape) {
    --shape.count;
    return shape;
}

void check_scores(const Tensor& scores, const Tensor& mask, const char* operation) {
    check(scores.dim() >= 1 && scores.size(-1) >= 1,
          "{}: expected scores [..., K] of at least one place, got {}", operation, scores.shape());
    check_mask(mask, scores, operation);
}

}  // namespace

Tensor log_weights(const Tensor& scores, const Tensor& mask) {
    check_scores(scores, mask, "log_weights");
    return log_softmax(mask.defined() ? masked_fill(scores, 1 - mask, impossible) : scores);
}

Tensor categorical_log_prob(const Tensor& scores, const Indices& places, const Tensor& mask) {
    check_scores(scores, mask, "log_prob");
    const Shape rows = without_last(scores.shape());
    check(places.shape() == rows, "log_prob: scores {} ask for places {}, one per row, not {}",
          scores.shape(), rows, places.shape());
    check_range(places, scores.size(-1), "log_prob", "the number of places");
    Shape one_each = rows;
    one_each.push(1);
    return squeeze(gather(log_weights(scores, mask), -1, places.reshaped(one_each)), -1);
}

CategoricalSample sample_categorical(const Tensor& scores, Rng& rng, const Tensor& mask) {
    check_scores(scores, mask, "choose");
    const Tensor weights = attention_weights(detach(scores), mask);
    check(!mask.defined() || min(sum(weights, -1)).item() > 0,
          "choose: a row of the scores {} has no allowed place under the mask {}; there is nothing "
          "to choose from",
          scores.shape(), mask.defined() ? mask.shape() : Shape());
    Indices places = categorical(weights, rng);
    Tensor log_p = categorical_log_prob(scores, places, mask);
    return {std::move(places), std::move(log_p)};
}

Indices most_likely(const Tensor& scores, const Tensor& mask) {
    return argmax(log_weights(detach(scores), mask));
}

Tensor categorical_entropy(const Tensor& scores, const Tensor& mask) {
    check_scores(scores, mask, "entropy");
    return -sum(attention_weights(scores, mask) * log_weights(scores, mask), -1);
}

Tensor values_at(const Tensor& value, const Indices& places) {
    check(value.dim() == 3 && (places.shape().dim() == 1 || places.shape().dim() == 2) &&
              places.size(0) == value.size(0),
          "values_at: value {} and places {}; expected [B, K, D] and [B] or [B, Q] with the same B",
          value.shape(), places.shape());
    check_range(places, value.size(1), "values_at", "the number of places");

    // The batch as one table of B K rows.
    const int64_t batch = value.size(0), keys = value.size(1);
    const int64_t each = places.count() / std::max<int64_t>(batch, 1);
    std::vector<int> rows(places.begin(), places.end());
    for (int64_t i = 0; i < places.count(); ++i) rows[i] += static_cast<int>(i / each * keys);
    return embedding(reshape(value, {batch * keys, value.size(2)}),
                     Indices(std::move(rows), places.shape()));
}

HardAttentionOutput hard_attention(const Tensor& scores, const Tensor& value, Rng& rng,
                            const Tensor& mask) {
    check(scores.dim() == 3 && value.dim() == 3 && scores.size(0) == value.size(0) &&
              scores.size(2) == value.size(1),
          "hard_attention: scores {} and value {}; expected [B, Q, K] and [B, K, D] with the same "
          "B and K",
          scores.shape(), value.shape());
    CategoricalSample choice = sample_categorical(scores, rng, mask);
    return {values_at(value, choice.indices), attention_weights(scores, mask), choice.indices,
            choice.log_prob};
}

}  // namespace heed
