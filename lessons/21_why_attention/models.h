// Six ways to read a sequence of vectors, written with plain operations so that the recorded graph
// shows each of them: three recurrent cells, one of them also with a larger bias, a recurrent cell
// with attention over its states, and two Transformer blocks.
//
// And a task that a recurrent network finds easy: is the number of ones so far odd? A Transformer answers
// it after written steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "attention/transformer/language_model.h"
#include "nn/nn.h"

namespace heed::lesson21 {

// --- six readers --------------------------------------------------------------------------------

// One Transformer block with one head (pre-norm, without biases). All matrices are [D, D], except
// those of the feed-forward network: `up` [4 D, D] and `down` [D, 4 D].
struct Block {
    Tensor query, key, value, output, up, down;

    Block(int64_t width, Rng& rng);
    Tensor attend(const Tensor& x) const;      // [B, T, D] -> [B, T, D], the attention alone
    Tensor operator()(const Tensor& x) const;  // [B, T, D] -> [B, T, D]
};

enum class ReaderKind { plain, gru, lstm, gru_bias, gru_attention, transformer };
inline constexpr ReaderKind reader_kinds[] = {ReaderKind::plain,         ReaderKind::gru,
                                              ReaderKind::lstm,          ReaderKind::gru_bias,
                                              ReaderKind::gru_attention, ReaderKind::transformer};
inline constexpr double keep_bias = 3;  // of gru_bias
std::string name_of(ReaderKind kind);

// Reads x_1 ... x_T, each [B, D], and returns what the network knows after the last one: [B, D], or
// [B, 2 D] where the context of the attention stands beside the last state. All weights take part
// in the graph.
struct Reader {
    ReaderKind kind;
    RecurrentCell cell;         // of the recurrent ones
    std::vector<Block> blocks;  // of the Transformer

    Reader(ReaderKind kind, int64_t width, Rng& rng);
    Tensor operator()(const std::vector<Tensor>& x) const;
};

// The states h_1 ... h_T of a cell, each [B, D].
std::vector<Tensor> states_of(const RecurrentCell& cell, const std::vector<Tensor>& x);
// The context [B, D] of a query [B, D] that attends to states h_1 ... h_T by scaled dot products.
Tensor look_back(const Tensor& query, const std::vector<Tensor>& states);

// T inputs [B, D] of standard deviation 1/2, each a leaf of the graph, and a random direction of
// length 1 for each row of a result.
std::vector<Tensor> random_inputs(int64_t length, int64_t batch, int64_t width, Rng& rng);
Tensor random_directions(const Tensor& y, Rng& rng);

// The norm of the gradient of the result, in a random direction, with respect to the input that is
// 0, 1, ... T - 1 steps before the last one: the geometric mean over the rows of the batch.
std::vector<double> gradient_by_distance(const Reader& reader, int64_t length, Rng& rng);

// --- odd or even --------------------------------------------------------------------------------

struct Bits {
    Indices bit, odd;  // [B, T]; odd: 1 where the number of ones up to here is odd
};
Bits random_bits(int64_t batch, int64_t length, Rng& rng);

// Reads bits and answers after each of them. Either a GRU, or a causal Transformer with positions
// of some kind; about 7,000 or 26,000 parameters.
struct ParityModel {
    Embedding embedding;
    Gru gru;
    TransformerEncoder transformer;
    Linear output;
    bool recurrent = true;

    explicit ParityModel(std::optional<PositionKind> positions, Rng& rng);  // without: a GRU
    template <class F>
    void visit(F&& f) {
        f("embedding", embedding);
        if (recurrent)
            f("gru", gru);
        else
            f("transformer", transformer);
        f("output", output);
    }
    Tensor operator()(const Indices& bits) const;  // [B, T] -> logits [B, T, 2]
};

inline constexpr int longest_trained = 20;

// Trains on sequences of 2 to `longest_trained` bits, new ones in every step.
void train_parity(ParityModel& model, int steps, Rng rng);
// The share of right answers after the last bit of sequences of this length.
double accuracy_at(const ParityModel& model, int64_t length, Rng& rng);

// --- odd or even, with written steps -------------------------------------------------------------

// Is the number of ones odd? Asked of a language model that answers at once, and of one that writes down
// the answer for every beginning of the row first:
//
//     nothing    1 0 1 1 =           odd
//     dots       1 0 1 1 = . . .     odd
//     steps      1 0 1 1 = 1 1 0 1        and the last step is the answer
//
// With dots the model has as many positions to compute in as with steps, but nothing is written there.
enum class Writing { nothing, dots, steps };
inline constexpr Writing all_writings[] = {Writing::nothing, Writing::dots, Writing::steps};
const char* name_of(Writing writing);

inline constexpr int64_t row_length = 16;  // bits

// What a model reads and what it should say next, [B, L]; next is -1 where it is not asked.
struct WrittenRows {
    Indices read, next;
    std::vector<int> odd;  // [B], the answer
};
WrittenRows written_rows(int64_t batch, Writing writing, Rng& rng);

// Trains a Transformer of two layers on new rows in every step.
LanguageModel train_writer(Writing writing, int steps, Rng& rng);
inline constexpr int64_t written_tests = 200;  // rows
// The share of new rows whose answer is right. The model reads the steps that it has written itself.
double answers_right(const LanguageModel& model, Writing writing, Rng& rng);

}  // namespace heed::lesson21
