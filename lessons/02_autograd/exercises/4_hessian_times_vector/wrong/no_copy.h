// Says: The input of my_hvp has become a leaf
#include <functional>

#include "lessons/course/exercise/write.h"

using Function = std::function<Tensor(const Tensor& x)>;

Tensor my_hvp(const Function& f, const Tensor& x, const Tensor& v) {
    Tensor leaf = x;
    leaf.set_requires_grad();
    const Tensor g = grad(f(leaf), {leaf}, true)[0];
    return grad(sum(g * v), {leaf})[0];
}
