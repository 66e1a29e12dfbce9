#include "lessons/19_heads/model.h"

#include <algorithm>
#include <set>

#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson19 {

RoleModel::RoleModel(const ModelOptions& options, Rng& rng)
    : name(names + 1, width, rng),
      role(roles + 1, width, rng),
      attention({.width = width, .heads = options.heads}, rng) {
    if (options.hidden) hidden = Linear(width, 4 * width, rng);
    for (int i = 0; i < options.relations; ++i)
        outputs.push_back(Linear(options.hidden ? 4 * width : width, names, rng));
}

Tensor RoleModel::operator()(const Sentences& sentences, Tensor* weights) const {
    const Tensor values = name(sentences.name);  // [B, words, D]
    const Tensor keys =
        role(sentences.role) + values;         // keys have name and role, values only the name
    const Tensor verb = slice(keys, 1, 0, 1);  // [B, 1, D]
    std::vector<Tensor> found;                 // [B, H, 1, words]
    Tensor context = select(attention(verb, keys, values, {.weights = &found}), 1, 0);  // [B, D]
    if (weights) *weights = select(found[0], 2, 0);
    if (hidden.weight.defined()) context = relu(hidden(context));
    std::vector<Tensor> logits;
    for (const Linear& output : outputs) logits.push_back(output(context));
    return stack(logits, 1);
}

void train_model(RoleModel& model, int steps, Rng rng) {
    const int relations = static_cast<int>(model.outputs.size());
    Adam adam(parameters(model), {.lr = 0.001});
    train(adam, {.steps = steps, .checkpoint = course::next_checkpoint({rng})}, [&](int64_t) {
        const Sentences sentences = draw_sentences(64, relations, rng);
        return StepResult{cross_entropy(model(sentences), sentences.answer)};
    });
}

Accuracy accuracy(const RoleModel& model, Rng rng) {
    const NoGrad no_grad;
    const int64_t count = 2000;
    const int relations = static_cast<int>(model.outputs.size());
    const Sentences sentences = draw_sentences(count, relations, rng);
    const Indices predicted = argmax(model(sentences));  // [B, relations]
    Accuracy result{std::vector<double>(relations)};
    for (int64_t b = 0; b < count; ++b) {
        bool all = true;
        for (int r = 0; r < relations; ++r) {
            const bool right = predicted.at({b, r}) == sentences.answer.at({b, r});
            result.each[r] += right / double(count);
            all = all && right;
        }
        result.all += all / double(count);
    }
    return result;
}

std::vector<std::vector<double>> mean_weights(const RoleModel& model, Rng rng) {
    const NoGrad no_grad;
    const int64_t count = 2000;
    const Sentences sentences = draw_sentences(count, 1, rng);
    Tensor weights;
    model(sentences, &weights);  // [B, H, words]
    const std::vector<double> all = weights.to_vector();
    const std::size_t heads = static_cast<std::size_t>(model.attention.heads);
    std::vector<std::vector<double>> mean(heads, std::vector<double>(roles + 1));
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t head = i / words % heads, b = i / words / heads;
        mean[head][sentences.role[static_cast<int64_t>(b * words + i % words)]] += all[i] / count;
    }
    return mean;
}

bool heads_differ(const RoleModel& model, Rng rng) {
    std::set<std::ptrdiff_t> roles_found;
    const auto weights = mean_weights(model, rng);
    for (const std::vector<double>& head : weights)
        roles_found.insert(std::max_element(head.begin(), head.end()) - head.begin());
    return roles_found.size() == weights.size();
}

RoleModel without_head(const RoleModel& model, int head) {
    RoleModel copy = copy_model(model);
    const int64_t share = width / copy.attention.heads;
    const Tensor& weight = copy.attention.output.weight;  // [D, D]
    Tensor kept = ones({width});
    for (int64_t i = head * share; i < (head + 1) * share; ++i) kept.edit<float>()[i] = 0;
    copy.attention.output.weight = parameter(detach(weight) * kept);
    return copy;
}

std::vector<Trained> train_several(const ModelOptions& options, int steps, int seeds,
                                   uint64_t seed) {
    std::vector<Trained> all;
    for (int i = 0; i < seeds; ++i) {
        Rng rng(seed + i);
        RoleModel model(options, rng);
        train_model(model, steps, rng.split());
        const Accuracy reached = accuracy(model, rng);
        all.push_back({std::move(model), reached});
    }
    return all;
}

const Trained& best_of(const std::vector<Trained>& runs) {
    return *std::max_element(runs.begin(), runs.end(), [](const Trained& a, const Trained& b) {
        return a.accuracy.all < b.accuracy.all;
    });
}

}  // namespace heed::lesson19
