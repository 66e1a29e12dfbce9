// A Llama (Touvron et al. 2023) as a reader of the course would write it, for `./heed chat FILE --mine`. It
// reads the weights of a published model and writes one token after the other. Five of its places hold a
// function that is an exercise; each can be the library's, the reader's, or one with a mistake.
//
// Weights of 8 and 4 bits become float32 here, since the exercises are about tensors; so it takes four bytes
// for each, and as much longer to read them.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "attention/attention.h"
#include "attention/transformer/published.h"

namespace heed::mine {

// The functions of the exercises. Shapes: T tokens, width D, H heads and G groups of width W, F hidden units.
struct LlamaParts {
    // table [V, D], ids [T] -> [T, D]
    std::function<Tensor(const Tensor& table, const Indices& ids)> embedding;
    // x [T, D], weight [D] -> [T, D]
    std::function<Tensor(const Tensor& x, const Tensor& weight, double eps)> norm;
    // x [H, T, W], at the positions first, first + 1, ... -> [H, T, W]
    std::function<Tensor(const Tensor& x, int64_t first, double base, bool halves)> rotation;
    // q [1, T, H W], k and v [1, K, G W] -> [1, T, H W], without a mask
    std::function<Tensor(const Tensor& q, const Tensor& k, const Tensor& v, int64_t heads)>
        attention;
    // x [T, D], w and v [F, D], w2 [D, F] -> [T, D]
    std::function<Tensor(const Tensor& x, const Tensor& w, const Tensor& v, const Tensor& w2)>
        network;
};

inline LlamaParts parts_of_the_library() {
    return {
        .embedding = [](const Tensor& table,
                        const Indices& ids) { return index_select(table, 0, ids); },
        .norm = [](const Tensor& x, const Tensor& w, double eps) { return rms_norm(x, w, eps); },
        .rotation =
            [](const Tensor& x, int64_t first, double base, bool halves) {
                return rotary(x, first, base, halves ? RotaryLayout::halves : RotaryLayout::pairs);
            },
        .attention =
            [](const Tensor& q, const Tensor& k, const Tensor& v, int64_t heads) {
                MultiHead groups;
                groups.heads = heads;
                groups.key_value_heads = heads * k.size(2) / q.size(2);
                return groups.join_heads(groups.contexts(
                    groups.split_heads(q), groups.split_groups(k), groups.split_groups(v)));
            },
        .network = [](const Tensor& x, const Tensor& w, const Tensor& v,
                      const Tensor& w2) { return linear(silu(linear(x, w)) * linear(x, v), w2); },
    };
}

// The weights of a published Llama, as float32. Throws for a model of another family.
struct LlamaWeights {
    struct Layer {
        Tensor attention_norm, query, key, value, output;  // [D], [H W, D], [G W, D] twice, [D, D]
        Tensor network_norm, gate, hidden, last;           // [D], [F, D] twice, [D, F]
    };
    Tensor table, norm, head;  // [V, D], [D], [V, D]
    std::vector<Layer> layers;
    int64_t heads = 1;
    double eps = 0, base = 10000;
    bool halves = false;  // which numbers of a head are a pair for the rotation

