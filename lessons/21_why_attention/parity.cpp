#include "lessons/21_why_attention/parity.h"

#include "lessons/course/lesson/checkpoints.h"

namespace heed::lesson21 {

namespace {
constexpr int64_t model_width = 32;
}

Bits random_bits(int64_t batch, int64_t length, Rng& rng) {
    std::vector<int> bit, odd;
    for (int64_t row = 0; row < batch; ++row) {
        int parity = 0;
        for (int64_t t = 0; t < length; ++t) {
            bit.push_back(static_cast<int>(rng.below(2)));
            parity ^= bit.back();
            odd.push_back(parity);
        }
    }
    return {Indices(bit, {batch, length}), Indices(odd, {batch, length})};
}

ParityModel::ParityModel(std::optional<PositionKind> positions, Rng& rng)
    : embedding(2, model_width, rng), output(model_width, 2, rng), recurrent(!positions) {
    if (recurrent)
        gru = Gru(model_width, model_width, {}, rng);
    else
        transformer = TransformerEncoder({.width = model_width,
                                          .heads = 4,
                                          .layers = 2,
                                          .pre_norm = true,
                                          .positions = {.kind = *positions}},
                                         rng);
}

Tensor ParityModel::operator()(const Indices& bits) const {
    const Tensor x = embedding(bits);
    return output(recurrent ? gru(x).output : transformer(x, {.causal = true}).output);
}

void train_parity(ParityModel& model, int steps, Rng rng) {
    Adam adam(parameters(model), {.lr = 5e-3});
    const CheckpointOptions checkpoint = course::next_checkpoint({rng});
    train(adam,
          {.steps = steps,
           .clip_norm = 1,
           .schedule = schedules::multiplied(schedules::warm_up(steps / 20 + 1),
                                             schedules::cosine(steps, 0.1)),
           .checkpoint = checkpoint},
          [&](int64_t) {
              const Bits bits = random_bits(64, 2 + rng.below(longest_trained - 1), rng);
              return StepResult{cross_entropy(model(bits.bit), bits.odd)};
          });
}

double accuracy_at(const ParityModel& model, int64_t length, Rng& rng) {
    const NoGrad no_grad;
    const Bits bits = random_bits(200, length, rng);
    const Indices answer = argmax(model(bits.bit), -1);
    double right = 0;
    for (int64_t row = 0; row < 200; ++row)
        right += answer.at({row, length - 1}) == bits.odd.at({row, length - 1});
    return right / 200;
}

}  // namespace heed::lesson21
