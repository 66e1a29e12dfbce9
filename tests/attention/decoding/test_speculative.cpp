// Speculative decoding has the distribution of the target, whatever the draft is; and going back, with
// models that can and with models that cannot.
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "attention/decoding/speculative.h"
#include "autograd/autograd.h"
#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr int first_token = 0, end_of_text = 1, tokens_known = 4;

// The next token depends on the last two: a table [V * V, V] of log-probabilities. `passes` counts calls.
template <bool goes_back>
struct Pairs {
    Tensor table;
    std::vector<int> text = {first_token};
    int* passes = nullptr;

    Tensor next(int token) {
        text.push_back(token);
        return index_select(table, 0,
                            Indices({text[text.size() - 2] * tokens_known + text.back()}));
    }
    DecodingStep step(const Indices& tokens) {
        if (passes) ++*passes;
        return {next(tokens[0])};
    }
    Tensor steps(const Indices& tokens) requires goes_back {
        if (passes) ++*passes;
        std::vector<Tensor> all;
        for (int token : tokens) all.push_back(next(token));
        return stack(all, 1);
    }
    void back(int64_t count) requires goes_back { text.resize(text.size() - count); }
    void select_rows(const std::vector<int>&) {}
};

Tensor random_table(uint64_t seed, double spread) {
    Rng rng(seed);
    return log_softmax(
        normal({tokens_known * tokens_known, tokens_known}, 0, spread, rng, Dtype::float64));
}

Decodable decodable(const Tensor& table, bool goes_back, int* passes = nullptr) {
    if (goes_back) return {Pairs<true>{.table = table, .passes = passes}, 1};
    return {Pairs<false>{.table = table, .passes = passes}, 1};
}

using Texts = std::map<std::vector<int>, double>;

// Every text of at most max_length tokens, an end token included, with its probability.
void enumerate(const Tensor& table, const DecodeOptions& how, std::vector<int> text, double p,
               Texts& all) {
    const int last = text.empty() ? first_token : text.back(),
              before = text.size() > 1 ? text[text.size() - 2] : first_token;
    for (int next = 0; next < tokens_known; ++next) {
        std::vector<int> longer = text;
        longer.push_back(next);
        const double of_longer = p * std::exp(table.at({before * tokens_known + last, next}));
        if (next == how.end || std::ssize(longer) == how.max_length)
            all[longer] += of_longer;
        else
            enumerate(table, how, longer, of_longer, all);
    }
}

// Σ (seen - expected)² / expected
double chi_square(const Texts& expected, const Texts& seen, int samples) {
    double sum = 0;
    for (const auto& [text, p] : expected) {
        const auto found = seen.find(text);
        const double count = found == seen.end() ? 0 : found->second;
        sum += (count - samples * p) * (count - samples * p) / (samples * p);
    }
    return sum;
}

// For 60 to 200 degrees of freedom k, chi-square is nearly normal with mean k and variance 2 k; it is
// above this once in a million draws.
double bound(double k) { return k + 5 * std::sqrt(2 * k) + 15; }

}  // namespace

TEST_CASE("speculative decoding has the target's distribution",
          "[attention][decode][unsanitized]") {
    constexpr int samples = 20'000;
    const Tensor target = random_table(1, 1);
    for (bool goes_back : {false, true})
        for (int end_token : {-1, end_of_text})
            for (int ahead : {1, 2, 5}) {
                INFO("back " << goes_back << ", end " << end_token << ", draft of " << ahead);
                const DecodeOptions options{
                    .start = first_token, .end = end_token, .max_length = 3};
                const Tensor draft = random_table(2, 1);
                Texts expected, seen, of_draft;
                enumerate(target, options, {}, 1, expected);
                enumerate(draft, options, {}, 1, of_draft);
                Rng rng(5);
                int64_t judged = 0, accepted = 0;
                double overlap = 0;
                for (int i = 0; i < samples; ++i) {
                    const Speculation s = speculative_decode(decodable(target, goes_back),
                                                             decodable(draft, goes_back),
                                                             {.draft = ahead}, rng, options);
                    std::vector<int> text = s.hypothesis.tokens;
                    if (s.hypothesis.finished) text.push_back(end_of_text);
                    // Where the text was cut off, the token after it was not an end, or nobody has
                    // looked; all that begin so belong together.
                    text.resize(std::min<std::size_t>(text.size(), options.max_length));
                    ++seen[text];
                    judged += s.judged, accepted += s.accepted, overlap += s.overlap;
                }
                CHECK(chi_square(expected, seen, samples) < bound(std::ssize(expected) - 1));
                CHECK(chi_square(of_draft, seen, samples) > 20 * bound(std::ssize(expected) - 1));
                // The share of accepted tokens is 1 - the total variation, within five deviations.
                CHECK(std::abs(accepted - overlap) < 5 * std::sqrt(judged * 0.25));
                CHECK(overlap < 0.9 * judged);
            }
}

