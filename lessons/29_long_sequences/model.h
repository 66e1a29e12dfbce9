// The model of lesson {long_sequences}: an embedding, learned positions, layers of self-attention
// of one of seven kinds with feed-forward networks between them, and an output at every position.
#pragma once

#include <string>
#include <vector>

#include "attention/attention.h"
#include "lessons/29_long_sequences/data.h"

namespace heed::lesson29 {

enum class Kind { exact, window, bigbird, linformer, performer, reformer, synthesizer };
const std::vector<Kind>& kinds();
const char* name_of(Kind kind);

struct Sizes {
    int64_t vocabulary = tokens, outputs = things;
    int64_t length = 64;  // the longest sequence
    int64_t width = 32, heads = 2, layers = 2;
    int64_t window = 4;     // to each side
    int64_t rows = 16;      // of Linformer
    int64_t features = 32;  // of Performer
    int64_t chunk = 16;     // of Reformer
    int64_t hashes = 2;
};

// Self-attention with heads of one of the kinds. Not all kinds have all projections.
struct LongAttention {
    Kind kind = Kind::exact;
    Sizes sizes;
    Linear query, key, value, output;  // Reformer shares query and key; Synthesizer has neither
    Linformer linformer;
    Synthesizer synthesizer;
    Tensor features;  // of Performer: constants

    LongAttention() = default;
    LongAttention(Kind which, const Sizes& of, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("query", query), f("key", key), f("value", value), f("output", output);
        f("linformer", linformer), f("synthesizer", synthesizer);
    }
    // x [B, T, D], mask [B, 1, 1, T] of the keys or not defined -> [B, T, D]
    Tensor operator()(const Tensor& x, const Tensor& mask = {}) const;
};

struct LongModel {
    Sizes sizes;
    Embedding embedding;
    AbsolutePositions positions;
    std::vector<LongAttention> attentions;
    std::vector<LayerNorm> attention_norms, feed_forward_norms;
    std::vector<FeedForward> feed_forwards;
    Linear output;

    LongModel(Kind kind, const Sizes& of, Rng& rng);
    template <class F>
    void visit(F&& f) {
        f("embedding", embedding), f("positions", positions), f("attentions", attentions);
        f("attention_norms", attention_norms), f("feed_forward_norms", feed_forward_norms);
        f("feed_forwards", feed_forwards), f("output", output);
    }
    Tensor hidden(const Indices& token, const Tensor& mask = {}) const;  // [B, T] -> [B, T, D]
    Tensor operator()(const Indices& token) const { return output(hidden(token)); }
};

// Trains on a new batch in each step and returns the accuracy on 200 new sequences.
double accuracy_after_training(Kind kind, Task task, const Sizes& sizes, int steps, uint64_t seed);

// Multiply-adds for the scores and contexts of one head, of width D, at length T.
double multiply_adds(Kind kind, const Sizes& sizes, int64_t length, int64_t width);

}  // namespace heed::lesson29
