// Says: f was called several times
#include <functional>

#include "lessons/course/exercise/write.h"

using Function = std::function<Tensor(const Tensor& x)>;

Tensor my_hvp(const Function& f, const Tensor& x, const Tensor& v) {
    const auto gradient = [&](const Tensor& at) {
        const Tensor leaf = copy_of(at).set_requires_grad();
        return grad(f(leaf), {leaf})[0];
    };
    const double h = 1e-5;
    return (gradient(x + h * v) - gradient(x - h * v)) / (2 * h);
}
