#include "tests/attention/laws/mechanisms.h"

#include <cmath>

#include "attention/attention.h"
#include "attention/fused/tiled_attention.h"
#include "attention/laws/laws_detail.h"
#include "autograd/record/record.h"

namespace heed::laws {

namespace {

using T = const Tensor&;
using Out = AttentionOutput;
using Reasons = std::map<std::string, std::string>;

// --- reasons ------------------------------------------------------------------------------------

const std::string other_score = "its scores are not scaled dot products";
const std::string projections = "it has projections of its own";
const std::string no_parameters = "it has no parameters";
const std::string sees_all = "without a mask it sees all keys";
const std::string has_positions = "its scores depend on positions";
const std::string sampled = "its context is a sample";
const std::string one_sequence = "queries, keys and values are one sequence";

Reasons operator+(Reasons a, const Reasons& b) {
    a.insert(b.begin(), b.end());
    return a;
}
Reasons all_of(const std::vector<std::string>& laws, const std::string& reason) {
    Reasons reasons;
    for (const std::string& law : laws) reasons[law] = reason;
    return reasons;
}

// What an attention without a mask of its own cannot obey.
const Reasons unmasked = all_of({"causal", "window"}, sees_all);
const Reasons any_score = all_of({"scaled_dot", "scaled"}, other_score);
const Reasons query_too = {
    {"not_read", "a masked key is also a query, which shows what it holds in its own context"}};
const Reasons masked_afterwards = {
    {"not_read", "its scores or its context are made by a plain product, without the mask"}};
const Reasons without_parameters = {{"every_parameter", no_parameters}};
const Reasons behind_projections = all_of({"heads_apart", "scaled_dot"}, projections);

// --- making subjects ----------------------------------------------------------------------------

template <class M>
M in_float64(M model) {
    to_dtype(model, f64);
    return model;
}

// All parameters except those whose names are left out.
template <class M>
std::vector<std::pair<std::string, Tensor>> named(const M& model,
                                                  const std::vector<std::string>& without = {}) {
    std::vector<std::pair<std::string, Tensor>> all;
    for (const Parameter& p : parameters(model))
        if (std::find(without.begin(), without.end(), p.name) == without.end())
            all.emplace_back(p.name, p.tensor);
    return all;
}

Tensor scaled_scores(T q, T k, T mask = {}) {
    return scores_of_pairs(q / std::sqrt(static_cast<double>(q.size(-1))), k, mask);
}

// --- scores, spans and kernels --------------------------------------------------------------------

void add_scores(std::vector<Mechanism>& all) {
    const Reasons plain = unmasked + without_parameters;
    all.push_back(
        {{"soft_attention of scaled dot products",
          [](T q, T k, T v, T mask) { return soft_attention(scaled_scores(q, k, mask), v, mask); }},
         plain});
    all.push_back({{"attention_weights",
                    [](T q, T k, T v, T mask) -> Out {
                        const Tensor weights = attention_weights(scaled_scores(q, k, mask), mask);
                        return {context_of_pairs(weights, v, mask), weights};
                    }},
                   plain});

    const auto make = [](ScoreKind kind, double sharpness) {
        Rng rng(3);
        AttentionScore score(
            kind, {.query = 4, .key = 4, .hidden = 6, .max_keys = 5, .sharpness = sharpness}, rng);
        if (auto* additive = std::get_if<AdditiveScore>(&score.any))
            additive->v = parameter(detach(additive->v * sharpness));
        return in_float64(score);
    };
    for (ScoreKind kind : score_kinds()) {
        const auto of = [](const AttentionScore& score) {
            return
                [score](T q, T k, T v, T mask) { return soft_attention(score.of(q, k), v, mask); };
        };
        const AttentionScore score = make(kind, 1);
        Mechanism m{{fmt::format("AttentionScore, {}", name_of(kind)), of(score)}, unmasked};
        if (kind != ScoreKind::location) m.exempt.merge(Reasons(masked_afterwards));
        m.subject.parameters = named(score);
        if (m.subject.parameters.empty()) m.exempt.merge(Reasons(without_parameters));
        if (kind != ScoreKind::scaled_dot) m.exempt.merge(Reasons(any_score));
        // The cosine does not depend on the length of the query, and tanh is bounded: β and v
        // sharpen them.
        if (kind == ScoreKind::additive || kind == ScoreKind::content)
            m.subject.at = [=](double sharpness) { return of(make(kind, sharpness)); };
        if (kind == ScoreKind::location)
            m.exempt.merge(
                all_of({"permutation", "every_key_counts", "equal_keys"},
                       "its scores depend on the positions of the keys, not on the keys"));
        all.push_back(m);
    }
    const Tensor v = in_float64(AdditiveScore{{}, {}, tensor({1.2, -0.7, 0.9, 1.6})}).v;
    const auto additive = [v](double sharpness) -> AttentionFunction {
        return [=](T q, T k, T value, T mask) {
            return soft_attention(additive_scores(q, k, v * sharpness), value, mask);
        };
    };
    all.push_back({{.name = "additive_scores", .f = additive(1), .at = additive},
                   plain + any_score + masked_afterwards});
    all.push_back({{"gaussian_scores",
                    [](T q, T k, T value, T mask) {
                        return soft_attention(gaussian_scores(q, k, 0.9), value, mask);
                    },
                    {},
                    1,
                    {1, 1},
                    [](double sharpness) -> AttentionFunction {
                        return [=](T q, T k, T value, T mask) {
                            return soft_attention(gaussian_scores(q, k, 0.9 / std::sqrt(sharpness)),
                                                  value, mask);
                        };
                    }},
                   plain + any_score + masked_afterwards});
    const auto nadaraya = [](double sharpness) -> AttentionFunction {
        return [=](T q, T k, T value, T mask) {
            return nadaraya_watson(q, k, value, 0.9 / std::sqrt(sharpness), mask);
        };
    };
    all.push_back(
        {{.name = "nadaraya_watson", .f = nadaraya(1), .at = nadaraya}, plain + any_score});
}

void add_spans(std::vector<Mechanism>& all) {
    const auto make = [](SpanKind kind, int64_t half_window) {
        Rng rng(5);
        return in_float64(
            Attention{AttentionScore(ScoreKind::general, {.query = 4, .key = 4}, rng),
                      AttentionSpan(kind, {.half_window = half_window, .query = 4}, rng)});
    };
    const auto of = [](const Attention& attention) {
        return [attention](T q, T k, T v, T mask) {
            return attention(q, attention.prepare(k, v, mask));
        };
    };
    const Attention global = make(SpanKind::global, 1);
    all.push_back({{.name = "Attention, global", .f = of(global), .parameters = named(global)},
                   unmasked + any_score});

    const std::string window_of_query = "its window is where the query is in its own sequence";
    const Attention narrow = make(SpanKind::local_m, 1);
    all.push_back({{.name = "Attention, local_m", .f = of(narrow), .parameters = named(narrow)},
                   any_score + all_of({"permutation", "query_order", "every_key_counts",
                                       "equal_keys", "masked_keys", "each_query_mask", "causal"},
                                      window_of_query)});
    const Attention wide = make(SpanKind::local_m, 9);
    all.push_back({{.name = "Attention, local_m whose window contains all keys",
                    .f = of(wide),
                    .parameters = named(wide)},
                   unmasked + any_score});
    const Attention predicted = make(SpanKind::local_p, 9);
    const std::string gaussian =
        "its Gaussian prefers keys near a predicted position, and is not normalised again";
    all.push_back(
        {{.name = "Attention, local_p", .f = of(predicted), .parameters = named(predicted)},
         unmasked + any_score +
             all_of({"distribution", "permutation", "equal_keys", "sharp_limit"}, gaussian)});
    const AttentionSpan span = predicted.span;
    all.push_back(
        {{.name = "AttentionSpan, local_p",
          .f = [=](T q, T k, T v, T mask) -> Out {
              const Tensor weights = span.weights(scaled_scores(q, k), q, mask);
              return {matmul(weights, v), weights};
          },
          .parameters = named(span)},
         unmasked + any_score + masked_afterwards +
             all_of({"distribution", "permutation", "equal_keys", "sharp_limit"}, gaussian)});
}

Tensor split_heads(T x, int64_t heads) {
    return transpose(reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}), 1, 2);
}
Tensor join(T x) {
    return reshape(transpose(x, 1, 2), {x.size(0), x.size(2), x.size(1) * x.size(3)});
}

