#include "attention/scores/score.h"

#include <cmath>

#include "attention/scores/additive_scores.h"
#include "autograd/base/settings.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/product/matmul.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/reduce/scaling.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"
#include "nn/layers/init.h"

namespace heed {

double scale_of_scores(double scale, const Tensor& q, const char* operation) {
    check(std::isfinite(scale), "{}: the scale is {}; expected a finite number, or 0 for 1/√D",
          operation, scale);
    return scale != 0 ? scale : 1 / std::sqrt(static_cast<double>(q.size(-1)));
}

namespace {

constexpr const char* other_widths =
    "the general and the additive score take queries and keys of different widths";
constexpr const char* given_widths =
    "the widths of query and key are those given to AttentionScore";

// x / |x| over the last axis. The 1e-12 keeps the gradient finite at 0; numbers whose squares overflow
// are scaled.
Tensor direction(const Tensor& x) {
    constexpr double eps = 1e-12;
    const Tensor squares = sum(square(x), -1, true);
    if (all(isfinite(squares)).item() == 1) return x * rsqrt(squares + eps);
    const Tensor s = scaling::scales_for_squares(x, -1, eps), small = x * s;
    return small * rsqrt(sum(square(small), -1, true) + scaling::eps_of(s, eps));
}

}  // namespace

// --- additive: scores = tanh(W q + U k) v -------------------------------------------------------

Tensor AdditiveScore::prepare(const Tensor& k) const {
    const Shapes in("AdditiveScore", {{"key", k, "B K Dk"}, {"its weight", key.weight, "A Dk"}}, {},
                    given_widths);
    return key(k);
}

Tensor AdditiveScore::operator()(const Tensor& q, const Tensor& prepared) const {
    const Shapes in("AdditiveScore",
                    {{"query", q, "B Q Dq"},
                     {"its weight", query.weight, "A Dq"},
                     {"prepared key", prepared, "B K A"}},
                    {}, given_widths);
    return additive_scores(query(q), prepared, v);
}

// --- dot, scaled dot: scores = q kᵀ, q kᵀ / √D --------------------------------------------------

Tensor DotScore::operator()(const Tensor& q, const Tensor& k) const {
    const Shapes in("DotScore", {{"query", q, "B Q D"}, {"key", k, "B K D"}}, {}, other_widths);
    return matmul(q, transpose(k));
}

Tensor ScaledDotScore::operator()(const Tensor& q, const Tensor& k) const {
    const Shapes in("ScaledDotScore", {{"query", q, "B Q D"}, {"key", k, "B K D"}}, {},
                    other_widths);
    return matmul(q / std::sqrt(static_cast<double>(in["D"])), transpose(k));
}

// --- general: scores = q (k Wᵀ)ᵀ ----------------------------------------------------------------

Tensor GeneralScore::prepare(const Tensor& k) const {
    const Shapes in("GeneralScore", {{"key", k, "B K Dk"}, {"the weight", weight, "Dq Dk"}}, {},
                    given_widths);
    return linear(k, weight);
}

Tensor GeneralScore::operator()(const Tensor& q, const Tensor& prepared) const {
    const Shapes in("GeneralScore",
                    {{"query", q, "B Q Dq"},
                     {"the weight", weight, "Dq Dk"},
                     {"prepared key", prepared, "B K Dq"}},
                    {}, given_widths);
    return matmul(q, transpose(prepared));
}

// --- content: scores = β (q / |q|) (k / |k|)ᵀ ---------------------------------------------------

Tensor ContentScore::prepare(const Tensor& k) const {
    const Shapes in("ContentScore", {{"key", k, "B K D"}});
    return direction(k);
}

Tensor ContentScore::operator()(const Tensor& q, const Tensor& prepared) const {
    const Shapes in("ContentScore", {{"query", q, "B Q D"}, {"prepared key", prepared, "B K D"}},
                    {}, other_widths);
    return matmul(exp(log_sharpness) * direction(q), transpose(prepared));
}

// --- location: scores = the first K columns of q Wᵀ ---------------------------------------------

Tensor LocationScore::operator()(const Tensor& q, const Tensor& k) const {
    const Shapes in("LocationScore",
                    {{"query", q, "B Q Dq"}, {"key", k, "B K Dk"}, {"the weight", weight, "L Dq"}},
                    {}, given_widths);
    check(in["K"] <= in["L"], "{} keys, but at most {} are possible (max_keys in ScoreSizes)",
          in["K"], in["L"]);
    return linear(q, slice(weight, 0, 0, in["K"]));
}

// --- one of the six -----------------------------------------------------------------------------

const std::vector<ScoreKind>& score_kinds() {
    static const std::vector<ScoreKind> kinds{ScoreKind::additive,   ScoreKind::dot,
                                              ScoreKind::general,    ScoreKind::location,
                                              ScoreKind::scaled_dot, ScoreKind::content};
    return kinds;
}

const char* name_of(ScoreKind kind) {
    switch (kind) {
        case ScoreKind::additive:
            return "additive";
        case ScoreKind::dot:
            return "dot";
        case ScoreKind::general:
            return "general";
        case ScoreKind::location:
            return "location";
        case ScoreKind::scaled_dot:
            return "scaled_dot";
        case ScoreKind::content:
            return "content";
    }
    return "?";
}

ScoreKind score_kind(std::string_view name) {
    if (name == "concat") return ScoreKind::additive;
    std::string known;
    for (ScoreKind kind : score_kinds()) {
        if (name == name_of(kind)) return kind;
        known += known.empty() ? name_of(kind) : fmt::format(", {}", name_of(kind));
    }
    fail("score_kind: there is no score \"{}\"; there are {} (concat is additive)", name, known);
}

AttentionScore::AttentionScore(ScoreKind kind, const ScoreSizes& sizes, Rng& rng) {
    const int64_t hidden = sizes.hidden ? sizes.hidden : sizes.key;
    check_positive("AttentionScore", {{"query", sizes.query},
                                      {"key", sizes.key},
                                      {"hidden", hidden},
                                      {"max_keys", sizes.max_keys},
                                      {"sharpness", sizes.sharpness}});
    switch (kind) {
        case ScoreKind::dot:
            any = DotScore{};
            break;
        case ScoreKind::scaled_dot:
            any = ScaledDotScore{};
            break;
        case ScoreKind::additive:
            any = AdditiveScore{Linear(sizes.query, hidden, rng, false),
                                Linear(sizes.key, hidden, rng, false),
                                parameter(uniform_fan({hidden}, hidden, rng))};
            break;
        case ScoreKind::general:
            any = GeneralScore{parameter(uniform_fan({sizes.query, sizes.key}, sizes.query, rng))};
            break;
        case ScoreKind::location:
            any = LocationScore{
                parameter(uniform_fan({sizes.max_keys, sizes.query}, sizes.query, rng))};
            break;
        case ScoreKind::content:
            any = ContentScore{parameter(scalar(std::log(sizes.sharpness)))};
            break;
    }
    const bool same = sizes.query == sizes.key;
    check(same || (kind != ScoreKind::dot && kind != ScoreKind::scaled_dot &&
                   kind != ScoreKind::content),
          "AttentionScore: the {} score needs queries and keys of one width, got {} and {}; the "
          "general and the additive score take different widths",
          name_of(kind), sizes.query, sizes.key);
}

Tensor AttentionScore::prepare(const Tensor& keys) const {
    const UserCall named("AttentionScore");
    return std::visit([&](const auto& score) { return score.prepare(keys); }, any);
}

Tensor AttentionScore::operator()(const Tensor& q, const Tensor& prepared) const {
    const UserCall named("AttentionScore");
    return std::visit([&](const auto& score) { return score(q, prepared); }, any);
}

}  // namespace heed
