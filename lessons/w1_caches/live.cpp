// The groups of a cache, and how many lines of one column of a matrix go to each.
#include "lessons/course/live/live.h"

#include <algorithm>
#include <array>

#include "lessons/course/figures/svg.h"

namespace heed::workshop1 {

using namespace course;

namespace {

constexpr int groups = 64, slots = 12;

Drawn draw_groups(const Inputs& inputs) {
    const int n = inputs.whole("columns");
    std::array<int, groups> lines{};
    for (int row = 0; row < n; ++row) ++lines[static_cast<std::size_t>(row * n * 4 / 64 % groups)];

    Svg svg(420, 250, "The 64 groups of the cache");
    svg.text(10, 16, fmt::format("One column of {0} x {0}: lines in each of the 64 groups", n),
             "start", "title");
    int used = 0, fullest = 0;
    for (int group = 0; group < groups; ++group) {
        const int count = lines[static_cast<std::size_t>(group)];
        used += count > 0;
        fullest = std::max(fullest, count);
        const double x = 10 + 50 * (group % 8), y = 28 + 27 * (group / 8);
        const double strength = std::min(1.0, count / double(2 * slots));
        svg.add(R"(<rect class="empty" x="{0:.0f}" y="{1:.0f}" width="46" height="23" rx="3"/>)"
                R"(<rect class="hot" fill-opacity="{2:.3f}" x="{0:.0f}" y="{1:.0f}" width="46" )"
                R"(height="23" rx="3"/>)",
                x, y, strength);
        svg.text(x + 23, y + 16, std::to_string(count), "middle", strength > 0.5 ? "on" : "");
    }
    return {.svgs = {svg.finish()},
            .numbers = {{"groups that are used", double(used)},
                        {"lines in the fullest group", double(fullest)},
                        {"slots of a group", double(slots)}}};
}

const Registered figure({.name = "cache_groups",
                         .controls = {slider("columns", "Columns", {448, 576, 8, 512})},
                         .draw = draw_groups});

}  // namespace

}  // namespace heed::workshop1