// One of the kernels with the heads of the definition's weights; joined heads outside.
template <class Kernel>
AttentionFunction of_heads(int64_t heads, bool causal, const Kernel& kernel) {
    return [=](T q, T k, T v, T mask) -> Out {
        const AttentionCall options{.mask = mask.defined() ? unsqueeze(mask, 1) : mask,
                                    .causal = causal};
        // Keys of as many heads as have the width of the queries': with narrower keys grouped queries.
        const int64_t width = q.size(2) / heads, groups = k.size(2) / width;
        const Tensor a = split_heads(q, heads), b = split_heads(k, groups),
                     c = split_heads(v, groups);
        return {join(kernel(a, b, c, options)),
                scaled_dot_product_definition(a, b, c, options).weights};
    };
}

// The loops of a kernel as a recorded operation.
template <class Forward, class Backward>
auto recorded(Forward forward_pass, Backward backward_pass) {
    return [=](T q, T k, T v, AttentionCall options) {
        options.scale = 1 / std::sqrt(static_cast<double>(q.size(3)));
        const AttentionForward forward = forward_pass(q, k, v, options);
        const Tensor context = record_fused(
            "kernel", forward.context, std::array{q, k, v},
            [=](T q1, T k1, T v1) {
                return transpose(scaled_dot_product_definition(q1, k1, v1, options).context, 1, 2);
            },
            [=, log_sum = forward.log_sum](T g, T y) {
                return backward_pass(g, q, k, v, AttentionForward{y, log_sum}, options);
            });
        return transpose(context, 1, 2);
    };
}

const std::string hides_future = "it hides the future by itself, so Q = K and order matters";
const Reasons as_causal =
    all_of({"permutation", "query_order", "every_key_counts", "equal_keys", "padding_is_absent",
            "masked_keys", "each_query_mask", "scaled_dot", "scaled"},
           hides_future) +
    Reasons{{"every_query_counts", "its first query sees one key only"}};

void add_kernels(std::vector<Mechanism>& all) {
    const Sizes even{.value_width = 4};
    const Sizes square{.queries = 5, .value_width = 4};
    const Sizes grouped{.query_width = 8, .value_width = 4};  // four heads that share two
    const auto definition = [](T q, T k, T v, const AttentionCall& options) {
        return scaled_dot_product_definition(q, k, v, options).context;
    };
    const auto fused = [](T q, T k, T v, const AttentionCall& options) {
        return scaled_dot_product_attention(q, k, v, options);
    };
    const auto plain = recorded(plain_attention, plain_attention_backward);
    const auto tiled = recorded(tiled_attention, tiled_attention_backward);
    const auto add = [&](const std::string& name, const auto& kernel) {
        all.push_back({{name, of_heads(2, false, kernel), even, 2}, unmasked + without_parameters});
        all.push_back({{name + ", causal", of_heads(2, true, kernel), square, 2},
                       without_parameters + as_causal + Reasons{{"window", hides_future}}});
        all.push_back({{name + ", grouped queries", of_heads(4, false, kernel), grouped, 4},
                       unmasked + without_parameters});
    };
    add("scaled_dot_product_definition", definition);
    add("scaled_dot_product_attention", fused);
    add("plain_attention", plain);
    add("tiled_attention", tiled);

    const auto with_mask = [&](const std::string& name, const auto& mask_for, Reasons more) {
        all.push_back({{name,
                        [=](T q, T k, T v, T mask) {
                            const Tensor both = combine({mask_for(q.size(1), k.size(1)), mask});
                            return soft_attention(scaled_scores(q, k, both), v, both);
                        },
                        square,
                        1,
                        {1, 0}},
                       without_parameters + as_causal + more});
    };
    with_mask("causal_mask",
              [](int64_t queries, int64_t keys) { return causal_mask(queries, keys, f64); },
              {{"window", hides_future}});
    with_mask(
        "sliding_window_mask",
        [](int64_t queries, int64_t keys) { return sliding_window_mask(queries, keys, 1, 0, f64); },
        {{"causal", "its window does not contain all earlier keys"},
         {"distribution", "its window may contain no key that the mask allows"}});
}

// --- heads --------------------------------------------------------------------------------------

MultiHead identity_heads(int64_t width, int64_t heads) {
    Rng rng(1);
    MultiHead layer = in_float64(
        MultiHead({.width = width, .heads = heads, .bias = false, .output_bias = false}, rng));
    for (Linear* each : {&layer.query, &layer.key, &layer.value, &layer.output})
        each->weight = parameter(eye(width, f64));
    return layer;
}

AttentionFunction of(const MultiHead& layer, bool causal = false) {
    return [=](T q, T k, T v, T mask) {
        return with_weights(layer, q, k, v, {.mask = mask, .causal = causal});
    };
}

// Sharper by the scale of the scores: a multiplied query would leave its bias behind.
std::function<AttentionFunction(double)> sharper(const MultiHead& layer, bool causal = false) {
    return [=](double sharpness) {
        MultiHead sharp = layer;
        sharp.scale = sharpness / std::sqrt(static_cast<double>(layer.output.weight.size(0)) /
                                            static_cast<double>(layer.heads));
        return of(sharp, causal);
    };
}

// The context of the fused kernel, the weights of the definition.
AttentionFunction fused(const MultiHead& layer) {
    return [=](T q, T k, T v, T mask) -> Out {
        return {layer(q, k, v, {.mask = mask}),
                with_weights(layer, q, k, v, {.mask = mask}).weights};
    };
}

