#include <map>
#include <set>

#include "tests/autograd/compare.h"

using namespace heed;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("the generator is xoshiro256++ seeded through SplitMix64") {
    // Worked out from the two published recurrences with Python's integers.
    Rng rng(1234567);
    for (const uint64_t expected :
         {0x610e053dd55ab68u, 0x70c979e26e27fbacu, 0xfb95f99f9f6bb2deu, 0x3890aaecd9fa80au})
        CHECK(rng.next() == expected);
}

TEST_CASE("uniform numbers: range, mean, spread") {
    Rng rng(1);
    const Tensor x = uniform({100000}, -2, 3, rng, Dtype::float64);
    const std::vector<double> values = x.to_vector();
    CHECK(*std::min_element(values.begin(), values.end()) >= -2);
    CHECK(*std::max_element(values.begin(), values.end()) < 3);
    CHECK(std::abs(mean(x).item() - 0.5) < 0.02);
    CHECK(std::abs(var(x).item() - 25.0 / 12) < 0.03);

    // In float32 nothing rounds up to the upper end.
    for (const double value : uniform({1000}, 1, 1 + 1e-7, rng).to_vector()) CHECK(value == 1);
    CHECK(uniform({3}, 2, 2, rng).to_vector() == std::vector<double>{2, 2, 2});
}

TEST_CASE("normal numbers: four moments, and neighbours know nothing of each other") {
    Rng rng(2);
    const Tensor x = normal({200000}, 0, 1, rng, Dtype::float64);
    CHECK(std::abs(mean(x).item()) < 0.01);
    CHECK(std::abs(mean(square(x)).item() - 1) < 0.02);
    CHECK(std::abs(mean(x * x * x).item()) < 0.04);
    CHECK(std::abs(mean(square(square(x))).item() - 3) < 0.1);
    CHECK(std::abs(mean(slice(x, 0, 0, 199999) * slice(x, 0, 1, 200000)).item()) < 0.01);
    CHECK(std::abs(mean(normal({100000}, 5, 0.1, rng)).item() - 5) < 0.002);
}

TEST_CASE("below, chance, shuffle and split") {
    Rng rng(3);
    std::vector<int> counts(7);
    for (int i = 0; i < 70000; ++i) ++counts[rng.below(7)];
    for (const int count : counts) CHECK(std::abs(count - 10000) < 400);
    CHECK(rng.below(1) == 0);
    CHECK(rng.below(int64_t{1} << 62) < int64_t{1} << 62);
    CHECK_THROWS_AS(rng.below(0), Error);

    // All 24 orders of four things come about equally often.
    std::map<std::vector<int>, int> orders;
    for (int i = 0; i < 24000; ++i) {
        std::vector<int> items{1, 2, 3, 4};
        rng.shuffle(items);
        ++orders[items];
    }
    REQUIRE(orders.size() == 24);
    for (const auto& [order, count] : orders) CHECK(std::abs(count - 1000) < 160);

    // A part that draws more or less does not disturb what follows it.
    Rng one(9), two(9);
    Rng part = one.split();
    two.split();
    for (int i = 0; i < 10; ++i) part.next();
    CHECK(one.next() == two.next());
    CHECK(part.next() != one.next());
    std::set<uint64_t> seen;
    for (uint64_t seed = 0; seed < 100; ++seed) seen.insert(Rng(seed).next());
    CHECK(seen.size() == 100);

    // The first normal number of a generator is drawn like all others.
    double squares = 0;
    for (uint64_t seed = 0; seed < 1000; ++seed) {
        const double first = Rng(seed).normal();
        squares += first * first / 1000;
    }
    CHECK(std::abs(squares - 1) < 0.2);  // its standard deviation is 0.045
}

