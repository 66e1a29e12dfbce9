#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"checkpoint", "reversible", "vjp", "jacobian"});
    const auto one = [](double number) { return tensor({number}, Dtype::float64); };
    const Layer squared = [](const Tensor& x) { return square(x); };
    judge.equal(
        "two layers that square: the gradient of x^4 at 2, in pieces of one layer",
        [&] {
            return my_gradient({squared, squared}, one(2), one(1), 1);
        },
        one(32),
        {.formula = "the gradient of a piece's input is that of the output of the piece before",
         .mistakes = {{"the gradient that arrives at a piece is not passed on", one(4)},
                      {"the gradient that arrives at a piece is not passed on", one(8)},
                      {"each piece gets the input of the network, not its own", one(16)}}});
    judge.equal("the same with g = 3",
                [&] {
                    return my_gradient({squared, squared}, one(2), one(3), 1);
                },
                one(96), {.mistakes = {{"the gradient g of the output is not used", one(32)}}});
    judge.equal("three layers that square, in pieces of two: the last piece has one layer",
                [&] {
                    return my_gradient({squared, squared, squared}, one(1.5), one(1), 2);
                },
                one(8 * std::pow(1.5, 7)),
                {.mistakes = {{"the last piece, which is shorter, is left out",
                               one(4 * std::pow(1.5, 3))}}});
    judge.equal(
        "one piece with all layers",
        [&] {
            return my_gradient({squared, squared}, one(2), one(1), 5);
        },
        one(32));

    // Ten layers with parameters, which count how often they are called.
    Rng rng(5);
    std::vector<Tensor> weights;
    std::vector<int> calls(10, 0);
    std::vector<Layer> layers;
    for (int i = 0; i < 10; ++i) {
        weights.push_back(normal({4, 4}, 0, 0.7, rng, Dtype::float64).set_requires_grad());
        layers.push_back([i, &weights, &calls](const Tensor& x) {
            ++calls[i];
            return tanh(matmul(x, weights[i]));
        });
    }
    const Tensor x = normal({3, 4}, 0, 1, rng, Dtype::float64),
                 g = normal({3, 4}, 0, 1, rng, Dtype::float64);
    Tensor leaf = copy_of(x).set_requires_grad();
    Tensor y = leaf;
    for (const Layer& layer : layers) y = layer(y);
    backward(y, g);
    std::vector<Tensor> expected;
    for (Tensor& w : weights) expected.push_back(w.grad());
    const auto clear = [&] {
        for (Tensor& w : weights) w.clear_grad();
        std::fill(calls.begin(), calls.end(), 0);
    };
    for (const std::size_t each : {1, 3, 5, 10}) {
        clear();
        judge.equal(
            fmt::format("ten layers in pieces of {}: the gradient of the input", each),
            [&] { return my_gradient(layers, x, g, each); }, leaf.grad());
        judge.holds(
            fmt::format("ten layers in pieces of {}: the gradients of all parameters", each),
            [&] {
                for (int i = 0; i < 10; ++i)
                    if (!weights[i].grad().defined() ||
                        max(abs(weights[i].grad() - expected[i])).item() > 1e-9)
                        return false;
                return true;
            },
            "A parameter got no gradient or a wrong one. Does a recording of one piece reach into "
            "another piece, so that something is sent back twice?");
        judge.holds(
            "each layer is called twice at most",
            [&] { return *std::max_element(calls.begin(), calls.end()) <= 2; },
            "A layer ran three times or more. A piece has to begin with its own input, not with "
            "the "
            "input of the network.");
    }
    // Twelve layers with five activations each, of 65,536 bytes.
    const std::vector<Layer> wide(
        12, [](const Tensor& z) { return tanh(exp(tanh(exp(tanh(z)))) - 1.) * 0.5; });
    const Tensor large = normal({128, 128}, 0, 1, rng), ones_of = ones({128, 128});
    judge.given({{"x", large}, {"g", ones_of}});
    judge.bytes(
        "twelve layers in pieces of one need far fewer bytes than all activations",
        [&] { my_gradient(wide, large, ones_of, 1); }, 2.2e6,
        "Is anything kept beyond the inputs of the pieces? The first run must not be recorded, and "
        "the activations of one piece must be gone before the next one runs.");
}
