#include "attention/transformer/experts.h"

#include <algorithm>
#include <utility>

#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/fused/softmax.h"
#include "autograd/ops/index/indexing.h"
#include "autograd/ops/index/sort.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/grad_mode.h"
#include "autograd/tensor/shapes.h"

namespace heed {

namespace {

// How many tokens x [..., D] has, none being a number too.
int64_t tokens_of(const Tensor& x) {
    int64_t count = 1;
    for (int axis = 0; axis + 1 < x.dim(); ++axis) count *= x.size(axis);
    return count;
}

// x [..., E] -> [E], the mean over all tokens; of no tokens it is 0.
Tensor mean_of_tokens(const Tensor& x) {
    const int64_t tokens = tokens_of(x);
    return sum(reshape(x, {tokens, x.size(-1)}), 0) /
           static_cast<double>(std::max<int64_t>(tokens, 1));
}

}  // namespace

Tensor chosen_experts(const Tensor& scores, Integer k) {
    const Shapes in("chosen_experts", {{"scores", scores, "... E"}});
    check(k >= 1 && k <= in["E"], "{} experts for each token, of {}", k, in["E"]);
    const NoGrad no_grad;
    const Indices largest = topk(scores, k).indices;  // [..., k]
    return scatter_add(scores.shape(), -1, largest, ones(largest.shape(), scores.dtype()), 1);
}

Tensor expert_weights(const Tensor& scores, const Tensor& chosen, Flag renormalise) {
    const Shapes in("expert_weights", {{"scores", scores, "... E"}, {"chosen", chosen, "... E"}});
    return renormalise ? masked_softmax(scores, chosen) : softmax(scores) * chosen;
}

namespace {

// The tokens in the order of the experts that they chose. A token stands there once for each of its
// experts. Those of expert e are begin[e] ... begin[e + 1] - 1.
struct ByExpert {
    std::vector<int> tokens;    // of 0 .. N - 1
    std::vector<int> elements;  // of chosen [N, E], counted in row-major order
    std::vector<int64_t> begin{0};
};

ByExpert sorted_by_expert(const Tensor& chosen) {
    const std::vector<double> all = chosen.to_vector();
    const int experts = static_cast<int>(chosen.size(-1)),
              tokens = static_cast<int>(tokens_of(chosen));
    ByExpert sorted;
    for (int e = 0; e < experts; ++e) {
        for (int n = 0; n < tokens; ++n) {
            if (all[n * experts + e] == 0) continue;
            sorted.tokens.push_back(n);
            sorted.elements.push_back(n * experts + e);
        }
        sorted.begin.push_back(std::ssize(sorted.tokens));
    }
    return sorted;
}

}  // namespace

Tensor mix_experts(const Tensor& x, const Tensor& chosen, const Tensor& weights,
                   const std::function<Tensor(int64_t, const Tensor&)>& expert) {
    const Shapes in(
        "mix_experts",
        {{"x", x, "... D"}, {"chosen", chosen, "... E"}, {"weights", weights, "... E"}});
    const int64_t tokens = tokens_of(x);
    check(in["E"] > 0, "chosen {} has no experts", chosen.shape());
    const ByExpert sorted = sorted_by_expert(chosen);
    check(tokens == 0 || !sorted.tokens.empty(),
          "no token has chosen an expert: chosen {} is 0 throughout", chosen.shape());

    // Gather the tokens by expert, and call each expert with its own.
    const Tensor gathered = index_select(reshape(x, {tokens, in["D"]}), 0, sorted.tokens);
    std::vector<Tensor> outputs;
    for (int64_t e = 0; e < in["E"]; ++e)
        if (sorted.begin[e] < sorted.begin[e + 1])
            outputs.push_back(expert(e, slice(gathered, 0, sorted.begin[e], sorted.begin[e + 1])));
    if (tokens == 0) outputs.push_back(expert(0, gathered));  // which says how wide the result is

    // Weigh the outputs, and add them up where their tokens came from.
    const Tensor w = index_select(reshape(weights, {-1}), 0, sorted.elements);
    const Tensor weighed = concat(outputs, 0) * unsqueeze(w, 1);
    Shape shape = x.shape();
    shape[shape.count - 1] = weighed.size(1);
    return reshape(index_add({tokens, weighed.size(1)}, 0, sorted.tokens, weighed), shape);
}

Tensor expert_shares(const Tensor& scores, Integer k) {
    const Shapes in("expert_shares", {{"scores", scores, "... E"}});
    return mean_of_tokens(chosen_experts(scores, k)) / static_cast<double>(k);
}

Tensor balance_loss(const Tensor& scores, Integer k) {
    const Shapes in("balance_loss", {{"scores", scores, "... E"}});
    const Tensor probability = mean_of_tokens(softmax(scores));  // P [E]
    return static_cast<double>(in["E"]) * sum(expert_shares(scores, k) * probability);
}

Tensor balance_loss(const std::vector<Tensor>& router, Integer k) {
    check(!router.empty(),
          "balance_loss: no scores of a router; was the model made with .experts, and called with "
          ".router?");
    Tensor total = balance_loss(router.front(), k);
    for (std::size_t i = 1; i < router.size(); ++i) total = total + balance_loss(router[i], k);
    return total;
}

}  // namespace heed
