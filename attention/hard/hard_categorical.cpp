#include "attention/hard/hard_categorical.h"

#include "attention/scores/mask.h"
#include "attention/scores/soft.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/indexing.h"
#include "autograd/ops/reductions.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/ops/softmax.h"
#include "autograd/ops/unary.h"

namespace heed {

namespace {

constexpr double impossible = -1e30;  // for ln 0, but finite: it may be multiplied by 0

Shape without_last(Shape shape) {
    --shape.count;
    return shape;
}

void check_scores(const Tensor& scores, const Tensor& mask, const char* operation) {
    check(scores.dim() >= 1 && scores.size(-1) >= 1,
          "{}: expected scores [..., K] with K at least 1, got {}", operation, scores.shape());
    check_mask(mask, scores.shape(), operation);
}

}  // namespace

Tensor log_weights(const Tensor& scores, const Tensor& mask) {
    const UserCall named("log_weights");
    check_defined("log_weights", scores);
    check_scores(scores, mask, "log_weights");
    return log_softmax(mask.defined() ? masked_fill(scores, 1 - mask, impossible) : scores);
}

Tensor categorical_log_prob(const Tensor& scores, const Indices& indices, const Tensor& mask) {
    const UserCall named("categorical_log_prob");
    check_defined("categorical_log_prob", scores);
    check_scores(scores, mask, "categorical_log_prob");
    const Shape rows = without_last(scores.shape());
    check(indices.shape() == rows,
          "categorical_log_prob: scores {} and indices {}; expected indices {}, one for each row",
          scores.shape(), indices.shape(), rows);
    check_range(indices, scores.size(-1), "categorical_log_prob", "the number of scores");
    Shape one_each = rows;
    one_each.push(1);
    return squeeze(gather(log_weights(scores, mask), -1, indices.reshaped(one_each)), -1);
}

CategoricalSample sample_categorical(const Tensor& scores, Rng& rng, const Tensor& mask) {
    const UserCall named("sample_categorical");
    check_defined("sample_categorical", scores);
    check_scores(scores, mask, "sample_categorical");
    const Tensor weights = attention_weights(detach(scores), mask);
    check(!mask.defined() || all(sum(weights, -1) > 0.0).item() == 1,
          "sample_categorical: the mask {1} allows nothing in a row of the scores {0}",
          scores.shape(), mask.defined() ? mask.shape() : Shape());
    Indices indices = categorical(weights, rng);
    Tensor log_p = categorical_log_prob(scores, indices, mask);
    return {std::move(indices), std::move(log_p)};
}

Indices most_likely(const Tensor& scores, const Tensor& mask) {
    const UserCall named("most_likely");
    check_defined("most_likely", scores);
    return argmax(log_weights(detach(scores), mask));
}

Tensor categorical_entropy(const Tensor& scores, const Tensor& mask) {
    const UserCall named("categorical_entropy");
    check_defined("categorical_entropy", scores);
    check_scores(scores, mask, "categorical_entropy");
    return -sum(weighted(attention_weights(scores, mask), log_weights(scores, mask)), -1);
}

Tensor values_at(const Tensor& value, const Indices& indices) {
    const UserCall named("values_at");
    check_defined("values_at", value);
    check(
        value.dim() == 3 && (indices.shape().dim() == 1 || indices.shape().dim() == 2) &&
            indices.size(0) == value.size(0),
        "values_at: value {} and indices {}; expected [B, K, D] and [B] or [B, Q] with the same B",
        value.shape(), indices.shape());
    check_range(indices, value.size(1), "values_at", "the number of values");

    // All sequences as one table of B K rows.
    const int64_t batch = value.size(0), keys = value.size(1);
    const int64_t each = indices.count() / std::max<int64_t>(batch, 1);
    std::vector<int> rows(indices.begin(), indices.end());
    for (int64_t i = 0; i < indices.count(); ++i) rows[i] += static_cast<int>(i / each * keys);
    return embedding(reshape(value, {batch * keys, value.size(2)}),
                     Indices(std::move(rows), indices.shape()));
}

HardAttentionOutput hard_attention(const Tensor& scores, const Tensor& value, Rng& rng,
                                   const Tensor& mask) {
    const UserCall named("hard_attention");
    check_defined("hard_attention", scores, value);
    check(scores.dim() == 3 && value.dim() == 3 && scores.size(0) == value.size(0) &&
              scores.size(2) == value.size(1),
          "hard_attention: scores {} and value {}; expected [B, Q, K] and [B, K, D] with the same "
          "B and K",
          scores.shape(), value.shape());
    CategoricalSample sample = sample_categorical(scores, rng, mask);
    return {values_at(value, sample.indices), attention_weights(scores, mask), sample.indices,
            sample.log_prob};
}

}  // namespace heed
