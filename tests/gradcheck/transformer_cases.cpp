// The layers of the Transformer, and whole models with all their parameters.
#include "attention/scores/mask.h"
#include "attention/transformer/bert.h"
#include "attention/transformer/language_model.h"
#include "attention/transformer/set_transformer.h"
#include "attention/transformer/transformer.h"
#include "tests/gradcheck/modules.h"
#include "tests/gradcheck/transformer_shapes.h"

namespace heed {
namespace {

using Xs = std::vector<Tensor>;

// Of two sequences of three tokens the second is one shorter.
Tensor padding(const Tensor& x) { return padding_mask({3, 2}, 3, x.dtype()); }

std::vector<Case> block_layers() {
    Rng rng(37);
    std::vector<Case> cases;
    TransformerOptions small{.width = 2, .heads = 1, .hidden = 3};
    const std::pair<Activation, const char*> activations[] = {
        {Activation::relu, "FeedForward relu"},
        {Activation::gelu, "FeedForward gelu"},
        {Activation::gelu_tanh, "FeedForward tanh"},
        {Activation::silu, "FeedForward silu"}};
    for (const auto& [activation, name] : activations) {
        small.activation = activation;
        cases.push_back(with_parameters(name, FeedForward(small, rng), {sample({2, 3, 2})},
                                        [](const FeedForward& f, const Xs& x) { return f(x[0]); }));
    }
    small.gated = true;
    for (Activation activation : {Activation::silu, Activation::gelu}) {
        small.activation = activation;
        cases.push_back(with_parameters(
            activation == Activation::silu ? "FeedForward SwiGLU" : "FeedForward GEGLU",
            FeedForward(small, rng), {sample({2, 3, 2})},
            [](const FeedForward& f, const Xs& x) { return f(x[0]); }));
    }
    small.gated = false;
    small.experts = 3;
    for (const int64_t k : {1, 2, 3}) {
        small.experts_for_each_token = k;
        small.renormalise_experts = k > 1;
        cases.push_back(with_parameters(fmt::format("FeedForward {} of 3 experts", k),
                                        FeedForward(small, rng), {sample({2, 6, 2})},
                                        [](const FeedForward& f, const Xs& x) { return f(x[0]); }));
    }
    small.experts = 0;
    const Tensor scores = sample({2, 5, 3});
    for (bool renormalise : {false, true})
        cases.push_back({renormalise ? "expert_weights renormalised" : "expert_weights",
                         [=](const Xs& x) {
                             return expert_weights(x[0], chosen_experts(x[0], 2), renormalise);
                         },
                         {scores}});
    cases.push_back({"mix_experts",
                     [](const Xs& x) {
                         return mix_experts(
                             x[0], chosen_experts(x[1], 2), x[1],
                             [&](int64_t e, const Tensor& t) { return sin(t * (e + 1.0)); });
                     },
                     {sample({2, 5, 4}), scores}});
    cases.push_back({"balance_loss", [](const Xs& x) { return balance_loss(x[0], 2); }, {scores}});
    cases.push_back({"balance_loss of several layers",
                     [](const Xs& x) {
                         return balance_loss({x[0], x[1]}, 2);
                     },
                     {scores, scores}});
    for (NormKind kind : {NormKind::layer, NormKind::rms})
        cases.push_back(with_parameters(
            kind == NormKind::layer ? "TransformerNorm layer" : "TransformerNorm rms",
            scattered(TransformerNorm({.width = 4, .norm = kind, .norm_eps = 1e-3})),
            {sample({2, 3, 4})},
            [](const TransformerNorm& norm, const Xs& x) { return norm(x[0]); }));
    for (bool pre : {false, true}) {
        const std::string order = pre ? "pre-norm" : "post-norm";
        TransformerOptions narrow = small;
        narrow.width = 4;
        narrow.pre_norm = pre;
        cases.push_back(with_parameters(
            "ResidualConnection " + order, scattered(ResidualConnection(narrow)),
            {sample({2, 3, 4})}, [](const ResidualConnection& sublayer, const Xs& x) {
                return sublayer(x[0], Mode::evaluation(), [](const Tensor& y) { return y * y; });
            }));
        const TransformerOptions options{.width = 4,
                                         .heads = 2,
                                         .layers = 2,
                                         .hidden = 3,
                                         .pre_norm = pre,
                                         .activation = Activation::gelu};
        const auto add = [&](const Case& one) {
            cases.push_back(one.zero_gradient("key.bias", softmax_cancels));
        };
        add(with_parameters("TransformerEncoderLayer " + order,
                            scattered(TransformerEncoderLayer(options, rng)), {sample({2, 3, 4})},
                            [](const TransformerEncoderLayer& layer, const Xs& x) {
                                return layer(x[0], {.mask = padding(x[0])});
                            }));
        add(with_parameters(
            "TransformerDecoderLayer " + order, scattered(TransformerDecoderLayer(options, rng)),
            {sample({2, 2, 4}), sample({2, 3, 4}, -1, 1, 2)},
            [](const TransformerDecoderLayer& layer, const Xs& x) {
                return layer(x[0], x[1], {.causal = true, .memory_mask = padding(x[0])});
            }));
        add(with_parameters(
            "TransformerEncoder " + order, scattered(TransformerEncoder(options, rng), 2),
            {sample({1, 3, 4})},
            [](const TransformerEncoder& layers, const Xs& x) { return layers(x[0]); }));
        add(with_parameters("TransformerDecoder " + order,
                            scattered(TransformerDecoder(options, rng), pre ? 3 : 1),
                            {sample({1, 2, 4}), sample({1, 3, 4}, -1, 1, 2)},
                            [](const TransformerDecoder& layers, const Xs& x) {
                                return layers(x[0], x[1], {.causal = true});
                            }));
    }
    TransformerOptions dropping{
        .width = 4, .heads = 2, .hidden = 3, .activation = Activation::gelu, .dropout = 0.3};
    cases.push_back(with_parameters("TransformerDecoderLayer dropout",
                                    scattered(TransformerDecoderLayer(dropping, rng)),
                                    {sample({1, 2, 4}), sample({1, 3, 4}, -1, 1, 2)},
                                    [](const TransformerDecoderLayer& layer, const Xs& x) {
                                        Rng same(5);
                                        return layer(x[0], x[1], {.mode = Mode::training(same)});
                                    })
                        .zero_gradient("key.bias", softmax_cancels));
    return cases;
}

std::vector<Case> models() {
    std::vector<Case> cases;
    const Indices source({3, 4, 1, 2, 0, 0}, {2, 3}), lengths{3, 1};
    const Indices target({1, 3, 1, 4}, {2, 2});
    for (const TransformerShape& shape : transformer_shapes())
        cases.push_back(with_parameters("Transformer " + shape.name, shape.model(), {},
                                        [=](const Transformer& model, const Xs&) {
                                            return model(source, lengths, target).logits;
                                        })
                            .zero_gradient("key.bias", softmax_cancels));
    for (PositionKind kind : {PositionKind::learned, PositionKind::rotary}) {
        Rng rng(43);
        TransformerOptions stack = gpt({.width = 4, .heads = 2, .layers = 1, .max_positions = 3});
        stack.positions.kind = kind;
        stack.hidden = 3;
        const Case one =
            with_parameters(fmt::format("LanguageModel {}", name_of(kind)),
                            scattered(LanguageModel({.vocabulary = 5, .stack = stack}, rng)), {},
                            [=](const LanguageModel& m, const Xs&) { return m(source); });
        cases.push_back(
            kind == PositionKind::rotary ? one : one.zero_gradient("key.bias", softmax_cancels));
    }
    Rng rng(43);
    const TransformerOptions stack = llama({.width = 8,
                                            .heads = 4,
                                            .layers = 1,
                                            .key_value_heads = 2,
                                            .hidden = 3,
                                            .rotary_base = 100});
    cases.push_back(with_parameters(
        "LanguageModel llama", scattered(LanguageModel({.vocabulary = 5, .stack = stack}, rng)), {},
        [=](const LanguageModel& m, const Xs&) { return m(source); }));
    const TransformerOptions latent{
        .width = 4,
        .heads = 2,
        .latent = 3,
        .rotary_width = 2,
        .layers = 1,
        .hidden = 3,
        .pre_norm = true,
        .activation = Activation::gelu,
        .attention_dropout = 0.3,
        .positions = {.kind = PositionKind::rotary, .layout = RotaryLayout::halves, .base = 10}};
    cases.push_back(with_parameters(
        "TransformerAttention of latents, dropout", scattered(TransformerAttention(latent, rng)),
        {sample({2, 3, 4})}, [](const TransformerAttention& layer, const Xs& x) {
            Rng same(5);
            return layer(x[0], {.causal = true, .mode = Mode::training(same)});
        }));
    cases.push_back(with_parameters("TransformerDecoderLayer of latents",
                                    scattered(TransformerDecoderLayer(latent, rng)),
                                    {sample({1, 2, 4}), sample({1, 3, 4}, -1, 1, 2)},
                                    [](const TransformerDecoderLayer& layer, const Xs& x) {
                                        return layer(x[0], x[1],
                                                     {.causal = true, .mode = Mode::evaluation()});
                                    })
                        .zero_gradient("cross_attention.key.bias", softmax_cancels));
    TransformerOptions both = stack;
    both.bias = true;
    both.positions = {};
    cases.push_back(with_parameters("TransformerDecoderLayer of the options of Llama, with biases",
                                    scattered(TransformerDecoderLayer(both, rng)),
                                    {sample({1, 2, 8}), sample({1, 3, 8}, -1, 1, 2)},
                                    [](const TransformerDecoderLayer& layer, const Xs& x) {
                                        return layer(x[0], x[1], {.causal = true});
                                    })
                        .zero_gradient("key.bias", softmax_cancels));
    return cases;
}

std::vector<Case> berts() {
    BertOptions options{.vocabulary = 5, .max_positions = 3};
    options.stack.width = 4;
    options.stack.heads = 2;
    options.stack.layers = 1;
    options.stack.hidden = 3;
    const Indices ids({3, 4, 1, 2, 0, 0}, {2, 3}), segments({0, 0, 1, 0, 1, 1}, {2, 3});
    const auto row = [](const std::vector<Tensor>& parts) {
        std::vector<Tensor> flat;
        for (const Tensor& part : parts) flat.push_back(reshape(part, {-1}));
        return concat(flat, 0);
    };
    Rng rng(53);
    const BertForPretraining pretraining({.bert = options}, rng);
    std::vector<Case> cases{
        with_parameters("BertEmbeddings", scattered(BertEmbeddings(options, rng)), {},
                        [=](const BertEmbeddings& e, const Xs&) { return e(ids, segments); }),
        with_parameters("MaskedTokenHead",
                        scattered(MaskedTokenHead(Embedding(5, 4, rng), 1e-12, rng)),
                        {sample({2, 3, 4})},
                        [](const MaskedTokenHead& head, const Xs& x) { return head(x[0]); }),
        with_parameters("Bert", scattered(Bert(options, rng)), {},
                        [=](const Bert& model, const Xs&) {
                            const BertOutput y = model(
                                ids, {.segments = segments, .mask = padding(model.pooler.weight)});
                            return row({y.output, y.pooled});
                        }),
        with_parameters("BertForPretraining", scattered(pretraining), {},
                        [=](const BertForPretraining& model, const Xs&) {
                            const PretrainingOutput y = model(ids, {.segments = segments});
                            return row({y.tokens, y.next_sentence});
                        })};
    for (std::size_t i : {2, 3}) cases[i] = cases[i].zero_gradient("key.bias", softmax_cancels);
    return cases;
}

std::vector<Case> sets() {
    const SetTransformerOptions options{.width = 4,
                                        .heads = 2,
                                        .hidden = 3,
                                        .inducing_points = 2,
                                        .seeds = 2,
                                        .activation = Activation::gelu};
    const Tensor items = sample({2, 3, 4});
    const auto of = [=](const auto& block, const Xs& x) { return block(x[0], padding(x[0])); };
    Rng rng(47);
    return {
        with_parameters("MultiHeadAttentionBlock", scattered(MultiHeadAttentionBlock(options, rng)),
                        {sample({2, 2, 4}), sample({2, 3, 4}, -1, 1, 2)},
                        [=](const MultiHeadAttentionBlock& block, const Xs& x) {
                            return block(x[0], x[1], padding(x[0]));
                        })
            .zero_gradient("key.bias", softmax_cancels),
        with_parameters("SetAttentionBlock", scattered(SetAttentionBlock(options, rng)), {items},
                        of)
            .zero_gradient("key.bias", softmax_cancels),
        with_parameters("InducedSetAttentionBlock",
                        scattered(InducedSetAttentionBlock(options, rng)), {items}, of)
            .zero_gradient("key.bias", softmax_cancels),
        with_parameters("AttentionPoolingBlock", scattered(AttentionPoolingBlock(options, rng)),
                        {items}, of)
            .zero_gradient("key.bias", softmax_cancels)};
}

const bool added_transformer =
    add_cases(block_layers) && add_cases(models) && add_cases(berts) && add_cases(sets);

}  // namespace
}  // namespace heed
