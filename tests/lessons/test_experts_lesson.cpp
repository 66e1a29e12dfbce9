// Lesson 34: the tokens of known kinds, the sorter that learns them, and the networks that are compared.
#include "lessons/34_experts/experiment.h"
#include "lessons/34_experts/model.h"
#include "tests/autograd/compare.h"

namespace heed::lesson34 {
namespace {

TEST_CASE("experts: one matrix for each kind answers every token, and no other routing does",
          "[lesson]") {
    Rng rng(1);
    const Kinds world(3, rng);
    Sorter sorter(rng);
    for (int kind = 0; kind < kinds; ++kind) {
        Linear& expert = sorter.experts[static_cast<std::size_t>(kind)];
        const Tensor rotation = transpose(select(world.rotation, 0, kind));  // y = v R = Rᵀ vᵀ
        expert.weight.assign(concat({zeros({half, half}), rotation}, 1));
        expert.bias.assign(zeros({half}));
    }
    const NoGrad no_grad;
    const Tokens tokens = world.draw(200, rng);
    const auto error = [&](int shift) {
        std::vector<int> expert;
        for (const int kind : tokens.kind) expert.push_back((kind + shift) % kinds);
        const Tensor chosen = one_hot(expert, kinds);
        Sorter::computed = 0;
        const double mean_error = mean(square(sorter(tokens.x, chosen, chosen) - tokens.y)).item();
        CHECK(Sorter::computed == 200);
        return mean_error;
    };
    CHECK(error(0) < 1e-10);
    CHECK(error(1) > 0.5);
    // A rotation keeps lengths, so an answer of 0 has an error of about 1.
    const Tensor value = slice(tokens.x, 1, half, 2 * half);
    CHECK(largest_difference(sum(square(value), 1), sum(square(tokens.y), 1)) < 1e-4);
    CHECK(std::abs(mean(square(tokens.y)).item() - 1) < 0.15);
}

TEST_CASE("experts: what a sorter reports are shares, the same for the same seed", "[lesson]") {
    const Rule rule{
        .name = "choice",
        .loss =
            [] {
                return [](const Sorter& s, const Tokens& t, const Tensor& scores, Rng&) {
                    const Tensor chosen = chosen_experts(scores, 1);
                    return mean(square(s(t.x, chosen, softmax(scores) * chosen) - t.y)) +
                           0.1 * balance_loss(scores, 1);
                };
            },
        .by_probability = true};
    const Sorted a = train_sorter(rule, 3, 45, 7), b = train_sorter(rule, 3, 45, 7);
    CHECK(a.error == b.error);
    CHECK(a.steps == std::vector<double>{0, 20, 40, 45});
    CHECK(a.work == 1);
    for (const std::vector<double>& table : a.tables)
        for (int kind = 0; kind < kinds; ++kind) {
            double total = 0;
            for (int e = 0; e < kinds; ++e)
                total += table[static_cast<std::size_t>(kind * kinds + e)];
            CHECK(std::abs(total - 1) < 1e-6);
        }
    for (const double number : a.effective) CHECK((number >= 1 && number <= kinds + 1e-9));
    CHECK(train_sorter(rule, 3, 300, 7).error < a.error);
}

TEST_CASE("experts: the work of the networks, counted and by hand", "[lesson]") {
    const std::vector<Network> all = networks(32);
    const double small = 2 * 32 * 32;
    const double one_of_8 = small + 8 * 32, two_of_16 = small + 16 * 32;
    const std::vector<double> work{small,     one_of_8, one_of_8, two_of_16,
                                   8 * small, one_of_8, two_of_16};
    REQUIRE(all.size() == work.size());
    Rng rng(2);
    const Tensor x = normal({50, 32}, 0, 1, rng);
    for (std::size_t i = 0; i < all.size(); ++i) {
        INFO(all[i].name);
        CHECK(multiply_adds(FeedForward(all[i].options, rng), x) == work[i]);
    }
    // Experts have as many parameters as the large network, up to biases and the router.
    const double large = static_cast<double>(parameter_count(FeedForward(all[4].options, rng)));
    for (const std::size_t i : {1, 2, 3, 5, 6}) {
        const double experts =
            static_cast<double>(parameter_count(FeedForward(all[i].options, rng)));
        CHECK(std::abs(experts / large - 1) < 0.07);
    }
}

TEST_CASE("experts: facts are learned, and a frozen router stays as it is", "[lesson]") {
    const Network one = networks(16)[2];
    const double early = learn_facts(one, 5, 3).right, later = learn_facts(one, 150, 3).right;
    CHECK(early < 0.08);  // a guess has 1 of 32
    CHECK(later > early);
    CHECK(later <= 1);
}

}  // namespace
}  // namespace heed::lesson34
