#include "lessons/23_language_model/model.h"

#include <algorithm>

#include "autograd/record/grad_mode.h"
#include "nn/layers/losses.h"
#include "nn/optim/weight_decay.h"

namespace heed::lesson23 {

LanguageModelOptions model_options(const Characters& text, const Settings& s) {
    TransformerOptions stack{.width = s.width,
                             .heads = s.heads,
                             .layers = s.layers,
                             .pre_norm = true,
                             .activation = Activation::gelu,
                             .bias = false};
    stack.positions = {.kind = PositionKind::learned, .max_positions = s.context};
    return {.vocabulary = text.size(), .stack = stack};
}

std::vector<double> estimates_of_loss(const LanguageModel& model, const std::vector<int>& text,
                                      const Settings& s, int times) {
    const NoGrad no_grad;
    Rng rng(1);  // the same batches in every call
    std::vector<double> means;
    for (int i = 0; i < times; ++i) {
        double total = 0;
        for (int batch = 0; batch < 20; ++batch) {
            const Piece piece = random_pieces(text, s.batch, s.context, rng);
            total += sequence_cross_entropy(model(piece.in), piece.out, -1).item();
        }
        means.push_back(total / 20);
    }
    return means;
}

AdamW optimiser_of(const LanguageModel& model) {
    return AdamW(
        parameters(model),
        {.lr = 1e-3, .beta1 = 0.9, .beta2 = 0.99, .weight_decay = 0.1, .decays = has_two_axes});
}

Schedule schedule_of(const Settings& s) {
    const int rise = std::min(100, std::max(s.steps / 4, 1));
    const int fall = std::max(s.steps - rise, 1);
    return schedules::sequential(schedules::warm_up(rise), rise, schedules::cosine(fall, 0.1));
}

}  // namespace heed::lesson23
