#include "attention/scaled_dot_product.h"

#include <cmath>

#include "attention/mask.h"
#include "autograd/binary.h"
#include "autograd/matmul.h"
#include "autograd/shape_ops.h"

namespace heed {

namespace {

void check_shapes(const Tensor& q, const Tensor& k, const Tensor& v) {
    const auto same = [](const Tensor& a, const Tensor& b, int axis) {
        return a.size(axis) == b.size(axis);
    };
    check(q.dim() == 4 && k.dim() == 4 && v.dim() == 4 && same(q, k, 0) && same(q, k, 1) &&
              same(q, k, 3) && same(k, v, 0) && same(k, v, 1) && same(k, v, 2),
          "scaled_dot_product_attention: q {}, k {}, v {}; expected [B, H, Q, D], [B, H, K, D] and "
          "[B, H, K, D']",
          q.shape(), k.shape(), v.shape());
}

}  // namespace

Attended scaled_dot_product_definition(const Tensor& q, const Tensor& k, const Tensor& v,
                                       const ScaledDotProductOptions& options) {
    check_shapes(q, k, v);
    const double scale =
        options.scale != 0 ? options.scale : 1 / std::sqrt(static_cast<double>(q.size(3)));
    Tensor scores = matmul(q * scale, transpose(k));  // [B, H, Q, K]
    if (options.bias.defined()) {
        check(broadcasts_to(options.bias.shape(), scores.shape()),
              "scaled_dot_product_attention: the bias {} does not broadcast to the scores {}",
              options.bias.shape(), scores.shape());
        scores = scores + options.bias;
    }
    const Tensor past = options.causal ? causal_mask(q.size(2), k.size(2), q.dtype()) : Tensor();
    return soft_attention(scores, v, combine({options.mask, past}));
}

Tensor scaled_dot_product_attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                    const ScaledDotProductOptions& options) {
    return scaled_dot_product_definition(q, k, v, options).context;
}

}  // namespace heed
