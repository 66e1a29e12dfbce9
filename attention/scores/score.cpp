#include "attention/scores/score.h"

#include <cmath>

#include "attention/scores/additive_scores.h"
#include "autograd/base/user_call.h"
#include "autograd/ops/binary.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reductions.h"
#include "autograd/ops/scaling.h"
#include "autograd/ops/shape_ops.h"
#include "autograd/ops/unary.h"
#include "nn/layers/init.h"

namespace heed {

double scale_of_scores(double scale, const Tensor& q, const char* operation) {
    check(std::isfinite(scale), "{}: the scale is {}; expected a finite number, or 0 for 1/√D",
          operation, scale);
    return scale != 0 ? scale : 1 / std::sqrt(static_cast<double>(q.size(-1)));
}

namespace {

void check_batches(const Tensor& q, const Tensor& k, const char* name) {
    check(q.dim() == 3 && k.dim() == 3 && q.size(0) == k.size(0),
          "{}: query {} and key {}; expected [B, Q, D] and [B, K, D] with the same B", name,
          q.shape(), k.shape());
}

void check_width(const Tensor& x, int64_t expected, const char* name, const char* what) {
    check(x.dim() == 3 && x.size(2) == expected,
          "{}: expected a {} [B, {}, {}], got {}; the sizes given to AttentionScore are the widths "
          "of query and key",
          name, what, what[0] == 'q' ? "Q" : "K", expected, x.shape());
}

void check_equal_widths(const Tensor& q, const Tensor& k, const char* name) {
    check_batches(q, k, name);
    check(q.size(2) == k.size(2),
          "{}: query {} and key {} differ in width; the general and the additive score take "
          "different widths",
          name, q.shape(), k.shape());
}

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

Tensor AdditiveScore::prepare(const Tensor& keys) const {
    const UserCall named("AdditiveScore");
    check_defined("AdditiveScore", keys);
    check_width(keys, key.weight.size(1), "AdditiveScore", "key");
    return key(keys);
}

Tensor AdditiveScore::operator()(const Tensor& q, const Tensor& prepared) const {
    const UserCall named("AdditiveScore");
    check_defined("AdditiveScore", q);
    check_width(q, query.weight.size(1), "AdditiveScore", "query");
    check_batches(q, prepared, "AdditiveScore");
    return additive_scores(query(q), prepared, v);
}

// --- dot, scaled dot: scores = q kᵀ, q kᵀ / √D --------------------------------------------------

Tensor DotScore::operator()(const Tensor& q, const Tensor& prepared) const {
    const UserCall named("DotScore");
    check_defined("DotScore", q);
    check_equal_widths(q, prepared, "DotScore");
    return matmul(q, transpose(prepared));
}

Tensor ScaledDotScore::operator()(const Tensor& q, const Tensor& prepared) const {
    const UserCall named("ScaledDotScore");
    check_defined("ScaledDotScore", q);
    check_equal_widths(q, prepared, "ScaledDotScore");
    return matmul(q / std::sqrt(static_cast<double>(q.size(2))), transpose(prepared));
}

// --- general: scores = q (k Wᵀ)ᵀ ----------------------------------------------------------------

Tensor GeneralScore::prepare(const Tensor& keys) const {
    const UserCall named("GeneralScore");
    check_defined("GeneralScore", keys);
    check_width(keys, weight.size(1), "GeneralScore", "key");
    return linear(keys, weight);
}

Tensor GeneralScore::operator()(const Tensor& q, const Tensor& prepared) const {
    const UserCall named("GeneralScore");
    check_defined("GeneralScore", q);
    check_width(q, weight.size(0), "GeneralScore", "query");
    check_batches(q, prepared, "GeneralScore");
    return matmul(q, transpose(prepared));
}

// --- content: scores = β (q / |q|) (k / |k|)ᵀ ---------------------------------------------------

Tensor ContentScore::prepare(const Tensor& keys) const {
    const UserCall named("ContentScore");
    return direction(keys);
}

Tensor ContentScore::operator()(const Tensor& q, const Tensor& prepared) const {
    const UserCall named("ContentScore");
    check_defined("ContentScore", q);
    check_equal_widths(q, prepared, "ContentScore");
    return matmul(exp(log_sharpness) * direction(q), transpose(prepared));
}

// --- location: scores = the first K columns of q Wᵀ ---------------------------------------------

Tensor LocationScore::operator()(const Tensor& q, const Tensor& prepared) const {
    const UserCall named("LocationScore");
    check_defined("LocationScore", q);
    check_width(q, weight.size(1), "LocationScore", "query");
    check_batches(q, prepared, "LocationScore");
    const int64_t keys = prepared.size(1);
    check(keys <= weight.size(0),
          "LocationScore: {} keys, but at most {} are possible (max_keys in ScoreSizes)", keys,
          weight.size(0));
    return linear(q, slice(weight, 0, 0, keys));
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
    check(
        sizes.query > 0 && sizes.key > 0 && hidden > 0 && sizes.max_keys > 0 && sizes.sharpness > 0,
        "AttentionScore: query {}, key {}, hidden {}, max_keys {} and sharpness {} must be "
        "positive",
        sizes.query, sizes.key, hidden, sizes.max_keys, sizes.sharpness);
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
    check_defined("AttentionScore", keys);
    return std::visit([&](const auto& score) { return score.prepare(keys); }, any);
}

Tensor AttentionScore::operator()(const Tensor& q, const Tensor& prepared) const {
    const UserCall named("AttentionScore");
    check_defined("AttentionScore", q);
    return std::visit([&](const auto& score) { return score(q, prepared); }, any);
}

}  // namespace heed
