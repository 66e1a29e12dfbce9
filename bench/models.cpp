// Whole training steps (forward, backward, clipping, optimiser), forward passes of published sizes,
// and decoding with a cache.
#include <fmt/format.h>

#include "attention/attention.h"
#include "autograd/autograd.h"
#include "bench/train.h"
#include "bench/workload.h"
#include "nn/nn.h"

namespace heed::bench {

namespace {

struct Mlp {
    Linear hidden, output;
    template <class F>
    void visit(F&& f) {
        f("hidden", hidden);
        f("output", output);
    }
};

Workload mlp(int64_t batch, int64_t width) {
    return {
        .name = "mlp",
        .kind = "mlp",
        .sizes = {},
        .to_reach = 20,
        .compare_memory = true,
        .prepare = [=] {
            Rng rng(1);
            const Mlp model{Linear(2, width, rng), Linear(width, 1, rng)};
            const Tensor x = normal({batch, 2}, 0, 1, rng);
            const Tensor t = bernoulli({batch, 1}, 0.5, rng);
            return train_prepared<Adam>(model, AdamOptions{.lr = 1e-3}, {{"x", x}, {"t", t}}, [=] {
                return binary_cross_entropy_with_logits(model.output(tanh(model.hidden(x))), t);
            });
        }};
}

// A GRU encoder-decoder with additive attention.
Workload translator(const std::string& name, int64_t batch, int64_t length, int64_t width,
                    int64_t vocabulary, double to_reach) {
    return {.name = name,
            .kind = "translator",
            .sizes = {{"width", width}, {"vocabulary", vocabulary}},
            .to_reach = to_reach,
            .compare_memory = true,
            .prepare = [=] {
                Rng rng(1);
                const EncoderDecoder model({.source_vocabulary = vocabulary,
                                            .target_vocabulary = vocabulary,
                                            .embedding = width,
                                            .hidden = width},
                                           rng);
                const Indices source = draw_ids(batch, length, vocabulary, rng),
                              in = draw_ids(batch, length, vocabulary, rng),
                              out = draw_ids(batch, length, vocabulary, rng);
                return train_prepared<Adam>(
                    model, AdamOptions{.lr = 1e-3},
                    {{"source", as_numbers(source)},
                     {"target_in", as_numbers(in)},
                     {"target_out", as_numbers(out)}},
                    [=] { return sequence_cross_entropy(model(source, {}, in).logits, out, -1); });
            }};
}

struct GptSizes {
    int64_t layers, heads, width, context, batch, vocabulary;
};

// What GPT-2 does not have, or not at its lowest loss.
struct GptKind {
    bool rotary = false;
    double dropout = 0;  // of embeddings, attention weights and sublayers
};

LanguageModel make_gpt(const GptSizes& s, Rng& rng, const GptKind& kind = {}) {
    TransformerOptions stack =
        gpt({.width = s.width, .heads = s.heads, .layers = s.layers, .max_positions = s.context});
    if (kind.rotary) stack.positions.kind = PositionKind::rotary;
    stack.dropout = kind.dropout;
    stack.hidden_dropout = 0;
    return LanguageModel({.vocabulary = s.vocabulary, .stack = stack}, rng);
}

// Per step: 2 for each weight and token forward, twice that backward; for attention, two products
// forward and four backward, half of each masked.
double gpt_flops(const GptSizes& s) {
    const double tokens = s.batch * s.context;
    const double weights = 12. * s.layers * s.width * s.width + s.vocabulary * s.width;
    return 6 * tokens * weights + 6 * tokens * s.layers * s.context * s.width;
}

Workload gpt_training(const std::string& name, const GptSizes& s, double to_reach,
                      const GptKind& kind = {}) {
    return {.name = name,
            .kind = "gpt",
            .sizes = {{"layers", s.layers},
                      {"heads", s.heads},
                      {"rotary", kind.rotary},
                      {"dropout_percent", static_cast<int64_t>(100 * kind.dropout)}},
            .flops = gpt_flops(s),
            .to_reach = to_reach,
            .compare_memory = true,
            .prepare = [=] {
                Rng rng(1);
                const LanguageModel model = make_gpt(s, rng, kind);
                const Indices in = draw_ids(s.batch, s.context, s.vocabulary, rng),
                              out = draw_ids(s.batch, s.context, s.vocabulary, rng);
                const AdamWOptions rule{
                    .lr = 1e-3, .beta2 = 0.99, .weight_decay = 0.1, .decays = has_two_axes};
                const auto loss = [=](const Mode& mode) {
                    return sequence_cross_entropy(model(in, mode), out, -1);
                };
                const auto drops = std::make_shared<Rng>(2);
                return train_prepared<AdamW>(
                    model, rule, {{"in", as_numbers(in)}, {"out", as_numbers(out)}},
                    [=] { return loss(Mode::training(*drops)); },
                    [=] { return loss(Mode::evaluation()); });
            }};
}

// A forward pass of a model that is used and not trained. `output` is its result.
Prepared forward_prepared(std::vector<Parameter> tensors, std::function<Tensor()> output) {
    const auto forward = [=] {
        const NoGrad no_grad;
        return output();
    };
    return {tensors,
            [=] {
                return std::vector<Parameter>{{"output", forward()}};
            },
            [=] { forward(); }};
}

// GPT-2 small (Radford et al. 2019) with random weights reads one text of 1,024 tokens and gives the
// logits of all of them.
Workload gpt2_small(const GptSizes& s) {
    return {.name = "gpt2_small_forward",
            .kind = "gpt_forward",
            .sizes = {{"layers", s.layers}, {"heads", s.heads}},
            .unit = "text",
            .flops = gpt_flops(s) / 3,
            .to_reach = 1,
            .compare_memory = true,
            .prepare = [=] {
                Rng rng(1);
                const LanguageModel model = make_gpt(s, rng);
                const Indices in = draw_ids(s.batch, s.context, s.vocabulary, rng);
                std::vector<Parameter> tensors = parameters(model);
                tensors.push_back({"in", as_numbers(in)});
                return forward_prepared(tensors, [=] { return model(in); });
            }};
}

// BERT base (Devlin et al. 2019) with random weights reads one text of 512 tokens.
Workload bert_base_forward(const BertOptions& options, int64_t tokens) {
    const TransformerOptions& stack = options.stack;
    const double weights = 12. * stack.layers * stack.width * stack.width;
    return {.name = "bert_base_forward",
            .kind = "bert_forward",
            .sizes = {{"layers", stack.layers}, {"heads", stack.heads}},
            .unit = "text",
            .flops = 2 * tokens * weights + 4. * tokens * tokens * stack.layers * stack.width,
            .to_reach = 1,
            .compare_memory = true,
            .prepare = [=] {
                Rng rng(1);
                const Bert model(options, rng);
                const Indices ids = draw_ids(1, tokens, options.vocabulary, rng);
                std::vector<Parameter> tensors = parameters(model);
                tensors.push_back({"ids", as_numbers(ids)});
                return forward_prepared(tensors, [=] {
                    const BertOutput y = model(ids, {.mode = Mode::evaluation()});
                    return concat({reshape(y.output, {-1}), reshape(y.pooled, {-1})}, 0);
                });
            }};
}

// Greedy decoding with a key-value cache. With 8 or 4 bits the weights are quantised; the twin decodes
// with floats that have been rounded to the same numbers.
Workload decoding(const GptSizes& s, int tokens, const char* name = "decoding", int bits = 32) {
    return {
        .name = name,
        .kind = "decoding",
        .sizes = {{"layers", s.layers}, {"heads", s.heads}, {"tokens", tokens}},
        .unit = "token",
        .units = static_cast<double>(tokens),
        .to_reach = bits == 32 && s.width < 768 ? 4. : 0.,
        .prepare = [=] {
            Rng rng(1);
            LanguageModel model = make_gpt(s, rng);
            if (bits < 32)
                for_each_layer<Linear>(model, [&](const std::string&, Linear& layer) {
                    if (!layer.defined()) return;  // a feed-forward network without a gate
                    layer.weight.assign(
                        dequantise(quantise(layer.weight, block_format({.bits = bits}))));
                });
            const std::vector<Parameter> tensors = copies(model);
            if (bits < 32) quantise(model, {.bits = bits});
            const auto decode = [=] {
                return greedy_decode(model.decodable(Indices({0}, {1, 1})),
                                     {.start = 0, .end = -1, .max_length = tokens})[0];
            };
            const auto results = [=] {
                const Hypothesis best = decode();
                return std::vector<Parameter>{
                    {"tokens", tensor(std::vector<double>(best.tokens.begin(), best.tokens.end()))},
                    {"log-probability", tensor({best.log_probability})}};
            };
            return Prepared{tensors, results, [=] { decode(); }};
        }};
}

}  // namespace

std::vector<Workload> model_workloads(Scale scale) {
    if (scale == Scale::tiny) {
        const GptSizes gpt{2, 2, 8, 6, 2, 11};
        BertOptions bert = bert_base();
        bert.vocabulary = 11;
        bert.stack.width = 8;
        bert.stack.heads = 2;
        bert.stack.layers = 2;
        bert.stack.hidden = 32;
        return {mlp(3, 4),
                translator("translator_small", 2, 3, 4, 11, 0),
                translator("translator_large", 3, 4, 8, 13, 0),
                gpt_training("gpt_small", gpt, 0),
                gpt_training("gpt_large", {1, 2, 16, 70, 1, 7}, 0),
                gpt_training("gpt_large_rotary_dropout", gpt, 0, {true, 0.1}),
                gpt2_small(gpt),
                bert_base_forward(bert, 7),
                decoding(gpt, 5),
                decoding({2, 2, 32, 6, 1, 11}, 5, "decoding_large"),
                decoding({2, 2, 32, 6, 1, 11}, 5, "decoding_large_8_bits", 8),
                decoding({2, 2, 32, 6, 1, 11}, 5, "decoding_large_4_bits", 4)};
    }
    const GptSizes large{12, 12, 768, 64, 1, 65};  // 340 MB of weights, more than a cache
    return {mlp(64, 64),
            translator("translator_small", 32, 8, 64, 300, 4),
            translator("translator_large", 64, 20, 256, 2000, 1.5),
            gpt_training("gpt_small", {4, 4, 128, 64, 12, 65}, 1.7),
            gpt_training("gpt_large", {6, 6, 384, 256, 16, 65}, 1.3),
            gpt_training("gpt_large_rotary_dropout", {6, 6, 384, 256, 16, 65}, 1.3, {true, 0.1}),
            gpt2_small({12, 12, 768, 1024, 1, 50257}),
            bert_base_forward(bert_base(), 512),
            decoding({4, 4, 128, 256, 1, 65}, 200),
            decoding(large, 20, "decoding_large"),
            decoding(large, 20, "decoding_large_8_bits", 8),
            decoding(large, 20, "decoding_large_4_bits", 4)};
}

}  // namespace heed::bench
