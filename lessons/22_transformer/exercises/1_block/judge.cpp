#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own(
        {"linear", "linear_definition", "feed_forward", "FeedForward", "TransformerEncoderLayer"});
    const auto f64 = [](std::vector<double> numbers, const Shape& shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    judge.equal("the absolute value of the lesson, for -3 and 2: 3 and 2",
                [&] {
                    return my_feed_forward(f64({-3, 2}, {2, 1}), f64({1, -1}, {2, 1}),
                                           f64({0, 0}, {2}), f64({1, 1}, {1, 2}), f64({0}, {1}));
                },
                f64({3, 2}, {2, 1}),
                {.formula = "W2 relu(W1 x + b1) + b2",
                 .mistakes = {{"there is no relu between the two layers", f64({0, 0}, {2, 1})}}});
    judge.equal("x = 1, both weights -1, biases 3 and -4: relu(-1 + 3) = 2, and -2 - 4 = -6",
                [&] {
                    return my_feed_forward(f64({1}, {1, 1}), f64({-1}, {1, 1}), f64({3}, {1}),
                                           f64({-1}, {1, 1}), f64({-4}, {1}));
                },
                f64({-6}, {1, 1}),
                {.formula = "W2 relu(W1 x + b1) + b2",
                 .mistakes = {{"the result is cut off at 0 by a second relu", f64({0}, {1, 1})},
                              {"the bias b1 is added after the relu", f64({-7}, {1, 1})},
                              {"a bias is missing", f64({-4}, {1, 1})},
                              {"a bias is missing", f64({-2}, {1, 1})},
                              {"the input is added; the residual connection belongs to the block",
                               f64({-5}, {1, 1})}}});
    Rng rng(1);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64);
    };
    const Tensor x = random({4, 3}), w1 = random({6, 3}), b1 = random({6}), w2 = random({3, 6}),
                 b2 = random({3});
    judge.given({{"x", x}, {"w1", w1}, {"b1", b1}, {"w2", w2}, {"b2", b2}});
    judge.equal(
        "four tokens of width 3, with six hidden units",
        [&] { return my_feed_forward(x, w1, b1, w2, b2); },
        linear(relu(linear(x, w1, b1)), w2, b2));

    // clang-format takes these & for an operator.
    // clang-format off
    const Sublayer twice = [](const Tensor& in) { return 2. * in; },
                   nothing = [](const Tensor& in) { return 0. * in; };
    // clang-format on
    const Tensor token = f64({1, 2, 6}, {1, 3}), n = layer_norm(token);
    judge.given({{"x", token}});
    judge.equal("pre-norm with the token (1, 2, 6) of the task",
                [&] { return my_pre_norm(twice, nothing, token); }, token + 2. * n,
                {.formula = "y = x + f(norm(x)), for both sublayers",
                 .mistakes = {{"the normalised token is added, not the token itself", 3. * n},
                              {"the sum is normalised, which is post-norm", layer_norm(3. * token)},
                              {"the norm stands around the sublayer, not around what it reads",
                               token + layer_norm(2. * token)},
                              {"the sublayer reads the token without a norm", 3. * token}}});
    judge.equal("post-norm with this token", [&] { return my_post_norm(twice, nothing, token); },
                layer_norm(layer_norm(3. * token)),
                {.formula = "y = norm(x + f(x)), for both sublayers",
                 .mistakes = {{"nothing is normalised", 3. * token},
                              {"this is pre-norm", token + 2. * n}}});

    // An attention that mixes the tokens with fixed weights, and a network.
    const Tensor weights = softmax(random({4, 4})), W = random({3, 3});
    // clang-format takes these & for an operator.
    // clang-format off
    const Sublayer attention = [=](const Tensor& in) { return matmul(weights, in); },
                   network = [=](const Tensor& in) { return matmul(relu(in), W); };
    // clang-format on
    const Tensor nx = layer_norm(x), z = x + attention(nx);
    judge.equal(
        "pre-norm with four random tokens, an attention and a network",
        [&] { return my_pre_norm(attention, network, x); }, z + network(layer_norm(z)),
        {.formula = "z = x + attention(norm(x)), y = z + network(norm(z))",
         .mistakes = {{"the second sublayer has no norm", z + network(z)},
                      {"both sublayers read the same normalised x; the network has to read the sum",
                       z + network(nx)},
                      {"the second residual connection is missing", network(layer_norm(z))},
                      {"the second residual connection begins at x, not at the sum",
                       x + network(layer_norm(z))},
                      {"the sublayers are exchanged: attention comes first",
                       [&] {
                           const Tensor first = x + network(nx);
                           return first + attention(layer_norm(first));
                       }()},
                      {"the result is normalised once more; that comes after the last block only",
                       layer_norm(z + network(layer_norm(z)))}}});
    const Tensor p = layer_norm(x + attention(x));
    judge.equal(
        "post-norm with the same sublayers", [&] { return my_post_norm(attention, network, x); },
        layer_norm(p + network(p)),
        {.formula = "z = norm(x + attention(x)), y = norm(z + network(z))",
         .mistakes = {{"the second sum is not normalised", p + network(p)},
                      {"the first sum is not normalised",
                       layer_norm(x + attention(x) + network(x + attention(x)))},
                      {"the norm stands around the sublayer alone, not around the sum", [&] {
                           const Tensor first = x + layer_norm(attention(x));
                           return first + layer_norm(network(first));
                       }()}}});
    judge.gradient(
        "the gradients of tokens, matrices and biases of the feed-forward network",
        [](const auto& in) { return my_feed_forward(in[0], in[1], in[2], in[3], in[4]); },
        {x, w1, b1, w2, b2});
    judge.gradient("the gradient of the block with pre-norm",
                   [&](const auto& in) { return my_pre_norm(attention, network, in[0]); }, {x});
    judge.gradient("the gradient of the block with post-norm",
                   [&](const auto& in) { return my_post_norm(attention, network, in[0]); }, {x});
}
