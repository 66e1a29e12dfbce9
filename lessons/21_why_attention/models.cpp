#include "lessons/21_why_attention/models.h"

#include <fmt/format.h>

#include <cmath>

#include "autograd/autograd.h"
#include "lessons/material/training/next_checkpoint.h"

namespace heed::lesson21 {

// --- six readers --------------------------------------------------------------------------------

namespace {

constexpr int64_t batch = 8;

// A matrix that keeps the variance of what it is multiplied with.
Tensor matrix(int64_t rows, int64_t columns, Rng& rng) {
    return normal({rows, columns}, 0, 1 / std::sqrt(static_cast<double>(columns)), rng,
                  Dtype::float64)
        .set_requires_grad();
}

}  // namespace

Block::Block(int64_t width, Rng& rng)
    : query(matrix(width, width, rng)),
      key(matrix(width, width, rng)),
      value(matrix(width, width, rng)),
      output(matrix(width, width, rng)),
      up(matrix(4 * width, width, rng)),
      down(matrix(width, 4 * width, rng)) {}

Tensor Block::attend(const Tensor& x) const {
    const Tensor q = matmul(x, transpose(query)), k = matmul(x, transpose(key)),
                 v = matmul(x, transpose(value));  // [B, T, D]
    const Tensor scores = matmul(q, transpose(k)) / std::sqrt(static_cast<double>(x.size(-1)));
    return matmul(matmul(softmax(scores, -1), v), transpose(output));
}

Tensor Block::operator()(const Tensor& x) const {
    const Tensor y = x + attend(layer_norm(x));
    return y + matmul(relu(matmul(layer_norm(y), transpose(up))), transpose(down));
}

std::string name_of(ReaderKind kind) {
    switch (kind) {
        case ReaderKind::plain:
            return "plain RNN";
        case ReaderKind::gru:
            return "GRU";
        case ReaderKind::lstm:
            return "LSTM";
        case ReaderKind::gru_bias:
            return fmt::format("GRU, bias {}", keep_bias);
        case ReaderKind::gru_attention:
            return "GRU + attention";
        case ReaderKind::transformer:
            return "Transformer";
    }
    return "?";
}

Reader::Reader(ReaderKind which, int64_t width, Rng& rng) : kind(which) {
    if (kind == ReaderKind::transformer) {
        for (int i = 0; i < 2; ++i) blocks.emplace_back(width, rng);
        return;
    }
    const CellKind cells[] = {CellKind::rnn_tanh, CellKind::gru, CellKind::lstm, CellKind::gru,
                              CellKind::gru};
    cell = RecurrentCell(cells[static_cast<int>(kind)], width, width, rng);
    to_dtype(cell, Dtype::float64);
    if (kind == ReaderKind::gru_bias)  // of the gate z, the second of three
        cell.bias_hh.assign(cell.bias_hh +
                            pad(full({width}, keep_bias, Dtype::float64), 0, width, width));
}

std::vector<Tensor> states_of(const RecurrentCell& cell, const std::vector<Tensor>& x) {
    RecurrentState state = cell.zero_state(x[0].size(0));
    std::vector<Tensor> states;
    for (const Tensor& x_t : x) {
        const Tensor from_input = linear(x_t, cell.weight_ih, cell.bias_ih),
                     from_state = linear(state.hidden, cell.weight_hh, cell.bias_hh);
        state = recurrent_step_definition(cell.kind, from_input, from_state, state);
        states.push_back(state.hidden);
    }
    return states;
}

Tensor look_back(const Tensor& query, const std::vector<Tensor>& states) {
    const Tensor h = stack(states, 1);                      // [B, T, D]
    const Tensor scores = matmul(h, unsqueeze(query, -1));  // [B, T, 1]
    const Tensor scaled = scores / std::sqrt(static_cast<double>(query.size(-1)));
    return squeeze(matmul(transpose(softmax(scaled, 1)), h), 1);  // [B, D]
}

Tensor Reader::operator()(const std::vector<Tensor>& x) const {
    if (kind == ReaderKind::transformer) {
        Tensor y = stack(x, 1);  // [B, T, D]
        for (const Block& block : blocks) y = block(y);
        return select(y, 1, y.size(1) - 1);
    }
    const std::vector<Tensor> states = states_of(cell, x);
    if (kind != ReaderKind::gru_attention) return states.back();
    return concat({states.back(), look_back(states.back(), states)}, -1);
}

std::vector<Tensor> random_inputs(int64_t length, int64_t rows, int64_t width, Rng& rng) {
    std::vector<Tensor> x;
    for (int64_t t = 0; t < length; ++t)
        x.push_back(normal({rows, width}, 0, 0.5, rng, Dtype::float64).set_requires_grad());
    return x;
}

Tensor random_directions(const Tensor& y, Rng& rng) {
    const Tensor v = normal(y.shape(), 0, 1, rng, Dtype::float64);
    return v * rsqrt(sum(square(v), -1, true));
}

std::vector<double> gradient_by_distance(const Reader& reader, int64_t length, Rng& rng) {
    const int64_t width =
        reader.blocks.empty() ? reader.cell.hidden_size() : reader.blocks[0].query.size(0);
    const std::vector<Tensor> x = random_inputs(length, batch, width, rng);
    const Tensor y = reader(x);
    const std::vector<Tensor> gradients = grad(y, x, false, random_directions(y, rng));
    std::vector<double> norms;
    for (std::size_t t = gradients.size(); t-- > 0;)
        norms.push_back(std::exp(0.5 * mean(log(sum(square(gradients[t]), -1))).item()));
    return norms;
}

// --- odd or even --------------------------------------------------------------------------------

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
    return output(recurrent ? gru(x).output : transformer(x, {.causal = true}));
}

