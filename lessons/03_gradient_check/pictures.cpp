#include "lessons/03_gradient_check/pictures.h"

namespace heed::lesson03 {

using namespace course;

Diagram diagram_of_a_check() {
    Diagram diagram{.title = "A gradient check"};
    diagram.boxes = {
        {"inputs x", {}, 0, 0, true},         {"c", {"random numbers"}, 0, 1, true},
        {"f", {"the operation"}, 1, 0},       {"L", {"sum of c y"}, 2, 0.5},
        {"backward", {"the gradient"}, 3, 0}, {"difference", {"x + h and x - h"}, 3, 1},
        {"compare", {"at most 1e-7"}, 4, 0.5}};
    diagram.arrows = {{0, 2}, {2, 3}, {1, 3}, {3, 4}, {3, 5}, {4, 6}, {5, 6}};
    return diagram;
}

}  // namespace heed::lesson03
