#include "nn/layers/sequential.h"

namespace heed {

Tensor Sequential::operator()(const Tensor& x, Mode mode) const {
    check_defined("Sequential", x);
    Tensor y = x;
    for (std::size_t i = 0; i < layers.size(); ++i) try {
            y = layers[i](y, mode);
        } catch (Error& error) {
            error.put_before(fmt::format("Sequential: layer {}: ", i));
            throw;
        }
    return y;
}

}  // namespace heed
