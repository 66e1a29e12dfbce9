// Says: the plain mean of the g is subtracted
#include "lessons/course/exercise/write.h"

Tensor my_gradient(const Tensor& weights, const Tensor& annotations, const Tensor& d) {
    const Tensor g = matmul(annotations, d);
    return weights * (g - mean(g));
}

Tensor my_new_weights(const Tensor& scores, const Tensor& annotations, const Tensor& d,
                      double rate) {
    return softmax(scores - rate * my_gradient(softmax(scores), annotations, d));
}
