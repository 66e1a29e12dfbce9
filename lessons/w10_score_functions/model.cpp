#include "lessons/w10_score_functions/model.h"

#include "attention/scores/soft.h"
#include "autograd/autograd.h"
#include "lessons/material/training/next_checkpoint.h"

namespace heed::workshop10 {

const char* name_of(Task task) {
    switch (task) {
        case Task::symbols:
            return "symbols";
        case Task::same_space:
            return "same space";
        case Task::other_space:
            return "other space";
        case Task::position:
            return "position";
    }
    return "?";
}

Problem::Problem(Task task, Rng& rng) : task_(task), rotation_(orthogonal({width, width}, rng)) {}

Batch Problem::draw(int count, Rng& rng) const {
    std::vector<int> asked, named, value, answer, meant;
    for (int b = 0; b < count; ++b) {
        std::vector<int> all;
        for (int s = 0; s < symbols; ++s) all.push_back(s);
        rng.shuffle(all);
        meant.push_back(static_cast<int>(rng.below(keys)));
        for (int j = 0; j < keys; ++j) {
            named.push_back(all[j]);
            value.push_back(static_cast<int>(rng.below(values)));
        }
        asked.push_back(task_ == Task::position ? meant.back() : all[meant.back()]);
        answer.push_back(value[b * keys + meant.back()]);
    }
    Batch batch{{},
                {},
                Indices(asked, {count, 1}),
                Indices(named, {count, keys}),
                Indices(value, {count, keys}),
                Indices(answer)};
    if (task_ == Task::symbols) return batch;
    batch.key = normal({count, keys, width}, 0, 1, rng);
    if (task_ == Task::position) return batch;
    const Tensor chosen = one_hot(Indices(meant, {count, 1}), keys);  // [B, 1, K]
    batch.query = matmul(chosen, batch.key) + normal({count, 1, width}, 0, 0.3, rng);
    if (task_ == Task::other_space) batch.query = matmul(batch.query, rotation_);
    return batch;
}

LookupModel::LookupModel(ScoreKind kind, Rng& rng, double scale)
    : asked(symbols, width, rng),
      named(symbols, width, rng),
      valued(values, width, rng),
      score(kind, {.query = width, .key = width, .max_keys = keys}, rng),
      output(width, values, rng) {
    if (scale != 1) asked.weight = parameter(scale * detach(asked.weight));
}

Tensor LookupModel::operator()(const Batch& batch) const {
    const Tensor q = batch.query.defined() ? batch.query : asked(batch.asked),  // [B, 1, D]
        k = batch.key.defined() ? batch.key : named(batch.named);               // [B, K, D]
    const AttentionOutput attention = soft_attention(score.of(q, k), valued(batch.value));
    return output(select(attention.context, 1, 0));
}

double learned_accuracy(Task task, ScoreKind kind, int steps, double rate, std::uint64_t seed,
                        double scale) {
    Rng rng(seed);
    const Problem problem(task, rng);
    const LookupModel model(kind, rng, scale);
    Adam adam(parameters(model), {.lr = rate});
    Checkpoint checkpoint(course::next_checkpoint({adam, rng}));
    for (int64_t n : checkpoint.steps(steps)) {
        const Batch batch = problem.draw(32, rng);
        backward(cross_entropy(model(batch), batch.answer));
        adam.lr = rate * (1 - 0.9 * (n - 1) / steps);
        adam.step();
        adam.zero_grad();
    }
    const NoGrad no_grad;
    const Batch test = problem.draw(1000, rng);
    const Indices best = argmax(model(test), 1);
    int right = 0;
    for (int i = 0; i < 1000; ++i) right += best[i] == test.answer[i];
    return right / 1000.;
}

std::vector<double> learned_accuracies(Task task, ScoreKind kind, int steps, int models,
                                       const std::vector<double>& rates, std::uint64_t seed,
                                       double scale) {
    double best = rates.at(0), most = -1;
    for (double rate : rates) {
        if (rates.size() == 1) break;
        const double reached = learned_accuracy(task, kind, steps, rate, seed, scale);
        if (reached > most) {
            most = reached;
            best = rate;
        }
    }
    std::vector<double> all;
    for (int i = 1; i <= models; ++i)
        all.push_back(learned_accuracy(task, kind, steps, best, seed + i, scale));
    return all;
}

}  // namespace heed::workshop10