void add_multi_head(std::vector<Mechanism>& all) {
    const Sizes even{.value_width = 4};
    const AttentionFunction any_width = [](T q, T k, T, T mask) {
        Rng rng(2);
        const MultiHead layer =
            in_float64(MultiHead({.width = q.size(2), .heads = 2, .value_width = 1}, rng));
        return with_weights(layer, q, k, slice(k, 2, 0, 1), {.mask = mask});
    };
    const MultiHead same = identity_heads(4, 2);
    // With projections that are the identity the scores are plain scaled dot products.
    const AttentionFunction same_at = [](T q, T k, T, T mask) {
        return of(identity_heads(q.size(2), 2))(q, k, k, mask);
    };
    all.push_back({{.name = "MultiHead whose projections are the identity",
                    .f = of(same),
                    .sizes = even,
                    .heads = 2,
                    .any_width = same_at,
                    .parameters = named(same)},
                   unmasked});
    for (int64_t heads : {1, 2, 4}) {
        Rng rng(1);
        const MultiHead layer = in_float64(
            MultiHead({.width = 4, .heads = heads, .key_width = 5, .value_width = 3}, rng));
        all.push_back({{.name = fmt::format("MultiHead, heads: {}", heads),
                        .f = of(layer),
                        .sizes = {.key_width = 5, .value_width = 3},
                        .heads = heads,
                        .at = sharper(layer),
                        .any_width = any_width,
                        // A bias of the keys shifts all scores of a query alike: its gradient is 0.
                        .parameters = named(layer, {"key.bias"})},
                       unmasked + behind_projections});
    }
    for (const auto& [heads, groups] : {std::pair<int64_t, int64_t>(2, 1), {4, 2}}) {
        MultiHeadOptions options{.width = 4, .heads = heads, .key_value_heads = groups};
        options.value_width = 3;
        Rng rng(1);
        const MultiHead layer = in_float64(MultiHead(options, rng));
        options.value_width = 1;
        const AttentionFunction at_width = [options](T q, T k, T, T mask) {
            MultiHeadOptions wide = options;
            wide.width = q.size(2);
            Rng random(2);
            return with_weights(in_float64(MultiHead(wide, random)), q, k, slice(k, 2, 0, 1),
                                {.mask = mask});
        };
        all.push_back(
            {{.name = fmt::format("MultiHead, heads: {}, key_value_heads: {}", heads, groups),
              .f = of(layer),
              .heads = heads,
              .at = sharper(layer),
              .any_width = at_width,
              .parameters = named(layer, {"key.bias"})},
             unmasked + behind_projections});
    }
    Rng rng(1);
    const MultiHead layer = in_float64(MultiHead({.width = 4, .heads = 2}, rng));
    all.push_back({{.name = "MultiHead with the fused kernel",
                    .f = fused(layer),
                    .sizes = even,
                    .heads = 2,
                    .at = sharper(layer),
                    .any_width = any_width,
                    .parameters = named(layer, {"key.bias"})},
                   unmasked + behind_projections});
    all.push_back({{.name = "MultiHead, causal",
                    .f = of(layer, true),
                    .sizes = {.queries = 5, .value_width = 4},
                    .heads = 2,
                    .at = sharper(layer, true),
                    .parameters = named(layer, {"key.bias"})},
                   as_causal + behind_projections + Reasons{{"window", hides_future}}});
}

// Self-attention to x = [q; k; v], side by side in its columns: the projections of queries read the
// columns of q only, those of keys those of k, those of values those of v. So self-attention, too, is
// a function of query, key and value. Queries are padded in front, since they are the last of the
// positions.
struct SelfOfThree {
    SelfAttention layer;

    SelfOfThree(PositionKind kind, int64_t width, int64_t heads, int64_t groups = 0) {
        Rng rng(4);
        layer = in_float64(
            SelfAttention({.width = 3 * width, .heads = heads, .key_value_heads = groups},
                          {.kind = kind, .max_distance = 2}, rng));
        int64_t first = 0;
        for (Linear* each :
             {&layer.multi_head.query, &layer.multi_head.key, &layer.multi_head.value}) {
            Tensor columns = zeros(each->weight.shape(), f64);
            for (int64_t i = 0; i < each->weight.size(0); ++i)
                for (int64_t j = first; j < first + width; ++j)
                    columns.edit<double>()[i * 3 * width + j] = each->weight.at({i, j});
            each->weight = parameter(columns);
            first += width;
        }
    }
    Out operator()(T q, T k, T v, T mask, bool causal) const {
        const int64_t missing = k.size(1) - q.size(1);
        check(missing >= 0, "self-attention: {} queries, {} keys", q.size(1), k.size(1));
        const Tensor x = concat({missing ? pad(q, 1, missing, 0) : q, k, v}, 2);
        const bool own_rows = mask.defined() && mask.size(1) > 1;
        const auto [context, weights] = with_weights(
            layer, x,
            {.mask = own_rows && missing ? pad(mask, 1, missing, 0, 1) : mask, .causal = causal});
        return {slice(context, 1, missing, k.size(1)), slice(weights, 2, missing, k.size(1))};
    }
};

void add_self_attention(std::vector<Mechanism>& all) {
    const Reasons by_position =
        all_of({"permutation", "query_order", "padding_is_absent", "equal_keys"}, has_positions);
    for (PositionKind kind : position_kinds()) {
        const bool inside = kind == PositionKind::relative || kind == PositionKind::rotary ||
                            kind == PositionKind::alibi;
        for (bool causal : {false, true}) {
            const SelfOfThree self(kind, 4, 2);
            Mechanism m{
                {.name =
                     fmt::format("SelfAttention, {}{}", name_of(kind), causal ? ", causal" : ""),
                 .f = [=](T q, T k, T v, T mask) { return self(q, k, v, mask, causal); },
                 .sizes = {.value_width = 4},
                 .heads = 2,
                 .at = [=](double sharpness) -> AttentionFunction {
                     SelfOfThree sharp = self;
                     sharp.layer.multi_head.scale = sharpness / std::sqrt(6.0);
                     return [=](T q, T k, T v, T mask) { return sharp(q, k, v, mask, causal); };
                 },
                 .parameters = named(self.layer, {"key.bias"})},
                behind_projections + query_too + (causal ? as_causal : unmasked)};
            m.not_asked["scaled"] = "its widths are fixed";
            m.exempt.erase("scaled");
            if (causal) {
                m.exempt["window"] = hides_future;
                m.subject.sizes.queries = 5;
            }
            if (inside && !causal) m.exempt.merge(Reasons(by_position));
            if (kind == PositionKind::relative)
                m.exempt["weighted_mean"] = "it adds a vector for each distance to the context";
            if (kind == PositionKind::alibi)
                m.exempt["sharp_limit"] =
                    "its penalty of the distance does not grow with the sharpness";
            all.push_back(m);
        }
    }

    // One token at a time with a cache of keys and values gives the same function.
    const auto one_by_one = [](int64_t groups, double sharpness) -> AttentionFunction {
        SelfOfThree self(PositionKind::none, 4, 2, groups);
        self.layer.multi_head.scale = sharpness / std::sqrt(6.0);
        return [=](T q, T k, T v, T mask) -> Out {
            const Tensor x = concat({q, k, v}, 2);
            KeyValueCache cache;
            std::vector<Tensor> contexts, weights;
            for (int64_t t = 0; t < x.size(1); ++t) {
                Tensor allowed = mask;
                if (mask.defined()) {
                    if (mask.size(1) > 1) allowed = slice(mask, 1, t, t + 1);
                    allowed = slice(allowed, 2, 0, t + 1);
                }
                const Out y = with_weights(self.layer, slice(x, 1, t, t + 1),
                                           {.mask = allowed, .causal = true, .cache = &cache});
                contexts.push_back(y.context);
                weights.push_back(pad(y.weights, 3, 0, k.size(1) - t - 1));
            }
            return {concat(contexts, 1), concat(weights, 2)};
        };
    };
    for (int64_t groups : {2, 1}) {
        Mechanism cached{
            {.name = groups == 2 ? "SelfAttention with a cache"
                                 : "SelfAttention with a cache, key_value_heads: 1",
             .f = [=](T q, T k, T v, T mask) { return one_by_one(groups, 1)(q, k, v, mask); },
             .sizes = {.queries = 5, .value_width = 4},
             .heads = 2,
             .at = [=](double sharpness) { return one_by_one(groups, sharpness); }},
            as_causal + behind_projections + query_too + Reasons{{"window", hides_future}}};
        cached.not_asked["every_parameter"] = "the same layer as above";
        cached.not_asked["scaled"] = "its widths are fixed";
        cached.exempt.erase("scaled");
        all.push_back(cached);
    }
}

