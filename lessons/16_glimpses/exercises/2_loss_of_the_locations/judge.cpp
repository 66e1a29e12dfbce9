#include "lessons/course/exercise/judge.h"

#include <vector>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own(
        {"reinforce", "variational_bound", "several_sample_bound", "sample_location", "record"});
    Rng rng(1);
    const auto d64 = Dtype::float64;
    const auto leaf = [](const Tensor& x) {
        Tensor y = clone(x);
        return y.set_requires_grad();
    };
    // The gradients of mu, location, loss and baseline.
    const auto slopes = [&](const Tensor& mu, const Tensor& at, const Tensor& L, const Tensor& b,
                            double sigma) {
        std::vector<Tensor> x{leaf(mu), leaf(at), leaf(L), leaf(b)};
        const Tensor loss = my_location_loss(x[0], x[1], x[2], x[3], sigma);
        check(loss.numel() == 1, "the result has the shape {}, expected is []", loss.shape());
        backward(sum(loss));
        std::vector<Tensor> result;
        for (const Tensor& one : x)
            result.push_back(one.grad().defined() ? one.grad() : zeros_like(one));
        return result;
    };
    const auto pair = [&](double a, double b) { return tensor({a, b}, {1, 1, 2}, d64); };
    const Tensor mu = pair(0.2, 0.2), at = pair(0.37, 0.2), b = tensor({0.3}, {1, 1}, d64);
    const double step = 0.17 / 0.0289;
    const auto of_mu = [&](double loss) { return slopes(mu, at, tensor({loss}, d64), b, 0.17)[0]; };
    judge.equal(
        "the answer was wrong: the gradient of mu is 4.12", [&] { return of_mu(1); },
        pair(0.7 * step, 0),
        {.formula = "(L - b) (l - mu) / sigma^2",
         .mistakes = {
             {"the sign is wrong: the mean would move towards a useless location",
              pair(-0.7 * step, 0)},
             {"the baseline is not subtracted", pair(step, 0)},
             {"the division is by sigma, not by its square", pair(0.7 * step * 0.17, 0)},
             {"the square of a number has the derivative 2, which 1/2 cancels",
              pair(1.4 * step, 0)},
             {"the baseline is added, not subtracted", pair(1.3 * step, 0)},
             {"the result does not depend on mu: it may not be detached", pair(0, 0)},
             {"the mean over the coordinates is taken, not the sum", pair(0.35 * step, 0)}}});
    judge.equal(
        "the answer was right: -1.76", [&] { return of_mu(0); }, pair(-0.3 * step, 0));

    const Tensor M = normal({3, 5, 2}, 0, 1, rng, d64), A = M + normal({3, 5, 2}, 0, 0.2, rng, d64),
                 losses = tensor({1, 0, 1}, d64), base = uniform({3, 5}, 0, 1, rng, d64);
    const Tensor right = unsqueeze(unsqueeze(losses, 1) - base, 2) * (A - M) / (0.04 * 3);
    const auto all = [&] { return slopes(M, A, losses, base, 0.2); };
    judge.equal("three pictures with five locations", [&] { return all()[0]; }, right,
                {.formula = "the sum over the locations, the mean over the pictures",
                 .mistakes = {{"the mean over the pictures is forgotten", right * 3},
                              {"the mean over the locations is taken, not the sum", right / 5},
                              {"the mean over coordinates and locations is taken, not the sum",
                               right / 10}}});
    judge.equal("no gradient reaches the location", [&] { return all()[1]; }, zeros({3, 5, 2}, d64),
                {.formula = "a location that was drawn is a number; detach it"});
    judge.equal("no gradient reaches the baseline", [&] { return all()[3]; }, zeros({3, 5}, d64),
                {.formula = "the baseline is trained by its own squared error; detach it here"});
    judge.equal("no gradient reaches the loss", [&] { return all()[2]; }, zeros({3}, d64),
                {.formula = "L - b is a number that is multiplied; detach it"});
    const Tensor noise = (A - M) / 0.2;
    judge.given({{"L", losses}, {"b", base}});
    judge.equal("the same, if the location is mu + sigma epsilon on the tape",
                [&] {
                    const Tensor x = leaf(M);
                    backward(my_location_loss(x, x + 0.2 * noise, losses, base, 0.2));
                    return x.grad().defined() ? x.grad() : zeros_like(x);
                },
                right,
                {.mistakes = {{"l - mu is sigma epsilon, which does not depend on mu, if l is not "
                               "detached",
                               zeros({3, 5, 2}, d64)}}});
}
