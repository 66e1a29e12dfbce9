#include "attention/heads/pooling.h"

#include "attention/scores/pairs.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reductions.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/ops/unary.h"
#include "nn/layers/init.h"

namespace heed {

AttentionPooling::AttentionPooling(const PoolingOptions& o, Rng& rng) {
    const int64_t hidden = o.hidden ? o.hidden : o.width;
    check(o.width > 0 && hidden > 0 && o.queries > 0 && o.context >= 0,
          "AttentionPooling: width {}, hidden {} and queries {} must be positive, context {} not "
          "negative",
          o.width, hidden, o.queries, o.context);
    item = Linear(o.width, hidden, rng);
    if (o.context > 0) context = Linear(o.context, hidden, rng, false);
    query = parameter(uniform_fan({o.queries, hidden}, hidden, rng));
}

Tensor AttentionPooling::scores(const Tensor& items, const Tensor& c) const {
    const UserCall named("AttentionPooling");
    check_defined("AttentionPooling", items);
    check(items.dim() == 3 && items.size(2) == item.weight.size(1),
          "AttentionPooling: items {}; expected [B, K, {}]", items.shape(), item.weight.size(1));
    Tensor inner = item(items);  // [B, K, A]
    const bool wanted = context.weight.defined();
    check(wanted == c.defined(), "AttentionPooling: {}",
          wanted ? "made with a context vector, but called without one"
                 : "called with a context vector, but made without: set PoolingOptions::context");
    if (wanted) {
        check(c.dim() == 2 && c.size(0) == items.size(0) && c.size(1) == context.weight.size(1),
              "AttentionPooling: context {} with items {}; expected [{}, {}]", c.shape(),
              items.shape(), items.size(0), context.weight.size(1));
        inner = inner + unsqueeze(context(c), 1);
    }
    return matmul(query, transpose(tanh(inner)));  // [H, A] [B, A, K] -> [B, H, K]
}

AttentionOutput AttentionPooling::operator()(const Tensor& items, const Tensor& c,
                                             const Tensor& mask) const {
    const UserCall named("AttentionPooling");
    check_defined("AttentionPooling", items);
    const Tensor read = without_masked(items, mask);
    return soft_attention(scores(read, c), read, mask);
}

MultiHeadPooling::MultiHeadPooling(const PoolingOptions& o, Rng& rng)
    : attention({.width = o.width, .heads = o.heads}, rng) {
    check(o.queries > 0 && o.context == 0,
          "MultiHeadPooling: {} queries and a context of width {}; expected at least one query, "
          "and no context",
          o.queries, o.context);
    query = parameter(xavier_uniform({o.queries, o.width}, rng));
}

AttentionOutput MultiHeadPooling::operator()(const Tensor& items, const Tensor& mask,
                                             Flag need_weights) const {
    const UserCall named("MultiHeadPooling");
    check_defined("MultiHeadPooling", items);
    check(items.dim() == 3 && items.size(2) == query.size(1),
          "MultiHeadPooling: items {}; expected [B, K, {}]", items.shape(), query.size(1));
    const Tensor queries = expand(query, {items.size(0), query.size(0), query.size(1)});
    return attention(queries, items, items, {.mask = mask, .need_weights = need_weights});
}

Tensor gaussian_scores(const Tensor& query, const Tensor& key, double bandwidth) {
    const UserCall named("gaussian_scores");
    check_defined("gaussian_scores", query, key);
    check(query.dim() == 3 && key.dim() == 3 && query.size(0) == key.size(0) &&
              query.size(2) == key.size(2),
          "gaussian_scores: query {} and key {}; expected [B, Q, D] and [B, K, D] with the same B "
          "and D",
          query.shape(), key.shape());
    check(bandwidth > 0, "gaussian_scores: the bandwidth must be positive, got {}", bandwidth);
    const Tensor gap = unsqueeze(query, 2) - unsqueeze(key, 1);  // [B, Q, K, D]
    return sum(square(gap), -1) * (-0.5 / (bandwidth * bandwidth));
}

AttentionOutput nadaraya_watson(const Tensor& query, const Tensor& key, const Tensor& value,
                                double bandwidth, const Tensor& mask) {
    const UserCall named("nadaraya_watson");
    check_defined("nadaraya_watson", query, key, value);
    return soft_attention(gaussian_scores(query, without_masked(key, mask), bandwidth), value,
                          mask);
}

}  // namespace heed