// The same for latent attention: half of the latent reads the columns of k and gives the keys, the other
// half those of v and gives the values.
LatentAttention latent_of_three() {
    Rng rng(7);
    LatentAttention layer =
        in_float64(LatentAttention({.width = 12, .heads = 2, .latent = 8, .rotary_width = 2}, rng));
    // Keeps the block of a weight whose rows and columns begin there, and sets the others to 0.
    const auto keep = [](const Tensor& weight, int64_t row, int64_t rows, int64_t column) {
        Tensor kept = zeros(weight.shape(), f64);
        for (int64_t i = row; i < row + rows; ++i)
            for (int64_t j = column; j < column + 4; ++j)
                kept.edit<double>()[i * weight.size(1) + j] = weight.at({i, j});
        return kept;
    };
    const auto only = [&](Linear& each, int64_t column) {
        each.weight = parameter(keep(each.weight, 0, each.weight.size(0), column));
    };
    only(layer.query, 0), only(layer.rotary_query, 0), only(layer.rotary_key, 4);
    layer.down.weight =
        parameter(keep(layer.down.weight, 0, 4, 4) + keep(layer.down.weight, 4, 4, 8));
    only(layer.key, 0), only(layer.value, 4);
    return layer;
}

void add_latent_attention(std::vector<Mechanism>& all) {
    for (bool absorbed : {false, true}) {
        const LatentAttention layer = latent_of_three();
        const auto f = [=](T q, T k, T v, T mask) -> Out {
            const int64_t missing = k.size(1) - q.size(1);
            const Tensor x = concat({missing ? pad(q, 1, missing, 0) : q, k, v}, 2);
            const bool own_rows = mask.defined() && mask.size(1) > 1;
            const auto [context, weights] = with_weights(
                [&](T y, const AttentionCall& call) {
                    return absorbed ? layer.absorbed(y, call) : layer(y, call);
                },
                x, {.mask = own_rows && missing ? pad(mask, 1, missing, 0, 1) : mask});
            return {slice(context, 1, missing, k.size(1)), slice(weights, 2, missing, k.size(1))};
        };
        Mechanism m{{.name = absorbed ? "LatentAttention, absorbed" : "LatentAttention",
                     .f = f,
                     .sizes = {.value_width = 4},
                     .heads = 2,
                     .parameters = named(layer, {})},
                    behind_projections + query_too + unmasked +
                        all_of({"permutation", "query_order", "padding_is_absent", "equal_keys"},
                               has_positions)};
        m.not_asked["scaled"] = "its widths are fixed";
        m.exempt.erase("scaled");
        all.push_back(m);
    }
}

// --- pooling ------------------------------------------------------------------------------------

void add_pooling(std::vector<Mechanism>& all) {
    // Items are [k; v], and the scores read the columns of k only.
    const auto item_columns = [](AttentionPooling pool) {
        Tensor w = copy_of(pool.item.weight);
        for (int64_t i = 0; i < w.size(0); ++i)
            for (int64_t j = 4; j < 7; ++j) w.edit<double>()[i * 7 + j] = 0;
        pool.item.weight = parameter(w);
        return pool;
    };
    Rng rng(6);
    const AttentionPooling pool =
        item_columns(in_float64(AttentionPooling({.width = 7, .hidden = 6, .queries = 3}, rng)));
    const auto values_of = [](const Out& y) { return Out{slice(y.context, 2, 4, 7), y.weights}; };
    const Reasons learned = all_of({"every_query_counts"}, "its queries are learned");
    all.push_back({{.name = "AttentionPooling",
                    .f =
                        [=](T, T k, T v, T mask) {
                            return values_of(pool(concat({k, v}, 2), {}, mask));
                        },
                    .parameters = named(pool)},
                   unmasked + any_score + learned +
                       all_of({"query_order", "sharp_limit"}, "its queries are learned"),
                   {{"queries_apart", "its queries are learned"}}});
    const AttentionPooling about =
        item_columns(in_float64(AttentionPooling({.width = 7, .hidden = 6, .context = 4}, rng)));
    all.push_back({{.name = "AttentionPooling with a context vector",
                    .f =
                        [=](T q, T k, T v, T mask) {
                            const Tensor items = concat({k, v}, 2);
                            std::vector<Tensor> contexts, weights;
                            const int64_t queries = q.size(1);
                            for (int64_t i = 0; i < queries; ++i) {
                                const bool own = mask.defined() && mask.size(1) > 1;
                                const Out y = about(items, select(q, 1, i),
                                                    own ? slice(mask, 1, i, i + 1) : mask);
                                contexts.push_back(y.context);
                                weights.push_back(y.weights);
                            }
                            return values_of({concat(contexts, 1), concat(weights, 1)});
                        },
                    .at = [=](double sharpness) -> AttentionFunction {
                        AttentionPooling sharp = about;
                        sharp.query = sharp.query * sharpness;
                        return [=](T q, T k, T v, T mask) {
                            std::vector<Tensor> contexts, weights;
                            for (const Tensor& c : unbind(q, 1)) {
                                const Out y = sharp(concat({k, v}, 2), c, mask);
                                contexts.push_back(y.context);
                                weights.push_back(y.weights);
                            }
                            return values_of({concat(contexts, 1), concat(weights, 1)});
                        };
                    },
                    .parameters = named(about)},
                   unmasked + any_score});

    MultiHeadPooling many =
        in_float64(MultiHeadPooling({.width = 8, .queries = 3, .heads = 2}, rng));
    // As above: keys are projected from the first four columns, values from the last.
    for (auto [layer, first] : {std::pair{&many.attention.key, 4}, {&many.attention.value, 0}}) {
        Tensor w = copy_of(layer->weight);
        for (int64_t i = 0; i < 8; ++i)
            for (int64_t j = first; j < first + 4; ++j) w.edit<double>()[i * 8 + j] = 0;
        layer->weight = parameter(w);
    }
    all.push_back(
        {{.name = "MultiHeadPooling",
          .f =
              [=](T, T k, T v, T mask) {
                  return with_weights(many, concat({k, v}, 2), {.mask = mask});
              },
          .sizes = {.value_width = 4},
          .heads = 2,
          .parameters = named(many, {"attention.key.bias"})},
         unmasked + behind_projections + learned +
             all_of({"query_order", "sharp_limit"}, "its queries are learned"),
         {{"queries_apart", "its queries are learned"}, {"scaled", "its widths are fixed"}}});
}