TEST_CASE("greedy speculative decoding gives the tokens of greedy decoding",
          "[attention][decode]") {
    const SamplingOptions greedy{.temperature = 0};
    for (uint64_t seed = 1; seed <= 30; ++seed)
        for (bool goes_back : {false, true})
            for (int end_token : {-1, end_of_text}) {
                const DecodeOptions options{
                    .start = first_token, .end = end_token, .max_length = 20};
                const Tensor target = random_table(seed, 1), draft = target + random_table(99, 0.5);
                Rng rng(1);
                int passes = 0;
                const Speculation s = speculative_decode(
                    decodable(target, goes_back, &passes), decodable(log_softmax(draft), goes_back),
                    {.draft = 3, .sampling = greedy}, rng, options);
                const Hypothesis plain = greedy_decode(decodable(target, goes_back), options)[0];
                CHECK(s.hypothesis.tokens == plain.tokens);
                CHECK(s.hypothesis.finished == plain.finished);
                CHECK(s.hypothesis.log_probability == Approx(plain.log_probability));
                if (goes_back) CHECK(passes == s.passes);
            }
}

TEST_CASE("a draft that is the target is always accepted", "[attention][decode]") {
    const Tensor target = random_table(3, 1);
    Rng rng(1);
    const Speculation s =
        speculative_decode(decodable(target, true), decodable(target, true), {.draft = 4}, rng,
                           {.start = first_token, .end = -1, .max_length = 20});
    CHECK(s.hypothesis.tokens.size() == 20);
    CHECK(s.passes == 4);  // five tokens each
    CHECK(s.accepted == s.proposed);
    CHECK(s.accepted == 16);
    CHECK(s.overlap == Approx(16));
}

// Worked by hand: Σ min(p, q) = 0.2 + 0.2 + 0.3 = 0.7.
TEST_CASE("the rule of acceptance", "[attention][decode]") {
    const std::vector<double> p{0.2, 0.5, 0.3}, q{0.4, 0.2, 0.4};
    CHECK(acceptance(p, q, 0) == Approx(0.5));
    CHECK(acceptance(p, q, 1) == 1);
    CHECK(acceptance(p, q, 2) == Approx(0.75));
    CHECK(total_variation(p, q) == Approx(0.3));
    const std::vector<double> rest = residual_distribution(p, q);
    CHECK(rest[0] == 0);
    CHECK(rest[1] == Approx(1));
    CHECK(rest[2] == 0);
    CHECK(residual_distribution(p, p) == p);
}

TEST_CASE("where nothing is possible, speculative decoding stops as decoding does",
          "[attention][decode]") {
    Tensor target = log_softmax(zeros({tokens_known * tokens_known, tokens_known}, Dtype::float64));
    const double never = -std::numeric_limits<double>::infinity();
    // After the tokens 2, 2.
    for (int next = 0; next < tokens_known; ++next)
        target.edit<double>()[10 * tokens_known + next] = never;
    const Tensor draft = random_table(4, 1);
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        Rng rng(seed);
        const DecodeOptions options{.start = first_token, .end = -1, .max_length = 200};
        for (const Tensor& other : {draft, target}) {
            const Speculation s = speculative_decode(
                decodable(target, true), decodable(other, true), {.draft = 4}, rng, options);
            CHECK_FALSE(s.hypothesis.possible());
            const auto& tokens = s.hypothesis.tokens;
            REQUIRE(tokens.size() >= 2);
            CHECK(tokens.back() == 2);
            CHECK(tokens[tokens.size() - 2] == 2);
        }
    }
}

TEST_CASE("a model goes back to its mark, and a copy goes its own way", "[attention][decode]") {
    const Tensor table = random_table(6, 1);
    for (bool goes_back : {false, true}) {
        Decodable model = decodable(table, goes_back);
        model.step(Indices({2}));
        CHECK_THROWS_WITH(model.keep(1), ContainsSubstring("without a mark()"));
        model.mark();
        const Tensor three = model.steps(Indices({3, 1, 2}, {1, 3}));
        CHECK(three.shape() == Shape{1, 3, tokens_known});
        Decodable copy = model;
        model.keep(1);  // 2, 3
        copy.step(Indices({0}));
        CHECK(largest_difference(model.step(Indices({1})).log_probabilities, select(three, 1, 1)) ==
              0);
        CHECK(largest_difference(model.step(Indices({2})).log_probabilities, select(three, 1, 2)) ==
              0);
        copy.keep(3);
        copy.keep(2);
        CHECK(largest_difference(copy.step(Indices({2})).log_probabilities, select(three, 1, 2)) ==
              0);
        CHECK_THROWS_WITH(model.keep(4), ContainsSubstring("3 tokens were given since mark()"));
        // Tokens that are only appended count as well.
        model.keep(0);
        model.append(Indices({3, 1}, {1, 2}));
        CHECK(largest_difference(model.step(Indices({2})).log_probabilities, select(three, 1, 2)) ==
              0);
        model.keep(1);
        CHECK(largest_difference(model.step(Indices({1})).log_probabilities, select(three, 1, 1)) ==
              0);
        CHECK_THROWS_WITH(model.append(Indices({1, 2}, {2, 1})),
                          ContainsSubstring("one row for each"));
        CHECK_THROWS_WITH(model.steps(Indices({1, 2}, {2, 1})),
                          ContainsSubstring("one row for each"));
    }
}
