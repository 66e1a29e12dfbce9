// What has weight 0 does not count, whatever it is: 0 times infinity is 0 where the 0 means "not at all".
//
// Everything that has weights, targets, labels or masks is held to one law: where they are 0, NaN and the
// infinities in the other input give the same result and the same gradients as a 0 there.
#include <cmath>
#include <functional>

#include "attention/attention.h"
#include "nn/nn.h"
#include "tests/autograd/compare.h"

namespace heed {
namespace {

struct Weighed {
    const char* name;
    std::function<Tensor(const Tensor&)> f;  // of a tensor [2, 4]
    std::vector<int> without_weight;         // those of its 8 numbers that do not count
};

Tensor f64(const std::vector<double>& x, const Shape& shape) {
    return tensor(x, shape, Dtype::float64);
}

std::vector<Weighed> all_weighed() {
    const Tensor mask = f64({1, 1, 0, 1, 0, 0, 1, 1}, {2, 4});
    const Tensor target = f64({0.5, 0.25, 0, 0.25, 0, 0, 0.25, 0.75}, {2, 4});
    const Tensor scores = f64({1, 2, -infinity, 0.5, -infinity, -infinity, 0, 1}, {2, 4});
    const std::vector<int> zeros_of_mask{2, 4, 5}, second_row{4, 5, 6, 7};
    const Segments segments({0, 0}, 1);
    return {
        {"weighted", [=](const Tensor& x) { return weighted(target, x); }, zeros_of_mask},
        {"where", [=](const Tensor& x) { return where(mask, x, 3.0); }, zeros_of_mask},
        {"masked_softmax", [=](const Tensor& x) { return masked_softmax(x, mask); }, zeros_of_mask},
        {"masked_softmax_definition",
         [=](const Tensor& x) { return masked_softmax_definition(x, mask); }, zeros_of_mask},
        {"kl_divergence", [=](const Tensor& x) { return kl_divergence(x, target); }, zeros_of_mask},
        {"cross_entropy",
         [](const Tensor& x) {
             return cross_entropy(x, {1, -100});
         },
         second_row},
        {"nll_loss",
         [](const Tensor& x) {
             return nll_loss(x, {1, -100});
         },
         second_row},
        {"expected_loss, mask",
         [=](const Tensor& x) {
             return expected_loss(numbers({2, 4}), x, mask);
         },
         zeros_of_mask},
        {"expected_loss, impossible", [=](const Tensor& x) { return expected_loss(scores, x); },
         zeros_of_mask},
        {"expected_loss, scores",
         [=](const Tensor& x) {
             return expected_loss(x, numbers({2, 4}), mask);
         },
         zeros_of_mask},
        {"marginal_log_likelihood",
         [=](const Tensor& x) {
             return marginal_log_likelihood(numbers({2, 4}), x, mask);
         },
         zeros_of_mask},
        {"marginal_log_likelihood, scores",
         [=](const Tensor& x) {
             return marginal_log_likelihood(x, numbers({2, 4}), mask);
         },
         zeros_of_mask},
        {"posterior",
         [=](const Tensor& x) {
             return posterior(numbers({2, 4}), x, mask);
         },
         zeros_of_mask},
        {"categorical_entropy", [=](const Tensor& x) { return categorical_entropy(x, mask); },
         zeros_of_mask},
        {"score_function_term",
         [=](const Tensor& x) {
             return score_function_term(f64({2, 0}, {2}), x);
         },
         second_row},
        {"Dropout",
         [](const Tensor& x) {
             // the seed that leaves out 2, 4 and 5 of eight numbers
             for (uint64_t seed = 1;; ++seed) {
                 Rng rng(seed), again(seed);
                 const Dropout dropout(0.5);
                 const Tensor kept = dropout(ones({2, 4}, x.dtype()), Mode::training(rng));
                 if (kept.to_vector() == std::vector<double>{2, 2, 0, 2, 0, 0, 2, 2})
                     return dropout(x, Mode::training(again));
             }
         },
         zeros_of_mask},
    };
}

TEST_CASE("what has weight 0 may be anything", "[grad]") {
    for (const Weighed& one : all_weighed())
        for (double bad : {infinity, -infinity, nan_value, 1e300}) {
            INFO(one.name << " with " << bad);
            std::vector<double> values = numbers({2, 4}, 7).to_vector();
            for (int i : one.without_weight) values[i] = 0;
            const Tensor plain = f64(values, {2, 4}).set_requires_grad();
            for (int i : one.without_weight) values[i] = bad;
            const Tensor x = f64(values, {2, 4}).set_requires_grad();
            const Tensor expected = one.f(plain), y = one.f(x);
            CHECK(largest_difference(y, expected) == 0);
            const Tensor dx = grad(weighed(y), {x})[0];
            CHECK(largest_difference(dx, grad(weighed(expected), {plain})[0]) == 0);
            for (int i : one.without_weight) CHECK(flatten(dx).at({i}) == 0);
        }
}

// The result and the gradient of f at these numbers.
struct Found {
    std::vector<double> y, dx;
};
template <class F>
Found at(const F& f, const std::vector<double>& numbers, double arriving = 1) {
    const Tensor x = tensor(numbers, Dtype::float64).set_requires_grad();
    const Tensor y = f(x);
    const Tensor dx = grad(y, {x}, false, full(y.shape(), arriving, Dtype::float64))[0];
    return {y.to_vector(), dx.to_vector()};
}

TEST_CASE("0 ln 0 is 0, in values and gradients", "[grad]") {
    using Numbers = std::vector<double>;
    const auto entropy = [](const Tensor& x) { return categorical_entropy(x); };
    const Found three = at(entropy, {1, 2, -infinity}), two = at(entropy, {1, 2});
    CHECK(three.y[0] == Approx(0.5822).epsilon(1e-4));
    CHECK(three.y == two.y);
    CHECK(three.dx == Numbers{two.dx[0], two.dx[1], 0});

    const auto bce = [](double target) {
        return [=](const Tensor& x) {
            return binary_cross_entropy_with_logits(x, full(x.shape(), target, x.dtype()),
                                                    Reduction::none);
        };
    };
    for (const auto& [x, t, loss, slope] :
         {std::array{-infinity, 0., 0., 0.}, std::array{infinity, 0., infinity, 1.},
          std::array{infinity, 1., 0., 0.}, std::array{-infinity, 1., infinity, -1.},
          std::array{infinity, 0.5, infinity, 0.5}}) {
        INFO(x << " for the target " << t);
        CHECK(at(bce(t), {x}).y == Numbers{loss});
        CHECK(at(bce(t), {x}).dx == Numbers{slope});
    }
    const Found kl = at(
        [](const Tensor& x) {
            return kl_divergence(x, tensor({0, 1}, Dtype::float64));
        },
        {-infinity, 0});
    CHECK(kl.y == Numbers{0});
    CHECK(kl.dx == Numbers{0, -1});
    const Tensor scores = tensor({0, 0}, {1, 2}), loss = tensor({1, infinity}, {1, 2});
    CHECK(expected_loss(scores, loss, tensor({1, 0}, {1, 2})).item() == 1);
    // All of the probability spread evenly: the label has weight 0.
    CHECK(cross_entropy(tensor({-infinity, 0}, {1, 2}), {0}, {.smoothing = 1}).item() == infinity);
}

TEST_CASE("where everything is impossible and no gradient arrives, none leaves", "[grad]") {
    using Numbers = std::vector<double>;
    const Numbers impossible{-infinity, -infinity, -infinity}, nothing{0, 0, 0};
    const auto sums = {
        +[](const Tensor& x) { return logsumexp(x); },
        +[](const Tensor& x) { return logaddexp(x, x); },
        +[](const Tensor& x) { return logaddexp(x, full(x.shape(), -infinity, x.dtype())); },
        +[](const Tensor& x) { return marginal_log_likelihood(zeros(x.shape(), x.dtype()), x); },
    };
    for (const auto f : sums) {
        CHECK(at(f, impossible).y[0] == -infinity);
        CHECK(at(f, impossible, 0).dx == nothing);
        CHECK(std::isnan(at(f, impossible, 1).dx[0]));  // a share of nothing, as for softmax
    }
    const Tensor x = tensor(impossible, Dtype::float64).set_requires_grad();
    const Tensor first = grad(logsumexp(x) * 0.0, {x}, true)[0];
    CHECK(first.to_vector() == nothing);
    CHECK(grad(sum(first), {x})[0].to_vector() == nothing);
}

}  // namespace
}  // namespace heed