namespace {

// Of a Transformer or a recurrent network that learns parity.
TrainOptions options_of(int steps, const CheckpointOptions& checkpoint) {
    return {.steps = steps,
            .clip_norm = 1,
            .schedule = schedules::multiplied(schedules::warm_up(steps / 20 + 1),
                                              schedules::cosine(steps, 0.1)),
            .checkpoint = checkpoint};
}

}  // namespace

void train_parity(ParityModel& model, int steps, Rng rng) {
    Adam adam(parameters(model), {.lr = 5e-3});
    train(adam, options_of(steps, course::next_checkpoint({rng})), [&](int64_t) {
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

// --- odd or even, with written steps ------------------------------------------------------------

namespace {

enum : int { zero, one, equals_sign, dot, tokens };

}  // namespace

const char* name_of(Writing writing) {
    return writing == Writing::nothing ? "at once"
           : writing == Writing::dots  ? "after dots"
                                       : "after written steps";
}

WrittenRows written_rows(int64_t batch, Writing writing, Rng& rng) {
    std::vector<int> read, next, answers;
    for (int64_t row = 0; row < batch; ++row) {
        std::vector<int> text, steps;
        int odd = 0;
        for (int64_t t = 0; t < row_length; ++t) {
            text.push_back(rng.chance(0.5) ? one : zero);
            steps.push_back(odd ^= text.back());
        }
        text.push_back(equals_sign);
        std::vector<int> asked(text.size() - 1, -1);
        if (writing == Writing::steps) {
            text.insert(text.end(), steps.begin(), steps.end() - 1);
            asked.insert(asked.end(), steps.begin(), steps.end());
        } else {
            if (writing == Writing::dots) text.insert(text.end(), row_length - 1, dot);
            asked.resize(text.size() - 1, -1);
            asked.push_back(odd);
        }
        read.insert(read.end(), text.begin(), text.end());
        next.insert(next.end(), asked.begin(), asked.end());
        answers.push_back(odd);
    }
    const Shape shape{batch, std::ssize(read) / batch};
    return {Indices(read, shape), Indices(next, shape), answers};
}

LanguageModel train_writer(Writing writing, int steps, Rng& rng) {
    TransformerOptions stack = gpt({.width = 32});
    stack.positions.kind = PositionKind::rotary;
    LanguageModel model({.vocabulary = tokens, .stack = stack}, rng);
    Adam adam(parameters(model), {.lr = 2e-3});
    train(adam, options_of(steps, course::next_checkpoint({rng})), [&](int64_t) {
        const WrittenRows rows = written_rows(64, writing, rng);
        return StepResult{sequence_cross_entropy(model(rows.read), rows.next, -1)};
    });
    return model;
}

double answers_right(const LanguageModel& model, Writing writing, Rng& rng) {
    const WrittenRows rows = written_rows(written_tests, writing, rng);
    const bool writes = writing == Writing::steps;
    const Indices prompt = writes ? slice(rows.read, 1, 0, row_length + 1) : rows.read;
    const std::vector<Hypothesis> written = greedy_decode(
        model.decodable(prompt), {.end = -1, .max_length = writes ? int{row_length} : 1});
    double right = 0;
    for (int64_t row = 0; row < written_tests; ++row)
        right += written[row].tokens.back() == rows.odd[row];
    return right / static_cast<double>(written_tests);
}

}  // namespace heed::lesson21
