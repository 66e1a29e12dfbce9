// Many ideas that do nothing, tried on the same seeds: how often the best of them looks like a discovery.
#include "lessons/course/live/live.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "autograd/base/rng.h"
#include "lessons/course/figures/figures.h"

namespace heed::lesson37 {

using namespace course;

namespace {

constexpr int twenty = 20;

// The probability that at least `bar` of twenty fair coins show heads.
double luck_of_coins(int bar) {
    double choices = 1, sum = 0;  // choices: of k heads among twenty, from k = 20 down
    for (int k = twenty; k >= bar; --k) {
        sum += choices;
        choices *= static_cast<double>(k) / (twenty - k + 1);
    }
    return sum / std::pow(2, twenty);
}

double luck_of_best(int ideas, int bar) { return 1 - std::pow(1 - luck_of_coins(bar), ideas); }

Drawn draw_best_of(const Inputs& inputs) {
    const int ideas = inputs.whole("ideas"), bar = inputs.whole("bar");
    LinePlot plot{.title = "The best of many ideas, none of which works",
                  .x_label = "ideas that were tried",
                  .y_label = "probability that the best keeps the bar",
                  .y_range = {0, 1},
                  .names_at_ends = false};
    plot.series = {{.name = "same seeds, formula"},
                   {.name = "same seeds, 300 worlds"},
                   {.name = "new seeds, formula"},
                   {.name = "your number of ideas"}};
    for (int k = 1; k <= 60; ++k) {
        plot.series[0].x.push_back(k), plot.series[0].y.push_back(luck_of_best(k, bar));
        plot.series[2].x.push_back(k), plot.series[2].y.push_back(luck_of_coins(bar));
    }
    Rng rng(1);
    for (int k = 1; k <= 60; k += 5) {
        int kept = 0;
        for (int world = 0; world < 300; ++world) {
            int best = 0;  // twenty random bits are twenty coins
            for (int idea = 0; idea < k; ++idea)
                best = std::max(best, std::popcount(rng.next() >> (64 - twenty)));
            kept += best >= bar;
        }
        plot.series[1].x.push_back(k), plot.series[1].y.push_back(kept / 300.);
    }
    plot.series[3].x = {double(ideas), double(ideas)};
    plot.series[3].y = {0, 1};
    int needed = 11;
    while (needed < twenty && luck_of_best(ideas, needed) > 0.05) ++needed;
    return {.svgs = {to_svg(plot)},
            .numbers = {{"one idea keeps the bar by luck", luck_of_coins(bar)},
                        {"the best idea does", luck_of_best(ideas, bar)},
                        {"seeds that the bar would need for 5 %", double(needed)}}};
}

const Registered best_of_figure({.name = "best_of",
                                 .controls = {slider("ideas", "Ideas tried", {1, 60, 1, 20}),
                                              slider("bar", "Seeds of 20 that the bar asks for",
                                                     {11, 20, 1, 15})},
                                 .draw = draw_best_of});

}  // namespace

}  // namespace heed::lesson37
