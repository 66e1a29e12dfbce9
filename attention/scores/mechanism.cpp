#include "attention/scores/mechanism.h"

#include "autograd/base/user_call.h"
#include "autograd/ops/matmul.h"

namespace heed {

PreparedKeys Attention::prepare(const Tensor& key, const Tensor& value, const Tensor& mask) const {
    const UserCall named("Attention");
    check_defined("Attention", key, value);
    check(
        key.dim() == 3 && value.dim() == 3 && key.size(0) == value.size(0) &&
            key.size(1) == value.size(1),
        "Attention: key {} and value {} differ in batch or number of keys; expected [B, K, D] both",
        key.shape(), value.shape());
    return {score.prepare(key), value, mask};
}

Tensor Attention::weights(const Tensor& query, const PreparedKeys& keys,
                          Integer first_position) const {
    const UserCall named("Attention");
    check_defined("Attention", query);
    if (!keys.value.defined()) fail("Attention: the keys are not prepared; call prepare() first");
    return span.weights(score(query, keys.key), query, keys.mask, first_position);
}

AttentionOutput Attention::operator()(const Tensor& query, const PreparedKeys& keys,
                                      Integer first_position) const {
    const UserCall named("Attention");
    check_defined("Attention", query);
    Tensor alpha = weights(query, keys, first_position);
    return {matmul(alpha, keys.value), alpha};
}

}  // namespace heed
