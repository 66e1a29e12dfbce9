#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

// A GRU of one matrix, for the judge.
Tensor small_gru(const Tensor& W, const Tensor& input, const Tensor& state) {
    const Tensor both = concat({input, state}, 0);
    const Tensor z = sigmoid(matmul(W, both)), n = tanh(matmul(W * 0.7, both));
    return z * state + (1 - z) * n;
}

void judge(course::Judge& judge) {
    judge.own({"RecurrentDecoder", "EncoderDecoder", "additive_scores", "AttentionScore",
               "soft_attention", "attention_weights"});
    const auto f64 = [](std::vector<double> numbers, const Shape& shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    Rng rng(1);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 0.7, rng, Dtype::float64);
    };
    const Tensor I = eye(2, Dtype::float64), h = f64({1, -1, -1, 1, 1, 1}, {3, 2}),
                 s = f64({0, -1}, {2}), word = f64({0.5}, {1}), v = f64({3, 3}, {2});
    const Decoder hand{I,
                       I,
                       v,
                       random({3, 5}),
                       random({4, 3}),
                       [W = random({2, 5})](const Tensor& input, const Tensor& state) {
                           return small_gru(W, input, state);
                       }};
    judge.given({{"annotations", h}, {"word_before", word}, {"state", s}});
    judge.equal("the weights of the example: 0.052, 0.010, 0.938",
                [&] { return my_step(hand, h, word, s).weights; }, softmax(matmul(tanh(h + s), v)),
                {.formula = "alpha = softmax(v . tanh(W s + U h_j))",
                 .mistakes = {{"the tanh in the score is missing", softmax(matmul(h + s, v))},
                              {"these are the scores, without a softmax", matmul(tanh(h + s), v)},
                              {"the query is the new state; it needs the context, which is not "
                               "known yet",
                               softmax(matmul(tanh(h + hand.gru(concat({word, s}, 0), s)), v))}}});

    // K = 6 source words, H = 4, S = 3, Y = 2, A = 5, F = 7, V = 8.
    const Tensor W = random({5, 3}), U = random({5, 4}), w = random({5}), R = random({7, 9}),
                 O = random({8, 7}), G = random({3, 9});
    const auto decoder = [](const std::vector<Tensor>& p) {
        return Decoder{
            p[0], p[1], p[2], p[3], p[4], [G = p[5]](const Tensor& input, const Tensor& state) {
                check(input.shape() == Shape({6}),
                      "gru: the input has the shape {}, expected is [6], word and "
                      "context one after the other",
                      input.shape());
                check(state.shape() == Shape({3}),
                      "gru: the state has the shape {}, expected is [3]", state.shape());
                return small_gru(G, input, state);
            }};
    };
    const std::vector<Tensor> parameters{W, U, w, R, O, G};
    const Tensor annotations = random({6, 4}) * 2., before = random({2}), state = random({3});
    const Decoder d = decoder(parameters);
    const Tensor alpha =
        softmax(matmul(tanh(matmul(annotations, transpose(U)) + matmul(W, state)), w));
    const Tensor c = matmul(alpha, annotations), last = select(annotations, 0, 5);
    const auto next_with = [&](const Tensor& first, const Tensor& second) {
        return small_gru(G, concat({first, second}, 0), state);
    };
    const auto said = [&](const std::vector<Tensor>& parts, bool bent = true) {
        const Tensor features = matmul(R, concat(parts, 0));
        return softmax(matmul(O, bent ? tanh(features) : features));
    };
    const auto step = [&] { return my_step(d, annotations, before, state); };
    judge.equal("the weights for six random source words", [&] { return step().weights; }, alpha,
                {.formula = "alpha = softmax(v . tanh(W s + U h_j))"});
    const Tensor next = next_with(before, c);
    judge.equal(
        "the new state", [&] { return step().state; }, next,
        {.formula = "s_t = GRU([y_(t-1); c], s_(t-1))",
         .mistakes = {
             {"the context stands before the word; it is [y; c]", next_with(c, before)},
             {"the context is the last annotation, as without attention", next_with(before, last)},
             {"the context is the plain mean of the annotations",
              next_with(before, mean(annotations, 0))},
             {"the old state was returned, and not the new one", state}}});
    judge.equal("the probabilities", [&] { return step().probabilities; }, said({next, c, before}),
                {.formula = "p = softmax(O tanh(R [s_t; c; y_(t-1)]))",
                 .mistakes = {{"the output is computed from the old state, not from the new one",
                               said({state, c, before})},
                              {"the tanh before O is missing", said({next, c, before}, false)},
                              {"the order of the three parts is state, context, word",
                               said({next, before, c})},
                              {"these are the logits, without a softmax",
                               matmul(O, tanh(matmul(R, concat({next, c, before}, 0))))}}});
    judge.equal(
        "a sentence of one word: its weight is 1",
        [&] { return my_step(d, slice(annotations, 0, 0, 1), before, state).weights; },
        f64({1}, {1}));
    judge.gradient(
        "the gradients of all matrices, the annotations, the word and the state",
        [&](const auto& x) {
            const auto r = my_step(decoder({x[0], x[1], x[2], x[3], x[4], x[5]}), x[6], x[7], x[8]);
            return concat({r.state, r.probabilities, r.weights}, 0);
        },
        {W, U, w, R, O, G, annotations, before, state});
}
