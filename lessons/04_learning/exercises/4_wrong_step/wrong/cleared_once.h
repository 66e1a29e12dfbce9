// Says: the gradients still add up
#include <functional>
#include <string>
#include <vector>

#include "lessons/course/exercise/write.h"

std::string my_cause() { return "c"; }

using Loss = std::function<Tensor(const Tensor& theta)>;

std::vector<double> my_descent(const Loss& loss, double start, double rate, int steps) {
    Tensor theta = scalar(start, Dtype::float64).set_requires_grad();
    std::vector<double> path;
    theta.clear_grad();
    for (int step = 0; step < steps; ++step) {
        backward(loss(theta));
        theta.assign(detach(theta) - rate * theta.grad());
        path.push_back(theta.item());
    }
    return path;
}
