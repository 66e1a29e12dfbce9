#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"expert_weights", "masked_softmax", "chosen_experts", "FeedForward"});
    const auto d64 = Dtype::float64;
    const auto compare = [&](const std::string& what, const Tensor& s, int k) {
        const Tensor chosen = chosen_experts(s, k), all = softmax(s);
        std::vector<course::Mistake> mistakes{
            {"this is the softmax over all experts; those not chosen must get 0", all},
            {"the softmax runs over all experts, so the weights do not sum to 1", all * chosen},
            {"the smallest scores were chosen", expert_weights(s, chosen_experts(-s, k))},
            {"one expert too many is chosen", expert_weights(s, chosen_experts(s, k + 1))},
            {"the softmax runs over the tokens, not over the experts",
             scatter_add(s.shape(), 1, topk(s, k).indices, softmax(topk(s, k).values, 0))},
            {"the zeros of the others take part in the softmax", softmax(s * chosen)},
            {"these are the scores of the chosen experts, without a softmax", s * chosen}};
        if (k > 1)  // a single expert has the weight 1
            mistakes.push_back(
                {"all chosen experts have the same weight", chosen / static_cast<double>(k)}),
                mistakes.push_back(
                    {"one expert too few is chosen", expert_weights(s, chosen_experts(s, k - 1))});
        judge.equal(
            what, [&] { return my_weights(s, k); }, expert_weights(s, chosen),
            {.formula = "exp(s_e) over the sum of exp(s_j) of the k largest; 0 for the others",
             .mistakes = mistakes});
    };
    compare("the scores (2, -1, 1, 0), k = 2", tensor({2, -1, 1, 0}, {1, 4}, d64), 2);
    Rng rng(1);
    const Tensor scores = normal({5, 6}, 0, 1, rng, d64);
    compare("five tokens, six experts, k = 3", scores, 3);
    compare("k = 1: a single 1 in each row", scores, 1);
    judge.equal(
        "the scores (1000, 999, 0), k = 2",
        [&] {
            return my_weights(tensor({1000, 999, 0}, {1, 3}, d64), 2);
        },
        tensor({1 / (1 + std::exp(-1)), 1 / (1 + std::exp(1)), 0}, {1, 3}, d64),
        {.formula =
             "softmax subtracts the largest score first: exp(1000) is larger than any number"});
    judge.holds(
        "the scores (3, 3, 3, 0), k = 2: two of the three",
        [] {
            const Tensor w = my_weights(tensor({3, 3, 3, 0}, {1, 4}, Dtype::float64), 2);
            return sum(w > 0.0).item() == 2 && max(w).item() == 0.5;
        },
        "Of experts with the same score only as many are chosen as there is room for.");
    judge.gradient("the gradient of the scores", [](const auto& x) { return my_weights(x[0], 3); },
                   {scores});
}
