#include "lessons/17_query_key_value/model.h"

#include <cmath>

#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson17 {

LookupModel::LookupModel(int64_t width, bool keys_as_values, Rng& rng)
    : query(token_width, width, rng, false), key(token_width, width, rng, false) {
    if (!keys_as_values) value = Linear(token_width, width, rng, false);
    output = Linear(width, facts, rng);
}

AttentionOutput LookupModel::attend(const Tensor& question, const Tensor& tokens) const {
    const Tensor k = key(tokens), v = value.weight.defined() ? value(tokens) : k;
    const Tensor scores = matmul(query(question), transpose(k)) / std::sqrt(double(k.size(2)));
    return soft_attention(scores, v);
}

double train_lookup(LookupModel& model, const Reading& read, int steps, Rng rng) {
    const auto logits = [&](const Lookups& data) {  // [B, facts]
        return model.output(select(read(model, data.question, data.tokens).context, 1, 0));
    };
    Adam adam(parameters(model), {.lr = 0.05});
    train(adam, {.steps = steps, .checkpoint = course::next_checkpoint({rng})}, [&](int64_t) {
        const Lookups data = draw_lookups(64, rng);
        return StepResult{cross_entropy(logits(data), data.answer)};
    });
    const NoGrad no_grad;
    const Lookups test = draw_lookups(2000, rng);
    const Indices predicted = argmax(logits(test));
    int64_t right = 0;
    for (int64_t b = 0; b < predicted.count(); ++b) right += predicted[b] == test.answer[b];
    return double(right) / double(predicted.count());
}

std::vector<double> Sweep::of_width(std::size_t i) const {
    std::vector<double> all;
    for (const std::vector<double>& run : accuracies) all.push_back(run[i]);
    return all;
}

Sweep by_width(bool keys_as_values, const std::vector<int64_t>& widths, int steps, uint64_t seed,
               int seeds) {
    Sweep sweep{widths, {}, std::vector<std::vector<double>>(seeds)};
    for (int64_t width : widths)
        for (int i = 0; i < seeds; ++i) {
            Rng rng(seed + i);
            LookupModel model(width, keys_as_values, rng);
            if (i == 0) sweep.parameters.push_back(double(parameter_count(model)));
            sweep.accuracies[i].push_back(
                train_lookup(model, &LookupModel::attend, steps, rng.split()));
        }
    return sweep;
}

}  // namespace heed::lesson17
