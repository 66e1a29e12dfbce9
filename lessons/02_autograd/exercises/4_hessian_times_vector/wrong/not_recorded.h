// Says: It stopped with an error
#include <functional>

#include "lessons/course/exercise/write.h"

using Function = std::function<Tensor(const Tensor& x)>;

Tensor my_hvp(const Function& f, const Tensor& x, const Tensor& v) {
    const Tensor leaf = copy_of(x).set_requires_grad();
    const Tensor g = grad(f(leaf), {leaf})[0];
    return grad(sum(g * v), {leaf})[0];
}
