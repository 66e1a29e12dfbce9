// Layers, recurrent cells and sequences, losses.
#include "nn/nn.h"
#include "tests/gradcheck/modules.h"

namespace heed {
namespace {

using Xs = std::vector<Tensor>;

std::vector<Case> layers() {
    Rng rng(7);
    const auto call = [](const auto& layer, const Xs& x) { return layer(x[0]); };
    const auto train = [](const auto& layer, const Xs& x) { return layer(x[0], Mode::training()); };
    const auto evaluate = [](const auto& layer, const Xs& x) {
        return layer(x[0], Mode::evaluation());
    };
    const auto look_up = [](const Embedding& table, const Xs&) {
        return table(Indices({1, 0, 3, 1}, {2, 2}));
    };
    LayerNorm norm(4);
    norm.weight = parameter(uniform({4}, 0.5, 1.5, rng));
    Linear adapted(3, 4, rng);
    adapted.adapter = LowRankAdapter{parameter(normal({2, 3}, 0, 1, rng)),
                                     parameter(normal({4, 2}, 0, 1, rng)), 0.7};
    return {
        with_parameters("Linear [2, 3] -> 4", Linear(3, 4, rng), {sample({2, 3})}, call),
        with_parameters("Linear [2, 2, 3] -> 2", Linear(3, 2, rng), {sample({2, 2, 3})}, call),
        with_parameters("Linear without bias", Linear(3, 1, rng, false), {sample({2, 3})}, call),
        with_parameters("Linear of a transposed view", Linear(3, 2, rng), {sample({3, 2})},
                        [](const Linear& layer, const Xs& x) { return layer(transpose(x[0])); }),
        with_parameters("Linear with an adapter", adapted, {sample({2, 3})}, call),
        with_parameters("Embedding", Embedding(4, 3, rng), {}, look_up),
        with_parameters("LayerNorm", norm, {sample({3, 4}, -2, 2)}, call),
        with_parameters("LayerNorm without bias", LayerNorm(4, false), {sample({2, 4}, -2, 2)},
                        call),
        with_parameters("RmsNorm", RmsNorm(4), {sample({3, 4}, -2, 2)}, call),
        with_parameters("GroupNorm", GroupNorm(2, 4), {sample({2, 4, 3}, -2, 2)}, call),
        with_parameters("BatchNorm of rows in training", BatchNorm(3), {sample({4, 3}, -2, 2)},
                        train),
        with_parameters("BatchNorm2d in training", BatchNorm2d(2), {sample({2, 2, 2, 3}, -2, 2)},
                        train),
        with_parameters("BatchNorm1d in evaluation", BatchNorm1d(2), {sample({2, 2, 3}, -2, 2)},
                        evaluate),
        with_parameters("Conv2d",
                        Conv2d(2, 4, {2, 3}, {.stride = {2, 1}, .padding = 1, .groups = 2}, rng),
                        {sample({2, 2, 3, 4})}, call),
        with_parameters("Conv1d", Conv1d(2, 3, 3, {.stride = 2, .padding = 1}, rng),
                        {sample({2, 2, 5})}, call),
        with_parameters("Conv1d without bias", Conv1d(1, 2, 2, {.dilation = 2}, rng, false),
                        {sample({2, 1, 5})}, call),
        {"MaxPool2d",
         [](const Xs& x) {
             return MaxPool2d{2, {.stride = 1}}(x[0]);
         },
         {sample({1, 2, 3, 4})}},
        {"AvgPool2d", [](const Xs& x) { return AvgPool2d{2}(x[0]); }, {sample({1, 2, 4, 4})}},
        {"AdaptiveAvgPool2d",
         [](const Xs& x) {
             return AdaptiveAvgPool2d{{2, 1}}(x[0]);
         },
         {sample({1, 2, 4, 3})}},
        {"MaxPool1d", [](const Xs& x) { return MaxPool1d{2}(x[0]); }, {sample({2, 2, 5})}},
        {"AvgPool1d",
         [](const Xs& x) {
             return AvgPool1d{3, {.stride = 1, .padding = 1}}(x[0]);
         },
         {sample({2, 2, 5})}},
        {"AdaptiveAvgPool1d",
         [](const Xs& x) { return AdaptiveAvgPool1d{1}(x[0]); },
         {sample({2, 2, 5})}},
        with_parameters("Sequential",
                        Sequential(Conv2d(1, 2, 2, rng), BatchNorm2d(2), Tanh{}, Dropout(0.3),
                                   AvgPool2d{2}, Flatten{}, Linear(4, 2, rng), LogSoftmax{}),
                        {sample({2, 1, 5, 3})},
                        [](const Sequential& net, const Xs& x) {
                            Rng same(3);
                            return net(x[0], Mode::training(same));
                        })
            .zero_gradient("0.bias",
                           "the batch norm after the convolution subtracts it with the mean"),
        {"Relu", [](const Xs& x) { return Relu{}(x[0]); }, {sample({2, 3}, 0.1, 1)}},
        {"LeakyRelu", [](const Xs& x) { return LeakyRelu{0.2}(-x[0]); }, {sample({2, 3}, 0.1, 1)}},
        {"Elu", [](const Xs& x) { return Elu{0.5}(-x[0]); }, {sample({2, 3}, 0.1, 1)}},
        {"Gelu", [](const Xs& x) { return Gelu{}(x[0]); }, {sample({2, 3})}},
        {"Silu", [](const Xs& x) { return Silu{}(x[0]); }, {sample({2, 3})}},
        {"Softplus", [](const Xs& x) { return Softplus{}(x[0]); }, {sample({2, 3})}},
        {"Tanh", [](const Xs& x) { return Tanh{}(x[0]); }, {sample({2, 3})}},
        {"Sigmoid", [](const Xs& x) { return Sigmoid{}(x[0]); }, {sample({2, 3})}},
        {"Softmax", [](const Xs& x) { return Softmax{0}(x[0]); }, {sample({2, 3})}},
        {"LogSoftmax", [](const Xs& x) { return LogSoftmax{}(x[0]); }, {sample({2, 3})}},
        {"Flatten", [](const Xs& x) { return Flatten{}(x[0]); }, {sample({2, 3, 2})}},
        {"Dropout in training",
         [](const Xs& x) {
             Rng same(3);
             return Dropout(0.4)(x[0], Mode::training(same));
         },
         {sample({4, 5})}},
        {"Dropout in evaluation",
         [](const Xs& x) { return Dropout(0.4)(x[0], Mode::evaluation()); },
         {sample({2, 3})}},
    };
}

std::vector<Case> losses() {
    const Indices ids({2, 1, 4, 3, 0, 0}, {2, 3});
    std::vector<Case> cases;
    for (Reduction reduction : {Reduction::mean, Reduction::sum, Reduction::none}) {
        const std::string how = fmt::format("reduction {}", static_cast<int>(reduction));
        cases.push_back({"mse " + how,
                         [=](const Xs& x) { return mse(x[0], x[1], reduction); },
                         {sample({2, 3}), sample({2, 3}, -1, 1, 2)}});
        const auto add = [&](const std::string& name, auto loss, const Xs& inputs) {
            cases.push_back(
                {name + how, [=](const Xs& x) { return loss(x[0], x[1], reduction); }, inputs});
        };
        // Far enough apart that |prediction - target| passes no kink.
        const Xs numbers{sample({2, 3}, 0.6, 0.9), sample({2, 3}, -0.9, 0.3, 2)};
        add("l1_loss ", l1_loss, numbers);
        const Xs probabilities{sample({2, 3}, 0.1, 0.9), sample({2, 3}, 0, 1, 2)};
        add("binary_cross_entropy ", binary_cross_entropy, probabilities);
        add("binary_cross_entropy_with_logits ", binary_cross_entropy_with_logits,
            {sample({2, 3}, -3, 3), sample({2, 3}, 0, 1, 2)});
        add("kl_divergence ", kl_divergence, {sample({2, 3}, -3, 0), sample({2, 3}, 0.1, 0.9, 2)});
        for (double width : {0.4, 3.0}) {  // the straight part, and the square one
            add(
                fmt::format("huber_loss {} ", width),
                [=](const Tensor& x, const Tensor& t, Reduction r) {
                    return huber_loss(x, t + (width < 1 ? -0.5 : 0.0), width, r);
                },
                numbers);
            add(
                fmt::format("smooth_l1_loss {} ", width),
                [=](const Tensor& x, const Tensor& t, Reduction r) {
                    return smooth_l1_loss(x, t + (width < 1 ? -0.5 : 0.0), width, r);
                },
                numbers);
        }
        cases.push_back({"reduce_losses " + how,
                         [=](const Xs& x) { return reduce_losses(square(x[0]), reduction, 2); },
                         {sample({3})}});
        cases.push_back({"nll_loss " + how,
                         [=](const Xs& x) {
                             return nll_loss(log_softmax(x[0]), Indices{2, -1, 0}, -1, reduction);
                         },
                         {sample({3, 4}, -2, 2)}});
        // Equal neighbours; a shorter row; a row without labels.
        const Indices said({1, 1, 2, 3, 2, -1, -1, -1, -1}, {3, 3});
        const auto add_ctc = [&](const std::string& name, auto loss) {
            cases.push_back({name + how,
                             [=](const Xs& x) {
                                 return loss(x[0], said, Indices{5, 3, 2}, Indices{3, 2, 0},
                                             {.reduction = reduction});
                             },
                             {sample({3, 5, 4}, -3, -0.1)}});
        };
        add_ctc("ctc_loss ", ctc_loss);
        add_ctc("ctc_loss_definition ", ctc_loss_definition);
    }
    cases.push_back({"ctc_loss of logits, another blank, a row that cannot be said",
                     [](const Xs& x) {
                         return ctc_loss(log_softmax(x[0]), Indices({0, 1, 1, 1}, {2, 2}), {}, {},
                                         {.blank = 2, .zero_infinity = true});
                     },
                     {sample({2, 2, 3}, -2, 2)}});
    for (double smoothing : {0.0, 0.1})
        cases.push_back(
            {fmt::format("sequence_cross_entropy smoothing {}", smoothing),
             [=](const Xs& x) { return sequence_cross_entropy(x[0], ids, 0, smoothing); },
             {sample({2, 3, 5}, -2, 2)}});
    return cases;
}

const CellKind all_kinds[] = {CellKind::rnn_tanh, CellKind::rnn_relu, CellKind::gru,
                              CellKind::lstm};

// Both tensors of a state in one, so that both are checked.
Tensor joined(const RecurrentState& state) {
    return state.cell.defined() ? concat({state.hidden, state.cell}, -1) : state.hidden;
}

// The relu cell has a kink at 0: with these seeds no sum is near it.
std::vector<Case> cells() {
    std::vector<Case> cases;
    Rng rng(11);
    for (CellKind kind : all_kinds) {
        const int64_t B = 3, H = 2, wide = gates_of(kind) * H;
        Xs inputs{sample({B, wide}), sample({B, wide}, -1, 1, 2), sample({B, H}, -1, 1, 3)};
        if (states_of(kind) == 2) inputs.push_back(sample({B, H}, -1, 1, 4));
        const auto state = [](const Xs& x) {
            return RecurrentState{x[2], x.size() > 3 ? x[3] : Tensor()};
        };
        const ActiveRows second_row_done{Indices{2, 1, 3}, 1};
        // Only a GRU, and a row that keeps its state, use the hidden state besides h.
        const auto add = [&](const Case& one, const ActiveRows& active) {
            cases.push_back(kind == CellKind::gru || active.lengths
                                ? one
                                : one.zero_gradient("x2", "the hidden state enters as h alone"));
        };
        for (const ActiveRows& active : {ActiveRows{}, second_row_done}) {
            const std::string name =
                fmt::format("{}{}", name_of(kind), active.lengths ? ", a row done" : "");
            add({"recurrent_step " + name,
                 [=](const Xs& x) {
                     return joined(recurrent_step(kind, x[0], x[1], state(x), active));
                 },
                 inputs},
                active);
            add({"recurrent_step_definition " + name,
                 [=](const Xs& x) {
                     return joined(recurrent_step_definition(kind, x[0], x[1], state(x), active));
                 },
                 inputs},
                active);
        }
        cases.push_back(with_parameters(
            fmt::format("RecurrentCell {}", name_of(kind)), RecurrentCell(kind, 3, 2, rng),
            kind == CellKind::lstm
                ? Xs{sample({2, 3}), sample({2, 2}, -1, 1, 2), sample({2, 2}, -1, 1, 3)}
                : Xs{sample({2, 3}), sample({2, 2}, -1, 1, 2)},
            [kind](const RecurrentCell& cell, const Xs& x) {
                const Tensor second = kind == CellKind::lstm ? x[2] : Tensor();
                return joined(cell(x[0], cell(sin(x[0]), {x[1], second})));
            }));
    }
    return cases;
}

std::vector<Case> sequences() {
    std::vector<Case> cases;
    for (CellKind kind : all_kinds)
        for (bool reverse : {false, true})
            for (bool ragged : {false, true}) {
                const int64_t B = 3, T = 3, H = 2, wide = gates_of(kind) * H;
                SequenceOptions options{std::nullopt, reverse};
                if (ragged) options.lengths = Indices{3, 1, 2};
                Xs inputs{sample({B, T, wide}), sample({wide, H}, -0.7, 0.7, 2),
                          sample({wide}, -1, 1, 3), sample({B, H}, -1, 1, 4)};
                if (states_of(kind) == 2) inputs.push_back(sample({B, H}, -1, 1, 5));
                const auto name = fmt::format("{}{}{}", name_of(kind), reverse ? ", reverse" : "",
                                              ragged ? ", ragged" : "");
                const auto state = [](const Xs& x) {
                    return RecurrentState{x[3], x.size() > 4 ? x[4] : Tensor()};
                };
                cases.push_back({"recurrent_sequence " + name,
                                 [=](const Xs& x) {
                                     return recurrent_sequence(kind, x[0], state(x), x[1], x[2],
                                                               options);
                                 },
                                 inputs});
                if (reverse || kind == CellKind::rnn_relu) continue;
                cases.push_back({"recurrent_sequence_definition " + name,
                                 [=](const Xs& x) {
                                     return recurrent_sequence_definition(kind, x[0], state(x),
                                                                          x[1], x[2], options);
                                 },
                                 inputs});
            }
    return cases;
}

// Outputs and all final states in one tensor, so that all are checked.
Tensor flattened(const RecurrentOutput& out) {
    std::vector<Tensor> parts{flatten(out.output)};
    for (const RecurrentState& state : out.states) parts.push_back(flatten(joined(state)));
    return concat(parts, 0);
}

std::vector<Case> recurrent_layers() {
    std::vector<Case> cases;
    Rng rng(13);
    const RecurrentOptions stacked{.layers = 2, .bidirectional = true};
    const auto plain = [](const Recurrent& rnn, const Xs& x) { return flattened(rnn(x[0])); };
    const auto padded = [](const Recurrent& rnn, const Xs& x) {
        return flattened(rnn(x[0], {3, 1}));
    };
    const auto from_state = [](const Recurrent& rnn, const Xs& x) {
        const RecurrentState start{x[1], rnn.kind() == CellKind::lstm ? tanh(x[1]) : Tensor()};
        return flattened(rnn(x[0], {2, 3}, {start}));
    };
    const auto add = [&](const std::string& name, auto make) {
        cases.push_back(with_parameters(name, make({}), {sample({2, 2, 3})}, plain));
        cases.push_back(with_parameters(name + " padded, stacked, both directions", make(stacked),
                                        {sample({2, 3, 3})}, padded));
        cases.push_back(with_parameters(name + " padded, from an initial state", make({}),
                                        {sample({2, 3, 3}), sample({2, 2}, -1, 1, 2)}, from_state));
        cases.push_back(with_parameters(name + " without bias", make({.bias = false}),
                                        {sample({2, 2, 3})}, plain));
    };
    add("Rnn", [&](const RecurrentOptions& options) { return Rnn(3, 2, options, rng); });
    add("Gru", [&](const RecurrentOptions& options) { return Gru(3, 2, options, rng); });
    add("Lstm", [&](const RecurrentOptions& options) { return Lstm(3, 2, options, rng); });
    // Four units, so that not all are 0 at once.
    cases.push_back(with_parameters("Recurrent relu",
                                    scattered(Recurrent(CellKind::rnn_relu, 3, 4, {}, rng)),
                                    {sample({2, 3, 3})}, padded));
    cases.push_back(with_parameters("Recurrent with dropout between layers",
                                    Gru(3, 2, {.layers = 2, .dropout = 0.3}, rng),
                                    {sample({2, 3, 3})}, [](const Recurrent& rnn, const Xs& x) {
                                        Rng same(5);
                                        return flattened(rnn(x[0], {}, {}, Mode::training(same)));
                                    }));
    return cases;
}

const bool added_nn = add_cases(layers) && add_cases(losses) && add_cases(cells) &&
                      add_cases(sequences) && add_cases(recurrent_layers);

}  // namespace
}  // namespace heed
