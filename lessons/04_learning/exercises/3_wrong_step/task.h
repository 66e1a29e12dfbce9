//! # A step that goes too far
//!
//! *Find the bug.* The function below is meant to be the gradient descent of lesson {learning},
//! with one parameter: $\theta \leftarrow \theta - \eta \, g$. For the loss $\theta^2$, the start 1
//! and the rate 0.1, the lesson worked by hand what it should return: 0.8, 0.64 and 0.512. It
//! returns
//!
//! > 0.8, 0.44, -0.008
//!
//! For many losses it finds a minimum all the same. Momentum would make a similar path.
//!
//! 1. `my_cause()` returns the letter of what is wrong: "a": the step has the wrong sign; "b": the
//!    learning rate grows; "c": the gradient contains those of earlier steps; "d": the gradient is
//!    computed after the step; "e": the gradient is that of another loss.
//! 2. Mend `my_descent`.
//!
//! Work out the second step by hand: which gradient leads from 0.8 to 0.44? What does the
//! engine's `backward` do with `theta.grad()`? Its header says that it adds the derivative of the
//! loss to it.
//!
//! Level 1 of 3, about 10 minutes.
#include <functional>
#include <string>
#include <vector>

#include "lessons/course/exercise/write.h"

std::string my_cause() { not_written(); }

using Loss = std::function<Tensor(const Tensor& theta)>;

// The parameter after each step.
std::vector<double> my_descent(const Loss& loss, double start, double rate, int steps) {
    Tensor theta = scalar(start, Dtype::float64).set_requires_grad();
    std::vector<double> path;
    for (int step = 0; step < steps; ++step) {
        backward(loss(theta));
        theta.assign(detach(theta) - rate * theta.grad());
        path.push_back(theta.item());
    }
    return path;
}
