#include "lessons/course/exercise/write.h"

// The mean of the g, weighted by alpha, is what all annotations together do now. An annotation that
// lowers the loss more than this mean has a negative derivative, so its score rises.
Tensor my_gradient(const Tensor& weights, const Tensor& annotations, const Tensor& d) {
    const Tensor g = matmul(annotations, d);
    return weights * (g - sum(weights * g));
}

// Descent goes against the derivative.
Tensor my_new_weights(const Tensor& scores, const Tensor& annotations, const Tensor& d,
                      double rate) {
    return softmax(scores - rate * my_gradient(softmax(scores), annotations, d));
}
