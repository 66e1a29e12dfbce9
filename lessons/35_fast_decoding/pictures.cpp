#include "lessons/35_fast_decoding/pictures.h"

#include <algorithm>
#include <numeric>

namespace heed::lesson35 {

using namespace course;

LinePlot time_plot(const std::vector<double>& tokens,
                   const std::vector<std::vector<double>>& seconds) {
    return {.title = "By the formula, with floats, eight tokens take as long as one",
            .x_label = "tokens in one pass",
            .y_label = "seconds",
            .series = {{.name = "4 bytes a weight", .x = tokens, .y = seconds[0]},
                       {.name = "1 byte", .x = tokens, .y = seconds[1]},
                       {.name = "half a byte", .x = tokens, .y = seconds[2]}},
            .log_x = true,
            .log_y = true};
}

BarChart two_distributions(const lesson23::Characters& text, const std::vector<double>& p,
                           const std::vector<double>& q) {
    std::vector<int> order(p.size());
    std::iota(order.begin(), order.end(), 0);
    const auto mass = [&](int i) {
        return std::max(p[static_cast<std::size_t>(i)], q[static_cast<std::size_t>(i)]);
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return mass(a) > mass(b); });
    order.resize(std::min<std::size_t>(order.size(), 5));
    BarChart chart{
        .title = "What the draft offers too rarely is added after a refusal",
        .value_label = "probability",
        .sets = {
            {.name = "target p"}, {.name = "draft q"}, {.name = "refused"}, {.name = "missing"}}};
    for (int token : order) {
        const auto i = static_cast<std::size_t>(token);
        const std::string& name = text.names[i];
        chart.labels.push_back(name == " " ? "space" : name == "\n" ? "new line" : name);
        chart.sets[0].values.push_back(p[i]);
        chart.sets[1].values.push_back(q[i]);
        chart.sets[2].values.push_back(std::max(0.0, q[i] - p[i]));
        chart.sets[3].values.push_back(std::max(0.0, p[i] - q[i]));
    }
    return chart;
}

LinePlot tokens_plot(const std::vector<double>& lengths, const std::vector<double>& counted_tokens,
                     const std::vector<double>& formula) {
    return {.title = "A longer draft gives more tokens a pass, but each guess adds less",
            .x_label = "tokens drafted",
            .y_label = "tokens a pass of the target",
            .series = {{.name = "counted", .x = lengths, .y = counted_tokens},
                       {.name = "formula", .x = lengths, .y = formula}}};
}

}  // namespace heed::lesson35
