#include "lessons/15_query_key_value/reader.h"

#include <cmath>

namespace heed::lesson15 {

Reader::Reader(int64_t width, bool keys_as_values, Rng& rng)
    : query(token_width, width, rng, false), key(token_width, width, rng, false) {
    if (!keys_as_values) value = Linear(token_width, width, rng, false);
    output = Linear(width, facts, rng);
}

AttentionOutput Reader::attend(const Tensor& asking, const Tensor& asked) const {
    const Tensor k = key(asked), v = value.weight.defined() ? value(asked) : k;
    const Tensor scores = matmul(query(asking), transpose(k)) / std::sqrt(double(k.size(2)));
    return soft_attention(scores, v);
}

namespace {

Tensor logits_of(const Reader& reader, Asking asking, const Lookups& data) {
    const Tensor found = asking == Asking::question
                             ? reader.attend(data.question, data.tokens).context
                             : reader.attend(data.tokens, data.question).context;
    return reader.output(mean(found, 1));  // [B, facts]
}

}  // namespace

double learn(Reader& reader, Asking asking, int steps, Rng rng) {
    Adam adam(parameters(reader), {.lr = 0.05});
    train(adam, {.steps = steps}, [&](int64_t) {
        const Lookups data = draw_lookups(64, rng);
        return StepResult{cross_entropy(logits_of(reader, asking, data), data.answer)};
    });
    const NoGrad no_grad;
    const Lookups test = draw_lookups(2000, rng);
    const Indices said = argmax(logits_of(reader, asking, test));
    int64_t right = 0;
    for (int64_t b = 0; b < said.count(); ++b) right += said[b] == test.answer[b];
    return double(right) / double(said.count());
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
            Reader reader(width, keys_as_values, rng);
            if (i == 0) sweep.parameters.push_back(double(parameter_count(reader)));
            sweep.accuracies[i].push_back(learn(reader, Asking::question, steps, rng.split()));
        }
    return sweep;
}

}  // namespace heed::lesson15
