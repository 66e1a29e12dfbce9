// Lesson 35: the table of counts as a draft, the measure of a distribution, and what two models generate.
#include <cmath>

#include "lessons/35_fast_decoding/experiment.h"
#include "tests/autograd/compare.h"

namespace heed::lesson35 {
namespace {

// A text of "ab" repeated, with a "c" now and then.
Models small_models() {
    Rng rng(1);
    std::string text;
    for (int i = 0; i < 400; ++i) text += rng.uniform() < 0.2 ? "abc" : "ab";
    Models models;
    models.text = lesson23::characters_of(text, 0.5);
    models.draft =
        std::make_shared<const lesson23::Counts>(models.text.train, models.text.size(), counted);
    models.target = LanguageModel(
        {.vocabulary = 3,
         .stack = gpt({.width = 32, .heads = 4, .layers = 1, .max_positions = context})},
        rng);
    for (const Parameter& p : parameters(models.target))  // far from uniform
        if (Tensor x = p.tensor; x.dim() == 2) x.assign(normal(x.shape(), 0, 0.3, rng));
    return models;
}

TEST_CASE("the table of counts is a draft: distributions, and back", "[lesson]") {
    const Models models = small_models();
    const std::vector<int> prompt{0, 1, 0, 1};
    Decodable table = ready(models.draft, 3, prompt);
    const std::vector<double> next =
        probabilities(table.step(Indices({prompt.back()})).log_probabilities);
    std::vector<int> text = prompt;
    text.push_back(0);
    double sum = 0;
    for (int c = 0; c < 3; ++c) {
        text.back() = c;
        CHECK(next[c] == Approx(models.draft->probability(text, 4, counted)));
        sum += next[c];
    }
    CHECK(sum == Approx(1));
    CHECK(next[0] > 0.5);  // after "abab" comes an a, most often

    table.mark();
    const Tensor three = table.steps(Indices({0, 1, 2}, {1, 3}));
    table.keep(1);
    CHECK(largest_difference(table.step(Indices({1})).log_probabilities, select(three, 1, 1)) <
          1e-6);
}

// The counts 60, 40 against 50, 50: χ² = 4 with one degree of freedom.
TEST_CASE("chi-square in standard deviations, by hand", "[lesson]") {
    CHECK(chi_square_deviations({50, 50}, {60, 40}) == Approx((4 - 1) / std::sqrt(2.0)));
    CHECK(chi_square_deviations({50, 50}, {50, 50}) == Approx(-1 / std::sqrt(2.0)));
    // Rare cells are one: 48 + 52 expected, and 2 + 1 + 1 = 4 as one cell of its own.
    CHECK(chi_square_deviations({50, 46, 2, 1, 1}, {50, 46, 0, 4, 0}) ==
          Approx(-2 / std::sqrt(4.0)));
}

TEST_CASE(
    "texts of target and draft have the target's distribution, and the accepted share is predicted",
    "[lesson]") {
    const Models models = small_models();
    Rng rng(3);
    const double deviations = deviations_of_pairs(models, {0, 1, 0, 1}, 4000, rng);
    CHECK(deviations < 5);
    const Drafting d = draft_texts(models, 3, 20, {}, rng);
    CHECK(d.judged > 500);
    CHECK(std::abs(d.accepted - d.expected) < 4 * 0.5 / std::sqrt(d.judged));
    CHECK(d.expected < 0.95);
    CHECK(d.tokens_a_pass > 1);
    CHECK(d.tokens_a_pass <= 4);
}

TEST_CASE("counts of another distribution are far away", "[lesson]") {
    CHECK(chi_square_deviations({500, 300, 200}, {300, 500, 200}) > 50);
}

}  // namespace
}  // namespace heed::lesson35
