#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"input_gradient", "jacobian"});
    // The two numbers of the lesson. The second class has a smaller logit.
    const Network hand = [](const Tensor& x) {
        const Tensor numbers = reshape(x, {2});
        const Tensor z = 3. * sum(softmax(numbers) * numbers);
        return stack({z, z * 0.5 - 1.}, 0);
    };
    const auto f64 = [](std::vector<double> numbers, const Shape& shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    const Tensor two = f64({2, 0}, {2, 1});
    const double a = 1 / (1 + std::exp(-2.)), slope = 3 * (a + a * (1 - a) * 2);
    const double second = 3 * ((1 - a) - a * (1 - a) * 2);
    judge.given({{"embeddings", two}});
    judge.equal(
        "the numbers 2 and 0 of the lesson: 6.545 and 0",
        [&] { return my_input_gradient(hand, two); }, f64({2 * slope, 0}, {2}),
        {.formula = "g_j = x_j . dz/dx_j, z the logit of the predicted class",
         .mistakes = {{"this is the gradient; its dot product with the embedding is missing",
                       f64({slope, second}, {2})},
                      {"all logits were summed, and not only the predicted one was taken",
                       f64({3 * slope, 0}, {2})},
                      {"this is the derivative of another class", f64({slope, 0}, {2})}}});

    Rng rng(1);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64);
    };
    const Tensor q = random({4}), W = random({4, 3}), out = random({5, 4});
    const Network network = [&](const Tensor& x) {
        const Tensor states = tanh(matmul(x, transpose(W)));
        return 2. * matmul(out, matmul(softmax(matmul(states, q)), states));
    };
    const Tensor words = random({7, 3});
    const auto gradient_of = [&](const std::function<Tensor(const Tensor&)>& number) {
        Tensor x = copy_of(words);
        x.set_requires_grad();
        return grad(number(network(x)), {x})[0];
    };
    const int best = argmax(network(words))[0];
    const auto logit = [&](const Tensor& l) { return select(l, 0, best); };
    const Tensor right = gradient_of(logit);
    const Tensor expected = sum(words * right, 1);
    judge.equal(
        "seven random words of width 3 and five classes",
        [&] { return my_input_gradient(network, words); }, expected,
        {.formula = "g_j = x_j . dz/dx_j, z the logit of the predicted class",
         .mistakes = {
             {"all logits were summed, and not only the predicted one was taken",
              sum(words * gradient_of([](const Tensor& l) { return sum(l); }), 1)},
             {"the probability of the class was differentiated, and not its logit",
              sum(words * gradient_of([&](const Tensor& l) { return select(softmax(l), 0, best); }),
                  1)},
             {"the loss was differentiated, and not the logit",
              sum(words * gradient_of(
                              [&](const Tensor& l) { return -select(log_softmax(l), 0, best); }),
                  1)},
             {"the first class was taken, not the predicted one",
              sum(words *
                      gradient_of([&](const Tensor& l) { return select(l, 0, best == 0 ? 1 : 0); }),
                  1)},
             {"the absolute value comes later; a word may also speak against the class",
              abs(expected)},
             {"this is the length of the gradient, without the embedding",
              sqrt(sum(square(right), 1))},
             {"the product was summed over the words, and not over the numbers of a word",
              sum(words * right, 0)},
             {"the numbers of the gradient were summed, without the embedding", sum(right, 1)}}});
    judge.holds(
        "the embeddings stay as they were",
        [&] {
            const Tensor mine = copy_of(words);
            my_input_gradient(network, mine);
            return !mine.requires_grad() && !mine.grad().defined() &&
                   sum(abs(mine - words)).item() == 0;
        },
        "The embeddings that came in were changed. A Tensor is a handle, so x = embeddings is the "
        "same tensor: make a copy with copy_of().");
    judge.equal(
        "one percent off a word: the logit changes by about one percent of g",
        [&] {
            const Tensor g = my_input_gradient(network, words);
            return g * 1e-6;
        },
        [&] {
            std::vector<double> changes;
            for (int64_t j = 0; j < 7; ++j) {
                std::vector<double> factors(7, 1);
                factors[static_cast<std::size_t>(j)] = 1 - 1e-6;
                const Tensor less = words * f64(factors, {7, 1});
                changes.push_back((logit(network(words)) - logit(network(less))).item());
            }
            return f64(changes, {7});
        }(),
        {.tolerance = 1e-10});
}
