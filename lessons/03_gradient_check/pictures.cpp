#include "lessons/03_gradient_check/pictures.h"

namespace heed::lesson03 {

using namespace course;

Diagram diagram_of_a_check(const CheckDiagram& what) {
    Diagram diagram{.title = "A gradient check"};
    const double column = what.covector ? 3 : 2;
    diagram.boxes = {{"x", {"the input"}, 0, 0.5, true},
                     {"f", {"the operation"}, 1, 0.5},
                     {"backward", {"the gradient"}, column, 0},
                     {"difference", {"f at x + h and x - h"}, column, 1},
                     {"compare", {"at most 1e-7"}, column + 1, 0.5}};
    diagram.arrows = {{0, 1}, {2, 4}, {3, 4}};
    int number = 1;  // the box of the number that is differentiated
    if (what.covector) {
        diagram.boxes.push_back({"c", {"random numbers"}, 1, 1.5, true});
        diagram.boxes.push_back({"L", {"sum of c y"}, 2, 0.5});
        diagram.boxes[3].lines = {"L at x + h and x - h"};
        diagram.arrows.insert(diagram.arrows.end(), {{1, 6, "y"}, {5, 6}});
        number = 6;
    }
    diagram.arrows.insert(diagram.arrows.end(), {{number, 2}, {number, 3}});
    return diagram;
}

}  // namespace heed::lesson03