// --- graphs -------------------------------------------------------------------------------------

// The mask of each sequence as a graph from its keys to its queries, all side by side.
SparseGraph graph_of(T q, T k, T mask) {
    const int64_t batch = q.size(0), queries = q.size(1), keys = k.size(1);
    const Tensor allowed = mask.defined() ? expand(mask, {batch, queries, keys})
                                          : ones({batch, queries, keys}, q.dtype());
    std::vector<SparseGraph> graphs;
    for (int64_t b = 0; b < batch; ++b) graphs.push_back(graph_of_mask(select(allowed, 0, b)));
    return disjoint_union(graphs);
}

// Weights of edges [E, H] as a table [B, H, Q, K], 0 where there is no edge.
Tensor as_table(T weights, const SparseGraph& graph, T q, T k) {
    const int64_t batch = q.size(0), queries = q.size(1), keys = k.size(1), heads = weights.size(1);
    std::vector<int> index;
    for (int64_t e = 0; e < graph.edges(); ++e)
        index.push_back(static_cast<int>(graph.target()[e] * keys + graph.source()[e] % keys));
    const Tensor table = index_add({batch * queries * keys, heads}, 0, index, weights);
    return permute(reshape(table, {batch, queries, keys, heads}), {0, 3, 1, 2});
}

// A layer on graphs as an attention: the nodes are the queries [q; 0; 0], then the keys with their
// values [0; k; v], and edges lead from keys to queries.
template <class Layer>
Mechanism layer_on_graphs(const std::string& name,
                          const std::function<Layer(double sharpness)>& make) {
    const auto of = [](const Layer& layer) -> AttentionFunction {
        return [layer](T q, T k, T v, T mask) -> Out {
            const SparseGraph graph = graph_of(q, k, mask);
            const int64_t queries = graph.targets(), keys = graph.sources();
            std::vector<int> source;
            for (int s : graph.source()) source.push_back(static_cast<int>(queries + s));
            const Tensor flat_q = reshape(q, {queries, -1}), flat_k = reshape(k, {keys, -1}),
                         flat_v = reshape(v, {keys, -1});
            const Tensor x = concat({pad(flat_q, 1, 0, k.size(2) + v.size(2)),
                                     pad(concat({flat_k, flat_v}, 1), 1, q.size(2), 0)},
                                    0);
            const Out y = layer(x, SparseGraph(queries + keys, source, graph.target()));
            const Tensor context = slice(slice(y.context, 0, 0, queries), 1, 5, 8);
            return {reshape(context, {q.size(0), q.size(1), 3}), as_table(y.weights, graph, q, k)};
        };
    };
    const Layer layer = make(1);
    return {{.name = name,
             .f = of(layer),
             .heads = 2,
             .at = [=](double sharpness) { return of(make(sharpness)); },
             .parameters = named(layer)},
            unmasked + any_score + Reasons{{"heads_apart", projections}}};
}

// Of the eight units of each head five are for the scores and read queries and keys only, three are
// the values and read values only.
Tensor separated(Tensor weight) {
    Tensor w = copy_of(weight);
    for (int64_t i = 0; i < w.size(0); ++i)
        for (int64_t j = 0; j < w.size(1); ++j)
            if ((i % 8 < 5) != (j < 8)) w.edit<double>()[i * w.size(1) + j] = 0;
    return parameter(w);
}
Tensor for_scores(Tensor vectors, double sharpness) {
    Tensor a = copy_of(vectors * sharpness);
    for (int64_t i = 0; i < a.numel(); ++i)
        if (i % 8 >= 5) a.edit<double>()[i] = 0;
    return parameter(a);
}

void add_graphs(std::vector<Mechanism>& all) {
    const int64_t heads = 2;
    const auto split = [=](T x) { return reshape(x, {x.size(0) * x.size(1), heads, -1}); };
    all.push_back({{.name = "graph_attention of scaled dot products",
                    .f = [=](T q, T k, T v, T mask) -> Out {
                        const SparseGraph graph = graph_of(q, k, mask);
                        const Tensor query = index_select(split(q), 0, graph.target());
                        const Tensor key = index_select(split(k), 0, graph.source());  // [E, H, D]
                        const Tensor scores =
                            sum(query * key, -1) / std::sqrt(static_cast<double>(key.size(2)));
                        const Out y = graph_attention(scores, split(v), graph);
                        return {reshape(y.context, {q.size(0), q.size(1), v.size(2)}),
                                as_table(y.weights, graph, q, k)};
                    },
                    .sizes = {.value_width = 4},
                    .heads = heads},
                   unmasked + without_parameters});
    const GraphAttentionOptions options{
        .width = 11, .head_width = 8, .heads = heads, .concat = false};
    Mechanism gat = layer_on_graphs<GraphAttention>("GraphAttention", [=](double sharpness) {
        Rng rng(9);
        auto layer = in_float64(GraphAttention(options, rng));
        layer.weight = separated(layer.weight);
        layer.target = for_scores(layer.target, sharpness);
        layer.source = for_scores(layer.source, sharpness);
        return layer;
    });
    gat.exempt["every_query_counts"] =
        "where LeakyReLU gets numbers of one sign only, softmax cancels what the query adds";
    all.push_back(gat);
    all.push_back(layer_on_graphs<GraphAttentionV2>("GraphAttentionV2", [=](double sharpness) {
        Rng rng(9);
        auto layer = in_float64(GraphAttentionV2(options, rng));
        layer.target_weight = separated(layer.target_weight);
        layer.source_weight = separated(layer.source_weight);
        layer.score = for_scores(layer.score, sharpness);
        return layer;
    }));
}

// --- hard attention -----------------------------------------------------------------------------

