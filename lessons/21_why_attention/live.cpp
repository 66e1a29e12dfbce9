// The work of a GRU layer and of an attention layer, and the path from the first position to the
// last, by the length of the sequence and the width.
#include "lessons/course/live/live.h"

#include <cmath>

#include "lessons/course/figures/figures.h"

namespace heed::lesson21 {

using namespace course;

namespace {

// Multiply-adds of one layer of width D over T positions; the lesson checks these formulas on
// recorded graphs.
double gru_work(double T, double D) { return 6 * T * D * D; }
double attention_work(double T, double D) { return 4 * T * D * D + 2 * T * T * D; }

Drawn draw(const Inputs& inputs) {
    const double T = std::round(std::pow(2, inputs.number("T"))),
                 D = std::pow(2, inputs.number("D"));
    LinePlot work{.title = "Work: multiply-adds of one layer",
                  .x_label = "length T",
                  .log_x = true,
                  .log_y = true,
                  .y_range = {1e3, 1e13},
                  .x_range = {2, 16384},
                  .names_at_ends = false};
    LinePlot way{.title = "Path length: steps from the first position to the last",
                 .x_label = "length T",
                 .log_x = true,
                 .log_y = true,
                 .y_range = {0.5, 20000},
                 .x_range = {2, 16384},
                 .names_at_ends = false};
    Series gru{.name = "GRU"}, attention{.name = "attention"};
    Series gru_way = gru, attention_way = attention;
    for (double power = 1; power <= 14; power += 0.5) {
        const double length = std::pow(2, power);
        for (Series* series : {&gru, &attention, &gru_way, &attention_way})
            series->x.push_back(length);
        gru.y.push_back(gru_work(length, D));
        attention.y.push_back(attention_work(length, D));
        gru_way.y.push_back(length - 1);
        attention_way.y.push_back(1);
    }
    work.series = {gru, attention, {.name = "your T", .x = {T, T}, .y = {1e3, 1e13}}};
    way.series = {gru_way, attention_way, {.name = "your T", .x = {T, T}, .y = {0.5, 20000}}};
    return {.svgs = {to_svg(work), to_svg(way)},
            .numbers = {
                {"length T", T, 6},
                {"width D", D, 5},
                {"work of attention over that of the GRU", attention_work(T, D) / gru_work(T, D)},
                {"steps of the GRU from the first position to the last", T - 1, 6}}};
}

const Registered figure({.name = "costs",
                         .controls = {slider("T", "Length T, as a power of 2", {1, 14, 0.5, 5}),
                                      slider("D", "Width D, as a power of 2", {4, 12, 1, 6})},
                         .draw = draw});

}  // namespace

}  // namespace heed::lesson21
