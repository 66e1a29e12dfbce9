// The GPT of `./heed learn language_model --mine`: on the tape of exercise {autograd.3}, with parts that are
// answers to exercises (parts.h).
//
// The model is that of the lesson: learned positions, pre-norm, exact GELU, no biases, one table
// for input and output. Its positions begin as sines and cosines, exercise {positions.3}.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "attention/transformer/language_model.h"
#include "lessons/mine/parts.h"

namespace heed::mine {

struct Sizes {
    int64_t layers = 2, heads = 4, batch = 12, context = 32;
};

class Gpt : OnTape {
  public:
    Gpt(const Weights& weights, const Sizes& sizes, Clock& clock)
        : OnTape(weights, clock), sizes_(sizes) {
        library_.heads = sizes.heads;
    }

    // The mean cross-entropy of the next ids [B T]. Afterwards `gradients` has one for each weight.
    double loss(const Indices& ids, const Indices& next, Weights& gradients) {
        return cross_entropy_of(logits(ids), next, gradients);
    }

    // The logits [B T, V] of the token after each of ids [B T].
    Taped logits(const Indices& ids);

  private:
    Taped times(const Taped& a, const Taped& b) {
        return line({a, b}, a.value * b.value,
                    {[b](const Tensor& g) { return g * b.value; },
                     [a](const Tensor& g) { return g * a.value; }});
    }
    Tensor split(const Tensor& x) {
        return clock_(
            "several_heads", [&] { return part_several_heads::my_split(x, sizes_.heads); },
            [&] { return library_.split_heads(x); });
    }
    Tensor join(const Tensor& x) {
        return clock_(
            "several_heads", [&] { return part_several_heads::my_merge(x); },
            [&] { return library_.join_heads(x); });
    }
    Taped norm(const Taped& x, const std::string& name);
    Taped attention(const Taped& x, const std::string& name, bool by_hand);
    Taped attend(const Taped& q, const Taped& k, const Taped& v);
    Taped attend_by_hand(const Taped& q, const Taped& k, const Taped& v);
    Tensor past_only(const Tensor& scores);
    Taped feed_forward(const Taped& x, const std::string& name) {
        const Taped h = linear(x, name + ".hidden.weight");
        const auto rule = [x = h.value](const Tensor& g) {
            return vjp([](const Tensor& z) { return gelu(z); }, x, g);
        };
        return linear(line(h, gelu(h.value), rule), name + ".output.weight");
    }

