// The models of lesson {states}: one block of a Transformer, in which attention is replaced by layers with
// a state; and the two tasks, recall and parity.
#pragma once

#include <variant>
#include <vector>

#include "attention/heads/self_attention.h"
#include "attention/states/linear_attention.h"
#include "attention/states/selective_scan.h"
#include "nn/nn.h"
#include "nn/recurrent/recurrent.h"

namespace heed::lesson33 {

// --- tasks --------------------------------------------------------------------------------------

// Tokens [B, T], each of two parts, and the right answer where one is asked for; -100 elsewhere.
struct Batch {
    Indices first, second, answer;
};

inline constexpr int keys = 32, values = 8, queries = 8, parity_bits = 24;

// `pairs` tokens (key, value) with different keys, then 8 tokens (key, ?): which value had this key?
Batch draw_recall(int batch, int pairs, Rng& rng);
// Random bits; at each of them: is the number of ones so far odd?
Batch draw_parity(int batch, int length, Rng& rng);

// --- models -------------------------------------------------------------------------------------

inline constexpr int64_t width = 32, heads = 4;

enum class Mixer { attention, gru, sum, decay, gate, delta, signed_delta, state_space };
const char* name_of(Mixer mixer);
const std::vector<Mixer>& mixers();  // all, in this order

struct GruLayer {
    Gru gru;
    Linear output;
    template <class F>
    void visit(F&& f) {
        f("gru", gru), f("output", output);
    }
    Tensor operator()(const Tensor& x) const;
};

struct MixerLayer {
    std::variant<SelfAttention, GruLayer, LinearAttention, SelectiveStateSpace> any;
    template <class F>
    void visit(F&& f) {
        std::visit([&](auto& layer) { layer.visit(f); }, any);
    }
    Tensor operator()(const Tensor& x) const;
};
MixerLayer make_mixer(Mixer mixer, Rng& rng);

// How many numbers of the past the layer keeps after so many tokens: cache or state.
int64_t numbers_kept(const MixerLayer& layer, int64_t tokens);

// x + mixer(norm(x)), then x + feed-forward(norm(x)); the blocks one after another.
struct Reader {
    Embedding first, second;
    std::vector<MixerLayer> layers;
    std::vector<RmsNorm> norms;  // two for each layer, and one at the end
    std::vector<Linear> hidden, back;
    Linear output;

    Reader(const std::vector<Mixer>& kinds, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("first", first), f("second", second), f("layers", layers), f("norms", norms);
        f("hidden", hidden), f("back", back), f("output", output);
    }
    Tensor operator()(const Batch& batch) const;  // logits [B, T, values]
};

// --- training -----------------------------------------------------------------------------------

enum class Task { recall, parity };

// On 32 new random sequences in each step: recall of 4, 8, 16 or 32 pairs, parity of 24 bits.
void train_reader(Reader& reader, Task task, int steps, Rng rng);
// Share of the answers that are right, on 256 new sequences: recall of so many pairs; parity at the last
// eight of so many bits.
double share_right(const Reader& reader, Task task, int length, Rng rng);

}  // namespace heed::lesson33
