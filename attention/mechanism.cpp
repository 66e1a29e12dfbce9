#include "attention/mechanism.h"

#include "autograd/matmul.h"

namespace heed {

Memory Attention::prepare(const Tensor& key, const Tensor& value, const Tensor& mask) const {
    check(
        key.dim() == 3 && value.dim() == 3 && key.size(0) == value.size(0) &&
            key.size(1) == value.size(1),
        "Attention: key {} and value {} differ in batch or number of keys; expected [B, K, D] both",
        key.shape(), value.shape());
    return {score.prepare(key), value, mask};
}

Tensor Attention::weights(const Tensor& query, const Memory& memory, int64_t first_place) const {
    return extent.weights(score(query, memory.key), query, memory.mask, first_place);
}

Attended Attention::operator()(const Tensor& query, const Memory& memory,
                               int64_t first_place) const {
    Tensor alpha = weights(query, memory, first_place);
    return {matmul(alpha, memory.value), alpha};
}

}  // namespace heed
