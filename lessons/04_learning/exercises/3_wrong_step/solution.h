#include <functional>
#include <string>
#include <vector>

#include "lessons/course/exercise/write.h"

// The step from 0.8 to 0.44 has the gradient 3.6 = 2 + 1.6: that of the first step is still there.
std::string my_cause() { return "c"; }

using Loss = std::function<Tensor(const Tensor& theta)>;

// The parameter after each step.
std::vector<double> my_descent(const Loss& loss, double start, double rate, int steps) {
    Tensor theta = scalar(start, Dtype::float64).set_requires_grad();
    std::vector<double> path;
    for (int step = 0; step < steps; ++step) {
        theta.clear_grad();  // backward() adds
        backward(loss(theta));
        theta.assign(detach(theta) - rate * theta.grad());
        path.push_back(theta.item());
    }
    return path;
}
