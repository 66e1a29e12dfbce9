// Misuse of nn/.
#include "nn/nn.h"

#include <cmath>

#include "tests/messages/messages.h"

namespace heed::messages {

// Laid out by hand: one call a line.
// clang-format off

std::vector<Chapter> nn_chapters() {
    static Rng rng(1);
    static const Tensor x = zeros({2, 3}), y = zeros({2, 4}), wide = zeros({2, 3}, Dtype::float64);
    static const Tensor none, sequence = zeros({2, 5, 3});
    static const Indices ids({0, 1});
    static const Gru gru(3, 4, {}, rng);
    static const RecurrentCell cell(CellKind::gru, 3, 4, rng);
    static const Linear linear_layer(3, 4, rng);
    static Sequential plain(Linear(3, 4, rng)), adapted(Linear(3, 4, rng)), without_linear(Relu{});
    if (!adapted.layers[0].get<Linear>()->adapter) add_adapters(adapted, {.rank = 2}, rng);
    static Sequential small_net(Linear(3, 4, rng)), quantised_net(Linear(32, 4, rng));
    if (quantised_net.layers[0].get<Linear>()->weight.defined()) quantise(quantised_net);
    const std::string setting =
        "Rng rng(1);\n"
        "const Tensor x = zeros({2, 3}), y = zeros({2, 4}), wide = zeros({2, 3}, Dtype::float64);\n"
        "const Tensor none, sequence = zeros({2, 5, 3});\nconst Indices ids({0, 1});\n"
        "const Gru gru(3, 4, {}, rng);\nconst RecurrentCell cell(CellKind::gru, 3, 4, rng);\n"
        "// quantised_net: a Linear of 32 inputs, quantised";
    static const SingleRank alone;
    return {
        {"Losses", setting,
         {
             CALL(mse(x, y)), CALL(mse(x, wide)), CALL(mse(none, x)),
             CALL(l1_loss(x, y)), CALL(l1_loss(none, x)),
             CALL(huber_loss(x, y)), CALL(huber_loss(x, x, -1)), CALL(huber_loss(none, x)),
             CALL(smooth_l1_loss(x, y)), CALL(smooth_l1_loss(x, x, -1)), CALL(smooth_l1_loss(none, x)),
             CALL(binary_cross_entropy(x, y)), CALL(binary_cross_entropy(none, x)),
             CALL(binary_cross_entropy_with_logits(x, y)),
             CALL(binary_cross_entropy_with_logits(none, x)),
             CALL(reduce_losses(none, Reduction::mean)),
             CALL(nll_loss(x, {0, 3})), CALL(nll_loss(x, {0})), CALL(nll_loss(none, ids)),
             CALL(kl_divergence(x, y)), CALL(kl_divergence(none, x)),
             CALL(sequence_cross_entropy(sequence, ids, -1)),
             CALL(sequence_cross_entropy(sequence, Indices({0, 1, 2, 3, 0, 0, 1, 2, 2, 0}, {2, 5}), -1)),
             CALL(sequence_cross_entropy(none, ids, -1)),
             CALL(ctc_loss(sequence, Indices({1, 2}, {1, 2}))), CALL(ctc_loss(sequence, Indices({1, 3}, {2, 1}))),
             CALL(ctc_loss(sequence, Indices({1, 0}, {2, 1}))), CALL(ctc_loss(sequence, Indices({1, 2}, {2, 1}), {5, 6})),
             CALL(ctc_loss(sequence, Indices({1, 2}, {2, 1}), {}, {1, 2})),
             CALL(ctc_loss(sequence, Indices({1, 2}, {2, 1}), {}, {}, {.blank = 3})),
             CALL(ctc_loss(x, Indices({1, 2}, {2, 1}))), CALL(ctc_loss(none, ids)),
             CALL(ctc_loss_definition(sequence, Indices({1, 0}, {2, 1}))), CALL(ctc_loss_definition(none, ids)),
             CALL(ctc_greedy_decode(x)), CALL(ctc_greedy_decode(none)), CALL(ctc_greedy_decode(sequence, {5, 6})),
             CALL(ctc_greedy_decode(sequence, {}, 3)), CALL(ctc_greedy_decode(full({1, 2, 3}, NAN))),
             CALL(ctc_beam_search(sequence, 0)), CALL(ctc_beam_search(x)), CALL(ctc_beam_search(none)),
         }},
        {"Layers", setting,
         {
             CALL(Linear(3, 4, rng)(y)), CALL(Linear(3, 4, rng)(wide)), CALL(Linear(3, 4, rng)(none)),
             CALL(quantise(small_net, {.bits = 3})), CALL(quantise(small_net, {.minimum = true})),
             CALL(quantise(small_net)), CALL(quantise(quantised_net)),
             CALL(Sequential(quantised_net)(x)),
             CALL(Linear()(x)), CALL(Linear(-1, 4, rng)), CALL(Linear(3, 4, rng)(scalar(1))),
             CALL(Linear(int64_t{1} << 40, int64_t{1} << 40, rng)),
             CALL(add_adapters(plain, {.rank = 4}, rng)), CALL(add_adapters(plain, {.rank = 0}, rng)),
             CALL(add_adapters(plain, {.only = {"query"}}, rng)), CALL(add_adapters(without_linear, {}, rng)),
             CALL(add_adapters(adapted, {.rank = 2}, rng)),
             CALL(LowRankAdapter{zeros({2, 4}), zeros({4, 2})}(x)),
             CALL(merge_adapters(plain)), CALL(remove_adapters(plain)), CALL(save_adapters(plain, "adapters.safetensors")),
             CALL(Embedding(3, 4, rng)({0, 3})), CALL(Embedding(3, 4, rng)({-1})),
             CALL(Embedding()(ids)), CALL(Embedding(0, 4, rng)), CALL(Embedding(3, 4, rng, -5)),
             CALL(Dropout(1.5)), CALL(Dropout(NAN)), CALL(Dropout(0.5)(x)), CALL(Dropout(0.5)(none, Mode::training())),
             CALL(LayerNorm(4)(x)), CALL(LayerNorm(3)(none)), CALL(LayerNorm(3)(wide)), CALL(LayerNorm(0)), CALL(LayerNorm(3)(scalar(1))),
             CALL(RmsNorm(4)(x)), CALL(RmsNorm(3)(none)), CALL(RmsNorm(3)(wide)), CALL(RmsNorm(-2)),
             CALL(GroupNorm(2, 3)), CALL(GroupNorm(1, 4)(x)), CALL(GroupNorm(1, 3)(none)),
             CALL(GroupNorm(1, 3)(wide)), CALL(GroupNorm(0, 3)), CALL(GroupNorm(1, 3)(zeros({3}))),
             CALL(BatchNorm(4)(x, Mode::training())), CALL(BatchNorm(3)(none, Mode::training())),
             CALL(BatchNorm(3)(wide, Mode::training())), CALL(BatchNorm(0)),
             CALL(BatchNorm(3)(zeros({1, 3}), Mode::training())), CALL(BatchNorm(3)(zeros({0, 3}), Mode::training())),
             CALL(BatchNorm1d(3)(zeros({3}), Mode::training())),
             CALL(BatchNorm1d(3)(none, Mode::training())),
             CALL(BatchNorm2d(3)(x, Mode::training())), CALL(BatchNorm2d(3)(none, Mode::training())),
             CALL(Conv2d(2, 3, 3, rng)(x)), CALL(Conv2d(2, 3, 3, rng)(zeros({1, 4, 5, 5}))),
             CALL(Conv2d(2, 3, 3, rng)(none)),
             CALL(interpolate(none, 3)), CALL(interpolate(zeros({3}), 3)), CALL(interpolate(zeros({1, 3, 3}), 0)),
             CALL(interpolation_weights(0, 3, Interpolation::bilinear)),
             CALL(Conv2d(2, 3, 3, rng)(zeros({1, 2, 5, 5}, Dtype::float64))), CALL(Conv2d(0, 3, 3, rng)),
             CALL(Conv2d(2, 3, 0, rng)), CALL(Conv2d()(x)), CALL(Conv1d()(x)), CALL(Conv1d(2, 3, -3, rng)),
             CALL(Conv1d(2, 3, 3, rng)(zeros({1, 2, 5}, Dtype::float64))), CALL(Conv1d(2, 3, 3, rng)(zeros({1, 2, 2}))), CALL(Conv2d(3, 2, 3, {.groups = 2}, rng)),
             CALL(Conv1d(2, 3, 3, rng)(x)), CALL(Conv1d(2, 3, 3, rng)(none)),
             CALL(MaxPool2d{2}(x)), CALL(MaxPool2d{2}(none)), CALL(AvgPool2d{2}(x)),
             CALL(AvgPool2d{2}(none)), CALL(AdaptiveAvgPool2d{2}(x)), CALL(AdaptiveAvgPool2d{2}(none)),
             CALL(MaxPool1d{2}(x)), CALL(MaxPool1d{2}(none)), CALL(AvgPool1d{2}(x)),
             CALL(AvgPool1d{2}(none)), CALL(AdaptiveAvgPool1d{2}(x)), CALL(AdaptiveAvgPool1d{2}(none)),
             CALL(Relu{}(none)), CALL(LeakyRelu{}(none)), CALL(Elu{}(none)), CALL(Gelu{}(none)),
             CALL(Silu{}(none)), CALL(Softplus{}(none)), CALL(Tanh{}(none)), CALL(Sigmoid{}(none)),
             CALL(Softmax{}(none)), CALL(LogSoftmax{}(none)), CALL(Flatten{}(none)),
             CALL(Flatten{}(scalar(1))), CALL(Sequential(Linear(3, 4, rng), Linear(3, 2, rng))(x)),
         }},
        {"Recurrent layers", setting,
         {
             CALL_OF("gru", gru(x)), CALL_OF("gru", gru(zeros({2, 5, 4}))), CALL_OF("gru", gru(none)),
             CALL_OF("gru", gru(sequence, {1})), CALL_OF("gru", gru(sequence, {5, 6})),
             CALL_OF("gru", gru(sequence, {5, -1})),
             CALL_OF("gru", gru(zeros({2, 5, 3}, Dtype::float64))),
             CALL_OF("gru", gru(sequence, {}, {{}, {}})),
             CALL_OF("gru", gru(sequence, {}, {{zeros({3, 4}), {}}})),
             CALL_OF("Recurrent", Gru()(sequence)), CALL_OF("gru", Gru(3, 4, {.layers = 0}, rng)),
             CALL_OF("gru", cell(y)), CALL_OF("gru", cell(none)), CALL_OF("gru", cell(x, {zeros({3, 4}), {}})),
             CALL_OF("gru", cell.project(y)), CALL_OF("gru", RecurrentCell().project(x)),
             CALL_OF("gru", cell.step(zeros({2, 12}), {})),
             CALL_OF("gru", gru(zeros({2, 0, 3}))), CALL_OF("gru", gru(sequence, {}, {{zeros({2, 4}, Dtype::float64), {}}})),
             CALL_OF("gru", Gru(3, 4, {.dropout = 2}, rng)), CALL_OF("gru", Gru(3, -4, {}, rng)),
             CALL_OF("gru", cell(scalar(1))), CALL_OF("gru", cell(zeros({2, 2, 3}))), CALL_OF("gru", cell.zero_state(-1)),
             CALL_OF("gru", RecurrentCell().zero_state(2)), CALL_OF("gru", RecurrentCell().step(x, {x, {}})),
             CALL(recurrent_step_definition(CellKind::gru, x, x, {zeros({2, 4}), {}})),
             CALL(recurrent_sequence_definition(CellKind::gru, x, {zeros({2, 4}), {}}, zeros({12, 4}), none)),
             CALL(recurrent_step(CellKind::gru, x, x, {zeros({2, 4}), {}})),
             CALL(recurrent_step(CellKind::lstm, zeros({2, 16}), zeros({2, 16}), {zeros({2, 4}), {}})),
             CALL(recurrent_step(CellKind::gru, none, none, {})),
             CALL(recurrent_sequence(CellKind::gru, x, {zeros({2, 4}), {}}, zeros({12, 4}), none)),
             CALL(recurrent_sequence(CellKind::gru, none, {}, none, none)),
         }},
        {"Data", setting,
         {
             CALL(length_mask({2, 4}, 3)), CALL(length_mask({-1}, 3)),
             CALL(length_mask(Indices({1, 2}, {2, 1}), 3)),
             CALL(pad_sequences({})),
             CALL(random_split(10, {0.6, 0.6}, rng)), CALL(random_split(10, {-0.5}, rng)),
             CALL(random_split(-1, {0.5}, rng)), CALL(random_split(10, {NAN}, rng)),
             CALL(bucket_batches({-1}, {.batch_size = 1}, rng)), CALL(length_mask({1}, -1)),
             CALL(bucket_batches({1, 2}, {.batch_size = 0}, rng)),
             CALL_OF("TensorDataset", TensorDataset(x, Indices({0, 1, 2}))),
             CALL_OF("TensorDataset", TensorDataset(x, ids).rows({2})),
             CALL_OF("TensorDataset", TensorDataset(none, ids)),
             CALL_OF("DataLoader", DataLoader(TensorDataset(x, ids), {.batch_size = 0})),
             CALL_OF("DataLoader", DataLoader(TensorDataset(x, ids), {.shuffle = true})),
             CALL_OF("accuracy", metrics::accuracy(ids, {0})),
             CALL_OF("accuracy", metrics::accuracy(x, {0})),
             CALL_OF("accuracy", metrics::accuracy(none, ids)),
             CALL_OF("TensorDataset", TensorDataset(scalar(1), ids)), CALL_OF("TensorDataset", TensorDataset(x, ids).rows({-1})),
             CALL_OF("ConfusionMatrix", metrics::ConfusionMatrix(0)),
             CALL_OF("ConfusionMatrix", metrics::ConfusionMatrix(2).add({0, 2}, {0, 1})),
             CALL_OF("ConfusionMatrix", metrics::ConfusionMatrix(2).add({0}, {0, 1})),
         }},
        {"Training", setting,
         {
             CALL(parameter(none)), CALL(Sgd({})), CALL(Adam({})), CALL(AdamW({})), CALL(RmsProp({})),
             CALL(Sgd(parameters(linear_layer), {.lr = -1})), CALL(Sgd(parameters(linear_layer), {.lr = NAN})),
             CALL(Sgd({{"x", none}})),
             CALL(Sgd({{"x", square(linear_layer.weight)}})), CALL(AverageOfWeights({{"x", none}})), CALL(AverageOfWeights({})),
             CALL(clip_grad_norm({{"x", none}}, 1)), CALL(clip_grad_value({{"x", none}}, 1)),
             CALL(part_of(none, alone)), CALL(part_of(scalar(1), alone)),
             CALL(Adam(parameters(linear_layer), {.beta1 = 1})),
             CALL(clip_grad_norm(parameters(linear_layer), -1)),
             CALL(clip_grad_value(parameters(linear_layer), -1)),
             STATEMENTS("train", Sgd sgd(parameters(linear_layer)); train(sgd, {}, [](int64_t) {
                            return StepResult{};
                        })),
             STATEMENTS("train", Sgd sgd(parameters(linear_layer));
                        train(sgd, {.steps = 1}, [](int64_t) { return StepResult{}; })),
             STATEMENTS("train", Sgd sgd(parameters(linear_layer));
                        train(sgd, {.steps = 1}, [](int64_t) { return StepResult{linear_layer(x)}; })),
             STATEMENTS("train", Sgd sgd(parameters(linear_layer)); train(sgd, {.steps = 1}, [](int64_t) {
                            return StepResult{sum(log(linear_layer(x) * 0.0))};
                        })),
         }},
    };
}

// clang-format on

}  // namespace heed::messages
