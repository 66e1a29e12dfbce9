#include "lessons/course/exercise/judge.h"

#include HEED_ANSWER

// 1 where a weight is not 0.
Tensor used_of(const Tensor& weights) {
    std::vector<double> used;
    for (const double w : weights.to_vector()) used.push_back(w != 0);
    return tensor(used, weights.shape(), weights.dtype());
}

// The weighed result of the last of each token's experts, without the others.
Tensor last_only(const Tensor& x, const Tensor& weights, const Expert& compute) {
    std::vector<Tensor> rows;
    for (int n = 0; n < x.size(0); ++n)
        for (int e = static_cast<int>(weights.size(1)) - 1; e >= 0; --e)
            if (weights.at({n, e}) != 0) {
                rows.push_back(compute(e, slice(x, 0, n, n + 1)) * weights.at({n, e}));
                break;
            }
    return concat(rows, 0);
}

void judge(course::Judge& judge) {
    judge.own({"mix_experts", "FeedForward"});
    const auto d64 = Dtype::float64;
    Rng rng(1);
    const Tensor matrix = normal({4, 3, 3}, 0, 1, rng, d64);
    const auto compute = [&](int e, const Tensor& tokens) {
        return tanh(matmul(tokens, select(matrix, 0, e)));
    };
    // All experts for all tokens, each with this weight.
    const auto dense = [&](const Tensor& x, const Tensor& weights) {
        Tensor y = zeros(x.shape(), d64);
        for (int e = 0; e < weights.size(1); ++e)
            y = y + compute(e, x) * unsqueeze(select(weights, 1, e), 1);
        return y;
    };
    const Tensor two = normal({2, 3}, 0, 1, rng, d64), few = tensor({1, 0, 0.5, 0.5}, {2, 2}, d64);
    const auto compare = [&](const std::string& what, const Tensor& x, const Tensor& weights) {
        const Tensor used = used_of(weights);
        judge.equal(what, [&] { return my_mixture(x, weights, compute); }, dense(x, weights),
                    {.formula = "y_n = sum over e of w_ne f_e(x_n)",
                     .mistakes = {{"the outputs of the experts are added without their weights",
                                   dense(x, used)},
                                  {"each token keeps one expert only; the results have to be added",
                                   last_only(x, weights, compute)}}});
    };
    compare("two tokens, the weights (1, 0) and (0.5, 0.5)", two, few);
    const Tensor x = normal({7, 3}, 0, 1, rng, d64), scores = normal({7, 4}, 0, 1, rng, d64);
    const Tensor without_last = scores + tensor({0, 0, 0, -100}, {4}, d64);
    const Tensor weights = expert_weights(without_last, chosen_experts(without_last, 2));
    compare("seven tokens, two of four experts each", x, weights);

    // What each expert computes in one call of the reader's function: tokens, or calls.
    const auto counted = [&](bool tokens_of_each) {
        return [&, tokens_of_each] {
            std::vector<double> calls(4), tokens(4);
            my_mixture(x, weights, [&](int e, const Tensor& some) {
                calls[static_cast<std::size_t>(e)] += 1;
                tokens[static_cast<std::size_t>(e)] += static_cast<double>(some.size(0));
                return compute(e, some);
            });
            return tensor(tokens_of_each ? tokens : calls, {4}, d64);
        };
    };
    const Tensor right = sum(used_of(weights), 0);
    judge.equal(
        "the tokens that each expert computes", counted(true), right,
        {.mistakes = {{"every expert computes every token, so no work is saved", full({4}, 7, d64)},
                      {"an expert that nobody uses computes all tokens",
                       right + tensor({0, 0, 0, 7}, {4}, d64)}}});
    judge.equal(
        "the calls of each expert", counted(false), tensor({1, 1, 1, 0}, {4}, d64),
        {.mistakes = {
             {"an expert is called once for each of its tokens, not for all at once", right},
             {"an expert without tokens was called", full({4}, 1, d64)}}});
    judge.gradient(
        "the gradients of tokens and weights",
        [&](const auto& in) { return my_mixture(in[0], in[1] * used_of(weights), compute); },
        {x, weights + 0.1});
}