    explicit LlamaWeights(const LanguageModel& model);
};

inline LlamaWeights::LlamaWeights(const LanguageModel& model) {
    const std::vector<TransformerEncoderLayer>& blocks = model.stack.layers;
    const bool known = !blocks.empty() && model.stack.norm.kind == NormKind::rms &&
                       blocks[0].attention.positions.kind == PositionKind::rotary &&
                       blocks[0].feed_forward.gate.defined() &&
                       !blocks[0].attention.multi_head.query.bias.defined();
    check(
        known,
        "--mine: expected a model of the Llama family: RMS norms, rotated queries and keys, gates, "
        "no biases");
    const auto floats = [](const auto& layer) {
        return layer.quantised.defined() ? dequantise(layer.quantised)
                                         : to_dtype(detach(layer.weight), Dtype::float32);
    };
    table = floats(model.embedding);
    // Small models have one matrix for both: the head's rows are the vectors of the tokens.
    const bool tied =
        model.head.quantised.defined()
            ? model.embedding.quantised.defined() &&
                  model.head.quantised.data() == model.embedding.quantised.data()
            : model.embedding.weight.defined() &&
                  model.head.weight.data<float>() == model.embedding.weight.data<float>();
    head = tied ? table : floats(model.head);
    norm = detach(model.stack.norm.weight);
    eps = model.stack.norm.eps;
    heads = blocks[0].attention.multi_head.heads;
    // The exercise computes the frequencies from the base; that of the second pair tells which.
    const std::vector<double>& frequencies = blocks[0].attention.positions.frequencies;
    const auto pairs = static_cast<double>(frequencies.size());
    if (frequencies.size() > 1) base = std::pow(frequencies[1], -pairs);
    check(
        std::abs(rotary_frequencies(2 * std::ssize(frequencies), base).back() / frequencies.back() -
                 1) < 1e-6,
        "--mine: the rotation of this model has frequencies that are stretched for longer texts, "
        "which the exercise's has not");
    halves = blocks[0].attention.positions.layout == RotaryLayout::halves;
    for (const TransformerEncoderLayer& block : blocks) {
        const MultiHead& attention = block.attention.multi_head;
        layers.push_back({.attention_norm = detach(block.attention_residual.norm.weight),
                          .query = floats(attention.query),
                          .key = floats(attention.key),
                          .value = floats(attention.value),
                          .output = floats(attention.output),
                          .network_norm = detach(block.feed_forward_residual.norm.weight),
                          .gate = floats(block.feed_forward.gate),
                          .hidden = floats(block.feed_forward.hidden),
                          .last = floats(block.feed_forward.output)});
    }
}

// The model at work on one text. A copy goes its own way.
class Llama {
  public:
    Llama(const LlamaWeights& weights, const LlamaParts& parts)
        : weights_(&weights), parts_(&parts), keys_(weights.layers.size()), values_(keys_) {}

    // The logits [V] of the token after this one and all before it.
    Tensor next(int id);

    // What a Decodable asks for. There is one sequence.
    DecodingStep step(const Indices& tokens) {
        return {reshape(log_softmax(next(tokens[0]), 0), {1, -1})};
    }
    void select_rows(const std::vector<int>& rows) {
        check(rows == std::vector{0}, "Llama: it decodes one text at a time");
    }

  private:
    Tensor rotated(const Tensor& x) const;

    const LlamaWeights* weights_;
    const LlamaParts* parts_;
    int64_t position_ = 0;
    std::vector<Tensor> keys_, values_;  // of each layer, [1, K, G W]
};

// Each head's width by itself: [1, H W] -> [1, 1, H W].
inline Tensor Llama::rotated(const Tensor& x) const {
    const int64_t width = weights_->table.size(1) / weights_->heads;
    const Tensor heads = reshape(x, {x.size(1) / width, 1, width});
    return reshape(parts_->rotation(heads, position_, weights_->base, weights_->halves),
                   {1, 1, x.size(1)});
}

inline Tensor Llama::next(int id) {
    const auto append = [](Tensor& all, const Tensor& one) {
        all = all.defined() ? concat({all, one}, 1) : one;
    };
    Tensor x = parts_->embedding(weights_->table, Indices({id}, {1}));  // [1, D]
    for (std::size_t n = 0; n < keys_.size(); ++n) {
        const LlamaWeights::Layer& layer = weights_->layers[n];
        const Tensor y = parts_->norm(x, layer.attention_norm, weights_->eps);
        append(keys_[n], rotated(linear(y, layer.key)));
        append(values_[n], unsqueeze(linear(y, layer.value), 0));
        const Tensor contexts = parts_->attention(rotated(linear(y, layer.query)), keys_[n],
                                                  values_[n], weights_->heads);
        x = x + linear(select(contexts, 0, 0), layer.output);
        x = x + parts_->network(parts_->norm(x, layer.network_norm, weights_->eps), layer.gate,
                                layer.hidden, layer.last);
    }
    ++position_;
    return select(linear(parts_->norm(x, weights_->norm, weights_->eps), weights_->head), 0, 0);
}

// Ready to continue a prompt [1, T], as LanguageModel::decodable() is. Both arguments must outlive it.
inline Decodable decodable(const LlamaWeights& weights, const LlamaParts& parts,
                           const Indices& prompt) {
    const NoGrad no_grad;
    Llama text(weights, parts);
    for (int64_t t = 0; t + 1 < prompt.count(); ++t) text.next(prompt[t]);
    return {std::move(text), 1, Indices({prompt[prompt.count() - 1]}, {1})};
}

}  // namespace heed::mine
