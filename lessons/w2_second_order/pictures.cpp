#include "lessons/w2_second_order/pictures.h"

#include <fmt/format.h>

namespace heed::workshop2 {

using namespace course;

Diagram diagram_of_two_passes() {
    Diagram diagram{.title = "Two backward passes"};
    diagram.boxes = {{"inputs x", {}, 0, 0, true},
                     {"f", {"one number"}, 1, 0},
                     {"gradient", {"first pass", "recorded"}, 2, 0},
                     {"element i", {"one number"}, 3, 0},
                     {"row i of H", {"second pass"}, 4, 0}};
    diagram.arrows = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};
    return diagram;
}

HeatMap map_of_hessian(const Tensor& hessian) {
    HeatMap map{.values = hessian.to_vector(), .low = -3, .high = 3, .value_name = "H"};
    for (int i = 1; i <= hessian.size(0); ++i) map.row_labels.push_back(fmt::format("x{}", i));
    map.column_labels = map.row_labels;
    return map;
}

}  // namespace heed::workshop2
