// Says: the normalised token is added, not the token itself
#include <functional>

#include "lessons/course/exercise/write.h"

using Sublayer = std::function<Tensor(const Tensor& x)>;  // [T, D] -> [T, D]

Tensor my_feed_forward(const Tensor& x, const Tensor& w1, const Tensor& b1, const Tensor& w2,
                       const Tensor& b2) {
    const Tensor hidden = relu(matmul(x, transpose(w1)) + b1);  // [T, F]
    return matmul(hidden, transpose(w2)) + b2;
}

Tensor my_pre_norm(const Sublayer& attention, const Sublayer& network, const Tensor& x) {
    const Tensor z = layer_norm(x) + attention(layer_norm(x));
    return z + network(layer_norm(z));
}

Tensor my_post_norm(const Sublayer& attention, const Sublayer& network, const Tensor& x) {
    const Tensor z = layer_norm(x + attention(x));
    return layer_norm(z + network(z));
}