    Sizes sizes_;
    MultiHead library_;  // only to split and join heads
};

// The norm without its weight is one line; the weight is another.
inline Taped Gpt::norm(const Taped& x, const std::string& name) {
    const Tensor centred = x.value - mean(x.value, -1, true);
    const Tensor y = centred / sqrt(mean(square(centred), -1, true) + 1e-5);
    const auto rule = [this, x = x.value](const Tensor& g) {
        return clock_(
            "layer_norm_backward",
            [&] { return part_layer_norm_backward::my_layer_norm_backward(x, g); },
            [&] { return vjp([](const Tensor& z) { return layer_norm(z, {}, {}, 1e-5); }, x, g); });
    };
    return times(line(x, y, rule), weight(name + ".weight"));
}

// Every query compares itself with the keys up to its own position; later ones are hidden by a score
// of minus infinity.
inline Tensor Gpt::past_only(const Tensor& scores) {
    const int64_t T = scores.size(-1);
    const Tensor mask = clock_(
        "off_by_one", [&] { return part_off_by_one::my_causal_mask(T, T); },
        [&] { return causal_mask(T); });
    return masked_fill(scores, mask == 0, -std::numeric_limits<double>::infinity());
}

// Queries, keys and values [B, H, T, D / H] -> contexts, with a line on the tape for each step.
inline Taped Gpt::attend(const Taped& q, const Taped& k, const Taped& v) {
    const Taped k_columns =
        line(k, transpose(k.value), [](const Tensor& g) { return transpose(g); });
    const double scale = 1 / std::sqrt(static_cast<double>(q.value.size(-1)));
    Taped scores = product(q, k_columns);  // [B, H, T, T]
    scores = line(scores, scores.value * scale, [scale](const Tensor& g) { return g * scale; });
    // What is hidden has the weight 0, so its score gets the gradient 0 from the softmax.
    const Taped past = line(scores, past_only(scores.value), [](const Tensor& g) { return g; });
    return product(softmax_of(past), v);
}

// The same as one line, whose three gradients exercise {query_key_value.2} computes together.
inline Taped Gpt::attend_by_hand(const Taped& q, const Taped& k, const Taped& v) {
    const Tensor Q = q.value, K = k.value, V = v.value;
    const Tensor scores = matmul(Q, transpose(K)) / std::sqrt(static_cast<double>(Q.size(-1)));
    const Tensor A = part_softmax_without_overflow::my_softmax(past_only(scores)),
                 context = matmul(A, V);
    const auto found = std::make_shared<part_backward_by_hand::MyGradients>();
    const auto query = [=, this](const Tensor& g) {
        clock_(
            "backward_by_hand",
            [&] {
                return *found = part_backward_by_hand::my_backward(Q, K, V, A, g), found->query;
            },
            [&] {
                std::vector<Tensor> inputs{detach(Q), detach(K), detach(V)};
                for (Tensor& x : inputs) x.set_requires_grad();
                const Tensor y =
                    scaled_dot_product_attention(inputs[0], inputs[1], inputs[2], {.causal = true});
                return grad(sum(y * g), inputs);
            });
        return found->query;
    };
    // The tape asks for the gradients of a line in the order of its inputs.
    const auto key = [found](const Tensor&) { return found->key; };
    const auto value = [found](const Tensor&) { return found->value; };
    return line({q, k, v}, context, {query, key, value});
}

// [B T, D] -> [B T, D]
inline Taped Gpt::attention(const Taped& x, const std::string& name, bool by_hand) {
    const int64_t B = sizes_.batch, T = sizes_.context, D = x.value.size(1);
    const auto heads = [&](const char* which) {  // [B, H, T, D / H]
        const Taped y = linear(x, name + which);
        return line(y, split(reshape(y.value, {B, T, D})), [this, B, T, D](const Tensor& g) {
            return reshape(join(g), {B * T, D});
        });
    };
    const Taped q = heads(".query.weight"), k = heads(".key.weight"), v = heads(".value.weight");
    const Taped context = by_hand ? attend_by_hand(q, k, v) : attend(q, k, v);
    const Taped joined =
        line(context, reshape(join(context.value), {B * T, D}), [this, B, T, D](const Tensor& g) {
            return split(reshape(g, {B, T, D}));
        });
    return linear(joined, name + ".output.weight");
}

inline Taped Gpt::logits(const Indices& ids) {
    const int64_t B = sizes_.batch, T = sizes_.context;
    Taped x = lookup("embedding.weight", ids);
    std::vector<int> positions;
    for (int64_t i = 0; i < B * T; ++i) positions.push_back(static_cast<int>(i % T));
    x = x + lookup("positions.table", Indices(positions, {B * T}));
    for (int64_t n = 0; n < sizes_.layers; ++n) {
        const std::string layer = fmt::format("decoder.layers.{}.", n);
        // The backward of attention comes from the tape in one block and is written out in the next.
        x = x + attention(norm(x, layer + "attention_norm"), layer + "attention", n % 2 == 1);
        x = x + feed_forward(norm(x, layer + "feed_forward_norm"), layer + "feed_forward");
    }
    return linear(norm(x, "decoder.norm"), "embedding.weight");
}

// The same model without a tape, to generate a text token by token. Its blocks are those of
// exercise
// {transformer.1}, and each head has a key/value cache, exercise {language_model.1}.
class Generator {
  public:
    Generator(const Weights& weights, const Sizes& sizes)
        : weights_(weights), sizes_(sizes), caches_(sizes.layers * sizes.heads) {}

    // The logits [V] of the token after this one and all before it.
    Tensor next(int id) {
        const Tensor& table = weights_.at("embedding.weight");
        Tensor x = part_one_hot_lookup::my_lookup(table, Indices({id}, {1})) +
                   part_one_hot_lookup::my_lookup(weights_.at("positions.table"),
                                                  Indices({position_++}, {1}));
        for (int64_t n = 0; n < sizes_.layers; ++n) {
            const std::string layer = fmt::format("decoder.layers.{}.", n);
            // The norms of the exercise have no weights, so the sublayers apply them.
            x = part_block::my_pre_norm(
                [&](const Tensor& y) {
                    return attention(y * weight(layer + "attention_norm"), layer + "attention", n);
                },
                [&](const Tensor& y) {
                    return feed_forward(y * weight(layer + "feed_forward_norm"),
                                        layer + "feed_forward");
                },
                x);
        }
        return select(matmul(layer_norm(x) * weight("decoder.norm"), transpose(table)), 0, 0);
    }

  private:
    const Tensor& weight(const std::string& name) const { return weights_.at(name + ".weight"); }
    Tensor attention(const Tensor& y, const std::string& name, int64_t layer) {
        const int64_t width = y.size(1) / sizes_.heads;
        std::vector<Tensor> contexts;
        for (int64_t h = 0; h < sizes_.heads; ++h) {
            const auto of_head = [&](const char* which) {  // [D, D / H]
                return transpose(slice(weight(name + which), 0, h * width, (h + 1) * width));
            };
            contexts.push_back(
                part_cache::my_step({of_head(".query"), of_head(".key"), of_head(".value")},
                                    caches_[layer * sizes_.heads + h], y));
        }
        return matmul(concat(contexts, 1), transpose(weight(name + ".output")));
    }
    Tensor feed_forward(const Tensor& y, const std::string& name) const {
        return matmul(gelu(matmul(y, transpose(weight(name + ".hidden")))),
                      transpose(weight(name + ".output")));
    }

    const Weights& weights_;
    Sizes sizes_;
    std::vector<part_cache::Cache> caches_;  // of every head of every layer
    int position_ = 0;
};

}  // namespace heed::mine