void add_hard(std::vector<Mechanism>& all) {
    const std::string order = "random numbers are drawn in the order of the scores";
    const Reasons one_sample =
        all_of({"weighted_mean", "every_value_counts", "heads_apart", "equal_keys"}, sampled) +
        all_of({"permutation", "query_order", "batch_rows"}, order);
    all.push_back(
        {{"hard_attention",
          [](T q, T k, T v, T mask) -> Out {
              // A query without an allowed key cannot be sampled for.
              Rng rng(7);
              const auto y = hard_attention(scaled_scores(q, k), v, rng, mask);
              return {y.context, y.weights};
          }},
         unmasked + without_parameters + one_sample +
             all_of({"distribution", "empty_rows"}, "it refuses a query without an allowed key") +
             Reasons{{"not_read", "it refuses a query that may attend to a NaN"}}});

    const auto weighed = [](const auto& weights_of) {
        return [=](T q, T k, T v, T mask) -> Out {
            Rng rng(7);
            const Tensor weights = weights_of(scaled_scores(q, k), rng, mask);
            return {matmul(weights, v), weights};
        };
    };
    const Reasons noisy =
        masked_afterwards +
        all_of({"permutation", "query_order", "batch_rows", "padding_is_absent"}, order) +
        all_of({"equal_keys", "scaled_dot", "sharp_limit"}, "noise is added to the scores");
    all.push_back({{"gumbel_softmax", weighed([](T scores, Rng& rng, T mask) {
                        return gumbel_softmax(scores, 0.7, rng, mask);
                    })},
                   unmasked + without_parameters + noisy});
    const std::string one_hot = "its weights are one-hot";
    const Reasons straight =
        masked_afterwards +
        all_of({"every_key_counts", "every_query_counts", "masked_keys", "each_query_mask",
                "scaled", "equal_keys", "scaled_dot"},
               one_hot) +
        all_of({"distribution", "empty_rows"}, "it refuses a query without an allowed key") +
        Reasons{{"gradient", "its gradient is that of other weights, on purpose"}};
    all.push_back({{"straight_through_sample", weighed([](T scores, Rng& rng, T mask) {
                        return straight_through_sample(scores, rng, mask);
                    })},
                   unmasked + without_parameters + straight +
                       all_of({"permutation", "query_order", "batch_rows"}, order) +
                       Reasons{{"sharp_limit", "its one-hot weights are a sample"}}});
    Reasons noisy_one_hot = straight + noisy;
    noisy_one_hot.erase("batch_rows");
    all.push_back({{"straight_through_gumbel", weighed([](T scores, Rng& rng, T mask) {
                        return straight_through_gumbel(scores, 0.7, rng, mask);
                    })},
                   unmasked + without_parameters + noisy_one_hot,
                   {{"batch_rows", order}}});
    all.push_back(
        {{"straight_through of the most likely index", weighed([](T scores, Rng&, T mask) {
              return straight_through(attention_weights(scores, mask), most_likely(scores, mask));
          })},
         unmasked + without_parameters + straight});
    all.push_back(
        {{.name = "expected_loss",
          .f = [](T q, T k, T v, T mask) -> Out {
              const Tensor scores = scaled_scores(q, k);  // [B, Q, K]
              std::vector<Tensor> columns;
              for (const Tensor& loss : unbind(v, 2))  // [B, K]
                  columns.push_back(expected_loss(
                      scores, contiguous(expand(unsqueeze(loss, 1), scores.shape())), mask));
              return {stack(columns, 2), attention_weights(scores, mask)};
          }},
         unmasked + without_parameters + masked_afterwards});
}

// --- layers around an attention -------------------------------------------------------------------

// These laws are asked, all others not.
Reasons all_but(const std::vector<std::string>& asked, const std::string& reason) {
    Reasons reasons;
    for (const Law& law : all_laws())
        if (std::find(asked.begin(), asked.end(), law.name) == asked.end())
            reasons[law.name] = reason;
    return reasons;
}

void add_layers(std::vector<Mechanism>& all) {
    const std::string around =
        "it is a layer around an attention, with a residual connection and a feed-forward network";
    const TransformerOptions options{.width = 4, .heads = 2, .hidden = 6, .pre_norm = true};
    Rng rng(8);
    const auto block = in_float64(MultiHeadAttentionBlock({.width = 4, .heads = 2}, rng));
    all.push_back(
        {{.name = "MultiHeadAttentionBlock",
          .f = [=](T q, T k, T, T mask) -> Out {
              return {block(q, k, mask),
                      with_weights(block.attention, q, k, k, {.mask = mask}).weights};
          },
          .heads = 2},
         {},
         all_but({"distribution", "permutation", "every_key_counts", "equal_keys",
                  "every_query_counts", "queries_apart", "query_order", "masked_keys", "not_read",
                  "each_query_mask", "padding_is_absent", "batch_rows", "repeatable", "gradient"},
                 around)});
    const auto decoder = in_float64(TransformerDecoderLayer(options, rng));
    all.push_back(
        {{.name = "TransformerDecoderLayer, attention to the encoder's output",
          .f = [=](T q, T k, T, T mask) -> Out {
              std::vector<Tensor> weights;
              const Tensor y = decoder(q, k, {.memory_mask = mask, .memory_weights = &weights});
              return {y, weights[0]};
          },
          .heads = 2},
         {{"queries_apart", "its self-attention is between the queries"}},
         all_but({"distribution", "permutation", "every_key_counts", "equal_keys",
                  "every_query_counts", "queries_apart", "masked_keys", "not_read",
                  "each_query_mask", "padding_is_absent", "batch_rows", "repeatable", "gradient"},
                 around)});
    const auto encoder = in_float64(TransformerEncoderLayer(options, rng));
    for (const bool causal : {false, true}) {
        Mechanism m{
            {.name = causal ? "TransformerEncoderLayer, causal" : "TransformerEncoderLayer",
             .f = [=](T, T x, T, T mask) -> Out {
                 return with_weights(encoder, x, {.mask = mask, .causal = causal});
             },
             .sizes = {.queries = 5},
             .heads = 2},
            {},
            all_but({"distribution", "causal", "batch_rows", "repeatable", "gradient"}, around)};
        if (!causal) m.exempt["causal"] = sees_all;
        all.push_back(m);
    }
    const auto conformer = in_float64(ConformerBlock(
        {.width = 4, .heads = 2, .hidden = 6, .kernel = 3, .positions = {.max_distance = 2}}, rng));
    all.push_back(
        {{.name = "ConformerBlock",
          .f = [=](T, T x, T, T mask) -> Out {
              return with_weights(conformer, x, {.mask = mask, .mode = Mode::evaluation()});
          },
          .sizes = {.queries = 5},
          .heads = 2},
         {{"causal", sees_all},
          {"distribution", "its mask is one of padding, the same for all queries"}},
         all_but({"distribution", "causal", "batch_rows", "repeatable", "gradient"}, around)});
}

// --- attention for long sequences -----------------------------------------------------------------

// A mask [B, 1, K] or [B, Q, K] for attention of heads [B, H, Q, K].
Tensor of_all_heads(T mask) { return mask.defined() ? unsqueeze(mask, 1) : mask; }

