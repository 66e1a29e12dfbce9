// Recurrent layers: Rnn, Gru and Lstm, which read whole sequences, and RecurrentCell, one step with
// its weights, for decoders that go step by step.
//
//     Gru encoder(embedding_width, width, {.bidirectional = true}, rng);
//     RecurrentOutput out = encoder(x, lengths);    // out.output [B, T, 2 H]
//
// Formulas, order of gates and names of parameters are PyTorch's (`weight_ih_l0`,
// `weight_hh_l0_reverse`, ...), so weights trained in PyTorch can be loaded. The three layers are
// one type, Recurrent, whose `kind` says which cell it has; code written for Recurrent and
// RecurrentCell works with each.
//
// Sequences of different lengths share a batch by padding at the end. At a padded step the state
// does not change and the output is 0; the backward direction of a row starts at the row's own last
// token. So padding changes no result.
//
// Shapes: B batch, T time, I input width, H hidden width.
#pragma once

#include "autograd/base/rng.h"
#include "autograd/tensor/indices.h"
#include "nn/module/mode.h"
#include "nn/recurrent/recurrence.h"

namespace heed {

// One step of recurrence with its weights.
struct RecurrentCell {
    CellKind kind = CellKind::gru;
    Tensor weight_ih;  // [gates H, I]
    Tensor weight_hh;  // [gates H, H]
    Tensor bias_ih;    // [gates H], or not defined
    Tensor bias_hh;    // [gates H], or not defined

    RecurrentCell() = default;
    // All weights and biases are drawn uniformly from [-1/√H, 1/√H].
    RecurrentCell(CellKind which, Integer input, Integer hidden, Rng& rng, Flag with_bias = true);
    void visit(auto&& f) {
        f("weight_ih", weight_ih), f("weight_hh", weight_hh);
        f("bias_ih", bias_ih), f("bias_hh", bias_hh);
    }

    int64_t input_size() const;   // I
    int64_t hidden_size() const;  // H
    RecurrentState zero_state(Integer batch) const;

    // The state after reading x [B, I], starting from zeros if no state is given.
    RecurrentState operator()(const Tensor& x, const RecurrentState& state = {}) const;

    // The same in two calls, for inputs that are known in advance: project() maps x [..., I] of all
    // steps at once to [..., gates H], and step() takes one step's slice of that, [B, gates H].
    Tensor project(const Tensor& x) const;
    RecurrentState step(const Tensor& projected, const RecurrentState& state,
                        const ActiveRows& active = {}) const;
};

struct RecurrentOptions {
    int64_t layers = 1;          // each layer but the first reads the outputs of the one below
    bool bidirectional = false;  // a second cell reads in reverse; the two outputs are concatenated
    bool bias = true;
    double dropout = 0;  // between layers, in training
};

struct RecurrentOutput {
    Tensor output;                       // of the last layer, [B, T, directions H]
    std::vector<RecurrentState> states;  // final: layer 0 forward, layer 0 reverse, layer 1, ...
};

struct Recurrent {
    std::vector<RecurrentCell> cells;  // in the order of RecurrentOutput::states
    bool bidirectional = false;
    double dropout = 0;

    Recurrent() = default;
    Recurrent(CellKind kind, Integer input, Integer hidden, const RecurrentOptions& options,
              Rng& rng);
    void visit(auto&& f);

    int64_t layers() const { return static_cast<int64_t>(cells.size()) / directions(); }
    int64_t directions() const { return bidirectional ? 2 : 1; }
    CellKind kind() const { return first_cell().kind; }
    int64_t hidden_size() const { return first_cell().hidden_size(); }
    int64_t output_size() const { return directions() * hidden_size(); }

    // x is [B, T, I]; lengths [B] are those of the rows, each 0 .. T (if none are given, all are
    // T); `initial` has one state for each cell (if none are given, zeros). With dropout the mode
    // must be given. Throws when shapes, counts or lengths do not match.
    RecurrentOutput operator()(const Tensor& x, const Indices& lengths = {},
                               const std::vector<RecurrentState>& initial = {},
                               Mode mode = {}) const;

  private:
    const RecurrentCell& first_cell() const;  // throws if there is none
};

void Recurrent::visit(auto&& f) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const bool reverse = bidirectional && i % 2 == 1;
        const std::string suffix =
            "_l" + std::to_string(i / directions()) + (reverse ? "_reverse" : "");
        cells[i].visit([&](const std::string& name, Tensor& x) { f(name + suffix, x); });
    }
}

// Recurrent with a fixed kind. Rnn is Elman's network with tanh.
struct Rnn : Recurrent {
    Rnn() = default;
    Rnn(Integer input, Integer hidden, const RecurrentOptions& options, Rng& rng)
        : Recurrent(CellKind::rnn_tanh, input, hidden, options, rng) {}
};
struct Gru : Recurrent {
    Gru() = default;
    Gru(Integer input, Integer hidden, const RecurrentOptions& options, Rng& rng)
        : Recurrent(CellKind::gru, input, hidden, options, rng) {}
};
struct Lstm : Recurrent {
    Lstm() = default;
    Lstm(Integer input, Integer hidden, const RecurrentOptions& options, Rng& rng)
        : Recurrent(CellKind::lstm, input, hidden, options, rng) {}
};

}  // namespace heed
