#include "attention/efficient/linformer.h"

#include <cmath>

#include "attention/efficient/shapes.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/matmul.h"
#include "nn/layers/init.h"

namespace heed {

Linformer::Linformer(const LinformerOptions& o, Rng& rng) {
    check(o.length > 0 && o.projected > 0,
          "Linformer: length {} and projected {}; both must be positive", o.length, o.projected);
    key = parameter(xavier_uniform({o.projected, o.length}, rng));
    if (!o.shared) value = parameter(xavier_uniform({o.projected, o.length}, rng));
}

AttentionOutput Linformer::operator()(const Tensor& q, const Tensor& k, const Tensor& v,
                                      const Tensor& mask) const {
    efficient_detail::check_heads(q, k, v, "Linformer");
    const int64_t keys = k.size(2);
    check(keys <= key.size(1), "Linformer: {} keys, but it was made for a length of {}", keys,
          key.size(1));
    const Tensor open = efficient_detail::mask_of_keys(mask, k, "Linformer");
    // Keys that are not allowed become rows of zeros, which add nothing to any projected row.
    const auto projected = [&](const Tensor& by, const Tensor& x) {  // [B, H, K, D] -> [B, H, P, D]
        const Tensor kept = open.defined() ? where(transpose(open), x, 0.0) : x;
        return matmul(slice(by, 1, 0, keys), kept);
    };
    const double scale = 1 / std::sqrt(static_cast<double>(q.size(3)));
    const Tensor scores = matmul(q * scale, transpose(projected(key, k)));  // [B, H, Q, P]
    return soft_attention(scores, projected(value.defined() ? value : key, v));
}

}  // namespace heed
