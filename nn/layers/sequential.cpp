#include "nn/layers/sequential.h"

namespace heed {

Tensor Sequential::operator()(const Tensor& x, Mode mode) const {
    check_defined("Sequential", x);
    Tensor y = x;
    for (std::size_t i = 0; i < layers.size(); ++i) try {
            y = layers[i](y, mode);
        } catch (const Error& error) {
            fail("Sequential: layer {}: {}", i, error.what());
        }
    return y;
}

}  // namespace heed
