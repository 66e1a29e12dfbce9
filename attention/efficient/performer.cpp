#include "attention/efficient/performer.h"

#include <cmath>
#include <limits>

#include "attention/efficient/key_mask.h"
#include "attention/scores/mask.h"
#include "attention/scores/pairs.h"
#include "attention/scores/score.h"
#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/reduce/cumulative.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/tensor/random.h"
#include "autograd/tensor/shapes.h"
#include "nn/layers/init.h"

namespace heed {

Tensor orthogonal_features(Integer features, Integer width, Rng& rng, Dtype dtype) {
    check_positive("orthogonal_features", {{"features", features.value}, {"width", width.value}});
    std::vector<Tensor> groups;
    for (int64_t made = 0; made < features; made += width) {
        const Tensor rows = orthogonal({width, width}, rng, 1, dtype);
        // The length of a normal vector, drawn independently of its direction.
        const Tensor length = norm(normal({width, width}, 0, 1, rng, dtype), 2, {-1}, true);
        groups.push_back(slice(rows * length, 0, 0, std::min(width.value, features - made)));
    }
    return detach(concat(groups, 0));
}

namespace {

// x [B, H, K, D] with rows of 0 for the keys that the mask [B, 1, 1, K] excludes.
Tensor only_allowed(const Tensor& x, const Tensor& mask) {
    return mask.defined() ? where(transpose(mask), x, 0.0) : x;
}

// ln φ(x) without the factor 1 / √M: [..., M].
Tensor log_features(const Tensor& x, const Tensor& w) {
    return matmul(x, transpose(w)) - sum(square(x), {-1}, true) * 0.5;
}

struct Features {
    Tensor query;   // [B, H, Q, M], each row divided by its largest
    Tensor key;     // [B, H, K, M], divided by the largest of the head; 0 for keys not allowed
    Tensor exists;  // 1 where a query has an allowed key, [B, 1, Q or 1, 1]; or not defined: always
};

Features features_of(const Tensor& q, const Tensor& k, const Tensor& w, const PerformerOptions& o,
                     const char* operation) {
    check(!o.causal || q.size(2) == k.size(2),
          "{} queries and {} keys; with causal, both are the same positions", q.size(2), k.size(2));
    check_positive(operation, {{"chunk", o.chunk}});
    check_not_negative(operation, {{"scale", o.scale}});  // its root is taken
    const double scale = scale_of_scores(o.scale, q, operation);
    Features f;
    const Tensor of_q = log_features(q * std::sqrt(scale), w);
    f.query = exp(of_q - max(detach(of_q), {-1}, true));

    const Tensor mask = efficient_detail::mask_of_keys(o.mask, k, operation);
    const Tensor of_k = log_features(only_allowed(k, mask) * std::sqrt(scale), w);
    // Keys that are not allowed must not decide what the others are divided by, nor may a NaN: with
    // causal, no query before it attends to its key.
    const Tensor numbers = detach(of_k) == detach(of_k);
    const Tensor open =
        mask.defined() ? transpose(mask) : ones({1, 1, 1, 1}, k.dtype());  // [B, 1, K, 1]
    constexpr double lowest = -std::numeric_limits<double>::infinity();
    Tensor largest = max(where(numbers * open, detach(of_k), lowest), {-2, -1}, true);
    largest = where(largest == lowest, 0.0, largest);
    if (!mask.defined()) {
        f.key = exp(of_k - largest);
        return f;
    }
    f.key = where(open, exp(where(open, of_k, largest) - largest), 0.0);
    f.exists = (o.causal ? cumsum(open, -2) : sum(open, {-2}, true)) > 0.0;
    return f;
}

// numerators [..., D'] / denominators [..., 1], and 0 for a query without an allowed key.
Tensor divided(const Tensor& numerators, const Tensor& denominators, const Tensor& exists) {
    if (!exists.defined()) return numerators / denominators;
    return where(exists, numerators / where(exists, denominators, 1.0), 0.0);
}

}  // namespace

Tensor positive_features(const Tensor& x, const Tensor& w) {
    const Shapes in("positive_features", {{"x", x, "... D"}, {"w", w, "M D"}});
    return exp(log_features(x, w)) * (1 / std::sqrt(static_cast<double>(in["M"])));
}

Tensor performer_attention(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& w,
                           const PerformerOptions& options) {
    const Shapes in(
        "performer_attention",
        {{"q", q, "B H Q D"}, {"k", k, "B H K D"}, {"v", v, "B H K D'"}, {"w", w, "M D"}});
    const Features f = features_of(q, k, w, options, "performer_attention");
    // A last column of ones, so that one product gives numerators and denominators.
    const Tensor read = only_allowed(v, options.mask);
    const Tensor v1 = concat({read, ones({in["B"], in["H"], in["K"], 1}, v.dtype())}, 3);
    Tensor y;  // [B, H, Q, D' + 1]
    if (!options.causal) {
        y = matmul(f.query, matmul(transpose(f.key), v1));
    } else {
        std::vector<Tensor> chunks;
        Tensor state;  // Σ φ(k) [v 1]ᵀ of all keys before the chunk: [B, H, M, D' + 1]
        for (int64_t first = 0; first < in["K"]; first += options.chunk) {
            const int64_t end = std::min(first + options.chunk, in["K"]);
            const Tensor qc = slice(f.query, 2, first, end), kc = slice(f.key, 2, first, end),
                         vc = slice(v1, 2, first, end);
            const Tensor past = causal_mask(end - first, k.dtype());
            const Tensor scores = where(past, scores_of_pairs(qc, kc, past), 0.0);
            const Tensor inside = context_of_pairs(scores, vc, past);
            chunks.push_back(state.defined() ? inside + matmul(qc, state) : inside);
            const Tensor added = matmul(transpose(kc), vc);
            state = state.defined() ? state + added : added;
        }
        y = concat(chunks, 2);
    }
    const int64_t width = in["D'"];
    return divided(slice(y, 3, 0, width), slice(y, 3, width, width + 1), f.exists);
}

AttentionOutput performer_definition(const Tensor& q, const Tensor& k, const Tensor& v,
                                     const Tensor& w, const PerformerOptions& options) {
    const Shapes in(
        "performer_definition",
        {{"q", q, "B H Q D"}, {"k", k, "B H K D"}, {"v", v, "B H K D'"}, {"w", w, "M D"}});
    const Features f = features_of(q, k, w, options, "performer_definition");
    const Tensor past = options.causal ? causal_mask(in["K"], k.dtype()) : Tensor();
    const Tensor products = scores_of_pairs(f.query, f.key, past);  // [B, H, Q, K]
    const Tensor kept = options.causal ? where(past, products, 0.0) : products;
    const Tensor weights = divided(kept, sum(kept, {-1}, true), f.exists);
    return {context_of_pairs(weights, only_allowed(v, options.mask), past), weights};
}

}  // namespace heed
