// Scores: how well a query and a key match. Six formulas with one interface.
//
//     additive    vᵀ tanh(W q + U k)   Bahdanau, Cho, Bengio 2015, appendix A.1.2; Luong's "concat"
//     dot         q · k                Luong, Pham, Manning 2015, section 3.1
//     general     qᵀ W k               Luong et al. 2015, section 3.1
//     location    (W q)ⱼ for key j     Luong et al. 2015, section 3.1: depends on position j only
//     scaled_dot  q · k / √D           Vaswani et al. 2017, equation 1
//     content     β cos(q, k)          Graves, Wayne, Danihelka 2014, equations 5, 6; β: sharpness
//
//     Rng rng(1);
//     AttentionScore score(ScoreKind::additive, {.query = 64, .key = 128, .hidden = 32}, rng);
//     Tensor prepared = score.prepare(key);      // [B, K, 128] -> [B, K, 32], once per sentence
//     Tensor scores = score(query, prepared);    // [B, Q, 64] -> [B, Q, K], at every step
//
// prepare() computes what depends on the keys only, so that a decoder that uses the same keys at
// every step computes it once. All throw when widths do not fit, naming both shapes.
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "nn/layers/layers.h"

namespace heed {

// What scores of q [..., D] are multiplied by: `scale`; 1 / √D if that is 0. Throws if it is not
// finite.
double scale_of_scores(double scale, const Tensor& q, const char* operation);

// Luong's "concat" is the same score: its matrix is [W U], and [W U] [q; k] = W q + U k.
struct AdditiveScore {
    Linear query;  // W [A, Dq]
    Linear key;    // U [A, Dk]
    Tensor v;      // [A]

    template <class F>
    void visit(F&& f) {
        f("query", query);
        f("key", key);
        f("v", v);
    }
    Tensor prepare(const Tensor& keys) const;                          // [B, K, Dk] -> [B, K, A]
    Tensor operator()(const Tensor& q, const Tensor& prepared) const;  // [B, Q, Dq] -> [B, Q, K]
};

struct DotScore {  // q [B, Q, D], keys [B, K, D]
    template <class F>
    void visit(F&&) {}
    Tensor prepare(const Tensor& keys) const { return keys; }
    Tensor operator()(const Tensor& q, const Tensor& prepared) const;
};

struct ScaledDotScore {  // q [B, Q, D], keys [B, K, D]
    template <class F>
    void visit(F&&) {}
    Tensor prepare(const Tensor& keys) const { return keys; }
    Tensor operator()(const Tensor& q, const Tensor& prepared) const;
};

struct GeneralScore {
    Tensor weight;  // W [Dq, Dk]

    template <class F>
    void visit(F&& f) {
        f("weight", weight);
    }
    Tensor prepare(const Tensor& keys) const;  // W k: [B, K, Dk] -> [B, K, Dq]
    Tensor operator()(const Tensor& q, const Tensor& prepared) const;
};

struct ContentScore {
    Tensor log_sharpness;  // [], ln β, so that β stays positive

    template <class F>
    void visit(F&& f) {
        f("log_sharpness", log_sharpness);
    }
    Tensor prepare(const Tensor& keys) const;  // k / |k|: [B, K, D] -> [B, K, D]
    Tensor operator()(const Tensor& q, const Tensor& prepared) const;  // [B, Q, D] -> [B, Q, K]
};

struct LocationScore {
    Tensor weight;  // W [L, Dq], L = max_keys

    template <class F>
    void visit(F&& f) {
        f("weight", weight);
    }
    Tensor prepare(const Tensor& keys) const { return keys; }
    Tensor operator()(const Tensor& q, const Tensor& prepared) const;
};

enum class ScoreKind { additive, dot, general, location, scaled_dot, content };

// All kinds, and their names as in the table above ("concat" is additive). score_kind() throws for
// any other name, with a list of all.
const std::vector<ScoreKind>& score_kinds();
const char* name_of(ScoreKind kind);
ScoreKind score_kind(std::string_view name);

struct ScoreSizes {
    int64_t query = 0, key = 0;  // widths Dq and Dk
    int64_t hidden = 0;          // A of the additive score; 0: as wide as the key
    int64_t max_keys = 100;      // of the location score
    double sharpness = 1;        // the initial β of the content score
};

// One of the six.
struct AttentionScore {
    std::variant<DotScore, AdditiveScore, GeneralScore, LocationScore, ScaledDotScore, ContentScore>
        any;

    AttentionScore() = default;  // dot
    // Throws for sizes that are not positive, and for dot products of different widths.
    AttentionScore(ScoreKind kind, const ScoreSizes& sizes, Rng& rng);
    template <class F>
    void visit(F&& f) {
        std::visit([&](auto& score) { score.visit(f); }, any);
    }

    Tensor prepare(const Tensor& keys) const;
    Tensor operator()(const Tensor& q, const Tensor& prepared) const;
    // The scores of keys that are used once: q [B, Q, Dq], keys [B, K, Dk] -> [B, Q, K].
    Tensor of(const Tensor& q, const Tensor& keys) const { return (*this)(q, prepare(keys)); }
};

}  // namespace heed
