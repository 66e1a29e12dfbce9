#include "lessons/33_states/pictures.h"

namespace heed::lesson33 {

using namespace course;

std::vector<Diagram> cache_and_state() {
    using enum Diagram::Kind;
    Diagram cache{.title = "A cache: every token adds an entry, and is read again"};
    for (int i = 0; i < 4; ++i)
        cache.boxes.push_back({.name = "token " + std::to_string(i + 1),
                               .lines = {"key, value"},
                               .column = 0,
                               .row = static_cast<double>(i),
                               .kind = input});
    cache.boxes.push_back(
        {.name = "context", .lines = {"of token 4"}, .column = 1, .row = 1.5, .kind = output});
    cache.frames = {{"cache: 4 entries", {0, 1, 2, 3}}};
    cache.arrows = {{0, 4}, {1, 4}, {2, 4}, {3, 4}};

    Diagram state{.title = "A state: every token is written into the same box"};
    for (int i = 0; i < 4; ++i) {
        state.boxes.push_back({.name = "token " + std::to_string(i + 1),
                               .lines = {"key, value"},
                               .column = static_cast<double>(i),
                               .row = 1,
                               .kind = input});
        state.boxes.push_back(
            {.name = "S", .lines = {"d x d"}, .column = static_cast<double>(i), .row = 0});
        state.arrows.push_back({2 * i, 2 * i + 1});
        if (i > 0) state.arrows.push_back({2 * i - 1, 2 * i + 1});
    }
    state.boxes.push_back(
        {.name = "context", .lines = {"of token 4"}, .column = 4, .row = 0, .kind = output});
    state.arrows.push_back({7, 8});
    return {cache, state};
}

LinePlot error_plot(const std::vector<double>& counts,
                    const std::vector<std::pair<std::string, std::vector<double>>>& errors) {
    LinePlot plot{.x_label = "pairs", .y_label = "squared error", .log_x = true};
    for (const auto& [name, means] : errors)
        plot.series.push_back({.name = name, .x = counts, .y = means});
    return plot;
}

}  // namespace heed::lesson33
