#include "attention/heads/pooling.h"

#include "attention/scores/pairs.h"
#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"
#include "nn/layers/init.h"
#include "nn/module/hooks.h"

namespace heed {

AttentionPooling::AttentionPooling(const PoolingOptions& o, Rng& rng) {
    const int64_t hidden = o.hidden ? o.hidden : o.width;
    check_positive("AttentionPooling",
                   {{"width", o.width}, {"hidden", hidden}, {"queries", o.queries}});
    check_not_negative("AttentionPooling", {{"context", o.context}});
    item = Linear(o.width, hidden, rng);
    if (o.context > 0) context = Linear(o.context, hidden, rng, false);
    query = parameter(uniform_fan({o.queries, hidden}, hidden, rng));
}

Tensor AttentionPooling::scores(const Tensor& items, const Tensor& c) const {
    const bool wanted = context.defined();
    check(wanted == c.defined(), "AttentionPooling: {}",
          wanted ? "made with a context vector, but called without one"
                 : "called with a context vector, but made without: set PoolingOptions::context");
    const Shapes in("AttentionPooling", {{"items", items, "B K D"}, {"context", c, "? B Dc"}},
                    {{"D", item.in_features()}, {"Dc", wanted ? context.in_features() : 0}});
    Tensor inner = item(items);  // [B, K, A]
    if (wanted) inner = inner + unsqueeze(context(c), 1);
    return matmul(query, transpose(tanh(inner)));  // [H, A] [B, A, K] -> [B, H, K]
}

AttentionOutput AttentionPooling::operator()(const Tensor& items, const Tensor& c,
                                             const Tensor& mask) const {
    const Shapes in("AttentionPooling", {{"items", items, "B K D"}});
    const Tensor read = without_masked(items, mask);
    const Tensor weights = hook(*this, "weights", attention_weights(scores(read, c), mask));
    return {context_of_pairs(weights, read, mask), weights};
}

MultiHeadPooling::MultiHeadPooling(const PoolingOptions& o, Rng& rng)
    : attention({.width = o.width, .heads = o.heads}, rng) {
    check_positive("MultiHeadPooling", {{"queries", o.queries}});
    check(o.context == 0, "MultiHeadPooling: context is {}, but it takes no context", o.context);
    query = parameter(xavier_uniform({o.queries, o.width}, rng));
}

Tensor MultiHeadPooling::operator()(const Tensor& items, const AttentionCall& call) const {
    const Shapes in("MultiHeadPooling", {{"items", items, "B K D"}}, {{"D", query.size(1)}});
    const Tensor queries = expand(query, {in["B"], query.size(0), in["D"]});  // [B, H, D]
    return attention(queries, items, items, call);
}

Tensor gaussian_scores(const Tensor& query, const Tensor& key, double bandwidth) {
    const Shapes in("gaussian_scores", {{"query", query, "B Q D"}, {"key", key, "B K D"}});
    check_positive("gaussian_scores", {{"bandwidth", bandwidth}});
    const Tensor gap = unsqueeze(query, 2) - unsqueeze(key, 1);  // [B, Q, K, D]
    return sum(square(gap), -1) * (-0.5 / (bandwidth * bandwidth));
}

AttentionOutput nadaraya_watson(const Tensor& query, const Tensor& key, const Tensor& value,
                                double bandwidth, const Tensor& mask) {
    const Shapes in("nadaraya_watson",
                    {{"query", query, "B Q D"}, {"key", key, "B K D"}, {"value", value, "B K D'"}});
    return soft_attention(gaussian_scores(query, without_masked(key, mask), bandwidth), value,
                          mask);
}

}  // namespace heed
