// Lesson 25: its networks, how pictures are shifted and rearranged, and what it counts.
#include <algorithm>
#include <cmath>

#include "lessons/25_images/experiment.h"
#include "lessons/25_images/models.h"
#include "tests/autograd/compare.h"
#include "tests/catch.h"

namespace heed::lesson25 {
namespace {

TEST_CASE("images: the three networks have nearly the same number of parameters", "[lesson]") {
    Rng rng(1);
    std::vector<int64_t> counts;
    for (const Kind kind : kinds) {
        const Network network = make(kind, rng);
        counts.push_back(parameter_count_of(network));
        const Tensor x = uniform({3, side, side}, 0, 1, rng);
        const Tensor y =
            std::visit([&](const auto& m) { return m(x, Mode::evaluation()); }, network);
        CHECK((y.shape() == Shape{3, 10}));
    }
    const auto [low, high] = std::minmax_element(counts.begin(), counts.end());
    CHECK(static_cast<double>(*high) / static_cast<double>(*low) < 1.02);
}

TEST_CASE("images: a shift moves whole pictures by whole pixels", "[lesson]") {
    Rng rng(2);
    const Tensor x = uniform({20, 9, 9}, 1, 2, rng);
    CHECK(largest_difference(shifted(x, 0, rng), x) == 0);
    const Tensor y = shifted(x, 3, rng);
    int moved = 0;
    for (int64_t n = 0; n < 20; ++n) {
        int matches = 0, down = 0, right = 0;  // the shift with which all pixels agree
        for (int d = -3; d <= 3; ++d)
            for (int r = -3; r <= 3; ++r) {
                bool same = true;
                for (int i = 0; i < 9; ++i)
                    for (int j = 0; j < 9; ++j) {
                        const bool inside = i - d >= 0 && i - d < 9 && j - r >= 0 && j - r < 9;
                        same = same && y.at({n, i, j}) == (inside ? x.at({n, i - d, j - r}) : 0);
                    }
                if (same) ++matches, down = d, right = r;
            }
        CHECK(matches == 1);
        moved += down != 0 || right != 0;
    }
    CHECK(moved > 10);
}

TEST_CASE("images: rearranging keeps every pixel, and exchanging patches keeps them whole",
          "[lesson]") {
    Rng rng(3);
    const Tensor x = uniform({2, side, side}, 0, 1, rng);
    for (const std::vector<int>& order : {exchanged_patches(rng), exchanged_pixels(rng)}) {
        std::vector<int> sorted = order;
        std::sort(sorted.begin(), sorted.end());
        for (int i = 0; i < side * side; ++i) REQUIRE(sorted[i] == i);
        const Tensor y = rearranged(x, order);
        CHECK(largest_difference(y, x) > 0.1);
        CHECK(y.at({1, 3, 5}) == x.at({1, order[3 * side + 5] / side, order[3 * side + 5] % side}));
    }
    const std::vector<int> order = exchanged_patches(rng);
    for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j) {
            const int corner = order[i / patch * patch * side + j / patch * patch];
            CHECK(corner / side % patch == 0);
            CHECK(corner % side % patch == 0);
            CHECK(order[i * side + j] == corner + i % patch * side + j % patch);
        }
}

TEST_CASE("images: positions on a grid have cosines that fall with the distance", "[lesson]") {
    std::vector<double> falling, random;
    Rng rng(4);
    for (int i = 0; i < grid * grid; ++i)
        for (int j = 0; j < grid * grid; ++j) {
            falling.push_back(1 - 0.2 * std::hypot(i / grid - j / grid, i % grid - j % grid));
            random.push_back(rng.uniform(-1, 1));
        }
    const Shape shape{grid * grid, grid * grid};
    CHECK(correlation_with_distance(tensor(falling, shape)) == Approx(-1).margin(1e-6));
    CHECK(std::abs(correlation_with_distance(tensor(random, shape))) < 0.35);

    const PatchNetwork untrained(vit_options(), rng);
    const Tensor cosines = cosines_of_positions(untrained);
    CHECK((cosines.shape() == shape));
    for (int i = 0; i < grid * grid; ++i) CHECK(cosines.at({i, i}) == Approx(1));
}

TEST_CASE("images: numbers of pictures, and steps for them", "[lesson][errors]") {
    CHECK(parse_sizes("100,300,60000") == std::vector<int>{100, 300, 60000});
    CHECK_THROWS_WITH(parse_sizes("100,100"),
                      Catch::Matchers::ContainsSubstring("--sizes: expected rising numbers"));
    CHECK_THROWS_WITH(parse_sizes("100,"), Catch::Matchers::ContainsSubstring("--sizes"));
    CHECK_THROWS_WITH(parse_sizes("5"), Catch::Matchers::ContainsSubstring("--sizes"));
    CHECK_THROWS_WITH(parse_sizes("many"), Catch::Matchers::ContainsSubstring("--sizes"));
    Settings settings;
    settings.steps = 300;
    CHECK(settings.steps_for(100) == 300);
    CHECK(settings.steps_for(1000) == 600);
    CHECK(settings.steps_for(10000) == 1200);
}

}  // namespace
}  // namespace heed::lesson25
