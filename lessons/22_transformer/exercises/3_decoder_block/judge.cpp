#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"TransformerDecoderLayer", "TransformerDecoder", "Transformer"});
    const auto f64 = [](std::vector<double> numbers, const Shape& shape) {
        return tensor(numbers, shape, Dtype::float64);
    };
    // clang-format takes these & for an operator.
    // clang-format off
    const Tensor at_last = f64({0, 0, 1}, {3});
    const Attention last = [=](const Tensor& query, const Tensor&, const Tensor&, bool) { return at_last * query; };
    const Sublayer nothing = [](const Tensor& in) { return 0. * in; };
    // clang-format on
    const Tensor token = f64({1, 2, 6}, {1, 3}), first = token + at_last * layer_norm(token);
    judge.given({{"x", token}});
    judge.equal("the token (1, 2, 6) of the task, with attentions that return its last number",
                [&] {
                    return my_decoder_block(last, last, nothing, token, f64({5, 0, 1}, {1, 3}));
                },
                first + at_last * layer_norm(first),
                {.formula = "x + f(norm(x)), three times",
                 .mistakes = {{"one of the two attentions is missing", first},
                              {"cross-attention asks with tokens that are not normalised",
                               first + at_last * first},
                              {"the residual connection around cross-attention is missing",
                               at_last * layer_norm(first)},
                              {"cross-attention asks with the tokens from before self-attention",
                               first + at_last * layer_norm(token)}}});

    Rng rng(1);
    const auto random = [&](const Shape& shape) {
        return normal(shape, 0, 1, rng, Dtype::float64);
    };
    const Tensor x = random({4, 3}), memory = random({4, 3}), a = random({3, 3}),
                 b = random({3, 3}), c = random({3, 3}), d = random({3, 3}), W = random({3, 3});
    // Two attentions with matrices of their own, and a network.
    const auto attention = [](const Tensor& by, const Tensor& to, const Tensor& query,
                              const Tensor& key, const Tensor& value, bool causal) {
        const Tensor scores = matmul(matmul(query, by), transpose(key));
        const Tensor mask = squeeze(causal_mask(query.size(0), key.size(0), scores.dtype()), 0);
        return matmul(matmul(attention_weights(scores, causal ? mask : Tensor()), value), to);
    };
    // clang-format off
    const Attention self = [&](const Tensor& q, const Tensor& k, const Tensor& v, bool causal) { return attention(a, b, q, k, v, causal); },
                    cross = [&](const Tensor& q, const Tensor& k, const Tensor& v, bool causal) { return attention(c, d, q, k, v, causal); };
    const Sublayer network = [&](const Tensor& in) { return matmul(relu(in), W); };
    // clang-format on
    const auto norm = [](const Tensor& t) { return layer_norm(t); };
    const auto rest = [&](const Tensor& z) { return z + network(norm(z)); };
    const Tensor n = norm(x), y = x + self(n, n, n, true),
                 asked = cross(norm(y), memory, memory, false);
    const Tensor not_causal = x + self(n, n, n, false);
    const Tensor before = x + cross(n, memory, memory, false);
    const auto others = [&](const Tensor& own_first) {
        return rest(own_first + cross(norm(own_first), memory, memory, false));
    };
    judge.given({{"x", x}, {"memory", memory}});
    judge.equal(
        "four tokens and a memory of four",
        [&] { return my_decoder_block(self, cross, network, x, memory); }, rest(y + asked),
        {.formula = "y = x + self(norm(x)), z = y + cross(norm(y), memory), z + network(norm(z))",
         .mistakes = {
             {"self-attention is not causal: in training a token would see the word it has to predict",
              others(not_causal)},
             {"cross-attention is causal, but the whole source is there from the first word on",
              rest(y + cross(norm(y), memory, memory, true))},
             {"the values of cross-attention are the tokens' own; keys and values both come from the "
              "memory",
              rest(y + cross(norm(y), memory, y, false))},
             {"the values of cross-attention are the tokens' own; keys and values both come from the "
              "memory",
              rest(y + cross(norm(y), memory, norm(y), false))},
             {"the values of cross-attention are the tokens' own; keys and values both come from the "
              "memory",
              rest(y + cross(norm(y), memory, x, false))},
             {"the tokens are asked and the memory asks; it is the tokens that become the translation",
              rest(y + cross(memory, norm(y), norm(y), false))},
             {"cross-attention asks with tokens that are not normalised",
              rest(y + cross(y, memory, memory, false))},
             {"the memory is normalised once more; the encoder has done that",
              rest(y + cross(norm(y), norm(memory), norm(memory), false))},
             {"cross-attention asks with the tokens from before self-attention",
              rest(y + cross(n, memory, memory, false))},
             {"the residual connection around cross-attention is missing", rest(asked)},
             {"cross-attention stands before self-attention",
              [&] {
                  const Tensor own = norm(before);
                  return rest(before + self(own, own, own, true));
              }()},
             {"the network reads tokens that are not normalised", y + asked + network(y + asked)},
             {"the result is normalised; with pre-norm that comes after the last block only",
              norm(rest(y + asked))}}});
    const Tensor longer = random({6, 3});
    judge.given({{"x", x}, {"memory", longer}});
    judge.equal(
        "four tokens and a memory of six",
        [&] { return my_decoder_block(self, cross, network, x, longer); },
        rest(y + cross(norm(y), longer, longer, false)));
    const Tensor embedding = random({7, 3});
    judge.given({{"x", x}, {"embedding", embedding}});
    judge.equal("the logits of four tokens for seven words",
                [&] { return my_logits(x, embedding); }, matmul(n, transpose(embedding)),
                {.formula = "norm(x) Eᵀ",
                 .mistakes = {{"the tokens are not normalised before the logits",
                               matmul(x, transpose(embedding))},
                              {"these are probabilities; a loss takes the logits",
                               softmax(matmul(n, transpose(embedding)))}}});
    judge.gradient(
        "the gradients of tokens and memory",
        [&](const auto& in) { return my_decoder_block(self, cross, network, in[0], in[1]); },
        {x, memory});
    judge.gradient("the gradients of tokens and embedding",
                   [](const auto& in) { return my_logits(in[0], in[1]); }, {x, embedding});
}
