// Right versions obey the laws. The table of all mechanisms and the wrong versions: test_laws_page.cpp.
#include "attention/laws/laws.h"
#include "attention/scores/mechanism.h"
#include "nn/module/module.h"
#include "tests/attention/laws/require.h"
#include "tests/attention/laws/wrong_versions.h"
#include "tests/catch.h"

using namespace heed;

namespace {

const AttentionFunction right = [](const Tensor& q, const Tensor& k, const Tensor& v,
                                   const Tensor& mask) {
    return soft_attention(wrong::scaled(q, k), v, mask);
};

void require_caught(const laws::Verdict& verdict, const char* name, const std::string& message) {
    INFO(name << " by \"" << verdict.law << "\": " << verdict.message);
    CHECK_FALSE(verdict.holds);
    CHECK_THAT(verdict.message, Catch::Matchers::ContainsSubstring(message));
}

AttentionFunction with_score(AttentionScore score) {
    to_dtype(score, Dtype::float64);
    return [score](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
        return soft_attention(score.of(q, k), v, mask);
    };
}

}  // namespace

TEST_CASE("scaled dot-product attention obeys all laws", "[laws][attention]") {
    for (const laws::Verdict& verdict : laws::check_all(right)) require(verdict);
    require(laws::sharp_limit(right));
    require(laws::scaled(right));
    require(laws::causal([](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor&) {
        return soft_attention(wrong::scaled(q, k), v, causal_mask(k.size(1), Dtype::float64));
    }));
}

TEST_CASE("the laws hold at other sizes too", "[laws][attention]") {
    const laws::Sizes sizes{.batch = 3,
                            .queries = 1,
                            .keys = 9,
                            .query_width = 2,
                            .key_width = 2,
                            .value_width = 1,
                            .seed = 7};
    for (const laws::Verdict& verdict : laws::check_all(right, sizes)) require(verdict);
    require(laws::sharp_limit(right, sizes));
}

TEST_CASE("every score obeys the laws that apply to it", "[laws][attention]") {
    for (ScoreKind kind : score_kinds()) {
        if (kind == ScoreKind::location) continue;
        INFO(name_of(kind));
        Rng rng(3);
        const AttentionScore score(kind, {.query = 4, .key = 4, .hidden = 6, .sharpness = 2}, rng);
        for (const laws::Verdict& verdict : laws::check_all(with_score(score))) require(verdict);
    }
    Rng rng(3);
    const AttentionScore wide(ScoreKind::general, {.query = 4, .key = 7}, rng);
    for (const laws::Verdict& verdict : laws::check_all(with_score(wide), {.key_width = 7}))
        require(verdict);
}

TEST_CASE("a location score gives a distribution, obeys masks, and ignores the keys",
          "[laws][attention]") {
    Rng rng(4);
    const auto f =
        with_score(AttentionScore(ScoreKind::location, {.query = 4, .key = 4, .max_keys = 9}, rng));
    require(laws::distribution(f));
    require(laws::masked_keys(f));
    require(laws::batch_rows(f));
    require(laws::gradient(f));
    CHECK_FALSE(laws::every_key_counts(f).holds);
    CHECK_FALSE(laws::permutation(f).holds);
}

TEST_CASE("the sharp limit of each score is a lookup", "[laws][attention]") {
    Rng rng(5);
    for (ScoreKind kind : {ScoreKind::dot, ScoreKind::scaled_dot, ScoreKind::general})
        require(laws::sharp_limit(with_score(AttentionScore(kind, {.query = 4, .key = 4}, rng))));

    // The cosine does not depend on the length of the query, and tanh is bounded; β and v sharpen
    // them.
    require(laws::sharp_limit([](double sharpness) {
        Rng same(6);
        return with_score(AttentionScore(ScoreKind::content,
                                         {.query = 4, .key = 4, .sharpness = sharpness}, same));
    }));
    require(laws::sharp_limit([](double sharpness) {
        Rng same(6);
        AttentionScore score(ScoreKind::additive, {.query = 4, .key = 4, .hidden = 6}, same);
        auto& additive = std::get<AdditiveScore>(score.any);
        additive.v = additive.v * sharpness;
        return with_score(score);
    }));
}

TEST_CASE("every parameter of every score receives gradient", "[laws][attention]") {
    for (ScoreKind kind : score_kinds()) {
        Rng rng(8);
        AttentionScore score(kind, {.query = 4, .key = 4, .hidden = 6, .max_keys = 5}, rng);
        to_dtype(score, Dtype::float64);
        std::vector<std::pair<std::string, Tensor>> named;
        for (const Parameter& p : parameters(score)) named.emplace_back(p.name, p.tensor);
        if (named.empty()) continue;  // dot
        INFO(name_of(kind));
        require(laws::every_parameter(
            [&](const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
                return soft_attention(score.of(q, k), v, mask);
            },
            named));
    }
}

TEST_CASE("local spans obey the laws that apply to them", "[laws][attention]") {
    for (SpanKind kind : {SpanKind::local_m, SpanKind::local_p})
        for (ScoreKind of : {ScoreKind::general, ScoreKind::additive, ScoreKind::content}) {
            INFO(name_of(of) << " " << name_of(kind));
            Rng rng(3);
            // The window contains all keys, so local_p differs by its Gaussian only.
            Attention attention{AttentionScore(of, {.query = 4, .key = 4}, rng),
                                AttentionSpan(kind, {.half_window = 9, .query = 4}, rng)};
            to_dtype(attention, Dtype::float64);
            const AttentionFunction f = [&](const Tensor& q, const Tensor& k, const Tensor& v,
                                            const Tensor& mask) {
                return attention(q, attention.prepare(k, v, mask));
            };
            require(laws::every_key_counts(f));
            require(laws::masked_keys(f));
            require(laws::batch_rows(f));
            require(laws::gradient(f));
            std::vector<std::pair<std::string, Tensor>> named;
            for (const Parameter& p : parameters(attention)) named.emplace_back(p.name, p.tensor);
            require(laws::every_parameter(f, named));
            // In its window local_m ignores positions; local_p does not, and does not sum to 1.
            const bool all = kind == SpanKind::local_m;
            CHECK(laws::distribution(f).holds == all);
            CHECK(laws::permutation(f).holds == all);
        }
}

TEST_CASE("an attention that throws violates the law", "[laws][attention]") {
    const AttentionFunction refuses = [](const Tensor& q, const Tensor& k, const Tensor&,
                                         const Tensor&) -> AttentionOutput {
        return {matmul(q, k), q};
    };
    require_caught(laws::permutation(refuses), "refuses", "threw an error: matmul");
}