void add_block_sparse(std::vector<Mechanism>& all) {
    const auto add = [&](const std::string& name, BlockPatternOptions options, Reasons exempt) {
        const AttentionFunction f = [=](T q, T k, T v, T mask) -> Out {
            const BlockPattern pattern(k.size(1), options);
            const Tensor a = split_heads(q, 2), b = split_heads(k, 2), c = split_heads(v, 2);
            const BlockSparseOptions call{.mask = of_all_heads(mask)};
            return {join(block_sparse_attention(a, b, c, pattern, call)),
                    block_sparse_definition(a, b, c, pattern, call).weights};
        };
        all.push_back({{.name = "block_sparse_attention, " + name,
                        .f = f,
                        .sizes = {.queries = 5, .value_width = 4},
                        .heads = 2,
                        .reach = {1, 0}},
                       without_parameters + exempt});
    };
    add("a pattern that allows all", {.before = 9, .after = 9, .block = 2},
        unmasked + all_of({"query_order", "padding_is_absent", "scaled"}, one_sequence));
    add("causal", {.before = 9, .causal = true, .block = 2},
        as_causal + Reasons{{"window", hides_future}});
    add("a window", {.before = 1, .causal = true, .block = 2},
        as_causal +
            Reasons{{"causal", "its window does not contain all earlier keys"},
                    {"distribution", "its window may contain no key that the mask allows"}});
}

void add_random_features(std::vector<Mechanism>& all) {
    const Reasons for_single_queries =
        all_of({"distribution", "empty_rows", "each_query_mask", "not_read"},
               "it refuses a mask for single queries: its mask is the same for all");
    const std::string estimate = "its weights are an estimate from random features";
    const auto of = [](bool causal) {
        return [=](T q, T k, T v, T mask) -> Out {
            Rng rng(5);
            const Tensor w = orthogonal_features(12, q.size(2) / 2, rng, f64);
            const PerformerOptions options{
                .mask = of_all_heads(mask), .causal = causal, .chunk = 2};
            const Tensor a = split_heads(q, 2), b = split_heads(k, 2), c = split_heads(v, 2);
            return {join(performer_attention(a, b, c, w, options)),
                    performer_definition(a, b, c, w, options).weights};
        };
    };
    all.push_back(
        {{.name = "performer_attention", .f = of(false), .sizes = {.value_width = 4}, .heads = 2},
         unmasked + without_parameters + for_single_queries +
             all_of({"scaled_dot", "scaled", "sharp_limit"}, estimate)});
    all.push_back({{.name = "performer_attention, causal",
                    .f = of(true),
                    .sizes = {.queries = 5, .value_width = 4},
                    .heads = 2},
                   without_parameters + as_causal + for_single_queries +
                       Reasons{{"window", hides_future}, {"sharp_limit", estimate}}});

    const std::string projects = "its keys and values are projected along the sequence";
    Rng rng(6);
    const Linformer linformer = in_float64(Linformer({.length = 5, .projected = 3}, rng));
    all.push_back({{.name = "Linformer",
                    .f = [=](T q, T k, T v, T mask) -> Out {
                        const Tensor a = unsqueeze(q, 1), b = unsqueeze(k, 1), c = unsqueeze(v, 1),
                                     open = of_all_heads(mask);
                        const Out y = linformer(a, b, c, open);
                        // What each key contributes: the projected weights times F.
                        Tensor each = matmul(y.weights, slice(linformer.value, 1, 0, k.size(1)));
                        if (open.defined()) each = each * open;
                        return {squeeze(y.context, 1), squeeze(each, 1)};
                    },
                    .parameters = named(linformer)},
                   unmasked + for_single_queries +
                       all_of({"masked_keys", "permutation", "equal_keys", "scaled_dot", "scaled",
                               "sharp_limit"},
                              projects)});
}

void add_hashed(std::vector<Mechanism>& all) {
    const std::string shared = "its queries are its keys";
    const std::string buckets = "a query attends to keys with its own hash only";
    const std::string single = "it refuses a mask for single queries: its mask is the same for all";
    all.push_back(
        {{.name = "lsh_attention",
          .f = [](T, T k, T v, T mask) -> Out {
              const LshOptions options{
                  .buckets = 2, .chunk = 2, .hashes = 2, .mask = of_all_heads(mask)};
              const Tensor a = unsqueeze(k, 1), b = unsqueeze(v, 1);
              return {squeeze(lsh_attention(a, b, options), 1),
                      squeeze(lsh_definition(a, b, options).weights, 1)};
          },
          .sizes = {.queries = 5}},
         unmasked + without_parameters +
             all_of({"every_query_counts", "query_order", "scaled", "not_read"}, shared) +
             all_of({"empty_rows"}, single) +
             all_of({"distribution", "permutation", "every_key_counts", "equal_keys", "masked_keys",
                     "each_query_mask", "padding_is_absent", "scaled_dot", "sharp_limit"},
                    buckets)});

    const std::string without_keys = "its weights are predicted without keys";
    const std::string without_queries = "its weights are parameters, without queries and keys";
    for (SynthesizerKind kind : synthesizer_kinds()) {
        const bool reads =
            kind == SynthesizerKind::dense || kind == SynthesizerKind::factored_dense;
        Rng rng(7);
        const Synthesizer layer =
            in_float64(Synthesizer(kind, {.width = 4, .length = 5, .hidden = 8, .factor = 2}, rng));
        Mechanism m{{.name = fmt::format("Synthesizer, {}", name_of(kind)),
                     .f = [=](T q, T, T v, T mask) -> Out {
                         const Out y = layer(q, unsqueeze(v, 1), of_all_heads(mask));
                         return {squeeze(y.context, 1), squeeze(y.weights, 1)};
                     },
                     .parameters = named(layer)},
                    unmasked + all_of({"permutation", "every_key_counts", "equal_keys",
                                       "scaled_dot", "scaled", "sharp_limit"},
                                      without_keys)};
        if (!reads) m.exempt.merge(all_of({"every_query_counts", "query_order"}, without_queries));
        all.push_back(m);
    }
}

// --- a state instead of a cache -------------------------------------------------------------------

void add_states(std::vector<Mechanism>& all) {
    const Reasons no_mask = all_of({"distribution", "empty_rows", "not_read"}, "it has no mask");
    const Reasons linear = {{"sharp_limit", "it has no softmax, which would sharpen"}};
    const Reasons as_state =
        as_causal + no_mask + linear + without_parameters + Reasons{{"window", hides_future}};
    const auto add = [&](const std::string& name, const auto& options_of, const auto& features,
                         bool normalised) {
        const auto call = [=](T q, T k, T v, const auto& form) {
            const Tensor a = features(split_heads(q, 2)), b = features(split_heads(k, 2));
            StateOptions options = options_of(b);
            options.normalise = normalised;
            options.chunk = 2;
            return form(a, b, split_heads(v, 2), options);
        };
        Mechanism chunks{{.name = "linear_attention, " + name,
                          .f = [=](T q, T k, T v, T) -> Out {
                              return {join(call(q, k, v, linear_attention)),
                                      call(q, k, v, linear_attention_parallel).weights};
                          },
                          .sizes = {.queries = 5, .value_width = 4},
                          .heads = 2},
                         as_state};
        // Weights that are not divided by their sum show a change of any query, also of the first.
        if (!normalised) chunks.exempt.erase("every_query_counts");
        Mechanism parallel = chunks;
        parallel.subject.name = "linear_attention_parallel, " + name;
        parallel.subject.f = [=](T q, T k, T v, T) -> Out {
            const Out y = call(q, k, v, linear_attention_parallel);
            return {join(y.context), y.weights};
        };
        all.push_back(chunks);
        all.push_back(parallel);
    };
    add(
        "the sum, normalised", [](T) { return StateOptions{}; }, elu_features, true);
    add(
        "decay, normalised",
        [](T) { return StateOptions{.log_gate = retention_decays(2, f64, 1)}; }, elu_features,
        true);
    add(
        "gates", [](T k) { return StateOptions{.log_gate = -k}; }, elu_features, false);
    add(
        "the delta rule", [](T k) { return StateOptions{.beta = sigmoid(sum(k, {-1}, true))}; },
        [](T x) { return x; }, false);
    for (std::size_t i = all.size() - 2; i < all.size(); ++i)
        all[i].exempt["causal"] = "its weights may be negative; its layer is held to the rest";
}

}  // namespace

