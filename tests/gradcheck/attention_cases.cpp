// Every attention mechanism, and whole encoder-decoder models with all their parameters.
#include "attention/attention.h"
#include "tests/gradcheck/modules.h"

namespace heed {
namespace {

using Xs = std::vector<Tensor>;

// The second of two batches has two keys less. In the dtype of x.
Tensor padding(const Tensor& x, int64_t keys) {
    return padding_mask({static_cast<int>(keys), static_cast<int>(keys) - 2}, keys, x.dtype());
}

// Its scores depend on the query alone.
constexpr const char* ignores_keys = "the location score does not read the keys";

std::vector<Case> mechanisms() {
    Rng rng(11);
    std::vector<Case> cases;
    const Xs three{sample({2, 3, 4}, -1, 1, 1), sample({2, 5, 4}, -1, 1, 2),
                   sample({2, 5, 3}, -1, 1, 3)};  // query, key, value
    for (ScoreKind kind : score_kinds()) {
        const AttentionScore score(
            kind, {.query = 4, .key = 4, .hidden = 3, .max_keys = 6, .sharpness = 2}, rng);
        const auto add = [&](const Case& one) {
            cases.push_back(kind == ScoreKind::location ? one.zero_gradient("x1", ignores_keys)
                                                        : one);
        };
        add(with_parameters(fmt::format("AttentionScore {}", name_of(kind)), score,
                            {three[0], three[1]},
                            [](const AttentionScore& s, const Xs& x) { return s.of(x[0], x[1]); }));
        add(with_parameters(fmt::format("soft_attention {}, padding", name_of(kind)), score, three,
                            [](const AttentionScore& s, const Xs& x) {
                                return joined(
                                    soft_attention(s.of(x[0], x[1]), x[2], padding(x[2], 5)));
                            }));
    }
    cases.push_back(
        with_parameters("AttentionScore additive, one query, one key",
                        AttentionScore(ScoreKind::additive, {.query = 3, .key = 2}, rng),
                        {sample({2, 1, 3}), sample({2, 1, 2})},
                        [](const AttentionScore& s, const Xs& x) { return s.of(x[0], x[1]); }));
    // The second of three keys is NaN and masked, so that the products are computed pair by pair.
    const auto mask = [](const Tensor& x) {
        return tensor({1, 0, 1, 1, 0, 0}, {1, 2, 3}, x.dtype());
    };
    const auto with_bad_key = [](const Tensor& x) {  // [2, 3, D]
        return where(tensor({1, 0, 1}, {3, 1}, x.dtype()), x, NAN);
    };
    cases.push_back({"scores_of_pairs with a NaN in a masked key",
                     [=](const Xs& x) {
                         const Tensor scores =
                             scores_of_pairs(x[0], with_bad_key(x[1]), mask(x[0]));
                         return masked_softmax(scores, mask(x[0]));
                     },
                     {sample({2, 2, 3}), sample({2, 3, 3}, -1, 1, 2)}});
    cases.push_back({"context_of_pairs with a NaN in a masked value",
                     [=](const Xs& x) {
                         const Tensor weights = where(mask(x[0]), x[0], 0.0);
                         return context_of_pairs(weights, with_bad_key(x[1]), mask(x[0]));
                     },
                     {sample({2, 2, 3}), sample({2, 3, 2}, -1, 1, 2)}});
    cases.push_back(
        {"without_masked",
         [=](const Xs& x) {
             return without_masked(with_bad_key(x[0]), tensor({1, 0, 1}, {1, 3}, x[0].dtype()));
         },
         {sample({2, 3, 4})}});
    cases.push_back({"soft_attention with a query that sees nothing",
                     [](const Xs& x) {
                         const Tensor seen = tensor({1, 1, 0, 0, 0, 0}, {1, 2, 3}, x[0].dtype());
                         return joined(soft_attention(x[0], x[1], seen));
                     },
                     {sample({2, 2, 3}), sample({2, 3, 2}, -1, 1, 2)}});
    cases.push_back(
        {"attention_weights causal",
         [](const Xs& x) { return attention_weights(x[0], causal_mask(3, 4, x[0].dtype())); },
         {sample({2, 3, 4})}});
    cases.push_back({"attention_weights sliding window",
                     [](const Xs& x) {
                         return attention_weights(x[0],
                                                  sliding_window_mask(3, 4, 1, 1, x[0].dtype()));
                     },
                     {sample({2, 3, 4})}});

    for (SpanKind kind : {SpanKind::global, SpanKind::local_m, SpanKind::local_p})
        for (ScoreKind of : score_kinds()) {
            const Attention attention{AttentionScore(of, {.query = 4, .key = 4}, rng),
                                      AttentionSpan(kind, {.half_window = 2, .query = 4}, rng)};
            const Case one = with_parameters(
                fmt::format("Attention {} {}", name_of(of), name_of(kind)), attention, three,
                [](const Attention& a, const Xs& x) {
                    return joined(a(x[0], a.prepare(x[1], x[2], padding(x[2], 5)), 1));
                });
            cases.push_back(of == ScoreKind::location ? one.zero_gradient("x1", ignores_keys)
                                                      : one);
        }
    return cases;
}

const Indices source({3, 4, 1, 2, 0, 0}, {2, 3}), lengths{3, 2};
const Indices target({1, 3, 2, 1, 4, 0}, {2, 3});

Tensor joined(const Seq2SeqOutput& y) {
    if (!y.weights.defined()) return y.logits;
    return concat({reshape(y.logits, {-1}), reshape(y.weights, {-1})}, 0);
}

std::vector<Case> encoder_decoders() {
    std::vector<Case> cases;
    const auto add = [&](const std::string& name, EncoderDecoderOptions options) {
        options.source_vocabulary = 5;
        options.target_vocabulary = 5;
        options.embedding = 2;
        // With two numbers both are often near 0, where finite differences of a cosine are inaccurate.
        options.hidden = options.score == ScoreKind::content ? 4 : 2;
        Rng rng(13);
        const uint64_t seed = options.score == ScoreKind::scaled_dot ? 1 : 3;
        cases.push_back(with_parameters("EncoderDecoder " + name,
                                        scattered(EncoderDecoder(options, rng), seed), {},
                                        [](const EncoderDecoder& model, const Xs&) {
                                            return joined(model(source, lengths, target));
                                        }));
    };
    for (DecoderKind decoder : {DecoderKind::fixed, DecoderKind::bahdanau, DecoderKind::luong})
        for (CellKind cell : {CellKind::rnn_tanh, CellKind::gru, CellKind::lstm}) {
            EncoderDecoderOptions options;
            options.decoder = decoder;
            options.cell = cell;
            add(fmt::format("{} {}", name_of(decoder), name_of(cell)), options);
        }
    for (DecoderKind decoder : {DecoderKind::bahdanau, DecoderKind::luong})
        for (ScoreKind score : score_kinds()) {
            EncoderDecoderOptions options;
            options.decoder = decoder;
            options.score = score;
            add(fmt::format("{}, {}", name_of(decoder), name_of(score)), options);
        }
    for (CellKind cell : {CellKind::gru, CellKind::lstm}) {
        EncoderDecoderOptions fed;
        fed.decoder = DecoderKind::luong;
        fed.cell = cell;
        fed.score = ScoreKind::general;
        fed.input_feeding = true;
        add(fmt::format("luong, general, {}, input feeding", name_of(cell)), fed);
    }
    EncoderDecoderOptions deep;
    deep.bidirectional = false;
    deep.encoder_layers = 2;
    deep.score = ScoreKind::scaled_dot;
    add("bahdanau, two layers one way, scaled dot", deep);
    for (SpanKind span : {SpanKind::local_m, SpanKind::local_p}) {
        EncoderDecoderOptions local;
        local.span = span;
        local.half_window = 2;
        add(fmt::format("bahdanau {}", name_of(span)), local);
    }

    EncoderDecoderOptions free;
    free.source_vocabulary = free.target_vocabulary = 5;
    free.embedding = free.hidden = 2;
    Rng rng(13);
    cases.push_back(with_parameters(
        "EncoderDecoder without teacher forcing", EncoderDecoder(free, rng), {},
        [](const EncoderDecoder& model, const Xs&) {
            Rng same(1);
            return joined(model(source, lengths, target,
                                {.mode = Mode::training(same), .teacher_forcing = 0}));
        }));
    return cases;
}

std::vector<Case> heads() {
    Rng rng(17);
    std::vector<Case> cases;
    const Xs four{sample({2, 2, 3, 4}, -1, 1, 1), sample({2, 2, 5, 4}, -1, 1, 2),
                  sample({2, 2, 5, 3}, -1, 1, 3)};  // q, k, v
    const auto mask = [](const Tensor& x) { return unsqueeze(padding(x, 5), 1); };
    cases.push_back({"additive_scores",
                     [](const Xs& x) { return additive_scores(x[0], x[1], x[2]); },
                     {sample({2, 3, 4}, -1, 1, 1), sample({2, 5, 4}, -1, 1, 2), sample({4})}});
    cases.push_back(
        {"additive_scores of views",
         [](const Xs& x) {
             return additive_scores(transpose(x[0]), expand(x[1], {2, 5, 4}), select(x[2], 1, 0));
         },
         {sample({2, 4, 3}, -1, 1, 1), sample({5, 1}), sample({4, 2})}});
    cases.push_back({"scaled_dot_product_attention",
                     [](const Xs& x) { return scaled_dot_product_attention(x[0], x[1], x[2]); },
                     four});
    cases.push_back({"scaled_dot_product_attention causal, padding, bias",
                     [=](const Xs& x) {
                         return scaled_dot_product_attention(
                             x[0], x[1], x[2], {.mask = mask(x[0]), .bias = x[3], .causal = true});
                     },
                     {four[0], four[1], four[2], sample({2, 3, 5}, -1, 1, 4)}});
    cases.push_back({"scaled_dot_product_definition with its weights",
                     [=](const Xs& x) {
                         return joined(scaled_dot_product_definition(
                             x[0], x[1], x[2], {.mask = mask(x[0]), .scale = 0.7}));
                     },
                     four});

    cases.push_back({"scaled_dot_product_attention dropout",
                     [](const Xs& x) {
                         return scaled_dot_product_attention(
                             x[0], x[1], x[2], {.causal = true, .dropout = 0.4, .dropout_seed = 3});
                     },
                     four});

    // Four heads of queries share two of keys and values.
    const Xs grouped{sample({2, 4, 3, 2}, -1, 1, 1), sample({2, 2, 5, 2}, -1, 1, 2),
                     sample({2, 2, 5, 3}, -1, 1, 3)};
    cases.push_back({"scaled_dot_product_attention grouped queries, padding, dropout",
                     [=](const Xs& x) {
                         return scaled_dot_product_attention(
                             x[0], x[1], x[2],
                             {.mask = mask(x[0]), .dropout = 0.3, .dropout_seed = 3});
                     },
                     grouped});
    cases.push_back({"scaled_dot_product_definition grouped queries, causal",
                     [](const Xs& x) {
                         return joined(
                             scaled_dot_product_definition(x[0], x[1], x[2], {.causal = true}));
                     },
                     grouped});
    for (int64_t groups : {1, 2})
        cases.push_back(
            with_parameters(
                fmt::format("MultiHead 4 heads, key_value_heads {}", groups),
                MultiHead({.width = 8, .heads = 4, .key_value_heads = groups, .key_width = 3}, rng),
                {sample({2, 2, 8}), sample({2, 5, 3}, -1, 1, 2), sample({2, 5, 8}, -1, 1, 3)},
                [](const MultiHead& layer, const Xs& x) {
                    return layer(x[0], x[1], x[2], {.mask = padding(x[0], 5)});
                })
                .zero_gradient("key.bias", softmax_cancels));

    const MultiHead other({.width = 4,
                           .heads = 2,
                           .query_width = 3,
                           .bias = false,
                           .output_bias = false,
                           .scale = 0.3},
                          rng);
    cases.push_back(with_parameters(
        "MultiHead query_width, scale, no biases", other,
        {sample({2, 2, 3}), sample({2, 5, 4}, -1, 1, 2)},
        [](const MultiHead& layer, const Xs& x) { return layer(x[0], x[1], x[1]); }));
    const MultiHead cross({.width = 4, .heads = 2, .key_width = 3, .value_width = 2}, rng);
    cases.push_back(
        with_parameters(
            "MultiHead cross, padding", cross,
            {sample({2, 2, 4}), sample({2, 5, 3}, -1, 1, 2), sample({2, 5, 2}, -1, 1, 3)},
            [](const MultiHead& layer, const Xs& x) {
                return joined(with_weights(layer, x[0], x[1], x[2], {.mask = padding(x[0], 5)}));
            })
            .zero_gradient("key.bias", softmax_cancels));
    cases.push_back(with_parameters("MultiHead self, causal",
                                    MultiHead({.width = 4, .heads = 2, .bias = false}, rng),
                                    {sample({2, 3, 4})}, [](const MultiHead& layer, const Xs& x) {
                                        return layer(x[0], x[0], x[0], {.causal = true});
                                    }));
    cases.push_back(
        with_parameters(
            "MultiHead a mask and a bias for each head", MultiHead({.width = 4, .heads = 2}, rng),
            {sample({2, 3, 4}), sample({2, 3, 3}, -1, 1, 2)},
            [](const MultiHead& layer, const Xs& x) {
                const Tensor both = stack(
                    {causal_mask(3, x[0].dtype()), sliding_window_mask(3, 3, 0, 1, x[0].dtype())});
                return joined(with_weights(layer, x[0], x[0], x[0],
                                           {.mask = unsqueeze(both, 0), .bias = x[1]}));
            })
            .zero_gradient("key.bias", softmax_cancels));
    cases.push_back(with_parameters("MultiHead dropout of weights",
                                    MultiHead({.width = 4, .heads = 2, .dropout = 0.4}, rng),
                                    {sample({1, 3, 4})},
                                    [](const MultiHead& layer, const Xs& x) {
                                        Rng same(5);
                                        return layer(x[0], x[0], x[0],
                                                     {.mode = Mode::training(same)});
                                    })
                        .zero_gradient("key.bias", softmax_cancels));
    return cases;
}

const bool added_attention =
    add_cases(mechanisms) && add_cases(encoder_decoders) && add_cases(heads);

}  // namespace
}  // namespace heed
