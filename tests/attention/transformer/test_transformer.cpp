// The Transformer: parameter counts as published, the cache, causality, initialisers, errors.
#include "attention/decoding/beam.h"
#include "attention/scores/mask.h"
#include "attention/transformer/transformer.h"
#include "nn/layers/losses.h"
#include "nn/module/hooks.h"
#include "nn/optim/optimisers.h"
#include "tests/attention/float64.h"
#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

Transformer make_transformer(TransformerOptions stack = {.width = 8, .heads = 2, .layers = 2},
                             bool shared = false) {
    Rng rng(1);
    Transformer model({.source_vocabulary = 7,
                       .target_vocabulary = 7,
                       .stack = stack,
                       .tied_output = shared,
                       .shared_embedding = shared},
                      rng);
    to_dtype(model, f64);
    return model;
}

const Indices source({3, 4, 5, 6, 3, 0}, {2, 3}), lengths{3, 2};
const Indices target({1, 3, 4, 1, 5, 6}, {2, 3});

int64_t millions(int64_t count) { return (count + 500'000) / 1'000'000; }

}  // namespace

TEST_CASE("parameters are counted without making the model", "[attention]") {
    Rng rng(1);
    for (bool bias : {false, true})
        for (bool pre : {false, true})
            for (bool tied : {false, true})
                for (PositionKind kind : position_kinds()) {
                    TransformerModelOptions o{.source_vocabulary = 7,
                                              .target_vocabulary = tied ? 7 : 9,
                                              .stack = {.width = 8,
                                                        .heads = 2,
                                                        .layers = 3,
                                                        .hidden = tied ? 0 : 5,
                                                        .pre_norm = pre,
                                                        .bias = bias,
                                                        .positions = {.kind = kind}},
                                              .tied_output = tied,
                                              .shared_embedding = tied};
                    INFO(bias << pre << tied << name_of(kind));
                    CHECK(parameter_count(o) == parameter_count(Transformer(o, rng)));
                    CHECK(encoder_parameter_count(o.stack) ==
                          parameter_count(TransformerEncoder(o.stack, rng)));
                    CHECK(decoder_parameter_count(o.stack) ==
                          parameter_count(TransformerDecoder(o.stack, rng)));
                }
}

TEST_CASE("parameters of norms, gates and grouped queries are counted", "[attention]") {
    Rng rng(1);
    for (bool bias : {false, true})
        for (bool gated : {false, true})
            for (NormKind norm : {NormKind::layer, NormKind::rms})
                for (int64_t groups : {0, 1, 2, 4}) {
                    const TransformerOptions o{.width = 8,
                                               .heads = 4,
                                               .key_value_heads = groups,
                                               .layers = 2,
                                               .hidden = 5,
                                               .pre_norm = true,
                                               .norm = norm,
                                               .gated = gated,
                                               .bias = bias};
                    INFO(bias << gated << (norm == NormKind::rms) << groups);
                    CHECK(encoder_parameter_count(o) ==
                          parameter_count(TransformerEncoder(o, rng)));
                    CHECK(decoder_parameter_count(o) ==
                          parameter_count(TransformerDecoder(o, rng)));
                }
}

TEST_CASE("a gated feed-forward network is its formula", "[attention]") {
    Rng rng(3);
    const Tensor x = normal({2, 3, 4}, 0, 1, rng, Dtype::float64);
    for (Activation activation : {Activation::silu, Activation::gelu, Activation::relu}) {
        FeedForward network({.width = 4, .hidden = 6, .activation = activation, .gated = true},
                            rng);
        to_dtype(network, Dtype::float64);
        const auto dense = [&](const Linear& l, const Tensor& input) {
            return matmul(input, transpose(l.weight)) + l.bias;
        };
        const Tensor g = dense(network.gate, x);
        const Tensor open = activation == Activation::silu   ? g * sigmoid(g)
                            : activation == Activation::gelu ? gelu(g)
                                                             : relu(g);
        const Tensor units = open * dense(network.hidden, x);
        CHECK(largest_difference(network(x), dense(network.output, units)) < 1e-12);
        const auto [y, values] = run_and_read(network, x, {"units"});
        CHECK(largest_difference(values.at("units"), units) < 1e-12);
    }
}

TEST_CASE("the norm of a stack is a layer norm or an RMS norm", "[attention]") {
    Rng rng(4);
    TransformerOptions o{.width = 4, .heads = 2, .layers = 1, .pre_norm = true};
    const Tensor x = normal({2, 3, 4}, 0, 1, rng, Dtype::float64);
    const Tensor centred = x - mean(x, -1, true);
    for (double eps : {0.0, 0.01}) {
        o.norm_eps = eps;
        o.norm = NormKind::layer;
        TransformerEncoder with_mean(o, rng);
        o.norm = NormKind::rms;
        TransformerEncoder without_mean(o, rng);
        to_dtype(with_mean, Dtype::float64);
        to_dtype(without_mean, Dtype::float64);
        const auto over = [&](const Tensor& z, double e) {
            return z / sqrt(mean(z * z, -1, true) + e);
        };
        CHECK(largest_difference(with_mean.norm(x), over(centred, eps > 0 ? eps : 1e-5)) < 1e-12);
        CHECK(largest_difference(without_mean.norm(x), over(x, eps)) < 1e-12);
        CHECK_FALSE(without_mean.norm.bias.defined());
        CHECK(without_mean.layers[0].attention_residual.norm.kind == NormKind::rms);
    }
}

TEST_CASE("published models have their number of parameters", "[attention]") {
    // BERT base (Devlin et al. 2019): three embeddings and a norm before the stack, a pooling layer after.
    const int64_t d = 768;
    const int64_t bert = encoder_parameter_count({.width = d, .heads = 12, .layers = 12});
    CHECK((30522 + 512 + 2) * d + 2 * d + bert + (d * d + d) == 109'482'240);

    // ViT-B/16 (Dosovitskiy et al. 2021): patches 16 x 16 x 3, a class token, 196 + 1 positions.
    const int64_t vit =
        encoder_parameter_count({.width = d, .heads = 12, .layers = 12, .pre_norm = true});
    CHECK((16 * 16 * 3 * d + d) + d + 197 * d + vit + (1000 * d + 1000) == 86'567'656);

    // Vaswani et al. 2017, table 3, in millions. The size of the vocabulary is known only as "about
    // 37000"; rows that differ in depth or in the network differ by as much without it.
    const auto paper = [](int64_t layers, int64_t hidden, int64_t width = 512, int64_t heads = 8) {
        return parameter_count(TransformerModelOptions{
            .source_vocabulary = 37000,
            .target_vocabulary = 37000,
            .stack = {.width = width, .heads = heads, .layers = layers, .hidden = hidden},
            .tied_output = true,
            .shared_embedding = true});
    };
    const int64_t base = paper(6, 2048);
    const auto differs = [&](int64_t count, int64_t published) {
        return std::abs(millions(count - base) - (published - 65)) <= 1;
    };
    CHECK(differs(paper(2, 2048), 36));
    CHECK(differs(paper(4, 2048), 50));
    CHECK(differs(paper(8, 2048), 80));
    CHECK(differs(paper(6, 1024), 53));
    CHECK(differs(paper(6, 4096), 90));
    CHECK(std::abs(paper(6, 4096, 1024, 16) - 213'000'000) < 2'000'000);
}

TEST_CASE("the Transformer is initialised as in its authors' code", "[attention]") {
    Rng rng(1);
    const Transformer model({.source_vocabulary = 50,
                             .target_vocabulary = 60,
                             .stack = {.width = 64, .heads = 4, .layers = 1}},
                            rng);
    const auto deviation = [](const Tensor& x) { return std::sqrt(var(x).item()); };
    CHECK(std::abs(deviation(model.target_embedding.weight) - 1 / 8.0) < 0.01);
    const TransformerEncoderLayer& layer = model.encoder.layers[0];
    CHECK(max(abs(layer.attention.multi_head.query.weight)).item() <= std::sqrt(6.0 / 128));
    CHECK(max(abs(layer.feed_forward.hidden.weight)).item() <= std::sqrt(6.0 / 320));
    CHECK(std::abs(deviation(layer.feed_forward.hidden.weight) - std::sqrt(2.0 / 320)) < 0.005);
    CHECK(max(abs(layer.feed_forward.hidden.bias)).item() == 0);
    CHECK(min(layer.attention_residual.norm.weight).item() == 1);
    CHECK(model.head.weight.body() == model.target_embedding.weight.body());
}

TEST_CASE("the target's future and the source's padding change nothing", "[laws][attention]") {
    for (bool pre : {false, true}) {
        const Transformer model =
            make_transformer({.width = 8, .heads = 2, .layers = 2, .pre_norm = pre});
        const Tensor logits = model(source, lengths, target).logits;  // [2, 3, 7]
        const Indices other_end({1, 3, 6, 1, 5, 3}, {2, 3});
        const Tensor changed = model(source, lengths, other_end).logits;
        CHECK(largest_difference(slice(logits, 1, 0, 2), slice(changed, 1, 0, 2)) == 0);
        CHECK(largest_difference(slice(logits, 1, 2, 3), slice(changed, 1, 2, 3)) > 1e-3);

        const Indices other_padding({3, 4, 5, 6, 3, 4}, {2, 3});
        CHECK(largest_difference(model(other_padding, lengths, target).logits, logits) < 1e-12);
        CHECK(largest_difference(model(other_padding, {}, target).logits, logits) > 1e-3);
        const Indices alone({6, 3}, {1, 2}), its_target({1, 5, 6}, {1, 3});
        CHECK(largest_difference(model(alone, {}, its_target).logits, slice(logits, 0, 1, 2)) <
              1e-12);
    }
}

TEST_CASE("every parameter of the Transformer receives gradient", "[laws][attention]") {
    for (PositionKind kind : position_kinds()) {
        INFO(name_of(kind));
        const Transformer model =
            make_transformer({.width = 8,
                              .heads = 2,
                              .layers = 2,
                              .positions = {.kind = kind, .max_positions = 3, .max_distance = 1}});
        backward(weighed(model(source, lengths, target).logits));
        for (const Parameter& p : parameters(model)) {
            INFO(p.name);
            REQUIRE(p.tensor.grad().defined());
            // A bias of the keys shifts all scores of a query alike.
            if (p.name.find("key.bias") == std::string::npos)
                CHECK(max(abs(p.tensor.grad())).item() > 1e-8);
        }
    }
}

TEST_CASE("decoding with a cache gives the probabilities of the whole model", "[attention]") {
    for (PositionKind kind : position_kinds())
        for (bool pre : {false, true}) {
            INFO(name_of(kind) << pre);
            const Transformer model = make_transformer({.width = 8,
                                                        .heads = 2,
                                                        .layers = 2,
                                                        .pre_norm = pre,
                                                        .positions = {.kind = kind}});
            const Seq2SeqOutput whole = model(source, lengths, target, Mode::evaluation(), true);
            const Tensor logs = log_softmax(whole.logits);
            Decodable decodable = model.decodable(source, lengths, true);
            for (int t = 0; t < 3; ++t) {
                const DecodingStep step =
                    decodable.step(Indices{target.at({0, t}), target.at({1, t})});
                CHECK(largest_difference(step.log_probabilities, select(logs, 1, t)) < 1e-12);
                CHECK(largest_difference(step.weights, select(whole.weights, 1, t)) < 1e-12);
            }
        }
}

TEST_CASE("a small Transformer learns to reverse, and decodes what it learnt", "[attention]") {
    Rng rng(3);
    Transformer model({.source_vocabulary = 8,
                       .target_vocabulary = 8,
                       .stack = {.width = 32, .heads = 4, .layers = 1, .pre_norm = true},
                       .shared_embedding = true},
                      rng);
    Adam optimiser(parameters(model), {.lr = 3e-3});
    const auto batch = [](Rng& r, int rows, std::vector<int>& in, std::vector<int>& fed,
                          std::vector<int>& out) {
        for (int row = 0; row < rows; ++row) {
            std::vector<int> word(4);
            for (int& token : word) token = 3 + static_cast<int>(r.below(5));
            in.insert(in.end(), word.begin(), word.end());
            fed.push_back(1);
            fed.insert(fed.end(), word.rbegin(), word.rend());
            out.insert(out.end(), word.rbegin(), word.rend());
            out.push_back(2);
        }
    };
    for (int step = 0; step < 300; ++step) {
        std::vector<int> in, fed, out;
        batch(rng, 32, in, fed, out);
        optimiser.zero_grad();
        backward(sequence_cross_entropy(
            model(Indices(in, {32, 4}), {}, Indices(fed, {32, 5}), Mode::training(rng)).logits,
            Indices(out, {32, 5}), 0));
        optimiser.step();
    }
    Rng fresh(99);
    std::vector<int> in, fed, out;
    batch(fresh, 20, in, fed, out);
    const Decodable decodable = model.decodable(Indices(in, {20, 4}));
    const std::vector<Hypothesis> best = greedy_decode(decodable);
    const auto beams = beam_search_n_best(decodable, {.beam = 3});
    int right = 0;
    for (int row = 0; row < 20; ++row) {
        const std::vector<int> word(in.rend() - 4 * (row + 1), in.rend() - 4 * row);
        right += best[row].tokens == word;
        CHECK(beams[row][0].log_probability >= best[row].log_probability - 1e-4);
    }
    CHECK(right >= 18);
}

TEST_CASE("dropout is in training only", "[attention]") {
    const Transformer model =
        make_transformer({.width = 8, .heads = 2, .layers = 1, .dropout = 0.2});
    Rng rng(1);
    const auto logits = [&](Mode mode) { return model(source, lengths, target, mode).logits; };
    const Tensor still = logits(Mode::evaluation());
    CHECK(largest_difference(still, logits(Mode::evaluation())) == 0);
    CHECK(largest_difference(still, logits(Mode::training(rng))) > 1e-3);
    CHECK_THROWS_WITH(model(source, lengths, target),
                      ContainsSubstring("Dropout: training or evaluation?"));
    CHECK_NOTHROW(greedy_decode(model.decodable(source, lengths)));
}

TEST_CASE("the Transformer refuses what does not fit", "[attention][errors]") {
    Rng rng(1);
    CHECK_THROWS_WITH(Transformer({.source_vocabulary = 5}, rng),
                      ContainsSubstring("target_vocabulary is 0"));
    CHECK_THROWS_WITH(
        Transformer({.source_vocabulary = 5, .target_vocabulary = 6, .shared_embedding = true},
                    rng),
        ContainsSubstring("needs one vocabulary, got 5 and 6"));
    CHECK_THROWS_WITH(make_transformer({.width = 6, .heads = 4}),
                      ContainsSubstring("width of 6 cannot be divided among 4 heads"));
    const Transformer model = make_transformer();
    CHECK_THROWS_WITH(model(source, lengths, Indices({1, 2}, {1, 2})),
                      ContainsSubstring("B is 2 in source [2, 3] and 1 in target_in [1, 2]"));
    CHECK_THROWS_WITH(model(source, Indices{3}, target),
                      ContainsSubstring("B is 2 in source [2, 3] and 1 in lengths [1]"));
    const Tensor x = numbers({2, 3, 8}), memory = numbers({3, 4, 8});
    CHECK_THROWS_WITH(model.decoder(x, memory, {}),
                      ContainsSubstring("B is 2 in x [2, 3, 8] and 3 in memory [3, 4, 8]"));
    CHECK_THROWS_WITH(model.decoder.layers[0](x, memory),
                      ContainsSubstring("B is 2 in x [2, 3, 8] and 3 in memory [3, 4, 8]"));
    CHECK_THROWS_WITH(model.decoder(x, KeyValueCache(1), {}),
                      ContainsSubstring("a memory prepared for 1 layers, expected 2"));
    CHECK_THROWS_WITH(model.encoder(numbers({2, 3, 6})), ContainsSubstring("[2, 3, 6]"));
    CHECK_THROWS_WITH(
        model.encoder(x, {.mask = ones({2, 3, 4}, f64)}),
        ContainsSubstring("mask [2, 3, 4] does not broadcast to the scores [2, 3, 3] of each"));
}

TEST_CASE("a stack gives the weights of every layer, if wanted", "[attention]") {
    const Transformer model = make_transformer();
    const Tensor x = numbers({2, 5, 8});
    const Indices five{5, 3};
    std::vector<Tensor> weights;
    const Tensor y = model.encoder(x, {.mask = padding_mask(five, 5, f64), .weights = &weights});
    CHECK(weights.size() == 2);
    CHECK(weights[1].shape() == Shape{2, 2, 5, 5});
    CHECK(largest_difference(y, model.encoder(x, {.mask = padding_mask(five, 5, f64)})) < 1e-12);
}

TEST_CASE("without residual connections, layers return the output of their sublayers",
          "[attention]") {
    Rng rng(1);
    for (bool pre : {false, true}) {
        TransformerEncoderLayer layer({.width = 8, .heads = 2, .pre_norm = pre, .residual = false},
                                      rng);
        to_dtype(layer, f64);
        const Tensor x = numbers({2, 3, 8});
        const LayerNorm &first = layer.attention_residual.norm,
                        &second = layer.feed_forward_residual.norm;
        const Tensor y = pre ? layer.attention(first(x)) : first(layer.attention(x));
        const Tensor z = pre ? layer.feed_forward(second(y)) : second(layer.feed_forward(y));
        CHECK(largest_difference(layer(x), z) < 1e-12);
    }
}