TEST_CASE("bernoulli and categorical draw in proportion") {
    Rng rng(4);
    CHECK(std::abs(mean(bernoulli({50000}, 0.3, rng)).item() - 0.3) < 0.01);
    CHECK(mean(bernoulli({100}, 0, rng)).item() == 0);
    CHECK(mean(bernoulli({100}, 1, rng)).item() == 1);

    const Tensor p = expand(tensor({0, 1, 0, 3, 0}), {4, 5000, 5});
    const Indices drawn = categorical(p, rng);
    REQUIRE(drawn.shape() == Shape{4, 5000});
    int64_t threes = 0;
    for (const int value : drawn) {
        REQUIRE((value == 1 || value == 3));
        threes += value == 3;
    }
    CHECK(std::abs(threes / 20000.0 - 0.75) < 0.02);
    CHECK(categorical(tensor({0, 0, 2}), rng).at({}) == 2);
}

TEST_CASE("multinomial with replacement draws in proportion") {
    const Tensor p = tensor({0, 1, 0, 3, 0, 2, 0, 0, 0, 0}, {2, 5});
    Rng rng(6), same(6);
    const Indices drawn = multinomial(p, 20000, rng, true);
    REQUIRE(drawn.shape() == Shape{2, 20000});
    CHECK(multinomial(p, 20000, same, true) == drawn);
    const Indices first = bincount(slice(drawn, 0, 0, 1), 5);
    CHECK(first[1] + first[3] == 20000);
    CHECK(std::abs(first[3] / 20000.0 - 0.75) < 0.02);
    CHECK(bincount(slice(drawn, 0, 1, 2)) == Indices({20000}));

    // One draw is that of categorical().
    Rng one(7), other(7);
    for (int i = 0; i < 100; ++i)
        CHECK(multinomial(p, 1, one, true).reshaped({2}) == categorical(p, other));
    CHECK(multinomial(p, 0, rng, true).shape() == Shape{2, 0});
    CHECK(multinomial(zeros({0, 3}), 2, rng).shape() == Shape{0, 2});
}

TEST_CASE("multinomial without replacement draws each order as often as it should") {
    // i first and then j: p_i p_j / (1 - p_i).
    const std::vector<double> p{0.5, 0.2, 0, 0.3};
    constexpr int rows = 100000;
    for (Dtype dtype : {Dtype::float32, Dtype::float64}) {
        Rng rng(8);
        const Indices drawn = multinomial(expand(tensor(p, dtype), {rows, 4}), 2, rng);
        std::vector<int> pairs;
        for (int row = 0; row < rows; ++row)
            pairs.push_back(4 * drawn.at({row, 0}) + drawn.at({row, 1}));
        const Indices counts = bincount(pairs, 16);
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) {
                const double expected = i == j ? 0 : rows * p[i] * p[j] / (1 - p[i]);
                INFO(i << ", then " << j);
                CHECK(std::abs(counts[4 * i + j] - expected) <= 4.5 * std::sqrt(expected));
            }
    }
    // All that can be drawn, however small.
    Rng rng(9);
    const Indices all = multinomial(tensor({1e-320, 0, 1, 1e300}, Dtype::float64), 3, rng);
    CHECK(all == Indices({3, 2, 0}));
}

TEST_CASE("random numbers say what is wrong", "[errors]") {
    Rng rng(5);
    CHECK_THROWS_WITH(multinomial(tensor({1, 0, 1}), 3, rng),
                      ContainsSubstring("3 draws") && ContainsSubstring("2 probabilities"));
    CHECK_THROWS_WITH(multinomial(tensor({1, nan_value}), 1, rng, true), ContainsSubstring("nan"));
    CHECK_THROWS_WITH(multinomial(ones({2}), -1, rng), ContainsSubstring("-1 draws"));
    CHECK_THROWS_WITH(uniform({2}, 1, 0, rng), ContainsSubstring("low <= high"));
    CHECK_THROWS_WITH(normal({2}, 0, -1, rng), ContainsSubstring("at least 0"));
    CHECK_THROWS_WITH(bernoulli({2}, 1.5, rng), ContainsSubstring("1.5"));
    CHECK_THROWS_WITH(categorical(tensor({1, -1}), rng), ContainsSubstring("-1"));
    CHECK_THROWS_WITH(categorical(tensor({1, 1, 0, 0}, {2, 2}), rng), ContainsSubstring("row 1"));
    CHECK_THROWS_WITH(categorical(tensor({1, nan_value}), rng), ContainsSubstring("nan"));
}
