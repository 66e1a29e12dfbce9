// Whole training steps (forward, backward, clipping, optimiser), forward passes of published sizes,
// and decoding with a cache.
#include <fmt/format.h>

#include "attention/attention.h"
#include "autograd/autograd.h"
#include "bench/workload.h"
#include "nn/nn.h"

namespace heed::bench {
namespace {

Indices draw_ids(int64_t rows, int64_t columns, int64_t vocabulary, Rng& rng) {
    std::vector<int> ids(rows * columns);
    for (int& id : ids) id = static_cast<int>(rng.below(vocabulary));
    return Indices(ids, {rows, columns});
}

// Tokens as a tensor, for the file.
Tensor as_numbers(const Indices& ids) {
    return reshape(tensor(std::vector<double>(ids.begin(), ids.end())), {ids.size(0), ids.size(1)});
}

// Copies of the parameters, because training changes them.
template <class Model>
std::vector<Parameter> copies(const Model& model) {
    std::vector<Parameter> all = parameters(model);
    for (Parameter& p : all) p.tensor = clone(p.tensor);
    return all;
}

// The training step of all models. `loss` is the forward pass.
template <class Rule, class Model, class Options>
Prepared train_prepared(const Model& model, const Options& options, std::vector<Parameter> inputs,
                        std::function<Tensor()> loss) {
    auto optimiser = std::make_shared<Rule>(parameters(model), options);
    const std::vector<Parameter> before = copies(model);
    std::vector<Parameter> tensors = before;
    tensors.insert(tensors.end(), inputs.begin(), inputs.end());
    const auto step = [=] {
        backward(loss());
        optimiser->step_clipped(1);
        optimiser->zero_grad();
    };
    const auto results = [=] {
        const Tensor first = loss();
        backward(first);
        std::vector<Parameter> all{{"loss", detach(first)}};
        for (const auto& [name, parameter] : parameters(model))
            all.push_back({"gradient of " + name, clone(parameter.grad())});
        optimiser->zero_grad();
        for (int i = 0; i < 3; ++i) step();
        const std::vector<Parameter> after = parameters(model);
        for (std::size_t i = 0; i < after.size(); ++i)
            all.push_back({"change of " + after[i].name,
                           detach(after[i].tensor) - detach(before[i].tensor)});
        return all;
    };
    return {tensors, results, step};
}

struct Mlp {
    Linear hidden, output;
    template <class F>
    void visit(F&& f) {
        f("hidden", hidden);
        f("output", output);
    }
};

Workload mlp() {
    constexpr int64_t batch = 64, width = 64;
    return {
        .name = "mlp", .kind = "mlp", .sizes = {}, .to_reach = 5, .compare_memory = true, .prepare = [] {
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

LanguageModel make_gpt(const GptSizes& s, Rng& rng) {
    return LanguageModel(
        {.vocabulary = s.vocabulary,
         .stack = gpt(
             {.width = s.width, .heads = s.heads, .layers = s.layers, .max_positions = s.context})},
        rng);
}

// Per step: 2 for each weight and token forward, twice that backward; for attention, two products
// forward and four backward, half of each masked.
double gpt_flops(const GptSizes& s) {
    const double tokens = s.batch * s.context;
    const double weights = 12. * s.layers * s.width * s.width + s.vocabulary * s.width;
    return 6 * tokens * weights + 6 * tokens * s.layers * s.context * s.width;
}

Workload gpt_training(const std::string& name, const GptSizes& s, double to_reach) {
    return {.name = name,
            .kind = "gpt",
            .sizes = {{"layers", s.layers}, {"heads", s.heads}},
            .flops = gpt_flops(s),
            .to_reach = to_reach,
            .compare_memory = true,
            .prepare = [=] {
                Rng rng(1);
                const LanguageModel model = make_gpt(s, rng);
                const Indices in = draw_ids(s.batch, s.context, s.vocabulary, rng),
                              out = draw_ids(s.batch, s.context, s.vocabulary, rng);
                const AdamWOptions rule{
                    .lr = 1e-3, .beta2 = 0.99, .weight_decay = 0.1, .decays = has_two_axes};
                return train_prepared<AdamW>(
                    model, rule, {{"in", as_numbers(in)}, {"out", as_numbers(out)}},
                    [=] { return sequence_cross_entropy(model(in), out, -1); });
            }};
}

// A forward pass of a model that is used and not trained. `output` is its result.
Prepared forward_prepared(std::vector<Parameter> tensors, std::function<Tensor()> output) {
    const auto forward = [=] {
        const NoGrad no_grad;
        return output();
    };
    return {tensors, [=] { return std::vector<Parameter>{{"output", forward()}}; },
            [=] { forward(); }};
}

// GPT-2 small (Radford et al. 2019) with random weights reads one text of 1,024 tokens and gives the
// logits of all of them.
Workload gpt2_small() {
    static constexpr GptSizes s{12, 12, 768, 1024, 1, 50257};
    return {.name = "gpt2_small_forward",
            .kind = "gpt_forward",
            .sizes = {{"layers", s.layers}, {"heads", s.heads}},
            .unit = "text",
            .flops = gpt_flops(s) / 3,
            .to_reach = 1,
            .compare_memory = true,
            .prepare = [] {
                Rng rng(1);
                const LanguageModel model = make_gpt(s, rng);
                const Indices in = draw_ids(s.batch, s.context, s.vocabulary, rng);
                std::vector<Parameter> tensors = parameters(model);
                tensors.push_back({"in", as_numbers(in)});
                return forward_prepared(tensors, [=] { return model(in); });
            }};
}

// BERT base (Devlin et al. 2019) with random weights reads one text of 512 tokens.
Workload bert_base_forward() {
    const int64_t tokens = 512;
    const BertOptions options = bert_base();
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

// Greedy decoding with a key-value cache.
Workload decoding() {
    constexpr int tokens = 200;
    static constexpr GptSizes s{4, 4, 128, 256, 1, 65};
    return {.name = "decoding",
            .kind = "decoding",
            .sizes = {{"layers", s.layers}, {"heads", s.heads}, {"tokens", tokens}},
            .unit = "token",
            .units = tokens,
            .to_reach = 3,
            .prepare = [] {
                Rng rng(1);
                const LanguageModel model = make_gpt(s, rng);
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
                return Prepared{copies(model), results, [=] { decode(); }};
            }};
}

}  // namespace

std::vector<Workload> model_workloads() {
    return {mlp(),
            translator("translator_small", 32, 8, 64, 300, 3),
            translator("translator_large", 64, 20, 256, 2000, 1.3),
            gpt_training("gpt_small", {4, 4, 128, 64, 12, 65}, 1.5),
            gpt_training("gpt_large", {6, 6, 384, 256, 16, 65}, 1.1),
            gpt2_small(),
            bert_base_forward(),
            decoding()};
}

}  // namespace heed::bench
