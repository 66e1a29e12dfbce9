#include "lessons/34_experts/experiment.h"

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"

namespace heed::lesson34 {

using namespace course;

Kinds::Kinds(double common, Rng& rng) {
    const Tensor shared = normal({1, half}, 0, 1, rng);
    code = normal({kinds, half}, 0, 1, rng) + shared * common;
    std::vector<Tensor> all;
    for (int i = 0; i < kinds; ++i) all.push_back(orthogonal({half, half}, rng));
    rotation = stack(all, 0);
}

Tokens Kinds::draw(int count, Rng& rng) const {
    std::vector<int> kind;
    for (int i = 0; i < count; ++i) kind.push_back(static_cast<int>(rng.below(kinds)));
    const Tensor tells = index_select(code, 0, kind) + normal({count, half}, 0, 0.1, rng);
    const Tensor value = normal({count, half}, 0, 1, rng);
    const Tensor turned = matmul(unsqueeze(value, 1), index_select(rotation, 0, kind));
    return {concat({tells, value}, 1), squeeze(turned, 1), kind};
}

int64_t Sorter::computed = 0;

Sorter::Sorter(Rng& rng) : router(2 * half, kinds, rng, false) {
    for (int e = 0; e < kinds; ++e) experts.emplace_back(2 * half, half, rng);
}

Tensor Sorter::operator()(const Tensor& x, const Tensor& chosen, const Tensor& weights) const {
    return mix_experts(x, chosen, weights, [&](int64_t e, const Tensor& tokens) {
        computed += tokens.size(0);
        return experts[e](tokens);
    });
}

namespace {

double effective_number(const Tensor& scores) {  // e^H of the shares
    double entropy = 0;
    for (const double share : expert_shares(scores, 1).to_vector())
        if (share > 0) entropy -= share * std::log(share);
    return std::exp(entropy);
}

// The share of each kind's tokens that goes to each expert, row by row.
std::vector<double> table_of(const Tensor& scores, const Indices& kind) {
    const Tensor of_kind = one_hot(kind, kinds);  // [N, kinds]
    const Tensor counts = matmul(transpose(of_kind), chosen_experts(scores, 1));
    return (counts / sum(counts, -1, true)).to_vector();
}

}  // namespace

Sorted train_sorter(const Rule& rule, double common, int steps, uint64_t seed) {
    Rng rng(seed);
    const Kinds world(common, rng);
    const Sorter sorter(rng);
    const Loss loss = rule.loss();
    Adam optimiser(parameters(sorter), {.lr = 1e-2});
    Rng draw = rng.split(), choice = rng.split();
    const Tokens test = world.draw(2048, draw);

    Sorted result;
    const auto look = [&](int step) {
        const NoGrad no_grad;
        const Tensor scores = sorter.router(test.x);
        result.steps.push_back(step);
        result.effective.push_back(effective_number(scores));
        result.tables.push_back(table_of(scores, test.kind));
    };
    constexpr int batch = 128;
    Sorter::computed = 0;
    for (int step = 0; step < steps; ++step) {
        if (step % 20 == 0) look(step);
        const Tokens tokens = world.draw(batch, draw);
        const Tensor scores = sorter.router(tokens.x);
        const Tensor total = loss(sorter, tokens, scores, choice);
        optimiser.zero_grad();
        backward(total);
        optimiser.step();
    }
    result.work = static_cast<double>(Sorter::computed) / batch / steps;
    look(steps);

    const NoGrad no_grad;
    const Tensor scores = sorter.router(test.x), chosen = chosen_experts(scores, 1);
    const Tensor weights = rule.by_probability ? softmax(scores) * chosen : chosen;
    result.error = mean(square(sorter(test.x, chosen, weights) - test.y)).item();
    result.mixed = mean(square(sorter(test.x, ones_like(chosen), softmax(scores)) - test.y)).item();
    for (const double share : expert_shares(scores, 1).to_vector()) result.experts += share > 0.02;
    return result;
}

Means train_sorters(const Rule& rule, double common, int steps, int tasks, uint64_t seed) {
    Means means;
    std::vector<std::vector<double>> runs;
    for (int task = 0; task < tasks; ++task) {
        const Sorted one =
            train_sorter(rule, common, steps, 1000 * seed + static_cast<uint64_t>(task));
        if (task == 0) means.first = one;
        means.error += one.error / tasks;
        means.mixed += one.mixed / tasks;
        means.experts += one.experts / tasks;
        means.work += one.work / tasks;
        means.effective += one.effective.back() / tasks;
        runs.push_back(one.effective);
    }
    means.series = over_seeds(rule.name, means.first.steps, runs);
    return means;
}

}  // namespace heed::lesson34
