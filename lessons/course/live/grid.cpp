#include "lessons/course/live/grid.h"

#include <algorithm>

#include "autograd/base/error.h"
#include "lessons/course/figures/svg.h"
#include "lessons/course/terminal/markup.h"

namespace heed::course {

std::string to_svg(const Grid& grid) {
    const auto cells = static_cast<std::size_t>(grid.rows * grid.columns);
    check(cells > 0 && grid.on.size() == cells, "grid '{}': {} switches for {} x {} cells",
          grid.title, grid.on.size(), grid.rows, grid.columns);
    double left = 10;
    for (const std::string& label : grid.row_labels)
        left = std::max(left, svg_text_width(label) + 18);
    const double top = grid.column_labels.empty() ? 26 : 50;
    const double width = left + grid.columns * grid.cell + 10;
    Svg svg(std::max(width, svg_text_width(grid.title) * 1.08 + 20),
            top + grid.rows * grid.cell + 10, grid.title);
    svg.text(10, 16, grid.title, "start", "title");
    for (std::size_t c = 0; c < grid.column_labels.size(); ++c)
        svg.text(left + (static_cast<double>(c) + 0.5) * grid.cell, top - 8, grid.column_labels[c],
                 "middle", "small");
    for (int r = 0; r < grid.rows; ++r) {
        if (static_cast<std::size_t>(r) < grid.row_labels.size())
            svg.text(left - 8, top + (r + 0.5) * grid.cell + 4,
                     grid.row_labels[static_cast<std::size_t>(r)], "end");
        for (int c = 0; c < grid.columns; ++c) {
            const int index = r * grid.columns + c;
            const bool on = grid.on[static_cast<std::size_t>(index)];
            svg.add(R"(<rect class="{}" data-switch="{}" data-index="{}"{} tabindex="{}" )"
                    R"(role="switch" aria-checked="{}" aria-label="row {}, column {}" )"
                    R"(x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>)",
                    on ? "hot" : "empty", escape(grid.control), index,
                    grid.painted ? " data-paint=\"\"" : "", index == 0 ? 0 : -1, on, r + 1, c + 1,
                    left + c * grid.cell + 0.5, top + r * grid.cell + 0.5, grid.cell - 1,
                    grid.cell - 1);
        }
    }
    return svg.finish();
}

}  // namespace heed::course
