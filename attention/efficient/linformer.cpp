#include "attention/efficient/linformer.h"

#include <cmath>

#include "attention/efficient/key_mask.h"
#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/tensor/shapes.h"
#include "nn/layers/init.h"

namespace heed {

Linformer::Linformer(const LinformerOptions& o, Rng& rng) {
    check_positive("Linformer", {{"length", o.length}, {"projected", o.projected}});
    key = parameter(xavier_uniform({o.projected, o.length}, rng));
    if (!o.shared) value = parameter(xavier_uniform({o.projected, o.length}, rng));
}

AttentionOutput Linformer::operator()(const Tensor& q, const Tensor& k, const Tensor& v,
                                      const Tensor& mask) const {
    const Shapes in("Linformer", {{"q", q, "B H Q D"}, {"k", k, "B H K D"}, {"v", v, "B H K D'"}});
    check(in["K"] <= key.size(1), "{} keys, but it was made for a length of {}", in["K"],
          key.size(1));
    const Tensor open = efficient_detail::mask_of_keys(mask, k, "Linformer");
    // Keys that are not allowed become rows of zeros, which add nothing to any projected row.
    const auto projected = [&](const Tensor& by, const Tensor& x) {  // [B, H, K, D] -> [B, H, P, D]
        const Tensor kept = open.defined() ? where(transpose(open), x, 0.0) : x;
        return matmul(slice(by, 1, 0, in["K"]), kept);
    };
    const double scale = 1 / std::sqrt(static_cast<double>(in["D"]));
    const Tensor scores = matmul(q * scale, transpose(projected(key, k)));  // [B, H, Q, P]
    return soft_attention(scores, projected(value.defined() ? value : key, v));
}

}  // namespace heed
