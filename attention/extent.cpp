#include "attention/extent.h"

#include "attention/mask.h"
#include "attention/soft.h"
#include "autograd/binary.h"
#include "autograd/matmul.h"
#include "autograd/reductions.h"
#include "autograd/shape_ops.h"
#include "autograd/unary.h"
#include "nn/init.h"

namespace heed {

const char* name_of(ExtentKind kind) {
    switch (kind) {
        case ExtentKind::global:
            return "global";
        case ExtentKind::local_m:
            return "local_m";
        case ExtentKind::local_p:
            return "local_p";
    }
    return "?";
}

Extent::Extent(ExtentKind which, const ExtentSizes& sizes, Rng& rng)
    : kind(which), reach(sizes.reach) {
    if (kind == ExtentKind::global) return;
    check(reach >= 1, "Extent: the window reaches {} places; expected at least 1", reach);
    if (kind != ExtentKind::local_p) return;
    check(sizes.query >= 1, "Extent: local_p needs the width of the queries (query), got {}",
          sizes.query);
    hidden = Linear(sizes.query, sizes.query, rng, false);
    v = parameter(uniform_fan({1, sizes.query}, sizes.query, rng));
}

Tensor Extent::centre(const Tensor& query, const Tensor& mask, int64_t keys) const {
    // S: the allowed keys counted, [B, 1 or Q, 1]; all of them without a mask.
    const Tensor length = mask.defined()
                              ? sum(mask, -1, true)
                              : full({1, 1, 1}, static_cast<double>(keys), query.dtype());
    return length * sigmoid(linear(tanh(hidden(query)), v));
}

Tensor Extent::weights(const Tensor& scores, const Tensor& query, const Tensor& mask,
                       int64_t first_place) const {
    check_mask(mask, scores, "Extent");
    if (kind == ExtentKind::global) return attention_weights(scores, mask);
    check(scores.dim() == 3, "Extent: scores {}; expected [B, Q, K]", scores.shape());
    if (kind == ExtentKind::local_p)
        check(query.dim() == 3 && query.size(0) == scores.size(0) &&
                  query.size(1) == scores.size(1) && query.size(2) == v.size(1),
              "Extent: scores {} and query {}; expected [B, Q, K] and [B, Q, {}], the queries that "
              "the scores were made of",
              scores.shape(), query.shape(), v.size(1));

    // The centres: t, or predicted. The window is a constant; its centre gets gradient by the
    // Gaussian.
    const int64_t queries = scores.size(1), keys = scores.size(2);
    const Dtype dtype = scores.dtype();
    const Tensor places = arange(keys, dtype);  // [K]
    const Tensor middle = kind == ExtentKind::local_p
                              ? centre(query, mask, keys)  // [B, Q, 1]
                              : reshape(arange(queries, dtype), {queries, 1}) +
                                    static_cast<double>(first_place);  // [Q, 1]
    const Tensor distance = places - middle;                           // [.., Q, K]
    const double d = static_cast<double>(reach);
    const Tensor window = abs(detach(distance)) <= d;
    const Tensor within = attention_weights(scores, combine({mask, window}));
    if (kind == ExtentKind::local_m) return within;

    const double sigma = d / 2;
    return within * exp(square(distance) * (-1 / (2 * sigma * sigma)));
}

}  // namespace heed
