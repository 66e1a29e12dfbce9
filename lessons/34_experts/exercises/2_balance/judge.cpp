#include "lessons/course/exercise/judge.h"

#include <cmath>

#include HEED_ANSWER

void judge(course::Judge& judge) {
    judge.own({"balance_loss", "expert_shares"});
    const auto d64 = Dtype::float64;
    const auto compare = [&](const std::string& what, const Tensor& s, const Tensor& chosen,
                             int k) {
        const double experts = static_cast<double>(s.size(1));
        const Tensor g = mean(chosen, 0) / static_cast<double>(k), P = mean(softmax(s), 0);
        const Tensor right = experts * sum(g * P);
        std::vector<course::Mistake> mistakes{
            {"the factor E is missing", right / experts},
            {"the probabilities stand in the place of the shares", experts * sum(P * P)},
            {"the shares stand in the place of the probabilities", experts * sum(g * g)}};
        if (k > 1)
            mistakes.push_back(
                {"the shares do not sum to 1: divide them by k", right * static_cast<double>(k)});
        judge.equal(what, [&] { return my_balance(s, chosen, k); }, right,
                    {.formula = "B = E * sum over e of g_e P_e", .mistakes = mistakes});
    };
    // Four tokens whose mean probabilities are 0.6 and 0.4.
    const double first[4] = {0.9, 0.6, 0.7, 0.2};
    std::vector<double> numbers;
    for (const double p : first) numbers.insert(numbers.end(), {std::log(p), std::log(1 - p)});
    const Tensor four = tensor(numbers, {4, 2}, d64);
    compare("two experts, four tokens: 1.1", four, chosen_experts(four, 1), 1);
    Rng rng(1);
    const Tensor s = normal({6, 5}, 0, 1, rng, d64), chosen = chosen_experts(s, 2);
    compare("six tokens, five experts, k = 2", s, chosen, 2);
    judge.given({{"chosen", chosen}});
    judge.gradient("the gradient of the scores",
                   [&](const auto& x) { return my_balance(x[0], chosen, 2); }, {s});
}
