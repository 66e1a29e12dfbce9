// One buffer of twelve numbers and the views of it: where an element stands, by its strides.
#include "lessons/course/live/live.h"

#include <algorithm>

#include "autograd/autograd.h"
#include "lessons/course/figures/svg.h"

namespace heed::lesson01 {

using namespace course;

namespace {

const std::vector<std::string> views{"as it is, 3 x 4",         "transposed, 4 x 3",
                                     "columns 1 and 2, 3 x 2",  "every second column, 3 x 2",
                                     "row 1 four times, 4 x 4", "reshaped, 6 x 2"};

Tensor chosen_view(const Tensor& x, int which) {
    switch (which) {
        case 1:
            return transpose(x);
        case 2:
            return slice(x, 1, 1, 3);
        case 3:
            return slice(x, 1, 0, 4, 2);
        case 4:
            return expand(slice(x, 0, 1, 2), {4, 4});
        case 5:
            return reshape(x, {6, 2});
        default:
            return x;
    }
}

void cell(Svg& svg, double x, double y, double value, bool chosen) {
    svg.add(R"(<rect class="{}" x="{:.1f}" y="{:.1f}" width="40" height="32"/>)",
            chosen ? "hot" : "empty", x, y);
    svg.text(x + 20, y + 21, fmt::format("{:g}", value), "middle", chosen ? "on" : "");
}

Drawn draw(const Inputs& inputs) {
    const Tensor x = reshape(arange(12), {3, 4});
    const Tensor view = chosen_view(x, inputs.chosen("view"));
    const auto rows = static_cast<int>(view.size(0)), columns = static_cast<int>(view.size(1));
    const int i = std::min(inputs.whole("row"), rows - 1),
              j = std::min(inputs.whole("column"), columns - 1);
    const int found =
        static_cast<int>(view.at({i, j}));  // the buffer holds 0 ... 11, so this is its place

    Svg svg(560, 330, "The view, and the buffer below it");
    svg.text(10, 16,
             fmt::format("Element ({}, {}) of a view of {} rows and {} columns, and the memory", i,
                         j, rows, columns),
             "start", "title");
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c)
            cell(svg, 20 + 42 * c, 30 + 34 * r, view.at({r, c}), r == i && c == j);
    for (int place = 0; place < 12; ++place) {
        cell(svg, 20 + 42 * place, 265, place, place == found);
        svg.text(40 + 42 * place, 315, std::to_string(place), "middle", "faint");
    }
    const double row_stride = double(view.strides()[0]), column_stride = double(view.strides()[1]);
    const double start = double(found) - i * row_stride - j * column_stride;
    return {.svgs = {svg.finish()},
            .numbers = {{"stride of a row", row_stride},
                        {"stride of a column", column_stride},
                        {"first number of the view at", start},
                        {"so this element at", start + i * row_stride + j * column_stride}}};
}

const Registered figure({.name = "strides",
                         .controls = {choice("view", "View", views),
                                      slider("row", "Row", {0, 5, 1, 1}),
                                      slider("column", "Column", {0, 3, 1, 2})},
                         .draw = draw});

}  // namespace

}  // namespace heed::lesson01