std::vector<Mechanism> all_mechanisms() {
    std::vector<Mechanism> all;
    add_scores(all);
    add_spans(all);
    add_kernels(all);
    add_multi_head(all);
    add_self_attention(all);
    add_latent_attention(all);
    add_pooling(all);
    add_graphs(all);
    add_hard(all);
    add_layers(all);
    add_block_sparse(all);
    add_random_features(all);
    add_hashed(all);
    add_states(all);
    return all;
}

const std::map<std::string, std::string>& not_mechanisms() {
    static const std::map<std::string, std::string> names{
        {"AdditiveScore", "one of the scores of AttentionScore"},
        {"DotScore", "one of the scores of AttentionScore"},
        {"with_weights", "calls a layer and returns its weights too"},
        {"ScaledDotScore", "one of the scores of AttentionScore"},
        {"GeneralScore", "one of the scores of AttentionScore"},
        {"ContentScore", "one of the scores of AttentionScore"},
        {"LocationScore", "one of the scores of AttentionScore"},
        {"additive_scores_definition",
         "the definition of additive_scores, which it is tested against"},
        {"block_sparse_definition",
         "the definition of block_sparse_attention, which it is tested against"},
        {"performer_definition",
         "the definition of performer_attention, which it is tested against"},
        {"lsh_definition", "the definition of lsh_attention, which it is tested against"},
        {"linear_attention_definition",
         "the definition of linear_attention, which it is tested against"},
        {"elu_features", "a step of linear_attention"},
        {"unit_lower_inverse", "a step of linear_attention"},
        {"LinearAttention", "linear_attention between projections"},
        {"selective_scan", "no attention: each channel has a state of its own"},
        {"selective_scan_definition", "no attention: each channel has a state of its own"},
        {"SelectiveStateSpace", "no attention: each channel has a state of its own"},
        {"lsh_mask", "a mask"},
        {"mask_of_keys", "a mask"},
        {"new_gradient", "memory for a gradient"},
        {"sum_of_sharing", "the gradients of heads that share one, added up"},
        {"TransformerNorm", "no attention, but a layer beside it"},
        {"scores_of_pairs", "one of the two products of soft_attention"},
        {"context_of_pairs", "one of the two products of soft_attention"},
        {"without_masked", "the input of an attention, without what its mask excludes"},
        {"with_rotary_layout", "the weights of a projection in another order"},
        {"connected", "the input of GraphAttention, without what no edge reads"},
        {"positive_features", "a step of performer_attention"},
        {"reversible", "no attention, but a stack of layers around it"},
        {"reversible_definition", "no attention, but a stack of layers around it"},
        {"SetAttentionBlock", "made of MultiHeadAttentionBlock"},
        {"InducedSetAttentionBlock", "made of MultiHeadAttentionBlock"},
        {"AttentionPoolingBlock", "made of MultiHeadAttentionBlock"},
        {"TransformerEncoder", "a stack of TransformerEncoderLayer"},
        {"TransformerDecoder", "a stack of TransformerDecoderLayer"},
        {"Transformer", "a model of tokens, made of these stacks"},
        {"LanguageModel", "a model of tokens, made of these stacks"},
        {"Bert", "a model of tokens, made of these stacks"},
        {"BertForPretraining", "a model of tokens, made of these stacks"},
        {"BertEmbeddings", "no attention, but a layer beside it"},
        {"MaskedTokenHead", "no attention, but a layer beside it"},
        {"GraphConvolution", "a mean with fixed weights, without queries"},
        {"EncoderDecoder", "a model of tokens, whose decoders use Attention"},
        {"RecurrentEncoder", "no attention, but a layer beside it"},
        {"FeedForward", "no attention, but a layer beside it"},
        {"chosen_experts", "a step of FeedForward with experts"},
        {"expert_weights", "a step of FeedForward with experts"},
        {"mix_experts", "a step of FeedForward with experts"},
        {"expert_shares", "a number computed from scores, without values"},
        {"balance_loss", "a loss"},
        {"TransformerAttention", "SelfAttention or LatentAttention"},
        {"ResidualConnection", "no attention, but a layer beside it"},
        {"ConformerConvolution", "no attention, but a layer beside it"},
        {"ConformerEncoder", "a stack of ConformerBlock"},
        {"VisionTransformer", "a model of pictures, made of a stack of TransformerEncoderLayer"},
        {"unit_vectors", "a step of contrastive_loss"},
        {"class_vectors", "the mean of several vectors of a class"},
        {"info_nce", "a loss"},
        {"contrastive_loss", "a loss"},
        {"LearnedBaseline", "no attention, but a layer beside it"},
        {"AbsolutePositions", "changes embeddings, queries or keys; SelfAttention uses it"},
        {"rotary", "changes embeddings, queries or keys; SelfAttention uses it"},
        {"combine", "combines masks"},
        {"patches", "cuts an image, and gives values to attend to"},
        {"glimpse", "cuts an image, and gives values to attend to"},
        {"values_at", "a step of hard_attention"},
        {"sample_categorical", "a step of hard_attention"},
        {"log_weights", "a step of hard_attention"},
        {"categorical_entropy", "a number computed from scores, without values"},
        {"categorical_log_prob", "a number computed from scores, without values"},
        {"log_prob_gradient_square", "a number computed from scores, without values"},
        {"sample_location", "a sampled point of an image, without keys"},
        {"gaussian_log_prob", "a sampled point of an image, without keys"},
        {"marginal_log_likelihood", "a likelihood, not a mean of values"},
        {"posterior", "a likelihood, not a mean of values"},
        {"bound_of", "a likelihood, not a mean of values"},
        {"variational_bound", "a likelihood, not a mean of values"},
        {"several_sample_bound", "a likelihood, not a mean of values"},
        {"reinforce", "an estimate of a gradient"},
        {"score_function_term", "an estimate of a gradient"},
        {"leave_one_out", "an estimate of a gradient"},
        {"answer_log_prob", "a log-probability"},
        {"group_advantage", "rewards in units of their group"},
        {"kl_estimate", "a divergence"},
        {"dpo_loss", "a loss"},
        {"optimal_baseline", "an estimate of a gradient"},
    };
    return names;
}

}  // namespace heed::laws
